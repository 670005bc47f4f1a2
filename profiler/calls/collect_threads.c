/* collect_threads.c: the threads, their regions and their sequence of calls, from the shim's record
 * files. */
/* SPDX-License-Identifier: MIT */
#include "calls/collect_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas/routines.h"
#include "base/array.h"

static int compare_tasks(const void *left, const void *right)
{
	const struct task_start *a = left, *b = right;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

static const struct task_start *find_task(const struct process_file *file, int64_t tid)
{
	const struct task_start key = {.tid = tid};

	return file->ntasks ? bsearch(&key, file->tasks, file->ntasks, sizeof key, compare_tasks)
			    : NULL;
}

/* By tid: a program may have started a hundred thousand threads. */
static int collect_tasks(struct process_file *file)
{
	const struct task_start *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_TASKS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++) {
			struct task_start *task =
				array_add(&file->tasks, &file->ntasks, sizeof *task);

			if (!task)
				return -1;
			*task = rows[i];
		}
	if (file->ntasks)
		qsort(file->tasks, file->ntasks, sizeof *file->tasks, compare_tasks);
	return 0;
}

static int compare_records(const void *left, const void *right)
{
	const struct shape_key *a = &(*(const struct shape_record *const *)left)->key;
	const struct shape_key *b = &(*(const struct shape_record *const *)right)->key;
	int order = shape_key_order(a, b);

	return order ? order : (a->caller > b->caller) - (a->caller < b->caller);
}

/* By shape, and by who called it: each thread has a record of its own. */
static int collect_records(struct process_file *file)
{
	const struct shape_record *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_SHAPES, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++) {
			const struct shape_record **record;

			if (!rows[i].calls || !routine_exists(shape_routine(&rows[i].key)))
				continue;
			record = array_add(&file->shapes, &file->nshapes, sizeof *record);
			if (!record)
				return -1;
			*record = &rows[i];
		}
	if (file->nshapes)
		qsort(file->shapes, file->nshapes, sizeof *file->shapes, compare_records);
	return 0;
}

double sound_amount(double amount)
{
	return amount >= 0 && amount < 1e30 ? amount : 0;
}

static void add_ns(int64_t *to, int64_t from)
{
	if (__builtin_add_overflow(*to, from, to))
		*to = 0; /* a damaged record */
}

static void add_sums(struct call_sums *to, const struct call_sums *from)
{
	to->calls += from->calls;
	to->blas_ticks += from->blas_ticks;
	to->gap_ticks += from->gap_ticks;
	add_ns(&to->blas_waiting_ns, from->blas_waiting_ns);
	add_ns(&to->blas_preempted_ns, from->blas_preempted_ns);
	add_ns(&to->gap_waiting_ns, from->gap_waiting_ns);
	add_ns(&to->gap_preempted_ns, from->gap_preempted_ns);
	to->flops += sound_amount(from->flops);
	to->queue_ticks += from->queue_ticks;
	to->mpi_calls += from->mpi_calls;
	to->mpi_ticks += from->mpi_ticks;
	add_ns(&to->mpi_waiting_ns, from->mpi_waiting_ns);
	add_ns(&to->mpi_preempted_ns, from->mpi_preempted_ns);
}

static size_t count_threads(struct process_file *file)
{
	size_t at = 0, count, threads = 0;

	while (process_file_rows(file, &at, CHUNK_THREADS, sizeof(struct thread_record), &count))
		threads += count;
	return threads;
}

int collect_sums(struct process_file *file)
{
	const struct thread_record *threads;
	const struct region_record *regions;
	size_t at = 0, count;

	file->nsums = count_threads(file) + 1; /* serials count from 1 */
	file->sums = calloc(file->nsums, sizeof *file->sums);
	if (!file->sums || collect_tasks(file) || collect_records(file))
		return -1;
	while ((threads = process_file_rows(file, &at, CHUNK_THREADS, sizeof *threads, &count)))
		for (size_t i = 0; i < count; i++)
			if (threads[i].serial < file->nsums)
				add_sums(&file->sums[threads[i].serial], &threads[i].sums);
	at = 0;
	while ((regions = process_file_rows(file, &at, CHUNK_REGIONS, sizeof *regions, &count)))
		for (size_t i = 0; i < count; i++)
			if (regions[i].serial < file->nsums)
				add_sums(&file->sums[regions[i].serial], &regions[i].sums);
	return 0;
}

struct call_sums thread_sums(const struct process_file *file, const struct thread_record *record)
{
	return record->serial < file->nsums ? file->sums[record->serial] : (struct call_sums){0};
}

