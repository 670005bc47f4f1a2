/* warning_rows.c: what makes a report's figures doubtful: the checks that look for it, and the
 * table of all warnings. */
/* SPDX-License-Identifier: MIT */
#include "report/warnings.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "report/build.h"
#include "report/repeats.h"
#include "report/scaling.h"

#define CLOCKS_GAP_MAX	 0.1 /* two clocks that differ by more do not measure the same */
#define SAMPLES_MIN	 100
#define SAMPLES_LOST_MAX 0.01
#define UNSAMPLED_MAX	 0.05 /* of the time on a CPU */
#define SAMPLES_EACH	 4    /* of a thread: the time before its first is a small part then */
#define RATE_MOST_HZ	 5000 /* more samples take a good part of the program's time */
#define OWN_COST_MAX	 0.05
#define NO_CPU_MAX	 0.05
#define ROI_MIN_NS	 1e8
#define ROI_SHARE_MIN	 0.5  /* of the CPU time: a smaller part is not typical of the program */
#define OVERFULL_MAX	 0.05 /* the share of the busiest thread's time that makes a participant */
#define UNKNOWN_CPU_MAX	 0.1  /* it includes the CPU time at the program's end */
#define FP32_MIN	 0.1  /* of the time in calls */
#define STEAL_MAX	 0.02 /* of elapsed time x CPUs */
#define TIMES_MIN	 0.02 /* smaller differences between runs do not matter */

/* Define the functions of a struct warning; the third looks at the times of the runs. */
#define CHECK(name)	 static int name(const struct report *report, struct finding *finding)
#define FIGURE(name)                                                                               \
	static double name(const struct report *report, const struct report_row *row,              \
			   struct finding *finding)
#define TIMES(name)                                                                                \
	static int name(const double *times, size_t count, int threads, struct finding *finding)
/* Says in detail what was found, and is 1. */
#define FOUND(...) (SAY(finding->detail, __VA_ARGS__), 1)

static double time_share(const struct report_row *row, double ns)
{
	return ns / (row->threads * row->account.wall_ns);
}

/* Says "12 % of the time at 2 threads", and returns the share. */
static double share_at(double share, const char *of, int threads, struct finding *finding)
{
	SAY(finding->detail, "%.0f %% of %s at %s", 100 * share, of, human_noun(threads, "thread"));
	return share;
}

static double caller_samples(const struct report_row *row)
{
	return row->account.samples_blas + row->account.samples_other;
}

int warning_excludes_calls(const char *code)
{
	static const char *const codes[] = {"static_program", "setuid_program", "foreign_program",
					    "musl_program"};

	EACH_ROW(row, codes, COUNT(codes))
		if (!strcmp(code, *row))
			return 1;
	return 0;
}

/* A region that is not marked, or the limits of the preload library, hide calls. */
int report_loads_no_blas(const struct report *report)
{
	const char *loaded = report_fact(report, "blas_loaded");

	return loaded && !strcmp(loaded, "no");
}

CHECK(check_no_blas)
{
	(void)finding;
	EACH_ROW(run, report->runs, report->nruns)
		if (run->calls > 0)
			return 0;
	return report_loads_no_blas(report);
}

CHECK(check_no_calls)
{
	size_t silent = 0;

	if (warning_find_added(report, "no_blas"))
		return 0;

	EACH_ROW(warning, report->warnings, report->nwarnings)
		if (warning_excludes_calls(warning->code))
			return 0;
	if (report_roi_is_region(report->roi))
		SAY(finding->hint,
		    "--roi is the region '%s': does the program mark it by that name, and "
		    "call BLAS inside it?",
		    report->roi);
	else
		SAY(finding->hint,
		    "if the program does use BLAS, see 'blasprof doctor', and what hides "
		    "calls in blasprof-costs(7)");
	EACH_ROW(run, report->runs, report->nruns)
		silent += !(run->calls > 0) && !(run->account.samples_matrix > 0);
	if (silent < report->nruns)
		return silent && FOUND("%zu of %zu runs made none", silent, report->nruns);
	return silent > 0;
}

/* Counts the runs that did not exit with 0, because somebody stopped them or (stopped 0) for
 * another reason; *used is how many of them the report uses, *status the last one's exit status. */
static size_t count_failed(const struct report *report, int stopped, size_t *used, int *status)
{
	size_t failed = 0;

	*used = 0;
	EACH_ROW(run, report->runs, report->nruns) {
		if (!run->exit_status || status_is_stop(run->exit_status) != stopped)
			continue;
		failed++;
		*used += run->used != 0;
		*status = run->exit_status;
	}
	return failed;
}

/* A shell turns the signal that ended a command into 128 plus its number, as blasprof does. */
CHECK(check_failed_runs)
{
	int status;
	size_t used, failed = count_failed(report, 0, &used, &status);
	int signal = failed && status > 128 && status <= 128 + SIGSYS ? status - 128 : 0;

	return failed &&
	       FOUND("%zu of %s ended with a status other than 0 (last: "
		     "%d%s); %zu left out, %zu used because there are no others",
		     failed, human_noun(report->nruns, "run"), status,
		     signal ? string_printf(", signal %d: %s", signal, strsignal(signal)) : "",
		     failed - used, used);
}

CHECK(check_stopped_runs)
{
	int status;
	size_t used, stopped = count_failed(report, 1, &used, &status);

	return stopped && FOUND("%zu of %s ended by Ctrl-C or a signal; %zu left out, %zu shown "
				"up to that moment",
				stopped, human_noun(report->nruns, "run"), stopped - used, used);
}

