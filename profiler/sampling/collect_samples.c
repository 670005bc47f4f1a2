/* collect_samples.c: adds the samples in the region of interest to the run. */
/* SPDX-License-Identifier: MIT */
#include "sampling/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "blas/blas_objects.h"
#include "model/accounting.h"
#include "sampling/collect.h"

enum { WORKER_SAMPLES_MIN = 5 };
#define TASK_SEVERAL (IDMAP_NONE - 1)
/* A process without the preload library gets a note if it has at least this share of the samples,
 * or any sample in BLAS. */
#define SHARE_MIN    0.05

/* Returns a fresh array with the kind of code of each object. BLAS are the libraries known by name,
 * those that calls were forwarded to, and the code that one of these makes at run time: if one
 * does, code without a file is assumed to be its own. */
static enum run_code *classify_objects(const struct address_table *addresses,
				       const struct collected *calls)
{
	enum run_code *code = memory_rows(addresses->nobjects, sizeof *code);
	int makes_code = 0;

	for (size_t i = 0; i < calls->nblas_objects; i++)
		makes_code |= blas_object_makes_code(calls->blas_objects[i]);
	code[OBJECT_KERNEL] = RUN_CODE_KERNEL;
	for (size_t i = OBJECTS_FIXED; i < addresses->nobjects; i++) {
		const char *path = addresses->objects[i].path;
		int is_blas = addresses->objects[i].pid
				      ? makes_code
				      : !addresses->objects[i].is_script && blas_object_known(path);

		for (size_t j = 0; j < calls->nblas_objects && !is_blas; j++) {
			FREED char *resolved = realpath(calls->blas_objects[j], NULL);

			is_blas = !strcmp(path, calls->blas_objects[j]) ||
				  (resolved && !strcmp(path, resolved));
		}
		code[i] = is_blas ? RUN_CODE_BLAS : RUN_CODE_OTHER;
	}
	return code;
}

COMPARE(compare_tasks, struct active_task, ORDER(a->tid, b->tid) ?: ORDER(a->start_ns, b->start_ns))
COMPARE(compare_spans, struct off_span, ORDER(a->task, b->task) ?: ORDER(a->end_ns, b->end_ns))

void sampler_activity(const struct sampler *sampler, const struct collected *calls,
		      struct cpu_activity *activity)
{
	const struct timeline *timeline = &sampler->timeline;
	const struct address_table *addresses = &timeline->addresses;
	FREED enum run_code *code = classify_objects(addresses, calls);

	EACH_ROW(task, timeline->tasks, timeline->ntasks) {
		struct active_task row = {.pid = task->pid,
					  .tid = task->tid,
					  .start_ns = task->start_ns,
					  .end_ns = task->end_ns};

		memory_append(&activity->tasks, &activity->ntasks, sizeof row, &row);
	}
	EACH_ROW(entry, timeline->log.entries, timeline->log.count) {
		struct active_task *task = &activity->tasks[entry->task];
		uint32_t object;

		if (log_is_off_cpu(entry)) {
			struct off_span span = {entry->time_ns - (int64_t)entry->count,
						entry->time_ns, entry->task,
						entry->address == LOG_WAITING};

			memory_append(&activity->spans, &activity->nspans, sizeof span, &span);
			continue;
		}
		object = address_object(addresses->keys[entry->address]);
		if (object == OBJECT_UNKNOWN)
			continue;
		*(code[object] == RUN_CODE_BLAS	    ? &task->samples_blas
		  : code[object] == RUN_CODE_KERNEL ? &task->samples_kernel
						    : &task->samples_other) += entry->count;
	}
	SORT(activity->spans, activity->nspans, compare_spans);
	for (size_t i = 0; i < activity->nspans; i++) {
		struct active_task *task = &activity->tasks[activity->spans[i].task];

		if (!task->count++)
			task->first = i;
	}
	SORT(activity->tasks, activity->ntasks, compare_tasks);
}

static int is_inside(const struct collection *c, const struct log_entry *entry)
{
	return entry->time_ns >= c->start_ns && entry->time_ns <= c->end_ns;
}

int is_counted(const struct collection *c, const struct log_entry *entry)
{
	return !log_is_off_cpu(entry) && is_inside(c, entry) &&
	       address_object(c->addresses->keys[entry->address]) != OBJECT_UNKNOWN;
}

