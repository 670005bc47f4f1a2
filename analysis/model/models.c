/* models.c: the speed-up models. */
/* SPDX-License-Identifier: MIT */
#include "model/models.h"

#include "base/array.h"

#include <math.h>
#include <string.h>
#include <sys/param.h>

static int arguments_valid(double f, int n, double m)
{
	return f >= 0 && f <= 1 && n >= 1 && m > 0;
}

/* G. Amdahl's law (AFIPS 1967) with BLAS as the serial part, for any m. */
double model_amdahl(double f, int n, double m)
{
	return arguments_valid(f, n, m) ? 1 / (f + (1 - f) / n) : NAN;
}

/* The m units together do at most m ns of BLAS per ns, and each unit of work needs f ns of it. */
double model_bound(double f, int n, double m)
{
	if (!arguments_valid(f, n, m))
		return NAN;
	return fmin(n, m / f);
}

/* The weights of k = from + step, from + 2 step, ... customers at the station, as long as they are
 * in 0..n, relative to a weight of 1 for k = from; adds them to *sum, and each times the number of
 * busy units to *busy. Ratio of neighbours: p(k) / p(k-1) = (n - k + 1) (f / z) / min(k, m). */
static void add_weights(double ratio, int n, int m, int from, int step, double *sum, double *busy)
{
	double weight = 1;

	for (int k = from + step; k >= 0 && k <= n && weight != 0; k += step) {
		int upper = step == 1 ? k : k + 1;
		double up = (n - upper + 1) * ratio / fmin(upper, m);

		weight *= step == 1 ? up : 1 / up;
		*sum += weight;
		*busy += weight * fmin(k, m);
	}
}

/* Throughput of a closed network with n customers, a delay station of mean z and a FIFO station of
 * m units with exponential service of mean f: busy units / f. The number at the station is a
 * birth-death chain (the machine repairman; its product form gives what exact mean value analysis
 * gives). Its weights have one peak; summed from there they neither overflow nor cancel. */
static double repairman_throughput(double f, double z, int n, int m)
{
	double ratio = f / z, sum = 1, busy;
	/* a lower bound of the peak: n may be huge in a damaged store */
	int peak = (int)fmax(n - m / ratio - 2, 0);

	while ((n - peak) * ratio >= fmin(peak + 1, m))
		peak++;
	busy = fmin(peak, m);
	add_weights(ratio, n, m, peak, 1, &sum, &busy);
	add_weights(ratio, n, m, peak, -1, &sum, &busy);
	return busy / sum / f;
}

/* The speed-up on whole numbers of units; the service and the delay of one thread add up to 1. */
typedef double whole_units(double service, double delay, int n, int m);

/* Between whole m the speed-up is interpolated linearly; below 1 the one unit is slower, its
 * service f / m. The reference stays one thread with a whole unit, whose throughput is 1. */
static double on_units(whole_units *speedup, double f, int n, double m)
{
	double low, part = m - floor(m);

	if (!arguments_valid(f, n, m))
		return NAN;
	if (m >= n || f <= 0)
		return n;
	if (m < 1)
		return speedup(f / m, 1 - f, n, 1);
	low = speedup(f, 1 - f, n, (int)m);
	return low + part * (speedup(f, 1 - f, n, (int)m + 1) - low);
}

/* Exact solution of the closed queueing network: delay 1 - f, m units of service f. */
double model_queue(double f, int n, double m)
{
	return on_units(repairman_throughput, f, n, m);
}

static double forkjoin_whole(double service, double delay, int n, int m)
{
	int rounds = n / m + (n % m > 0);

	return 1 / (delay / n + service * rounds / n);
}

/* All threads meet at a barrier each step: they compute, then their calls take ceil(n / m) rounds.
 */
double model_forkjoin(double f, int n, double m)
{
	return on_units(forkjoin_whole, f, n, m);
}

