/* thread_times.c: from a thread's raw record to its times inside the region of interest. */
/* SPDX-License-Identifier: MIT */
#include "calls/thread_times.h"

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* From 0 to what no thread reaches: damaged records hold anything. */
static int64_t sound(int64_t ns)
{
	return smaller(larger(ns, 0), INT64_MAX / 64);
}

/* Moves up to `wanted` out of *left. */
static int64_t take(int64_t *left, double wanted)
{
	int64_t taken = wanted < (double)*left ? (int64_t)wanted : *left;

	taken = larger(taken, 0);
	*left -= taken;
	return taken;
}

static int64_t take_ns(int64_t *left, int64_t wanted)
{
	int64_t taken = larger(smaller(wanted, *left), 0);

	*left -= taken;
	return taken;
}

int64_t time_split_add_raw(struct time_split *split, const struct raw_times *raw)
{
	int64_t left = raw->span_ns, blas = take_ns(&left, raw->in[CAT_BLAS].ns);
	int64_t own = take_ns(&left, raw->booking_ns), no_cpu_in_blas, queued, on_blas;

	/* who waits for another rank would wait on a CPU just as long */
	for (int i = 0; i < CAT_COUNT; i++)
		if (i != CAT_BLAS && i != CAT_OTHER)
			split->ns[i] += take_ns(&left, raw->in[i].ns);
	no_cpu_in_blas = take_ns(&blas, raw->in[CAT_BLAS].preempted_ns);
	own += take(&blas, raw->own_inside_ns);
	queued = raw->queue_ns - no_cpu_in_blas;
	on_blas = blas;
	split->blas_waiting_ns += take_ns(&on_blas, larger(raw->in[CAT_BLAS].waiting_ns, queued));
	split->ns[CAT_BLAS] += blas;
	split->ns[CAT_NO_CPU] += no_cpu_in_blas + take_ns(&left, raw->in[CAT_OTHER].preempted_ns);
	split->ns[CAT_WAITING] += take_ns(&left, raw->in[CAT_OTHER].waiting_ns);
	own += take(&left, raw->own_outside_ns);
	split->ns[CAT_OTHER] += left;
	return own;
}

static struct raw_times raw_of(const struct thread_frame *frame, const struct call_sums *sums,
			       int64_t span_ns, int64_t booking_ns)
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
		ticks += sums->in[i].ticks;
	return ticks;
}

struct time_split sums_times(const struct thread_frame *frame, const struct call_sums *sums)
{
	struct raw_times raw =
		raw_of(frame, sums, clock_line_span_ns(&frame->line, all_ticks(sums)), 0);
	struct time_split split = {0};

	time_split_add_raw(&split, &raw);
	return split;
}

static int64_t inside_roi(const struct thread_frame *frame, uint64_t ticks)
{
	int64_t ns = clock_line_ns(&frame->line, ticks);

	return smaller(larger(ns, frame->roi_start_ns), frame->roi_end_ns);
}

/* Time in which the thread made no call and of which only CPU and run-queue time are known. */
static void add_idle(struct run_thread *thread, int64_t wall_ns, int64_t cpu_ns,
		     int64_t run_delay_ns)
{
	thread->times.ns[CAT_OTHER] += take_ns(&wall_ns, cpu_ns);
	thread->times.ns[CAT_NO_CPU] += take_ns(&wall_ns, run_delay_ns);
	thread->times.ns[CAT_WAITING] += wall_ns;
}

/* Before the first call. The record's making is the profiler's own. Returns when it began. */
static int64_t add_lead(const struct thread_frame *frame, const struct thread_record *record,
			const struct task_start *task, struct run_thread *thread)
{
	int64_t first = inside_roi(frame, record->first_ticks);
	int64_t attach = clock_line_span_ns(&frame->line, record->attach_ticks);
	int64_t cpu = sound(record->first_cpu_ns), delay = sound(record->first_run_delay_ns);
	int64_t start = frame->roi_start_ns;

	if (task && task->cpu_ns <= cpu) {
		cpu -= sound(task->cpu_ns);
		delay -= sound(task->run_delay_ns);
	} else if (first - cpu - delay > start) {
		start = first - cpu - delay; /* it is at least that old */
	}
	start = smaller(start, first);
	attach = smaller(attach, first - start);
	thread->own_ns += attach;
	add_idle(thread, first - start - attach, cpu - attach, delay);
	return start;
}

/* After the last call, to the thread's end or the ROI's, which is returned. */
static int64_t add_tail(const struct thread_frame *frame, const struct thread_record *record,
			int64_t last, struct run_thread *thread)
{
	int64_t end = frame->roi_end_ns, cpu = 0, delay = 0;

	if (record->end_ticks) {
		int64_t since = last - clock_line_ns(&frame->line, record->read_ticks);

		cpu = sound(record->end_cpu_ns) - sound(record->read_cpu_ns) - larger(since, 0);
		delay = sound(record->end_run_delay_ns) - sound(record->read_run_delay_ns);
		end = smaller(end, clock_line_ns(&frame->line, record->end_ticks));
	}
	end = larger(end, last);
	add_idle(thread, end - last, cpu, delay);
	return end;
}

void thread_times(const struct thread_frame *frame, const struct thread_record *record,
		  const struct call_sums *sums, const struct task_start *task,
		  struct run_thread *thread)
{
	int64_t booking = clock_line_span_ns(&frame->line, record->own_ticks);
	int64_t first = inside_roi(frame, record->first_ticks);
	int64_t last = larger(inside_roi(frame, record->last_ticks), first);
	int64_t span = frame->region ? clock_line_span_ns(&frame->line,
							  all_ticks(sums) + record->own_ticks)
				     : last - first;
	struct raw_times raw = raw_of(frame, sums, span, booking);

	thread->own_ns += time_split_add_raw(&thread->times, &raw);
	thread->start_ns = 0;
	thread->end_ns = span;
	if (frame->region)
		return;
	thread->start_ns = add_lead(frame, record, task, thread) - frame->roi_start_ns;
	thread->end_ns = add_tail(frame, record, last, thread) - frame->roi_start_ns;
}
