/* matrix_loops.c: recognises matrix products by the data flow in vector registers. */
/* SPDX-License-Identifier: MIT */
#include "symbols/loops.h"

#include <stdlib.h>

#include "base/array.h"

enum { LOOP_BYTES_MAX = 4096, MULTIPLY_ADDS_MIN = 4 };

struct matrix_loop {
	size_t start, end; /* end of its branch back */
	enum { UNCHECKED, NO_PRODUCT, PRODUCT } is;
};

/* The content of a vector register. */
struct content {
	enum { UNKNOWN, LOADED, MULTIPLIED, SUM } is;
	int from;	   /* of a sum: its register at the start of the iteration */
	unsigned products; /* of a sum: number of products added since */
};

/* An iteration of a loop. */
struct turn {
	struct content registers[VECTORS_MAX];
	unsigned loads;
};

static struct content content(const struct turn *turn, int source)
{
	struct content other = {source == VECTOR_MEMORY ? LOADED : UNKNOWN, 0, 0};

	return source >= 0 ? turn->registers[source] : other;
}

static struct content add_product(struct content sum)
{
	sum.is = sum.is == SUM ? SUM : UNKNOWN;
	sum.products++;
	return sum;
}

static void follow(struct turn *turn, const struct instruction *item)
{
	struct content left = content(turn, item->sources[0]),
		       right = content(turn, item->sources[1]), result = {UNKNOWN, 0, 0};
	int is_product =
		item->sources[0] != item->sources[1] && left.is == LOADED && right.is == LOADED;

	if (item->vector == VECTOR_MOVE && left.is != MULTIPLIED) /* a product counts once */
		result = left;
	else if (item->vector == VECTOR_MULTIPLY &&
		 (is_product || left.is == MULTIPLIED || right.is == MULTIPLIED))
		result.is = MULTIPLIED;
	else if (item->vector == VECTOR_MULTIPLY_ADD && is_product)
		result = add_product(content(turn, item->sources[2]));
	else if (item->vector == VECTOR_ADD && right.is == MULTIPLIED)
		result = add_product(left);
	else if (item->vector == VECTOR_ADD && left.is == MULTIPLIED)
		result = add_product(right);
	for (int i = 0; i < VECTORS_MAX; i++)
		if (item->vectors >> i & 1) {
			turn->registers[i] = result;
			turn->loads += item->sources[0] == VECTOR_MEMORY ||
				       item->sources[1] == VECTOR_MEMORY;
		}
}

/* Returns 1 if the loop multiplies matrices. Follows two iterations, as numbers that are loaded in
 * one may be used in the next. */
static int multiplies(const struct matrix_loop *loop, const struct machine_code *code)
{
	struct turn turn = {0};
	struct instruction item;
	unsigned sums = 0;

	for (int number = 0; number < 2; number++) {
		turn.loads = 0;
		for (int i = 0; i < VECTORS_MAX; i++)
			if (turn.registers[i].is != LOADED)
				turn.registers[i] = (struct content){SUM, i, 0};
		for (size_t here = loop->start; here < loop->end; here += item.length) {
			if (instruction_decode(code, here, &item))
				return 0;
			follow(&turn, &item);
		}
	}
	for (int i = 0; i < VECTORS_MAX; i++)
		if (turn.registers[i].is == SUM && turn.registers[i].from == i)
			sums += turn.registers[i].products;
	return sums >= MULTIPLY_ADDS_MIN && 2 * turn.loads <= 3 * sums;
}

/* Adds the loops that end before `most`. Returns -1 if memory is out. */
static int read_loops(struct matrix_loops *loops, const struct machine_code *code, size_t most)
{
	struct instruction item;

	for (; loops->end < most; loops->end += item.length) {
		int64_t start;
		struct matrix_loop loop;

		if (instruction_decode(code, loops->end, &item))
			break;
		if (item.kind != INSTRUCTION_BRANCH || item.target >= 0 ||
		    item.target < -LOOP_BYTES_MAX)
			continue;
		start = (int64_t)loops->end + item.target;
		if (start < 0)
			continue;
		loop = (struct matrix_loop){(size_t)start, loops->end + item.length, 0};
		if (array_append(&loops->rows, &loops->count, sizeof loop, &loop))
			return -1;
	}
	return 0;
}

int matrix_loop_covers(struct matrix_loops *loops, const struct machine_code *code, size_t at,
		       size_t *start)
{
	size_t from = at;
	const struct matrix_loop *around; /* the innermost loop around bytes[at], or NULL */

	do {
		if (from < loops->start || from > loops->end) {
			loops->start = loops->end = from;
			loops->count = 0;
		}
		if (at >= code->size ||
		    read_loops(loops, code,
			       code->size - at < LOOP_BYTES_MAX ? code->size : at + LOOP_BYTES_MAX))
			return 0;
		around = NULL;
		EACH_ROW(loop, loops->rows, loops->count)
			if (loop->start <= at && loop->end > at &&
			    (!around || loop->end - loop->start <= around->end - around->start))
				around = loop;
		from = around ? around->start : at;
	} while (from < loops->start);
	EACH_ROW(loop, loops->rows, around ? loops->count : 0) {
		if (loop->start < around->start || loop->end > around->end)
			continue;
		if (loop->is == UNCHECKED)
			loop->is = multiplies(loop, code) ? PRODUCT : NO_PRODUCT;
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