/* One caller, BLAS alone is parallel: Amdahl's law with everything else as the serial part. */
double model_inner(double f, int n, double m)
{
	return arguments_valid(f, n, m) ? 1 / ((1 - f) + f / n) : NAN;
}

static struct interval solve(const struct model *model, const struct model_input *input, int n,
			     double m);

/* 1 / ((1 - f) (1 - p + p / N) + f / N): what else runs on BLAS's threads counts as BLAS. */
static struct interval model_pool(const struct model_input *input, int n, double m)
{
	struct model_input all = *input;

	all.d.value += (1 - all.d.value) * input->other_parallel;
	all.d.low += (1 - all.d.low) * input->other_parallel;
	all.d.high += (1 - all.d.high) * input->other_parallel;
	all.other_parallel = 0;
	return solve(&models[MODEL_INNER], &all, n, m);
}

/* Replays at values of f closer than this differ more by chance than by f. */
#define REPLAY_STEP 0.05

/* Replays the sequence with all calls scaled so that their share changes by `change`. */
static double replay_changed(const struct model_input *input, double change, size_t step, int n,
			     double m)
{
	double f = replay_blas_share(input->pairs, input->npairs);
	double changed = fmin(fmax(f + change, 1e-6), 1 - 1e-6);
	double factor = change == 0 ? 1 : changed / (1 - changed) * (1 - f) / f;

	return replay_scaled(input->pairs, input->npairs, factor, step, input->split_calls, n, m,
			     input->replayed);
}

/* The half-width of the interval has two parts: how far the speed-up moves if f moves by half of
 * its own interval, by the line through replays at other f; and how far these lie from the line,
 * which is chance in how the threads meet. */
static struct interval replay_around(const struct model_input *input, size_t step, int n, double m)
{
	static const double steps[] = {-1, -0.5, 0, 0.5, 1};
	enum { STEPS = COUNT(steps) };
	double half = (input->d.high - input->d.low) / 2, wide = fmax(half, REPLAY_STEP);
	double replays[STEPS], moved = 0, mean = 0, squares = 0, left = 0;
	struct interval result = {NAN, NAN, NAN};

	if (n > REPLAY_THREADS_MAX)
		return result;
	result.value = replay_changed(input, 0, step, n, m);
	if (!isfinite(half))
		return result;
	for (size_t i = 0; i < STEPS; i++) {
		replays[i] = steps[i] ? replay_changed(input, steps[i] * wide, step, n, m)
				      : result.value;
		moved += steps[i] * replays[i];
		mean += replays[i] / (double)STEPS;
		squares += steps[i] * steps[i];
	}
	moved /= squares;
	for (size_t i = 0; i < STEPS; i++)
		left += pow(replays[i] - mean - moved * steps[i], 2);
	half = hypot(moved * half / wide, STATS_NORMAL_QUANTILE * sqrt(left / (double)(STEPS - 2)));
	return interval_around(result.value, half);
}

static struct interval model_replay(const struct model_input *input, int n, double m)
{
	return replay_around(input, 0, n, m);
}

size_t model_step(const struct model_input *input, int n)
{
	double calls = input->split_calls ? input->calls_a_step : input->calls_a_step / n;

	return (size_t)fmax(1, rint(fmin(calls, (double)input->npairs)));
}

static struct interval model_steps(const struct model_input *input, int n, double m)
{
	return replay_around(input, model_step(input, n), n, m);
}

#define STAGES_MAX 1024 /* at most so many have a thread of their own */

/* Threads take the stages, each next one the thread that has least to do: exact for as many threads
 * as stages. More threads than stages have nothing to do. The stages are in order, longest first,
 * and certain: no interval where repeats do not tell one. */
static struct interval model_pipeline(const struct model_input *input, int n, double m)
{
	double busy[STAGES_MAX] = {0}, sum = 0, most = 0, speedup;
	size_t threads = MIN(MIN((size_t)n, input->nstages), STAGES_MAX);

