/* bare_shim.c: the minimum for a preload library that measures times: two clock readings and a
 * thread-local sum. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdint.h>

#include "sgemm.h"
#include "wire/clock.h"

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
