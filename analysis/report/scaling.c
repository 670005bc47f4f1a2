/* scaling.c: learns from an experiment's runs how threads meet and how it scales. */
/* SPDX-License-Identifier: MIT */
#include "report/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/estimate.h"
#include "report/build.h"
#include "report/repeats.h"
#include "base/array.h"
#include "base/memory.h"

/* The calls that a replay counts: the whole sequence for two threads; this takes 10 ms. */
#define REPLAY_CALLS  (2 * RUN_PAIRS_MAX)
/* The calls that all replays of a fit count together, in the worst case: 0.3 s. */
#define FIT_CALLS     2000000
#define FIT_CALLS_MIN 2000 /* in one replay */

void scaling_free(struct scaling *scaling)
{
	free(scaling->points);
	free(scaling->points_of_fit);
	free(scaling->input.pairs);
	free(scaling->input.stages);
	*scaling = (struct scaling){
		.f = {NAN, NAN, NAN},
		.f_pairs = NAN,
		.units = {INFINITY, NAN, NAN},
		.input = {.d = {NAN, NAN, NAN},
			  .replayed = REPLAY_CALLS,
			  .calls_a_step = NAN,
			  .spread = NAN,
			  .base_spread = NAN},
	};
}

/* Adds the calls of a shape. No call waits for longer than limit_ns. */
static void add_calls(const struct run_shape *shape, double limit_ns, struct call_times *sum)
{
	uint64_t calls[RUN_HISTOGRAM_BUCKETS];
	double fastest_ns = shape_quantile(shape, ESTIMATE_QUANTILE);

	call_times_add(sum, (double)shape->calls, (double)shape->total_ns, fastest_ns,
		       calls_waited(histogram_calls(shape->histogram, calls), RUN_HISTOGRAM_BUCKETS,
				    run_bucket_low_ns, fastest_ns, limit_ns));
}

/* Estimates what one thread would do from the fastest calls of the row's runs. */
static void estimate_base(const struct report *report, const struct report_row *row,
			  struct scaling *scaling)
{
	struct call_times calls = {0};
	double f, work = row->account.work, other_ns = row->account.caller_other_ns;

	scaling->base.throughput = scaling->base.blas_per_work = scaling->base.other_per_work = NAN;
	if (row->account.parallel != PARALLEL_CALLERS)
		return;
	EACH_RUN_AT(run, report, row->threads)
		EACH_ROW(shape, run->run->shapes, run->run->nshapes)
			add_calls(shape, 0, &calls);
	f = estimate_f1(&calls, other_ns);
	if (isnan(f))
		return;
	scaling->f.value = scaling->input.d.value = f;
	scaling->f_estimated = row->threads;
	scaling->base.throughput = work / (calls.unhindered_ns + other_ns) * 1e9;
	scaling->base.blas_per_work = calls.unhindered_ns / work;
	scaling->base.other_per_work = other_ns / work;
}

/* The time in all categories except no CPU, in ns per unit of work. */
static double with_cpu_per_work(const struct account *account)
{
	double sum = 0;

	EACH_CATEGORY(category)
		if (category != CAT_NO_CPU)
			sum += account_per_work(account, category);
	return sum;
}

static double delay_share(const struct account *account, const void *context)
{
	return account_per_work(account, CAT_BLAS) / with_cpu_per_work(account);
}

/* Sets how much runs of the same thread count differ. */
static void set_spread(const struct report *report, struct scaling *scaling)
{
	double squares = 0, dof = 0;
	size_t ones = 0;

	EACH_ROW(row, report->rows, report->nrows) {
		struct repeats repeats =
			repeats_gather(report, row->threads, 0, run_throughput, NULL);
		double sd = stats_sd(repeats.values, repeats.count) /
			    stats_mean(repeats.values, repeats.count);

		if (isfinite(sd)) {
			squares += sd * sd * (double)(repeats.count - 1);
			dof += (double)(repeats.count - 1);
		}
		if (row->threads == 1)
			ones = repeats.count;
		free(repeats.values);
	}
	if (ones >= REPORT_RANGE_RUNS) {
		scaling->input.spread =
			student_quantile(STATS_CONFIDENCE, dof) * sqrt(squares / dof);
		scaling->input.base_spread = scaling->input.spread / sqrt((double)ones);
		scaling->spread_dof = dof;
	}
}

