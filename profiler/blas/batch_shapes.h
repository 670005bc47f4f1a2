/* batch_shapes.h: the signatures of batches, which do the work of many calls in one. */
/* SPDX-License-Identifier: MIT
 *
 * As in shapes.h, plus X_SHAPE_TOTAL(id): the flops and bytes of the whole call, a struct
 * batch_total. If the batch has groups, each argument is an array with one value for each group,
 * and sizes[] has the number of members of each group. Strided batches have one set of arguments.
 * The recorded m, n, k are those of the first member.
 */
#ifndef SHIM_BATCH_SHAPES_H
#define SHIM_BATCH_SHAPES_H

#include "blas/shapes.h"

typedef const int *enums;

/* The first group's value, or 0 if there is no group. */
#define C_FIRST(array)	    ((blas_int)groups > 0 ? *(array) : 0)
#define F_FIRST(array)	    (*groups > 0 ? *(array) : 0)

#define C_GEMM_BATCH_RET(t) void
#define C_GEMM_BATCH_PARAMS(t)                                                                     \
	int order, enums ta, enums tb, fint m, fint n, fint k, ptr al, ptr a, fint lda, ptr b,     \
		fint ldb, ptr be, ptr c, fint ldc, blas_value groups, fint sizes
#define C_GEMM_BATCH_ARGS      order, ta, tb, m, n, k, al, a, lda, b, ldb, be, c, ldc, groups, sizes
#define C_GEMM_BATCH_DIMS      C_FIRST(ta), C_FIRST(tb), C_FIRST(m), C_FIRST(n), C_FIRST(k)
#define C_GEMM_BATCH_TOTAL(id) batch_groups(id, (blas_int)groups, sizes, m, n, k)
#define F_GEMM_BATCH_RET(t)    void
#define F_GEMM_BATCH_PARAMS(t)                                                                     \
	chr ta, chr tb, fint m, fint n, fint k, ptr al, ptr a, fint lda, ptr b, fint ldb, ptr be,  \
		ptr c, fint ldc, fint groups, fint sizes, size_t l1, size_t l2
#define F_GEMM_BATCH_ARGS      ta, tb, m, n, k, al, a, lda, b, ldb, be, c, ldc, groups, sizes, l1, l2
#define F_GEMM_BATCH_DIMS      F_FIRST(ta), F_FIRST(tb), F_FIRST(m), F_FIRST(n), F_FIRST(k)
#define F_GEMM_BATCH_TOTAL(id) batch_groups(id, *groups, sizes, m, n, k)

#define C_GEMM_STRIDED_RET(t)  void
#define C_GEMM_STRIDED_PARAMS(t)                                                                   \
	int order, int ta, int tb, blas_value m, blas_value n, blas_value k, SCALAR_##t al, ptr a, \
		blas_value lda, blas_value sa, ptr b, blas_value ldb, blas_value sb,               \
		SCALAR_##t be, ptr c, blas_value ldc, blas_value sc, blas_value members
#define C_GEMM_STRIDED_ARGS                                                                        \
	order, ta, tb, m, n, k, al, a, lda, sa, b, ldb, sb, be, c, ldc, sc, members
#define C_GEMM_STRIDED_DIMS	 C_GEMM_DIMS
#define C_GEMM_STRIDED_TOTAL(id) batch_members(id, (blas_int)members, m, n, k)
#define F_GEMM_STRIDED_RET(t)	 void
#define F_GEMM_STRIDED_PARAMS(t)                                                                   \
	chr ta, chr tb, fint m, fint n, fint k, ptr al, ptr a, fint lda, fint sa, ptr b, fint ldb, \
		fint sb, ptr be, ptr c, fint ldc, fint sc, fint members, size_t l1, size_t l2
#define F_GEMM_STRIDED_ARGS                                                                        \
	ta, tb, m, n, k, al, a, lda, sa, b, ldb, sb, be, c, ldc, sc, members, l1, l2
#define F_GEMM_STRIDED_DIMS	 F_GEMM_DIMS
#define F_GEMM_STRIDED_TOTAL(id) batch_members(id, *members, *m, *n, *k)

/* k is the order of A, as in trsm. */
#define C_TRSM_BATCH_RET(t)	 void
#define C_TRSM_BATCH_PARAMS(t)                                                                     \
	int order, enums side, enums uplo, enums ta, enums diag, fint m, fint n, ptr al, ptr a,    \
		fint lda, ptr b, fint ldb, blas_value groups, fint sizes
