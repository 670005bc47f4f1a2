/* models.c: the closed-form speed-up models. */
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

const struct model models[] = {
	{"amdahl", "BLAS wholly serial, no overlap: the published baseline", model_amdahl},
	{"bound", "the ceiling that no schedule can pass", model_bound},
	{"queue", "independent threads queue for the shared units", model_queue},
	{"forkjoin", "all threads meet at a barrier each step", model_forkjoin},
	{"inner", "one caller, only BLAS runs in parallel", model_inner},
};
const size_t models_count = sizeof models / sizeof *models;

const struct model *model_find(const char *name)
{
	for (size_t i = 0; i < models_count; i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	return NULL;
}
