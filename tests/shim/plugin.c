/* plugin.c: a library that calls a BLAS which it is linked to. */
/* SPDX-License-Identifier: MIT */
#include <stddef.h>

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc);
void plugin_call(int calls);

void plugin_call(int calls)
{
	for (int i = 0; i < calls; i++)
		cblas_sgemm(101, 111, 111, 1, 1, 1, 1, NULL, 1, NULL, 1, 0, NULL, 1);
}
