/* thread_times.c: computes a thread's times inside the region of interest from its record. */
/* SPDX-License-Identifier: MIT */
#include "calls/records.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

const struct active_task *activity_find(const struct cpu_activity *activity, int64_t pid,
					int64_t tid, int64_t from_ns, int64_t to_ns)
{
	size_t at = ARRAY_BOUND(activity->ntasks, i, activity->tasks[i].tid < tid);

	for (; at < activity->ntasks && activity->tasks[at].tid == tid; at++) {
		const struct active_task *task = &activity->tasks[at];

		if (task->pid == pid && task->start_ns <= to_ns && task->end_ns >= from_ns)
			return task;
	}
	return NULL;
}

/* Returns the index of the first of the task's spans that ends after when_ns. */
static size_t first_after(const struct cpu_activity *activity, const struct active_task *task,
			  int64_t when_ns)
{
	const struct off_span *spans = activity->spans + task->first;

	return task->first + ARRAY_BOUND(task->count, i, spans[i].end_ns <= when_ns);
}

/* Spans may overlap, because the log of a long run is kept by slices of time; overlaps count once.
 */
struct task_times activity_between(const struct cpu_activity *activity,
				   const struct active_task *task, int64_t from_ns, int64_t to_ns)
{
	int64_t from = larger(from_ns, task->start_ns), to = smaller(to_ns, task->end_ns);
	size_t end = task->first + task->count;
	struct task_times times = {0};

	times.on_cpu_ns = larger(to - from, 0);
	for (size_t i = first_after(activity, task, from); i < end && from < to; i++) {
		const struct off_span *span = &activity->spans[i];
		int64_t start = larger(span->start_ns, from),
			off = smaller(span->end_ns, to) - start;

		if (off <= 0)
			continue;
		*(span->is_waiting ? &times.waiting_ns : &times.preempted_ns) += off;
		times.on_cpu_ns -= off;
		from = start + off;
	}
	return times;
}

size_t activity_bursts(const struct cpu_activity *activity, const struct active_task *task,
		       int64_t from_ns, struct burst *bursts)
{
	int64_t at = larger(from_ns, task->start_ns);
	size_t count = 0, end = task->first + task->count;

	for (size_t i = first_after(activity, task, at); i <= end; i++) {
		int64_t until =
			i < end ? smaller(activity->spans[i].start_ns, task->end_ns) : task->end_ns;

		if (until > at)
			bursts[count++] = (struct burst){at, until, (double)(until - at)};
		if (i < end)
			at = larger(at, activity->spans[i].end_ns);
	}
	return count;
}

void activity_free(struct cpu_activity *activity)
{
	free(activity->tasks);
	free(activity->spans);
	*activity = (struct cpu_activity){0};
}

/* Limits a time from a record, which may be damaged, to 0 and a limit that no thread reaches. */
static int64_t limit_ns(int64_t ns)
{
	return smaller(larger(ns, 0), INT64_MAX / 64);
}

/* Subtracts up to `wanted` from *left, which stays at least 0, and returns the amount. */
static int64_t take(int64_t *left, double wanted)
{
	int64_t taken = larger(wanted < (double)*left ? (int64_t)wanted : *left, 0);

	*left -= taken;
	return taken;
}

int64_t time_split_add_raw(struct time_split *split, const struct raw_times *raw)
{
	int64_t left = raw->span_ns, blas = take(&left, raw->in[CAT_BLAS].ns);
	int64_t own = take(&left, raw->booking_ns), no_cpu_in_blas, queued, on_blas;

	/* a wait for another rank would take as long with a CPU, so it counts as a whole */
	for (int i = 0; i < CAT_COUNT; i++)
		if (i != CAT_BLAS && i != CAT_OTHER)
			split->ns[i] += take(&left, raw->in[i].ns);
	no_cpu_in_blas = take(&blas, raw->in[CAT_BLAS].preempted_ns);
	own += take(&blas, raw->own_inside_ns);
	queued = raw->queue_ns - no_cpu_in_blas;
	on_blas = blas;
	split->blas_waiting_ns += take(&on_blas, larger(raw->in[CAT_BLAS].waiting_ns, queued));
	split->ns[CAT_BLAS] += blas;
	split->ns[CAT_NO_CPU] += no_cpu_in_blas + take(&left, raw->in[CAT_OTHER].preempted_ns);
	split->ns[CAT_WAITING] += take(&left, raw->in[CAT_OTHER].waiting_ns);
	own += take(&left, raw->own_outside_ns);
	split->ns[CAT_OTHER] += left;
	return own;
}