/* How many times as long the time outside BLAS takes as on one thread, without waiting for other
 * threads, since other code may have become slower. */
static double delay_growth(const struct report *report, const struct scaling *scaling, int threads)
{
	double rest = scaling->base.rest_per_work;
	double growth =
		(account_per_work(&report_find_row(report, threads)->account, CAT_OTHER) + rest) /
		(scaling->base.other_per_work + rest);

	return isfinite(growth) && growth > 0 ? growth : 1;
}

/* If there are more threads than CPUs, a point with a larger share of time without a CPU tells
 * nothing about units. */
#define NO_CPU_MAX 0.1

/* Adds the measured speed-ups over one thread, and those to fit, and sets the loss at the largest
 * thread count: N - S = sum over the categories of N (xN - x1) / (bN + cN + oN + pN). */
static void add_points(const struct report *report, struct scaling *scaling)
{
	const struct model_input *input = &scaling->input;
	const struct report_row *one = report_find_row(report, 1);
	double one_lacked = one ? account_share(&one->account, CAT_NO_CPU) : 0;

	EACH_ROW(row, report->rows, report->nrows) {
		struct speedup_point point = {
			row->threads, row->throughput / scaling->base.throughput,
			(row->speedup_range.high - row->speedup_range.low) / 2, 0};
		/* Threads would be faster by this share if each always had a CPU. How long they
		 * wait for each other meanwhile is not known, so this is right only for small
		 * shares: its error is about the square of the share. */
		double lacked = account_share(&row->account, CAT_NO_CPU), times;

		if (!isfinite(point.speedup))
			continue;
		memory_append(&scaling->points, &scaling->npoints, sizeof point, &point);
		/* the row with the most threads is the last */
		scaling->lost = row->threads - point.speedup;
		scaling->lost_blas =
			row->threads *
			(account_per_work(&row->account, CAT_BLAS) - scaling->base.blas_per_work) /
			account_all_per_work(&row->account);
		if (row->threads > row->cpus_available && lacked > NO_CPU_MAX)
			continue;
		times = input->d.value +
			(1 - input->d.value) * delay_growth(report, scaling, row->threads);
		times *= (1 - one_lacked) / (1 - lacked);
		point.speedup *= times;
		point.half = point.speedup * input->spread / sqrt(row->runs);
		point.base_half = isfinite(input->base_spread) ? input->base_spread : 0;
		memory_append(&scaling->points_of_fit, &scaling->npoints_of_fit, sizeof point,
			      &point);
	}
}

/* Copies the sequence of the run with one thread whose BLAS share is closest to that of all. */
static void copy_pairs(const struct report *report, struct scaling *scaling)
{
	struct model_input *input = &scaling->input;
	const struct run *from = NULL;
	double least = INFINITY;

	EACH_RUN_AT(run, report, 1) {
		double off = fabs(delay_share(&run->account, NULL) - input->d.value);

		if (run->run->npairs && off <= least) {
			least = off;
			from = run->run;
		}
	}
	if (!from)
		return;
	input->pairs = memory_rows(from->npairs, sizeof *input->pairs);
	EACH_ROW(pair, from->pairs, from->npairs)
		input->pairs[input->npairs++] =
			(struct replay_pair){(float)pair->gap_ns, (float)pair->service_ns};
	scaling->f_pairs = replay_blas_share(input->pairs, input->npairs);
	if (!(fabs(scaling->f_pairs - input->d.value) <= SCALING_SHARE_MAX))
		input->npairs = 0;
}

