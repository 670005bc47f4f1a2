/* shapes.h: the signatures of BLAS routines, for CBLAS (C_) and Fortran (F_). */
/* SPDX-License-Identifier: MIT
 *
 * The includer may define BLAS_INT, the type of integers other than enums (int by default, int64_t
 * for 64-bit names), and BLAS_VALUE, the type of those that are passed by value.
 *
 * Each shape has these macros; X is C or F:
 *     X_SHAPE_RET(t)    return type for element type t (s, d, c, z)
 *     X_SHAPE_PARAMS(t) parameters
 *     X_SHAPE_ARGS      their names, to pass them on
 *     X_SHAPE_DIMS      what is recorded: transa, transb, m, n, k; 0 if there is none
 * CBLAS passes real scalars by value and complex ones by pointer; Fortran passes all by pointer.
 * Fortran's hidden string lengths (one for each character argument) come last; they are only passed
 * on.
 */
#ifndef SHIM_SHAPES_H
#define SHIM_SHAPES_H

#include <stddef.h>
#include <stdint.h>

#ifndef BLAS_INT
#define BLAS_INT int
#endif
#ifndef BLAS_VALUE
#define BLAS_VALUE BLAS_INT
#endif
typedef BLAS_INT blas_int;
typedef BLAS_VALUE blas_value;
typedef void *ptr;
typedef const char *chr;
typedef const blas_int *fint;

#if defined(__aarch64__)
typedef __fp16 half; /* Arm's libraries pass a floating-point number, ... */
#else
typedef unsigned short half; /* ... MKL an integer with its bits */
#endif

#define SCALAR_s      float
#define SCALAR_d      double
#define SCALAR_c      ptr
#define SCALAR_z      ptr
#define SCALAR_h      half
#define REAL_s	      float
#define REAL_d	      double
#define REAL_c	      float
#define REAL_z	      double

/* CblasLeft is 141; Fortran says 'L' or 'l'. k is the order of A. */
#define C_SIDE_K      (side == 141 ? m : n)
#define F_SIDE_K      ((*side | 0x20) == 'l' ? *m : *n)

/* Level 3 */
#define C_GEMM_RET(t) void
#define C_GEMM_PARAMS(t)                                                                           \
	int order, int ta, int tb, blas_value m, blas_value n, blas_value k, SCALAR_##t al, ptr a, \
		blas_value lda, ptr b, blas_value ldb, SCALAR_##t be, ptr c, blas_value ldc
#define C_GEMM_ARGS   order, ta, tb, m, n, k, al, a, lda, b, ldb, be, c, ldc
#define C_GEMM_DIMS   ta, tb, m, n, k
#define F_GEMM_RET(t) void
#define F_GEMM_PARAMS(t)                                                                           \
	chr ta, chr tb, fint m, fint n, fint k, ptr al, ptr a, fint lda, ptr b, fint ldb, ptr be,  \
		ptr c, fint ldc, size_t l1, size_t l2
#define F_GEMM_ARGS   ta, tb, m, n, k, al, a, lda, b, ldb, be, c, ldc, l1, l2
#define F_GEMM_DIMS   *ta, *tb, *m, *n, *k

#define C_SYMM_RET(t) void
#define C_SYMM_PARAMS(t)                                                                           \
	int order, int side, int uplo, blas_value m, blas_value n, SCALAR_##t al, ptr a,           \
		blas_value lda, ptr b, blas_value ldb, SCALAR_##t be, ptr c, blas_value ldc
#define C_SYMM_ARGS   order, side, uplo, m, n, al, a, lda, b, ldb, be, c, ldc
#define C_SYMM_DIMS   0, 0, m, n, C_SIDE_K
#define F_SYMM_RET(t) void
#define F_SYMM_PARAMS(t)                                                                           \
	chr side, chr uplo, fint m, fint n, ptr al, ptr a, fint lda, ptr b, fint ldb, ptr be,      \
		ptr c, fint ldc, size_t l1, size_t l2
