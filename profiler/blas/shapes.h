/* shapes.h: the signatures of BLAS routines, for CBLAS and Fortran. */
/* SPDX-License-Identifier: MIT
 *
 * The includer may define BLAS_INT, the type of integers other than enums (int by default, int64_t
 * for 64-bit names), and BLAS_VALUE, the type of those that are passed by value.
 *
 * Each shape has two macros:
 *     PARAMS_SHAPE(P)        its parameters: P(KIND, name) for each
 *     DIMS_SHAPE(V, IS_LEFT) what is recorded: transa, transb, m, n, k; 0 if there is none. V(name)
 *                            is a parameter's value, IS_LEFT(value) tells whether a side is left
 * From these, the following are made; X is C (CBLAS) or F (Fortran), t the type of elements (s, d,
 * c, z, ...):
 *     X_PARAMS(SHAPE, t)     the parameters with their types
 *     X_ARGS(SHAPE)          their names, to pass them on
 *     X_DIMS(SHAPE)          the values that are recorded
 */
#ifndef BLAS_SHAPES_H
#define BLAS_SHAPES_H

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
typedef const int *enums;

#if defined(__aarch64__)
typedef __fp16 half; /* Arm's libraries pass a floating-point number, ... */
#else
typedef unsigned short half; /* ... MKL an integer with its bits */
#endif

#define SCALAR_s    float
#define SCALAR_d    double
#define SCALAR_c    ptr
#define SCALAR_z    ptr
#define SCALAR_h    half
#define REAL_s	    float
#define REAL_d	    double
#define REAL_c	    float
#define REAL_z	    double

/* The kinds of parameters, by their types in CBLAS. CBLAS passes real scalars by value and complex
 * ones by pointer. */
#define C_ORDER(t)  int
#define C_FLAG(t)   int	  /* an enum */
#define C_FLAGS(t)  enums /* an array of them, one for each group of a batch */
#define C_SIZE(t)   blas_value
#define C_SIZES(t)  fint
#define C_SCALAR(t) SCALAR_##t
#define C_REAL(t)   REAL_##t
#define C_FLOAT(t)  float
#define C_SHORT(t)  int /* 8 or 16 bits; the whole register is passed on */
#define C_ARRAY(t)  ptr

/* The same in Fortran, which has no order, and passes all by pointer. Hidden string lengths, one
 * for each character argument, come last; they are only passed on. */
#define F_ORDER(param, length, name)
#define F_FLAG(param, length, name)   param(chr, name) length(name)
#define F_FLAGS(param, length, name)  param(chr, name) length(name)
#define F_SIZE(param, length, name)   param(fint, name)
#define F_SIZES(param, length, name)  param(fint, name)
#define F_SCALAR(param, length, name) param(ptr, name)
#define F_REAL(param, length, name)   param(ptr, name)
#define F_FLOAT(param, length, name)  param(ptr, name)
#define F_SHORT(param, length, name)  param(ptr, name)
#define F_ARRAY(param, length, name)  param(ptr, name)

/* All lists are made with a comma before each item. */
#define WITHOUT_COMMA(...)	      WITHOUT_FIRST(__VA_ARGS__)
#define WITHOUT_FIRST(first, ...)     __VA_ARGS__
#define NOTHING(...)

#define C_PARAM_s(kind, name)	   , C_##kind(s) name
#define C_PARAM_d(kind, name)	   , C_##kind(d) name
#define C_PARAM_c(kind, name)	   , C_##kind(c) name
#define C_PARAM_z(kind, name)	   , C_##kind(z) name
#define C_PARAM_h(kind, name)	   , C_##kind(h) name
#define C_PARAM_b(kind, name)	   , C_##kind(b) name
#define C_PARAM_i(kind, name)	   , C_##kind(i) name
#define C_PARAM_w(kind, name)	   , C_##kind(w) name
#define C_ARG(kind, name)	   , name
#define C_VALUE(name)		   name
#define C_IS_LEFT(side)		   ((side) == 141) /* CblasLeft */
#define C_PARAMS(shape, t)	   WITHOUT_COMMA(PARAMS_##shape(C_PARAM_##t))
#define C_ARGS(shape)		   WITHOUT_COMMA(PARAMS_##shape(C_ARG))
#define C_DIMS(shape)		   DIMS_##shape(C_VALUE, C_IS_LEFT)

