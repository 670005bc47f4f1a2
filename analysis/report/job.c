/* job.c: puts the runs of an MPI job's ranks together as one run. */
/* SPDX-License-Identifier: MIT */
#include "report/job.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_NS (INT64_MAX / 4)

static const char *fact_or_empty(const struct run *run, const char *name)
{
	const char *value = run_fact(run, name);

	return value ? value : "";
}

static int same_fact(const struct run *a, const struct run *b, const char *name)
{
	return !strcmp(fact_or_empty(a, name), fact_or_empty(b, name));
}

static int same_command(const struct run *a, const struct run *b)
{
	return !strcmp(a->command ? a->command : "", b->command ? b->command : "") &&
	       !strcmp(a->what_if, b->what_if) && !strcmp(a->roi, b->roi);
}

/* Runs that a rank made one after another inside one job count from 0. */
static size_t turn_of(const struct run *runs, size_t at)
{
	size_t turn = 0;

	for (size_t i = 0; i < at; i++)
		turn += same_fact(&runs[i], &runs[at], "mpi.job") &&
			same_fact(&runs[i], &runs[at], "mpi.rank") &&
			same_command(&runs[i], &runs[at]);
	return turn;
}

static int is_rank(const struct run *run)
{
	return run_fact(run, "mpi.rank") != NULL;
}

/* 1 when they are different ranks of one job. */
static int belong_together(const struct run *a, const struct run *b)
{
	return is_rank(a) && is_rank(b) && same_fact(a, b, "mpi.job") &&
	       same_fact(a, b, "mpi.size") && !same_fact(a, b, "mpi.rank") && same_command(a, b);
}

/* Stores hold any numbers: no sum of these overflows. */
static int64_t bounded_ns(int64_t ns)
{
	return ns < -LONGEST_NS ? -LONGEST_NS : ns > LONGEST_NS ? LONGEST_NS : ns;
}

static void shift_one(int64_t *ns, int64_t by_ns)
{
	*ns = bounded_ns(*ns) + by_ns;
}

/* Times in a run count from its region's start. */
static void shift(struct run *run, int64_t by_ns)
{
	for (size_t i = 0; i < run->nthreads; i++) {
		shift_one(&run->threads[i].start_ns, by_ns);
		shift_one(&run->threads[i].end_ns, by_ns);
	}
	for (size_t i = 0; i < run->nprocesses; i++) {
		if (!run->processes[i].calls)
			continue;
		shift_one(&run->processes[i].start_ns, by_ns);
		shift_one(&run->processes[i].end_ns, by_ns);
	}
}

/* Brings both to one start: that of the earlier. */
static void align(struct run *to, struct run *from)
{
	int64_t later_ns = bounded_ns(from->roi_started_ns) - bounded_ns(to->roi_started_ns);
	int overlap = later_ns < to->roi_ns && -later_ns < from->roi_ns;

	if (to->roi_ns <= 0 || from->roi_ns <= 0)
		return;
	if (!overlap) {
		run_add_note(to, "ranks_aligned", "rank %s", run_fact(from, "mpi.rank"));
		later_ns = 0;
	}
	shift(later_ns > 0 ? from : to, later_ns > 0 ? later_ns : -later_ns);
	shift_one(later_ns > 0 ? &from->roi_ns : &to->roi_ns, later_ns > 0 ? later_ns : -later_ns);
	if (later_ns < 0)
		to->roi_started_ns = from->roi_started_ns;
}

/* How many machines the processes ran on. */
static int count_hosts(const struct run *run)
{
	int hosts = 0;

	for (size_t i = 0; i < run->nprocesses; i++) {
		size_t j = 0;

		while (strcmp(run->processes[j].host, run->processes[i].host) != 0)
			j++;
		hosts += i == j;
	}
	return hosts;
}

/* 1 where a process of the run ran on the other's machine. */
static int has_machine(const struct run *run, const struct run *other)
{
	for (size_t i = 0; i < run->nprocesses; i++)
		if (!strcmp(run->processes[i].host, fact_or_empty(other, "host")))
			return 1;
	return 0;
}

/* Moves the rows of one part behind those of the other run, with what they own; indices into rows
 * that moved stay right. */
