/* collect_probes.c: adds the calls that uprobes saw to the run: threads, processes and shapes. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/string_pool.h"
#include "base/array.h"
#include "sampling/sampler.h"
#include "wire/clock.h"

/* Adds the thread, and its process if that has no row yet. */
static void add_thread(const struct sampler *sampler, const struct task *task,
		       const struct probe_thread *calls, const struct cpu_activity *activity,
		       int64_t start_ns, int64_t end_ns, int rank, struct run *run)
{
	const struct probe_cost *cost = &sampler->probe_cost;
	const struct active_task *active =
		activity_find(activity, task->pid, task->tid, task->start_ns, task->end_ns);
	int64_t first_ns = calls->first_ns - start_ns;
	struct run_thread *row = run_add_thread(run);
	struct task_times off = {0};
	struct run_process *process;
	struct raw_times raw;
	size_t at = 0;

	if (active)
		off = activity_between(activity, active, start_ns, end_ns);
	while (at < run->nprocesses && run->processes[at].pid != task->pid)
		at++;
	if (at == run->nprocesses)
		timeline_add_process(&sampler->timeline, task, rank, run)->intercepted = 1;
	row->pid = task->pid;
	row->tid = task->tid;
	row->process = (int)at;
	memcpy(row->name, task->name, sizeof row->name);
	row->calls = calls->calls;
	row->flops = calls->flops;
	row->start_ns = task->start_ns > start_ns ? task->start_ns - start_ns : 0;
	row->end_ns = row->start_ns + overlap_ns(task->start_ns, task->end_ns, start_ns, end_ns);
	raw = (struct raw_times){
		.span_ns = row->end_ns - row->start_ns,
		.in = {[CAT_BLAS] = {calls->inside_ns, calls->waiting_ns, calls->preempted_ns},
		       [CAT_OTHER] = {0, off.waiting_ns - calls->waiting_ns,
				      off.preempted_ns - calls->preempted_ns}},
		.own_inside_ns = (double)calls->calls * cost->inside_ns,
		.own_outside_ns = (double)calls->calls * cost->outside_ns,
	};
	row->own_ns = time_split_add_raw(&row->times, &raw);
	process = &run->processes[at];
	process->start_ns = process->calls ? smaller(process->start_ns, first_ns) : first_ns;
	process->end_ns = larger(process->end_ns, calls->last_ns - start_ns);
	process->calls += row->calls;
}

void sampler_collect_calls(const struct sampler *sampler, const struct collect_roi *roi,
			   const struct cpu_activity *activity, struct run *run,
			   struct collected *collected)
{
	const struct timeline *timeline = &sampler->timeline;
	const struct probe_calls *calls = &timeline->probe_calls;
	const struct probe_cost *cost = &sampler->probe_cost;
	unsigned long long shapeless = 0;
	const char *more = "";
	int64_t start_ns = calls->first_ns, end_ns = calls->last_ns;
	int full = 0;

	if (!sampler->nprobed)
		return;
	if (roi->kind == COLLECT_PROCESS && end_ns) {
		start_ns = roi->started_ns;
		end_ns = roi->ended_ns;
	}
	for (size_t i = 0; i < timeline->ntasks && i < calls->nthreads; i++)
		if (calls->threads[i].calls)
			add_thread(sampler, &timeline->tasks[i], &calls->threads[i], activity,
				   start_ns, end_ns, collected->rank, run);
	for (size_t i = 0; i < calls->nrows; i++) {
		const struct probe_row *probed = &calls->rows[i];
		struct run_shape *row;

		if (!probed->row.calls)
			continue;
		row = table_add(&run_tables[RUN_PART_SHAPES], run);
		*row = probed->row;
		shape_set_routine(&row->shape, probed->id);
		row->histogram = histogram_of(probed->histogram);
		full |= row->shape.other_shapes;
		if (i < calls->nroutines && !row->shape.other_shapes)
			shapeless += row->calls;
	}
	if (full)
		run_add_note(run, "shape_table_full", "%d for all routines", PROBE_SHAPES_MAX);
	run->roi_ns = end_ns - start_ns;
	if (start_ns)
		run->roi_started_ns =
			start_ns + clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	run->call_inside_ns = cost->inside_ns;
	run->call_outside_ns = cost->outside_ns;
	run_add_fact(run, "uprobes", string_printf("%zu", sampler->nprobed));
	run_drop_notes(run, "static_program"); /* it says that no call can be seen */
	if (shapeless)
		more = string_printf(", %llu calls have no shape", shapeless);
	run_add_note(run, "uprobes", "%zu routines, %.1f us a call on a loop of empty ones%s",
		     sampler->nprobed, (cost->inside_ns + cost->outside_ns) * 1e-3, more);
	collected->records.frame.roi_start_ns = start_ns;
	collected->records.frame.roi_end_ns = end_ns;
}
