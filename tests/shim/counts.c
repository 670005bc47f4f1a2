/* counts.c: calls every routine of the table a known number of times and prints what a profile must show. */
/* SPDX-License-Identifier: MIT
 *
 * counts LIBRARY [THREADS]
 * Routines that LIBRARY (the BLAS it is linked to) does not have are left out. Prints one line for
 * each routine: its name and the number of its calls. The calls are made from THREADS threads.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/shapes.h"

#define ORDER_OF_MATRIX 8

static float scalar_s = 1.0f;
static double scalar_d = 1.0;
static float complex_c[2] = {1, 0};
static double complex_z[2] = {1, 0};
#define VALUE_s scalar_s
#define VALUE_d scalar_d
#define VALUE_c complex_c
#define VALUE_z complex_z
#define REAL_VALUE_s scalar_s
#define REAL_VALUE_d scalar_d
#define REAL_VALUE_c scalar_s
#define REAL_VALUE_z scalar_d
#define POINTER_s &scalar_s
#define POINTER_d &scalar_d
#define POINTER_c complex_c
#define POINTER_z complex_z

/* Values for everything that a CBLAS shape may name; those with scalars of another kind say so. */
#define LOCALS_COMMON                                                                              \
	int order = 102, ta = 111, tb = 111, side = 141, uplo = 121, diag = 131;                   \
	blas_int m = 4, n = 4, k = 4, kl = 1, ku = 1, lda = 8, ldb = 8, ldc = 8, incx = 1, incy = 1; \
	(void)order, (void)ta, (void)tb, (void)side, (void)uplo, (void)diag, (void)m, (void)n;     \
	(void)k, (void)kl, (void)ku, (void)lda, (void)ldb, (void)ldc, (void)incx, (void)incy

