/* runs.c: accounts each run's time, and that of the newest run's threads. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/human.h"
#include "model/accounting.h"
#include "report/build.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"

/* A store may hold any number. Runs that are longer (36 years) or have more threads than this are
 * taken to be damaged, so that no sum of times overflows. */
#define ROI_MAX_NS  (INT64_C(1) << 60)
#define THREADS_MAX (1 << 20)

static double finite_or_zero(double value)
{
	return isfinite(value) ? value : 0;
}

/* Kernels account for stolen time late, so it may include time from before the run. It is limited
 * to the time in which the run's own threads did not compute. */
static double steal_share(const struct run *run)
{
	double whole_ns = (double)run->elapsed_ns * run->cpus_allowed, most_ns = whole_ns;

	EACH_ROW(thread, run->threads, run->nthreads)
		most_ns -= (double)thread->times.ns[CAT_BLAS] -
			   (double)thread->times.blas_waiting_ns +
			   (double)thread->times.ns[CAT_OTHER] + (double)thread->times.ns[CAT_SPIN];
	return whole_ns > 0 ? fmin(fmax(run->steal_ns, 0), fmax(most_ns, 0)) / whole_ns : 0;
}

static void set_figures(const struct run *run, struct report_run *row)
{
	row->id = run->id;
	memcpy(row->started, run->started, sizeof row->started);
	row->cpus_available = run->cpus_available;
	row->exit_status = run->exit_status;
	memcpy(row->what_if, run->what_if, sizeof row->what_if);
	row->elapsed_ns = run->elapsed_ns;
	row->steal_share = steal_share(run);
	row->other_programs = run_fact_text(run, "other_programs");
	row->roi_ns = run->roi_ns;
	row->samples = (double)run->samples;
	row->samples_lost = (double)run->samples_lost;
	row->samples_outside_roi = (double)run->samples_outside_roi;
	row->samples_attributed = (double)run->samples_attributed;
	row->samples_unknown = (double)run->samples_unknown;
	row->samples_missing = run_samples_missing(run);
	row->throttled = (double)run->throttled;
	row->sample_rate_hz = finite_or_zero(run->sample_rate_hz);
	row->whole_ns = (double)run_limit(run->elapsed_ns, ROI_MAX_NS);
	row->cpu_ns = (double)run_limit(run->cpu_ns, ROI_MAX_NS);
	row->roi_cpu_ns = (double)run_limit(run->roi_cpu_ns, run_limit(run->cpu_ns, ROI_MAX_NS));
	row->roi_share = row->roi_cpu_ns / row->cpu_ns; /* NAN without a CPU time */
	row->call_ns = finite_or_zero(run->call_inside_ns) + finite_or_zero(run->call_outside_ns);
	row->f_intercepted = row->f_sampled = NAN;
	EACH_ROW(thread, run->threads, run->nthreads) {
		row->calls += (double)thread->calls;
		row->flops += finite_or_zero(thread->flops);
		row->own_ns += (double)run_limit(thread->own_ns, ROI_MAX_NS);
	}
}

const char *report_other_programs(const struct report *report, int threads)
{
	const struct report_run *most = NULL;

	EACH_RUN_AT(run, report, threads)
		if (!most || run->no_cpu_ns[NO_CPU_OTHERS] > most->no_cpu_ns[NO_CPU_OTHERS])
			most = run;
	return most ? most->other_programs : "";
}

/* The busiest first; without samples, in the order of the run. */
COMPARE(compare_threads, struct report_thread,
	ORDER(b->samples, a->samples) ?: ORDER(a->thread.start_ns, b->thread.start_ns))

static void show_threads(const struct run *run, const struct thread_time *times,
			 const enum thread_role *roles, struct report *report)
{
	static const char *const names[] = {[ROLE_IDLE] = "other",
					    [ROLE_PARTICIPANT] = "computing",
					    [ROLE_BLAS_WORKER] = "BLAS worker"};

	array_free(&report->threads, &report->nthreads);
	report->threads_run = (int)report->nruns - 1;
	for (size_t i = 0; i < run->nthreads; i++) {
		struct report_thread *row =
			memory_add(&report->threads, &report->nthreads, sizeof *row);
		const struct thread_time *time = &times[i];

		row->thread = run->threads[i];
		row->thread.times = time->times;
		row->role = roles[i] == ROLE_PARTICIPANT && row->thread.calls ? "caller"
									      : names[roles[i]];
		row->alive_ns = (double)(time->end_ns - time->start_ns);
		row->samples = (double)time->samples_blas + (double)time->samples_other +
			       (double)run->threads[i].samples_spin;
	}
	SORT(report->threads, report->nthreads, compare_threads);
}

