/* roi.c: finds the region of interest: from where BLAS calls are dense to the end of the work. */
/* SPDX-License-Identifier: MIT */
#include "calls/collect.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/memory.h"
#include "model/accounting.h"

/* The interval of the calls is too small to be the region if it has less than this share of the
 * process's CPU time and more CPU time is outside than a program needs to start and to end: an
 * interpreter with its libraries takes some tenths of a second. */
#define SHARE_MIN    0.5
#define START_CPU_NS 500000000

/* The calls of a thread before one of its gaps, or after the last gap. */
struct stage {
	int64_t start_ns, end_ns; /* of the calls; the gap follows */
	struct call_sums sums;	  /* at end_ns */
	int64_t gap_cpu_ns;
};

static struct stage stage_at(const struct thread_source *source, size_t i)
{
	const struct gap_record *gap = &source->gaps[i];
	struct stage stage = {.sums = *source->sums};

	stage.start_ns = i ? source_ns(source, gap[-1].end) : source_first_ns(source);
	if (i == source->ngaps) {
		stage.end_ns = source_last_ns(source);
		stage.gap_cpu_ns = larger(source_tail_cpu_ns(source), 0);
	} else {
		stage.end_ns = source_ns(source, gap->start);
		stage.sums = gap->sums;
		stage.gap_cpu_ns = clock_line_span_ns(&source->frame->line, gap->end - gap->start);
		stage.gap_cpu_ns -= smaller(larger(gap->waiting_ns, 0), stage.gap_cpu_ns);
		stage.gap_cpu_ns -= smaller(larger(gap->preempted_ns, 0), stage.gap_cpu_ns);
	}
	stage.end_ns = larger(stage.end_ns, stage.start_ns);
	return stage;
}

/* Fills bursts[], which has room for 2 (ngaps + 1), with the time that the thread computed from
 * from_ns on, if there is no record of its activity: in a gap and at its end, a thread is taken to
 * compute first and then to wait. Returns the number of bursts. */
static size_t busy_bursts(const struct thread_source *source, int64_t from_ns, struct burst *bursts)
{
	size_t count = 0;

	for (size_t i = 0; i <= source->ngaps; i++) {
		struct stage stage = stage_at(source, i);
		int64_t starts[] = {stage.start_ns, stage.end_ns};
		int64_t ends[] = {stage.end_ns, stage.end_ns + stage.gap_cpu_ns};

		for (int j = 0; j < 2; j++) {
			int64_t start = larger(starts[j], from_ns);

			if (ends[j] > start)
				bursts[count++] =
					(struct burst){start, ends[j], (double)(ends[j] - start)};
		}
	}
	return count;
}

/* The threads that make BLAS calls. */
struct callers {
	struct thread_source *sources;
	size_t count;
	struct idmap tids; /* their keys */
};

/* Fills the callers' arrays, which roi_find() frees. */
static void find_callers(struct records *records, struct callers *callers)
{
	EACH_ROW(file, records->files, records->count) {
		const struct thread_record *thread;

		EACH_RECORD(thread, &file->file, CHUNK_THREADS) {
			struct thread_source source = record_source(records, file, thread);

			if (!source.sums->calls)
				continue;
			memory_append(&callers->sources, &callers->count, sizeof source, &source);
			idmap_put(&callers->tids, (uint64_t)source.tid, 0);
		}
	}
}

/* Finds the interval from the first of all calls to the last. */
static int find_all(const struct callers *callers, int64_t *start_ns, int64_t *end_ns)
{
	for (size_t i = 0; i < callers->count; i++) {
		int64_t first = source_first_ns(&callers->sources[i]);
		int64_t last = source_last_ns(&callers->sources[i]);

		*start_ns = i ? smaller(*start_ns, first) : first;
		*end_ns = i ? larger(*end_ns, last) : last;
	}
	return callers->count > 0;
}

/* Finds the interval in which BLAS calls are dense. */
static int find_dense(const struct callers *callers, int64_t *start_ns, int64_t *end_ns)
{
	FREED struct burst *bursts = NULL;
	size_t count = 0;

	EACH_ROW(source, callers->sources, callers->count) {
		uint64_t before = 0;

		for (size_t i = 0; i <= source->ngaps; i++) {
			struct stage stage = stage_at(source, i);
			uint64_t ticks = stage.sums.in[IN_BLAS].ticks;
			/* a call that took no tick still counts */
			struct burst burst = {stage.start_ns, stage.end_ns,
					      ticks > before ? (double)(ticks - before) : 1};

			memory_append(&bursts, &count, sizeof burst, &burst);
			before = ticks;
		}
	}
	return dense_interval(bursts, count, start_ns, end_ns);
}

