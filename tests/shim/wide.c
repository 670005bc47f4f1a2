/* wide.c: calls a BLAS with 64-bit integers by its plain names, and prints the results. */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>

double cblas_ddot(int64_t n, const double *x, int64_t incx, const double *y, int64_t incy);
double ddot_(const int64_t *n, const double *x, const int64_t *incx, const double *y,
	     const int64_t *incy);
void cblas_dgemm(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, double alpha,
		 const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c,
		 int64_t ldc);

int main(void)
{
	const int64_t many = (INT64_C(1) << 32) + 3, back = -1, much = -(INT64_C(1) << 33) + 1;
	double x = 1, y = 2, c = 0;

	printf("%.3f %.3f\n", cblas_ddot(many, &x, back, &y, much),
	       cblas_ddot(back, &x, many, &y, 1));
	printf("%.3f\n", ddot_(&many, &x, &back, &y, &much));
	cblas_dgemm(101, 111, 112, many, back, much, 0.5, &x, much, &y, many, 0.25, &c, back);
	printf("%.3f\n", c);
	return 0;
}
