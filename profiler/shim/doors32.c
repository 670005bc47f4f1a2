/* doors32.c: the small wrappers of names with 32-bit whole numbers. */
/* SPDX-License-Identifier: MIT */
#define BLAS_INT		   int
#define DOORS_CBLAS		   DOORS_CBLAS_32
#define DOORS_FORTRAN		   DOORS_FORTRAN_32
#define BOUND_FINDER		   bound_find_32
#define BOUND_SYMBOL(X, set, name) bound32_##X##_##set##_##name
#include "shim/doors_each.h"

/* What plain.c's entries jump to. */
#define ROUTINE(name, type, family, shape)                                                         \
	DOOR_OF(F, "hidden", plain_wrapper_##name, ROUTINE_ID(PLAIN, name), DOOR_ENTER, type, shape)
#define BATCH(name, type, family, shape)                                                           \
	BATCH_OF(F, "hidden", plain_wrapper_##name, ROUTINE_ID(PLAIN, name), DOOR_ENTER, type,     \
		 shape)
#include "blas/routines.def"

void *plain_wrapper(size_t base)
{
	switch (base) {
#define ROUTINE(name, type, family, shape)                                                         \
	case BASE_##name:                                                                          \
		return (void *)plain_wrapper_##name;
#include "blas/routines.def"
	}
	return NULL;
}