#define TYPE_AND_NAME(type, name)  , type name
#define ONLY_NAME(type, name)	   , name
#define LENGTH_PARAM(name)	   , size_t name##_length
#define LENGTH_ARG(name)	   , name##_length
#define F_PARAM(kind, name)	   F_##kind(TYPE_AND_NAME, NOTHING, name)
#define F_PARAM_LENGTH(kind, name) F_##kind(NOTHING, LENGTH_PARAM, name)
#define F_ARG(kind, name)	   F_##kind(ONLY_NAME, NOTHING, name)
#define F_ARG_LENGTH(kind, name)   F_##kind(NOTHING, LENGTH_ARG, name)
#define F_VALUE(name)		   *name
#define F_IS_LEFT(side)		   (((side) | 0x20) == 'l')
#define F_PARAMS(shape, t)	   WITHOUT_COMMA(PARAMS_##shape(F_PARAM) PARAMS_##shape(F_PARAM_LENGTH))
#define F_ARGS(shape)		   WITHOUT_COMMA(PARAMS_##shape(F_ARG) PARAMS_##shape(F_ARG_LENGTH))
#define F_DIMS(shape)		   DIMS_##shape(F_VALUE, F_IS_LEFT)

#define MATRIX(P, a)		   P(ARRAY, a) P(SIZE, ld##a)
#define VECTOR(P, x)		   P(ARRAY, x) P(SIZE, inc##x)
/* The order of the matrix A. */
#define SIDE_K(V, IS_LEFT)	   (IS_LEFT(V(side)) ? V(m) : V(n))

/* clang-format off */
/* Level 3 */
#define PRODUCT(P, scalar) \
	P(ORDER, order) P(FLAG, ta) P(FLAG, tb) P(SIZE, m) P(SIZE, n) P(SIZE, k) P(scalar, al) \
	MATRIX(P, a) MATRIX(P, b) P(scalar, be) MATRIX(P, c)
#define PARAMS_GEMM(P) PRODUCT(P, SCALAR)
#define DIMS_GEMM(V, IS_LEFT) V(ta), V(tb), V(m), V(n), V(k)

#define PARAMS_SYMM(P) \
	P(ORDER, order) P(FLAG, side) P(FLAG, uplo) P(SIZE, m) P(SIZE, n) P(SCALAR, al) \
	MATRIX(P, a) MATRIX(P, b) P(SCALAR, be) MATRIX(P, c)
#define DIMS_SYMM(V, IS_LEFT) 0, 0, V(m), V(n), SIDE_K(V, IS_LEFT)

#define RANK_K(P, scalar) \
	P(ORDER, order) P(FLAG, uplo) P(FLAG, ta) P(SIZE, n) P(SIZE, k) P(scalar, al) MATRIX(P, a) \
	P(scalar, be) MATRIX(P, c)
#define PARAMS_SYRK(P) RANK_K(P, SCALAR)
#define DIMS_SYRK(V, IS_LEFT) V(ta), 0, V(n), V(n), V(k)
#define PARAMS_HERK(P) RANK_K(P, REAL)
#define DIMS_HERK DIMS_SYRK

#define RANK_2K(P, beta) \
	P(ORDER, order) P(FLAG, uplo) P(FLAG, ta) P(SIZE, n) P(SIZE, k) P(SCALAR, al) MATRIX(P, a) \
	MATRIX(P, b) P(beta, be) MATRIX(P, c)
#define PARAMS_SYR2K(P) RANK_2K(P, SCALAR)
#define DIMS_SYR2K DIMS_SYRK
#define PARAMS_HER2K(P) RANK_2K(P, REAL)
#define DIMS_HER2K DIMS_SYRK

#define PARAMS_TRMM(P) \
	P(ORDER, order) P(FLAG, side) P(FLAG, uplo) P(FLAG, ta) P(FLAG, diag) P(SIZE, m) \
	P(SIZE, n) P(SCALAR, al) MATRIX(P, a) MATRIX(P, b)
#define DIMS_TRMM(V, IS_LEFT) V(ta), 0, V(m), V(n), SIDE_K(V, IS_LEFT)

