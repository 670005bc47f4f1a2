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
#define WRAP_AS(X, name, type, shape)                                                              \
	WRAP(WRAPPER_NAME(X, WIDTH, name), X##_##shape##_RET(type), (X##_##shape##_PARAMS(type)),  \
	     (X##_##shape##_ARGS), (X##_##shape##_DIMS))

/* A batch of products: the work of all but the first is added when the call ends. */
struct batch_call {
	const void *frame;
	struct batch_total total;
};

static inline __attribute__((always_inline)) void batch_end(const struct batch_call *batch)
{
	call_leave_more(batch->frame, batch->total.flops, batch->total.bytes, UNIT_UNKNOWN);
}

#define WRAP_BATCH(symbol, ret, params, args, dims, all)                                           \
	ENTER(symbol)                                                                              \
	WRAPPER ret symbol(HANDED_PARAM IN_PARENTHESES params);                                    \
	WRAPPER ret symbol(HANDED_PARAM IN_PARENTHESES params)                                     \
	{                                                                                          \
		WHEN_UNWOUND;                                                                      \
		HANDED                                                                             \
		struct batch_call batch                                                            \
			__attribute__((unused, cleanup(batch_end))) = {.frame = frame};            \
		struct float_guard floats;                                                         \
                                                                                                   \
		float_guard_begin(&floats);                                                        \
		batch.total = all(entry->id);                                                      \
		float_guard_end(&floats);                                                          \
		ret(*real) params = CALL_BEGIN_OF dims;                                            \
                                                                                                   \
		return real args;                                                                  \
	}
#define WRAP_BATCH_AS(X, name, type, shape)                                                        \
	WRAP_BATCH(WRAPPER_NAME(X, WIDTH, name), X##_##shape##_RET(type),                          \
		   (X##_##shape##_PARAMS(type)), (X##_##shape##_ARGS), (X##_##shape##_DIMS),       \
		   X##_##shape##_TOTAL)

#define ROUTINE(name, type, family, shape)                                                         \
	WRAP_AS(C, name, type, shape) WRAP_AS(F, name, type, shape)
#define CBLAS_ONLY(name, type, family, shape) WRAP_AS(C, name, type, shape)
#define BATCH(name, type, family, shape)                                                           \
	WRAP_BATCH_AS(C, name, type, shape) WRAP_BATCH_AS(F, name, type, shape)
#include "blas/routines.def"