#define F_SYMM_ARGS   side, uplo, m, n, al, a, lda, b, ldb, be, c, ldc, l1, l2
#define F_SYMM_DIMS   0, 0, *m, *n, F_SIDE_K

#define C_SYRK_RET(t) void
#define C_SYRK_PARAMS(t)                                                                           \
	int order, int uplo, int ta, blas_value n, blas_value k, SCALAR_##t al, ptr a,             \
		blas_value lda, SCALAR_##t be, ptr c, blas_value ldc
#define C_SYRK_ARGS   order, uplo, ta, n, k, al, a, lda, be, c, ldc
#define C_SYRK_DIMS   ta, 0, n, n, k
#define F_SYRK_RET(t) void
#define F_SYRK_PARAMS(t)                                                                           \
	chr uplo, chr ta, fint n, fint k, ptr al, ptr a, fint lda, ptr be, ptr c, fint ldc,        \
		size_t l1, size_t l2
#define F_SYRK_ARGS   uplo, ta, n, k, al, a, lda, be, c, ldc, l1, l2
#define F_SYRK_DIMS   *ta, 0, *n, *n, *k

#define C_HERK_RET(t) void
#define C_HERK_PARAMS(t)                                                                           \
	int order, int uplo, int ta, blas_value n, blas_value k, REAL_##t al, ptr a,               \
		blas_value lda, REAL_##t be, ptr c, blas_value ldc
#define C_HERK_ARGS	 C_SYRK_ARGS
#define C_HERK_DIMS	 C_SYRK_DIMS
#define F_HERK_RET(t)	 void
#define F_HERK_PARAMS(t) F_SYRK_PARAMS(t)
#define F_HERK_ARGS	 F_SYRK_ARGS
#define F_HERK_DIMS	 F_SYRK_DIMS

#define C_SYR2K_RET(t)	 void
#define C_SYR2K_PARAMS(t)                                                                          \
	int order, int uplo, int ta, blas_value n, blas_value k, SCALAR_##t al, ptr a,             \
		blas_value lda, ptr b, blas_value ldb, SCALAR_##t be, ptr c, blas_value ldc
#define C_SYR2K_ARGS   order, uplo, ta, n, k, al, a, lda, b, ldb, be, c, ldc
#define C_SYR2K_DIMS   ta, 0, n, n, k
#define F_SYR2K_RET(t) void
#define F_SYR2K_PARAMS(t)                                                                          \
	chr uplo, chr ta, fint n, fint k, ptr al, ptr a, fint lda, ptr b, fint ldb, ptr be, ptr c, \
		fint ldc, size_t l1, size_t l2
#define F_SYR2K_ARGS   uplo, ta, n, k, al, a, lda, b, ldb, be, c, ldc, l1, l2
#define F_SYR2K_DIMS   *ta, 0, *n, *n, *k

#define C_HER2K_RET(t) void
#define C_HER2K_PARAMS(t)                                                                          \
	int order, int uplo, int ta, blas_value n, blas_value k, SCALAR_##t al, ptr a,             \
		blas_value lda, ptr b, blas_value ldb, REAL_##t be, ptr c, blas_value ldc
#define C_HER2K_ARGS	  C_SYR2K_ARGS
#define C_HER2K_DIMS	  C_SYR2K_DIMS
#define F_HER2K_RET(t)	  void
#define F_HER2K_PARAMS(t) F_SYR2K_PARAMS(t)
#define F_HER2K_ARGS	  F_SYR2K_ARGS
#define F_HER2K_DIMS	  F_SYR2K_DIMS

#define C_TRMM_RET(t)	  void
#define C_TRMM_PARAMS(t)                                                                           \
	int order, int side, int uplo, int ta, int diag, blas_value m, blas_value n,               \
		SCALAR_##t al, ptr a, blas_value lda, ptr b, blas_value ldb
#define C_TRMM_ARGS   order, side, uplo, ta, diag, m, n, al, a, lda, b, ldb
#define C_TRMM_DIMS   ta, 0, m, n, C_SIDE_K
#define F_TRMM_RET(t) void
#define F_TRMM_PARAMS(t)                                                                           \
	chr side, chr uplo, chr ta, chr diag, fint m, fint n, ptr al, ptr a, fint lda, ptr b,      \
		fint ldb, size_t l1, size_t l2, size_t l3, size_t l4
