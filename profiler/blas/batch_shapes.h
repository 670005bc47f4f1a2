/* batch_shapes.h: the signatures of batches, which do the work of many calls in one. */
/* SPDX-License-Identifier: MIT
 *
 * As in shapes.h, plus X_TOTAL(SHAPE, id), from TOTAL_SHAPE: the flops and bytes of the whole call,
 * a struct batch_total. If the batch has groups, each argument is an array with one value for each
 * group, and sizes[] has the number of members of each group. Strided batches have one set of
 * arguments. The recorded m, n, k are those of the first member.
 */
#ifndef BLAS_BATCH_SHAPES_H
#define BLAS_BATCH_SHAPES_H

#include "blas/shapes.h"

#define C_TOTAL(shape, id)	      TOTAL_##shape(id, C_VALUE, C_IS_LEFT, C_SIDES)
#define F_TOTAL(shape, id)	      TOTAL_##shape(id, F_VALUE, F_IS_LEFT, F_SIDES)
#define C_SIDES			      side, NULL
#define F_SIDES			      NULL, side
#define GROUPS_TOTAL(id, V, m, n, k)  batch_groups(id, (blas_int)V(groups), sizes, m, n, k)
#define MEMBERS_TOTAL(id, V, m, n, k) batch_members(id, (blas_int)V(members), m, n, k)

#define MATRICES(P, a)		      P(ARRAY, a) P(SIZES, ld##a)
#define VECTORS(P, x)		      P(ARRAY, x) P(SIZES, inc##x)
/* The first group's value, or 0 if there is no group. */
#define FIRST(V, array)		      ((blas_int)V(groups) > 0 ? *(array) : 0)

/* clang-format off */
#define PARAMS_GEMM_BATCH(P) \
	P(ORDER, order) P(FLAGS, ta) P(FLAGS, tb) P(SIZES, m) P(SIZES, n) P(SIZES, k) P(ARRAY, al) \
	MATRICES(P, a) MATRICES(P, b) P(ARRAY, be) MATRICES(P, c) P(SIZE, groups) P(SIZES, sizes)
#define DIMS_GEMM_BATCH(V, IS_LEFT) \
	FIRST(V, ta), FIRST(V, tb), FIRST(V, m), FIRST(V, n), FIRST(V, k)
#define TOTAL_GEMM_BATCH(id, V, IS_LEFT, SIDES) GROUPS_TOTAL(id, V, m, n, k)

#define PARAMS_GEMM_STRIDED(P) \
	P(ORDER, order) P(FLAG, ta) P(FLAG, tb) P(SIZE, m) P(SIZE, n) P(SIZE, k) P(SCALAR, al) \
	MATRIX(P, a) P(SIZE, sa) MATRIX(P, b) P(SIZE, sb) P(SCALAR, be) MATRIX(P, c) P(SIZE, sc) \
	P(SIZE, members)
#define DIMS_GEMM_STRIDED DIMS_GEMM
#define TOTAL_GEMM_STRIDED(id, V, IS_LEFT, SIDES) MEMBERS_TOTAL(id, V, V(m), V(n), V(k))

#define PARAMS_TRSM_BATCH(P) \
	P(ORDER, order) P(FLAGS, side) P(FLAGS, uplo) P(FLAGS, ta) P(FLAGS, diag) P(SIZES, m) \
	P(SIZES, n) P(ARRAY, al) MATRICES(P, a) MATRICES(P, b) P(SIZE, groups) P(SIZES, sizes)
#define DIMS_TRSM_BATCH(V, IS_LEFT) \
	FIRST(V, ta), 0, FIRST(V, m), FIRST(V, n), FIRST(V, IS_LEFT(*side) ? m : n)
#define TOTAL_TRSM_BATCH(id, V, IS_LEFT, SIDES) \
	batch_sides(id, (blas_int)V(groups), sizes, m, n, SIDES)

#define PARAMS_TRSM_STRIDED(P) \
	P(ORDER, order) P(FLAG, side) P(FLAG, uplo) P(FLAG, ta) P(FLAG, diag) P(SIZE, m) \
	P(SIZE, n) P(SCALAR, al) MATRIX(P, a) P(SIZE, sa) MATRIX(P, b) P(SIZE, sb) \
	P(SIZE, members)
