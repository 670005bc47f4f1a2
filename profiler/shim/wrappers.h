/* wrappers.h: the wrappers of all routines, for one width of integers. */
/* SPDX-License-Identifier: MIT
 *
 * Included once for each width, with BLAS_INT set. Integers that are passed by value are forwarded
 * at full width whatever the name is, since ILP64 libraries also use the plain names.
 */
#define BLAS_VALUE int64_t
#include "shim/call.h"
#include "blas/batch.h"

/* wrapper_C32_sgemm */
#define NAME_OF(X, bits, name)	    wrapper_##X##bits##_##name
#define WRAPPER_NAME(X, bits, name) NAME_OF(X, bits, name)
#define WRAP_AS(X, name, type, shape, result)                                                      \
	WRAP(WRAPPER_NAME(X, WIDTH, name), result, (X##_PARAMS(shape, type)), (X##_ARGS(shape)),   \
	     (X##_DIMS(shape)))

/* A batch of products: the work of all but the first is added when the call ends. */
struct batch_call {
	const void *frame;
	struct batch_total total;
};

static inline __attribute__((always_inline)) void batch_end(const struct batch_call *batch)
{
	call_leave_more(batch->frame, batch->total.flops, batch->total.bytes, UNIT_UNKNOWN);
}

#define BATCH_BEGIN(all)                                                                           \
	struct batch_call batch __attribute__((unused, cleanup(batch_end))) = {.frame = frame};    \
	struct float_guard floats;                                                                 \
                                                                                                   \
	float_guard_begin(&floats);                                                                \
	batch.total = all;                                                                         \
	float_guard_end(&floats)
#define WRAP_BATCH_AS(X, name, type, shape)                                                        \
	WRAP_WITH(WRAPPER_NAME(X, WIDTH, name), void, (X##_PARAMS(shape, type)),                   \
		  (X##_ARGS(shape)), (X##_DIMS(shape)), BATCH_BEGIN(X##_TOTAL(shape, entry->id)))

#define FUNCTION(name, type, family, shape, result)                                                \
	WRAP_AS(C, name, type, shape, result) WRAP_AS(F, name, type, shape, result)
#define ROUTINE(name, type, family, shape)    FUNCTION(name, type, family, shape, void)
#define CBLAS_ONLY(name, type, family, shape) WRAP_AS(C, name, type, shape, void)
#define BATCH(name, type, family, shape)                                                           \
	WRAP_BATCH_AS(C, name, type, shape) WRAP_BATCH_AS(F, name, type, shape)
#include "blas/routines.def"