#define F_TRMM_ARGS    side, uplo, ta, diag, m, n, al, a, lda, b, ldb, l1, l2, l3, l4
#define F_TRMM_DIMS    *ta, 0, *m, *n, F_SIDE_K

/* Level 3, not in the reference BLAS */
#define C_GEMMT_RET(t) void
#define C_GEMMT_PARAMS(t)                                                                          \
	int order, int uplo, int ta, int tb, blas_value n, blas_value k, SCALAR_##t al, ptr a,     \
		blas_value lda, ptr b, blas_value ldb, SCALAR_##t be, ptr c, blas_value ldc
#define C_GEMMT_ARGS   order, uplo, ta, tb, n, k, al, a, lda, b, ldb, be, c, ldc
#define C_GEMMT_DIMS   ta, tb, n, n, k
#define F_GEMMT_RET(t) void
#define F_GEMMT_PARAMS(t)                                                                          \
	chr uplo, chr ta, chr tb, fint n, fint k, ptr al, ptr a, fint lda, ptr b, fint ldb,        \
		ptr be, ptr c, fint ldc, size_t l1, size_t l2, size_t l3
#define F_GEMMT_ARGS	  uplo, ta, tb, n, k, al, a, lda, b, ldb, be, c, ldc, l1, l2, l3
#define F_GEMMT_DIMS	  *ta, *tb, *n, *n, *k

#define C_WGEMM_RET(t)	  void
#define C_WGEMM_PARAMS(t) C_GEMM_PARAMS(s)
#define C_WGEMM_ARGS	  C_GEMM_ARGS
#define C_WGEMM_DIMS	  C_GEMM_DIMS
#define F_WGEMM_RET(t)	  void
#define F_WGEMM_PARAMS(t) F_GEMM_PARAMS(s)
#define F_WGEMM_ARGS	  F_GEMM_ARGS
#define F_WGEMM_DIMS	  F_GEMM_DIMS

/* The offsets ao and bo have 8 or 16 bits; the whole register is passed on. */
#define C_IGEMM_RET(t)	  void
#define C_IGEMM_PARAMS(t)                                                                          \
	int order, int ta, int tb, int offset, blas_value m, blas_value n, blas_value k, float al, \
		ptr a, blas_value lda, int ao, ptr b, blas_value ldb, int bo, float be, ptr c,     \
		blas_value ldc, ptr co
#define C_IGEMM_ARGS   order, ta, tb, offset, m, n, k, al, a, lda, ao, b, ldb, bo, be, c, ldc, co
#define C_IGEMM_DIMS   ta, tb, m, n, k
#define F_IGEMM_RET(t) void
#define F_IGEMM_PARAMS(t)                                                                          \
	chr ta, chr tb, chr offset, fint m, fint n, fint k, ptr al, ptr a, fint lda, ptr ao,       \
		ptr b, fint ldb, ptr bo, ptr be, ptr c, fint ldc, ptr co, size_t l1, size_t l2,    \
		size_t l3
#define F_IGEMM_ARGS  ta, tb, offset, m, n, k, al, a, lda, ao, b, ldb, bo, be, c, ldc, co, l1, l2, l3
#define F_IGEMM_DIMS  *ta, *tb, *m, *n, *k

/* Level 2 */
#define C_GEMV_RET(t) void
#define C_GEMV_PARAMS(t)                                                                           \
	int order, int ta, blas_value m, blas_value n, SCALAR_##t al, ptr a, blas_value lda,       \
		ptr x, blas_value incx, SCALAR_##t be, ptr y, blas_value incy
#define C_GEMV_ARGS   order, ta, m, n, al, a, lda, x, incx, be, y, incy
#define C_GEMV_DIMS   ta, 0, m, n, 0
#define F_GEMV_RET(t) void
#define F_GEMV_PARAMS(t)                                                                           \
	chr ta, fint m, fint n, ptr al, ptr a, fint lda, ptr x, fint incx, ptr be, ptr y,          \
		fint incy, size_t l1
