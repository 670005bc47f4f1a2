/* job.c: merges the runs of an MPI job's ranks into one run. */
/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/human.h"
#include "base/machine_files.h"
#include "base/memory.h"

#define LONGEST_NS (INT64_MAX / 4)
#define RANKS_MAX  (1 << 20) /* a larger size is damage */

/* A store may hold any number; sums of bounded ones do not overflow. */
static int64_t bounded_ns(int64_t ns)
{
	return MIN(MAX(ns, -LONGEST_NS), LONGEST_NS);
}

/* Which job a run belongs to. */
struct rank {
	const struct run *run;
	const char *number; /* NULL if the run is no rank */
	const char *size;
	const char *job;	  /* "" if the launcher names no job */
	int64_t start_ns, end_ns; /* its region of interest, since 1970 */
	size_t turn,
		turns; /* its number among the runs of this rank in the job, and their number */
	int taken;
};

/* 1 if both may be ranks of one job. */
static int alike(const struct rank *a, const struct rank *b)
{
	const struct run *x = a->run, *y = b->run;

	return a->number && b->number && !strcmp(a->job, b->job) && !strcmp(a->size, b->size) &&
	       !strcmp(x->command ? x->command : "", y->command ? y->command : "") &&
	       !strcmp(x->what_if, y->what_if) && !strcmp(x->roi, y->roi);
}

static int overlap(const struct rank *a, const struct rank *b)
{
	return a->start_ns < b->end_ns && b->start_ns < a->end_ns;
}

/* 1 if they are different ranks of one job. Runs of a job that the launcher names are those of the
 * same number, as clocks of machines differ. If it names no job, or a rank lacks a run, ranks
 * belong together if they compute at the same time and no other run of either rank does. */
static int belong_together(const struct rank *ranks, size_t count, const struct rank *a,
			   const struct rank *b)
{
	if (!alike(a, b) || !strcmp(a->number, b->number))
		return 0;
	if (*a->job && a->turns == b->turns)
		return a->turn == b->turn;
	if (!overlap(a, b))
		return 0;
	EACH_ROW(other, ranks, count)
		if ((other != a && alike(other, a) && !strcmp(other->number, a->number) &&
		     overlap(other, b)) ||
		    (other != b && alike(other, b) && !strcmp(other->number, b->number) &&
		     overlap(other, a)))
			return 0;
	return 1;
}

/* Shifts a time that counts from the start of a run's region of interest. */
static void shift_one(int64_t *ns, int64_t by_ns)
{
	*ns = bounded_ns(*ns) + by_ns;
}

/* Makes the times of both runs count from the earlier start. */
static void align(struct run *to, struct run *from)
{
	int64_t later_ns = bounded_ns(from->roi_started_ns) - bounded_ns(to->roi_started_ns);
	int overlap = later_ns < to->roi_ns && -later_ns < from->roi_ns;
	struct run *later = later_ns > 0 ? from : to;

	if (to->roi_ns <= 0 || from->roi_ns <= 0)
		return;
	if (!overlap) {
		run_add_note(to, "ranks_aligned", "rank %s", run_fact(from, "mpi.rank"));
		later_ns = 0;
	}
	EACH_ROW(thread, later->threads, later->nthreads) {
		shift_one(&thread->start_ns, imaxabs(later_ns));
		shift_one(&thread->end_ns, imaxabs(later_ns));
	}
	EACH_ROW(process, later->processes, later->nprocesses) {
		if (!process->calls)
			continue;
		shift_one(&process->start_ns, imaxabs(later_ns));
		shift_one(&process->end_ns, imaxabs(later_ns));
	}
	shift_one(&later->roi_ns, imaxabs(later_ns));
	if (later_ns < 0)
		to->roi_started_ns = from->roi_started_ns;
}

/* Moves the rows of one part, with what they own, behind those of the other run, and adjusts their
 * indices into other parts. */
