/* models.h: speed-up models: numbers in, numbers out. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MODELS_H
#define MODEL_MODELS_H

#include <stddef.h>

/* In all: f in [0, 1] is the BLAS share of one thread's busy time, n >= 1 threads, m > 0 matrix
 * units that the threads share (INFINITY: no limit). Each returns the speed-up over one thread that
 * has a whole unit for itself - so m < 1 gives less than 1 even for n = 1 -, or NAN for arguments
 * outside those ranges. m need not be whole (a fitted m is not): models.c says how queue and
 * forkjoin take it then. amdahl and inner do not depend on m. */
double model_amdahl(double f, int n, double m);
double model_bound(double f, int n, double m);
double model_queue(double f, int n, double m);
double model_forkjoin(double f, int n, double m);
double model_inner(double f, int n, double m);

/* The table that report columns, the manual and the tests loop over. */
struct model {
	const char *name; /* "queue" */
	const char *says; /* one line for people */
	double (*speedup)(double f, int n, double m);
};
extern const struct model models[];
extern const size_t models_count;
const struct model *model_find(const char *name);

#endif
