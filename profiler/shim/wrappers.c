/* wrappers.c: one exported wrapper for each name in the routine table. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"
#include "shim/routine_ids.h"
#include "shim/shapes.h"
#include "shim/wrap.h"

#define ROUTINE(name, type, family, shape)                                                         \
	WRAP(cblas_##name, ROUTINE_cblas_##name, C_##shape##_RET(type), (C_##shape##_PARAMS(type)), \
	     (C_##shape##_ARGS), C_##shape##_DIMS)
#define CBLAS_ONLY(name, type, family, shape) ROUTINE(name, type, family, shape)
#include "shim/routines.def"

#define ROUTINE(name, type, family, shape)                                                         \
	WRAP(name##_, ROUTINE_##name##_, F_##shape##_RET(type), (F_##shape##_PARAMS(type)),        \
	     (F_##shape##_ARGS), F_##shape##_DIMS)
#include "shim/routines.def"