int64_t off_cpu_inside_ns(const struct collection *c, const struct log_entry *entry)
{
	const struct task_sum *sum = &c->sums[entry->task];

	return overlap_ns(entry->time_ns - (int64_t)entry->count, entry->time_ns, sum->start_ns,
			  sum->end_ns);
}

/* Counts the samples in the region by address and stack, and the times off the CPU by task. */
static void count_entries(struct collection *c)
{
	EACH_ROW(entry, c->log->entries, c->log->count) {
		struct task_sum *sum = &c->sums[entry->task];

		if (log_is_off_cpu(entry)) {
			int64_t off_ns = off_cpu_inside_ns(c, entry);

			*(entry->address == LOG_WAITING ? &sum->waiting_ns : &sum->preempted_ns) +=
				off_ns;
			sum->own_ns += (double)off_ns * (double)entry->own;
			if (off_ns > 0 && entry->stack != STACK_NONE)
				c->stack_used[entry->stack] = 1;
		} else if (!is_counted(c, entry)) {
			*(is_inside(c, entry) ? &c->run->samples_unknown
					      : &c->run->samples_outside_roi) += entry->count;
		} else {
			uint32_t tid = c->timeline->tasks[entry->task].tid;
			struct address_count *count = &c->counts[entry->address];

			c->run->samples_attributed += entry->count;
			count->all += entry->count;
			count->thread =
				!count->thread || count->thread == tid ? tid : THREAD_SEVERAL;
			if (entry->stack != STACK_NONE)
				c->stack_samples[entry->stack][!sum->calls_blas] += entry->count;
		}
	}
}

int spins_outside_blas(const struct collection *c, const struct log_entry *entry)
{
	int flags = spins_flags(&c->spins, entry);
	int in_call = c->sums[entry->task].calls_blas &&
		      (flags & SPIN_IN_BLAS || c->code[entry->address] == RUN_CODE_BLAS);

	if (flags & SPIN_OWN)
		return 0;
	return flags & SPIN_IN_MPI || (flags & SPIN_YIELDS && !in_call);
}

static uint64_t computing(const struct collection *c, uint32_t task)
{
	const uint64_t *samples = c->sums[task].samples;

	return samples[RUN_CODE_BLAS] + samples[RUN_CODE_OTHER];
}

/* Adds the samples to the sums of their tasks, by kind of code. Samples of blasprof itself are left
 * out, because its cost is not in the times either. */
static void sum_samples(struct collection *c)
{
	EACH_ROW(entry, c->log->entries, c->log->count) {
		struct task_sum *sum = &c->sums[entry->task];
		enum run_code code;
		int in_blas, spins, flags;

		if (!is_counted(c, entry))
			continue;
		flags = spins_flags(&c->spins, entry);
		spins = spins_outside_blas(c, entry);
		if (flags & SPIN_OWN)
			continue;
		if (spins)
			c->counts[entry->address].spins += entry->count;
		if (flags & SPIN_IN_MPI) {
			sum->in_mpi += entry->count;
			continue;
		}
		code = c->code[entry->address];
		in_blas = code == RUN_CODE_BLAS || flags & SPIN_IN_BLAS;
		if (in_blas)
			sum->in_blas += entry->count;
		/* entries of a slice are in no order */
		sum->spins_again += spins && !c->log->slice_ns ? entry->count - !sum->spun : 0;
		sum->spun = spins;
		if (spins) {
			sum->samples[RUN_CODE_SPIN] += entry->count;
			continue;
		}
		/* what BLAS calls is part of its calls, as in intercepted time */
		if (in_blas && sum->calls_blas && code != RUN_CODE_BLAS) {
			code = RUN_CODE_BLAS;
			c->counts[entry->address].called += entry->count;
		}
		sum->samples[code] += entry->count;
		if (code == RUN_CODE_KERNEL || entry->stack == STACK_NONE)
			continue;
		if (flags & SPIN_IN_OPENMP)
			sum->in_openmp += entry->count;
		else if (!(flags & SPIN_CUT))
			sum->outside_openmp += entry->count;
	}
	for (uint32_t i = 0; i < c->timeline->ntasks; i++)
		if (computing(c, i) > c->busiest)
			c->busiest = computing(c, i);
}

/* Finds the rows of the threads that have one: the row of a task has the same pid and tid, and was
 * alive at the same time, because numbers are used again. */