#define DIMS_TRSM_STRIDED DIMS_TRMM
#define TOTAL_TRSM_STRIDED(id, V, IS_LEFT, SIDES) \
	MEMBERS_TOTAL(id, V, V(m), V(n), SIDE_K(V, IS_LEFT))

#define PARAMS_SYRK_BATCH(P) \
	P(ORDER, order) P(FLAGS, uplo) P(FLAGS, ta) P(SIZES, n) P(SIZES, k) P(ARRAY, al) \
	MATRICES(P, a) P(ARRAY, be) MATRICES(P, c) P(SIZE, groups) P(SIZES, sizes)
#define DIMS_SYRK_BATCH(V, IS_LEFT) FIRST(V, ta), 0, FIRST(V, n), FIRST(V, n), FIRST(V, k)
#define TOTAL_SYRK_BATCH(id, V, IS_LEFT, SIDES) GROUPS_TOTAL(id, V, n, n, k)

#define PARAMS_SYRK_STRIDED(P) \
	P(ORDER, order) P(FLAG, uplo) P(FLAG, ta) P(SIZE, n) P(SIZE, k) P(SCALAR, al) MATRIX(P, a) \
	P(SIZE, sa) P(SCALAR, be) MATRIX(P, c) P(SIZE, sc) P(SIZE, members)
#define DIMS_SYRK_STRIDED DIMS_SYRK
#define TOTAL_SYRK_STRIDED(id, V, IS_LEFT, SIDES) MEMBERS_TOTAL(id, V, V(n), V(n), V(k))

#define PARAMS_GEMV_BATCH(P) \
	P(ORDER, order) P(FLAGS, ta) P(SIZES, m) P(SIZES, n) P(ARRAY, al) MATRICES(P, a) \
	VECTORS(P, x) P(ARRAY, be) VECTORS(P, y) P(SIZE, groups) P(SIZES, sizes)
#define DIMS_GEMV_BATCH(V, IS_LEFT) FIRST(V, ta), 0, FIRST(V, m), FIRST(V, n), 0
#define TOTAL_GEMV_BATCH(id, V, IS_LEFT, SIDES) GROUPS_TOTAL(id, V, m, n, NULL)

#define PARAMS_GEMV_STRIDED(P) \
	P(ORDER, order) P(FLAG, ta) P(SIZE, m) P(SIZE, n) P(SCALAR, al) MATRIX(P, a) P(SIZE, sa) \
	VECTOR(P, x) P(SIZE, sx) P(SCALAR, be) VECTOR(P, y) P(SIZE, sy) P(SIZE, members)
#define DIMS_GEMV_STRIDED DIMS_GEMV
#define TOTAL_GEMV_STRIDED(id, V, IS_LEFT, SIDES) MEMBERS_TOTAL(id, V, V(m), V(n), 0)

#define PARAMS_AXPY_BATCH(P) \
	P(SIZES, n) P(ARRAY, al) VECTORS(P, x) VECTORS(P, y) P(SIZE, groups) P(SIZES, sizes)
#define DIMS_AXPY_BATCH(V, IS_LEFT) 0, 0, 0, FIRST(V, n), 0
#define TOTAL_AXPY_BATCH(id, V, IS_LEFT, SIDES) GROUPS_TOTAL(id, V, NULL, n, NULL)

#define PARAMS_AXPY_STRIDED(P) \
	P(SIZE, n) P(SCALAR, al) VECTOR(P, x) P(SIZE, sx) VECTOR(P, y) P(SIZE, sy) \
	P(SIZE, members)
#define DIMS_AXPY_STRIDED DIMS_AXPY
#define TOTAL_AXPY_STRIDED(id, V, IS_LEFT, SIDES) MEMBERS_TOTAL(id, V, 0, V(n), 0)

#define PARAMS_COPY_BATCH(P) P(SIZES, n) VECTORS(P, x) VECTORS(P, y) P(SIZE, groups) P(SIZES, sizes)
#define DIMS_COPY_BATCH DIMS_AXPY_BATCH
#define TOTAL_COPY_BATCH TOTAL_AXPY_BATCH

#define PARAMS_COPY_STRIDED(P) \
	P(SIZE, n) VECTOR(P, x) P(SIZE, sx) VECTOR(P, y) P(SIZE, sy) P(SIZE, members)
#define DIMS_COPY_STRIDED DIMS_AXPY_STRIDED
#define TOTAL_COPY_STRIDED TOTAL_AXPY_STRIDED
/* clang-format on */

#endif