FIGURE(missing_share)
{
	SAY(finding->detail, "%.2g %% at %s", 100 * row->roi_share,
	    human_noun(row->threads, "thread"));
	return (report_roi_is_region(report->roi) ? SCALING_ROI_MIN : ROI_SHARE_MIN) -
	       row->roi_share;
}

FIGURE(lost_share)
{
	double all = row->samples + row->samples_lost;

	SAY(finding->detail, "%.0f of %.0f at %s", row->samples_lost, all,
	    human_noun(row->threads, "thread"));
	return row->samples_lost / all;
}

FIGURE(missing_samples)
{
	SAY(finding->detail, "%.0f at %s", caller_samples(row), human_noun(row->threads, "thread"));
	return row->samples_wanted > 0 && !report_roi_is_region(report->roi) &&
			       !warning_find_added(report, "no_sampling")
		       ? SAMPLES_MIN - caller_samples(row)
		       : NAN;
}

/* Suggests a higher rate, unless it would be so high that the samples themselves take much time. */
FIGURE(unsampled_share)
{
	double share = row->unsampled_ns / row->on_cpu_ns, rate_hz;

	if (row->failed || warning_find_added(report, "no_sampling") ||
	    warning_find_added(report, "recovered"))
		return NAN;
	rate_hz = ceil(SAMPLES_EACH * 1e7 * row->unsampled_threads / row->unsampled_ns) * 100;
	if (rate_hz <= RATE_MOST_HZ)
		SAY(finding->hint, ", or sample more often (-F %.0f)", rate_hz);
	SAY(finding->detail, "%.0f, of %s each, with %.0f %% of the CPU time, at %s",
	    row->unsampled_threads, human_time(row->unsampled_ns / row->unsampled_threads),
	    100 * share, human_noun(row->threads, "thread"));
	return share;
}

/* Samples taken = attributed + outside + unknown, and the functions have all that are attributed.
 */
CHECK(check_samples_missing)
{
	EACH_ROW(run, report->runs, report->nruns)
		if (run->samples_missing)
			return FOUND("%lld of %.0f are in no figure of run %lld",
				     (long long)run->samples_missing, run->samples,
				     (long long)run->id);
	return 0;
}

CHECK(check_no_categories)
{
	const struct categories *categories = report->options.categories;

	return categories && categories->missing &&
	       FOUND("the table that comes with blasprof is not installed");
}

CHECK(check_no_symbols)
{
	EACH_ROW(row, report->rows, report->nrows) {
		double share;
		const struct report_function *most = report_nameless(report, row->threads, &share);

		if (most)
			return FOUND("%.100s, %.0f %% of the samples at %s",
				     object_name(most->sum.location.object), 100 * share,
				     human_noun(row->threads, "thread"));
	}
	return 0;
}

/* The share of single precision in oneDNN or PyTorch, which can do it in bf16, on a machine with an
 * AMX unit that no function uses. */
FIGURE(fp32_share)
{
	const char *unit = report_fact(report, "matrix_unit");
	int has_torch = 0;
	double share = 0;

	if (!unit || strcmp(unit, "AMX") != 0)
		return 0;
	EACH_ROW(function, report->functions, report->nfunctions)
		if (!strcmp(function->unit, unit))
			return 0;
	EACH_ROW(fact, report->facts, report->nfacts)
		has_torch |= !strncmp(fact->name, "blas_path", strlen("blas_path")) &&
			     strstr(fact->value, "libtorch");
	EACH_AT(shape, report, shapes, row->threads)
		if (!strcmp(shape->numbers, "fp32") && strcmp(shape->unit_name, unit) != 0 &&
		    (!strcmp(shape->sum.shape.way, "onednn") || has_torch))
			share += shape->share;
	return share_at(share, "the time in calls", row->threads, finding);
}

/* The share of the callers' samples that are in BLAS libraries. */
static double blas_sampled(const struct report_row *row)
{
	return row->account.samples_blas / caller_samples(row);
}

/* Why interception explains more or less than samples by `gap`. */
static const char *coverage_cause(const struct report_row *row, double gap)
{
	const struct account *account = &row->account;
	double share = blas_sampled(row);
	double computing_ns = account->category_ns[CAT_BLAS] + account->category_ns[CAT_OTHER] +
			      account->category_ns[CAT_SPIN];

	if (row->samples_lost > gap * (row->samples + row->samples_lost))
		return "likely the samples that were lost: sample less often (-F)";
	if (account->category_ns[CAT_SPIN] > gap * computing_ns)
		return "likely threads that spin in a library's pool, which samples count as BLAS";
	if (time_share(row, account->category_ns[CAT_NO_CPU]) > gap)
		return "perhaps threads that lacked a CPU, since their samples come in bursts: "
		       "record again with a CPU for each";
	/* 2 would be too few, since this is the largest gap of several thread counts */
	if (gap < 3 * sqrt(share * (1 - share) / caller_samples(row)))
		return "perhaps chance, as there are few samples: run longer, or sample more often "
		       "(-F)";
	if (share > row->f_on_cpu)
		return "look for code of the BLAS library outside calls that are seen: "
		       "RTLD_DEEPBIND, static BLAS, or names that 'blasprof routines' lacks "
		       "(--uprobes)";
	if (*row->what_if)
		return "likely the delays of the what-if, which no BLAS library computes";
	return "look for what computes inside the calls and is no known BLAS library: JIT kernels, "
	       "or another library such as oneDNN";
}