static void find_rows(struct collection *c)
{
	const struct run *run = c->run;
	OWN_IDMAP last = {0}; /* tid to the last row */
	FREED uint32_t *previous =
		memory_rows(run->nthreads, sizeof *previous); /* of the same tid */

	for (uint32_t i = 0; i < run->nthreads; i++) {
		previous[i] = idmap_find(&last, (uint64_t)run->threads[i].tid);
		idmap_put(&last, (uint64_t)run->threads[i].tid, i);
	}
	for (size_t i = 0; i < c->timeline->ntasks; i++) {
		const struct task *task = &c->timeline->tasks[i];
		uint32_t at = idmap_find(&last, task->tid);
		const struct run_thread *row = NULL;

		for (; at != IDMAP_NONE; at = previous[at]) {
			row = &run->threads[at];
			if (row->pid == task->pid && row->start_ns <= task->end_ns - c->start_ns &&
			    row->end_ns >= task->start_ns - c->start_ns)
				break;
		}
		c->sums[i].row = at;
		c->sums[i].calls_blas = at != IDMAP_NONE && row->calls;
		c->sums[i].start_ns = c->start_ns;
		c->sums[i].end_ns = c->end_ns;
		if (c->sums[i].calls_blas) { /* the accounts of its time have these limits too */
			c->sums[i].start_ns += row->start_ns;
			c->sums[i].end_ns = smaller(c->end_ns, c->start_ns + row->end_ns);
		}
	}
}

static uint64_t all_samples(const struct task_sum *sum)
{
	uint64_t all = 0;

	for (int code = 0; code < RUN_CODE_COUNT; code++)
		all += sum->samples[code];
	return all;
}

/* Moves time from other code to the category so that it has this share of both, if these samples
 * show that it is more than what was measured, by more than chance explains. */
static void move_other(struct time_split *times, enum category category, double share,
		       double samples)
{
	double told_ns = (double)times->ns[category];
	double all_ns = told_ns + (double)times->ns[CAT_OTHER];
	double told = all_ns > 0 ? told_ns / all_ns : 1;

	if (told > 0 && share <= told + 3 * sqrt(told * fmax(1 - told, 0) / samples))
		return;
	times->ns[category] += (int64_t)(all_ns * share - told_ns);
	times->ns[CAT_OTHER] -= (int64_t)(all_ns * share - told_ns);
}

/* Moves the share of the time in other code that was in MPI or was spinning to its own category. In
 * MPI, only the time from the thread's first BLAS call on was measured. The clock tells
 * how many of the samples of a caller are inside its calls. If these are more than the samples
 * known to be in BLAS, by more than chance explains, then samples that spin count as inside first:
 * pools wait in the OpenMP library or in the kernel. If the OpenMP runtime has told how long the
 * thread spun, samples count only if they are more than chance adds to that: then it spins
 * elsewhere, too. Returns how many of the samples that spin were inside calls. */
static uint64_t move_spinning(const struct task_sum *sum, int is_caller, struct time_split *times)
{
	double spins = (double)sum->samples[RUN_CODE_SPIN], samples = (double)all_samples(sum);
	double mpi = (double)sum->in_mpi, outside = samples - (double)sum->samples[RUN_CODE_BLAS];
	double in_calls = 0, other_ns, calls_ns;

	if (mpi > 0)
		move_other(times, CAT_MPI, mpi / (mpi + outside), mpi + outside);
	other_ns = (double)times->ns[CAT_OTHER] + (double)times->ns[CAT_SPIN];
	calls_ns = (double)times->ns[CAT_BLAS] - (double)times->blas_waiting_ns +
		   (sum->in_mpi ? 0 : (double)times->ns[CAT_MPI]);

	if (is_caller && calls_ns + other_ns > 0) {
		double known = (double)sum->in_blas, share = calls_ns / (calls_ns + other_ns);
		double inside = samples * share, chance = 2 * sqrt(inside * (1 - share));

		inside = inside > known + chance ? inside : known;
		in_calls = fmin(spins, inside - known);
		samples -= inside;
	}
	if (spins > in_calls && samples > 0)
		move_other(times, CAT_SPIN, fmin((spins - in_calls) / samples, 1), samples);
	return (uint64_t)in_calls;
}

int takes_part(const struct collection *c, uint32_t task)
{
	return computing(c, task) >= c->busiest / PARTICIPANT_ONE_IN;
}

/* 1 if the thread computes in OpenMP's parallel regions only, or nearly so. Some stacks are
 * truncated, and do not tell. */
