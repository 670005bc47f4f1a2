/* rows.c: sums the runs of each thread count, and works out speed-ups and predictions. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "util/array.h"

const struct report_row *report_find_row(const struct report *report, int threads)
{
	for (size_t i = 0; i < report->nrows; i++)
		if (report->rows[i].threads == threads)
			return &report->rows[i];
	return NULL;
}

static int has_success(const struct report *report, int threads)
{
	for (size_t i = 0; i < report->nruns; i++)
		if (report->runs[i].threads == threads && !report->runs[i].exit_status)
			return 1;
	return 0;
}

/* The row to add the run to; a new one where its thread count has none. */
static struct report_row *row_for(struct report *report, const struct report_run *run)
{
	struct report_row *row = (struct report_row *)report_find_row(report, run->threads);

	if (row)
		return row;
	row = array_add(&report->rows, &report->nrows, sizeof *row);
	if (row) {
		row->experiment = report->experiment;
		row->threads = run->threads;
		row->cpus_available = run->cpus_available;
		row->failed = run->exit_status != 0;
	}
	return row;
}

static int add_run(struct report *report, struct report_run *run)
{
	struct report_row *row;

	run->used = run->threads > 0 && (!run->exit_status || !has_success(report, run->threads));
	if (!run->used)
		return 0;
	row = row_for(report, run);
	if (!row)
		return -1;
	account_add(&row->account, &run->account);
	row->runs++;
	row->samples += run->samples;
	row->samples_lost += run->samples_lost;
	row->samples_wanted += run->sample_rate_hz > 0;
	row->off_cpu_ns += run->off_cpu_ns;
	row->switched_off_ns += run->switched_off_ns;
	row->switched_alive_ns += run->switched_alive_ns;
	if (run->workers_at_once > row->workers_at_once)
		row->workers_at_once = run->workers_at_once;
	if (run->cpus_available < row->cpus_available)
		row->cpus_available = run->cpus_available;
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	return ((const struct report_row *)a)->threads - ((const struct report_row *)b)->threads;
}

static void set_rates(struct report_row *row)
{
	const struct account *account = &row->account;
	double blas_ns = account->caller_blas_ns - account->blas_waiting_ns;

	row->throughput = account_throughput(account) * 1e9;
	row->flops_per_s = account->wall_ns > 0 ? account->flops / account->wall_ns * 1e9 : NAN;
	row->f_on_cpu = blas_ns + account->caller_other_ns > 0
				? blas_ns / (blas_ns + account->caller_other_ns)
				: NAN;
}

static void set_speedup(struct report *report, const struct report_row *base,
			struct report_row *row)
{
	row->speedup = NAN;
	if (base && !decompose(&base->account, &row->account, &row->lost, NULL))
		row->speedup = row->lost.speedup;
	for (size_t i = 0; i < REPORT_MODELS; i++)
		row->predicted[i] =
			models[i].speedup(report->f_models, row->threads, report->options.units);
}

int build_rows(struct report *report)
{
	const struct report_row *base;

	for (size_t i = 0; i < report->nruns; i++)
		if (add_run(report, &report->runs[i]))
			return -1;
	if (report->nrows)
		qsort(report->rows, report->nrows, sizeof *report->rows, compare_rows);
	for (size_t i = 0; i < report->nrows; i++)
		set_rates(&report->rows[i]);
	base = report_find_row(report, 1);
	report->f_models = base ? base->account.f_intercepted : NAN;
	for (size_t i = 0; i < report->nrows; i++)
		set_speedup(report, base, &report->rows[i]);
	return 0;
}
