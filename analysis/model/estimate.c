/* estimate.c: estimates f(1) from the fastest calls of a run on several threads. */
/* SPDX-License-Identifier: MIT */
#include "model/estimate.h"

#include <math.h>

#include "base/array.h"

/* Total time that the shape's calls would take if none of them had to wait. */
static double unhindered_ns(const struct call_times *shape)
{
	return isfinite(shape->fastest_ns) ? fmin(shape->calls * shape->fastest_ns, shape->total_ns)
					   : shape->total_ns;
}

int estimate_f1(const struct call_times *shapes, size_t count, double other_ns,
		struct f1_estimate *estimate)
{
	estimate->blas_ns = 0;
	estimate->other_ns = other_ns;
	EACH_ROW(shape, shapes, count)
		estimate->blas_ns += unhindered_ns(shape);
	estimate->f = estimate->blas_ns / (estimate->blas_ns + other_ns);
	return estimate->blas_ns > 0 && other_ns >= 0 && isfinite(estimate->f) ? 0 : -1;
}

/* Ratio of the calls' time to their time without waiting; NAN if there are no calls. */
static double hindrance(const struct call_times *shapes, size_t count)
{
	double total_ns = 0, least_ns = 0;

	EACH_ROW(shape, shapes, count) {
		least_ns += unhindered_ns(shape);
		total_ns += shape->total_ns;
	}
	return least_ns > 0 ? total_ns / least_ns : NAN;
}

double calls_waited(const uint64_t *buckets, int count, double (*low)(int bucket),
		    double fastest_ns, double limit_ns)
{
	double waited_ns = 0;

	for (int i = 0; i < count; i++) {
		double middle_ns = (low(i) + low(i + 1)) / 2;

		if (middle_ns >= WAIT_MIN * fastest_ns && middle_ns <= fastest_ns + limit_ns)
			waited_ns += (double)buckets[i] * (middle_ns - fastest_ns);
	}
	return waited_ns;
}

/* The part of the calls' time that they may have waited. */
static double waited_part(const struct call_times *shapes, size_t count)
{
	double total_ns = 0, waited_ns = 0;

	EACH_ROW(shape, shapes, count) {
		total_ns += shape->total_ns;
		waited_ns += shape->waited_ns;
	}
	return waited_ns / total_ns;
}

enum calls_tail calls_tail(const struct call_times *alone, size_t alone_count,
			   const struct call_times *beside, size_t beside_count, double growth)
{
	double fastest = growth * hindrance(alone, alone_count) / hindrance(beside, beside_count);
	double part = (fastest - 1) / (growth - 1);
	double waited =
		growth * waited_part(beside, beside_count) - waited_part(alone, alone_count);

	if (!(growth >= TAIL_GROWTH_MIN) || isnan(part))
		return TAIL_UNCLEAR;
	if (part > 2.0 / 3)
		return TAIL_ALL_ALIKE;
	return part < 1.0 / 3 && waited >= (growth - 1) / 2 ? TAIL_GROWS : TAIL_UNCLEAR;
}