/* Level 3, not in the reference BLAS */
#define PARAMS_GEMMT(P) \
	P(ORDER, order) P(FLAG, uplo) P(FLAG, ta) P(FLAG, tb) P(SIZE, n) P(SIZE, k) P(SCALAR, al) \
	MATRIX(P, a) MATRIX(P, b) P(SCALAR, be) MATRIX(P, c)
#define DIMS_GEMMT(V, IS_LEFT) V(ta), V(tb), V(n), V(n), V(k)

#define PARAMS_WGEMM(P) PRODUCT(P, FLOAT)
#define DIMS_WGEMM DIMS_GEMM

#define PARAMS_IGEMM(P) \
	P(ORDER, order) P(FLAG, ta) P(FLAG, tb) P(FLAG, offset) P(SIZE, m) P(SIZE, n) P(SIZE, k) \
	P(FLOAT, al) MATRIX(P, a) P(SHORT, ao) MATRIX(P, b) P(SHORT, bo) P(FLOAT, be) MATRIX(P, c) \
	P(ARRAY, co)
#define DIMS_IGEMM DIMS_GEMM

/* Level 2 */
#define PARAMS_GEMV(P) \
	P(ORDER, order) P(FLAG, ta) P(SIZE, m) P(SIZE, n) P(SCALAR, al) MATRIX(P, a) VECTOR(P, x) \
	P(SCALAR, be) VECTOR(P, y)
#define DIMS_GEMV(V, IS_LEFT) V(ta), 0, V(m), V(n), 0

#define PARAMS_GBMV(P) \
	P(ORDER, order) P(FLAG, ta) P(SIZE, m) P(SIZE, n) P(SIZE, kl) P(SIZE, ku) P(SCALAR, al) \
	MATRIX(P, a) VECTOR(P, x) P(SCALAR, be) VECTOR(P, y)
#define DIMS_GBMV(V, IS_LEFT) V(ta), 0, V(m), V(n), V(kl) + V(ku) + 1

#define PARAMS_SYMV(P) \
	P(ORDER, order) P(FLAG, uplo) P(SIZE, n) P(SCALAR, al) MATRIX(P, a) VECTOR(P, x) \
	P(SCALAR, be) VECTOR(P, y)
#define DIMS_SYMV(V, IS_LEFT) 0, 0, V(n), V(n), 0

#define PARAMS_SBMV(P) \
	P(ORDER, order) P(FLAG, uplo) P(SIZE, n) P(SIZE, k) P(SCALAR, al) MATRIX(P, a) \
	VECTOR(P, x) P(SCALAR, be) VECTOR(P, y)
#define DIMS_SBMV(V, IS_LEFT) 0, 0, V(n), V(n), V(k)

#define PARAMS_SPMV(P) \
	P(ORDER, order) P(FLAG, uplo) P(SIZE, n) P(SCALAR, al) P(ARRAY, a) VECTOR(P, x) \
	P(SCALAR, be) VECTOR(P, y)
#define DIMS_SPMV DIMS_SYMV

#define PARAMS_TRMV(P) \
	P(ORDER, order) P(FLAG, uplo) P(FLAG, ta) P(FLAG, diag) P(SIZE, n) MATRIX(P, a) \
	VECTOR(P, x)
#define DIMS_TRMV(V, IS_LEFT) V(ta), 0, V(n), V(n), 0

#define PARAMS_TBMV(P) \
	P(ORDER, order) P(FLAG, uplo) P(FLAG, ta) P(FLAG, diag) P(SIZE, n) P(SIZE, k) MATRIX(P, a) \
	VECTOR(P, x)
#define DIMS_TBMV(V, IS_LEFT) V(ta), 0, V(n), V(n), V(k)

#define PARAMS_TPMV(P) \
	P(ORDER, order) P(FLAG, uplo) P(FLAG, ta) P(FLAG, diag) P(SIZE, n) P(ARRAY, a) \
	VECTOR(P, x)
#define DIMS_TPMV DIMS_TRMV

#define PARAMS_GER(P) \
	P(ORDER, order) P(SIZE, m) P(SIZE, n) P(SCALAR, al) VECTOR(P, x) VECTOR(P, y) MATRIX(P, a)
#define DIMS_GER(V, IS_LEFT) 0, 0, V(m), V(n), 0

#define PARAMS_SYR(P) P(ORDER, order) P(FLAG, uplo) P(SIZE, n) P(REAL, al) VECTOR(P, x) MATRIX(P, a)
#define DIMS_SYR DIMS_SYMV

