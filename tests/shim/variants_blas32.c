/* variants_blas32.c: the part of the stand-in BLAS with 32-bit integers. */
/* SPDX-License-Identifier: MIT */
#define WIDTH 32
#include "variants_blas.h"

uint64_t variants_seen;

#ifndef ONE_VARIANT
/* This function identifies MKL, whose names without an underscore are Fortran's. */
int mkl_get_max_threads(void);

int mkl_get_max_threads(void)
{
	return 1;
}
#endif
