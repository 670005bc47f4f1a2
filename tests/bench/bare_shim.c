/* bare_shim.c: the minimum for a preload library that measures times: two clock readings and a
 * thread-local sum. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/clock.h"

#define C_PARAMS                                                                                   \
	int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,        \
		int lda, const void *b, int ldb, float beta, void *c, int ldc
#define FORTRAN_PARAMS                                                                             \
	const char *transa, const char *transb, const int *m, const int *n, const int *k,          \
		const float *alpha, const float *a, const int *lda, const float *b,                \
		const int *ldb, const float *beta, float *c, const int *ldc, size_t transa_length, \
		size_t transb_length

void cblas_sgemm(C_PARAMS);
void sgemm_(FORTRAN_PARAMS);

static void (*real)(C_PARAMS);
static void (*real_fortran)(FORTRAN_PARAMS);
static __thread uint64_t sum __attribute__((tls_model("initial-exec")));

/* RTLD_NEXT does not find the BLAS of a plugin, which is loaded later. */
static void *find(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	return found ? found : dlsym(dlopen(NOOP_BLAS, RTLD_NOW | RTLD_NOLOAD), name);
}

void cblas_sgemm(C_PARAMS)
{
	uint64_t begun;

	if (!real)
		real = (void (*)(C_PARAMS))find("cblas_sgemm");
	begun = clock_counter();
	real(order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
	sum += clock_counter() - begun;
}

void sgemm_(FORTRAN_PARAMS)
{
	uint64_t begun;

	if (!real_fortran)
		real_fortran = (void (*)(FORTRAN_PARAMS))find("sgemm_");
	begun = clock_counter();
	real_fortran(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, transa_length,
		     transb_length);
	sum += clock_counter() - begun;
}