/* This and the next two return how far two clocks for the same thing are apart, as a share of the
 * threads' time or work; NAN if one is missing. With SAMPLES_MIN samples, two standard errors
 * (binomial) are at most CLOCKS_GAP_MAX. Matrix work that is found by names of functions may be
 * inside calls or outside. */
FIGURE(coverage_gap)
{
	double gap = caller_samples(row) < SAMPLES_MIN
			     ? NAN
			     : fmax(blas_sampled(row) - row->f_on_cpu,
				    row->f_on_cpu - row->account.f_sampled);

	SAY(finding->detail,
	    "samples put %.0f %% of the callers' computing in BLAS libraries, interception "
	    "explains %.0f %% (%s)",
	    100 * blas_sampled(row), 100 * row->f_on_cpu, human_noun(row->threads, "thread"));
	SAY(finding->hint, "%s", coverage_cause(row, gap));
	return gap;
}

static const char *switches_cause(const struct report *report, const struct report_row *row)
{
	if (row->samples_lost > 0 || warning_find_added(report, "records_lost"))
		return "likely records of switches that were lost: sample less often (-F)";
	if (warning_find_added(report, "no_offcpu_page") ||
	    warning_find_added(report, "no_schedstat"))
		return "likely the preload library, which cannot ask how long a thread had no CPU";
	return "waiting and no CPU may be wrong by the difference: see 'blasprof doctor' for "
	       "off-CPU time";
}

FIGURE(off_cpu_gap)
{
	double off = row->off_cpu_ns / row->switched_alive_ns;
	double switched = row->switched_off_ns / row->switched_alive_ns;

	SAY(finding->detail,
	    "callers were off the CPU for %.0f %% of their time by the preload library, "
	    "%.0f %% by the scheduler's records (%s)",
	    100 * off, 100 * switched, human_noun(row->threads, "thread"));
	SAY(finding->hint, "%s", switches_cause(report, row));
	return fabs(row->off_cpu_ns - row->switched_off_ns) / row->switched_alive_ns;
}

/* Blocked time without a wait in the table is no contradiction: no thread waits before its start.
 * MPI is included, since its time may be on the CPU or off it. Of more than N callers, the account
 * lacks waiting, so it is taken to be all time in which they do not compute. */
FIGURE(waits_gap)
{
	const struct account *account = &row->account;
	double waits_ns = 0, waits, blocked;

	EACH_AT(wait, report, waits, row->threads)
		waits_ns += wait->is_caller ? (double)wait->sum.total_ns : 0;
	waits = waits_ns / row->callers_ns;
	blocked = 1 - (account->caller_blas_ns - account->blas_waiting_ns +
		       account->caller_other_ns + account->category_ns[CAT_SPIN]) /
			      row->callers_ns;
	SAY(finding->detail,
	    "the callers' waits add up to %.0f %% of their time, but they were off the CPU "
	    "or in MPI for %.0f %% of it (%s)",
	    100 * waits, 100 * blocked, human_noun(row->threads, "thread"));
	SAY(finding->hint, "%s", switches_cause(report, row));
	return waits - blocked;
}

/* The gap of the two clocks that are furthest apart. */
FIGURE(clocks_gap)
{
	static row_figure *const gaps[] = {coverage_gap, off_cpu_gap, waits_gap};
	double most = 0;

	EACH_ROW(gap, gaps, COUNT(gaps)) {
		struct finding now = {0};
		double value = (*gap)(report, row, &now);

		if (value > most) {
			most = value;
			*finding = now;
		}
	}
	return most;
}

const char *report_threads_variable(const struct report *report)
{
	static const char *const variables[][2] = {
		{"openblas", "OPENBLAS_NUM_THREADS"},
		{"mkl", "MKL_NUM_THREADS"},
		{"blis", "BLIS_NUM_THREADS"},
	};
	const char *blas = report_fact(report, "blas"), *layer = report_fact(report, "blas_layer");

	/* OpenBLAS reads its own variable only if it has threads of its own */
	if (!blas || (strcasestr(blas, "openblas") && layer && !strcmp(layer, "OpenMP")))
		return "OMP_NUM_THREADS";
	EACH_ROW(variable, variables, COUNT(variables))
		if (strcasestr(blas, (*variable)[0]))
			return (*variable)[1];
	return "OMP_NUM_THREADS";
}

/* Counts workers that samples show; without samples, trusts the BLAS library's setting. More
 * callers than CPUs are the user's choice, and have a warning of their own. */
FIGURE(oversubscription)
{
	const char *setting = report_fact(report, "blas_threads");
	int is_inner = row->account.parallel == PARALLEL_INNER;
	int callers = is_inner ? 1 : row->threads, each = setting ? atoi(setting) : 0;
	double busy = callers + row->workers_at_once;

	if (!is_inner && !(caller_samples(row) > 0))
		busy = each > 1 && callers > 1 ? (double)callers * each : NAN;
	SAY(finding->hint, "%s=%.0f", report_threads_variable(report),
	    is_inner ? fmax(floor(row->cpus_available), 1) : 1);
	SAY(finding->detail, "%s and BLAS workers make %.0f on %s", human_noun(callers, "caller"),
	    busy, human_noun(row->cpus_available, "CPU"));
	return busy > row->threads || is_inner ? busy - row->cpus_available : NAN;
}

FIGURE(threads_over_cpus)
{
	SAY(finding->detail, "%s on %s", human_noun(row->threads, "thread"),
	    human_noun(row->cpus_available, "CPU"));
	return row->threads - row->cpus_available;
}

