/* wrappers.c: the exported wrappers of the common names, cblas_X and X_. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"
#include "shim/door.h"
#include "blas/routine_ids.h"
#include "blas/shapes.h"
#include "shim/wrap.h"

#define WRAP_CBLAS(door, prefix, suffix, name, type, shape)                                        \
	WRAP(prefix##name##suffix, ROUTINE_ID(door, name), C_##shape##_RET(type),                  \
	     (C_##shape##_PARAMS(type)), (C_##shape##_ARGS), C_##shape##_DIMS)
#define WRAP_FORTRAN(door, prefix, suffix, name, type, shape)                                      \
	WRAP(prefix##name##suffix, ROUTINE_ID(door, name), F_##shape##_RET(type),                  \
	     (F_##shape##_PARAMS(type)), (F_##shape##_ARGS), F_##shape##_DIMS)
#define BATCH_CBLAS(door, prefix, suffix, name, type, shape)                                       \
	BATCH_OF(C, "default", prefix##name##suffix, ROUTINE_ID(door, name), DOOR_ENTER, type,     \
		 shape)
#define BATCH_FORTRAN(door, prefix, suffix, name, type, shape)                                     \
	BATCH_OF(F, "default", prefix##name##suffix, ROUTINE_ID(door, name), DOOR_ENTER, type,     \
		 shape)

#define ROUTINE(name, type, family, shape)                                                         \
	DOOR_CBLAS_COMMON(WRAP_CBLAS, name, type, shape)                                           \
	DOOR_FORTRAN_COMMON(WRAP_FORTRAN, name, type, shape)
#define CBLAS_ONLY(name, type, family, shape) DOOR_CBLAS_COMMON(WRAP_CBLAS, name, type, shape)
#define BATCH(name, type, family, shape)                                                           \
	DOOR_CBLAS_COMMON(BATCH_CBLAS, name, type, shape)                                          \
	DOOR_FORTRAN_COMMON(BATCH_FORTRAN, name, type, shape)
#include "blas/routines.def"
