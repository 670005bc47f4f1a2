/* roofline.c: how close calls come to what the machine can do, and what holds them back. */
/* SPDX-License-Identifier: MIT */
#include "model/roofline.h"

#include <math.h>

const char *const bound_names[] = {
	[BOUND_UNKNOWN] = "",
	[BOUND_COMPUTE] = "compute",
	[BOUND_MEMORY] = "memory",
	[BOUND_LATENCY] = "latency",
};

static enum level nearest_level(const struct ceilings *ceilings, double bytes)
{
	for (enum level level = 0; level < LEVEL_MEMORY; level++)
		if (bytes <= ceilings->cache_bytes[level] && ceilings->bytes_per_s[level].one > 0)
			return level;
	return LEVEL_MEMORY;
}

double roofline_rate(const struct ceilings *ceilings, const struct ceiling *ceiling,
		     const struct roofline_call *call)
{
	double at_work = fmin(call->callers * call->each, ceilings->cpus);
	double each = fmin(call->each, at_work);

	return each * ceiling_of_thread(ceilings, ceiling, at_work);
}

struct roofline roofline_call(const struct ceilings *ceilings, const struct roofline_call *call)
{
	struct roofline roofline = {BOUND_UNKNOWN, LEVEL_MEMORY, NAN, NAN, NAN};
	double compute_ns, memory_ns, ideal_ns, start_up_ns;

	if (call->precision == PRECISION_COUNT || !(ceilings->cpus > 0) || !(call->mean_ns > 0) ||
	    !(call->bytes > 0 || call->flops > 0))
		return roofline;
	roofline.level = nearest_level(ceilings, call->bytes);
	compute_ns = 1e9 * call->flops /
		     roofline_rate(ceilings, &ceilings->flops_per_s[call->precision], call);
	memory_ns = 1e9 * call->bytes /
		    roofline_rate(ceilings, &ceilings->bytes_per_s[roofline.level], call);
	ideal_ns = fmax(compute_ns, memory_ns);
	start_up_ns = fmin(call->least_ns, ROOFLINE_START_UP_NS);
	roofline.intensity = call->bytes > 0 ? call->flops / call->bytes : NAN;
	roofline.ceiling_flops_per_s = 1e9 * call->flops / ideal_ns;
	roofline.share = ideal_ns / call->mean_ns;
	roofline.bound = compute_ns >= memory_ns ? BOUND_COMPUTE : BOUND_MEMORY;
	if (ideal_ns <= call->mean_ns / 2 && start_up_ns >= call->mean_ns / 2)
		roofline.bound = BOUND_LATENCY;
	return roofline;
}