/* The share of the time that threads had no CPU for these ns. */
static double no_cpu_share(const struct report_row *row, double ns, struct finding *finding)
{
	double share = share_at(time_share(row, ns), "the time", row->threads, finding);

	SAY(finding->detail, " on %s", human_noun(row->cpus_available, "CPU"));
	return share;
}

FIGURE(no_cpu_by_own)
{
	return row->threads > row->cpus_available || warning_find_added(report, "oversubscription")
		       ? NAN
		       : no_cpu_share(row, row->no_cpu_ns[NO_CPU_OWN], finding);
}

FIGURE(no_cpu_by_others)
{
	const char *programs = report_other_programs(report, row->threads);
	double share = share_at(time_share(row, row->no_cpu_ns[NO_CPU_OTHERS]), "the time",
				row->threads, finding);

	SAY(finding->detail, "%s%s", *programs ? "; they used " : "", programs);
	return share;
}

FIGURE(no_cpu_by_quota)
{
	return no_cpu_share(row, row->no_cpu_ns[NO_CPU_QUOTA], finding);
}

FIGURE(no_cpu_by_nobody)
{
	return row->threads + row->workers_at_once > row->cpus_available
		       ? NAN
		       : no_cpu_share(row, unknown_no_cpu_ns(row), finding);
}

CHECK(check_steal)
{
	const struct report_run *worst = NULL;

	EACH_ROW(run, report->runs, report->nruns)
		if (run->used && run->steal_share > STEAL_MAX &&
		    (!worst || run->steal_share > worst->steal_share))
			worst = run;
	return worst && share_at(worst->steal_share, "the machine's time", worst->threads, finding);
}

CHECK(check_empty_roi)
{
	size_t empty = 0;

	EACH_ROW(run, report->runs, report->nruns)
		empty += run->calls > 0 && run->roi_ns <= 0;
	return empty && FOUND("%zu of %s", empty, human_noun(report->nruns, "run"));
}

/* How far the speed-up of the whole runs is from that inside the region of interest, as a share. */
FIGURE(whole_speedup_differs)
{
	SAY(finding->detail,
	    "%d threads give %.2f inside the region of interest, and %.2f over the whole run",
	    row->threads, row->speedup, row->whole_speedup);
	return fabs(row->whole_speedup / row->speedup - 1);
}

FIGURE(overfull)
{
	double more = row->account.claimed_ns / (row->threads * row->account.wall_ns) - 1;

	SAY(finding->detail, "up to %.1f, where %d %s asked for", row->threads * (1 + more),
	    row->threads, row->threads == 1 ? "was" : "were");
	return more;
}

/* The share of the CPU time in the region of interest that no thread's times explain: without
 * samples only threads that call BLAS are known. */
FIGURE(unknown_cpu)
{
	double share = share_at(1 - row->on_cpu_ns / row->roi_cpu_ns, "the CPU time", row->threads,
				finding);

	return row->samples_wanted > 0 || report_roi_is_region(report->roi) ? NAN : share;
}

CHECK(check_left_out)
{
	size_t out = 0;

	EACH_ROW(run, report->runs, report->nruns)
		out += !run->alike;
	return out && FOUND("%zu of %zu have another ROI, work or what-if, or are from before the "
			    "program was changed",
			    out, report->nruns);
}

/* Rows whose newest runs are of different programs. */
CHECK(check_program)
{
	const struct report_run *last = NULL;

	EACH_ROW(run, report->runs, report->nruns)
		last = run->used && *run_fact_text(run->run, "program") ? run : last;
	EACH_ROW(run, report->runs, last ? report->nruns : 0) {
		const char *program = run_fact_text(run->run, "program");

		if (run->used && *program &&
		    strcmp(program, run_fact_text(last->run, "program")) != 0)
			return FOUND("after those at %s and before those at %s",
				     human_noun(run->threads, "thread"),
				     human_noun(last->threads, "thread"));
	}
	return 0;
}

/* A single thread count needs no repeats. */
CHECK(check_few_runs)
{
	const struct report_row *least = report->rows;

	EACH_ROW(row, report->rows, report->nrows)
		if (row->runs < least->runs)
			least = row;
	return report->nrows > 1 && least->runs < REPORT_RANGE_RUNS &&
	       FOUND("%d at %s", least->runs, human_noun(least->threads, "thread"));
}

TIMES(first_slow)
{
	double longer = count > 1 ? times[0] / stats_median(times + 1, count - 1) - 1 : 0;

	return longer >= TIMES_MIN && stats_first_slow(times, count) &&
	       FOUND("it took %.0f %% longer at %s", 100 * longer, human_noun(threads, "thread"));
}

/* Leaves out a slow first run, which has its own warning. */
TIMES(outliers)
{
	size_t skip = (size_t)stats_first_slow(times, count);
	size_t odd = count ? stats_outliers(times + skip, count - skip, NULL) : 0;
	double least = INFINITY, most = 0;

	for (size_t i = skip; i < count; i++) {
		least = fmin(least, times[i]);
		most = fmax(most, times[i]);
	}
	if (count < REPORT_OUTLIER_RUNS && most < (1 + TIMES_MIN) * least)
		return 0;
	return odd && FOUND("%zu of %zu at %s%s", odd, count, human_noun(threads, "thread"),
			    count < REPORT_OUTLIER_RUNS ? "" : ", which the tables leave out");
}

