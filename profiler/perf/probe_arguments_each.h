/* probe_arguments_each.h: readers of the dimensions of CBLAS calls, for one integer width. */
/* SPDX-License-Identifier: MIT
 *
 * Included once for each width, with BLAS_INT and READER_FINDER, the name of the function that
 * finds a reader. A reader has the routine's own signature: the compiler knows where each argument
 * is.
 */
#include "perf/probe_arguments.h"
#include "blas/routine_ids.h"
#include "blas/shapes.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define READER(name, type, shape)                                                                  \
	static void read_##name(C_##shape##_PARAMS(type))                                          \
	{                                                                                          \
		const int64_t dimensions[] = {C_##shape##_DIMS};                                   \
                                                                                                   \
		probe_arguments_keep(dimensions);                                                  \
	}
#define ROUTINE(name, type, family, shape)    READER(name, type, shape)
#define CBLAS_ONLY(name, type, family, shape) READER(name, type, shape)
#define BATCH(name, type, family, shape)
#include "blas/routines.def"

probe_reader READER_FINDER(size_t base)
{
	switch (base) {
#define FOUND(name)                                                                                \
	case BASE_##name:                                                                          \
		return (probe_reader)read_##name;
#define ROUTINE(name, type, family, shape)    FOUND(name)
#define CBLAS_ONLY(name, type, family, shape) FOUND(name)
#define BATCH(name, type, family, shape)
#include "blas/routines.def"
	}
	return NULL;
}
