/* bare_shim.c: the minimum for a preload library that measures times: two clock readings and a
 * thread-local sum. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdint.h>

#include "wire/clock.h"

#define PARAMS                                                                                     \
	int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,        \
		int lda, const void *b, int ldb, float beta, void *c, int ldc

void cblas_sgemm(PARAMS);

static void (*real)(PARAMS);
static __thread uint64_t sum __attribute__((tls_model("initial-exec")));

static __attribute__((constructor)) void find_real(void)
{
	real = (void (*)(PARAMS))dlsym(RTLD_NEXT, "cblas_sgemm");
}

void cblas_sgemm(PARAMS)
{
	uint64_t begun = clock_counter();

	real(order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
	sum += clock_counter() - begun;
}
