/* suite.c: all cells that are asked for, category by category, in rounds. */
/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells/progress.h"
#include "cells/rounds.h"
#include "cells/suite.h"

enum { COLD_BYTES_MAX = 1 << 20 };

/* How many rounds, by what the operands take: filling them takes time, too. A cold run, which has
 * to clear the caches first, is one sample. */
enum {
	SMALL_BYTES_MAX = 1 << 20,
	MEDIUM_BYTES_MAX = 16 << 20,
	SMALL_ROUNDS = ROUNDS_MAX,
	MEDIUM_ROUNDS = ROUNDS_FOR_INTERVAL,
	LARGE_ROUNDS = 2,
	COLD_ROUNDS = 8,
	PORT_ROUNDS = ROUNDS_FOR_INTERVAL, /* each starts a program */
};

struct task {
	const struct kernel *kernel;
	struct size size;
	struct limits limits;
	int wanted;	/* rounds */
	double round_s; /* how long one takes, about */
	struct rounds rounds;
};

/* The tasks of one category, and the way through all of them. */
struct way {
	struct suite *suite;
	struct task *tasks;
	size_t count;
	struct progress progress;
};

/* The next thread count of the list, and the list after it; 0 at its end, -1: no good. */
int next_threads(const char **list)
{
	char *end;
	long threads;

	if (!**list)
		return 0;
	threads = strtol(*list, &end, 10);
	if (end == *list || (*end && *end != ',') || threads < 1 || threads > THREADS_MAX)
		return -1;
	*list = *end ? end + 1 : end;
	return (int)threads;
}

/* What is filled, or used besides, by all threads. */
static double task_bytes(const struct kernel *kernel, struct size size, int threads)
{
	return threads * fmax(operands_bytes(kernel, size), kernel->bytes(size));
}

/* What is filled, computed once or twice at least and, cold, put out of the caches. */
static double expected_round_s(const struct task *task)
{
	const double fill_s_per_byte = 1e-9, s_per_flop = 2e-11, evict_s = 0.02;
	double bytes = task_bytes(task->kernel, task->size, task->limits.threads);
	double flops = task->kernel->flops ? task->kernel->flops(task->size) : 0;

	return task->limits.seconds + bytes * fill_s_per_byte +
	       flops * s_per_flop * task->kernel->element_bytes / 4 +
	       (task->limits.cold ? evict_s : 0);
}

static int rounds_wanted(const struct kernel *kernel, double bytes, int cold)
{
	if (kernel->command)
		return PORT_ROUNDS;
	if (bytes > MEDIUM_BYTES_MAX)
		return LARGE_ROUNDS;
	if (cold)
		return COLD_ROUNDS;
	return bytes > SMALL_BYTES_MAX ? MEDIUM_ROUNDS : SMALL_ROUNDS;
}

static int add_task(struct way *way, const struct kernel *kernel, struct size size, int threads,
		    int cold)
{
	struct task *tasks = realloc(way->tasks, (way->count + 1) * sizeof(*tasks)), *task;

	if (!tasks)
		return -1;
	way->tasks = tasks;
	task = &tasks[way->count++];
	memset(task, 0, sizeof(*task));
	task->kernel = kernel;
	task->size = size;
	task->wanted = rounds_wanted(kernel, task_bytes(kernel, size, threads), cold);
	task->limits = (struct limits){threads, cold, way->suite->seconds / task->wanted,
				       way->suite->stop};
	task->round_s = expected_round_s(task);
	return 0;
}

static int add_size(struct way *way, const struct kernel *kernel, struct size size)
{
	const char *list = way->suite->threads;
	int threads, failed = 0;

	while (!failed && (threads = next_threads(&list)) > 0) {
		/* a port has one thread, whatever the number, and says nothing of caches */
		if (kernel->command && threads > 1)
			continue;
		if (selection_has_cache(&way->suite->selection, "warm"))
			failed = add_task(way, kernel, size, threads, 0);
		/* what is larger is in no cache that is near, and a peak is of registers */
		if (!failed && threads == 1 &&
		    selection_has_cache(&way->suite->selection, "cold") &&
		    kernel->category != peak_kernels->category && !kernel->command &&
		    operands_bytes(kernel, size) <= COLD_BYTES_MAX)
			failed = add_task(way, kernel, size, threads, 1);
	}
	return failed;
}