	EACH_ROW(stage, input->stages, input->nstages) {
		size_t least = 0;

		for (size_t j = 1; j < threads; j++)
			if (busy[j] < busy[least])
				least = j;
		busy[least] += *stage;
		most = fmax(most, busy[least]);
		sum += *stage;
	}
	speedup = most > 0 ? fmin(sum / most, model_bound(input->d.value, n, m)) : NAN;
	return interval_around(speedup, isfinite(input->spread) ? 0 : NAN);
}

static struct interval model_usl(const struct model_input *input, int n, double m)
{
	return usl_speedup(&input->usl, n);
}

const struct model models[MODELS] = {
#define MODEL(id, name, ends, says, column, prediction, ...) {name, ends, says, __VA_ARGS__},
	MODEL_ROWS(MODEL)
#undef MODEL
};

int model_is_solved(const struct model *model, const struct model_input *input)
{
	switch (model->needs) {
	case NEEDS_POOL:
		return input->other_parallel > 0;
	case NEEDS_PAIRS:
		return input->npairs > 0;
	case NEEDS_STEPS:
		return input->npairs > 0 && input->calls_a_step > 0;
	case NEEDS_STAGES:
		return input->nstages > 1;
	case NEEDS_USL:
		return input->has_usl;
	default:
		return 0;
	}
}

int model_is_known(const struct model *model, const struct model_input *input)
{
	return model->speedup || model_is_solved(model, input);
}

/* The model's value, with the interval that comes from that of f. */
static struct interval solve(const struct model *model, const struct model_input *input, int n,
			     double m)
{
	struct interval result = {NAN, NAN, NAN};
	double low, high;

	if (model_is_solved(model, input))
		return model->solve(input, n, m);
	if (!model->speedup)
		return result;
	result.value = model->speedup(input->d.value, n, m);
	if (!isfinite(input->d.low))
		return result;
	low = model->speedup(fmin(fmax(input->d.low, 0), 1), n, m);
	high = model->speedup(fmin(fmax(input->d.high, 0), 1), n, m);
	result.low = fmin(low, high);
	result.high = fmax(low, high);
	return result;
}

double model_value(const struct model *model, const struct model_input *input, int n, double m)
{
	struct model_input plain = *input;

	plain.d.low = plain.d.high = NAN;
	return solve(model, &plain, n, m).value;
}

struct interval model_solve(const struct model *model, const struct model_input *input, int n,
			    struct interval m)
{
	struct interval result = solve(model, input, n, m.value);
	double below = result.value - result.low, above = result.high - result.value;
	int is_fitted = isfinite(m.low) && model == model_chosen(input);
	double spread = isfinite(input->spread) ? input->spread : 0;

	if (n == 1) /* the speed-up over one thread is 1 */
		return (struct interval){result.value, NAN, NAN};
	if (!isfinite(below))
		return result;
	if (is_fitted)
		below = above = 0;
	else if (isfinite(input->base_spread))
		spread = hypot(spread, input->base_spread);
	below = hypot(below, spread * result.value);
	above = hypot(above, spread * result.value);
	if (!isnan(m.low)) {
		below = hypot(below, result.value - model_value(model, input, n, m.low));
		above = hypot(above, model_value(model, input, n, m.high) - result.value);
	}
	result.low = fmax(result.value - below, 0);
	result.high = result.value + above;
	return result;
}

const struct model *model_chosen(const struct model_input *input)
{
	const struct model *chosen = NULL;

	EACH_ROW(model, models, MODELS)
		if (model->chosen & 1 << input->meeting && model_is_known(model, input))
			chosen = model;
	return chosen;
}

unsigned int model_colour(const struct model *model, const struct model_input *input)
{
	if (!(model->applies & 1 << input->meeting) || !model_is_known(model, input))
		return 0;
	return model->colour || model != model_chosen(input) ? model->colour : 0xd68910;
}
