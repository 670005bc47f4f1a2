/* wrapped.c: wrappers of cblas_sgemm and malloc that count the calls. */
/* SPDX-License-Identifier: MIT */
#include <stdatomic.h>
#include <stdlib.h>

#include <cblas.h>

#include "wrapped.h"

int wrapped_vocabulary;
static atomic_int sgemm, sgemm_of_head, allocations;

__typeof__(cblas_sgemm) __real_cblas_sgemm, __wrap_cblas_sgemm;
__typeof__(malloc) __real_malloc, __wrap_malloc;
__typeof__(calloc) __real_calloc, __wrap_calloc;
__typeof__(realloc) __real_realloc, __wrap_realloc;
__typeof__(aligned_alloc) __real_aligned_alloc, __wrap_aligned_alloc;

void __wrap_cblas_sgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transa,
			enum CBLAS_TRANSPOSE transb, int m, int n, int k, float alpha,
			const float *a, int lda, const float *b, int ldb, float beta, float *c,
			int ldc)
{
	const int v = wrapped_vocabulary;

	atomic_fetch_add(&sgemm, 1);
	if (m == v || n == v || k == v)
		atomic_fetch_add(&sgemm_of_head, 1);
	__real_cblas_sgemm(order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void *__wrap_malloc(size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_aligned_alloc(alignment, size);
}

struct wrapped_counts wrapped_now(void)
{
	return (struct wrapped_counts){
		.sgemm = atomic_load(&sgemm),
		.sgemm_of_head = atomic_load(&sgemm_of_head),
		.allocations = atomic_load(&allocations),
	};
}