TIMES(drift)
{
	int is_drift = stats_drift(times, count) < 1 - STATS_CONFIDENCE;
	double change = is_drift ? stats_change(times, count) : 0;

	return fabs(change) >= TIMES_MIN &&
	       FOUND("by %.0f %% over %zu runs at %s, %s", 100 * fabs(change), count,
		     human_noun(threads, "thread"), change > 0 ? "slower" : "faster");
}

CHECK(check_replay)
{
	const struct scaling *scaling = &report->scaling;

	return fabs(scaling->f_pairs - scaling->input.d.value) > SCALING_SHARE_MAX &&
	       FOUND("BLAS has %.3f of its time, and %.3f of the run's", scaling->f_pairs,
		     scaling->input.d.value);
}

FIGURE(missing_roi_ns)
{
	double each_ns = row->account.wall_ns / row->runs;

	SAY(finding->detail, "%s at %s", human_time(each_ns), human_noun(row->threads, "thread"));
	return ROI_MIN_NS - each_ns;
}

FIGURE(own_share)
{
	double own_ns = row->account.own_ns;

	return share_at(own_ns / (own_ns + row->threads * row->account.wall_ns),
			"the threads' time", row->threads, finding);
}

double report_flops_per_call(const struct report_row *row)
{
	return row->account.flops / row->account.calls;
}

double report_mix_change(const struct report_row *base, const struct report_row *row)
{
	const struct account *a = &base->account, *b = &row->account;

	if (b->work != b->flops) /* work is not measured in flops */
		return NAN;
	return fmin(fabs(report_flops_per_call(row) / report_flops_per_call(base) - 1),
		    fabs(b->flops / b->runs / (a->flops / a->runs) - 1));
}

FIGURE(mix_change)
{
	const struct report_row *first = report->rows;

	SAY(finding->detail, "%.3g flops a call at %s, %.3g at %d", report_flops_per_call(first),
	    human_noun(first->threads, "thread"), report_flops_per_call(row), row->threads);
	return report_mix_change(first, row);
}

CHECK(check_mixed_machines)
{
	const struct report_run *first = NULL;

	EACH_ROW(run, report->runs, report->nruns) {
		if (!run->used)
			continue;
		if (first && strcmp(first->machine, run->machine))
			return FOUND("%.200s; %.200s", first->machine, run->machine);
		first = first ? first : run;
	}
	return 0;
}