#define F_GEMV_ARGS   ta, m, n, al, a, lda, x, incx, be, y, incy, l1
#define F_GEMV_DIMS   *ta, 0, *m, *n, 0

#define C_GBMV_RET(t) void
#define C_GBMV_PARAMS(t)                                                                           \
	int order, int ta, blas_value m, blas_value n, blas_value kl, blas_value ku,               \
		SCALAR_##t al, ptr a, blas_value lda, ptr x, blas_value incx, SCALAR_##t be,       \
		ptr y, blas_value incy
#define C_GBMV_ARGS   order, ta, m, n, kl, ku, al, a, lda, x, incx, be, y, incy
#define C_GBMV_DIMS   ta, 0, m, n, kl + ku + 1
#define F_GBMV_RET(t) void
#define F_GBMV_PARAMS(t)                                                                           \
	chr ta, fint m, fint n, fint kl, fint ku, ptr al, ptr a, fint lda, ptr x, fint incx,       \
		ptr be, ptr y, fint incy, size_t l1
#define F_GBMV_ARGS   ta, m, n, kl, ku, al, a, lda, x, incx, be, y, incy, l1
#define F_GBMV_DIMS   *ta, 0, *m, *n, *kl + *ku + 1

#define C_SYMV_RET(t) void
#define C_SYMV_PARAMS(t)                                                                           \
	int order, int uplo, blas_value n, SCALAR_##t al, ptr a, blas_value lda, ptr x,            \
		blas_value incx, SCALAR_##t be, ptr y, blas_value incy
#define C_SYMV_ARGS   order, uplo, n, al, a, lda, x, incx, be, y, incy
#define C_SYMV_DIMS   0, 0, n, n, 0
#define F_SYMV_RET(t) void
#define F_SYMV_PARAMS(t)                                                                           \
	chr uplo, fint n, ptr al, ptr a, fint lda, ptr x, fint incx, ptr be, ptr y, fint incy,     \
		size_t l1
#define F_SYMV_ARGS   uplo, n, al, a, lda, x, incx, be, y, incy, l1
#define F_SYMV_DIMS   0, 0, *n, *n, 0

#define C_SBMV_RET(t) void
#define C_SBMV_PARAMS(t)                                                                           \
	int order, int uplo, blas_value n, blas_value k, SCALAR_##t al, ptr a, blas_value lda,     \
		ptr x, blas_value incx, SCALAR_##t be, ptr y, blas_value incy
#define C_SBMV_ARGS   order, uplo, n, k, al, a, lda, x, incx, be, y, incy
#define C_SBMV_DIMS   0, 0, n, n, k
#define F_SBMV_RET(t) void
#define F_SBMV_PARAMS(t)                                                                           \
	chr uplo, fint n, fint k, ptr al, ptr a, fint lda, ptr x, fint incx, ptr be, ptr y,        \
		fint incy, size_t l1
#define F_SBMV_ARGS   uplo, n, k, al, a, lda, x, incx, be, y, incy, l1
#define F_SBMV_DIMS   0, 0, *n, *n, *k

#define C_SPMV_RET(t) void
#define C_SPMV_PARAMS(t)                                                                           \
	int order, int uplo, blas_value n, SCALAR_##t al, ptr a, ptr x, blas_value incx,           \
		SCALAR_##t be, ptr y, blas_value incy
#define C_SPMV_ARGS   order, uplo, n, al, a, x, incx, be, y, incy
#define C_SPMV_DIMS   0, 0, n, n, 0
#define F_SPMV_RET(t) void
#define F_SPMV_PARAMS(t)                                                                           \
	chr uplo, fint n, ptr al, ptr a, ptr x, fint incx, ptr be, ptr y, fint incy, size_t l1
#define F_SPMV_ARGS   uplo, n, al, a, x, incx, be, y, incy, l1
#define F_SPMV_DIMS   0, 0, *n, *n, 0