static double thread_on_cpu_ns(const struct thread_time *time)
{
	return (double)(time->times.ns[CAT_BLAS] - time->times.blas_waiting_ns +
			time->times.ns[CAT_OTHER] + time->times.ns[CAT_MPI] +
			time->times.ns[CAT_SPIN]);
}

/* Splits the time without a CPU by who had the CPUs. What was counted from start to end is assumed
 * to be spread evenly, and stolen time to come from all that ran in proportion. */
static void split_no_cpu(const struct run *run, const struct thread_time *times,
			 const enum thread_role *roles, struct report_run *row)
{
	double no_cpu_ns = 0, ready_ns = 0, scale, others_ns;
	double inside = fmin((double)run->roi_ns / row->whole_ns, 1);
	struct no_cpu_evidence evidence = {0};

	EACH_ROW(time, times, run->nthreads) {
		const struct run_thread *thread = &run->threads[time - times];

		ready_ns += thread_on_cpu_ns(time) + (double)time->times.ns[CAT_NO_CPU];
		if (roles[time - times] != ROLE_PARTICIPANT)
			continue;
		no_cpu_ns += (double)time->times.ns[CAT_NO_CPU];
		if (thread->switch_own_ns < 0)
			continue;
		evidence.seen_ns += (double)thread->switch_preempted_ns;
		evidence.seen_own_ns += (double)thread->switch_own_ns;
	}
	if (run->cpus_allowed > 0)
		evidence.over_ns = ready_ns - run->cpus_allowed * (double)run->roi_ns;
	evidence.others_ns = others_ns = fmax(run->others_ns, 0) * inside;
	evidence.steal_ns =
		run->steal_ns * inside *
		(row->on_cpu_ns > 0 ? row->on_cpu_ns / (row->on_cpu_ns + others_ns) : 0);
	evidence.quota_ns = run->quota_ns * inside;
	no_cpu_split(no_cpu_ns, &evidence, row->no_cpu_ns);
	/* as in the account, where a caller that BLAS's workers wait for stands for all of them */
	scale = no_cpu_ns > 0 ? row->account.category_ns[CAT_NO_CPU] / no_cpu_ns : 0;
	for (int i = 0; i < NO_CPU_COUNT; i++)
		row->no_cpu_ns[i] *= scale;
}

static void add_thread(const struct run_thread *thread, const struct thread_time *time,
		       enum thread_role role, struct report_run *row)
{
	const int64_t *ns = time->times.ns;
	double on_cpu_ns = thread_on_cpu_ns(time);
	double off_ns = (double)(time->times.blas_waiting_ns + ns[CAT_WAITING] + ns[CAT_NO_CPU]);
	double switched_ns; /* in a damaged store, the sum may be more than an int64_t holds */

	if (role == ROLE_PARTICIPANT) {
		row->callers_ns += (double)time_split_total(&time->times);
		row->blocked_ns += (double)ns[CAT_WAITING];
	}
	row->on_cpu_ns += on_cpu_ns;
	/* the first sample comes after one sampling interval of computing */
	if (row->sample_rate_hz > 0 && !time->samples_blas && !time->samples_other &&
	    !thread->samples_spin && on_cpu_ns * row->sample_rate_hz < 1e9) {
		row->unsampled_ns += on_cpu_ns;
		row->unsampled_threads++;
	}
	if (!time->calls || thread->switch_waiting_ns < 0)
		return;
	switched_ns = (double)thread->switch_waiting_ns + (double)thread->switch_preempted_ns;
	/* time in MPI is on the CPU or off it */
	off_ns = fmax(off_ns, fmin(switched_ns, off_ns + (double)ns[CAT_MPI]));
	row->off_cpu_ns += off_ns;
	row->switched_off_ns += switched_ns;
	row->switched_alive_ns += (double)(time->end_ns - time->start_ns);
}

/* Fills the row's account, `threads` and `roles`. Returns the times of the run's threads, or NULL
 * if there is no account. */
static struct thread_time *account_one(const struct run *run, const struct categories *categories,
				       struct report_run *row)
{
	int64_t most = MAX(run->threads_requested, (int64_t)run->nthreads + 1);
	const char *pool = run_fact(run, "blas_threads");
	struct account *account = &row->account;
	struct thread_time *times;

	if (most >= THREADS_MAX || run->roi_ns >= ROI_MAX_NS / 16 / most)
		return NULL;
	times = run_thread_times(run);
	row->roles = memory_rows(run->nthreads, sizeof *row->roles);
	if (account_run(times, run->nthreads, run->roi_ns, run->threads_requested,
			run->threads_awake, run->work, account, row->roles)) {
		free(times); /* no time */
		return NULL;
	}
	/* if there is only one library, a short run may lack samples of some of its threads */
	if (!run->threads_requested && account->parallel == PARALLEL_INNER && pool &&
	    !run_fact(run, "blas_2") && atoi(pool) > account->threads &&
	    atoi(pool) <= 2 * account->threads)
		account_run(times, run->nthreads, run->roi_ns, atoi(pool), 0, run->work, account,
			    row->roles);
	account_set_matrix(account, category_samples(categories, run, CATEGORY_MATRIX));
	/* samples do not tell f in a region with several parts, nor if BLAS is in the program's
	 * own file */
	if (report_roi_is_region(run->roi) || run_fact(run, "uprobes")) {
		account->samples_blas = account->samples_other = account->samples_matrix = 0;
		account->f_sampled = NAN;
	}
	row->threads = account->threads;
	return times;
}

