/* suite.c: selects the cells, measures them category by category in rounds, and shows the progress.
 */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cells/suite.h"

/* Products of such sizes have a number of bytes that fits 64 bits, and BLAS counts in int. */
enum { LENGTH_MAX = 1000000000 };

enum { BAR = 20, COLUMNS_DEFAULT = 80, LINE_MAX_BYTES = 200 };
#define EXPECTED_S 3.0 /* weight of the expected time, in seconds of measuring */

/* Cold cells with more bytes make no sense: they do not fit the near caches even if warm. */
enum { COLD_BYTES_MAX = 1 << 20 };

/* The number of rounds depends on the size of the operands, because filling them takes time, too. A
 * round of a cold cell, which clears the caches first, has one sample. */
enum {
	SMALL_BYTES_MAX = 1 << 20,
	MEDIUM_BYTES_MAX = 16 << 20,
	SMALL_ROUNDS = ROUNDS_MAX,
	MEDIUM_ROUNDS = ROUNDS_FOR_INTERVAL,
	LARGE_ROUNDS = 2,
	COLD_ROUNDS = 8,
	PORT_ROUNDS = ROUNDS_FOR_INTERVAL, /* each round starts a program */
};

struct task {
	const struct kernel *kernel;
	struct size size;
	struct limits limits;
	int wanted;	/* number of rounds */
	double round_s; /* expected duration of a round */
	struct rounds rounds;
};

/* The tasks of the current category, and the progress through all categories. */
struct run {
	struct suite *suite;
	struct task *tasks;
	size_t count;
	struct progress progress;
};

