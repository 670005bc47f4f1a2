/* wait_loops.c: finds the innermost loop around an instruction, and whether it only waits. */
/* SPDX-License-Identifier: MIT */
#include "symbols/loops.h"

#include <stdlib.h>

#include "base/array.h"

enum { INSTRUCTIONS_MAX = 320, LOOPS_MAX = 16 };

struct loop {
	size_t start, end; /* end of its branch back */
	struct instruction items[INSTRUCTIONS_MAX];
	size_t offsets[INSTRUCTIONS_MAX];
	size_t count;
};

struct span {
	size_t start, end;
};

/* Finds the loops around bytes[at], each from the target of a backward branch to that branch.
 * Returns their number. */
static size_t find_loops(const struct machine_code *code, size_t at, size_t longest,
			 struct span spans[LOOPS_MAX])
{
	size_t most = at + longest < code->size ? at + longest : code->size, count = 0;
	struct instruction item;

	for (size_t here = at; here < most && !instruction_decode(code, here, &item);
	     here += item.length) {
		int64_t start = (int64_t)here + item.target;
		size_t end = here + item.length;

		if (item.kind == INSTRUCTION_BRANCH && start >= 0 && start <= (int64_t)at &&
		    end - (size_t)start <= longest && count < LOOPS_MAX)
			spans[count++] = (struct span){(size_t)start, end};
	}
	return count;
}

COMPARE(compare_spans, struct span, ORDER(a->end - a->start, b->end - b->start))

/* Decodes the loop from its start. Returns -1 if bytes[at] is then not the start of an instruction.
 */
static int read_loop(const struct machine_code *code, size_t at, struct loop *loop)
{
	size_t here = loop->start;
	int met = 0;

	for (loop->count = 0; here < loop->end; here += loop->items[loop->count++].length) {
		struct instruction *item = &loop->items[loop->count];

		if (loop->count == INSTRUCTIONS_MAX || instruction_decode(code, here, item))
			return -1;
		if (code->yields && item->kind == INSTRUCTION_CALL &&
		    code->yields[here + item->length - 1])
			item->kind = INSTRUCTION_PAUSE;
		loop->offsets[loop->count] = here;
		met |= here == at;
	}
	return met && here == loop->end ? 0 : -1;
}

/* Returns the offset to which instruction i branches; anything if it does not branch. */
static int64_t target_of(const struct loop *loop, size_t i)
{
	return (int64_t)(loop->offsets[i] + (uint64_t)loop->items[i].target);
}

/* Returns 1 if the instruction is in an inner loop that does not contain bytes[at]. */
static int is_inner(const struct loop *loop, size_t number, size_t at)
{
	for (size_t i = number; i < loop->count; i++) {
		int64_t start = target_of(loop, i);

		if (loop->items[i].kind == INSTRUCTION_BRANCH && start > (int64_t)loop->start &&
		    start <= (int64_t)loop->offsets[number] &&
		    (start > (int64_t)at || loop->offsets[i] < at))
			return 1;
	}
	return 0;
}

/* Returns 1 if execution can get from bytes[from] to bytes[to] without leaving the loop. */
static int reaches(const struct loop *loop, size_t from, size_t to)
{
	char reached[INSTRUCTIONS_MAX] = {0};
	size_t before = 0, count = 1;

	for (size_t i = 0; i < loop->count; i++)
		reached[i] = loop->offsets[i] == from;
	while (count != before) {
		before = count;
		for (size_t i = 0; i < loop->count; i++) {
			const struct instruction *item = &loop->items[i];
			int64_t target = target_of(loop, i);
			int continues = !item->is_certain && item->kind != INSTRUCTION_END;

			if (!reached[i])
				continue;
			if (loop->offsets[i] == to)
				return 1;
			for (size_t j = 0; j < loop->count; j++)
				if ((continues && j == i + 1) ||
				    (item->kind == INSTRUCTION_BRANCH &&
				     (int64_t)loop->offsets[j] == target)) {
					count += !reached[j];
					reached[j] = 1;
				}
		}
	}
	return 0;
}

/* Returns 1 if the pause at this index takes a part of the loop's time, or if there are too few
 * samples to tell. It does not in a lock that nearly always is free, or a compare-and-swap that
 * succeeds at once. Its part is small where many threads want the lock's cache line: 64 of them
 * each get it once in some 10,000 cycles, and the pause takes 10 to 140. A sample of it is at the
 * instruction after it. A call has given up the CPU in some sample, which is not here. */
static int takes_time(const struct loop *loop, size_t index, const uint64_t *samples)
{
	enum { PART = 128 };
	size_t offset = loop->offsets[index], next = offset + loop->items[index].length;
	uint64_t all = 0;

	if (!loop->items[index].is_known)
		return 1;
	for (size_t i = 0; i < loop->count; i++)
		all += samples[loop->offsets[i]];
	return (samples[offset] + (next < loop->end ? samples[next] : 0) + 1) * PART > all;
}

/* Returns 1 if the loop waits by a pause, 0 if it could but does not, and -1 if it has none. */
static int pauses(const struct loop *loop, size_t at, const uint64_t *samples)
{
	int result = -1;

	for (size_t i = 0; i < loop->count && result < 1; i++)
		if (loop->items[i].kind == INSTRUCTION_PAUSE && !is_inner(loop, i, at) &&
		    reaches(loop, at, loop->offsets[i]) && reaches(loop, loop->offsets[i], at))
			result = !samples || takes_time(loop, i, samples);
	return result;
}

/* Returns the registers that carry a value from one iteration into the next: those that are written
 * in the loop, and read before that. */
