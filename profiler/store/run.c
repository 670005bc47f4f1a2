/* run.c: builds, searches and frees a recorded run in memory. */
/* SPDX-License-Identifier: MIT */
#include "store/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double run_bucket_low_ns(int bucket)
{
	return bucket <= 0 ? 0.0 : exp2(bucket / 4.0);
}

int run_bucket(double ns)
{
	int bucket;

	if (!(ns >= 1.0))
		return 0;
	bucket = (int)floor(log2(ns) * 4.0);
	return bucket < RUN_HISTOGRAM_BUCKETS ? bucket : RUN_HISTOGRAM_BUCKETS - 1;
}

void run_init(struct run *run)
{
	memset(run, 0, sizeof *run);
	snprintf(run->work_unit, sizeof run->work_unit, "flops");
}

void run_free(struct run *run)
{
	for (size_t i = 0; i < run->nfunctions; i++) {
		free(run->functions[i].function);
		free(run->functions[i].object);
	}
	for (size_t i = 0; i < run->nfacts; i++)
		free(run->facts[i].value);
	free(run->experiment);
	free(run->command);
	free(run->threads);
	free(run->shapes);
	free(run->functions);
	free(run->processes);
	free(run->notes);
	free(run->facts);
	run_init(run);
}

/* Room for one more row: capacities are the powers of two, so that the count alone tells when to
 * grow. */
static void *add_row(void **rows, size_t *count, size_t size)
{
	char *grown = *rows;

	if (!(*count & (*count - 1))) {
		grown = reallocarray(*rows, *count ? *count * 2 : 1, size);
		if (!grown)
			return NULL;
		*rows = grown;
	}
	return memset(grown + size * (*count)++, 0, size);
}

struct run_thread *run_add_thread(struct run *run)
{
	struct run_thread *thread = add_row((void **)&run->threads, &run->nthreads, sizeof *thread);

	if (thread)
		thread->switch_waiting_ns = thread->switch_preempted_ns = -1;
	return thread;
}

struct run_shape *run_add_shape(struct run *run)
{
	return add_row((void **)&run->shapes, &run->nshapes, sizeof *run->shapes);
}

struct run_process *run_add_process(struct run *run)
{
	return add_row((void **)&run->processes, &run->nprocesses, sizeof *run->processes);
}

struct run_function *run_add_function(struct run *run, const char *function, const char *object)
{
	struct run_function *row;
	char *names[2] = {strdup(function), strdup(object)};

	row = names[0] && names[1]
		      ? add_row((void **)&run->functions, &run->nfunctions, sizeof *row)
		      : NULL;
	if (!row) {
		free(names[0]);
		free(names[1]);
		return NULL;
	}
	row->function = names[0];
	row->object = names[1];
	return row;
}

struct run_note *run_add_note(struct run *run, const char *code, const char *fmt, ...)
{
	struct run_note *note = add_row((void **)&run->notes, &run->nnotes, sizeof *note);
	va_list args;

	if (!note)
		return NULL;
	snprintf(note->code, sizeof note->code, "%s", code);
	va_start(args, fmt);
	vsnprintf(note->detail, sizeof note->detail, fmt, args);
	va_end(args);
	return note;
}

static struct run_fact *find_fact(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->nfacts; i++)
		if (!strcmp(run->facts[i].name, name))
			return &run->facts[i];
	return NULL;
}

struct run_fact *run_add_fact(struct run *run, const char *name, const char *value)
{
	struct run_fact *fact = find_fact(run, name);
	char *copy = strdup(value ? value : "");

	if (!copy)
		return NULL;
	if (!fact)
		fact = add_row((void **)&run->facts, &run->nfacts, sizeof *fact);
	if (!fact) {
		free(copy);
		return NULL;
	}
	free(fact->value);
	fact->value = copy;
	snprintf(fact->name, sizeof fact->name, "%s", name);
	return fact;
}

const char *run_fact(const struct run *run, const char *name)
{
	struct run_fact *fact = find_fact(run, name);

	return fact ? fact->value : NULL;
}

struct run_thread *run_find_thread(struct run *run, int64_t pid, int64_t tid)
{
	for (size_t i = 0; i < run->nthreads; i++)
		if (run->threads[i].pid == pid && run->threads[i].tid == tid)
			return &run->threads[i];
	return NULL;
}
