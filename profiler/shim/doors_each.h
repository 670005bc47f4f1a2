/* doors_each.h: the small wrappers of one integer width: exported ones, and those that dlsym() is
 * answered with. */
/* SPDX-License-Identifier: MIT
 *
 * Included once for each width, with BLAS_INT, DOORS_CBLAS and DOORS_FORTRAN (lists of doors.h) and
 * BOUND_FINDER, the name of the function that finds a bound wrapper.
 */
#include "shim/door.h"
#include "shim/dlsym.h"
#include "blas/routine_ids.h"

#define EXPORT_C(door, prefix, suffix, name, type, shape, OF)                                      \
	OF(C, "default", prefix##name##suffix, ROUTINE_ID(door, name), DOOR_ENTER, type, shape)
#define EXPORT_F(door, prefix, suffix, name, type, shape, OF)                                      \
	OF(F, "default", prefix##name##suffix, ROUTINE_ID(door, name), DOOR_ENTER, type, shape)
#define ROUTINE(name, type, family, shape)                                                         \
	DOORS_CBLAS(EXPORT_C, name, type, shape, DOOR_OF)                                          \
	DOORS_FORTRAN(EXPORT_F, name, type, shape, DOOR_OF)
#define CBLAS_ONLY(name, type, family, shape) DOORS_CBLAS(EXPORT_C, name, type, shape, DOOR_OF)
#define BATCH(name, type, family, shape)                                                           \
	DOORS_CBLAS(EXPORT_C, name, type, shape, BATCH_OF)                                         \
	DOORS_FORTRAN(EXPORT_F, name, type, shape, BATCH_OF)
#include "blas/routines.def"

/* Two sets for dlsym(), by convention. The id is the slot's in the end. */
static struct bound bound_slots[2][ROUTINE_BASES][BOUND_SETS];

#define BOUND(X, cblas, set, name, type, shape, OF)                                                \
	OF(X, "hidden", BOUND_SYMBOL(X, set, name), ROUTINE_ID(CBLAS, name),                       \
	   BOUND_ENTER(&bound_slots[cblas][BASE_##name][set]), type, shape)
#define BOUND_BOTH(X, cblas, name, type, shape, OF)                                                \
	BOUND(X, cblas, 0, name, type, shape, OF) BOUND(X, cblas, 1, name, type, shape, OF)
#define ROUTINE(name, type, family, shape)                                                         \
	BOUND_BOTH(C, 1, name, type, shape, DOOR_OF) BOUND_BOTH(F, 0, name, type, shape, DOOR_OF)
#define CBLAS_ONLY(name, type, family, shape) BOUND_BOTH(C, 1, name, type, shape, DOOR_OF)
#define BATCH(name, type, family, shape)                                                           \
	BOUND_BOTH(C, 1, name, type, shape, BATCH_OF) BOUND_BOTH(F, 0, name, type, shape, BATCH_OF)
#include "blas/routines.def"

/* A switch needs no relocations at start, a table of pointers would. */
static void *bound_wrapper(int cblas, size_t base, int set)
{
	switch ((base * BOUND_SETS + (size_t)set) * 2 + (size_t)cblas) {
#define CASE(X, cblas, set, name)                                                                  \
	case ((size_t)BASE_##name * BOUND_SETS + set) * 2 + cblas:                                 \
		return (void *)BOUND_SYMBOL(X, set, name);
#define CASES_C(name)			      CASE(C, 1, 0, name) CASE(C, 1, 1, name)
#define ROUTINE(name, type, family, shape)    CASES_C(name) CASE(F, 0, 0, name) CASE(F, 0, 1, name)
#define CBLAS_ONLY(name, type, family, shape) CASES_C(name)
#include "blas/routines.def"
	}
	return NULL;
}

struct bound *BOUND_FINDER(unsigned id, int set, void **wrapper)
{
	int cblas = routine_door_of(id)->cblas;

	*wrapper = bound_wrapper(cblas, id % ROUTINE_BASES, set);
	return &bound_slots[cblas][id % ROUTINE_BASES][set];
}