/* Returns 1 if the comma-separated list has the word. A NULL list has all words. */
static int list_has(const char *list, const char *word)
{
	const size_t length = strlen(word);

	while (list && *list) {
		if (strcspn(list, ",") == length && !strncmp(list, word, length))
			return 1;
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return !list;
}

/* Checks a list of categories or, if `kernels`, of kernels of the chosen categories. */
static int check_list(const struct selection *selection, const char *list, int kernels,
		      struct failure *failure)
{
	while (list && *list) {
		const size_t length = strcspn(list, ",");
		char known[384] = "";
		size_t used = 0;
		int found = 0;

		for (int i = 0; kernel_tables[i]; i++)
			for (const struct kernel *kernel = kernel_tables[i]; kernel->name;
			     kernel++) {
				const char *name = kernels ? kernel->name : kernel->category;

				if (kernels ? !list_has(selection->categories, kernel->category)
					    : kernel != kernel_tables[i])
					continue;
				if (strlen(name) == length && !strncmp(name, list, length))
					found = 1;
				if (used < sizeof(known))
					used += (size_t)snprintf(known + used, sizeof(known) - used,
								 "%s%s", used ? ", " : "", name);
			}
		if (!found)
			return failure_set(failure, EXIT_USAGE,
					   "there is no %s '%.*s'; there are %s%s",
					   kernels ? "kernel" : "category", (int)length, list,
					   known, used >= sizeof(known) ? "..." : "");
		list += length;
		list += *list == ',';
	}
	return 0;
}

int selection_check(const struct selection *selection, struct failure *failure)
{
	const char *rest = selection->caches;

	for (; rest && *rest; rest += strcspn(rest, ","), rest += *rest == ',') {
		const int length = (int)strcspn(rest, ",");

		if (length != 4 || (strncmp(rest, "warm", 4) != 0 && strncmp(rest, "cold", 4) != 0))
			return failure_set(failure, EXIT_USAGE,
					   "--cache: '%.*s' is neither warm nor cold", length,
					   rest);
	}
	if (check_list(selection, selection->categories, 0, failure))
		return -1;
	return check_list(selection, selection->kernels, 1, failure);
}

/* Reads N or MxNxK at *text and moves *text behind it. Returns -1 if it is neither. */
static int read_size(const char **text, struct size *size)
{
	long numbers[3];
	int count = 0;

	do {
		char *end;

		numbers[count] = strtol(*text, &end, 10);
		if (end == *text || numbers[count] < 1 || numbers[count] > LENGTH_MAX)
			return -1;
		*text = end;
	} while (++count < 3 && *(*text)++ == 'x');
	if (count == 2 || (count == 3 && **text && **text != ','))
		return -1;
	if (count == 1)
		--*text;
	*size = count == 1 ? (struct size){.n = numbers[0]}
			   : (struct size){numbers[0], numbers[1], numbers[2], 0};
	return 0;
}

int selection_read_sizes(struct selection *selection, const char *text, struct failure *failure)
{
	const char *rest = text;
	int count = 0;

	memset(selection->sizes, 0, sizeof(selection->sizes));
	do {
		if (count == SIZES_MAX)
			return failure_set(failure, EXIT_USAGE, "--size: more than %d sizes",
					   SIZES_MAX);
		if (read_size(&rest, &selection->sizes[count++]) || (*rest && *rest != ','))
			return failure_set(
				failure, EXIT_USAGE,
				"--size: '%s' is not a list like 64,16x32x64, of numbers "
				"from 1 to %d",
				text, LENGTH_MAX);
	} while (*rest++);
	return 0;
}

/* Sets *size to the kernel's size of this number. n is 0 if the kernel cannot run at that size, or
 * if a buffer would be too large. Returns 0 after the last size, else 1. */
static int select_size(const struct selection *selection, const struct kernel *kernel, int index,
		       struct size *size)
{
	const int is_product = kernel->sizes[0].m > 0;

	*size = selection->sizes[0].n ? selection->sizes[index] : kernel->sizes[index];
	if (!size->n)
		return 0;
	if (selection->sizes[0].n) {
		if (!kernel->multiple || size->n % kernel->multiple || (size->m && !is_product))
			size->n = 0;
		else if (is_product && !size->m)
			size->m = size->k = size->n;
	}
	for (int i = 0; size->n && i < kernel->buffers; i++)
		if (kernel->length(*size, i) > (size_t)selection->max_elements)
			size->n = 0;
	return 1;
}

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

static int add_task(struct run *run, const struct kernel *kernel, struct size size, int threads,
		    int cold)
{
	/* filling the operands, computing once or twice, and evicting them from the caches */
	const double fill_s_per_byte = 1e-9, s_per_flop = 2e-11, evict_s = 0.02;
	const double bytes =
		threads * fmax(operands_bytes(kernel, size), kernel_bytes(kernel, size));
	struct task *tasks = realloc(run->tasks, (run->count + 1) * sizeof(*tasks)), *task;

	if (!tasks)
		return -1;
	run->tasks = tasks;
	task = &tasks[run->count++];
	memset(task, 0, sizeof(*task));
	task->kernel = kernel;
	task->size = size;
	task->wanted = kernel->command		  ? PORT_ROUNDS
		       : bytes > MEDIUM_BYTES_MAX ? LARGE_ROUNDS
		       : cold			  ? COLD_ROUNDS
		       : bytes > SMALL_BYTES_MAX  ? MEDIUM_ROUNDS
						  : SMALL_ROUNDS;
	task->limits = (struct limits){threads, cold, run->suite->seconds / task->wanted,
				       run->suite->stop};
	task->round_s = task->limits.seconds + bytes * fill_s_per_byte +
			kernel_flops(kernel, size) * s_per_flop * kernel->element_bytes / 4 +
			(cold ? evict_s : 0);
	return 0;
}

/* Adds the tasks of a kernel at one size: for each number of threads, warm and cold. A port has one
 * thread and no control over the caches; peak kernels use registers only. */
static int add_size(struct run *run, const struct kernel *kernel, struct size size)
{
	const struct selection *selection = &run->suite->selection;
	const char *list = run->suite->threads;
	int threads, failed = 0;

	while (!failed && (threads = next_threads(&list)) > 0) {
		if (kernel->command && threads > 1)
			continue;
		if (list_has(selection->caches, "warm"))
			failed = add_task(run, kernel, size, threads, 0);
		if (!failed && threads == 1 && list_has(selection->caches, "cold") &&
		    kernel->category != peak_kernels->category && !kernel->command &&
		    operands_bytes(kernel, size) <= COLD_BYTES_MAX)
			failed = add_task(run, kernel, size, threads, 1);
	}
	return failed;
}

/* Replaces the tasks by those of a category. If `report_missing`, names the kernels that cannot run
 * here. */
static int list_tasks(struct run *run, const struct kernel *table, int report_missing)
{
	const struct selection *selection = &run->suite->selection;
	struct size size;

	free(run->tasks);
	run->tasks = NULL;
	run->count = 0;
	if (!list_has(selection->categories, table->category))
		return 0;
	for (const struct kernel *kernel = table; kernel->name; kernel++) {
		const char *missing = NULL;

		if (!list_has(selection->kernels, kernel->name))
			continue;
		for (int i = 0; !missing && select_size(selection, kernel, i, &size); i++) {
			if (!size.n)
				continue;
			missing = kernel->missing ? kernel->missing() : NULL;
			if (!missing && add_size(run, kernel, size))
				return -1;
		}
		if (missing && report_missing)
			fprintf(stderr, "ceilings: %s %s is left out: %s\n", kernel->category,
				kernel->name, missing);
	}
	return 0;
}

double progress_left_s(const struct progress *progress, double passed_s)
{
	double pace = (passed_s + EXPECTED_S) / (progress->done_s + EXPECTED_S);

	return fmax(progress->all_s - progress->done_s, 0) * pace;
}

/* Overwrites the progress line, at most as wide as the terminal. */
static void show_progress(const struct progress *progress, const char *kernel)
{
	const double share = progress->all_s > 0 ? progress->done_s / progress->all_s : 0;
	const int filled = (int)(fmin(share, 1) * BAR);
	char line[LINE_MAX_BYTES];
	int columns = COLUMNS_DEFAULT;
	struct timespec now;
	struct winsize size;
	double passed_s;

	if (!isatty(STDERR_FILENO))
		return;
	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1)
		columns = size.ws_col;
	clock_gettime(CLOCK_MONOTONIC, &now);
	passed_s = difftime(now.tv_sec, progress->start.tv_sec) +
		   1e-9 * (double)(now.tv_nsec - progress->start.tv_nsec);
	snprintf(line, sizeof(line), "[%.*s%.*s] %2.0f %%, about %.0f s left: %s", filled,
		 "####################", BAR - filled, "....................", 100 * share,
		 ceil(progress_left_s(progress, passed_s)), kernel);
	/* one column stays free, so that the line does not wrap */
	fprintf(stderr, "\r\033[K%.*s", columns - 1, line);
}

