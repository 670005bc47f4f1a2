/* checks.c: what is doubtful about a report's figures. */
/* SPDX-License-Identifier: MIT */
#include "report/checks.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/build.h"
#include "base/human.h"

#define COVERAGE_GAP_MAX 0.05
#define OFF_CPU_GAP_MAX	 0.05
#define SAMPLES_MIN	 100
#define SAMPLES_LOST_MAX 0.01
#define UNSAMPLED_MAX	 0.05 /* of the time on a CPU */
#define SAMPLES_EACH	 4    /* of a thread: the time before its first is a small part then */
#define RATE_MOST_HZ	 5000 /* more samples take a good part of the program's time */
#define OWN_COST_MAX	 0.05
#define OTHER_LOAD_MAX	 0.05
#define CALL_MIX_MAX	 0.05
#define ROI_MIN_NS	 1e8

int finding_set(struct finding *finding, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(finding->detail, sizeof finding->detail, fmt, args);
	va_end(args);
	return 1;
}

const char *plural(int count)
{
	return count == 1 ? "" : "s";
}

/* The row with the largest figure, if that is over the limit, else NULL. A figure that is not a
 * number is over no limit. */
static const struct report_row *find_worst(const struct report *report,
					   double (*figure)(const struct report *report,
							    const struct report_row *row),
					   double limit)
{
	const struct report_row *worst = NULL;

	for (size_t i = 0; i < report->nrows; i++) {
		double value = figure(report, &report->rows[i]);

		if (value > limit) {
			limit = value;
			worst = &report->rows[i];
		}
	}
	return worst;
}

/* What keeps calls from being seen: a region that was not marked, or the preload library's limits.
 */
static void explain_no_calls(const struct report *report, struct finding *finding)
{
	if (report_roi_is_region(report->roi))
		snprintf(finding->hint, sizeof finding->hint,
			 "--roi took the region '%s': does the program mark it, by that name, and "
			 "call BLAS inside it?",
			 report->roi);
	else
		snprintf(finding->hint, sizeof finding->hint,
			 "if the program does use BLAS, see 'blasprof doctor': a static program, "
			 "RTLD_DEEPBIND, an environment without LD_PRELOAD, another user than "
			 "blasprof's, a container or sandbox, or LAPACK inside OpenBLAS keep calls "
			 "from being seen");
}

int check_no_calls(const struct report *report, struct finding *finding)
{
	size_t silent = 0;

	explain_no_calls(report, finding);

	for (size_t i = 0; i < report->nruns; i++)
		silent += !(report->runs[i].calls > 0);
	if (silent && report->nruns == 1)
		return finding_set(finding, "%s", "");
	return silent && finding_set(finding, "%zu of %zu runs made none", silent, report->nruns);
}

static double lost_share(const struct report *report, const struct report_row *row)
{
	(void)report;
	return row->samples_lost / (row->samples + row->samples_lost);
}

int check_samples_lost(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, lost_share, SAMPLES_LOST_MAX);

	return row &&
	       finding_set(finding, "%.0f of %.0f at %d thread%s", row->samples_lost,
			   row->samples + row->samples_lost, row->threads, plural(row->threads));
}

static double caller_samples(const struct report_row *row)
{
	return row->account.samples_blas + row->account.samples_other;
}

static int was_noted(const struct report *report, const char *code)
{
	for (size_t i = 0; i < report->nwarnings; i++)
		if (!strcmp(report->warnings[i].code, code))
			return 1;
	return 0;
}

static double missing_samples(const struct report *report, const struct report_row *row)
{
	return row->samples_wanted > 0 && !report_roi_is_region(report->roi)
		       ? SAMPLES_MIN - caller_samples(row)
		       : NAN;
}

/* Taken = attributed + outside + unknown, and the functions have all that are attributed. */
int check_samples_missing(const struct report *report, struct finding *finding)
{
	for (size_t i = 0; i < report->nruns; i++)
		if (report->runs[i].samples_missing)
			return finding_set(finding, "%lld of %.0f are in no figure of run %lld",
					   (long long)report->runs[i].samples_missing,
					   report->runs[i].samples, (long long)report->runs[i].id);
	return 0;
}

int check_no_categories(const struct report *report, struct finding *finding)
{
	const struct categories *categories = report->options.categories;

	return categories && categories->missing &&
	       finding_set(finding, "the table that comes with blasprof is not installed");
}

