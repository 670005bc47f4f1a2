/* tiny_blas.c: a BLAS with one routine that executes a known number of instructions, two in each
 * round. */
/* SPDX-License-Identifier: MIT */
#include "tiny_blas.h"

void cblas_sscal(int n, float alpha, float *x, int stride)
{
	(void)alpha;
	(void)x;
	(void)stride;
	execute_rounds((uint64_t)n);
}
