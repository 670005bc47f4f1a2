/* arguments.h: an argument for every parameter of a shape, so that tests can call all routines. */
/* SPDX-License-Identifier: MIT
 *
 * Inside a block, C_LOCALS(shape, type) or F_LOCALS(shape, type) declares the arguments of one
 * call, and more. BLAS_INT and LD may be defined before.
 */
#ifndef TESTS_SHIM_ARGUMENTS_H
#define TESTS_SHIM_ARGUMENTS_H

#include "blas/batch_shapes.h"

#pragma GCC diagnostic ignored "-Wunused-variable"

static float scalar_s = 1.0f;
static double scalar_d = 1.0;
static float complex_c[2] = {1, 0};
static double complex_z[2] = {1, 0};
static half scalar_h = 1;
#define VALUE_s	     scalar_s
#define VALUE_d	     scalar_d
#define VALUE_c	     complex_c
#define VALUE_z	     complex_z
#define REAL_VALUE_s scalar_s
#define REAL_VALUE_d scalar_d
#define REAL_VALUE_c scalar_s
#define REAL_VALUE_z scalar_d
#define VALUE_h	     scalar_h
#define REAL_VALUE_h scalar_s
#define REAL_h	     float
#define POINTER_h    &scalar_h
#define POINTER_b    &scalar_s
#define POINTER_i    &scalar_s
#define POINTER_w    &scalar_s
#define POINTER_s    &scalar_s
#define POINTER_d    &scalar_d
#define POINTER_c    complex_c
#define POINTER_z    complex_z

/* Values for all parameters of shapes. The kinds below add the scalars, which differ between shapes
 * and may have the same name as another shape's matrix. */
#define C_COMMON                                                                                   \
	const int order = 102, ta = 111, tb = 111, side = 141, uplo = 121, diag = 131;             \
	const blas_int m = 4, n = 4, k = 4, kl = 1, ku = 1, lda = LD, ldb = LD, ldc = LD;          \
	const blas_int incx = 1, incy = 1, sa = LD * 4, sb = LD * 5, sc = LD * 6;                  \
	const blas_int sx = 9, sy = 10, members = 3;                                               \
	const int offset = 173, ao = 2, bo = -3;                                                   \
	ptr co = space[5], a = space[0], b = space[1], x = space[3], y = space[4];                 \
	ptr d1 = space[6], d2 = space[7], b1 = space[8], p = space[9], z = space[10];              \
	ptr result = space[5]

#define C_LOCALS_SCALARS(t)                                                                        \
	C_COMMON;                                                                                  \
	SCALAR_##t al = VALUE_##t, be = VALUE_##t;                                                 \
	REAL_##t b2 = REAL_VALUE_##t;                                                              \
	ptr c = space[2], s = space[11]
#define C_LOCALS_REALS(t)                                                                          \
	C_COMMON;                                                                                  \
	REAL_##t al = REAL_VALUE_##t, be = REAL_VALUE_##t;                                         \
	ptr c = space[2]
/* Scalars are floats, whatever the type of the matrices. */
#define C_LOCALS_FLOATS(t)                                                                         \
	C_COMMON;                                                                                  \
	float al = scalar_s, be = scalar_s;                                                        \
	ptr c = space[2]
/* Arrays with a value for each group; there is one group of three. */
#define C_LOCALS_GROUPS(t)                                                                         \
	static const int none = 111, left = 141, upper = 121, unit = 131;                          \
	static const blas_int four = 4, one = 1, ld = LD, three = 3;                               \
	const int order = 102;                                                                     \
	const enums ta = &none, tb = &none, side = &left, uplo = &upper, diag = &unit;             \
	const fint m = &four, n = &four, k = &four, lda = &ld, ldb = &ld, ldc = &ld, incx = &one;  \
	const fint incy = &one, sizes = &three;                                                    \
	const blas_int groups = 1;                                                                 \
	ptr al = POINTER_##t, be = POINTER_##t, a = pointers[0], b = pointers[1];                  \
	ptr c = pointers[2], x = pointers[3], y = pointers[4]
#define C_LOCALS_MIXED(t)                                                                          \
	C_COMMON;                                                                                  \
	SCALAR_##t al = VALUE_##t;                                                                 \
	REAL_##t be = REAL_VALUE_##t;                                                              \
	ptr c = space[2]
#define C_LOCALS_ROTATION(t)                                                                       \
	C_COMMON;                                                                                  \
	REAL_##t c = REAL_VALUE_##t, s = REAL_VALUE_##t

