/* callers_library.c: a library that calls BLAS. */
/* SPDX-License-Identifier: MIT */
#include "callers.h"

void library_call(int times, const float *a, const float *b, float *c)
{
	for (int i = 0; i < times; i++)
		cblas_sgemm(101, 111, 111, 8, 8, 8, 1, a, 8, b, 8, 0, c, 8);
}