static uint64_t carried_registers(const struct loop *loop)
{
	uint64_t full = 0, written = 0, carried = 0, met = 0;

	EACH_ROW(item, loop->items, loop->count) {
		written |= item->writes;
		/* a partial write also reads the register, if it is ever written in full */
		full |= item->writes & ~item->partly;
	}
	EACH_ROW(item, loop->items, loop->count) {
		carried |= (item->reads | (item->partly & full)) & written & ~met;
		met |= item->writes;
	}
	return carried;
}

/* Returns 1 if the loop has a single branch, which a count of iterations decides, so that it ends
 * whatever others write, such as a loop for a delay. */
static int is_counted(const struct loop *loop, uint64_t counters)
{
	uint64_t compared = 0, decides = 0; /* by the flags, and by the last branch */
	int branches = 0;

	EACH_ROW(item, loop->items, loop->count) {
		if (item->writes & REGISTER_FLAGS)
			compared = item->reads & ~item->address;
		if (item->kind != INSTRUCTION_BRANCH)
			continue;
		decides = item->reads & REGISTER_FLAGS ? compared : item->reads;
		branches++;
	}
	return branches == 1 && decides & counters;
}

/* Returns 1 if the registers only count iterations: they, and registers that differ from them by a
 * constant, are only stepped and compared, and are not used in addresses; and others, too, can end
 * the loop. */
static int only_count(const struct loop *loop, uint64_t counters)
{
	uint64_t before;

	do {
		before = counters;
		EACH_ROW(item, loop->items, loop->count) {
			if (!((item->reads | item->writes) & counters))
				continue;
			if ((item->address & counters) || (!item->is_check && !item->is_step))
				return 0;
			counters |= item->writes & ~REGISTER_FLAGS;
		}
	} while (counters != before);
	return !(counters & REGISTER_FLAGS) && !is_counted(loop, counters);
}

/* Returns 1 if swaps write the same value in each iteration. */
static int swaps_are_fixed(const struct loop *loop)
{
	uint64_t loaded = 0; /* registers that depend on memory */

	for (int turn = 0; turn < 2; turn++)
		EACH_ROW(item, loop->items, loop->count) {
			if (item->is_swap && item->reads & ~item->address & loaded)
				return 0;
			if (item->is_load || item->reads & loaded)
				loaded |= item->writes;
			else
				loaded &= ~item->writes;
		}
	return 1;
}

/* Returns 1 if no value that the loop spills is read in the next iteration: each load of such a
 * slot comes after a write. */
static int spills_are_fresh(const struct loop *loop)
{
	for (size_t i = 0; i < loop->count; i++)
		for (size_t j = 0; loop->items[i].is_spill && j < loop->count; j++) {
			const struct instruction *spill = &loop->items[i], *item = &loop->items[j];
			int is_same =
				item->slot == spill->slot && item->slot_bytes <= spill->slot_bytes;

			if (item->has_slot && item->slot < spill->slot + spill->slot_bytes &&
			    spill->slot < item->slot + item->slot_bytes &&
			    (!is_same || (item->is_load && j < i)))
				return 0;
		}
	return 1;
}

static int turns_are_alike(const struct loop *loop)
{
	int loads = 0;

	for (size_t i = 0; i < loop->count; i++) {
		const struct instruction *item = &loop->items[i];
		int64_t target = target_of(loop, i);

		if (!item->is_known)
			return 0;
		/* instructions that are skipped in one iteration may run in the next */
		if (item->kind == INSTRUCTION_BRANCH &&
		    ((target > (int64_t)loop->start && target < (int64_t)loop->end) ||
		     (item->is_certain && i + 1 < loop->count)))
			return 0;
		loads |= item->is_load;
	}
	return loads && spills_are_fresh(loop) && only_count(loop, carried_registers(loop)) &&
	       swaps_are_fixed(loop);
}

int wait_loop_covers(const struct machine_code *code, size_t at, size_t longest)
{
	struct span spans[LOOPS_MAX];
	struct loop loop;
	size_t count;

	if (longest > WAIT_LOOP_BYTES_MAX)
		longest = WAIT_LOOP_BYTES_MAX;
	count = find_loops(code, at, longest, spans);
	qsort(spans, count, sizeof *spans, compare_spans);
	EACH_ROW(span, spans, count) {
		int result, locks = 0;

		loop.start = span->start;
		loop.end = span->end;
		if (read_loop(code, at, &loop))
			continue;
		result = pauses(&loop, at, code->samples);
		EACH_ROW(item, loop.items, loop.count)
			locks |= item->is_swap;
		if (result < 0)
			result = turns_are_alike(&loop);
		if (result)
			return locks && swaps_are_fixed(&loop) ? WAITS_FOR_LOCK : result;
		/* a larger loop with the same start is the same loop, with other branches back */
		if (span + 1 == spans + count || span[1].start != span->start)
			return 0;
	}
	return 0;
}

int clock_function_covers(const struct machine_code *code, size_t at)
{
	enum { BYTES = 16, INSTRUCTIONS = 5 };

	for (size_t start = at > BYTES ? at - BYTES : 0; start <= at; start++) {
		struct instruction item = {0};
		size_t here = start;
		int met = 0;

		for (int i = 0; i < INSTRUCTIONS && here < code->size; i++, here += item.length) {
			if (instruction_decode(code, here, &item) ||
			    (!i && item.kind != INSTRUCTION_CLOCK))
				break;
			met |= here == at;
			if (item.kind == INSTRUCTION_END && met)
				return 1;
		}
	}
	return 0;
}
