/* thread_times.c: from a thread's raw record to its times inside the region of interest. */
/* SPDX-License-Identifier: MIT */
#include "record/thread_times.h"

static int64_t at_least_0(int64_t x)
{
	return x > 0 ? x : 0;
}

static int64_t at_most(int64_t x, int64_t most)
{
	return x < most ? x : most;
}

/* A stretch in which the thread made no call and of which only CPU and run-queue time are known. */
struct stretch {
	int64_t wall_ns, cpu_ns, run_delay_ns;
};

static void add_stretch(struct run_thread *thread, struct stretch stretch)
{
	int64_t cpu = at_most(at_least_0(stretch.cpu_ns), stretch.wall_ns);
	int64_t delay = at_most(at_least_0(stretch.run_delay_ns), stretch.wall_ns - cpu);

	thread->other_ns += cpu;
	thread->preempted_ns += delay;
	thread->waiting_ns += stretch.wall_ns - cpu - delay;
}

/* Before the first call. The record's making is the profiler's own. */
static int64_t add_lead(const struct thread_frame *frame, const struct thread_record *record,
			const struct task_start *task, struct run_thread *thread)
{
	int64_t first = clock_line_ns(&frame->line, record->first_ticks);
	int64_t attach = (int64_t)((double)record->attach_ticks * frame->line.ns_per_tick);
	struct stretch lead = {0, record->first_cpu_ns, record->first_run_delay_ns};
	int64_t start = frame->roi_start_ns;

	if (task && task->cpu_ns <= lead.cpu_ns) {
		lead.cpu_ns -= task->cpu_ns;
		lead.run_delay_ns -= task->run_delay_ns;
	} else if (first - lead.cpu_ns - lead.run_delay_ns > start) {
		start = first - lead.cpu_ns - lead.run_delay_ns; /* it is at least that old */
	}
	start = at_most(start, first);
	attach = at_most(attach, first - start);
	lead.wall_ns = first - start - attach;
	lead.cpu_ns -= attach;
	thread->own_ns += attach;
	add_stretch(thread, lead);
	return start;
}

/* After the last call, to the thread's end or the ROI's. */
static int64_t add_tail(const struct thread_frame *frame, const struct thread_record *record,
			struct run_thread *thread)
{
	int64_t last = clock_line_ns(&frame->line, record->last_ticks), end = frame->roi_end_ns;
	struct stretch tail = {0, 0, 0};

	if (record->end_ticks) {
		int64_t since = last - clock_line_ns(&frame->line, record->read_ticks);

		tail.cpu_ns = record->end_cpu_ns - record->read_cpu_ns - at_least_0(since);
		tail.run_delay_ns = record->end_run_delay_ns - record->read_run_delay_ns;
		end = at_most(end, clock_line_ns(&frame->line, record->end_ticks));
	}
	end = end > last ? end : last;
	tail.wall_ns = end - last;
	add_stretch(thread, tail);
	return end;
}

/* Exact but for the profiler's own cost, which is taken out of BLAS and of the gaps by calibration,
 * and of neither beyond what is there. */
void thread_add_sums(const struct thread_frame *frame, const struct call_sums *sums,
		     int64_t span_ns, int64_t booking_ns, struct run_thread *thread)
{
	double scale = frame->line.ns_per_tick;
	int64_t in = at_most((int64_t)((double)sums->blas_ticks * scale), span_ns);
	int64_t booking = at_most(booking_ns, span_ns - in), gap = span_ns - in - booking;
	int64_t inside = (int64_t)((double)sums->calls * frame->call_inside_ns);
	int64_t outside = (int64_t)((double)sums->calls * frame->call_outside_ns);
	int64_t preempted_in = at_most(at_least_0(sums->blas_preempted_ns), in);
	int64_t preempted_out = at_most(at_least_0(sums->gap_preempted_ns), gap);
	int64_t waiting = at_most(at_least_0(sums->gap_waiting_ns), gap - preempted_out);
	int64_t queued = (int64_t)((double)sums->queue_ticks * scale) - preempted_in;
	int64_t blocked = at_least_0(sums->blas_waiting_ns);

	inside = at_most(inside, in - preempted_in);
	outside = at_most(outside, gap - preempted_out - waiting);
	thread->blas_ns += in - preempted_in - inside;
	thread->blas_waiting_ns +=
		at_most(blocked > queued ? blocked : queued, in - preempted_in - inside);
	thread->other_ns += gap - preempted_out - waiting - outside;
	thread->waiting_ns += waiting;
	thread->preempted_ns += preempted_in + preempted_out;
	thread->own_ns += booking + inside + outside;
}

void thread_times(const struct thread_frame *frame, const struct thread_record *record,
		  const struct call_sums *sums, const struct task_start *task,
		  struct run_thread *thread)
{
	double scale = frame->line.ns_per_tick;
	int64_t booking = (int64_t)((double)record->own_ticks * scale), span;

	if (frame->region) {
		span = (int64_t)((double)(sums->blas_ticks + sums->gap_ticks + record->own_ticks) *
				 scale);
		thread->start_ns = 0;
		thread->end_ns = span;
		thread_add_sums(frame, sums, span, booking, thread);
		return;
	}
	span = clock_line_ns(&frame->line, record->last_ticks) -
	       clock_line_ns(&frame->line, record->first_ticks);
	thread->start_ns = add_lead(frame, record, task, thread) - frame->roi_start_ns;
	thread_add_sums(frame, sums, span, booking, thread);
	thread->end_ns = add_tail(frame, record, thread) - frame->roi_start_ns;
}
