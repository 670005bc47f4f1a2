/* matrix_loops.c: follows the numbers in a loop's vector registers from loads to sums. */
/* SPDX-License-Identifier: MIT */
#include "symbols/matrix_loops.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { LOOP_BYTES_MAX = 4096, MULTIPLY_ADDS_MIN = 4 };

struct matrix_loop {
	size_t start, end; /* `end`: of its branch back */
	enum { NOT_LOOKED_AT, NO_PRODUCT, PRODUCT } is;
};

/* What a vector register holds. */
enum content { UNKNOWN, LOADED, MULTIPLIED };

struct turn {
	enum content contents[VECTORS_MAX];
	unsigned sums[VECTORS_MAX]; /* multiply-adds onto each */
	uint64_t others;	    /* registers that something else writes */
	unsigned loads;
};

static enum content content(const struct turn *turn, int source)
{
	return source >= 0 ? turn->contents[source] : source == VECTOR_MEMORY ? LOADED : UNKNOWN;
}

static void follow(struct turn *turn, const struct instruction *item)
{
	int first = item->sources[0], second = item->sources[1], is_sum = 0;
	enum content left = content(turn, first), right = content(turn, second), result = UNKNOWN;
	int is_product = first != second && left == LOADED && right == LOADED;

	if (item->vector == VECTOR_MOVE)
		result = left == LOADED ? LOADED : UNKNOWN; /* a product counts once */
	else if (item->vector == VECTOR_MULTIPLY)
		result = is_product || left == MULTIPLIED || right == MULTIPLIED ? MULTIPLIED
										 : UNKNOWN;
	else if (item->vector == VECTOR_MULTIPLY_ADD)
		is_sum = is_product;
	else if (item->vector == VECTOR_ADD)
		is_sum = (right == MULTIPLIED && item->vectors == UINT64_C(1) << first) ||
			 (left == MULTIPLIED && item->vectors == UINT64_C(1) << second);
	for (int i = 0; i < VECTORS_MAX; i++) {
		if (!(item->vectors >> i & 1))
			continue;
		turn->contents[i] = result;
		turn->sums[i] += (unsigned)is_sum;
		turn->loads += first == VECTOR_MEMORY || second == VECTOR_MEMORY;
	}
	if (!is_sum)
		turn->others |= item->vectors;
}

/* 1: the loop multiplies. What the first turn leaves in the registers is there in the second. */
static int multiplies(const struct matrix_loop *loop, enum instruction_set set,
		      const unsigned char *code, size_t size)
{
	struct turn turn = {0};
	struct instruction item;
	unsigned sums = 0;

	for (int number = 0; number < 2; number++) {
		memset(turn.sums, 0, sizeof turn.sums);
		turn.loads = 0;
		turn.others = 0;
		for (size_t here = loop->start; here < loop->end; here += item.length) {
			if (instruction_decode(set, code + here, size - here, &item))
				return 0;
			follow(&turn, &item);
		}
	}
	for (int i = 0; i < VECTORS_MAX; i++)
		sums += turn.others >> i & 1 ? 0 : turn.sums[i];
	return sums >= MULTIPLY_ADDS_MIN && 2 * turn.loads <= 3 * sums;
}

/* Adds the loops that end before `most`. -1 when memory is out. */
static int read_loops(struct matrix_loops *loops, enum instruction_set set,
		      const unsigned char *code, size_t size, size_t most)
{
	struct instruction item;

	for (; loops->end < most; loops->end += item.length) {
		int64_t start;
		struct matrix_loop *row;

		if (instruction_decode(set, code + loops->end, size - loops->end, &item))
			break;
		start = (int64_t)loops->end + item.target;
		if (item.kind != INSTRUCTION_BRANCH || item.target >= 0 || start < 0 ||
		    -item.target > LOOP_BYTES_MAX)
			continue;
		row = array_add(&loops->rows, &loops->count, sizeof *row);
		if (!row)
			return -1;
		*row = (struct matrix_loop){(size_t)start, loops->end + item.length, 0};
	}
	return 0;
}

/* The innermost loop around code[at]; NULL: there is none. */
static struct matrix_loop *find_loop(const struct matrix_loops *loops, size_t at)
{
	struct matrix_loop *found = NULL;

	for (size_t i = 0; i < loops->count; i++) {
		struct matrix_loop *loop = &loops->rows[i];

		if (loop->start <= at && loop->end > at &&
		    (!found || loop->end - loop->start <= found->end - found->start))
			found = loop;
	}
	return found;
}

int matrix_loop_covers(struct matrix_loops *loops, enum instruction_set set,
		       const unsigned char *code, size_t size, size_t at, size_t *start)
{
	size_t from = at;
	const struct matrix_loop *around;

	do {
		if (from < loops->start || from > loops->end) {
			loops->start = loops->end = from;
			loops->count = 0;
		}
		if (at >= size ||
		    read_loops(loops, set, code, size,
			       size - at < LOOP_BYTES_MAX ? size : at + LOOP_BYTES_MAX))
			return 0;
		around = find_loop(loops, at);
		from = around ? around->start : at;
	} while (from < loops->start);
	for (size_t i = 0; i < loops->count && around; i++) {
		struct matrix_loop *loop = &loops->rows[i];

		if (loop->start < around->start || loop->end > around->end)
			continue;
		if (loop->is == NOT_LOOKED_AT)
			loop->is = multiplies(loop, set, code, size) ? PRODUCT : NO_PRODUCT;
		if (loop->is == PRODUCT) {
			*start = loop->start;
			return 1;
		}
	}
	return 0;
}

void matrix_loops_free(struct matrix_loops *loops)
{
	free(loops->rows);
}