#define C_TRMV_RET(t) void
#define C_TRMV_PARAMS(t)                                                                           \
	int order, int uplo, int ta, int diag, blas_value n, ptr a, blas_value lda, ptr x,         \
		blas_value incx
#define C_TRMV_ARGS   order, uplo, ta, diag, n, a, lda, x, incx
#define C_TRMV_DIMS   ta, 0, n, n, 0
#define F_TRMV_RET(t) void
#define F_TRMV_PARAMS(t)                                                                           \
	chr uplo, chr ta, chr diag, fint n, ptr a, fint lda, ptr x, fint incx, size_t l1,          \
		size_t l2, size_t l3
#define F_TRMV_ARGS   uplo, ta, diag, n, a, lda, x, incx, l1, l2, l3
#define F_TRMV_DIMS   *ta, 0, *n, *n, 0

#define C_TBMV_RET(t) void
#define C_TBMV_PARAMS(t)                                                                           \
	int order, int uplo, int ta, int diag, blas_value n, blas_value k, ptr a, blas_value lda,  \
		ptr x, blas_value incx
#define C_TBMV_ARGS   order, uplo, ta, diag, n, k, a, lda, x, incx
#define C_TBMV_DIMS   ta, 0, n, n, k
#define F_TBMV_RET(t) void
#define F_TBMV_PARAMS(t)                                                                           \
	chr uplo, chr ta, chr diag, fint n, fint k, ptr a, fint lda, ptr x, fint incx, size_t l1,  \
		size_t l2, size_t l3
#define F_TBMV_ARGS   uplo, ta, diag, n, k, a, lda, x, incx, l1, l2, l3
#define F_TBMV_DIMS   *ta, 0, *n, *n, *k

#define C_TPMV_RET(t) void
#define C_TPMV_PARAMS(t)                                                                           \
	int order, int uplo, int ta, int diag, blas_value n, ptr a, ptr x, blas_value incx
#define C_TPMV_ARGS   order, uplo, ta, diag, n, a, x, incx
#define C_TPMV_DIMS   ta, 0, n, n, 0
#define F_TPMV_RET(t) void
#define F_TPMV_PARAMS(t)                                                                           \
	chr uplo, chr ta, chr diag, fint n, ptr a, ptr x, fint incx, size_t l1, size_t l2, size_t l3
#define F_TPMV_ARGS  uplo, ta, diag, n, a, x, incx, l1, l2, l3
#define F_TPMV_DIMS  *ta, 0, *n, *n, 0

#define C_GER_RET(t) void
#define C_GER_PARAMS(t)                                                                            \
	int order, blas_value m, blas_value n, SCALAR_##t al, ptr x, blas_value incx, ptr y,       \
		blas_value incy, ptr a, blas_value lda
#define C_GER_ARGS	order, m, n, al, x, incx, y, incy, a, lda
#define C_GER_DIMS	0, 0, m, n, 0
#define F_GER_RET(t)	void
#define F_GER_PARAMS(t) fint m, fint n, ptr al, ptr x, fint incx, ptr y, fint incy, ptr a, fint lda
#define F_GER_ARGS	m, n, al, x, incx, y, incy, a, lda
#define F_GER_DIMS	0, 0, *m, *n, 0

#define C_SYR_RET(t)	void
#define C_SYR_PARAMS(t)                                                                            \
	int order, int uplo, blas_value n, REAL_##t al, ptr x, blas_value incx, ptr a,             \
		blas_value lda
#define C_SYR_ARGS	order, uplo, n, al, x, incx, a, lda
#define C_SYR_DIMS	0, 0, n, n, 0
#define F_SYR_RET(t)	void
#define F_SYR_PARAMS(t) chr uplo, fint n, ptr al, ptr x, fint incx, ptr a, fint lda, size_t l1
#define F_SYR_ARGS	uplo, n, al, x, incx, a, lda, l1
#define F_SYR_DIMS	0, 0, *n, *n, 0

