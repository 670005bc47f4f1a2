/* models.c: the speed-up models. */
/* SPDX-License-Identifier: MIT */
#include "model/models.h"

#include <math.h>
#include <string.h>

static int arguments_valid(double f, int n, double m)
{
	return f >= 0 && f <= 1 && n >= 1 && m > 0;
}

/* G. Amdahl's law (AFIPS 1967) with BLAS as the serial part, whatever m is. */
double model_amdahl(double f, int n, double m)
{
	return arguments_valid(f, n, m) ? 1 / (f + (1 - f) / n) : NAN;
}

/* The units together do at most m ns of BLAS in a ns, and each unit of work needs f of it. */
double model_bound(double f, int n, double m)
{
	if (!arguments_valid(f, n, m))
		return NAN;
	return n * f <= m ? n : m / f;
}

/* The weights of k = from + step, from + 2 step, ... customers at the station, as long as they are
 * in 0..n, relative to a weight of 1 for k = from; adds them to *sum, and each times the number of
 * busy units to *busy. Ratio of neighbours: p(k) / p(k-1) = (n - k + 1) (f / z) / min(k, m). */
static void add_weights(double ratio, int n, int m, int from, int step, double *sum, double *busy)
{
	double weight = 1;

	for (int k = from + step; k >= 0 && k <= n && weight > 0; k += step) {
		int upper = step > 0 ? k : k + 1;
		double up = (n - upper + 1) * ratio / fmin(upper, m);

		weight *= step > 0 ? up : 1 / up;
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
	int peak = 0;

	if (f <= 0)
		return n / z;
	if (z <= 0)
		return fmin(n, m) / f;
	if (n - m / ratio - 2 > 0) /* it is not below that; n may be huge in a damaged store */
		peak = (int)(n - m / ratio - 2);
	while (peak < n && (n - peak) * ratio >= fmin(peak + 1, m))
		peak++;
	busy = fmin(peak, m);
	add_weights(ratio, n, m, peak, 1, &sum, &busy);
	add_weights(ratio, n, m, peak, -1, &sum, &busy);
	return busy / sum / f;
}

/* Exact solution of the closed queueing network: delay 1 - f, m units of service f. Between whole m
 * the speed-up is interpolated linearly; below 1 the one unit is slower, its service f / m. The
 * reference stays one thread with a whole unit, whose throughput is 1. */
double model_queue(double f, int n, double m)
{
	double low, part;

	if (!arguments_valid(f, n, m))
		return NAN;
	if (m >= n || f <= 0)
		return n;
	if (m < 1)
		return repairman_throughput(f / m, 1 - f, n, 1);
	low = repairman_throughput(f, 1 - f, n, (int)m);
	part = m - floor(m);
	if (part <= 0)
		return low;
	return low + part * (repairman_throughput(f, 1 - f, n, (int)m + 1) - low);
}

/* All threads meet at a barrier each step: the parallel part on n cores, then BLAS on the units.
 * The formula itself takes an m that is not whole. */
double model_forkjoin(double f, int n, double m)
{
	return arguments_valid(f, n, m) ? 1 / ((1 - f) / n + f / fmin(n, m)) : NAN;
}

/* One caller, BLAS alone is parallel: Amdahl's law with everything else as the serial part. */
double model_inner(double f, int n, double m)
{
	return arguments_valid(f, n, m) ? 1 / ((1 - f) + f / n) : NAN;
}

/* Replays at values of f that are closer together differ more by chance than by f. */
#define REPLAY_STEP 0.05

static int model_has_pairs(const struct model_input *input)
{
	return input->npairs > 0;
}

/* The sequence with its calls made longer or shorter until their share has changed by `change`. */
static double replay_changed(const struct model_input *input, double change, int n, double m)
{
	double f = replay_blas_share(input->pairs, input->npairs);
	double changed = fmin(fmax(f + change, 1e-6), 1 - 1e-6);

	return replay_scaled(input->pairs, input->npairs, changed / (1 - changed) * (1 - f) / f, n,
			     m, input->replayed);
}

/* Half of its interval is how far it moves where f does by half of its own, by the line through
 * replays at other f, and how far these lie from the line: how the threads happen to meet. */
static struct interval model_replay(const struct model_input *input, int n, double m)
{
	static const double steps[] = {-1, -0.5, 0, 0.5, 1};
	enum { STEPS = sizeof steps / sizeof steps[0] };
	double half = (input->f_high - input->f_low) / 2, wide = fmax(half, REPLAY_STEP);
	double replays[STEPS], moved = 0, mean = 0, squares = 0, left = 0;
	struct interval result = {NAN, NAN, NAN};

	if (n > REPLAY_THREADS_MAX)
		return result;
	result.value = replay_speedup(input->pairs, input->npairs, n, m, input->replayed);
	if (!isfinite(half))
		return result;
	for (size_t i = 0; i < STEPS; i++) {
		replays[i] = steps[i] ? replay_changed(input, steps[i] * wide, n, m) : result.value;
		moved += steps[i] * replays[i];
		mean += replays[i] / (double)STEPS;
		squares += steps[i] * steps[i];
	}
	moved /= squares;
	for (size_t i = 0; i < STEPS; i++)
		left += pow(replays[i] - mean - moved * steps[i], 2);
	half = hypot(moved * half / wide, STATS_NORMAL_QUANTILE * sqrt(left / (double)(STEPS - 2)));
	result.low = result.value - half;
	result.high = result.value + half;
	return result;
}

static int model_has_usl(const struct model_input *input)
{
	return input->usl != NULL;
}

static struct interval model_usl(const struct model_input *input, int n, double m)
{
	(void)m;
	return usl_speedup(input->usl, n);
}

const struct model models[MODELS] = {
#define MODEL(id, name, ends, says, column, prediction, ...) {name, ends, says, __VA_ARGS__},
	MODEL_ROWS(MODEL)
#undef MODEL
};

const struct model *model_find(const char *name)
{
	for (size_t i = 0; i < MODELS; i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	return NULL;
}

int model_is_known(const struct model *model, const struct model_input *input)
{
	return !model->is_known || model->is_known(input);
}

struct interval model_solve(const struct model *model, const struct model_input *input, int n,
			    double m)
{
	struct interval result = {NAN, NAN, NAN};
	double low, high;

	if (!model_is_known(model, input))
		return result;
	if (model->solve)
		return model->solve(input, n, m);
	result.value = model->speedup(input->f, n, m);
	if (!isfinite(input->f_low) || !isfinite(input->f_high))
		return result;
	low = model->speedup(fmin(fmax(input->f_low, 0), 1), n, m);
	high = model->speedup(fmin(fmax(input->f_high, 0), 1), n, m);
	result.low = fmin(low, high);
	result.high = fmax(low, high);
	return result;
}

const struct model *model_chosen(const struct model_input *input)
{
	const struct model *chosen = NULL;

	for (size_t i = 0; i < MODELS; i++)
		if (models[i].chosen & 1 << input->parallel && model_is_known(&models[i], input))
			chosen = &models[i];
	return chosen;
}