static void erase_progress(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

static void run_round(struct run *run, struct task *task)
{
	struct cell *cell = &task->rounds.cells[task->rounds.count];

	show_progress(&run->progress, task->kernel->name);
	cell_measure(cell, task->kernel, task->size, &task->limits,
		     task->rounds.count ? &task->rounds.cells[0].check : NULL);
	if (cell->status == CELL_STOPPED)
		return;
	task->rounds.count++;
	run->progress.done_s += task->round_s;
	if (cell->status == CELL_OK)
		return;
	/* a cell that is wrong or cannot run needs no more rounds */
	run->progress.done_s += task->round_s * (task->wanted - task->rounds.count);
	task->wanted = task->rounds.count;
}

static void print_task(struct suite *suite, const struct task *task)
{
	struct cell cell;

	if (!task->rounds.count)
		return;
	cell = rounds_sum(&task->rounds);
	erase_progress();
	cell_print(&cell, &task->limits, suite->provenance, stdout);
	suite->done++;
	if (cell.status == CELL_OK)
		return;
	fprintf(stderr, "ceilings: %s %s%s: %s\n", task->kernel->category, task->kernel->name,
		cell.status == CELL_LEFT_OUT ? " is left out" : "", cell.note);
	suite->wrong += cell.status == CELL_WRONG;
}

int suite_run(struct suite *suite, struct failure *failure)
{
	struct run run = {.suite = suite};
	int failed = 0;

	for (int t = 0; kernel_tables[t] && !failed; t++) {
		failed = list_tasks(&run, kernel_tables[t], 1);
		suite->all += (int)run.count;
		for (size_t i = 0; i < run.count; i++)
			run.progress.all_s += run.tasks[i].round_s * run.tasks[i].wanted;
	}
	if (!failed && !suite->all)
		return failure_set(failure, EXIT_USAGE,
				   "no kernel that can run here has a cell of such a size");
	if (!failed)
		cell_print_header(stdout);
	clock_gettime(CLOCK_MONOTONIC, &run.progress.start);
	for (int t = 0; kernel_tables[t] && !failed && !*suite->stop; t++) {
		failed = list_tasks(&run, kernel_tables[t], 0);
		for (int round = 0; !failed && round < ROUNDS_MAX; round++)
			for (size_t i = 0; i < run.count && !*suite->stop; i++)
				if (run.tasks[i].rounds.count == round &&
				    round < run.tasks[i].wanted)
					run_round(&run, &run.tasks[i]);
		for (size_t i = 0; !failed && i < run.count; i++)
			print_task(suite, &run.tasks[i]);
	}
	free(run.tasks);
	erase_progress();
	return failed ? failure_set(failure, EXIT_FAILED, "no memory for the list of cells") : 0;
}
