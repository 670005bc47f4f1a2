/* estimate.c: estimates f(1) from the fastest calls of a run on several threads. */
/* SPDX-License-Identifier: MIT */
#include "model/estimate.h"

#include <math.h>

void call_times_add(struct call_times *sum, double calls, double total_ns, double fastest_ns,
		    double waited_ns)
{
	sum->total_ns += total_ns;
	sum->unhindered_ns += isfinite(fastest_ns) ? fmin(calls * fastest_ns, total_ns) : total_ns;
	sum->waited_ns += waited_ns;
}

double estimate_f1(const struct call_times *calls, double other_ns)
{
	return calls->unhindered_ns > 0 && other_ns >= 0
		       ? calls->unhindered_ns / (calls->unhindered_ns + other_ns)
		       : NAN;
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

/* Ratio of the calls' time to their time without waiting; NAN if there are no calls. */
static double hindrance(const struct call_times *calls)
{
	return calls->unhindered_ns > 0 ? calls->total_ns / calls->unhindered_ns : NAN;
}

enum calls_tail calls_tail(const struct call_times *alone, const struct call_times *beside,
			   double growth)
{
	double fastest = growth * hindrance(alone) / hindrance(beside);
	double part = (fastest - 1) / (growth - 1);
	double waited = growth * (beside->waited_ns / beside->total_ns) -
			alone->waited_ns / alone->total_ns;

	if (!(growth >= TAIL_GROWTH_MIN))
		return TAIL_UNCLEAR;
	if (part > 2.0 / 3)
		return TAIL_ALL_ALIKE;
	return part < 1.0 / 3 && waited >= (growth - 1) / 2 ? TAIL_GROWS : TAIL_UNCLEAR;
}
