/* run.c: builds, searches and frees a recorded run in memory. */
/* SPDX-License-Identifier: MIT */
#include "store/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const char *const run_code_names[RUN_CODE_COUNT] = {"blas", "other", "kernel"};

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
	snprintf(run->roi, sizeof run->roi, "blas");
}

void run_caller_free(struct run_caller *caller)
{
	free(caller->function);
	free(caller->inlined_into);
	free(caller->object);
	free(caller->file);
}

void run_free(struct run *run)
{
	for (size_t i = 0; i < run->ncallers; i++)
		run_caller_free(&run->callers[i]);
	for (size_t i = 0; i < run->nfunctions; i++) {
		free(run->functions[i].function);
		free(run->functions[i].object);
		free(run->functions[i].inlined_into);
		free(run->functions[i].file);
	}
	for (size_t i = 0; i < run->nframes; i++) {
		free(run->frames[i].function);
		free(run->frames[i].object);
	}
	for (size_t i = 0; i < run->nwaits; i++) {
		free(run->waits[i].function);
		free(run->waits[i].caller);
	}
	for (size_t i = 0; i < run->nfacts; i++)
		free(run->facts[i].value);
	free(run->experiment);
	free(run->command);
	free(run->threads);
	free(run->shapes);
	free(run->callers);
	free(run->functions);
	free(run->frames);
	free(run->stacks);
	free(run->waits);
	free(run->processes);
	free(run->regions);
	free(run->mpi);
	free(run->spans);
	free(run->pairs);
	free(run->counters);
	free(run->thread_counters);
	free(run->shape_counters);
	free(run->notes);
	free(run->facts);
	run_init(run);
}

#define PART(field, row)                                                                           \
	{                                                                                          \
		offsetof(struct run, field), offsetof(struct run, n##field), sizeof(struct row)    \
	}
static const struct {
	size_t rows, count, size; /* offsets of the array and its count; bytes of a row */
} parts[RUN_PART_COUNT] = {
	[RUN_PART_THREADS] = PART(threads, run_thread),
	[RUN_PART_SHAPES] = PART(shapes, run_shape),
	[RUN_PART_CALLERS] = PART(callers, run_caller),
	[RUN_PART_FUNCTIONS] = PART(functions, run_function),
	[RUN_PART_FRAMES] = PART(frames, run_frame),
	[RUN_PART_STACKS] = PART(stacks, run_stack),
	[RUN_PART_WAITS] = PART(waits, run_wait),
	[RUN_PART_PROCESSES] = PART(processes, run_process),
	[RUN_PART_REGIONS] = PART(regions, run_region),
	[RUN_PART_COUNTERS] = PART(counters, run_counter),
	[RUN_PART_THREAD_COUNTERS] = PART(thread_counters, run_thread_counter),
	[RUN_PART_SHAPE_COUNTERS] = PART(shape_counters, run_shape_counter),
	[RUN_PART_MPI] = PART(mpi, run_mpi),
	[RUN_PART_SPANS] = PART(spans, run_span),
	[RUN_PART_NOTES] = PART(notes, run_note),
	[RUN_PART_FACTS] = PART(facts, run_fact),
};

size_t run_part_count(const struct run *run, enum run_part part)
{
	size_t count;

	memcpy(&count, (const char *)run + parts[part].count, sizeof count);
	return count;
}

void *run_part_row(const struct run *run, enum run_part part, size_t index)
{
	char *rows;

	memcpy(&rows, (const char *)run + parts[part].rows, sizeof rows);
	return rows + parts[part].size * index;
}

void *run_part_add(struct run *run, enum run_part part)
{
	return array_add((char *)run + parts[part].rows,
			 (size_t *)((char *)run + parts[part].count), parts[part].size);
}

struct run_thread *run_add_thread(struct run *run)
{
	struct run_thread *thread = run_part_add(run, RUN_PART_THREADS);

	if (thread)
		thread->switch_waiting_ns = thread->switch_preempted_ns = thread->process = -1;
	return thread;
}

struct run_shape *run_add_shape(struct run *run)
{
	return run_part_add(run, RUN_PART_SHAPES);
}

struct run_process *run_add_process(struct run *run)
{
	struct run_process *process = run_part_add(run, RUN_PART_PROCESSES);

	if (process)
		process->rank = -1;
	return process;
}

struct run_region *run_add_region(struct run *run)
{
	return run_part_add(run, RUN_PART_REGIONS);
}

struct run_mpi *run_add_mpi(struct run *run)
{
	return run_part_add(run, RUN_PART_MPI);
}

struct run_function *run_add_function(struct run *run, const char *function, const char *object)
{
	struct run_function *row;
	char *names[2] = {strdup(function), strdup(object)};

	row = names[0] && names[1] ? run_part_add(run, RUN_PART_FUNCTIONS) : NULL;
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
	struct run_note *note = run_part_add(run, RUN_PART_NOTES);
	va_list args;

	if (!note)
		return NULL;
	snprintf(note->code, sizeof note->code, "%s", code);
	va_start(args, fmt);
	vsnprintf(note->detail, sizeof note->detail, fmt, args);
	va_end(args);
	return note;
}

void run_drop_notes(struct run *run, const char *code)
{
	size_t kept = 0;

	for (size_t i = 0; i < run->nnotes; i++)
		if (strcmp(run->notes[i].code, code))
			run->notes[kept++] = run->notes[i];
	run->nnotes = kept;
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
		fact = run_part_add(run, RUN_PART_FACTS);
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

int64_t run_samples_missing(const struct run *run)
{
	uint64_t in_functions = 0;
	int64_t missing = (int64_t)(run->samples - run->samples_attributed -
				    run->samples_outside_roi - run->samples_unknown);

	for (size_t i = 0; i < run->nfunctions; i++)
		in_functions += run->functions[i].samples;
	return missing ? missing : (int64_t)(run->samples_attributed - in_functions);
}