/* A thread that may take part. */
struct work {
	const struct active_task *task; /* NULL if there is no record of activity */
	const struct thread_source *source;
	int64_t done_ns, sum_ns; /* when it finishes computing, and for how long it does */
	enum thread_role role;
	int is_main; /* 1 if it is the main thread of a process from before the region */
};

COMPARE(compare_done, struct work, ORDER(a->done_ns, b->done_ns))

/* Fills bursts[] with what it computes from from_ns on. Returns their number. */
static size_t work_bursts(const struct cpu_activity *activity, const struct work *work,
			  int64_t from_ns, struct burst *bursts)
{
	return work->task ? activity_bursts(activity, work->task, from_ns, bursts)
			  : busy_bursts(work->source, from_ns, bursts);
}

/* Returns how long the bursts are before to_ns. */
static int64_t sum_bursts(const struct burst *bursts, size_t count, int64_t to_ns)
{
	double sum = 0;

	EACH_ROW(burst, bursts, count)
		sum += (double)larger(smaller(burst->end_ns, to_ns) - burst->start_ns, 0);
	return (int64_t)sum;
}

/* Moves *end_ns to the time at which the last participant from from_ns on finishes computing, if
 * that is later. All tasks may be participants, or all callers if there is no record of activity.
 */
static void find_end(const struct cpu_activity *activity, const struct callers *callers, int single,
		     int64_t from_ns, int64_t *end_ns)
{
	size_t most = activity ? activity->ntasks : callers->count, count = 0;
	size_t room = 2 * (GAPS_MAX + 1) + (activity ? activity->nspans : 0);
	FREED struct thread_time *times = memory_rows(most, sizeof *times);
	FREED struct work *works = memory_rows(most, sizeof *works);
	FREED enum thread_role *roles = memory_rows(most, sizeof *roles);
	FREED struct burst *bursts = memory_rows(room, sizeof *bursts);
	int64_t busiest_ns = 0;

	for (size_t i = 0; i < most; i++) {
		struct thread_time *time = &times[count];
		struct work *work = &works[count];
		size_t nbursts;
		int64_t start;

		if (activity) {
			const struct active_task *task = work->task = &activity->tasks[i];

			if (task->end_ns <= from_ns)
				continue;
			*time = (struct thread_time){
				.start_ns = larger(task->start_ns, from_ns),
				.end_ns = task->end_ns,
				.samples_blas = task->samples_blas,
				.samples_other = task->samples_other + task->samples_kernel,
				.samples_kernel = task->samples_kernel,
				.pool_is_off = single,
				.calls = idmap_find(&callers->tids, (uint64_t)task->tid) !=
					 IDMAP_NONE,
			};
			work->is_main = task->pid == task->tid && task->start_ns < from_ns;
		} else {
			const struct thread_source *source = work->source = &callers->sources[i];
			uint64_t end_ticks = source->record->end_ticks;

			time->start_ns = larger(source_first_ns(source), from_ns);
			time->end_ns = larger(source_last_ns(source), time->start_ns);
			if (end_ticks)
				time->end_ns = larger(time->end_ns, source_ns(source, end_ticks));
			time->calls = source->sums->calls;
			work->is_main = source->pid == source->tid;
		}
		nbursts = work_bursts(activity, work, from_ns, bursts);
		work->sum_ns = sum_bursts(bursts, nbursts, INT64_MAX);
		time->times.ns[CAT_OTHER] = work->sum_ns;
		dense_interval(bursts, nbursts, &start, &work->done_ns);
		count++;
	}
	roles_assign(times, count, 0, roles);
	for (size_t i = 0; i < count; i++)
		works[i].role = roles[i];
	SORT(works, count, compare_done);
	EACH_ROW(work, works, count) {
		if (work->role != ROLE_PARTICIPANT)
			continue;
		/* a main thread that computes only when all others are done, and for no longer than
		 * a program needs to end, has waited for them */
		if (work->is_main && work->sum_ns < START_CPU_NS &&
		    sum_bursts(bursts, work_bursts(activity, work, from_ns, bursts), *end_ns) *
				    PARTICIPANT_ONE_IN <
			    busiest_ns)
			continue;
		*end_ns = larger(*end_ns, work->done_ns);
		busiest_ns = larger(busiest_ns, work->sum_ns);
	}
}

