/* routines.h: the table of BLAS routines that are intercepted, with their operation counts. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_ROUTINES_H
#define SHIM_ROUTINES_H

#include <stddef.h>

/* What routines of one kind do. */
struct routine_family {
	const char *name;    /* "gemm" */
	const char *purpose; /* "C = alpha op(A) op(B) + beta C" */
	int level;           /* 1, 2, 3 */
};

/* One name of one routine; rows come from routines.def: first the CBLAS names, then the Fortran ones. */
struct routine {
	const char *name; /* "cblas_sgemm", "sgemm_" */
	const struct routine_family *family;
	char type; /* element type: s, d, c, z */
	int cblas; /* 1: CBLAS calling convention, 0: Fortran */
};
extern const struct routine routines[];
extern const size_t routines_count;

/* Floating-point operations of one call: a polynomial in m, n and k with powers of at most 2 of each.
 * A negative dimension counts as 0, and so does a negative result. */
double routine_flops(size_t routine, double m, double n, double k);
/* Bytes of matrices and vectors read plus written by one call, each element once. */
double routine_bytes(size_t routine, double m, double n, double k);
/* The letter for a transpose argument as it was passed: N, T, C, R, or '-' where there is none. */
char routine_transpose(size_t routine, unsigned char passed);

#endif
