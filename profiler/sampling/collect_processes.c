/* collect_processes.c: the processes that made no call, from the sampler's records. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "base/idmap.h"
#include "sampling/sampler_parts.h"

/* A process without the preload library matters from this share of the samples on, or with any in
 * BLAS. */
#define SHARE_MIN 0.05

static int add_process(const struct timeline *timeline, const struct task *task, struct run *run)
{
	const char *host = run_fact(run, "host"), *rank = run_fact(run, "mpi.rank");
	struct run_process *row = run_add_process(run);

	if (!row)
		return -1;
	row->pid = task->pid;
	row->parent = timeline_parent(timeline, task);
	row->rank = rank ? atoi(rank) : -1;
	row->intercepted = timeline_is_intercepted(timeline, task);
	snprintf(row->command, sizeof row->command, "%s", task->name);
	snprintf(row->host, sizeof row->host, "%s", host ? host : "");
	return 0;
}

static uint64_t all_samples(const struct run_thread *thread)
{
	return thread->samples_blas + thread->samples_other + thread->samples_kernel;
}

/* A process may be too short for samples, and yet call BLAS. */
static void note_unsampled(const struct timeline *timeline, struct run *run)
{
	for (size_t i = 0; i < timeline->ntasks; i++) {
		const struct task *task = &timeline->tasks[i];

		if (!timeline_has_missed(timeline, task))
			continue;
		run_add_note(run, "process_not_intercepted", "%s (process %u) uses BLAS",
			     task->name, task->pid);
		break;
	}
}

/* The process that the samples of these rows fall into most speaks for all of them. */
static void note_missed(const struct timeline *timeline, struct run *run)
{
	uint64_t samples = 0, missed = 0, in_blas = 0, most = 0;
	const struct run_process *typical = NULL;

	for (size_t i = 0; i < run->nthreads; i++) {
		const struct run_thread *thread = &run->threads[i];
		uint64_t own = all_samples(thread);

		samples += own;
		if (thread->process < 0 || run->processes[thread->process].intercepted)
			continue;
		missed += own;
		in_blas += thread->samples_blas;
		if (own > most)
			typical = &run->processes[thread->process];
		most = own > most ? own : most;
	}
	if (typical && (in_blas || (double)missed >= SHARE_MIN * (double)samples))
		run_add_note(run, "process_not_intercepted",
			     "%.0f %% of the samples, most in %s (process %lld)",
			     100.0 * (double)missed / (double)samples, typical->command,
			     (long long)typical->pid);
	else
		note_unsampled(timeline, run);
}

/* Rows by process number; of those of one number the last. */
static int map_rows(const struct run *run, struct idmap *rows)
{
	for (size_t i = 0; i < run->nprocesses; i++)
		if (idmap_put(rows, (uint64_t)run->processes[i].pid, (uint32_t)i))
			return -1;
	return 0;
}

static int map_wanted(const struct run *run, struct idmap *wanted)
{
	for (size_t i = 0; i < run->nthreads; i++)
		if (run->threads[i].process < 0 &&
		    idmap_put(wanted, (uint64_t)run->threads[i].pid, 1))
			return -1;
	return 0;
}

static int add_processes(const struct timeline *timeline, struct run *run, struct idmap *rows,
			 struct idmap *wanted)
{
	if (map_rows(run, rows) || map_wanted(run, wanted))
		return -1;
	for (size_t i = 0; i < timeline->ntasks; i++) {
		const struct task *task = &timeline->tasks[i];

		if (idmap_find(rows, task->pid) != IDMAP_NONE ||
		    idmap_find(wanted, task->pid) == IDMAP_NONE)
			continue;
		if (idmap_put(rows, task->pid, (uint32_t)run->nprocesses) ||
		    add_process(timeline, task, run))
			return -1;
	}
	for (size_t i = 0; i < run->nthreads; i++) {
		uint32_t row = idmap_find(rows, (uint64_t)run->threads[i].pid);

		if (run->threads[i].process < 0 && row != IDMAP_NONE)
			run->threads[i].process = (int)row;
	}
	return 0;
}

int collect_processes(const struct timeline *timeline, struct run *run)
{
	struct idmap rows = {0}, wanted = {0};
	int failed = add_processes(timeline, run, &rows, &wanted);

	idmap_free(&rows);
	idmap_free(&wanted);
	if (!failed)
		note_missed(timeline, run);
	return failed;
}
