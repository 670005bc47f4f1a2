/* activity.c: when each thread of the program had a CPU, by the kernel's switch records. */
/* SPDX-License-Identifier: MIT */
#include "calls/activity.h"

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

/* The first of the task's spans that ends after then. */
static size_t first_after(const struct cpu_activity *activity, const struct active_task *task,
			  int64_t when_ns)
{
	const struct off_span *spans = activity->spans + task->first;

	return task->first + ARRAY_BOUND(task->count, i, spans[i].end_ns <= when_ns);
}

/* Spans overlap where the log of a long run is kept by slices of time: nothing counts twice. */
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