static double shared_units_speedup(void *context, int n, double m)
{
	const struct report *report = context;
	const struct scaling *scaling = &report->scaling;
	const struct model_input *input = &scaling->input;
	double growth = delay_growth(report, scaling, n), d = input->d.value;
	int steps = input->meeting == MEET_BARRIER;
	/* a fit tries up to one m for each thread, and some below 1, at each point */
	double most = scaling->points_of_fit[scaling->npoints_of_fit - 1].threads;
	double calls = floor(FIT_CALLS / ((most + 16) * (double)scaling->npoints_of_fit));

	if (input->npairs)
		return replay_scaled(input->pairs, input->npairs, 1 / growth,
				     steps ? model_step(input, n) : 0, input->split_calls, n, m,
				     (size_t)fmax(fmin(calls, REPLAY_CALLS), FIT_CALLS_MIN));
	d = d / (d + (1 - d) * growth);
	return steps ? model_forkjoin(d, n, m) : model_queue(d, n, m);
}

static double queue_speedup(void *context, int n, double m)
{
	return model_queue(*(const double *)context, n, m);
}

/* How much m changes if d is `share`, by the queue model. A replay would take long; it differs from
 * queue by how much the times of calls vary, but not in how d matters. */
static double moved_by_share(const struct scaling *scaling, double share)
{
	double d = scaling->input.d.value, other = fmin(fmax(share, 0), 1);
	struct units_fit plain, moved;

	if (!isfinite(share) ||
	    fit_units(scaling->points_of_fit, scaling->npoints_of_fit, queue_speedup, &d,
		      UNITS_TOLERANCE, &plain) ||
	    fit_units(scaling->points_of_fit, scaling->npoints_of_fit, queue_speedup, &other,
		      UNITS_TOLERANCE, &moved))
		return 0;
	return moved.units - plain.units;
}

/* Half of the interval of the sum of two figures, from half of their intervals and their degrees of
 * freedom (Welch and Satterthwaite). */
static double sum_half(double a, double a_dof, double b, double b_dof)
{
	double a_var = pow(a / student_quantile(STATS_CONFIDENCE, a_dof), 2);
	double b_var = pow(b / student_quantile(STATS_CONFIDENCE, b_dof), 2);
	double dof = pow(a_var + b_var, 2) / (a_var * a_var / a_dof + b_var * b_var / b_dof);

	if (!isfinite(dof)) /* without variance, or without an end */
		return fmax(a, b);
	return student_quantile(STATS_CONFIDENCE, dof) * sqrt(a_var + b_var);
}

/* Widens the interval of the fitted m by the interval of d. */
static void widen_by_share(const struct report *report, struct scaling *scaling)
{
	const struct report_row *one = report_find_row(report, 1);
	struct units_fit *fit = &scaling->fit;
	double low = moved_by_share(scaling, scaling->input.d.low);
	double high = moved_by_share(scaling, scaling->input.d.high);

	if (!one)
		return;
	fit->low = fit->units -
		   sum_half(fit->units - fit->low, scaling->spread_dof, fabs(low), one->runs - 1);
	fit->low = fmax(fit->low, UNITS_MIN);
	fit->high = fit->units + sum_half(fit->high - fit->units, scaling->spread_dof, fabs(high),
					  one->runs - 1);
}

/* Predictions are for the units that the user declared, or else for those that were measured. */
static void choose_units(const struct report *report, struct scaling *scaling)
{
	const char *units = strstr(report->what_if, "units=");
	/* in the form of %g: 1e+06 */
	double what_if = units ? strtod(units + strlen("units="), NULL) : 0;

	if (report->options.units > 0) {
		scaling->units_from = UNITS_FROM_OPTION;
		scaling->units.value = report->options.units;
	} else if (what_if > 0) {
		scaling->units_from = UNITS_FROM_WHAT_IF;
		scaling->units.value = what_if;
	} else if (scaling->input.one_caller) {
		scaling->units_from = UNITS_FROM_CALLER;
		scaling->units.value = 1;
	} else if (scaling->has_fit && scaling->fit.result == UNITS_FITTED &&
		   !scaling_fit_is_doubtful(scaling)) {
		scaling->units_from = UNITS_FROM_SPEEDUPS;
		scaling->units = (struct interval){scaling->fit.units, scaling->fit.own_low,
						   scaling->fit.own_high};
	}
}