int check_few_samples(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, missing_samples, 0);

	return row && !was_noted(report, "no_sampling") &&
	       finding_set(finding, "%.0f at %d thread%s", caller_samples(row), row->threads,
			   plural(row->threads));
}

static double unsampled_share(const struct report *report, const struct report_row *row)
{
	(void)report;
	return row->unsampled_ns / row->on_cpu_ns;
}

/* A higher rate helps where it need not be so high that the samples themselves take the time. */
int check_unsampled(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, unsampled_share, UNSAMPLED_MAX);
	char each[HUMAN_MAX];
	double rate_hz;

	if (!row || was_noted(report, "no_sampling") || was_noted(report, "recovered"))
		return 0;
	rate_hz = ceil(SAMPLES_EACH * 1e7 * row->unsampled_threads / row->unsampled_ns) * 100;
	if (rate_hz <= RATE_MOST_HZ)
		snprintf(finding->hint, sizeof finding->hint, ", or sample more often (-F %.0f)",
			 rate_hz);
	return finding_set(finding,
			   "%.0f, of %s each, with %.0f %% of the CPU time, at %d thread%s",
			   row->unsampled_threads,
			   human_time(row->unsampled_ns / row->unsampled_threads, each),
			   100 * unsampled_share(report, row), row->threads, plural(row->threads));
}

/* A gap within two standard errors of the samples' share (binomial) is chance. */
static double coverage_gap(const struct report *report, const struct report_row *row)
{
	double share = row->account.f_sampled, count = caller_samples(row);
	double gap = fabs(share - row->f_on_cpu);

	(void)report;
	if (count < SAMPLES_MIN || gap < 2 * sqrt(share * (1 - share) / count))
		return NAN;
	return gap;
}

int check_coverage(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, coverage_gap, COVERAGE_GAP_MAX);

	return row &&
	       finding_set(finding,
			   "samples put %.0f %% of the callers' computing in BLAS libraries, "
			   "interception explains %.0f %% (%d thread%s)",
			   100 * row->account.f_sampled, 100 * row->f_on_cpu, row->threads,
			   plural(row->threads));
}

static double off_cpu_gap(const struct report *report, const struct report_row *row)
{
	(void)report;
	return fabs(row->off_cpu_ns - row->switched_off_ns) / row->switched_alive_ns;
}

int check_off_cpu(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, off_cpu_gap, OFF_CPU_GAP_MAX);

	return row &&
	       finding_set(finding,
			   "%.0f %% of the callers' time by the preload library, %.0f %% by the "
			   "scheduler's records (%d thread%s)",
			   100 * row->off_cpu_ns / row->switched_alive_ns,
			   100 * row->switched_off_ns / row->switched_alive_ns, row->threads,
			   plural(row->threads));
}

const char *report_threads_variable(const struct report *report)
{
	static const char *const variables[][2] = {
		{"openblas", "OPENBLAS_NUM_THREADS"},
		{"mkl", "MKL_NUM_THREADS"},
		{"blis", "BLIS_NUM_THREADS"},
		{"", "OMP_NUM_THREADS"},
	};
	const char *blas = report_fact(report, "blas"), *layer = report_fact(report, "blas_layer");
	size_t i = 0;

	blas = blas ? blas : "";
	/* OpenBLAS looks at its own variable only where it has its own threads */
	if (strcasestr(blas, "openblas") && layer && !strcmp(layer, "OpenMP"))
		return "OMP_NUM_THREADS";
	while (*variables[i][0] && !strcasestr(blas, variables[i][0]))
		i++;
	return variables[i][1];
}

/* Where samples show the workers, they are counted; else the BLAS library's setting is believed. */
static double busy_threads(const struct report *report, const struct report_row *row)
{
	const char *setting = report_fact(report, "blas_threads");
	int each = setting ? atoi(setting) : 0;

	if (row->account.parallel == PARALLEL_INNER)
		return 1 + row->workers_at_once;
	if (caller_samples(row) > 0)
		return row->threads + row->workers_at_once;
	return each > 1 && row->threads > 1 ? (double)row->threads * each : NAN;
}

/* Callers alone over the CPUs are the user's choice, and another warning. */
static double oversubscription(const struct report *report, const struct report_row *row)
{
	double busy = busy_threads(report, row);

	return busy > row->threads || row->account.parallel == PARALLEL_INNER
		       ? busy - row->cpus_available
		       : NAN;
}