static int is_parallel(const struct collection *c, uint32_t task)
{
	const struct task_sum *sum = &c->sums[task];

	return sum->in_openmp > computing(c, task) / 2 &&
	       sum->outside_openmp * PARTICIPANT_ONE_IN < sum->in_openmp;
}

/* Returns 1 for a thread that makes no call, as others of its process do, and computes more in BLAS
 * code than in other code. BLAS itself started it, and outside BLAS it only waits for work. */
static int is_worker(const struct collection *c, uint32_t task)
{
	const uint64_t *samples = c->sums[task].samples;
	uint32_t process = idmap_find(&c->processes, c->timeline->tasks[task].pid);

	return process < c->run->nprocesses && c->run->processes[process].calls &&
	       !c->sums[task].calls_blas && samples[RUN_CODE_BLAS] >= WORKER_SAMPLES_MIN &&
	       samples[RUN_CODE_BLAS] + samples[RUN_CODE_KERNEL] > samples[RUN_CODE_OTHER];
}

/* Finds threads of which each is the only one in its process that computes outside the parallel
 * regions of OpenMP, where others compute too. BLAS's own threads work for their caller. */
static void find_alone(struct collection *c)
{
	OWN_IDMAP outside = {0}; /* process to its task that computes outside regions */

	for (uint32_t i = 0; i < c->timeline->ntasks; i++) {
		uint32_t pid = c->timeline->tasks[i].pid;

		if (takes_part(c, i) && !is_parallel(c, i) && !is_worker(c, i))
			idmap_put(&outside, pid,
				  idmap_find(&outside, pid) == IDMAP_NONE ? i : TASK_SEVERAL);
	}
	for (uint32_t i = 0; i < c->timeline->ntasks; i++) {
		uint32_t one = idmap_find(&outside, c->timeline->tasks[i].pid);

		if (one < TASK_SEVERAL && takes_part(c, i) && is_parallel(c, i))
			c->sums[one].is_alone = 1;
	}
}

/* Adds the tasks to the rows of their threads. A thread that made no call gets a row: the time that
 * it was not off the CPU it computed. */
static void add_tasks(struct collection *c)
{
	for (size_t i = 0; i < c->timeline->ntasks; i++) {
		const struct task *task = &c->timeline->tasks[i];
		const struct task_sum *sum = &c->sums[i];
		int64_t wall_ns = overlap_ns(task->start_ns, task->end_ns, c->start_ns, c->end_ns);
		struct run_thread *row;

		if (!wall_ns && !all_samples(sum))
			continue;
		if (sum->row != IDMAP_NONE) {
			row = &c->run->threads[sum->row];
		} else {
			int64_t *ns;

			row = run_add_thread(c->run);
			row->pid = task->pid;
			row->tid = task->tid;
			if (task->start_ns > c->start_ns)
				row->start_ns = smaller(task->start_ns, c->end_ns) - c->start_ns;
			row->end_ns = row->start_ns + wall_ns;
			ns = row->times.ns;
			ns[CAT_WAITING] = smaller(sum->waiting_ns, wall_ns);
			ns[CAT_NO_CPU] = smaller(sum->preempted_ns, wall_ns - ns[CAT_WAITING]);
			ns[CAT_OTHER] = wall_ns - ns[CAT_WAITING] - ns[CAT_NO_CPU];
		}
		if (row->process < 0) {
			row->process =
				(int)idmap_number(&c->processes, task->pid, c->run->nprocesses);
			if (row->process == (int)c->run->nprocesses)
				timeline_add_process(c->timeline, task, c->calls->rank, c->run);
		}
		row->samples_blas += sum->samples[RUN_CODE_BLAS];
		row->samples_other += sum->samples[RUN_CODE_OTHER];
		row->samples_kernel += sum->samples[RUN_CODE_KERNEL];
		row->samples_spin += sum->samples[RUN_CODE_SPIN] + sum->in_mpi;
		row->samples_spin_again += sum->spins_again;
		row->samples_alone += sum->is_alone ? sum->outside_openmp : 0;
		/* in a marked region, samples do not tell what was in it */
		if (!c->calls->records.frame.region) {
			uint64_t in_calls = move_spinning(sum, row->calls > 0, &row->times);

			if (!row->times.ns[CAT_MPI]) {
				row->samples_spin -= in_calls;
				row->samples_blas += in_calls;
			}
		}
		if (row->switch_waiting_ns < 0)
			row->switch_waiting_ns = row->switch_preempted_ns = row->switch_own_ns = 0;
		row->switch_waiting_ns += sum->waiting_ns;
		row->switch_preempted_ns += sum->preempted_ns;
		row->switch_own_ns += (int64_t)sum->own_ns;
		if (!row->name[0])
			memcpy(row->name, task->name, sizeof row->name);
	}
}