struct interval scaling_measured(const struct scaling *scaling, int threads)
{
	EACH_ROW(point, scaling->points, scaling->npoints)
		if (point->threads == threads)
			return interval_around(point->speedup, point->half);
	return (struct interval){NAN, NAN, NAN};
}

struct interval scaling_units(const struct scaling *scaling, int threads)
{
	if (threads == 1 && scaling->units_from == UNITS_FROM_SPEEDUPS)
		return (struct interval){INFINITY, NAN, NAN};
	return scaling->units;
}

/* A few meetings may just be a program's start and end. */
#define MEETINGS_MIN	     10
/* The sizes of calls in a pipeline's stages differ by more than those of equal parts, of which the
 * last may be smaller. */
#define STAGE_SIZES_DIFFER   1.5
#define PIPELINE_BLOCKED_MIN 0.05 /* of the callers' time */
#define STAGE_ONE_IN	     20	  /* a participant has at least 5 % of the busiest thread's time */

/* Sums over the runs of one thread count. */
struct meetings {
	double calls, meetings;
	double blocked_ns, alive_ns; /* of threads that make calls */
};

/* Adds the run's meetings. Of n threads that meet at a barrier, all but the last wait. */
static void count_meetings(const struct run *run, int n, struct meetings *sums)
{
	double waits = 0, callers = 0;

	EACH_ROW(wait, run->waits, run->nwaits)
		if (!strcmp(wait->kind, "barrier") && !wait->in_blas)
			waits += (double)wait->waits;
	EACH_ROW(thread, run->threads, run->nthreads) {
		if (!thread->calls)
			continue;
		callers++;
		sums->calls += (double)thread->calls;
		sums->blocked_ns += (double)thread->times.ns[CAT_WAITING];
		sums->alive_ns += (double)thread->end_ns - (double)thread->start_ns;
	}
	waits /= n - 1;
	/* threads that are started again and again meet at each start */
	sums->meetings += fmax(waits, callers / n);
}

COMPARE(compare_longest_first, double, ORDER(*b, *a))

static double busy_of(const struct run_thread *thread)
{
	return (double)(thread->times.ns[CAT_BLAS] + thread->times.ns[CAT_OTHER]);
}

struct stage {
	double busy, size; /* of its calls, in flops; 0: it makes none */
};

COMPARE(compare_size, struct stage, ORDER(a->size, b->size))

/* Sets the stages to the busy times of the run's participants, longest first. Sets none if the
 * calls of two threads have the same size, since these threads do the same work. */
static void find_stages(const struct run *run, struct model_input *input)
{
	FREED struct stage *stages = memory_rows(run->nthreads, sizeof *stages);
	double busiest = 0;
	size_t count = 0;

	input->stages = memory_rows(run->nthreads, sizeof *input->stages);
	EACH_ROW(thread, run->threads, run->nthreads)
		busiest = fmax(busiest, busy_of(thread));
	EACH_ROW(thread, run->threads, run->nthreads) {
		if (busy_of(thread) * STAGE_ONE_IN < busiest)
			continue;
		stages[count].busy = busy_of(thread);
		stages[count++].size = thread->calls ? thread->flops / (double)thread->calls : 0;
	}
	qsort(stages, count, sizeof *stages, compare_size);
	input->nstages = count;
	for (size_t i = 0; i < count; i++) {
		input->stages[i] = stages[i].busy;
		if (i && !(stages[i].size > STAGE_SIZES_DIFFER * stages[i - 1].size))
			input->nstages = 0;
	}
	qsort(input->stages, input->nstages, sizeof *input->stages, compare_longest_first);
}