static int add_thread(struct process_file *file, int process, const struct thread_frame *frame,
		      const struct thread_record *record, struct run *run)
{
	struct call_sums sums = thread_sums(file, record);
	struct run_thread *thread;

	run->work += sound_amount(record->progress);
	if (!sums.calls)
		return 0;
	thread = run_add_thread(run);
	if (!thread)
		return -1;
	thread->pid = file->header->pid;
	thread->tid = record->tid;
	thread->process = process;
	snprintf(thread->name, sizeof thread->name, "%.15s", record->name);
	thread->calls = sums.calls;
	thread->flops = sums.flops;
	thread_times(frame, record, &sums, find_task(file, record->tid), thread);
	return 0;
}

int collect_threads(struct process_file *file, int process, const struct thread_frame *frame,
		    struct run *run)
{
	const struct thread_record *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_THREADS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++)
			if (add_thread(file, process, frame, &rows[i], run))
				return -1;
	return 0;
}

void region_name(struct process_file *file, uint64_t region, char *name, size_t size)
{
	const struct region_name *rows;
	size_t at = 0, count;

	name[0] = '\0';
	rows = region ? process_file_rows(file, &at, CHUNK_NAMES, sizeof *rows, &count) : NULL;
	if (rows && region <= count)
		snprintf(name, size, "%.31s", rows[region - 1].text);
}

static struct run_region *get_region(struct run *run, const char *name)
{
	struct run_region *region;

	for (size_t i = 0; i < run->nregions; i++)
		if (!strcmp(run->regions[i].name, name))
			return &run->regions[i];
	region = run_add_region(run);
	if (region)
		snprintf(region->name, sizeof region->name, "%s", name);
	return region;
}

static int add_region(struct process_file *file, const struct thread_frame *frame,
		      const struct region_record *record, struct run *run)
{
	uint64_t ticks = record->sums.blas_ticks + record->sums.gap_ticks + record->sums.mpi_ticks;
	struct run_thread times = {0};
	struct run_region *region;
	char name[REGION_NAME_BYTES];

	if (!record->entries)
		return 0;
	region_name(file, record->region, name, sizeof name);
	region = get_region(run, name);
	if (!region)
		return -1;
	thread_add_sums(frame, &record->sums, clock_line_span_ns(&frame->line, ticks), 0, &times);
	region->entries += record->entries;
	region->times.ns[CAT_BLAS] += times.times.ns[CAT_BLAS];
	region->times.blas_waiting_ns += times.times.blas_waiting_ns;
	region->times.ns[CAT_OTHER] += times.times.ns[CAT_OTHER];
	region->times.ns[CAT_MPI] += times.times.ns[CAT_MPI];
	region->times.ns[CAT_WAITING] += times.times.ns[CAT_WAITING];
	region->times.ns[CAT_NO_CPU] += times.times.ns[CAT_NO_CPU];
	region->calls += record->sums.calls;
	region->flops += sound_amount(record->sums.flops);
	return 0;
}

int collect_regions(struct process_file *file, const struct thread_frame *frame, struct run *run)
{
	const struct region_record *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_REGIONS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++)
			if (add_region(file, frame, &rows[i], run))
				return -1;
	return 0;
}

/* Own cost comes off by calibration, but never so much that nothing is left. */
static uint32_t pair_ns(uint64_t ticks, double own_ns, const struct thread_frame *frame)
{
	double ns = (double)ticks * frame->line.ns_per_tick;

	ns = ns > own_ns ? ns - own_ns : 0;
	return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

/* Oldest first. The first of all is left out: its gap reaches back to where nothing was recorded.
 */
static int take_pairs(const struct pair_block *block, const struct thread_frame *frame,
		      struct run *run)
{
	uint64_t count = block->written < PAIRS_MAX ? block->written : PAIRS_MAX;

	if (count < 2)
		return 0;
	run->pairs = calloc(count - 1, sizeof *run->pairs);
	if (!run->pairs)
		return -1;
	for (uint64_t i = 1; i < count; i++) {
		uint64_t at = (block->written - count + i) % PAIRS_MAX;
		struct run_pair *pair = &run->pairs[run->npairs++];

		pair->gap_ns = pair_ns(block->pairs[at].gap, frame->call_outside_ns, frame);
		pair->service_ns = pair_ns(block->pairs[at].service, frame->call_inside_ns, frame);
	}
	return 0;
}

int collect_pairs(struct process_file *files, size_t count, const struct thread_frame *frame,
		  struct run *run)
{
	if (run->nthreads != 1)
		return 0;
	for (size_t i = 0; i < count; i++) {
		const struct pair_block *block;
		size_t at = 0, rows;

		while ((block = process_file_rows(&files[i], &at, CHUNK_PAIRS, sizeof *block,
						  &rows)))
			if (rows && block->written > 1)
				return take_pairs(block, frame, run);
	}
	return 0;
}
