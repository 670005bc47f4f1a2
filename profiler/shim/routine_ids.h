/* routine_ids.h: a number for each row of the routine table, in the order of routines[]. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_ROUTINE_IDS_H
#define SHIM_ROUTINE_IDS_H

enum routine_id {
#define ROUTINE(name, type, family, shape)    ROUTINE_cblas_##name,
#define CBLAS_ONLY(name, type, family, shape) ROUTINE_cblas_##name,
#include "shim/routines.def"
#define ROUTINE(name, type, family, shape) ROUTINE_##name##_,
#include "shim/routines.def"
	ROUTINE_COUNT
};

#endif
