/* no_cpu.c: splits the time without a CPU by who had the CPUs. */
/* SPDX-License-Identifier: MIT */
#include "model/no_cpu.h"

#include <math.h>

const char *const no_cpu_names[NO_CPU_COUNT] = {
#define NO_CPU_LABEL(id, column, label, ...) label,
	NO_CPU_ROWS(NO_CPU_LABEL)};

/* Takes up to `wanted` out of *left and returns what was taken; 0 for NAN. */
static double take(double *left, double wanted)
{
	double taken = fmin(fmax(wanted, 0), *left);

	*left -= taken;
	return taken;
}

void no_cpu_split(double no_cpu_ns, const struct no_cpu_evidence *evidence,
		  double parts[NO_CPU_COUNT])
{
	double left = fmax(no_cpu_ns, 0), unseen = fmax(left - evidence->seen_ns, 0);

	parts[NO_CPU_STEAL] = take(&unseen, evidence->steal_ns);
	left -= parts[NO_CPU_STEAL];
	parts[NO_CPU_OWN] =
		take(&left, evidence->seen_ns > 0 ? left * evidence->seen_own_ns / evidence->seen_ns
						  : evidence->over_ns);
	parts[NO_CPU_QUOTA] = take(&left, evidence->quota_ns);
	parts[NO_CPU_OTHERS] = take(&left, evidence->others_ns);
}