static void move_rows(struct run *to, struct run *from, enum run_part part, const size_t *starts)
{
	const struct table *table = &run_tables[part];

	for (size_t i = 0; i < table_count(table, from); i++) {
		void *row = table_add(table, to), *old = table_row(table, from, i);

		memcpy(row, old, table->row_size);
		memset(old, 0, table->row_size);
		EACH_ROW(field, table->fields, table->nfields) {
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
}

/* Merges the rows of events that both runs have. The energy of a machine is in the store of each of
 * its ranks, so it is not summed. */
static void add_counters(struct run *to, const struct run *from, int same_machine)
{
	const struct table *table = &run_tables[RUN_PART_COUNTERS];
	struct table_order keys = table_order_by(table, "event unit");
	size_t before = to->ncounters;

	EACH_ROW(counter, from->counters, from->ncounters) {
		struct run_counter *row = to->counters;

		while (row < to->counters + before && table_compare(&keys, row, counter))
			row++;
		if (row == to->counters + before) {
			row = table_add(table, to);
			*row = *counter;
		} else if (!*counter->unit || !same_machine) {
			table_merge(table, row, counter);
		} else if (counter->count > row->count) {
			*row = *counter;
		}
	}
}

static int lists_overlap(const char *left, const char *right)
{
	struct cpu_list a = {0}, b = {0};
	int found = 0;

	cpu_list_parse(&a, left);
	cpu_list_parse(&b, right);
	EACH_CPU(cpu, &a)
	found |= cpu_list_has(&b, cpu);
	return found;
}

/* Corrects sums over ranks on one machine, so that no CPU counts twice. `before` has the sums
 * without the rank `from`. */
static void share_machine(struct run *to, const struct run *before, const struct run *from,
			  int same_machine)
{
	int online = atoi(run_fact_text(from, "cpus_online")), hosts = 0;
	const char *known = run_fact_text(to, "cpu_list"), *added = run_fact_text(from, "cpu_list");
	int is_first = !strcmp(run_fact_text(to, "host"), run_fact_text(from, "host"));
	char text[32] = "";

	for (size_t i = 0; i < to->nprocesses; i++) {
		size_t first = 0;

		while (strcmp(to->processes[first].host, to->processes[i].host) != 0)
			first++;
		hosts += i == first;
	}
	/* the sum is too high if the launcher does not bind each rank to CPUs of its own */
	if (online > 0)
		to->cpus_available = fmin(to->cpus_available, online * hosts);
	if (same_machine)
		to->quota_ns = fmax(before->quota_ns, from->quota_ns);
	if (!same_machine || strcmp(known, added) != 0)
		run_add_fact(to, "cores", "");
	if (same_machine && is_first && *known && *added && !lists_overlap(known, added)) {
		run_add_fact(to, "cpu_list", string_printf("%s,%s", known, added));
	} else if (same_machine) {
		/* they compete for CPUs, which the recorder of one rank does not see */
		EACH_ROW(thread, to->threads, to->nthreads)
			thread->switch_own_ns = -1;
		to->others_ns = NAN;
		if (is_first && *known && !strcmp(known, added)) {
			/* each measures the same, with the other among the other programs */
			to->cpus_allowed = before->cpus_allowed;
			to->steal_ns = before->steal_ns;
			to->others_ns = before->others_ns - (double)from->cpu_ns;
		}
	}
	if (to->others_ns >= 0.05 * (double)to->elapsed_ns)
		SAY(text, "%.2f CPUs", to->others_ns / (double)to->elapsed_ns);
	run_add_fact(to, "other_programs", text);
}

static void add_rank(struct run *to, struct run *from)
{
	int exit_status = to->exit_status ? to->exit_status : from->exit_status;
	int exit_signal = to->exit_status ? to->exit_signal : from->exit_signal;
	const char *host = run_fact_text(from, "host");
	int same_machine = 0;
	struct run before = *to;
	size_t starts[RUN_PART_COUNT];

	EACH_ROW(process, to->processes, to->nprocesses)
		same_machine |= !strcmp(process->host, host);
	align(to, from);
	for (int part = 0; part < RUN_PART_COUNT; part++)
		starts[part] = table_count(&run_tables[part], to);
	add_counters(to, from, same_machine);
	/* the sequence of one caller tells nothing about several */
	array_free(&to->pairs, &to->npairs);
	for (int part = 0; part < RUN_PART_COUNT; part++)
		if (part != RUN_PART_COUNTERS && part != RUN_PART_FACTS && part != RUN_PART_SPANS)
			move_rows(to, from, (enum run_part)part, starts);
	table_merge(&run_table, to, from);
	if (!before.threads_awake || !from->threads_awake)
		to->threads_awake = 0;
	to->exit_status = exit_status;
	to->exit_signal = exit_signal;
	share_machine(to, &before, from, same_machine);
}

/* Notes which ranks are missing: "2 of 4, without rank 0, 3". found[] has a flag for each rank. */
static void note_missing(struct run *run, const char *found, long size)
{
	char list[400] = "";
	long count = 0;

	for (long i = 0; i < size; i++) {
		count += found[i];
		if (!found[i] && strlen(list) < sizeof list - 24)
			SAY(list, "%s%ld", *list ? ", " : "", i);
		else if (!found[i] && !strchr(list, '.'))
			SAY(list, ", ...");
	}
	if (count < size)
		run_add_note(run, "ranks_missing", "%ld of %ld, without rank %s", count, size,
			     list);
}

/* Merges into runs[at] the later runs that are other ranks of its job, and notes which are missing.
 */
static void gather(struct run *runs, struct rank *ranks, size_t at, size_t count)
{
	long size = atol(ranks[at].size), number = atol(ranks[at].number);
	FREED char *found = NULL;

	size = size < 0 || size > RANKS_MAX ? 0 : size;
	found = memory_rows((size_t)size, 1);
	for (size_t i = at; i < count; i++) {
		if (i != at &&
		    (ranks[i].taken || !belong_together(ranks, count, &ranks[at], &ranks[i])))
			continue;
		number = atol(ranks[i].number);
		if (number >= 0 && number < size)
			found[number] = 1;
		if (i == at)
			continue;
		add_rank(&runs[at], &runs[i]);
		ranks[i].taken = 1;
	}
	note_missing(&runs[at], found, size);
}

void job_merge(struct run *runs, size_t *count)
{
	FREED struct rank *ranks = memory_rows(*count, sizeof *ranks);
	size_t left = 0;

	for (size_t i = 0; i < *count; i++) {
		int64_t start_ns = bounded_ns(runs[i].roi_started_ns);

		ranks[i] = (struct rank){.run = &runs[i],
					 .number = run_fact(&runs[i], "mpi.rank"),
					 .size = run_fact_text(&runs[i], "mpi.size"),
					 .job = run_fact_text(&runs[i], "mpi.job"),
					 .start_ns = start_ns,
					 .end_ns = start_ns + bounded_ns(runs[i].roi_ns)};
	}
	EACH_ROW(rank, ranks, *count)
		EACH_ROW(other, ranks, rank->number ? *count : 0) {
			if (other == rank)
				rank->turn = rank->turns;
			if (alike(rank, other) && !strcmp(rank->number, other->number))
				rank->turns++;
		}
	EACH_ROW(rank, ranks, *count)
		if (!rank->taken && rank->number)
			gather(runs, ranks, (size_t)(rank - ranks), *count);
	for (size_t i = 0; i < *count; i++) {
		if (ranks[i].taken) {
			run_free(&runs[i]);
		} else {
			struct run run = runs[i];

			memset(&runs[i], 0, sizeof run);
			runs[left++] = run;
		}
	}
	*count = left;
}