#define C_SPR_RET(t)	void
#define C_SPR_PARAMS(t)                                                                            \
	int order, int uplo, blas_value n, REAL_##t al, ptr x, blas_value incx, ptr a
#define C_SPR_ARGS	order, uplo, n, al, x, incx, a
#define C_SPR_DIMS	0, 0, n, n, 0
#define F_SPR_RET(t)	void
#define F_SPR_PARAMS(t) chr uplo, fint n, ptr al, ptr x, fint incx, ptr a, size_t l1
#define F_SPR_ARGS	uplo, n, al, x, incx, a, l1
#define F_SPR_DIMS	0, 0, *n, *n, 0

#define C_SYR2_RET(t)	void
#define C_SYR2_PARAMS(t)                                                                           \
	int order, int uplo, blas_value n, SCALAR_##t al, ptr x, blas_value incx, ptr y,           \
		blas_value incy, ptr a, blas_value lda
#define C_SYR2_ARGS   order, uplo, n, al, x, incx, y, incy, a, lda
#define C_SYR2_DIMS   0, 0, n, n, 0
#define F_SYR2_RET(t) void
#define F_SYR2_PARAMS(t)                                                                           \
	chr uplo, fint n, ptr al, ptr x, fint incx, ptr y, fint incy, ptr a, fint lda, size_t l1
#define F_SYR2_ARGS   uplo, n, al, x, incx, y, incy, a, lda, l1
#define F_SYR2_DIMS   0, 0, *n, *n, 0

#define C_SPR2_RET(t) void
#define C_SPR2_PARAMS(t)                                                                           \
	int order, int uplo, blas_value n, SCALAR_##t al, ptr x, blas_value incx, ptr y,           \
		blas_value incy, ptr a
#define C_SPR2_ARGS   order, uplo, n, al, x, incx, y, incy, a
#define C_SPR2_DIMS   0, 0, n, n, 0
#define F_SPR2_RET(t) void
#define F_SPR2_PARAMS(t)                                                                           \
	chr uplo, fint n, ptr al, ptr x, fint incx, ptr y, fint incy, ptr a, size_t l1
#define F_SPR2_ARGS	  uplo, n, al, x, incx, y, incy, a, l1
#define F_SPR2_DIMS	  0, 0, *n, *n, 0

/* Level 1 */
#define C_ROTG_RET(t)	  void
#define C_ROTG_PARAMS(t)  ptr a, ptr b, ptr c, ptr s
#define C_ROTG_ARGS	  a, b, c, s
#define C_ROTG_DIMS	  0, 0, 0, 1, 0
#define F_ROTG_RET(t)	  void
#define F_ROTG_PARAMS(t)  C_ROTG_PARAMS(t)
#define F_ROTG_ARGS	  C_ROTG_ARGS
#define F_ROTG_DIMS	  C_ROTG_DIMS

#define C_ROTMG_RET(t)	  void
#define C_ROTMG_PARAMS(t) ptr d1, ptr d2, ptr b1, REAL_##t b2, ptr p
#define C_ROTMG_ARGS	  d1, d2, b1, b2, p
#define C_ROTMG_DIMS	  0, 0, 0, 1, 0
#define F_ROTMG_RET(t)	  void
#define F_ROTMG_PARAMS(t) ptr d1, ptr d2, ptr b1, ptr b2, ptr p
#define F_ROTMG_ARGS	  d1, d2, b1, b2, p
#define F_ROTMG_DIMS	  0, 0, 0, 1, 0

#define C_ROT_RET(t)	  void
#define C_ROT_PARAMS(t)                                                                            \
	blas_value n, ptr x, blas_value incx, ptr y, blas_value incy, REAL_##t c, REAL_##t s
#define C_ROT_ARGS	   n, x, incx, y, incy, c, s
#define C_ROT_DIMS	   0, 0, 0, n, 0
#define F_ROT_RET(t)	   void
#define F_ROT_PARAMS(t)	   fint n, ptr x, fint incx, ptr y, fint incy, ptr c, ptr s
#define F_ROT_ARGS	   n, x, incx, y, incy, c, s
#define F_ROT_DIMS	   0, 0, 0, *n, 0

