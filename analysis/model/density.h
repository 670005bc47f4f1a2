/* density.h: in which interval most of something happens: a pure function. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_DENSITY_H
#define MODEL_DENSITY_H

#include <stddef.h>
#include <stdint.h>

/* So much of something, evenly spread over this time. */
struct burst {
	int64_t start_ns, end_ns;
	double amount;
};

/* Finds the interval in which the bursts, which may overlap, are dense: what lies before and after
 * it has less than 5 % of their mean density there, so stray ones at the ends are left out, with
 * less than 5 % of the amount on each side. Returns 1, or 0 where there is no amount. */
int dense_interval(const struct burst *bursts, size_t count, int64_t *start_ns, int64_t *end_ns);

#endif
