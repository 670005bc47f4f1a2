/* routine_ids.h: a number for each name of each routine: its variant and its row in routines.def.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_ROUTINE_IDS_H
#define SHIM_ROUTINE_IDS_H

#include "blas/variants.h"

enum base_id {
#define ROUTINE(name, type, family, shape)    BASE_##name,
#define CBLAS_ONLY(name, type, family, shape) BASE_##name,
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
