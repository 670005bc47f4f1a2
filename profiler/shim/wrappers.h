/* wrappers.h: the wrappers of all routines, for one width of integers. */
/* SPDX-License-Identifier: MIT
 *
 * Included once for each width, with BLAS_INT set. Integers that are passed by value are forwarded
 * at full width whatever the name is, since ILP64 libraries also use the plain names.
 */
#define BLAS_VALUE int64_t
#include "shim/call.h"
#include "blas/batch_shapes.h"

/* Flops and bytes of a batch. An array of dimensions may be NULL: they are 0 then. Negative counts
 * are treated as 0; the library itself rejects such a call. */

/* Sums over all members but the first, which the row of the shape counts. */
struct batch_total {
	double flops, bytes;
};

static void batch_add(struct batch_total *total, unsigned id, double members, double m, double n,
		      double k)
{
	total->flops += members * routine_flops(id, m, n, k);
	total->bytes += members * routine_bytes(id, m, n, k);
}

static __attribute__((noinline)) struct batch_total
batch_members(unsigned id, blas_int members, blas_int m, blas_int n, blas_int k)
{
	struct batch_total total = {0, 0};

	batch_add(&total, id, members > 0 ? (double)members - 1 : -1, (double)m, (double)n,
		  (double)k);
	return total;
}

static double batch_at(fint values, blas_int at)
{
	return values ? (double)values[at] : 0;
}

static __attribute__((noinline)) struct batch_total batch_groups(unsigned id, blas_int groups,
								 fint sizes, fint m, fint n, fint k)
{
	struct batch_total total = {0, 0};

	for (blas_int i = 0; i < groups; i++)
		batch_add(&total, id, sizes[i] > 0 ? (double)sizes[i] : 0, batch_at(m, i),
			  batch_at(n, i), batch_at(k, i));
	if (groups > 0)
		batch_add(&total, id, -1, batch_at(m, 0), batch_at(n, 0), batch_at(k, 0));
	return total;
}

/* For routines with a side, given by CBLAS's numbers or Fortran's letters (the other is NULL). k is
 * the order of A. */
static __attribute__((noinline)) struct batch_total
batch_sides(unsigned id, blas_int groups, fint sizes, fint m, fint n, enums number, chr letter)
{
	struct batch_total total = {0, 0};

	for (blas_int i = 0; i < groups; i++) {
		int left = number ? number[i] == 141 : (letter[i] | 0x20) == 'l';
		double order = (double)(left ? m[i] : n[i]), members = sizes[i] > 0 ? sizes[i] : 0;

		batch_add(&total, id, i ? members : members - 1, (double)m[i], (double)n[i], order);
	}
	return total;
}

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