/* Notes the CPU that several threads are bound to, if these are most of those that lack a CPU
 * because of the program's own threads. */
static void note_bound_cpu(struct collection *c)
{
	double own_ns = 0, bound_ns = 0, most_ns = 0;
	int cpu = -1;

	for (size_t i = 0; i < c->timeline->ntasks; i++) {
		int pinned = c->timeline->tasks[i].pinned;
		double ns = c->sums[i].own_ns;

		own_ns += ns;
		/* a thread that has its CPU to itself among the bound ones lacks it because of
		 * others */
		if (pinned < 0 || !(c->timeline->pinned[pinned].own_ns > ns / 2))
			continue;
		bound_ns += ns;
		if (ns > most_ns) {
			most_ns = ns;
			cpu = pinned;
		}
	}
	if (bound_ns > own_ns / 2)
		run_add_fact(c->run, "bound_cpu", string_printf("%d", cpu));
}

/* Notes that no process mapped a BLAS library. */
static void note_no_blas(const struct collection *c)
{
	for (size_t i = OBJECTS_FIXED; i < c->addresses->nobjects; i++)
		if (blas_object_known(c->addresses->objects[i].path))
			return;
	if (!c->calls->nblas_objects)
		run_add_fact(c->run, "blas_loaded", "no");
}

/* Finds the threads that only help, and counts the samples of workers that do not spin by address.
 * Threads of other libraries that only spin are no participants and count as workers too. */
static void count_workers(struct collection *c)
{
	for (uint32_t i = 0; i < c->timeline->ntasks; i++)
		c->sums[i].only_helps = is_worker(c, i) || !takes_part(c, i);
	EACH_ROW(entry, c->log->entries, c->log->count)
		if (is_counted(c, entry) && is_worker(c, entry->task) &&
		    !spins_outside_blas(c, entry))
			c->counts[entry->address].workers += entry->count;
}

/* Adds a note about processes without the preload library if they matter. The note names the
 * process with most samples. A process may be too short for samples, and yet call BLAS. */
static void note_not_intercepted(const struct timeline *timeline, struct run *run)
{
	uint64_t samples = 0, missed = 0, in_blas = 0, most = 0;
	const struct run_process *typical = NULL;

	EACH_ROW(thread, run->threads, run->nthreads) {
		uint64_t own = thread->samples_blas + thread->samples_other +
			       thread->samples_kernel + thread->samples_spin;

		samples += own;
		if (thread->process < 0 || run->processes[thread->process].intercepted)
			continue;
		missed += own;
		in_blas += thread->samples_blas;
		if (own > most)
			typical = &run->processes[thread->process];
		most = own > most ? own : most;
	}
	if (typical && (in_blas || (double)missed >= SHARE_MIN * (double)samples)) {
		run_add_note(run, "process_not_intercepted",
			     "%.0f %% of the samples, most in %s (process %lld)",
			     100.0 * (double)missed / (double)samples, typical->command,
			     (long long)typical->pid);
		return;
	}
	EACH_ROW(task, timeline->tasks, timeline->ntasks)
		if (timeline->processes[task->process].has_missed) {
			run_add_note(run, "process_not_intercepted", "%s (process %u) uses BLAS",
				     task->name, task->pid);
			return;
		}
}

/* Sets the kind of code of each address. If a library has other code too, or makes code at run
 * time, the name of the function decides. */
static void classify_addresses(struct collection *c)
{
	FREED enum run_code *objects = classify_objects(c->addresses, c->calls);

	c->code = memory_rows(c->addresses->nkeys, sizeof *c->code);
	for (uint32_t i = 0; i < c->addresses->nkeys; i++) {
		const struct object *object = object_of(c->addresses, i);
		const struct symbol_frame *frames;
		int mixed = blas_object_mixed(object->path), known = !mixed;

		c->code[i] = objects[address_object(c->addresses->keys[i])];
		if (c->code[i] != RUN_CODE_BLAS || (!mixed && !object->pid))
			continue;
		for (size_t left = naming_frames(c->naming, i, &frames); left--;)
			known = mixed ? known | blas_part_known(frames[left].function)
				      : known & !blas_kernel_is_simple(frames[left].function);
		c->code[i] = known ? RUN_CODE_BLAS : RUN_CODE_OTHER;
	}
}

