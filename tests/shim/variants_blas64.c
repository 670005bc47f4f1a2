/* variants_blas64.c: the part of the stand-in BLAS with 64-bit integers. */
/* SPDX-License-Identifier: MIT */
#define WIDTH 64
#include "variants_blas.h"

/* The queries of OpenBLAS in NumPy's wheels. */
const char *scipy_openblas_get_config64_(void);
int scipy_openblas_get_num_threads64_(void);
int scipy_openblas_get_parallel64_(void);

const char *scipy_openblas_get_config64_(void)
{
	return "OpenBLAS 7.6.5 USE64BITINT";
}

int scipy_openblas_get_num_threads64_(void)
{
	return 3;
}

int scipy_openblas_get_parallel64_(void)
{
	return 1;
}