#define PARAMS_SPR(P) P(ORDER, order) P(FLAG, uplo) P(SIZE, n) P(REAL, al) VECTOR(P, x) P(ARRAY, a)
#define DIMS_SPR DIMS_SYMV

#define PARAMS_SYR2(P) \
	P(ORDER, order) P(FLAG, uplo) P(SIZE, n) P(SCALAR, al) VECTOR(P, x) VECTOR(P, y) \
	MATRIX(P, a)
#define DIMS_SYR2 DIMS_SYMV

#define PARAMS_SPR2(P) \
	P(ORDER, order) P(FLAG, uplo) P(SIZE, n) P(SCALAR, al) VECTOR(P, x) VECTOR(P, y) \
	P(ARRAY, a)
#define DIMS_SPR2 DIMS_SYMV

/* Level 1 */
#define PARAMS_ROTG(P) P(ARRAY, a) P(ARRAY, b) P(ARRAY, c) P(ARRAY, s)
#define DIMS_ROTG(V, IS_LEFT) 0, 0, 0, 1, 0
#define PARAMS_ROTMG(P) P(ARRAY, d1) P(ARRAY, d2) P(ARRAY, b1) P(REAL, b2) P(ARRAY, p)
#define DIMS_ROTMG DIMS_ROTG
#define PARAMS_ROT(P) P(SIZE, n) VECTOR(P, x) VECTOR(P, y) P(REAL, c) P(REAL, s)
#define DIMS_ROT(V, IS_LEFT) 0, 0, 0, V(n), 0
#define PARAMS_ROTM(P) P(SIZE, n) VECTOR(P, x) VECTOR(P, y) P(ARRAY, p)
#define DIMS_ROTM DIMS_ROT
#define PARAMS_COPY(P) P(SIZE, n) VECTOR(P, x) VECTOR(P, y)
#define DIMS_COPY DIMS_ROT
#define PARAMS_SCAL(P) P(SIZE, n) P(SCALAR, al) VECTOR(P, x)
#define DIMS_SCAL DIMS_ROT
#define PARAMS_RSCAL(P) P(SIZE, n) P(REAL, al) VECTOR(P, x)
#define DIMS_RSCAL DIMS_ROT
#define PARAMS_AXPY(P) P(SIZE, n) P(SCALAR, al) VECTOR(P, x) VECTOR(P, y)
#define DIMS_AXPY DIMS_ROT
#define PARAMS_DOTSUB(P) P(SIZE, n) VECTOR(P, x) VECTOR(P, y) P(ARRAY, result)
#define DIMS_DOTSUB DIMS_ROT
#define PARAMS_NRM2(P) P(SIZE, n) VECTOR(P, x)
#define DIMS_NRM2 DIMS_ROT
#define PARAMS_CABS1(P) P(ARRAY, z)
#define DIMS_CABS1 DIMS_ROTG
/* clang-format on */

/* Arguments of LAPACK routines: WORDS_n expands E(number) for each of n words. They are addresses,
 * followed by hidden string lengths. C callers omit these; then at most three words of the caller's
 * frame above its arguments are copied instead. */
#define WORDS_6(E)		   E(1), E(2), E(3), E(4), E(5), E(6)
#define WORDS_7(E)		   WORDS_6(E), E(7)
#define WORDS_8(E)		   WORDS_7(E), E(8)
#define WORDS_9(E)		   WORDS_8(E), E(9)
#define WORDS_10(E)		   WORDS_9(E), E(10)
#define WORDS_11(E)		   WORDS_10(E), E(11)
#define WORDS_12(E)		   WORDS_11(E), E(12)
#define WORDS_13(E)		   WORDS_12(E), E(13)
#define WORDS_14(E)		   WORDS_13(E), E(14)
#define WORDS_15(E)		   WORDS_14(E), E(15)
#define WORDS_16(E)		   WORDS_15(E), E(16)
#define WORDS_17(E)		   WORDS_16(E), E(17)
#define WORDS_24(E)		   WORDS_17(E), E(18), E(19), E(20), E(21), E(22), E(23), E(24)
#define WORDS_26(E)		   WORDS_24(E), E(25), E(26)
#define WORD(number)		   word##number
#define WORD_PARAM(number)	   size_t word##number

#endif
