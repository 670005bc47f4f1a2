/* routine_ids.h: a number for each name of each routine: its door and its row in routines.def. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_ROUTINE_IDS_H
#define SHIM_ROUTINE_IDS_H

#include "blas/doors.h"

enum base_id {
#define ROUTINE(name, type, family, shape)    BASE_##name,
#define CBLAS_ONLY(name, type, family, shape) BASE_##name,
#include "blas/routines.def"
	ROUTINE_BASES
};

enum door_id {
#define ROW(door, prefix, suffix, cblas, bits) DOOR_##door,
	DOORS_ALL(ROW)
#undef ROW
		DOOR_COUNT
};

#define ROUTINE_ID(door, name) ((unsigned)DOOR_##door * ROUTINE_BASES + BASE_##name)
#define ROUTINE_COUNT	       ((unsigned)DOOR_COUNT * ROUTINE_BASES)

#endif
