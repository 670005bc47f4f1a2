/* routines.h: the table of the routines of BLAS and LAPACK and the primitives of oneDNN that are
 * intercepted, with their names and operation counts. */
/* SPDX-License-Identifier: MIT */
#ifndef BLAS_ROUTINES_H
#define BLAS_ROUTINES_H

#include <stddef.h>

#include "blas/variants.h"

/* Routines that do the same for different types. */
struct routine_family {
	const char *name;			 /* "gemm" */
	const char *purpose;			 /* "C = alpha op(A) op(B) + beta C" */
	int level;				 /* of BLAS: 1, 2, 3; LAPACK: 0 */
	const char *multiplications, *additions; /* per call, as in routines.def: "m * n * k" */
};

/* A routine, under all its names; the rows come from routines.def. */
struct routine {
	const char *name; /* "sgemm" */
	const struct routine_family *family;
	char type; /* of its elements: s, d, c, z; b: bfloat16, h: half precision, i: 8-bit and w:
		      16-bit integers, u: not known */
	int cblas_only; /* 1: its Fortran names are not intercepted */
	enum way_id {
#define WAY(name, found, tells) WAY_##name,
#include "blas/routines.def"
		WAYS
	} way;
};
extern const struct routine routines[];

/* How matrix work is intercepted. */
struct way {
	const char *name;  /* "blas" */
	const char *found; /* how calls are found */
	const char *tells; /* what is known of each call */
};
extern const struct way ways[WAYS];

/* A pattern of names, and its calling convention. */
struct routine_variant {
	const char *pattern; /* "scipy_cblas_X64_"; X stands for the routine's name */
	int cblas;	     /* 1: CBLAS calling convention, 0: Fortran */
	int bits;	     /* width of its integers */
};
extern const struct routine_variant routine_variants[];

/* Rows of routines[]. */
enum base_id {
#define ROUTINE(name, type, family, shape)    BASE_##name,
#define CBLAS_ONLY(name, type, family, shape) BASE_##name,
#define LAPACK(name, type, family, words)     BASE_##name,
#define ONEDNN(name, type, family)	      BASE_onednn_##name##_##type,
#include "blas/routines.def"
	ROUTINE_BASES
};

/* Rows of routine_variants[]. */
enum variant_id {
#define ROW(variant, prefix, suffix, cblas, bits) VARIANT_##variant,
	VARIANTS_ALL(ROW)
#undef ROW
		VARIANT_COUNT
};

/* The id of a name is base_id * VARIANT_COUNT + variant_id, less than ROUTINE_COUNT. The variant of
 * oneDNN's primitives is 0. Not all ids have a name: see routine_exists(). The other functions take
 * any id; without a name, counts are 0. */
#define ROUTINE_COUNT	 ((unsigned)VARIANT_COUNT * ROUTINE_BASES)
#define ROUTINE_NAME_MAX 48
int routine_exists(size_t id);
const struct routine *routine_of(size_t id);
const struct routine_variant *routine_variant_of(size_t id);
/* Writes the name, like "cblas_sgemm", to `name` and returns it. */
const char *routine_name(size_t id, char name[ROUTINE_NAME_MAX]);
/* Returns the id of a name, or ROUTINE_COUNT if it is not in the table. Calls no functions of
 * other libraries. */
size_t routine_find(const char *name);
/* Returns the id of the routine's common name with the same convention, "cblas_X" or "X_". */
size_t routine_common(size_t id);

/* Returns the floating-point operations of one call; for a batch, of one member. Negative
 * dimensions and results count as 0. */
double routine_flops(size_t id, double m, double n, double k);
/* Writes the formulas of multiplications and additions: "n n, n (n-1)", or "each m n k" if they are
 * the same, or "not known". Returns text[]. */
#define ROUTINE_COUNTS_MAX 160
const char *routine_counts_text(size_t id, char text[ROUTINE_COUNTS_MAX]);
/* Returns the bytes of matrices and vectors that a call reads plus those that it writes, each
 * element once. */
double routine_bytes(size_t id, double m, double n, double k);
/* Returns the letter of a transpose argument as it was passed: N, T, C, R; '-' if there is none. */
char routine_transpose(size_t id, unsigned char passed);

#endif
