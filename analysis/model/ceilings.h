/* ceilings.h: what a machine can do at most, in flops and bytes a second, as measured by the probe.
 */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CEILINGS_H
#define MODEL_CEILINGS_H

#include <stddef.h>

enum precision { PRECISION_SINGLE, PRECISION_DOUBLE, PRECISION_COUNT };
extern const char *const precision_names[PRECISION_COUNT]; /* "single", "double" */
/* Where operands come from, nearest first. */
enum level { LEVEL_L1, LEVEL_L2, LEVEL_L3, LEVEL_MEMORY, LEVEL_COUNT };
extern const char *const level_names[LEVEL_COUNT]; /* "L1", ..., "memory" */

/* A rate with one thread, and with a thread on each CPU, all together; 0: not measured. */
struct ceiling {
	double one, all;
};

struct ceilings {
	double cpus; /* that "all" stands for; 0: nothing is known */
	struct ceiling flops_per_s[PRECISION_COUNT]; /* of the widest vectors */
	struct ceiling bytes_per_s[LEVEL_COUNT];     /* read plus written; of the fastest loop */
	double cache_bytes[LEVEL_MEMORY];	     /* size of each cache; 0: there is none */
};

/* The rate of one of `threads` that are at work at the same time, in 1/s: a straight line between
 * the totals of one thread and all CPUs, shared evenly. More threads than CPUs are as many as there
 * are CPUs. */
double ceiling_of_thread(const struct ceilings *ceilings, const struct ceiling *ceiling,
			 double threads);

/* As text: "cpus=2 peak_single_1=8.9e10 ...", each a number; what is 0 is left out. Returns text[].
 */
#define CEILINGS_TEXT_MAX 1024
const char *ceilings_text(const struct ceilings *ceilings, char text[CEILINGS_TEXT_MAX]);
/* Reads such a text; 0, or -1 and all zero where it is none, or lacks the peak or the memory's
 * bandwidth. Names that are not known are passed over. */
int ceilings_parse(const char *text, struct ceilings *ceilings);

#endif