/* 1 if one thread is in calls for more than 20 times as long as each of the others. */
static int has_one_caller(const struct run *run)
{
	double most = 0;
	int callers = 0;

	EACH_ROW(thread, run->threads, run->nthreads)
		most = fmax(most, (double)thread->times.ns[CAT_BLAS]);
	EACH_ROW(thread, run->threads, run->nthreads)
		callers += (double)thread->times.ns[CAT_BLAS] * STAGE_ONE_IN >= most;
	return callers == 1;
}

/* With fewer threads in other code, on average, these are just BLAS's own doing other things. */
#define POOL_THREADS_MIN 1.1

/* The parallel share p of other code, by Amdahl's law, if Q of N threads run it on average:
 * Q = 1 / (1 - p + p / N). */
static double other_parallel(const struct report_row *row)
{
	const struct account *account = &row->account;
	double busy = 1 + account->pool_other_ns / account->caller_other_ns;

	if (account->parallel != PARALLEL_INNER || !(busy >= POOL_THREADS_MIN))
		return 0;
	return fmin((1 - 1 / busy) / (1 - 1.0 / row->threads), 1);
}

static double calls_per_flop(const struct report *report, int threads)
{
	double calls = 0, flops = 0;

	EACH_RUN_AT(run, report, threads)
		EACH_ROW(thread, run->run->threads, run->run->nthreads) {
			calls += (double)thread->calls;
			flops += thread->flops;
		}
	return calls / flops;
}

/* Sets how threads meet, and whether one of them makes all calls, from the runs of the largest
 * thread count that does not lack CPUs, or else of the largest: at barriers, if threads wait at
 * barriers or are started again and again; in a pipeline, if the sizes of all threads' calls differ
 * and they block outside BLAS; else freely. */
static void find_meeting(const struct report *report, enum parallel_case parallel,
			 struct model_input *input)
{
	const struct report_row *row = &report->rows[report->nrows - 1];
	const struct run *newest = NULL;
	struct meetings sums = {0};

	EACH_ROW(other, report->rows, report->nrows)
		if (other->threads > 1 && other->threads <= other->cpus_available)
			row = other;
	input->meeting = MEET_FREELY;
	if (parallel != PARALLEL_CALLERS) {
		input->meeting = parallel == PARALLEL_INNER ? MEET_ONE_CALLER : MEET_BOTH;
		input->other_parallel = other_parallel(row);
		return;
	}
	if (row->threads > 1)
		EACH_RUN_AT(run, report, row->threads) {
			newest = run->run;
			count_meetings(newest, row->threads, &sums);
		}
	if (!newest)
		return;
	input->one_caller = has_one_caller(newest);
	if (sums.meetings >= MEETINGS_MIN * (double)row->runs) {
		input->meeting = MEET_BARRIER;
		if (input->one_caller) /* the calls are no measure of what the others do */
			return;
		input->calls_a_step = fmax(sums.calls / sums.meetings, 1);
		/* If threads split each call, the same flops take N times as many calls. */
		input->split_calls = calls_per_flop(report, row->threads) >
				     sqrt(row->threads) * calls_per_flop(report, 1);
		if (input->split_calls)
			input->calls_a_step /= row->threads;
	} else if (sums.blocked_ns > PIPELINE_BLOCKED_MIN * sums.alive_ns) {
		find_stages(newest, input);
		if (input->nstages > 1)
			input->meeting = MEET_PIPELINE;
	}
}