#define C_ROTM_RET(t)	   void
#define C_ROTM_PARAMS(t)   blas_value n, ptr x, blas_value incx, ptr y, blas_value incy, ptr p
#define C_ROTM_ARGS	   n, x, incx, y, incy, p
#define C_ROTM_DIMS	   0, 0, 0, n, 0
#define F_ROTM_RET(t)	   void
#define F_ROTM_PARAMS(t)   fint n, ptr x, fint incx, ptr y, fint incy, ptr p
#define F_ROTM_ARGS	   n, x, incx, y, incy, p
#define F_ROTM_DIMS	   0, 0, 0, *n, 0

#define C_COPY_RET(t)	   void
#define C_COPY_PARAMS(t)   blas_value n, ptr x, blas_value incx, ptr y, blas_value incy
#define C_COPY_ARGS	   n, x, incx, y, incy
#define C_COPY_DIMS	   0, 0, 0, n, 0
#define F_COPY_RET(t)	   void
#define F_COPY_PARAMS(t)   fint n, ptr x, fint incx, ptr y, fint incy
#define F_COPY_ARGS	   n, x, incx, y, incy
#define F_COPY_DIMS	   0, 0, 0, *n, 0

#define C_SCAL_RET(t)	   void
#define C_SCAL_PARAMS(t)   blas_value n, SCALAR_##t al, ptr x, blas_value incx
#define C_SCAL_ARGS	   n, al, x, incx
#define C_SCAL_DIMS	   0, 0, 0, n, 0
#define F_SCAL_RET(t)	   void
#define F_SCAL_PARAMS(t)   fint n, ptr al, ptr x, fint incx
#define F_SCAL_ARGS	   n, al, x, incx
#define F_SCAL_DIMS	   0, 0, 0, *n, 0
#define C_RSCAL_RET(t)	   void
#define C_RSCAL_PARAMS(t)  blas_value n, REAL_##t al, ptr x, blas_value incx
#define C_RSCAL_ARGS	   C_SCAL_ARGS
#define C_RSCAL_DIMS	   C_SCAL_DIMS
#define F_RSCAL_RET(t)	   void
#define F_RSCAL_PARAMS(t)  F_SCAL_PARAMS(t)
#define F_RSCAL_ARGS	   F_SCAL_ARGS
#define F_RSCAL_DIMS	   F_SCAL_DIMS

#define C_AXPY_RET(t)	   void
#define C_AXPY_PARAMS(t)   blas_value n, SCALAR_##t al, ptr x, blas_value incx, ptr y, blas_value incy
#define C_AXPY_ARGS	   n, al, x, incx, y, incy
#define C_AXPY_DIMS	   0, 0, 0, n, 0
#define F_AXPY_RET(t)	   void
#define F_AXPY_PARAMS(t)   fint n, ptr al, ptr x, fint incx, ptr y, fint incy
#define F_AXPY_ARGS	   n, al, x, incx, y, incy
#define F_AXPY_DIMS	   0, 0, 0, *n, 0

#define C_DOT_RET(t)	   REAL_##t
#define C_DOT_PARAMS(t)	   C_COPY_PARAMS(t)
#define C_DOT_ARGS	   C_COPY_ARGS
#define C_DOT_DIMS	   C_COPY_DIMS
#define F_DOT_RET(t)	   REAL_##t
#define F_DOT_PARAMS(t)	   F_COPY_PARAMS(t)
#define F_DOT_ARGS	   F_COPY_ARGS
#define F_DOT_DIMS	   F_COPY_DIMS
#define C_DSDOT_RET(t)	   double
#define C_DSDOT_PARAMS(t)  C_COPY_PARAMS(t)
#define C_DSDOT_ARGS	   C_COPY_ARGS
#define C_DSDOT_DIMS	   C_COPY_DIMS
#define F_DSDOT_RET(t)	   double
#define F_DSDOT_PARAMS(t)  F_COPY_PARAMS(t)
#define F_DSDOT_ARGS	   F_COPY_ARGS
#define F_DSDOT_DIMS	   F_COPY_DIMS
#define C_SDSDOT_RET(t)	   float
#define C_SDSDOT_PARAMS(t) C_AXPY_PARAMS(t)
#define C_SDSDOT_ARGS	   C_AXPY_ARGS
#define C_SDSDOT_DIMS	   C_AXPY_DIMS
#define F_SDSDOT_RET(t)	   float
#define F_SDSDOT_PARAMS(t) F_AXPY_PARAMS(t)
#define F_SDSDOT_ARGS	   F_AXPY_ARGS
#define F_SDSDOT_DIMS	   F_AXPY_DIMS

