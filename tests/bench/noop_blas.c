/* noop_blas.c: a cblas_sgemm and an sgemm_ that do nothing, so that only the cost of the call is
 * left. */
/* SPDX-License-Identifier: MIT */
#include "sgemm.h"

void cblas_sgemm(C_PARAMS)
{
	__asm__ volatile("");
}

void sgemm_(FORTRAN_PARAMS)
{
	__asm__ volatile("");
}