#define KIND_GEMM	   SCALARS
#define KIND_GEMMT	   SCALARS
#define KIND_WGEMM	   FLOATS
#define KIND_IGEMM	   FLOATS
#define KIND_GEMM_BATCH	   GROUPS
#define KIND_TRSM_BATCH	   GROUPS
#define KIND_SYRK_BATCH	   GROUPS
#define KIND_GEMV_BATCH	   GROUPS
#define KIND_AXPY_BATCH	   GROUPS
#define KIND_COPY_BATCH	   GROUPS
#define KIND_GEMM_STRIDED  SCALARS
#define KIND_TRSM_STRIDED  SCALARS
#define KIND_SYRK_STRIDED  SCALARS
#define KIND_GEMV_STRIDED  SCALARS
#define KIND_AXPY_STRIDED  SCALARS
#define KIND_COPY_STRIDED  SCALARS
#define KIND_SYMM	   SCALARS
#define KIND_SYRK	   SCALARS
#define KIND_HERK	   REALS
#define KIND_SYR2K	   SCALARS
#define KIND_HER2K	   MIXED
#define KIND_TRMM	   SCALARS
#define KIND_GEMV	   SCALARS
#define KIND_GBMV	   SCALARS
#define KIND_SYMV	   SCALARS
#define KIND_SBMV	   SCALARS
#define KIND_SPMV	   SCALARS
#define KIND_TRMV	   SCALARS
#define KIND_TBMV	   SCALARS
#define KIND_TPMV	   SCALARS
#define KIND_GER	   SCALARS
#define KIND_SYR	   REALS
#define KIND_SPR	   REALS
#define KIND_SYR2	   SCALARS
#define KIND_SPR2	   SCALARS
#define KIND_ROTG	   SCALARS
#define KIND_ROTMG	   SCALARS
#define KIND_ROT	   ROTATION
#define KIND_ROTM	   SCALARS
#define KIND_COPY	   SCALARS
#define KIND_SCAL	   SCALARS
#define KIND_RSCAL	   REALS
#define KIND_AXPY	   SCALARS
#define KIND_DOTSUB	   SCALARS
#define KIND_NRM2	   SCALARS
#define KIND_CABS1	   SCALARS

#define JOIN_(a, b)	   a##b
#define JOIN(a, b)	   JOIN_(a, b)
#define C_LOCALS(shape, t) JOIN(C_LOCALS_, KIND_##shape)(t)

/* Matrices and vectors, or arrays of pointers to them for a batch by groups. */
#define F_SPACE_SCALARS	   space
#define F_SPACE_REALS	   space
#define F_SPACE_MIXED	   space
#define F_SPACE_ROTATION   space
#define F_SPACE_FLOATS	   space
#define F_SPACE_GROUPS	   pointers
#define F_SPACE(shape, at) JOIN(F_SPACE_, KIND_##shape)[at]

#define F_LOCALS(shape, t)                                                                         \
	const blas_int four = 4, one = 1, ld = LD, three = 3, step = LD * 4;                       \
	const chr offset = "F", ta = "N", tb = "N", side = "L", uplo = "U", diag = "N";            \
	const fint sa = &step, sb = &step, sc = &step, sx = &step, sy = &step, members = &three;   \
	const fint groups = &one, sizes = &three;                                                  \
	const fint m = &four, n = &four, k = &four, kl = &one, ku = &one, lda = &ld, ldb = &ld;    \
	const fint ldc = &ld, incx = &one, incy = &one;                                            \
	const size_t offset_length = 1, ta_length = 1, tb_length = 1, side_length = 1;             \
	const size_t uplo_length = 1, diag_length = 1;                                             \
	ptr ao = space[6], bo = space[7], co = space[8];                                           \
	ptr al = POINTER_##t, be = POINTER_##t, a = F_SPACE(shape, 0), b = F_SPACE(shape, 1);      \
	ptr c = F_SPACE(shape, 2), x = F_SPACE(shape, 3), y = F_SPACE(shape, 4), d1 = space[6],    \
	    d2 = space[7], b1 = space[8], b2 = space[9], p = space[10], z = space[11],             \
	    s = space[5]

#ifndef LD
#define LD 8
#endif
#define SPACE_NUMBERS 128
static __thread double space[12][SPACE_NUMBERS];
static __thread void *pointers[5][3]; /* for batches: the matrices of one group */

static __attribute__((unused)) void fill_space(void)
{
	for (int i = 0; i < 12; i++)
		for (int j = 0; j < SPACE_NUMBERS; j++)
			space[i][j] = 1 + (i * 7 + j * 3) % 5;
	for (int i = 0; i < 15; i++)
		pointers[i / 3][i % 3] = space[i / 3];
}

#endif
