/* kernels.h: the loops that the probe times: arithmetic in registers, and passes over memory. */
/* SPDX-License-Identifier: MIT */
#ifndef PROBE_KERNELS_H
#define PROBE_KERNELS_H

#include <stddef.h>

#include "model/ceilings.h"

/* Multiply-adds in registers, with enough independent chains that no sum waits for the one before.
 * One row for each vector width and precision. */
struct flops_kernel {
	const char *name; /* "512-bit FMA" */
	enum precision precision;
	int (*is_supported)(void); /* by this CPU */
	double (*run)(void);	   /* some microseconds of work; returns its flops */
};
extern const struct flops_kernel flops_kernels[];
extern const size_t flops_kernels_count;

/* Passes over memory, in the widest vectors that the compiler's target has. */
struct bandwidth_kernel {
	const char *name; /* "read", "copy", "triad" */
	int arrays;	  /* how many it goes over at once */
	/* arrays of `count` doubles each, at multiples of 64 bytes, one after the other; count is a
	 * multiple of BANDWIDTH_STEP. Returns the bytes read plus written. */
	double (*run)(double *memory, size_t count);
};
#define BANDWIDTH_STEP 64
extern const struct bandwidth_kernel bandwidth_kernels[];
extern const size_t bandwidth_kernels_count;

/* 1 when the loops were compiled with optimisation: without it they measure the compiler. */
int kernels_are_optimised(void);

#endif