static struct raw_times make_raw_times(const struct thread_frame *frame,
				       const struct call_sums *sums, int64_t span_ns,
				       int64_t booking_ns)
{
#define CATEGORY(category) CAT_##category,
	static const enum category categories[ACTIVITY_COUNT] = {ACTIVITIES(CATEGORY)};
	const struct clock_line *line = &frame->line;
	struct raw_times raw = {
		.span_ns = span_ns,
		.booking_ns = booking_ns,
		.queue_ns = clock_line_span_ns(line, sums->queue_ticks),
		.own_inside_ns = (double)sums->calls * frame->call_inside_ns,
		.own_outside_ns = (double)sums->calls * frame->call_outside_ns,
	};

	for (int i = 0; i < ACTIVITY_COUNT; i++) {
		enum category category = categories[i];

		raw.in[category].ns = clock_line_span_ns(line, sums->in[i].ticks);
		raw.in[category].waiting_ns = sums->in[i].waiting_ns;
		raw.in[category].preempted_ns = sums->in[i].preempted_ns;
	}
	return raw;
}

static uint64_t all_ticks(const struct call_sums *sums)
{
	uint64_t ticks = 0;

	for (int i = 0; i < ACTIVITY_COUNT; i++)
		ticks += i == IN_SPIN ? 0 : sums->in[i].ticks;
	return ticks;
}

struct time_split sums_times(const struct thread_frame *frame, const struct call_sums *sums)
{
	struct raw_times raw =
		make_raw_times(frame, sums, clock_line_span_ns(&frame->line, all_ticks(sums)), 0);
	struct time_split split = {0};

	time_split_add_raw(&split, &raw);
	return split;
}

static int64_t clip(const struct thread_source *source, int64_t ns)
{
	return smaller(larger(ns, source->frame->roi_start_ns), source->frame->roi_end_ns);
}

int64_t source_first_ns(const struct thread_source *source)
{
	return source_ns(source, source->record->first_ticks);
}

int64_t source_last_ns(const struct thread_source *source)
{
	int64_t last = source_ns(source, source->record->last_ticks);

	return larger(last, source_first_ns(source));
}

int64_t source_tail_cpu_ns(const struct thread_source *source)
{
	const struct thread_record *record = source->record;
	int64_t since = source_last_ns(source) - source_ns(source, record->read_ticks);

	if (!record->end_ticks)
		return -1;
	return larger(
		limit_ns(record->end_cpu_ns) - limit_ns(record->read_cpu_ns) - larger(since, 0), 0);
}

/* The sums of a thread at some time. */
struct progress {
	struct call_sums sums;
	uint64_t own_ticks;
};