#define C_TRSM_BATCH_ARGS      order, side, uplo, ta, diag, m, n, al, a, lda, b, ldb, groups, sizes
#define C_TRSM_BATCH_DIMS      C_FIRST(ta), 0, C_FIRST(m), C_FIRST(n), C_FIRST(*side == 141 ? m : n)
#define C_TRSM_BATCH_TOTAL(id) batch_sides(id, (blas_int)groups, sizes, m, n, side, NULL)
#define F_TRSM_BATCH_RET(t)    void
#define F_TRSM_BATCH_PARAMS(t)                                                                     \
	chr side, chr uplo, chr ta, chr diag, fint m, fint n, ptr al, ptr a, fint lda, ptr b,      \
		fint ldb, fint groups, fint sizes, size_t l1, size_t l2, size_t l3, size_t l4
#define F_TRSM_BATCH_ARGS                                                                          \
	side, uplo, ta, diag, m, n, al, a, lda, b, ldb, groups, sizes, l1, l2, l3, l4
#define F_TRSM_BATCH_DIMS                                                                          \
	F_FIRST(ta), 0, F_FIRST(m), F_FIRST(n), F_FIRST((*side | 0x20) == 'l' ? m : n)
#define F_TRSM_BATCH_TOTAL(id) batch_sides(id, *groups, sizes, m, n, NULL, side)

#define C_TRSM_STRIDED_RET(t)  void
#define C_TRSM_STRIDED_PARAMS(t)                                                                   \
	int order, int side, int uplo, int ta, int diag, blas_value m, blas_value n,               \
		SCALAR_##t al, ptr a, blas_value lda, blas_value sa, ptr b, blas_value ldb,        \
		blas_value sb, blas_value members
#define C_TRSM_STRIDED_ARGS	 order, side, uplo, ta, diag, m, n, al, a, lda, sa, b, ldb, sb, members
#define C_TRSM_STRIDED_DIMS	 C_TRMM_DIMS
#define C_TRSM_STRIDED_TOTAL(id) batch_members(id, (blas_int)members, m, n, C_SIDE_K)
#define F_TRSM_STRIDED_RET(t)	 void
#define F_TRSM_STRIDED_PARAMS(t)                                                                   \
	chr side, chr uplo, chr ta, chr diag, fint m, fint n, ptr al, ptr a, fint lda, fint sa,    \
		ptr b, fint ldb, fint sb, fint members, size_t l1, size_t l2, size_t l3, size_t l4
#define F_TRSM_STRIDED_ARGS                                                                        \
	side, uplo, ta, diag, m, n, al, a, lda, sa, b, ldb, sb, members, l1, l2, l3, l4
#define F_TRSM_STRIDED_DIMS	 F_TRMM_DIMS
#define F_TRSM_STRIDED_TOTAL(id) batch_members(id, *members, *m, *n, F_SIDE_K)

#define C_SYRK_BATCH_RET(t)	 void
#define C_SYRK_BATCH_PARAMS(t)                                                                     \
	int order, enums uplo, enums ta, fint n, fint k, ptr al, ptr a, fint lda, ptr be, ptr c,   \
		fint ldc, blas_value groups, fint sizes
#define C_SYRK_BATCH_ARGS      order, uplo, ta, n, k, al, a, lda, be, c, ldc, groups, sizes
#define C_SYRK_BATCH_DIMS      C_FIRST(ta), 0, C_FIRST(n), C_FIRST(n), C_FIRST(k)
#define C_SYRK_BATCH_TOTAL(id) batch_groups(id, (blas_int)groups, sizes, n, n, k)
#define F_SYRK_BATCH_RET(t)    void
#define F_SYRK_BATCH_PARAMS(t)                                                                     \
	chr uplo, chr ta, fint n, fint k, ptr al, ptr a, fint lda, ptr be, ptr c, fint ldc,        \
		fint groups, fint sizes, size_t l1, size_t l2
#define F_SYRK_BATCH_ARGS      uplo, ta, n, k, al, a, lda, be, c, ldc, groups, sizes, l1, l2
#define F_SYRK_BATCH_DIMS      F_FIRST(ta), 0, F_FIRST(n), F_FIRST(n), F_FIRST(k)
#define F_SYRK_BATCH_TOTAL(id) batch_groups(id, *groups, sizes, n, n, k)

