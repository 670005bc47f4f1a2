/* job_rows.c: moves the rows of a run to another run, and keeps what they say of each other. */
/* SPDX-License-Identifier: MIT */
#include "report/job_rows.h"

#include <math.h>
#include <string.h>

/* Where the rows of the other run begin. */
struct places {
	int64_t processes, frames, stacks;
};

/* The row and what it owns are the other run's from now on. */
static int move_rows(struct run *to, struct run *from, enum run_part part, size_t row_bytes)
{
	for (size_t i = 0; i < table_count(&run_tables[part], from); i++) {
		void *row = table_add(&run_tables[part], to),
		     *old = table_row(&run_tables[part], from, i);

		if (!row)
			return -1;
		memcpy(row, old, row_bytes);
		memset(old, 0, row_bytes);
	}
	return 0;
}

/* A place in rows that were `count`, and now begin at `start`; what is none stays none. */
static int64_t move_place(int64_t place, size_t count, int64_t start)
{
	return place >= 0 && (uint64_t)place < count ? place + start : -1;
}

static void move_places(struct run *run, const struct places *start)
{
	for (size_t i = 0; i < run->nthreads; i++)
		run->threads[i].process =
			(int)move_place(run->threads[i].process, run->nprocesses, start->processes);
	for (size_t i = 0; i < run->nstacks; i++) {
		run->stacks[i].parent =
			move_place(run->stacks[i].parent, run->nstacks, start->stacks);
		run->stacks[i].frame =
			move_place(run->stacks[i].frame, run->nframes, start->frames);
	}
	for (size_t i = 0; i < run->nwaits; i++)
		run->waits[i].stack = move_place(run->waits[i].stack, run->nstacks, start->stacks);
}

static struct run_counter *find_counter(const struct run *run, size_t count,
					const struct run_counter *counter)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(run->counters[i].event, counter->event) &&
		    !strcmp(run->counters[i].unit, counter->unit))
			return &run->counters[i];
	return NULL;
}

/* A part that one rank does not know is not known of all. */
static void add_counter(struct run_counter *to, const struct run_counter *from)
{
	to->count += from->count;
	to->blas += from->blas;
	to->other += from->other;
	to->kernel += from->kernel;
	to->outside += from->outside;
	to->exact_blas += from->exact_blas;
	to->exact_other += from->exact_other;
	to->counted = fmin(to->counted, from->counted);
	to->user_only |= from->user_only;
	if (strcmp(to->split, from->split) != 0)
		to->split[0] = '\0';
}

/* One machine's energy is in the store of each of its ranks. */
static void keep_most(struct run_counter *to, const struct run_counter *from)
{
	if (from->count > to->count)
		*to = *from;
}

static int move_counters(struct run *to, const struct run *from, int same_machine)
{
	size_t before = to->ncounters;

	for (size_t i = 0; i < from->ncounters; i++) {
		const struct run_counter *counter = &from->counters[i];
		struct run_counter *row = find_counter(to, before, counter);

		if (!row) {
			row = table_add(&run_tables[RUN_PART_COUNTERS], to);
			if (!row)
				return -1;
			*row = *counter;
		} else if (*counter->unit && same_machine) {
			keep_most(row, counter);
		} else {
			add_counter(row, counter);
		}
	}
	return 0;
}

int job_move_rows(struct run *to, struct run *from, int same_machine)
{
	const struct places start = {(int64_t)to->nprocesses, (int64_t)to->nframes,
				     (int64_t)to->nstacks};

	move_places(from, &start);
	return move_rows(to, from, RUN_PART_THREADS, sizeof *to->threads) ||
			       move_rows(to, from, RUN_PART_SHAPES, sizeof *to->shapes) ||
			       move_rows(to, from, RUN_PART_CALLERS, sizeof *to->callers) ||
			       move_rows(to, from, RUN_PART_FUNCTIONS, sizeof *to->functions) ||
			       move_rows(to, from, RUN_PART_FRAMES, sizeof *to->frames) ||
			       move_rows(to, from, RUN_PART_STACKS, sizeof *to->stacks) ||
			       move_rows(to, from, RUN_PART_WAITS, sizeof *to->waits) ||
			       move_rows(to, from, RUN_PART_PROCESSES, sizeof *to->processes) ||
			       move_rows(to, from, RUN_PART_REGIONS, sizeof *to->regions) ||
			       move_rows(to, from, RUN_PART_THREAD_COUNTERS,
					 sizeof *to->thread_counters) ||
			       move_rows(to, from, RUN_PART_SHAPE_COUNTERS,
					 sizeof *to->shape_counters) ||
			       move_rows(to, from, RUN_PART_MPI, sizeof *to->mpi) ||
			       move_rows(to, from, RUN_PART_NOTES, sizeof *to->notes) ||
			       move_counters(to, from, same_machine)
		       ? -1
		       : 0;
}