int check_oversubscription(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, oversubscription, 0);
	int inner = row && row->account.parallel == PARALLEL_INNER;

	if (!row)
		return 0;
	snprintf(finding->hint, sizeof finding->hint, "%s=%d", report_threads_variable(report),
		 inner ? row->cpus_available : 1);
	return finding_set(finding, "%d caller%s and BLAS workers make %.0f on %d CPU%s",
			   inner ? 1 : row->threads, plural(inner ? 1 : row->threads),
			   busy_threads(report, row), row->cpus_available,
			   plural(row->cpus_available));
}

static double threads_over_cpus(const struct report *report, const struct report_row *row)
{
	(void)report;
	return row->threads - row->cpus_available;
}

int check_threads_over_cpus(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, threads_over_cpus, 0);

	return row && finding_set(finding, "%d threads on %d CPU%s", row->threads,
				  row->cpus_available, plural(row->cpus_available));
}

static double no_cpu_share(const struct report *report, const struct report_row *row)
{
	(void)report;
	if (row->threads + row->workers_at_once > row->cpus_available)
		return NAN;
	return row->account.category_ns[CAT_NO_CPU] / (row->threads * row->account.wall_ns);
}

int check_other_load(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, no_cpu_share, OTHER_LOAD_MAX);

	return row &&
	       finding_set(finding, "%.0f %% of the time at %d thread%s on %d CPU%s",
			   100 * no_cpu_share(report, row), row->threads, plural(row->threads),
			   row->cpus_available, plural(row->cpus_available));
}

static double missing_roi_ns(const struct report *report, const struct report_row *row)
{
	(void)report;
	return ROI_MIN_NS - row->account.wall_ns / row->runs;
}

int check_short_roi(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, missing_roi_ns, 0);
	char text[HUMAN_MAX];

	return row && finding_set(finding, "%s at %d thread%s",
				  human_time(row->account.wall_ns / row->runs, text), row->threads,
				  plural(row->threads));
}

static double own_share(const struct report *report, const struct report_row *row)
{
	(void)report;
	return row->account.own_ns / (row->account.own_ns + row->threads * row->account.wall_ns);
}

int check_own_cost(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, own_share, OWN_COST_MAX);

	return row && finding_set(finding, "%.0f %% of the threads' time at %d thread%s",
				  100 * own_share(report, row), row->threads, plural(row->threads));
}

static double flops_per_call(const struct report_row *row)
{
	return row->account.flops / row->account.calls;
}

static double mix_change(const struct report *report, const struct report_row *row)
{
	if (row->account.work != row->account.flops) /* another measure of work is in use */
		return NAN;
	return fabs(flops_per_call(row) / flops_per_call(&report->rows[0]) - 1);
}

int check_call_mix(const struct report *report, struct finding *finding)
{
	const struct report_row *row = find_worst(report, mix_change, CALL_MIX_MAX);

	return row &&
	       finding_set(finding, "%.3g flops a call at %d thread%s, %.3g at %d",
			   flops_per_call(&report->rows[0]), report->rows[0].threads,
			   plural(report->rows[0].threads), flops_per_call(row), row->threads);
}

int check_failed_runs(const struct report *report, struct finding *finding)
{
	size_t failed = 0, used = 0;
	int status = 0;

	for (size_t i = 0; i < report->nruns; i++)
		if (report->runs[i].exit_status) {
			failed++;
			used += report->runs[i].used != 0;
			status = report->runs[i].exit_status;
		}
	return failed &&
	       finding_set(finding,
			   "%zu of %zu run%s ended with a status other than 0 (last: %d); %zu "
			   "left out, %zu shown for want of others",
			   failed, report->nruns, plural((int)report->nruns), status, failed - used,
			   used);
}

int check_mixed_machines(const struct report *report, struct finding *finding)
{
	const struct report_run *first = NULL;

	for (size_t i = 0; i < report->nruns; i++) {
		const struct report_run *run = &report->runs[i];

		if (!run->used)
			continue;
		if (first && strcmp(first->machine, run->machine))
			return finding_set(finding, "%.200s; %.200s", first->machine, run->machine);
		first = first ? first : run;
	}
	return 0;
}