static uint64_t increase(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static int64_t increase_ns(int64_t now, int64_t before)
{
	return larger(limit_ns(now) - limit_ns(before), 0);
}

/* Returns the increase since `before`, multiplied by `part`. */
static struct progress progress_since(const struct progress *now, const struct progress *before,
				      double part)
{
	struct progress done = *now;

#define PART(amount) ((uint64_t)((double)(amount)*part))
	done.own_ticks = PART(increase(now->own_ticks, before->own_ticks));
	done.sums.calls = PART(increase(now->sums.calls, before->sums.calls));
	done.sums.queue_ticks = PART(increase(now->sums.queue_ticks, before->sums.queue_ticks));
	for (int i = 0; i < ACTIVITY_COUNT; i++) {
		done.sums.in[i].ticks =
			PART(increase(now->sums.in[i].ticks, before->sums.in[i].ticks));
		done.sums.in[i].waiting_ns = (int64_t)PART(
			increase_ns(now->sums.in[i].waiting_ns, before->sums.in[i].waiting_ns));
		done.sums.in[i].preempted_ns = (int64_t)PART(
			increase_ns(now->sums.in[i].preempted_ns, before->sums.in[i].preempted_ns));
	}
	return done;
}

static const struct active_task *find_active(const struct thread_source *source, int64_t from_ns,
					     int64_t to_ns)
{
	return source->frame->activity ? activity_find(source->frame->activity, source->pid,
						       source->tid, from_ns, to_ns)
				       : NULL;
}

/* Returns the part of a gap up to when_ns. */
static struct progress gap_until(const struct thread_source *source, const struct gap_record *gap,
				 int64_t when_ns)
{
	int64_t start = source_ns(source, gap->start), passed = when_ns - start;
	int64_t length = clock_line_span_ns(&source->frame->line, gap->end - gap->start);
	int64_t waiting = limit_ns(gap->waiting_ns), preempted = limit_ns(gap->preempted_ns);
	const struct active_task *task = find_active(source, start, when_ns);
	struct progress part = {0};

	if (task) {
		struct task_times times =
			activity_between(source->frame->activity, task, start, when_ns);
		int64_t off = smaller(times.waiting_ns + times.preempted_ns, waiting + preempted);
		double share = (double)preempted / (double)larger(waiting + preempted, 1);

		preempted = (int64_t)(share * (double)off);
		waiting = off - preempted;
	} else {
		int64_t off = larger(passed - (length - waiting - preempted), 0);

		preempted = smaller(preempted, off);
		waiting = smaller(waiting, off - preempted);
	}
	part.sums.in[IN_OTHER].ticks = (uint64_t)((double)passed / source->frame->line.ns_per_tick);
	part.sums.in[IN_OTHER].waiting_ns = waiting;
	part.sums.in[IN_OTHER].preempted_ns = preempted;
	return part;
}

/* Returns the sums at the start of a gap, which has recorded those at its end. */
static struct progress before_gap(const struct gap_record *gap)
{
	struct progress done = {gap->sums, gap->own_ticks};

	done.sums.in[IN_OTHER].ticks =
		increase(gap->sums.in[IN_OTHER].ticks, gap->end - gap->start);
	done.sums.in[IN_OTHER].waiting_ns =
		increase_ns(gap->sums.in[IN_OTHER].waiting_ns, gap->waiting_ns);
	done.sums.in[IN_OTHER].preempted_ns =
		increase_ns(gap->sums.in[IN_OTHER].preempted_ns, gap->preempted_ns);
	return done;
}

/* Returns the thread's sums at when_ns, by linear interpolation between two gaps. */
static struct progress progress_at(const struct thread_source *source, int64_t when_ns)
{
	struct progress done = {0}, next = {*source->sums, source->record->own_ticks}, part;
	int64_t since = source_first_ns(source), until = source_last_ns(source);

	if (when_ns <= since)
		return done;
	if (when_ns >= until)
		return next;
	EACH_ROW(gap, source->gaps, source->ngaps) {
		if (when_ns < source_ns(source, gap->start)) {
			next = before_gap(gap);
			until = source_ns(source, gap->start);
			break;
		}
		if (when_ns < source_ns(source, gap->end)) {
			done = before_gap(gap);
			part = gap_until(source, gap, when_ns);
			call_sums_add(&done.sums, &part.sums);
			return done;
		}
		done = (struct progress){gap->sums, gap->own_ticks};
		since = source_ns(source, gap->end);
	}
	part = progress_since(&next, &done,
			      when_ns < until ? (double)(when_ns - since) / (double)(until - since)
					      : 1);
	call_sums_add(&done.sums, &part.sums);
	done.own_ticks += part.own_ticks;
	return done;
}

/* Returns what the thread did between its first and last call inside the ROI. */
static struct progress progress_inside(const struct thread_source *source)
{
	const struct thread_frame *frame = source->frame;
	struct progress done = {*source->sums, source->record->own_ticks}, before;

	if (source_first_ns(source) >= frame->roi_start_ns &&
	    source_last_ns(source) <= frame->roi_end_ns)
		return done;
	before = progress_at(source, frame->roi_start_ns);
	done = progress_at(source, frame->roi_end_ns);
	return progress_since(&done, &before, 1);
}

/* Adds the parts outside the ROI of the thread's gaps in this region, or of all its gaps. */
static void add_outside(const struct thread_source *source, const uint64_t *region,
			struct call_sums *sums)
{
	EACH_ROW(gap, source->gaps, source->ngaps) {
		int64_t start = source_ns(source, gap->start);
		int64_t end = source_ns(source, gap->end);
		struct progress to_start, to_end, all;

		if (region && gap->region != *region)
			continue;
		to_start = gap_until(source, gap,
				     smaller(larger(source->frame->roi_start_ns, start), end));
		to_end = gap_until(source, gap,
				   smaller(larger(source->frame->roi_end_ns, start), end));
		all = gap_until(source, gap, end);
		all = progress_since(&all, &to_end, 1);
		call_sums_add(sums, &to_start.sums);
		call_sums_add(sums, &all.sums);
	}
}

/* The part of an amount that is kept. */
static double kept(double part, double whole)
{
	return whole > 0 && part < whole ? fmax(part, 0) / whole : 1;
}

struct time_split region_times(const struct thread_source *source,
			       const struct region_record *record)
{
	const struct thread_frame *frame = source->frame;
	struct progress rest = {.sums = *source->sums}, outside = {0}, inside;
	struct progress region = {.sums = record->sums}, region_outside = {0};

	if (frame->region || !frame->roi_end_ns) /* that is the ROI, or there is none */
		return sums_times(frame, &region.sums);
	inside = progress_inside(source);
	add_outside(source, NULL, &outside.sums);
	add_outside(source, &record->region, &region_outside.sums);
	rest = progress_since(&rest, &outside, 1);
	region = progress_since(&region, &region_outside, 1);
	for (int i = 0; i < ACTIVITY_COUNT; i++) {
		region.sums.in[i].ticks *= kept(inside.sums.in[i].ticks, rest.sums.in[i].ticks);
		region.sums.in[i].waiting_ns *=
			kept(inside.sums.in[i].waiting_ns, rest.sums.in[i].waiting_ns);
		region.sums.in[i].preempted_ns *=
			kept(inside.sums.in[i].preempted_ns, rest.sums.in[i].preempted_ns);
	}
	return sums_times(frame, &region.sums);
}

/* Adds a time in which the thread made no call. Its CPU time there was at most cpu_ns. */
static void add_idle(const struct thread_source *source, int64_t from_ns, int64_t to_ns,
		     int64_t cpu_ns, int64_t run_delay_ns, struct run_thread *thread)
{
	const struct active_task *task = find_active(source, from_ns, to_ns);
	int64_t wall_ns = to_ns - from_ns;

	if (task) {
		struct task_times times =
			activity_between(source->frame->activity, task, from_ns, to_ns);

		cpu_ns = smaller(cpu_ns, times.on_cpu_ns);
		/* this includes the time between wake-up and running */
		run_delay_ns = larger(run_delay_ns, times.preempted_ns);
	}
	thread->times.ns[CAT_OTHER] += take(&wall_ns, cpu_ns);
	thread->times.ns[CAT_NO_CPU] += take(&wall_ns, run_delay_ns);
	thread->times.ns[CAT_WAITING] += wall_ns;
}

/* Adds the time before the first call; creating the record counts as the profiler's own cost.
 * Returns the start of the thread inside the ROI. */
static int64_t add_lead(const struct thread_source *source, struct run_thread *thread)
{
	const struct thread_record *record = source->record;
	const struct task_start *task = source->task;
	int64_t first = clip(source, source_first_ns(source));
	int64_t attach = clock_line_span_ns(&source->frame->line, record->attach_ticks);
	int64_t cpu = limit_ns(record->first_cpu_ns), delay = limit_ns(record->first_run_delay_ns);
	int64_t start = source->frame->roi_start_ns;
	const struct active_task *active = find_active(source, start, first);

	if (active) {
		start = larger(start, active->start_ns);
	} else if (task && task->cpu_ns <= cpu && start >= source->process_ns) {
		cpu -= limit_ns(task->cpu_ns);
		delay -= limit_ns(task->run_delay_ns);
	} else if (first - cpu - delay > start && source->pid != source->tid) {
		start = first - cpu - delay; /* the thread is at least that old */
	}
	start = smaller(larger(start, source->program_ns), first);
	attach = smaller(attach, first - start);
	thread->own_ns += attach;
	add_idle(source, start, first - attach, cpu - attach, delay, thread);
	return start;
}

/* Adds the time after the last call, up to the end of the thread or of the ROI, and returns that
 * end.
 */
static int64_t add_tail(const struct thread_source *source, struct run_thread *thread)
{
	const struct thread_record *record = source->record;
	int64_t last = source_last_ns(source), from = clip(source, last);
	int64_t end = source->frame->roi_end_ns, delay = 0, outside = from - last;
	int64_t cpu = source_tail_cpu_ns(source);
	const struct active_task *active = find_active(source, from, end);

	if (record->end_ticks) {
		int64_t ended = source_ns(source, record->end_ticks);

		delay = limit_ns(record->end_run_delay_ns) - limit_ns(record->read_run_delay_ns);
		if (outside > 0)
			outside += larger(ended - end, 0);
		end = smaller(end, ended);
	} else if (active) {
		end = smaller(end, active->end_ns);
		cpu = INT64_MAX;
	}
	if (!active)
		cpu = larger(cpu - outside, 0);
	if (source->next_ns)
		end = smaller(end, source->next_ns);
	end = larger(end, from);
	add_idle(source, from, end, cpu, delay, thread);
	return end;
}

void thread_times(const struct thread_source *source, struct run_thread *thread)
{
	const struct thread_frame *frame = source->frame;
	struct progress done = {*source->sums, source->record->own_ticks};
	int64_t span = clip(source, source_last_ns(source)) - clip(source, source_first_ns(source));
	struct raw_times raw;

	if (frame->region)
		span = clock_line_span_ns(&frame->line, all_ticks(&done.sums) + done.own_ticks);
	else
		done = progress_inside(source);
	raw = make_raw_times(frame, &done.sums, span,
			     clock_line_span_ns(&frame->line, done.own_ticks));
	thread->own_ns += time_split_add_raw(&thread->times, &raw);
	thread->start_ns = 0;
	thread->end_ns = span;
	if (frame->region)
		return;
	thread->start_ns = add_lead(source, thread) - frame->roi_start_ns;
	thread->end_ns = add_tail(source, thread) - frame->roi_start_ns;
}