/* Returns the CPU time of all tasks within [from_ns, to_ns]. */
static int64_t tasks_cpu_ns(const struct cpu_activity *activity, int64_t from_ns, int64_t to_ns)
{
	int64_t sum = 0;

	EACH_ROW(task, activity->tasks, activity->ntasks)
		sum += activity_between(activity, task, from_ns, to_ns).on_cpu_ns;
	return sum;
}

/* Returns the CPU time that processes which call BLAS are known to have used before when_ns. */
static int64_t cpu_before_ns(struct records *records, int64_t when_ns)
{
	const struct clock_line *line = &records->frame.line;
	int64_t sum = 0;

	EACH_ROW(file, records->files, records->count) {
		const struct thread_record *thread;
		int64_t used = 0;

		EACH_RECORD(thread, &file->file, CHUNK_THREADS)
			if (clock_line_ns(line, thread->first_ticks) <= when_ns)
				used = larger(used, thread->process_cpu_ns);
		for (size_t j = 0; j < file->ngaps; j++)
			if (clock_line_ns(line, file->gaps[j].end) <= when_ns)
				used = larger(used, file->gaps[j].process_cpu_ns);
		sum += smaller(used, INT64_MAX / 1024);
	}
	return sum;
}

/* Sets the run's CPU time and the part of it inside the ROI, as far as they are known. */
static void measure_share(struct records *records, const struct collect_roi *roi, struct run *run)
{
	const struct thread_frame *frame = &records->frame;

	if (frame->activity) {
		run->cpu_ns = tasks_cpu_ns(frame->activity, 0, INT64_MAX);
		run->roi_cpu_ns =
			tasks_cpu_ns(frame->activity, frame->roi_start_ns, frame->roi_end_ns);
	} else if (roi->cpu_ns > 0) {
		run->cpu_ns = roi->cpu_ns;
		run->roi_cpu_ns =
			larger(roi->cpu_ns - cpu_before_ns(records, frame->roi_start_ns), 0);
	}
}

/* Returns 1 if the interval of the calls is too small to be the region. All ranks of an MPI job
 * must measure the same, so there the interval is always kept. */
static int is_minor(const struct run *run)
{
	return (double)run->roi_cpu_ns < SHARE_MIN * (double)run->cpu_ns &&
	       run->cpu_ns - run->roi_cpu_ns > START_CPU_NS && !run_fact(run, "mpi.rank");
}

void roi_find(const struct collect_roi *roi, struct records *records, struct run *run)
{
	struct thread_frame *frame = &records->frame;
	struct callers callers = {0};
	int found;
	uint64_t call_ticks = 0;

	find_callers(records, &callers);
	found = (frame->region ? find_all : find_dense)(&callers, &frame->roi_start_ns,
							&frame->roi_end_ns);
	for (size_t i = 0; i < callers.count; i++)
		call_ticks += callers.sources[i].sums->in[IN_BLAS].ticks;
	if (found && !frame->region)
		find_end(frame->activity, &callers, run_blas_is_single(run), frame->roi_start_ns,
			 &frame->roi_end_ns);
	free(callers.sources);
	idmap_free(&callers.tids);
	if (!found && (!frame->activity || frame->region || roi->kind == COLLECT_CALLS))
		return;
	measure_share(records, roi, run);
	if (roi->kind == COLLECT_BEST && frame->activity && !run_fact(run, "mpi.rank") &&
	    (double)clock_line_span_ns(&frame->line, call_ticks) <
		    STRAY_CALLS_MAX * (double)run->cpu_ns &&
	    !is_minor(run))
		found = 0;
	if (found && roi->kind == COLLECT_BEST && is_minor(run)) {
		run_add_note(run, "roi_process", "%.2g %%",
			     100.0 * (double)run->roi_cpu_ns / (double)run->cpu_ns);
		found = 0;
	}
	if (found && roi->kind != COLLECT_PROCESS)
		return;
	/* without an interval, samples may still show matrix work outside BLAS calls */
	if (!found)
		snprintf(run->roi, sizeof run->roi, "process");
	frame->roi_start_ns = roi->started_ns;
	frame->roi_end_ns = larger(roi->ended_ns, frame->roi_end_ns);
	run->roi_cpu_ns = run->cpu_ns;
}
