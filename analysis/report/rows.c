/* rows.c: sums up the runs of each thread count, and computes speed-ups and predictions. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "report/columns.h"
#include "report/repeats.h"
#include "report/scaling.h"
#include "base/array.h"
#include "base/memory.h"

const struct report_row *report_find_row(const struct report *report, int threads)
{
	EACH_AT(row, report, rows, threads)
		return row;
	return NULL;
}

double unknown_no_cpu_ns(const struct report_row *row)
{
	double ns = row->account.category_ns[CAT_NO_CPU];

	EACH_ROW(part_ns, row->no_cpu_ns, NO_CPU_COUNT)
		ns -= *part_ns;
	return ns;
}

/* What a run lacks: some ranks of its job are missing, or it failed. */
enum lack { LACKS_NOTHING, LACKS_RANKS, LACKS_SUCCESS };

static enum lack lack_of(const struct report_run *run)
{
	if (run->exit_status)
		return LACKS_SUCCESS;
	EACH_ROW(note, run->run->notes, run->run->nnotes)
		if (!strcmp(note->code, "ranks_missing"))
			return LACKS_RANKS;
	return LACKS_NOTHING;
}

int status_is_stop(int exit_status)
{
	int number = exit_status - 128;

	return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

/* Leaves out outliers: one disturbed run would change every figure and make intervals useless. */
static void leave_out_outliers(struct report *report, int threads)
{
	struct repeats repeats = repeats_gather(report, threads, 0, run_throughput, NULL);
	FREED unsigned char *flags = memory_rows(repeats.count, 1);
	size_t at = 0;

	if (repeats.count >= REPORT_OUTLIER_RUNS)
		stats_outliers(repeats.values, repeats.count, flags);
	EACH_RUN_AT(run, report, threads) {
		if (!isfinite(run_throughput(&run->account, NULL)))
			continue;
		run->outlier = flags[at++];
		run->used = !run->outlier;
	}
	free(repeats.values);
}

/* Where runs are the work, a run that failed did an unknown part of it. Returns 1 for such a one if
 * another run succeeded, or ended by itself where this one was stopped, or if both were stopped and
 * that is a later one with another thread count. */
static int is_cut_short(const struct report *report, const struct report_run *run)
{
	int stopped = status_is_stop(run->exit_status);

	if (strcmp(report->work_unit, "runs") != 0 || !run->exit_status)
		return 0;
	EACH_ROW(other, report->runs, report->nruns)
		if (other->alike && other->threads > 0 &&
		    (!other->exit_status || (stopped && !status_is_stop(other->exit_status)) ||
		     (stopped && other > run && other->threads != run->threads)))
			return 1;
	return 0;
}

/* Leaves out runs of the program before it was changed, if it ran with these threads since. */
static void leave_out_older(struct report *report, int threads, enum lack least)
{
	const char *newest = "";

	EACH_AT(run, report, runs, threads)
		if (run->alike && lack_of(run) == least && run_fact(run->run, "program"))
			newest = run_fact(run->run, "program");
	EACH_AT(run, report, runs, threads) {
		const char *program = run_fact_text(run->run, "program");

		run->alike &= !*program || !*newest || !strcmp(program, newest);
	}
}

static void choose_runs(struct report *report)
{
	for (size_t i = 0; i < report->nruns; i++) {
		int threads = report->runs[i].threads;
		enum lack least = LACKS_SUCCESS;
		size_t first = 0;

		while (report->runs[first].threads != threads)
			first++;
		if (first != i)
			continue;
		EACH_AT(run, report, runs, threads)
			if (run->alike && lack_of(run) < least)
				least = lack_of(run);
		leave_out_older(report, threads, least);
		EACH_AT(run, report, runs, threads)
			run->used = run->alike && run->threads > 0 && lack_of(run) == least &&
				    !is_cut_short(report, run);
		leave_out_outliers(report, threads);
	}
}

/* Adds the run to the row of its thread count, a new one if there is none. */
static void add_run(struct report *report, const struct report_run *run)
{
	struct report_row *row = (struct report_row *)report_find_row(report, run->threads);

	if (!row) {
		row = memory_add(&report->rows, &report->nrows, sizeof *row);
		row->experiment = report->experiment;
		row->what_if = report->what_if;
		row->threads = run->threads;
		row->cpus_available = run->cpus_available;
		row->failed = run->exit_status && !status_is_stop(run->exit_status);
	}
	account_add(&row->account, &run->account);
	row->runs++;
	row->samples += run->samples;
	row->samples_lost += run->samples_lost;
	row->samples_wanted += run->sample_rate_hz > 0;
#define ADD(name) row->name += run->name;
	RUN_SUMS(ADD)
#undef ADD
	for (int i = 0; i < NO_CPU_COUNT; i++)
		row->no_cpu_ns[i] += run->no_cpu_ns[i];
	if (run->workers_at_once > row->workers_at_once)
		row->workers_at_once = run->workers_at_once;
	if (run->cpus_available < row->cpus_available)
		row->cpus_available = run->cpus_available;
}

static double run_f_intercepted(const struct account *run, const void *context)
{
	return run->f_intercepted;
}

static double run_f_sampled(const struct account *run, const void *context)
{
	return run->f_sampled;
}

/* The interval of a mean of shares. */
static struct interval share_range(const struct report *report, int threads, double value,
				   run_figure *figure)
{
	struct interval range = repeats_mean_range(report, threads, value, figure, NULL);

	if (range.low < 0)
		range.low = 0;
	if (range.high > 1)
		range.high = 1;
	return range;
}

static void set_rates(const struct report *report, struct report_row *row)
{
	const struct account *account = &row->account;
	double blas_ns = account->caller_blas_ns - account->blas_waiting_ns;

	row->throughput = account_throughput(account) * 1e9;
	row->roi_share = row->cpu_ns > 0 ? row->roi_cpu_ns / row->cpu_ns : NAN;
	row->flops_per_s = account->wall_ns > 0 ? account->flops / account->wall_ns * 1e9 : NAN;
	row->f_on_cpu = blas_ns + account->caller_other_ns > 0
				? blas_ns / (blas_ns + account->caller_other_ns)
				: NAN;
	row->coverage = row->f_on_cpu / account->f_sampled;
	row->worker_share =
		account->worker_samples / (account->worker_samples + account->samples_blas);
	row->f_intercepted_range =
		share_range(report, row->threads, account->f_intercepted, run_f_intercepted);
	row->f_sampled_range = share_range(report, row->threads, account->f_sampled, run_f_sampled);
	row->throughput_range =
		repeats_mean_range(report, row->threads, row->throughput, run_throughput, NULL);
}

static void set_speedup(const struct report *report, const struct report_row *base,
			struct report_row *row)
{
	struct interval speedup;
	size_t runs, base_runs;

	row->instruction_scaling = row->ipc_scaling = row->frequency_scaling = NAN;
	row->efficiency = account_efficiency(base ? &base->account : &row->account, &row->account);
	if (!base)
		row->efficiency.computation = row->efficiency.global = NAN;
	row->speedup = row->speedup_range.low = row->speedup_range.high = NAN;
	row->whole_speedup = NAN;
	if (!base || decompose(&base->account, &row->account, &row->lost))
		return;
	row->speedup = row->lost.speedup;
	if (row == base)
		return;
	if (!report_roi_is_region(report->roi) && base->whole_ns > 0 && row->whole_ns > 0)
		row->whole_speedup =
			row->account.work / row->whole_ns * base->whole_ns / base->account.work;
	speedup = repeats_speedup(report, row->threads, &runs, &base_runs);
	row->speedup_range =
		repeats_range(row->speedup, speedup, runs < base_runs ? runs : base_runs);
}

void build_rows(struct report *report)
{
	const struct report_row *base;

	choose_runs(report);
	EACH_ROW(run, report->runs, report->nruns)
		if (run->used)
			add_run(report, run);
	table_sort(&report_tables[REPORT_THREADS], report, "threads");
	base = report_find_row(report, 1);
	EACH_ROW(row, report->rows, report->nrows) {
		set_rates(report, row);
		set_speedup(report, base, row);
	}
	scaling_learn(report);
	EACH_ROW(row, report->rows, report->nrows) {
		struct interval units = scaling_units(&report->scaling, row->threads);
		int lacks_cpus = row->threads > row->cpus_available;

		row->units = units.value;
		row->f_estimated = report->scaling.f_estimated != 0;
		/* nothing that was measured says what more threads than CPUs would give */
		for (size_t i = 0; i < MODELS; i++)
			row->predicted[i] =
				row->f_estimated && lacks_cpus
					? (struct interval){NAN, NAN, NAN}
					: model_solve(&models[i], &report->scaling.input,
						      row->threads, units);
	}
}