#define C_SYRK_STRIDED_RET(t)  void
#define C_SYRK_STRIDED_PARAMS(t)                                                                   \
	int order, int uplo, int ta, blas_value n, blas_value k, SCALAR_##t al, ptr a,             \
		blas_value lda, blas_value sa, SCALAR_##t be, ptr c, blas_value ldc,               \
		blas_value sc, blas_value members
#define C_SYRK_STRIDED_ARGS	 order, uplo, ta, n, k, al, a, lda, sa, be, c, ldc, sc, members
#define C_SYRK_STRIDED_DIMS	 C_SYRK_DIMS
#define C_SYRK_STRIDED_TOTAL(id) batch_members(id, (blas_int)members, n, n, k)
#define F_SYRK_STRIDED_RET(t)	 void
#define F_SYRK_STRIDED_PARAMS(t)                                                                   \
	chr uplo, chr ta, fint n, fint k, ptr al, ptr a, fint lda, fint sa, ptr be, ptr c,         \
		fint ldc, fint sc, fint members, size_t l1, size_t l2
#define F_SYRK_STRIDED_ARGS	 uplo, ta, n, k, al, a, lda, sa, be, c, ldc, sc, members, l1, l2
#define F_SYRK_STRIDED_DIMS	 F_SYRK_DIMS
#define F_SYRK_STRIDED_TOTAL(id) batch_members(id, *members, *n, *n, *k)

#define C_GEMV_BATCH_RET(t)	 void
#define C_GEMV_BATCH_PARAMS(t)                                                                     \
	int order, enums ta, fint m, fint n, ptr al, ptr a, fint lda, ptr x, fint incx, ptr be,    \
		ptr y, fint incy, blas_value groups, fint sizes
#define C_GEMV_BATCH_ARGS      order, ta, m, n, al, a, lda, x, incx, be, y, incy, groups, sizes
#define C_GEMV_BATCH_DIMS      C_FIRST(ta), 0, C_FIRST(m), C_FIRST(n), 0
#define C_GEMV_BATCH_TOTAL(id) batch_groups(id, (blas_int)groups, sizes, m, n, NULL)
#define F_GEMV_BATCH_RET(t)    void
#define F_GEMV_BATCH_PARAMS(t)                                                                     \
	chr ta, fint m, fint n, ptr al, ptr a, fint lda, ptr x, fint incx, ptr be, ptr y,          \
		fint incy, fint groups, fint sizes, size_t l1
#define F_GEMV_BATCH_ARGS      ta, m, n, al, a, lda, x, incx, be, y, incy, groups, sizes, l1
#define F_GEMV_BATCH_DIMS      F_FIRST(ta), 0, F_FIRST(m), F_FIRST(n), 0
#define F_GEMV_BATCH_TOTAL(id) batch_groups(id, *groups, sizes, m, n, NULL)

#define C_GEMV_STRIDED_RET(t)  void
#define C_GEMV_STRIDED_PARAMS(t)                                                                   \
	int order, int ta, blas_value m, blas_value n, SCALAR_##t al, ptr a, blas_value lda,       \
		blas_value sa, ptr x, blas_value incx, blas_value sx, SCALAR_##t be, ptr y,        \
		blas_value incy, blas_value sy, blas_value members
#define C_GEMV_STRIDED_ARGS	 order, ta, m, n, al, a, lda, sa, x, incx, sx, be, y, incy, sy, members
#define C_GEMV_STRIDED_DIMS	 C_GEMV_DIMS
#define C_GEMV_STRIDED_TOTAL(id) batch_members(id, (blas_int)members, m, n, 0)
#define F_GEMV_STRIDED_RET(t)	 void
#define F_GEMV_STRIDED_PARAMS(t)                                                                   \
	chr ta, fint m, fint n, ptr al, ptr a, fint lda, fint sa, ptr x, fint incx, fint sx,       \
		ptr be, ptr y, fint incy, fint sy, fint members, size_t l1
#define F_GEMV_STRIDED_ARGS	 ta, m, n, al, a, lda, sa, x, incx, sx, be, y, incy, sy, members, l1
#define F_GEMV_STRIDED_DIMS	 F_GEMV_DIMS
#define F_GEMV_STRIDED_TOTAL(id) batch_members(id, *members, *m, *n, 0)