/* The tasks of a kernel; what keeps it from running here goes to *missing. */
static int add_kernel(struct way *way, const struct kernel *kernel, const char **missing)
{
	const struct selection *selection = &way->suite->selection;
	struct size size;

	*missing = NULL;
	for (int i = 0; selection_size(selection, kernel, i, &size); i++) {
		if (!size.n)
			continue;
		*missing = kernel->missing ? kernel->missing() : NULL;
		if (*missing)
			break;
		if (add_size(way, kernel, size))
			return -1;
	}
	return 0;
}

/* The tasks of a category, in place of those that were there. Where `tell`, says what is missing.
 */
static int list_tasks(struct way *way, const struct kernel *table, int tell)
{
	const struct selection *selection = &way->suite->selection;
	const char *missing;

	free(way->tasks);
	way->tasks = NULL;
	way->count = 0;
	if (!selection_has_category(selection, table->category))
		return 0;
	for (const struct kernel *kernel = table; kernel->name; kernel++) {
		if (!selection_has_kernel(selection, kernel))
			continue;
		if (add_kernel(way, kernel, &missing))
			return -1;
		if (missing && tell)
			fprintf(stderr, "ceilings: %s %s is left out: %s\n", kernel->category,
				kernel->name, missing);
	}
	return 0;
}

static void run_round(struct way *way, struct task *task)
{
	struct cell *cell = &task->rounds.cells[task->rounds.count];

	progress_show(&way->progress, task->kernel->name);
	cell_measure(cell, task->kernel, task->size, &task->limits,
		     task->rounds.count ? &task->rounds.cells[0].check : NULL);
	if (cell->status == CELL_STOPPED)
		return;
	task->rounds.count++;
	way->progress.done_s += task->round_s;
	if (cell->status == CELL_OK)
		return;
	/* what is wrong, or cannot run, is so again */
	way->progress.done_s += task->round_s * (task->wanted - task->rounds.count);
	task->wanted = task->rounds.count;
}

static void print_task(struct way *way, const struct task *task)
{
	struct suite *suite = way->suite;
	struct cell cell;

	if (!task->rounds.count)
		return;
	cell = rounds_sum(&task->rounds);
	progress_erase();
	cell_print(&cell, &task->limits, suite->provenance, stdout);
	suite->done++;
	if (cell.status == CELL_OK)
		return;
	fprintf(stderr, "ceilings: %s %s%s: %s\n", task->kernel->category, task->kernel->name,
		cell.status == CELL_LEFT_OUT ? " is left out" : "", cell.note);
	suite->wrong += cell.status == CELL_WRONG;
}

static void run_tasks(struct way *way)
{
	for (int round = 0; round < ROUNDS_MAX; round++)
		for (size_t i = 0; i < way->count && !*way->suite->stop; i++)
			if (way->tasks[i].rounds.count == round && round < way->tasks[i].wanted)
				run_round(way, &way->tasks[i]);
	for (size_t i = 0; i < way->count; i++)
		print_task(way, &way->tasks[i]);
}

/* Counts the cells, and says what cannot run. */
static int list_all(struct way *way, struct failure *failure)
{
	struct suite *suite = way->suite;

	for (int t = 0; kernel_tables[t]; t++) {
		if (list_tasks(way, kernel_tables[t], 1))
			return failure_set(failure, EXIT_FAILED, "no memory for the list of cells");
		suite->all += (int)way->count;
		for (size_t i = 0; i < way->count; i++)
			way->progress.all_s += way->tasks[i].round_s * way->tasks[i].wanted;
	}
	return suite->all ? 0
			  : failure_set(failure, EXIT_USAGE,
					"no kernel that can run here has a cell of such a size");
}

int suite_run(struct suite *suite, struct failure *failure)
{
	struct way way = {.suite = suite};
	int failed = list_all(&way, failure);

	if (!failed)
		cell_print_header(stdout);
	progress_start(&way.progress);
	for (int t = 0; kernel_tables[t] && !failed && !*suite->stop; t++) {
		if (list_tasks(&way, kernel_tables[t], 0))
			failed = failure_set(failure, EXIT_FAILED,
					     "no memory for the list of cells");
		else
			run_tasks(&way);
	}
	free(way.tasks);
	progress_erase();
	return failed;
}
