/* thread_times.c: from a thread's raw record to its times inside the region of interest. */
/* SPDX-License-Identifier: MIT */
#include "calls/thread_times.h"

static int64_t at_least_0(int64_t x)
{
	return x > 0 ? x : 0;
}

static int64_t at_most(int64_t x, int64_t most)
{
	return x < most ? x : most;
}

/* From 0 to what no thread reaches: damaged records hold anything. */
static int64_t sound(int64_t ns)
{
	return at_most(at_least_0(ns), INT64_MAX / 64);
}

static int64_t inside_roi(const struct thread_frame *frame, uint64_t ticks)
{
	int64_t ns = clock_line_ns(&frame->line, ticks);

	return at_most(ns > frame->roi_start_ns ? ns : frame->roi_start_ns, frame->roi_end_ns);
}

/* A stretch in which the thread made no call and of which only CPU and run-queue time are known. */
struct stretch {
	int64_t wall_ns, cpu_ns, run_delay_ns;
};

static void add_stretch(struct run_thread *thread, struct stretch stretch)
{
	int64_t cpu = at_most(at_least_0(stretch.cpu_ns), stretch.wall_ns);
	int64_t delay = at_most(at_least_0(stretch.run_delay_ns), stretch.wall_ns - cpu);

	thread->times.ns[CAT_OTHER] += cpu;
	thread->times.ns[CAT_NO_CPU] += delay;
	thread->times.ns[CAT_WAITING] += stretch.wall_ns - cpu - delay;
}

/* Before the first call. The record's making is the profiler's own. */
static int64_t add_lead(const struct thread_frame *frame, const struct thread_record *record,
			const struct task_start *task, struct run_thread *thread)
{
	int64_t first = inside_roi(frame, record->first_ticks);
	int64_t attach = clock_line_span_ns(&frame->line, record->attach_ticks);
	struct stretch lead = {0, sound(record->first_cpu_ns), sound(record->first_run_delay_ns)};
	int64_t start = frame->roi_start_ns;

	if (task && task->cpu_ns <= lead.cpu_ns) {
		lead.cpu_ns -= sound(task->cpu_ns);
		lead.run_delay_ns -= sound(task->run_delay_ns);
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
			int64_t last, struct run_thread *thread)
{
	int64_t end = frame->roi_end_ns;
	struct stretch tail = {0, 0, 0};

	if (record->end_ticks) {
		int64_t since = last - clock_line_ns(&frame->line, record->read_ticks);

		tail.cpu_ns =
			sound(record->end_cpu_ns) - sound(record->read_cpu_ns) - at_least_0(since);
		tail.run_delay_ns =
			sound(record->end_run_delay_ns) - sound(record->read_run_delay_ns);
		end = at_most(end, clock_line_ns(&frame->line, record->end_ticks));
	}
	end = end > last ? end : last;
	tail.wall_ns = end - last;
	add_stretch(thread, tail);
	return end;
}

static int64_t cost_ns(uint64_t calls, double one_ns, int64_t most_ns)
{
	double ns = (double)calls * one_ns;

	return ns < (double)most_ns ? (int64_t)ns : most_ns;
}

/* Exact but for the profiler's own cost, which is taken out of BLAS and of the gaps by calibration,
 * and of neither beyond what is there. */
void thread_add_sums(const struct thread_frame *frame, const struct call_sums *sums,
		     int64_t span_ns, int64_t booking_ns, struct run_thread *thread)
{
	int64_t in = at_most(clock_line_span_ns(&frame->line, sums->blas_ticks), span_ns);
	int64_t booking = at_most(booking_ns, span_ns - in);
	int64_t mpi =
		at_most(clock_line_span_ns(&frame->line, sums->mpi_ticks), span_ns - in - booking);
	int64_t gap = span_ns - in - booking - mpi;
	int64_t inside = cost_ns(sums->calls, frame->call_inside_ns, span_ns);
	int64_t outside = cost_ns(sums->calls, frame->call_outside_ns, span_ns);
	int64_t preempted_in = at_most(at_least_0(sums->blas_preempted_ns), in);
	int64_t preempted_mpi = at_most(at_least_0(sums->mpi_preempted_ns), mpi);
	int64_t preempted_out = at_most(at_least_0(sums->gap_preempted_ns), gap);
	int64_t waiting = at_most(at_least_0(sums->gap_waiting_ns), gap - preempted_out);
	int64_t queued = clock_line_span_ns(&frame->line, sums->queue_ticks) - preempted_in;
	int64_t blocked = at_least_0(sums->blas_waiting_ns);

	inside = at_most(inside, in - preempted_in);
	outside = at_most(outside, gap - preempted_out - waiting);
	thread->times.ns[CAT_BLAS] += in - preempted_in - inside;
	thread->times.blas_waiting_ns +=
		at_most(blocked > queued ? blocked : queued, in - preempted_in - inside);
	thread->times.ns[CAT_OTHER] += gap - preempted_out - waiting - outside;
	thread->times.ns[CAT_WAITING] += waiting;
	thread->times.ns[CAT_MPI] += mpi - preempted_mpi;
	thread->times.ns[CAT_NO_CPU] += preempted_in + preempted_mpi + preempted_out;
	thread->own_ns += booking + inside + outside;
}

void thread_times(const struct thread_frame *frame, const struct thread_record *record,
		  const struct call_sums *sums, const struct task_start *task,
		  struct run_thread *thread)
{
	int64_t booking = clock_line_span_ns(&frame->line, record->own_ticks), first, last, span;

	if (frame->region) {
		span = clock_line_span_ns(&frame->line, sums->blas_ticks + sums->gap_ticks +
								sums->mpi_ticks +
								record->own_ticks);
		thread->start_ns = 0;
		thread->end_ns = span;
		thread_add_sums(frame, sums, span, booking, thread);
		return;
	}
	first = inside_roi(frame, record->first_ticks);
	last = inside_roi(frame, record->last_ticks);
	last = last > first ? last : first;
	span = last - first;
	thread->start_ns = add_lead(frame, record, task, thread) - frame->roi_start_ns;
	thread_add_sums(frame, sums, span, booking, thread);
	thread->end_ns = add_tail(frame, record, last, thread) - frame->roi_start_ns;
}