#define C_DOTSUB_RET(t)	   void
#define C_DOTSUB_PARAMS(t) blas_value n, ptr x, blas_value incx, ptr y, blas_value incy, ptr result
#define C_DOTSUB_ARGS	   n, x, incx, y, incy, result
#define C_DOTSUB_DIMS	   0, 0, 0, n, 0

#define C_NRM2_RET(t)	   REAL_##t
#define C_NRM2_PARAMS(t)   blas_value n, ptr x, blas_value incx
#define C_NRM2_ARGS	   n, x, incx
#define C_NRM2_DIMS	   0, 0, 0, n, 0
#define F_NRM2_RET(t)	   REAL_##t
#define F_NRM2_PARAMS(t)   fint n, ptr x, fint incx
#define F_NRM2_ARGS	   n, x, incx
#define F_NRM2_DIMS	   0, 0, 0, *n, 0

/* CBLAS_INDEX is size_t in some libraries and int in others; the whole register is passed on. */
#define C_AMAX_RET(t)	   size_t
#define C_AMAX_PARAMS(t)   C_NRM2_PARAMS(t)
#define C_AMAX_ARGS	   C_NRM2_ARGS
#define C_AMAX_DIMS	   C_NRM2_DIMS
#define F_AMAX_RET(t)	   size_t
#define F_AMAX_PARAMS(t)   F_NRM2_PARAMS(t)
#define F_AMAX_ARGS	   F_NRM2_ARGS
#define F_AMAX_DIMS	   F_NRM2_DIMS

#define C_CABS1_RET(t)	   REAL_##t
#define C_CABS1_PARAMS(t)  ptr z
#define C_CABS1_ARGS	   z
#define C_CABS1_DIMS	   0, 0, 0, 1, 0
#define F_CABS1_RET(t)	   REAL_##t
#define F_CABS1_PARAMS(t)  ptr z
#define F_CABS1_ARGS	   z
#define F_CABS1_DIMS	   0, 0, 0, 1, 0

/* Arguments of LAPACK routines: WORDS_n expands E(number) for each of n words. They are addresses,
 * followed by hidden string lengths. C callers omit these; then at most three words of the caller's
 * frame above its arguments are copied instead. */
#define WORDS_6(E)	   E(1), E(2), E(3), E(4), E(5), E(6)
#define WORDS_7(E)	   WORDS_6(E), E(7)
#define WORDS_8(E)	   WORDS_7(E), E(8)
#define WORDS_9(E)	   WORDS_8(E), E(9)
#define WORDS_10(E)	   WORDS_9(E), E(10)
#define WORDS_11(E)	   WORDS_10(E), E(11)
#define WORDS_12(E)	   WORDS_11(E), E(12)
#define WORDS_13(E)	   WORDS_12(E), E(13)
#define WORDS_14(E)	   WORDS_13(E), E(14)
#define WORDS_15(E)	   WORDS_14(E), E(15)
#define WORDS_16(E)	   WORDS_15(E), E(16)
#define WORDS_17(E)	   WORDS_16(E), E(17)
#define WORDS_24(E)	   WORDS_17(E), E(18), E(19), E(20), E(21), E(22), E(23), E(24)
#define WORDS_26(E)	   WORDS_24(E), E(25), E(26)
#define WORD(number)	   word##number
#define WORD_PARAM(number) size_t word##number

#endif