const struct warning warnings[] = {
	/* noted while recording */
	{"static_program", SEVERITY_WARNING,
	 "the program is static, so none of its calls can be intercepted: {}",
	 "link it dynamically (without -static); as root, --uprobes can count its calls as it is"},
	{"setuid_program", SEVERITY_WARNING,
	 "the program changes its user on exec, so the loader ignores the preload library: {}",
	 "profile a copy of it that is not setuid or setgid and has no file capabilities"},
	{"foreign_program", SEVERITY_WARNING,
	 "the program is built for another kind of machine than blasprof, so its calls cannot be "
	 "intercepted: {}",
	 "build it for this machine's own instruction set and 64 bits"},
	{"musl_program", SEVERITY_WARNING,
	 "the program uses musl, whose loader cannot load the preload library: {}",
	 "build it for the GNU C library"},
	{"no_uprobes", SEVERITY_WARNING, "the program's calls could not be counted by uprobes: {}",
	 ""},
	{"uprobes", SEVERITY_NOTE,
	 "calls were counted by uprobes, which cost much more than the preload library: {}",
	 "callers, regions and the samples' share of BLAS are not known, and neither are shapes "
	 "and flops of calls by Fortran names and of batches, for which speed-ups need --work; "
	 "link the program dynamically to get them"},
	{"uprobes_unneeded", SEVERITY_NOTE,
	 "no uprobes were set, because the preload library sees this program's calls: {}",
	 "leave --uprobes out"},
	{"several_blas", SEVERITY_NOTE,
	 "calls go to more than one BLAS library in the same process: {}",
	 "BLAS time is the sum over all of them; link everything to one library"},
	{"unknown_shapes", SEVERITY_NOTE,
	 "the flops of LAPACK routines, and of oneDNN before 3.11 inside another library, are not "
	 "known: {}",
	 "if these take more than 3 % of the time in calls, calls are counted as work instead of "
	 "flops; --work chooses another measure"},
	{"other_collector", SEVERITY_NOTE,
	 "INTEL_LIBITTNOTIFY64 names another library, so primitives of a oneDNN inside other "
	 "libraries are not seen: {}",
	 "unset it, if the program does not need it"},
	{"roi_unmarked", SEVERITY_WARNING,
	 "the program marks no region with the name that --roi gives: {}",
	 "give --roi a name that the program marks (see blasprof.h(3)), or blas, or process"},
	{"process_not_intercepted", SEVERITY_WARNING,
	 "some processes ran without the preload library: {}",
	 "let the program pass LD_PRELOAD on to its children; this does not help static and setuid "
	 "programs"},
	{"process_not_sampled", SEVERITY_WARNING,
	 "processes whose BLAS calls were counted were not sampled, most likely because a service, "
	 "not the command, started them; their CPU time counts as that of other programs: {}",
	 "let the service start blasprof, as in 'srun blasprof -- COMMAND'"},
	{"shape_table_full", SEVERITY_NOTE,
	 "there are more shapes than the table holds; the rest is summed up by routine and caller: "
	 "{}",
	 ""},
	{"timeline_cut", SEVERITY_NOTE, "the timeline has only a part of the calls: {}",
	 "let each thread keep more of them: --timeline-keep=262144"},
	{"timeline_no_waits", SEVERITY_NOTE, "the timeline lacks the times off the CPU: {}",
	 "let the program run for a shorter time, or lower the sampling rate"},
	{"wait_regions_lost", SEVERITY_NOTE,
	 "the regions of some waits are no longer known, and are shown as ?: {}",
	 "let the program run for a shorter time, or mark longer regions"},
	{"lookups_full", SEVERITY_WARNING,
	 "the program looked up one routine (dlsym) in more libraries than can be told apart, so "
	 "calls of some are not seen: {}",
	 "let it use one or two BLAS libraries"},
	{"calls_bound_past", SEVERITY_WARNING,
	 "calls of a library opened with RTLD_DEEPBIND or dlmopen() are not seen: {}",
	 "if you can, open it in the usual way; samples count its time as BLAS (-F)"},
	{"unit_taken", SEVERITY_WARNING,
	 "one of the what-if's units was taken from a thread that may have been inside its call, "
	 "because another thread had waited for 100 s: {}",
	 "leave units out of --what-if if calls take that long, or if the program leaves them by "
	 "longjmp or an exception"},
	{"roi_process", SEVERITY_WARNING,
	 "the whole process is measured, because the part in which it calls BLAS has only {} of "
	 "its CPU time",
	 "give --roi=blas to measure only that part, or mark a part of the program (see "
	 "blasprof.h(3))"},
	{"session_disk_full", SEVERITY_WARNING,
	 "the session directory ran full, so part of the record is missing: {}",
	 "make room there, or set BLASPROF_TMPDIR to another place"},
	{"session_no_memory", SEVERITY_WARNING,
	 "no memory could be mapped for a part of the record: {}",
	 "raise the limit in this shell with 'ulimit -v unlimited', or leave the program more "
	 "memory"},
	{"session_shut_out", SEVERITY_WARNING,
	 "a process could no longer reach the session directory, because it changed its user or "
	 "root directory, or forbade itself to open files: {}",
	 "what did not fit into its record is missing: let all of its threads make each of their "
	 "calls once before that"},
	{"session_hidden", SEVERITY_WARNING,
	 "a process does not see the session directory, because it is another user's, or has its "
	 "own /dev/shm, /tmp or root directory, so its calls of BLAS, if any, are missing: {}",
	 "run blasprof as that user; let it keep these directories, or bind those of this shell "
	 "into it (mount --bind)"},
	{"session_file_limit", SEVERITY_WARNING,
	 "the limit of file sizes left no room for a part of the record: {}",
	 "raise it in this shell with 'ulimit -f unlimited'"},
	{"calls_unrecorded", SEVERITY_WARNING, "some calls were not recorded: {}",
	 "BLAS time and calls are too low by these; more memory, room for the session directory, "
	 "higher limits (ulimit -n, -f, -v) or the absence of a seccomp filter help"},
	{"other_version", SEVERITY_WARNING,
	 "the preload library is of another version than blasprof: {}",
	 "install both from one build; an older libblasprof.so may be in LD_PRELOAD, or an older "
	 "blasprof may still run"},
	{"ranks_missing", SEVERITY_WARNING,
	 "ranks of the MPI job are missing from this report: there are {}",
	 "give the stores of all ranks: blasprof report blasprof.*.db"},
	{"stores_left_out", SEVERITY_WARNING, "stores are left out of this report: {}",
	 "a rank without a BLAS call has no run; if a run was lost, see blasprof recover, or "
	 "record the job again"},
	{"ranks_aligned", SEVERITY_WARNING,
	 "the clocks of the ranks' machines differ, so all ranks are taken to have started "
	 "together: {}",
	 "the time that ranks wait for each other at the start is lost; synchronize the clocks "
	 "with ntp or ptp"},
	{"outlived", SEVERITY_WARNING,
	 "the command ended, but one of its processes that uses BLAS ran on for more than 3 s: {}",
	 "what it did after that is not in the figures: let the command wait for it"},
	{"recovered", SEVERITY_WARNING,
	 "the run was not stored when it ended, and was recovered: {}",
	 "its calls are complete; samples, exit status, the time of its end and the waiting after "
	 "the last call are lost"},
	{"not_recoverable", SEVERITY_NOTE,
	 "this run could not have been recovered if blasprof had been killed: {}",
	 "nothing of it is lost now; make room in the session directory"},
	{"record_damaged", SEVERITY_WARNING, "part of a process's record cannot be read: {}",
	 "its calls are missing from the figures; record again"},
	{"no_schedstat", SEVERITY_NOTE,
	 "blocked and preempted time are told apart only by the number of switches: {}",
	 "mount /proc with schedstat to be exact (a kernel with CONFIG_SCHED_INFO)"},
	{"no_offcpu_page", SEVERITY_WARNING,
	 "in some threads, time without a CPU could not be told from computing: {}",
	 "see 'blasprof doctor'; if perf events are allowed, more memory for them (sysctl "
	 "kernel.perf_event_mlock_kb, ulimit -l) or fewer threads help"},
	{"no_sampling", SEVERITY_WARNING, "no samples were taken: {}",
	 "f by interception is not affected; see 'blasprof doctor' for what sampling needs"},
	{"counter_unknown", SEVERITY_WARNING, "an event was not counted: {}", ""},
	{"counter_missing", SEVERITY_WARNING, "an event was not counted: {}",
	 "choose one that this machine counts: see 'blasprof doctor'; on a virtual machine, the "
	 "host must pass its counters on"},
	{"counter_refused", SEVERITY_WARNING, "an event was not counted: {}",
	 "see 'blasprof doctor' for what perf events need; the BLAS calls are timed without them"},
	{"counter_group", SEVERITY_NOTE,
	 "a group of events is larger than this machine's set of counters: {} is counted by itself",
	 "make the group smaller"},
	{"exact_missed", SEVERITY_NOTE,
	 "events were not counted exactly, because other users took the counters at times: {}",
	 "count fewer events, or end other profilers; the shares by samples are still right"},
	{"no_kernel_samples", SEVERITY_NOTE, "{}",
	 "time inside the kernel is missing from the samples"},
	{"objects_unreadable", SEVERITY_NOTE,
	 "functions of an object are shown as object+offset: {}",
	 "keep the files that ran in place and readable until the run is recorded"},
	{"jit_map_damaged", SEVERITY_NOTE, "some names of code made at run time are missing: {}",
	 "let the program write its perf map itself, and exit normally"},
	{"jit_unnamed", SEVERITY_NOTE, "code made at run time has no names: {}",
	 "let the program write a perf map: python -X perf (from 3.12 on), node --perf-basic-prof, "
	 "java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, "
	 "erl +JPperf true"},
	{"sample_rate_lowered", SEVERITY_NOTE, "the kernel limits sampling: {}", ""},
	{"no_wait_stacks", SEVERITY_NOTE, "what threads wait on is not known: {}",
	 "run as root, run 'sysctl kernel.perf_event_paranoid=1', or give blasprof the capability "
	 "CAP_PERFMON; how long they wait is not affected"},
	{"no_python_frames", SEVERITY_NOTE,
	 "stacks of a Python process have the interpreter's functions instead of the program's: {}",
	 "use CPython 3.9 to 3.13 with its lock, and allow process_vm_readv() (Docker: "
	 "--cap-add=SYS_PTRACE)"},
	{"wait_stacks_ended", SEVERITY_NOTE,
	 "threads were started so fast that blasprof stopped to look at what they wait on: {}",
	 "let the program keep its threads, as in a pool; how long they wait is not affected"},
	{"rings_shrunk", SEVERITY_NOTE, "{}", ""},
	{"work_not_found", SEVERITY_WARNING,
	 "the program's output shows no work, so work is measured in BLAS flops: {}",
	 "give --work a regular expression that matches a line of the output, with the number in "
	 "brackets: 'trn/s ([0-9.]+)'"},
	{"no_progress", SEVERITY_WARNING,
	 "the program marked no progress, so work is measured in BLAS flops: {}",
	 "call blasprof_progress() in each step (see blasprof.h(3)), inside the region of "
	 "interest; or choose another --work"},
	/* found in the report */
	{"failed_runs", SEVERITY_WARNING, "the command failed: {}",
	 "repair the command, and record again", check_failed_runs},
	{"stopped_runs", SEVERITY_NOTE, "the command was stopped: {}",
	 "let it end by itself if its last part matters", check_stopped_runs},
	{"program_changed", SEVERITY_WARNING, "the program was changed between the runs: {}",
	 "record all thread counts again", check_program},
	{"small_roi", SEVERITY_WARNING,
	 "the region of interest has little of the program's CPU time: {}",
	 "the figures are true of that part alone, and nothing is predicted from less than 5 %: "
	 "--roi=process measures all",
	 .figure = missing_share},
	{"wall_clock", SEVERITY_WARNING, "the wall clock does not confirm the speed-up: {}",
	 "--roi=process measures the time outside it, too", .figure = whole_speedup_differs,
	 .limit = WHOLE_DISTANCE_MAX},
	{"records_lost", SEVERITY_NOTE, "the kernel dropped records of samples and switches: {}",
	 "allow larger buffers (sysctl kernel.perf_event_mlock_kb), or leave the stacks out with "
	 "--call-graph=none"},
	{"samples_lost", SEVERITY_WARNING, "the kernel dropped samples: {}",
	 "lower the sampling rate, or allow larger buffers (sysctl kernel.perf_event_mlock_kb)",
	 .figure = lost_share, .limit = SAMPLES_LOST_MAX},
	{"few_samples", SEVERITY_NOTE,
	 "there are too few samples for f by sampling and for the list of functions: {}",
	 "let the program run longer, or raise the sampling rate", .figure = missing_samples},
	{"threads_unsampled", SEVERITY_WARNING,
	 "threads that compute for less than the time between two samples got no sample: {}",
	 "let the program keep its threads, as in a pool{}; f by interception and all counts and "
	 "times of calls are right in any case",
	 .figure = unsampled_share, .limit = UNSAMPLED_MAX},
	{"samples_missing", SEVERITY_WARNING, "samples do not add up: {}",
	 "this is an error in blasprof: please report it, with the store", check_samples_missing},
	{"no_categories", SEVERITY_WARNING,
	 "no patterns are known that sort other code, so causes lack evidence: {}",
	 "install blasprof again, or give --categories a file of your own", check_no_categories},
	{"no_symbols", SEVERITY_WARNING,
	 "a library has no symbols, so matrix work in it cannot be identified: {}",
	 "let the program load a build of it that is not stripped, or install its debug symbols",
	 check_no_symbols},
	{"fp32_without_amx", SEVERITY_NOTE, "fp32 ran without the processor's matrix unit, AMX: {}",
	 "torch.set_float32_matmul_precision('medium') or bf16 would use it, or "
	 "ONEDNN_DEFAULT_FPMATH_MODE=BF16 in programs on oneDNN; all of these compute with fewer "
	 "digits",
	 .figure = fp32_share, .limit = FP32_MIN},
	{"clocks", SEVERITY_WARNING, "two clocks disagree: {}", "{}", .figure = clocks_gap,
	 .limit = CLOCKS_GAP_MAX},
	{"oversubscription", SEVERITY_WARNING,
	 "more threads compute at once than there are CPUs: {}",
	 "let BLAS run on the caller's thread: set {}", .figure = oversubscription},
	{"threads_over_cpus", SEVERITY_WARNING,
	 "some thread counts are higher than the number of CPUs available, and marked * in the "
	 "tables: {}",
	 "their speed-up says more about the CPUs than about BLAS; use fewer threads or allow more "
	 "CPUs",
	 .figure = threads_over_cpus},
	{"own_load", SEVERITY_WARNING, "threads of the program took the CPUs from each other: {}",
	 "start fewer threads, as those of all pools add up; or let threads sleep that have "
	 "nothing to do (with OpenMP, OMP_WAIT_POLICY=passive)",
	 .figure = no_cpu_by_own, .limit = NO_CPU_MAX},
	{"other_load", SEVERITY_WARNING, "other programs took the CPUs: {}",
	 "end the other programs, or give them other CPUs (taskset), and record again",
	 .figure = no_cpu_by_others, .limit = NO_CPU_MAX},
	{"cpu_quota", SEVERITY_WARNING, "the control group had used up its CPU quota: {}",
	 "raise the quota (cpu.max, docker --cpus, the limit of a Kubernetes container), or use no "
	 "more threads than it grants",
	 .figure = no_cpu_by_quota, .limit = NO_CPU_MAX},
	{"no_cpu", SEVERITY_WARNING,
	 "threads had no CPU although there are enough, and it is not known what used them: {}",
	 "end what else runs on this machine, and record again", .figure = no_cpu_by_nobody,
	 .limit = NO_CPU_MAX},
	{"steal", SEVERITY_WARNING,
	 "the hypervisor gave CPU time of this machine to other machines: {}",
	 "record again when the host is less busy, or on CPUs that are not shared", check_steal},
	{"empty_roi", SEVERITY_WARNING, "the region of interest has no length: {}",
	 "it needs at least two BLAS calls: give the program more work, or choose another region "
	 "with --roi",
	 check_empty_roi},
	{"more_threads", SEVERITY_WARNING, "more threads computed at once than were asked for: {}",
	 "the row's times are shares of what was asked for: unless a thread is meant to work in "
	 "addition, as one that hands out work, make sure that the setting reaches all that starts "
	 "threads",
	 .figure = overfull, .limit = OVERFULL_MAX},
	{"unknown_cpu", SEVERITY_WARNING,
	 "threads that make no BLAS call compute, and their times are not known: {}",
	 "record with samples (without -F 0): their computing is shown as waiting here",
	 .figure = unknown_cpu, .limit = UNKNOWN_CPU_MAX},
	{"left_out", SEVERITY_NOTE,
	 "runs were left out because they do not compare with the newest: {}",
	 "record them again with the same --roi, --work and --what-if", check_left_out},
	{"few_runs", SEVERITY_NOTE,
	 "there are too few runs for an interval, so differences may be chance: {}",
	 "record at least 3 runs of each thread count, better 5 (blasprof -r 5)", check_few_runs},
	{"first_slow", SEVERITY_WARNING, "the first run was slower than the others: {}",
	 "caches were cold, the clock rate was low, or other programs ran: warm up first, or for "
	 "longer (blasprof -w 2)",
	 .say_times = first_slow},
	{"outliers", SEVERITY_WARNING, "some runs are far from the others: {}",
	 "something else used the machine meanwhile: end it, and record again",
	 .say_times = outliers},
	{"replay", SEVERITY_NOTE,
	 "the recorded sequence of calls is not like the whole run, and is not replayed: {}",
	 "record a shorter run with one thread, so that its last calls, which are kept, are most "
	 "of it",
	 check_replay},
	{"drift", SEVERITY_WARNING, "the runs became faster or slower one after another: {}",
	 "let the machine warm up or cool down first, and let thread counts take turns (blasprof "
	 "-t 1,2,4 -r 5)",
	 .say_times = drift},
	{"short_roi", SEVERITY_WARNING, "the region of interest is short: {}",
	 "give the program more work: 1 s or more", .figure = missing_roi_ns},
	{"own_cost", SEVERITY_WARNING, "blasprof's own cost is large: {}",
	 "it is subtracted from the figures, but it disturbs caches and overlap: prefer larger "
	 "calls",
	 .figure = own_share, .limit = OWN_COST_MAX},
	{"call_mix", SEVERITY_WARNING, "the mix of BLAS calls differs between thread counts: {}",
	 "work is measured in BLAS flops here: speed-ups are right only if the same flops mean the "
	 "same progress",
	 .figure = mix_change, .limit = CALL_MIX_MAX},
	{"mixed_machines", SEVERITY_WARNING,
	 "runs from different machines or BLAS libraries are in one table: {}",
	 "keep them in different stores: speed-ups between machines mean nothing",
	 check_mixed_machines},
	/* many programs do without; what else is wrong matters more */
	{"no_blas", SEVERITY_NOTE,
	 "no BLAS call was seen, and the program loaded no BLAS library: {}",
	 "if it has a BLAS of its own inside, see what hides calls in blasprof-costs(7)",
	 check_no_blas},
	{"no_calls", SEVERITY_WARNING, "no BLAS call was seen: {}", "{}", check_no_calls},
};
const size_t warnings_count = COUNT(warnings);