#define C_AXPY_BATCH_RET(t)	 void
#define C_AXPY_BATCH_PARAMS(t)                                                                     \
	fint n, ptr al, ptr x, fint incx, ptr y, fint incy, blas_value groups, fint sizes
#define C_AXPY_BATCH_ARGS      n, al, x, incx, y, incy, groups, sizes
#define C_AXPY_BATCH_DIMS      0, 0, 0, C_FIRST(n), 0
#define C_AXPY_BATCH_TOTAL(id) batch_groups(id, (blas_int)groups, sizes, NULL, n, NULL)
#define F_AXPY_BATCH_RET(t)    void
#define F_AXPY_BATCH_PARAMS(t)                                                                     \
	fint n, ptr al, ptr x, fint incx, ptr y, fint incy, fint groups, fint sizes
#define F_AXPY_BATCH_ARGS      C_AXPY_BATCH_ARGS
#define F_AXPY_BATCH_DIMS      0, 0, 0, F_FIRST(n), 0
#define F_AXPY_BATCH_TOTAL(id) batch_groups(id, *groups, sizes, NULL, n, NULL)

#define C_AXPY_STRIDED_RET(t)  void
#define C_AXPY_STRIDED_PARAMS(t)                                                                   \
	blas_value n, SCALAR_##t al, ptr x, blas_value incx, blas_value sx, ptr y,                 \
		blas_value incy, blas_value sy, blas_value members
#define C_AXPY_STRIDED_ARGS	 n, al, x, incx, sx, y, incy, sy, members
#define C_AXPY_STRIDED_DIMS	 C_AXPY_DIMS
#define C_AXPY_STRIDED_TOTAL(id) batch_members(id, (blas_int)members, 0, n, 0)
#define F_AXPY_STRIDED_RET(t)	 void
#define F_AXPY_STRIDED_PARAMS(t)                                                                   \
	fint n, ptr al, ptr x, fint incx, fint sx, ptr y, fint incy, fint sy, fint members
#define F_AXPY_STRIDED_ARGS	 C_AXPY_STRIDED_ARGS
#define F_AXPY_STRIDED_DIMS	 F_AXPY_DIMS
#define F_AXPY_STRIDED_TOTAL(id) batch_members(id, *members, 0, *n, 0)

#define C_COPY_BATCH_RET(t)	 void
#define C_COPY_BATCH_PARAMS(t)                                                                     \
	fint n, ptr x, fint incx, ptr y, fint incy, blas_value groups, fint sizes
#define C_COPY_BATCH_ARGS      n, x, incx, y, incy, groups, sizes
#define C_COPY_BATCH_DIMS      C_AXPY_BATCH_DIMS
#define C_COPY_BATCH_TOTAL(id) C_AXPY_BATCH_TOTAL(id)
#define F_COPY_BATCH_RET(t)    void
#define F_COPY_BATCH_PARAMS(t) fint n, ptr x, fint incx, ptr y, fint incy, fint groups, fint sizes
#define F_COPY_BATCH_ARGS      C_COPY_BATCH_ARGS
#define F_COPY_BATCH_DIMS      F_AXPY_BATCH_DIMS
#define F_COPY_BATCH_TOTAL(id) F_AXPY_BATCH_TOTAL(id)

#define C_COPY_STRIDED_RET(t)  void
#define C_COPY_STRIDED_PARAMS(t)                                                                   \
	blas_value n, ptr x, blas_value incx, blas_value sx, ptr y, blas_value incy,               \
		blas_value sy, blas_value members
#define C_COPY_STRIDED_ARGS	 n, x, incx, sx, y, incy, sy, members
#define C_COPY_STRIDED_DIMS	 C_AXPY_DIMS
#define C_COPY_STRIDED_TOTAL(id) C_AXPY_STRIDED_TOTAL(id)
#define F_COPY_STRIDED_RET(t)	 void
#define F_COPY_STRIDED_PARAMS(t)                                                                   \
	fint n, ptr x, fint incx, fint sx, ptr y, fint incy, fint sy, fint members
#define F_COPY_STRIDED_ARGS	 C_COPY_STRIDED_ARGS
#define F_COPY_STRIDED_DIMS	 F_AXPY_DIMS
#define F_COPY_STRIDED_TOTAL(id) F_AXPY_STRIDED_TOTAL(id)

#endif