static int move_rows(struct run *to, struct run *from, enum run_part part, const size_t *starts)
{
	const struct table *table = &run_tables[part];

	for (size_t i = 0; i < table_count(table, from); i++) {
		void *row = table_add(table, to), *old = table_row(table, from, i);

		if (!row)
			return -1;
		memcpy(row, old, table->row_size);
		memset(old, 0, table->row_size);
		for (size_t j = 0; j < table->nfields; j++) {
			const struct field *field = &table->fields[j];
			enum run_part into = (enum run_part)(field->index_of - 1);
			void *at = (char *)row + field->offset;
			int64_t index;

			if (!field->index_of)
				continue;
			index = field->type == FIELD_INT ? *(int *)at : *(int64_t *)at;
			index = index >= 0 && (uint64_t)index < table_count(&run_tables[into], from)
					? index + (int64_t)starts[into]
					: -1;
			if (field->type == FIELD_INT)
				*(int *)at = (int)index;
			else
				*(int64_t *)at = index;
		}
	}
	return 0;
}

/* Events that both have become one row, in the order asked for. One machine's energy is in the
 * store of each of its ranks. */
static int add_counters(struct run *to, const struct run *from, int same_machine)
{
	const struct table *table = &run_tables[RUN_PART_COUNTERS];
	struct table_order keys = table_order_by(table, "event unit");
	size_t before = to->ncounters;

	for (size_t i = 0; i < from->ncounters; i++) {
		const struct run_counter *counter = &from->counters[i];
		struct run_counter *row = to->counters;

		while (row < to->counters + before && table_compare(&keys, row, counter))
			row++;
		if (row == to->counters + before) {
			row = table_add(table, to);
			if (!row)
				return -1;
			*row = *counter;
		} else if (!*counter->unit || !same_machine) {
			table_merge(table, row, counter);
		} else if (counter->count > row->count) {
			*row = *counter;
		}
	}
	return 0;
}

static int add_rank(struct run *to, struct run *from)
{
	int exit_status = to->exit_status ? to->exit_status : from->exit_status;
	int exit_signal = to->exit_status ? to->exit_signal : from->exit_signal;
	int online = atoi(fact_or_empty(from, "cpus_online")), most;
	size_t starts[RUN_PART_COUNT];

	align(to, from);
	for (int part = 0; part < RUN_PART_COUNT; part++)
		starts[part] = table_count(&run_tables[part], to);
	if (add_counters(to, from, has_machine(to, from)))
		return -1;
	for (int part = 0; part < RUN_PART_COUNT; part++)
		if (part != RUN_PART_COUNTERS && part != RUN_PART_FACTS && part != RUN_PART_SPANS &&
		    move_rows(to, from, (enum run_part)part, starts))
			return -1;
	table_merge(&run_table, to, from);
	to->exit_status = exit_status;
	to->exit_signal = exit_signal;
	/* A launcher binds each rank to CPUs of its own, or none of them: a machine has no more
	 * than it has. */
	most = online * count_hosts(to);
	if (online > 0 && to->cpus_available > most)
		to->cpus_available = most;
	return 0;
}

/* Gathers into runs[at] the later runs that are other ranks of it, and notes how many are missing.
 */
static int gather(struct run *runs, size_t at, size_t count, const size_t *turns, int *taken)
{
	long size = atol(fact_or_empty(&runs[at], "mpi.size")), found = 1;

	for (size_t i = at + 1; i < count; i++) {
		if (taken[i] || turns[i] != turns[at] || !belong_together(&runs[at], &runs[i]))
			continue;
		if (add_rank(&runs[at], &runs[i]))
			return -1;
		taken[i] = 1;
		found++;
	}
	if (found < size)
		run_add_note(&runs[at], "ranks_missing", "%ld of %ld", found, size);
	if (found > 1) { /* the sequence of one caller says nothing of several */
		free(runs[at].pairs);
		runs[at].pairs = NULL;
		runs[at].npairs = 0;
	}
	return 0;
}

static int merge_all(struct run *runs, size_t count, size_t *turns, int *taken)
{
	for (size_t i = 0; i < count; i++)
		turns[i] = is_rank(&runs[i]) ? turn_of(runs, i) : 0;
	for (size_t i = 0; i < count; i++)
		if (!taken[i] && is_rank(&runs[i]) && gather(runs, i, count, turns, taken))
			return -1;
	return 0;
}

int job_merge(struct run *runs, size_t *count, struct error *err)
{
	size_t *turns = calloc(*count + 1, sizeof *turns), left = 0;
	int *taken = calloc(*count + 1, sizeof *taken);
	int failed = !turns || !taken || merge_all(runs, *count, turns, taken);

	for (size_t i = 0; i < *count && !failed; i++) {
		if (taken[i]) {
			run_free(&runs[i]);
		} else {
			struct run run = runs[i];

			memset(&runs[i], 0, sizeof run);
			runs[left++] = run;
		}
	}
	free(turns);
	free(taken);
	if (failed)
		return error_out_of_memory(err);
	*count = left;
	return 0;
}
