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

/* Values for everything that a shape may name. Shapes whose scalars are of another kind, or that name a scalar
 * like a matrix elsewhere, have a row of their own below. */
#define C_COMMON                                                                                   \
	const int order = 102, ta = 111, tb = 111, side = 141, uplo = 121, diag = 131;             \
	const blas_int m = 4, n = 4, k = 4, kl = 1, ku = 1, lda = LD, ldb = LD, ldc = LD;          \
	const blas_int incx = 1, incy = 1;                                                         \
	ptr a = space[0], b = space[1], x = space[3], y = space[4], result = space[5];             \
	ptr d1 = space[6], d2 = space[7], b1 = space[8], p = space[9], z = space[10];              \
	(void)order, (void)ta, (void)tb, (void)side, (void)uplo, (void)diag, (void)m, (void)n;     \
	(void)k, (void)kl, (void)ku, (void)lda, (void)ldb, (void)ldc, (void)incx, (void)incy;      \
	(void)a, (void)b, (void)x, (void)y, (void)result, (void)d1, (void)d2, (void)b1, (void)p, (void)z

#define C_LOCALS_SCALARS(t)                                                                        \
	C_COMMON;                                                                                  \
	SCALAR_##t al = VALUE_##t, be = VALUE_##t;                                                 \
	REAL_##t b2 = REAL_VALUE_##t;                                                              \
	ptr c = space[2], s = space[11];                                                           \
	(void)al, (void)be, (void)b2, (void)c, (void)s
#define C_LOCALS_REALS(t)                                                                          \
	C_COMMON;                                                                                  \
	REAL_##t al = REAL_VALUE_##t, be = REAL_VALUE_##t;                                         \
	ptr c = space[2];                                                                          \
	(void)al, (void)be, (void)c
#define C_LOCALS_MIXED(t)                                                                          \
	C_COMMON;                                                                                  \
	SCALAR_##t al = VALUE_##t;                                                                 \
	REAL_##t be = REAL_VALUE_##t;                                                              \
	ptr c = space[2]
#define C_LOCALS_ROTATION(t)                                                                       \
	C_COMMON;                                                                                  \
	REAL_##t c = REAL_VALUE_##t, s = REAL_VALUE_##t

#define KIND_GEMM   SCALARS
#define KIND_SYMM   SCALARS
#define KIND_SYRK   SCALARS
#define KIND_HERK   REALS
#define KIND_SYR2K  SCALARS
#define KIND_HER2K  MIXED
#define KIND_TRMM   SCALARS
#define KIND_GEMV   SCALARS
#define KIND_GBMV   SCALARS
#define KIND_SYMV   SCALARS
#define KIND_SBMV   SCALARS
#define KIND_SPMV   SCALARS
#define KIND_TRMV   SCALARS
#define KIND_TBMV   SCALARS
#define KIND_TPMV   SCALARS
#define KIND_GER    SCALARS
#define KIND_SYR    REALS
#define KIND_SPR    REALS
#define KIND_SYR2   SCALARS
#define KIND_SPR2   SCALARS
#define KIND_ROTG   SCALARS
#define KIND_ROTMG  SCALARS
#define KIND_ROT    ROTATION
#define KIND_ROTM   SCALARS
#define KIND_COPY   SCALARS
#define KIND_SCAL   SCALARS
#define KIND_RSCAL  REALS
#define KIND_AXPY   SCALARS
#define KIND_DOT    SCALARS
#define KIND_DSDOT  SCALARS
#define KIND_SDSDOT REALS
#define KIND_DOTSUB SCALARS
#define KIND_NRM2   SCALARS
#define KIND_AMAX   SCALARS
#define KIND_CABS1  SCALARS

#define JOIN_(a, b)      a##b
#define JOIN(a, b)       JOIN_(a, b)
#define C_LOCALS(shape, t) JOIN(C_LOCALS_, KIND_##shape)(t)

#define F_LOCALS(t)                                                                                \
	const blas_int four = 4, one = 1, ld = LD;                                                 \
	const chr ta = "N", tb = "N", side = "L", uplo = "U", diag = "N";                          \
	const fint m = &four, n = &four, k = &four, kl = &one, ku = &one, lda = &ld, ldb = &ld;    \
	const fint ldc = &ld, incx = &one, incy = &one;                                            \
	const size_t l1 = 1, l2 = 1, l3 = 1, l4 = 1;                                               \
	ptr al = POINTER_##t, be = POINTER_##t, a = space[0], b = space[1], c = space[2];          \
	ptr x = space[3], y = space[4], d1 = space[6], d2 = space[7], b1 = space[8];               \
	ptr b2 = space[9], p = space[10], z = space[11], s = space[5];                             \
	(void)ta, (void)tb, (void)side, (void)uplo, (void)diag, (void)m, (void)n, (void)k;         \
	(void)kl, (void)ku, (void)lda, (void)ldb, (void)ldc, (void)incx, (void)incy, (void)l1;     \
	(void)l2, (void)l3, (void)l4, (void)al, (void)be, (void)a, (void)b, (void)c, (void)x;      \
	(void)y, (void)d1, (void)d2, (void)b1, (void)b2, (void)p, (void)z, (void)s

#define LD 8
static __thread double space[12][LD * LD * 2];

/* Each routine is called a different number of times, so that no two can be taken for each other. */
static void *library;
static int threads = 1;
static __thread int printing;

static int times_for(const char *name)
{
	unsigned sum = 0;

	for (const char *letter = name; *letter; letter++)
		sum = sum * 31 + (unsigned char)*letter;
	if (printing)
		printf("%s %u\n", name, (1 + sum % 7) * (unsigned)threads);
	return (int)(1 + sum % 7);
}

#define CALL(symbol, ret, params, args)                                                            \
	extern ret symbol params __attribute__((weak));                                                             \
	for (int i = dlsym(library, #symbol) ? times_for(#symbol) : 0; i > 0; i--)                 \
		(void)symbol args;

static void call_cblas(void)
{
#define ROUTINE(name, type, family, shape)                                                         \
	{                                                                                          \
		C_LOCALS(shape, type);                                                             \
		CALL(cblas_##name, C_##shape##_RET(type), (C_##shape##_PARAMS(type)),              \
		     (C_##shape##_ARGS))                                                           \
	}
#define CBLAS_ONLY(name, type, family, shape) ROUTINE(name, type, family, shape)
#include "shim/routines.def"
}

static void call_fortran(void)
{
#define ROUTINE(name, type, family, shape)                                                         \
	{                                                                                          \
		F_LOCALS(type);                                                                    \
		CALL(name##_, F_##shape##_RET(type), (F_##shape##_PARAMS(type)),                   \
		     (F_##shape##_ARGS))                                                           \
	}
#include "shim/routines.def"
}

static void *call_all(void *print)
{
	printing = print != NULL;
	for (int i = 0; i < 12; i++)
		for (int j = 0; j < LD * LD * 2; j++)
			space[i][j] = 1 + (i * 7 + j * 3) % 5;
	call_cblas();
	call_fortran();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t others[64];

	if (argc > 2)
		threads = atoi(argv[2]);
	library = argc > 1 ? dlopen(argv[1], RTLD_LAZY) : NULL;
	if (!library || threads < 1 || threads > 64) {
		fprintf(stderr, "counts: cannot open the library, or a wrong thread count\n");
		return 2;
	}
	for (int i = 1; i < threads; i++)
		if (pthread_create(&others[i], NULL, call_all, NULL))
			return 3;
	call_all(argv);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	return 0;
}
