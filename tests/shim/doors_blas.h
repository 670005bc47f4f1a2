/* doors_blas.h: a stand-in BLAS with all names of one width: each leaves a digest of its arguments
 * and returns a known number. */
/* SPDX-License-Identifier: MIT */
#include "digest.h"
#include "doors_width.h"
#include "blas/batch_shapes.h"

#define DEFINE(symbol, ret, params, args)                                                          \
	ret symbol params;                                                                         \
	ret symbol params                                                                          \
	{                                                                                          \
		DIGEST(#symbol, args)                                                              \
		doors_seen = d;                                                                    \
		return (ret)DOORS_RESULT;                                                          \
	}
#define DEFINE_C(door, prefix, suffix, name, type, shape)                                          \
	DEFINE(prefix##name##suffix, C_##shape##_RET(type), (C_##shape##_PARAMS(type)),            \
	       (C_##shape##_ARGS))
#define DEFINE_F(door, prefix, suffix, name, type, shape)                                          \
	DEFINE(prefix##name##suffix, F_##shape##_RET(type), (F_##shape##_PARAMS(type)),            \
	       (F_##shape##_ARGS))

#define ROUTINE(name, type, family, shape)                                                         \
	DOORS_C(DEFINE_C, name, type, shape) DOORS_F(DEFINE_F, name, type, shape)
#define CBLAS_ONLY(name, type, family, shape) DOORS_C(DEFINE_C, name, type, shape)
#include "blas/routines.def"
