/* calls_loop.c: the calls that calls.c times, all from one call site. */
/* SPDX-License-Identifier: MIT */

#include "sgemm.h"

void call_fortran(long times, long shapes)
{
	const float zero = 0, one = 1;
	const int size = 64;

	for (long i = 0; i < times; i++) {
		int m = (int)(i & (shapes - 1)) + 1;

		sgemm_("N", "N", &m, &size, &size, &one, NULL, &size, NULL, &size, &zero, NULL,
		       &size, 1, 1);
	}
}

void call_c(long times, long shapes)
{
	for (long i = 0; i < times; i++)
		cblas_sgemm(101, 111, 111, (int)(i & (shapes - 1)) + 1, 64, 64, 1, NULL, 64, NULL,
			    64, 0, NULL, 64);
}
