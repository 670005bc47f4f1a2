/* batch.h: computes flops and bytes of a batch from its groups or its number of members. */
/* SPDX-License-Identifier: MIT
 *
 * Integers are as wide as in shapes.h. An array of dimensions may be NULL: they are 0 then.
 * Negative counts are treated as 0; the library itself rejects such a call.
 */
#ifndef BLAS_BATCH_H
#define BLAS_BATCH_H

#include "blas/batch_shapes.h"
#include "blas/routines.h"

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

static __attribute__((unused, noinline)) struct batch_total
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

static __attribute__((unused, noinline)) struct batch_total
batch_groups(unsigned id, blas_int groups, fint sizes, fint m, fint n, fint k)
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
static __attribute__((unused, noinline)) struct batch_total
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

#endif
