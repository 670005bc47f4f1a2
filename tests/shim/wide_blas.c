/* wide_blas.c: a BLAS with 64-bit integers under the plain names, like Debian's libblas64. */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>

double cblas_ddot(int64_t n, const double *x, int64_t incx, const double *y, int64_t incy);
double ddot_(const int64_t *n, const double *x, const int64_t *incx, const double *y,
	     const int64_t *incy);
void cblas_dgemm(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, double alpha,
		 const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c,
		 int64_t ldc);

/* The result depends on all arguments. */
double cblas_ddot(int64_t n, const double *x, int64_t incx, const double *y, int64_t incy)
{
	return (double)n + *x + *y + 0.25 * (double)incx + 0.125 * (double)incy;
}

double ddot_(const int64_t *n, const double *x, const int64_t *incx, const double *y,
	     const int64_t *incy)
{
	return cblas_ddot(*n, x, *incx, y, *incy);
}

void cblas_dgemm(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, double alpha,
		 const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c,
		 int64_t ldc)
{
	*c = order + ta + tb + alpha * *a + beta * *b + (double)m + 2 * (double)n + 4 * (double)k +
	     8 * (double)lda + 16 * (double)ldb + 32 * (double)ldc;
}
