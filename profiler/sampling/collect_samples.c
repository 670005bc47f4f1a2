/* collect_samples.c: cuts the region of interest out of the log and adds its samples to the run. */
/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "blas/blas_objects.h"
#include "sampling/call_workers.h"
#include "sampling/collect_stacks.h"
#include "symbols/functions.h"
#include "sampling/sampler_parts.h"
#include "sampling/thread_index.h"
#include "sampling/wait_spans.h"

enum { WORKER_SAMPLES_MIN = 5 };

/* What one task did inside the region. */
struct task_sum {
	uint64_t samples[RUN_CODE_COUNT];
	int64_t waiting_ns, preempted_ns;
	int calls_blas;
};

struct collection {
	const struct timeline *timeline;
	struct run *run;
	int64_t start_ns, end_ns; /* the region, CLOCK_MONOTONIC */
	enum run_code *code;	  /* of each object */
	uint64_t *counts;	  /* of each place */
	uint64_t *worker_counts;  /* those of them in threads that BLAS itself started */
	struct task_sum *sums;	  /* of each task */
	struct stack_sums stacks;
	const struct wait_regions *regions;
	int regions_lost; /* some wait's is not known any more */
	const struct sampler_view *view;
	struct thread_index index;
};

static int same_file(const char *path, const char *other)
{
	char *resolved;
	int same;

	if (!strcmp(path, other))
		return 1;
	resolved = realpath(other, NULL);
	same = resolved && !strcmp(path, resolved);
	free(resolved);
	return same;
}

static enum run_code classify_object(const struct object *object, const struct sampler_view *view)
{
	if (blas_object_known(object->path))
		return RUN_CODE_BLAS;
	for (size_t i = 0; i < view->nblas_objects; i++)
		if (same_file(object->path, view->blas_objects[i]))
			return RUN_CODE_BLAS;
	return RUN_CODE_OTHER;
}

static void classify_objects(struct collection *all, const struct sampler_view *view)
{
	const struct address_table *addresses = &all->timeline->addresses;

	all->code[OBJECT_KERNEL] = RUN_CODE_KERNEL;
	for (size_t i = OBJECTS_FIXED; i < addresses->nobjects; i++)
		all->code[i] = classify_object(&addresses->objects[i], view);
}

/* The part of [start, end] inside the region, ns. */
static int64_t clip(const struct collection *all, int64_t start_ns, int64_t end_ns)
{
	int64_t first = start_ns > all->start_ns ? start_ns : all->start_ns;
	int64_t last = end_ns < all->end_ns ? end_ns : all->end_ns;

	return last > first ? last - first : 0;
}

/* A sample inside the region, of a known object. */
static int is_counted(const struct collection *all, const struct log_entry *entry)
{
	const struct address_table *addresses = &all->timeline->addresses;

	return entry->address != LOG_WAITING && entry->address != LOG_PREEMPTED &&
	       entry->time_ns >= all->start_ns && entry->time_ns <= all->end_ns &&
	       address_object(addresses->keys[entry->address]) != OBJECT_UNKNOWN;
}

static void count_sample(struct collection *all, const struct log_entry *entry)
{
	uint32_t object = address_object(all->timeline->addresses.keys[entry->address]);

	if (entry->time_ns < all->start_ns || entry->time_ns > all->end_ns) {
		all->run->samples_outside_roi += entry->count;
	} else if (object == OBJECT_UNKNOWN) {
		all->run->samples_unknown += entry->count;
	} else {
		all->run->samples_attributed += entry->count;
		all->counts[entry->address] += entry->count;
		all->sums[entry->task].samples[all->code[object]] += entry->count;
		if (entry->stack != STACK_NONE)
			all->stacks.samples[entry->stack][!all->sums[entry->task].calls_blas] +=
				entry->count;
	}
}

/* A folded entry is several waits of one slice of time. */
static uint32_t find_region(struct collection *all, const struct log_entry *entry)
{
	const struct task *task = &all->timeline->tasks[entry->task];
	int64_t slice_ns = all->timeline->log.slice_ns, length_ns = (int64_t)entry->count;
	struct region_visit wait = {
		.pid = task->pid,
		.tid = task->tid,
		.start_ns = entry->time_ns - (slice_ns > length_ns ? slice_ns : length_ns),
		.end_ns = entry->time_ns,
	};
	uint32_t region = wait_regions_find(all->regions, &wait, !slice_ns);

	all->regions_lost |= region == REGION_UNKNOWN;
	return region;
}

