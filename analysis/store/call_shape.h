/* call_shape.h: what makes two BLAS calls alike: the routine and its arguments. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_CALL_SHAPE_H
#define STORE_CALL_SHAPE_H

#include <stdint.h>
#include <string.h>

enum { CALL_ROUTINE_MAX = 32, CALL_VARIANT_MAX = 24, CALL_WAY_MAX = 16, REGION_NAME_MAX = 32 };

/* Shapes are compared by the keys of the tables that have them (table_compare). Routines without a
 * given argument have '-' for a transpose and 0 for a dimension. */
struct call_shape {
	char routine[CALL_ROUTINE_MAX]; /* "cblas_sgemm", "dgemm_" */
	char variant[CALL_VARIANT_MAX]; /* the names it was called by, X for the routine:
					   "scipy_cblas_X64_"; "" for cblas_X and X_ */
	char type; /* of its elements: s, d, c, z, or b, h, i, w (blas/routines.h); 0 not known */
	char way[CALL_WAY_MAX]; /* of routines.def: "onednn"; "" in older stores: blas */
	char transa, transb;
	int64_t m, n, k;
	char region[REGION_NAME_MAX]; /* the program's marked region, or "" */
	int other_shapes; /* 1: gathers the calls that did not fit the thread's table; m, n, k = 0
			   */
};

/* 0: flops and bytes of such calls are not known. */
static inline int call_shape_has_flops(const struct call_shape *shape)
{
	return shape->type != 'u' && strcmp(shape->way, "lapack") != 0;
}

#endif