static const char *describe_machine(const struct run *run)
{
	static const char *const names[] = {"host", "cpu", "blas", "blas_version"};
	char text[512] = "";

	EACH_ROW(name, names, COUNT(names)) {
		const char *value = run_fact(run, *name);

		if (value)
			SAY(text, "%s%.100s", *text ? ", " : "", value);
	}
	return string_pooled(text);
}

const char *run_work_unit(const struct run *run)
{
	return isfinite(run->work) && run->work > 0 ? run->work_unit : "flops";
}

void runs_count_alike(struct run *runs, size_t count)
{
	int in_calls = 0, in_runs, has_work[2] = {0}, succeeded = 0;

	EACH_ROW(run, runs, count) {
		double blas_ns = 0;

		EACH_ROW(thread, run->threads, run->nthreads)
			blas_ns += (double)thread->times.ns[CAT_BLAS];
		in_calls |= !run->exit_status && !strcmp(run->work_unit, "calls");
		/* the ranks of an MPI job have parts of its work */
		has_work[run->exit_status != 0] |=
			blas_ns >= STRAY_CALLS_MAX * (double)run->cpu_ns ||
			run_fact(run, "mpi.rank");
		succeeded |= !run->exit_status;
	}
	/* runs that failed decide only if all did */
	in_runs = !has_work[!succeeded];
	EACH_ROW(run, runs, in_calls || in_runs ? count : 0) {
		int is_counted =
			run->work > 0 && (!in_runs || strcmp(run->work_unit, "calls") != 0);

		if (is_counted || run_fact(run, "work_asked"))
			continue;
		run->work = in_runs;
		EACH_ROW(thread, run->threads, in_runs ? 0 : run->nthreads)
			run->work += (double)thread->calls;
		snprintf(run->work_unit, sizeof run->work_unit, in_runs ? "runs" : "calls");
	}
}

/* 1 if both runs measured the same thing. */
static int runs_compare(const struct run *a, const struct run *b)
{
	return !strcmp(a->what_if, b->what_if) && !strcmp(a->roi, b->roi) &&
	       !strcmp(run_work_unit(a), run_work_unit(b)) &&
	       !strcmp(run_fact_text(a, "work_pattern"), run_fact_text(b, "work_pattern"));
}

int report_pairs_run(const struct run *runs, size_t count)
{
	FREED double *f = memory_rows(count, sizeof *f);
	double least = INFINITY;
	struct account all = {0};
	int closest = -1;

	for (size_t i = 0; i < count; i++) {
		struct report_run row = {0};

		if (!runs[i].exit_status && runs[i].threads_requested <= 1 &&
		    runs_compare(&runs[i], &runs[count - 1]))
			free(account_one(&runs[i], NULL, &row));
		free(row.roles);
		f[i] = row.threads == 1 ? row.account.f_intercepted : NAN;
		if (row.threads == 1)
			account_add(&all, &row.account);
	}
	for (size_t i = 0; i < count; i++) {
		double off = fabs(f[i] - all.f_intercepted);

		if (off <= least) {
			least = off;
			closest = (int)i;
		}
	}
	return closest;
}

void build_runs(const struct run *runs, size_t count, struct report *report)
{
	EACH_ROW(run, runs, count) {
		struct report_run *row = memory_add(&report->runs, &report->nruns, sizeof *row);
		FREED struct thread_time *times = NULL;

		row->run = run;
		row->experiment = report->experiment;
		row->command = run->command;
		row->machine = describe_machine(run);
		row->alike = runs_compare(run, &runs[count - 1]);
		set_figures(run, row);
		times = account_one(run, report->options.categories, row);
		if (!times)
			continue;
		row->f_intercepted = row->account.f_intercepted;
		row->f_sampled = row->account.f_sampled;
		row->workers_at_once =
			roles_at_once(times, row->roles, run->nthreads, ROLE_BLAS_WORKER);
		row->spread = spread_find(run, times, row->roles, &row->account);
		for (size_t i = 0; i < run->nthreads; i++)
			add_thread(&run->threads[i], &times[i], row->roles[i], row);
		split_no_cpu(run, times, row->roles, row);
		show_threads(run, times, row->roles, report);
	}
}