static int count_entries(struct collection *all)
{
	const struct sample_log *log = &all->timeline->log;

	for (size_t i = 0; i < log->count; i++) {
		const struct log_entry *entry = &log->entries[i];
		struct task_sum *sum = &all->sums[entry->task];
		int64_t off_ns = clip(all, entry->time_ns - (int64_t)entry->count, entry->time_ns);

		if (!log_is_off_cpu(entry)) {
			count_sample(all, entry);
			continue;
		}
		if (entry->address == LOG_WAITING)
			sum->waiting_ns += off_ns;
		else
			sum->preempted_ns += off_ns;
		if (off_ns > 0 &&
		    stack_sums_add_wait(&all->stacks, entry, find_region(all, entry), off_ns))
			return -1;
	}
	return 0;
}

static uint64_t sum_samples(const struct task_sum *sum)
{
	uint64_t samples = 0;

	for (int code = 0; code < RUN_CODE_COUNT; code++)
		samples += sum->samples[code];
	return samples;
}

/* The task's row: of its numbers, and alive at the same time, because numbers are used again. */
static struct run_thread *find_row(const struct collection *all, const struct task *task)
{
	uint32_t at = idmap_find(&all->index.last, task->tid);

	for (; at != IDMAP_NONE; at = all->index.previous[at]) {
		struct run_thread *row = &all->run->threads[at];

		if (row->pid == task->pid && row->start_ns <= task->end_ns - all->start_ns &&
		    row->end_ns >= task->start_ns - all->start_ns)
			return row;
	}
	return NULL;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* A thread without a call of its own: what it did not spend off the CPU it computed. */
static struct run_thread *add_row(const struct collection *all, const struct task *task,
				  const struct task_sum *sum)
{
	struct run_thread *row = run_add_thread(all->run);
	int64_t wall_ns = clip(all, task->start_ns, task->end_ns);

	if (!row)
		return NULL;
	row->pid = task->pid;
	row->tid = task->tid;
	if (task->start_ns > all->start_ns)
		row->start_ns = least(task->start_ns, all->end_ns) - all->start_ns;
	row->end_ns = row->start_ns + wall_ns;
	row->times.ns[CAT_WAITING] = least(sum->waiting_ns, wall_ns);
	row->times.ns[CAT_NO_CPU] = least(sum->preempted_ns, wall_ns - row->times.ns[CAT_WAITING]);
	row->times.ns[CAT_OTHER] = wall_ns - row->times.ns[CAT_WAITING] - row->times.ns[CAT_NO_CPU];
	return row;
}

static void add_to_row(struct run_thread *row, const struct task *task, const struct task_sum *sum)
{
	row->samples_blas += sum->samples[RUN_CODE_BLAS];
	row->samples_other += sum->samples[RUN_CODE_OTHER];
	row->samples_kernel += sum->samples[RUN_CODE_KERNEL];
	if (row->switch_waiting_ns < 0)
		row->switch_waiting_ns = row->switch_preempted_ns = 0;
	row->switch_waiting_ns += sum->waiting_ns;
	row->switch_preempted_ns += sum->preempted_ns;
	if (!row->name[0])
		memcpy(row->name, task->name, sizeof row->name);
}

static int add_tasks(struct collection *all)
{
	if (thread_index_update(&all->index, all->run))
		return -1;
	for (size_t i = 0; i < all->timeline->ntasks; i++) {
		const struct task *task = &all->timeline->tasks[i];
		const struct task_sum *sum = &all->sums[i];
		struct run_thread *row;

		if (!clip(all, task->start_ns, task->end_ns) && !sum_samples(sum))
			continue;
		row = find_row(all, task);
		if (!row)
			row = add_row(all, task, sum);
		if (!row || thread_index_update(&all->index, all->run))
			return -1;
		add_to_row(row, task, sum);
	}
	return 0;
}

/* Which tasks are threads that make BLAS calls. -1 when memory is out. */
static int find_callers(struct collection *all)
{
	if (thread_index_update(&all->index, all->run))
		return -1;
	for (size_t i = 0; i < all->timeline->ntasks; i++) {
		const struct run_thread *row = find_row(all, &all->timeline->tasks[i]);

		all->sums[i].calls_blas = row && row->calls;
	}
	return 0;
}

/* A thread that makes no call and computes in BLAS code more than in other: BLAS itself started it.
 * What it does outside BLAS is to wait for work. */
static int is_worker(const struct collection *all, size_t task)
{
	const uint64_t *samples = all->sums[task].samples;
	const struct run_thread *row;

	if (samples[RUN_CODE_BLAS] < WORKER_SAMPLES_MIN ||
	    samples[RUN_CODE_BLAS] + samples[RUN_CODE_KERNEL] <= samples[RUN_CODE_OTHER])
		return 0;
	row = find_row(all, &all->timeline->tasks[task]);
	return !row || !row->calls;
}

/* What of the samples that count_sample() counted by place is of workers. */
static void count_workers(struct collection *all)
{
	const struct timeline *timeline = all->timeline;
	const struct sample_log *log = &timeline->log;

	for (size_t task = 0; task < timeline->ntasks; task++) {
		if (!is_worker(all, task))
			continue;
		for (size_t i = 0; i < log->count; i++)
			if (log->entries[i].task == task && is_counted(all, &log->entries[i]))
				all->worker_counts[log->entries[i].address] +=
					log->entries[i].count;
	}
}

static int share_calls(const struct collection *all)
{
	char *calls_blas = calloc(all->timeline->ntasks + 1, 1);
	struct call_workers workers = {all->timeline,	   all->code,		calls_blas,
				       all->view->watched, all->view->nwatched, all->start_ns};
	int failed = -1;

	for (size_t i = 0; calls_blas && i < all->timeline->ntasks; i++)
		calls_blas[i] = (char)all->sums[i].calls_blas;
	if (calls_blas)
		failed = call_workers_add(&workers, all->run);
	free(calls_blas);
	return failed;
}

static int name_functions(const struct collection *all, int64_t since_ns)
{
	const struct timeline *timeline = all->timeline;
	const struct address_table *addresses = &timeline->addresses;
	size_t bytes = addresses->nkeys * sizeof *all->counts;
	uint64_t *named = malloc(bytes + 1);
	struct address_counts counts = {all->counts, all->worker_counts};
	struct stack_names names = {.code = all->code, .regions = all->regions};
	struct naming *naming = NULL;
	int failed = 1;

	if (named) {
		memcpy(named, all->counts, bytes);
		stacks_mark_places(timeline, &all->stacks, named);
		naming = naming_make(addresses, named, all->counts, &timeline->jits, since_ns,
				     all->run);
	}
	names.naming = naming;
	if (naming)
		failed = functions_add(addresses, naming, &counts, all->code, all->run) ||
			 stacks_add(timeline, &all->stacks, &names, all->run);
	naming_free(naming);
	free(named);
	return failed ? -1 : 0;
}

static int collect(struct collection *all, const struct sampler *sampler,
		   const struct sampler_view *view)
{
	const struct timeline *timeline = all->timeline;

	all->code = calloc(timeline->addresses.nobjects, sizeof *all->code);
	all->counts = calloc(timeline->addresses.nkeys + 1, sizeof *all->counts);
	all->worker_counts = calloc(timeline->addresses.nkeys + 1, sizeof *all->worker_counts);
	all->sums = calloc(timeline->ntasks, sizeof *all->sums);
	if (stack_sums_init(&all->stacks, timeline->stacks.count) || !all->code || !all->counts ||
	    !all->worker_counts || !all->sums)
		return -1;
	classify_objects(all, view);
	if (find_callers(all) || count_entries(all) ||
	    wait_spans_add(timeline, all->start_ns, all->run))
		return -1;
	all->run->samples += timeline->samples;
	all->run->samples_lost += timeline->lost;
	all->run->throttled += timeline->throttled;
	if (all->regions_lost)
		run_add_note(all->run, "wait_regions_lost", "%zu regions' times kept",
			     all->regions->nvisits);
	if (sampler->crowded)
		run_add_note(all->run, "wait_stacks_ended", "%zu threads were started",
			     timeline->ntasks);
	if (timeline->failed)
		run_add_note(all->run, "samples_incomplete",
			     "memory ran out while sampling: some samples are missing");
	if (add_tasks(all) || collect_processes(timeline, all->run))
		return -1;
	count_workers(all);
	if (share_calls(all))
		return -1;
	if (sampler->counters && (counters_read(sampler->counters, all->run) ||
				  counters_share(sampler->counters, timeline, all->code,
						 all->start_ns, all->end_ns, all->run)))
		return -1;
	return name_functions(all, sampler->start_realtime_ns);
}

static const struct wait_regions no_regions;

int sampler_collect(struct sampler *sampler, const struct sampler_view *view, struct run *run,
		    struct error *err)
{
	struct collection all = {
		.timeline = &sampler->timeline,
		.run = run,
		.start_ns = view->roi_start_ns,
		.end_ns = view->roi_end_ns,
		.regions = view->regions ? view->regions : &no_regions,
		.view = view,
	};
	int result;

	sampler_stop(sampler);
	if (!all.start_ns && !all.end_ns) {
		all.start_ns = sampler->start_ns;
		all.end_ns = INT64_MAX;
	}
	result = collect(&all, sampler, view);
	free(all.code);
	free(all.counts);
	free(all.worker_counts);
	free(all.sums);
	stack_sums_free(&all.stacks);
	thread_index_free(&all.index);
	return result ? error_set(err, "", "cannot add up the samples: memory is out") : 0;
}