/* In a library that executes other work too, what callers ran outside calls is other code. */
static void classify_uncalled(struct collection *c)
{
	FREED double *uncalled = memory_rows(c->addresses->nkeys, sizeof *uncalled);

	EACH_ROW(entry, c->log->entries, c->log->count)
		if (!log_is_off_cpu(entry) && c->sums[entry->task].calls_blas)
			uncalled[entry->address] +=
				(double)entry->count * spins_is_uncalled(c, entry);
	for (uint32_t i = 0; i < c->addresses->nkeys; i++)
		if (uncalled[i] > 0)
			c->code[i] = RUN_CODE_OTHER;
}

static void name_addresses(struct collection *c)
{
	FREED uint64_t *samples = memory_rows(c->addresses->nkeys, sizeof *samples);
	FREED uint64_t *named = memory_rows(c->addresses->nkeys, sizeof *named);

	for (size_t i = 0; i < c->addresses->nkeys; i++)
		samples[i] = named[i] = c->counts[i].all;
	stacks_mark_used(c, named);
	c->naming = naming_make(c->addresses, named, samples, &c->timeline->jits,
				c->timeline->start_realtime_ns, c->run);
	classify_addresses(c);
	spins_find(c, named);
	classify_uncalled(c);
}

void sampler_collect(struct sampler *sampler, const struct collected *calls, struct run *run)
{
	const struct timeline *timeline = &sampler->timeline;
	struct collection c = {
		.timeline = timeline,
		.log = &timeline->log,
		.addresses = &timeline->addresses,
		.stacks = &timeline->stacks,
		.calls = calls,
		.run = run,
		.start_ns = calls->records.frame.roi_start_ns,
		.end_ns = calls->records.frame.roi_end_ns,
	};
	double lost, fed;

	sampler_stop(sampler);
	sampler->timeline.jits.codes = calls->codes;
	sampler->timeline.jits.ncodes = calls->ncodes;
	if (!c.start_ns && !c.end_ns) {
		c.start_ns = sampler->start_ns;
		c.end_ns = INT64_MAX;
	}
	c.counts = memory_rows(c.addresses->nkeys, sizeof *c.counts);
	c.sums = memory_rows(timeline->ntasks, sizeof *c.sums);
	c.stack_samples = memory_rows(c.stacks->count, sizeof *c.stack_samples);
	c.stack_used = memory_rows(c.stacks->count, 1);
	find_rows(&c);
	for (size_t i = 0; i < run->nprocesses; i++) /* if a pid has several, the last one counts */
		idmap_put(&c.processes, (uint64_t)run->processes[i].pid, (uint32_t)i);
	count_entries(&c);
	collect_wait_spans(&c);
	name_addresses(&c);
	sum_samples(&c);
	run->samples += timeline->samples;
	run->throttled += timeline->throttled;
	/* the kernel does not say what kinds of record it lost: assume the share of samples is as
	 * among the others */
	fed = (double)timeline->records;
	lost = (double)timeline->lost_records;
	run->samples_lost +=
		(uint64_t)ceil(lost * fmin(((double)timeline->samples + 1) / (fed + 1), 1));
	if (lost > 0)
		run_add_note(run, "records_lost",
			     "%.0f of %.0f, so that times of waits are less accurate", lost,
			     lost + fed);
	if (sampler->waits_ended)
		run_add_note(run, "wait_stacks_ended", "%zu threads were started",
			     timeline->ntasks);
	if (timeline->python && python_reader_complaint(timeline->python))
		run_add_note(run, "no_python_frames", "%s",
			     python_reader_complaint(timeline->python));
	find_alone(&c);
	add_tasks(&c);
	note_bound_cpu(&c);
	note_no_blas(&c);
	note_not_intercepted(timeline, run);
	count_workers(&c);
	collect_call_samples(&c);
	if (sampler->counters) {
		counters_read(sampler->counters, run);
		counters_share(sampler->counters, timeline, c.code, c.start_ns, c.end_ns, run);
	}
	functions_add(c.addresses, c.naming, c.counts, c.code, run);
	stacks_add(&c);
	free(c.code);
	free(c.counts);
	naming_free(c.naming);
	spins_free(&c.spins);
	free(c.sums);
	idmap_free(&c.processes);
	free(c.stack_samples);
	free(c.stack_used);
}