void scaling_learn(struct report *report)
{
	struct scaling *scaling = &report->scaling;
	struct model_input *input = &scaling->input;
	const struct report_row *last, *one = report_find_row(report, 1);

	if (!report->nrows)
		return;
	last = &report->rows[report->nrows - 1];
	if (one) {
		scaling->f = one->f_intercepted_range;
		input->d = repeats_mean_range(report, 1, delay_share(&one->account, NULL),
					      delay_share, NULL);
		scaling->base.throughput = one->throughput;
		scaling->base.blas_per_work = account_per_work(&one->account, CAT_BLAS);
		scaling->base.other_per_work = account_per_work(&one->account, CAT_OTHER);
		scaling->base.rest_per_work = with_cpu_per_work(&one->account) -
					      scaling->base.blas_per_work -
					      scaling->base.other_per_work;
	} else {
		estimate_base(report, report->rows, scaling);
	}
	set_spread(report, scaling);
	find_meeting(report, last->account.parallel, input);
	add_points(report, scaling);
	copy_pairs(report, scaling);
	EACH_ROW(row, report->rows, report->nrows)
		if (row->roi_share < SCALING_ROI_MIN || /* too little to be typical */
		    !(row->account.calls > 0)) {
			scaling->f = input->d = (struct interval){NAN, NAN, NAN};
			input->npairs = 0;
			return;
		}
	scaling->has_fit = last->threads <= REPLAY_THREADS_MAX && !input->one_caller &&
			   (input->meeting == MEET_FREELY || input->meeting == MEET_BARRIER) &&
			   isfinite(input->d.value) &&
			   !fit_units(scaling->points_of_fit, scaling->npoints_of_fit,
				      shared_units_speedup, report, UNITS_TOLERANCE, &scaling->fit);
	if (scaling->has_fit && isfinite(scaling->fit.low))
		widen_by_share(report, scaling);
	choose_units(report, scaling);
	input->has_usl = !usl_fit(scaling->points, scaling->npoints, &input->usl);
}

enum calls_tail scaling_tail(const struct report *report, int threads)
{
	const struct report_row *base = report_find_row(report, 1);
	const struct report_row *row = report_find_row(report, threads);
	double longest_ns = 0; /* the mean call of the longest shape on one thread */
	struct call_times alone = {0}, beside = {0};

	if (!base || !row)
		return TAIL_UNCLEAR;
	EACH_AT(shape, report, shapes, 1)
		if (shape->sum.calls)
			longest_ns = fmax(longest_ns,
					  (double)shape->sum.total_ns / (double)shape->sum.calls);
	EACH_AT(shape, report, shapes, 1)
		add_calls(&shape->sum, (threads - 1) * longest_ns, &alone);
	EACH_AT(shape, report, shapes, threads)
		add_calls(&shape->sum, (threads - 1) * longest_ns, &beside);
	return calls_tail(&alone, &beside,
			  account_per_work(&row->account, CAT_BLAS) /
				  account_per_work(&base->account, CAT_BLAS));
}

/* The time blocked inside BLAS calls for a unit of work, by the clocks or by the waits that were
 * seen, whichever is longer; the waits include the time that the kernel takes to switch. */
static double blocked_inside(const struct report *report, const struct report_row *row)
{
	double waited_ns = 0;

	EACH_AT(wait, report, waits, row->threads)
		if (wait->is_caller && wait->sum.in_blas)
			waited_ns += (double)wait->sum.total_ns;
	return fmax(row->account.blas_waiting_ns, waited_ns) / row->account.work;
}

int scaling_queues(const struct report *report, int threads)
{
	const struct report_row *base = report_find_row(report, 1);
	const struct report_row *row = report_find_row(report, threads);
	const struct scaling *scaling = &report->scaling;
	double more, blocked;

	if (!base || !row || row == base)
		return 0;
	more = account_per_work(&row->account, CAT_BLAS) -
	       account_per_work(&base->account, CAT_BLAS);
	blocked = blocked_inside(report, row) - blocked_inside(report, base);
	if (more > 0 && (blocked > more / 2 || (scaling->units_from == UNITS_FROM_WHAT_IF &&
						scaling->units.value < threads)))
		return 1;
	return scaling->has_fit && scaling->fit.result == UNITS_FITTED && !scaling->fit.rejected &&
	       isfinite(scaling->fit.low) && isfinite(scaling->fit.high) &&
	       !scaling_fit_is_doubtful(scaling) && scaling_tail(report, threads) == TAIL_GROWS;
}

int scaling_fit_is_doubtful(const struct scaling *scaling)
{
	return scaling->has_fit && scaling->fit.result == UNITS_FITTED &&
	       scaling->lost_blas < scaling->lost / 2;
}
