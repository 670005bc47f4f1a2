/* routines.h: the table of routines of BLAS and LAPACK, and of oneDNN's primitives, that are
 * intercepted, with their names and operation counts. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_ROUTINES_H
#define SHIM_ROUTINES_H

#include <stddef.h>

#include "blas/variants.h"

/* What routines of one kind do. */
struct routine_family {
	const char *name;			 /* "gemm" */
	const char *purpose;			 /* "C = alpha op(A) op(B) + beta C" */
	int level;				 /* of BLAS: 1, 2, 3; LAPACK 0 */
	const char *multiplications, *additions; /* of one call, as in routines.def: "m * n * k" */
};

/* A routine, whatever name it is called by; rows come from routines.def. */
struct routine {
	const char *name; /* "sgemm" */
	const struct routine_family *family;
	char type; /* of its matrices' elements: s, d, c, z; b bfloat16, h half, i 8 and w 16 bits
		      whole, u not known */
	int cblas_only; /* 1: its Fortran names are not intercepted */
	enum way_id {
#define WAY(name, found, tells) WAY_##name,
#include "blas/routines.def"
		WAYS
	} way;
};
extern const struct routine routines[];
extern const size_t routines_count;

/* A way into matrix work. */
struct way {
	const char *name;  /* "blas" */
	const char *found; /* how */
	const char *tells; /* of each call */
};
extern const struct way ways[WAYS];

/* A way to spell routines' names, with the calling convention behind it. */
struct routine_variant {
	const char *pattern; /* "scipy_cblas_X64_", X standing for the routine's name */
	int cblas;	     /* 1: CBLAS calling convention, 0: Fortran */
	int bits;	     /* of the whole numbers that it takes */
};
extern const struct routine_variant routine_variants[];
extern const size_t routine_variants_count;

/* A number below routine_ids_count stands for one name: routine * routine_variants_count + variant,
 * which is 0 where the routine is oneDNN's and has one name. Some are not in use:
 * routine_exists() tells. The others take any number; those of no name count 0. */
extern const size_t routine_ids_count;
#define ROUTINE_NAME_MAX 48
int routine_exists(size_t id);
const struct routine *routine_of(size_t id);
const struct routine_variant *routine_variant_of(size_t id);
/* Writes the name, "cblas_sgemm", into `name` and returns it. */
const char *routine_name(size_t id, char name[ROUTINE_NAME_MAX]);
/* The number of a name; routine_ids_count where it is none of the table. Calls nothing. */
size_t routine_find(const char *name);
/* The number of the routine's common name of the same convention, "cblas_X" or "X_". */
size_t routine_common(size_t id);

/* Floating-point operations of one call. A negative dimension counts as 0, and so does a negative
 * result. Of a batch, one member's.
 */
double routine_flops(size_t id, double m, double n, double k);
/* The same as people write it: "n n, n (n-1)": multiplications and additions, or "each m n k"; "not
 * known". Fills text[] and returns it. */
#define ROUTINE_COUNTS_MAX 160
const char *routine_counts_text(size_t id, char text[ROUTINE_COUNTS_MAX]);
/* Bytes of matrices and vectors read plus written by one call, each element once. */
double routine_bytes(size_t id, double m, double n, double k);
/* The letter for a transpose argument as it was passed: N, T, C, R, or '-' where there is none. */
char routine_transpose(size_t id, unsigned char passed);

/* A number for each name of each routine: its variant and its row in routines.def. */
enum base_id {
#define ROUTINE(name, type, family, shape)    BASE_##name,
#define CBLAS_ONLY(name, type, family, shape) BASE_##name,
#define LAPACK(name, type, family, words)     BASE_##name,
#define ONEDNN(name, type, family)	      BASE_onednn_##name##_##type,
#include "blas/routines.def"
	ROUTINE_BASES
};

enum variant_id {
#define ROW(variant, prefix, suffix, cblas, bits) VARIANT_##variant,
	VARIANTS_ALL(ROW)
#undef ROW
		VARIANT_COUNT
};

#define ROUTINE_ID(variant, name) ((unsigned)BASE_##name * VARIANT_COUNT + VARIANT_##variant)
#define ROUTINE_COUNT		  ((unsigned)VARIANT_COUNT * ROUTINE_BASES)

#endif
