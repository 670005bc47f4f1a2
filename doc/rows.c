/* rows.c: computes a product and a row of numbers for each of 256 rows; later rows are longer. */
/* SPDX-License-Identifier: MIT */
#include <cblas.h>
#include <math.h>
#include <stdio.h>

enum { ROWS = 256, SIZE = 64, STEPS = 100 };

static double row(int length)
{
	double sum = 0;

	for (int i = 0; i < 80 * length; i++)
		sum += sqrt(i + length);
	return sum;
}

int main(void)
{
	static double a[SIZE * SIZE], b[SIZE * SIZE];
	double total = 0;

	for (int i = 0; i < SIZE * SIZE; i++)
		a[i] = b[i] = 1.0 / (i + 1);
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(static) reduction(+ : total)
		for (int i = 0; i < ROWS; i++) {
			double c[SIZE * SIZE];

			cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1,
				    a, SIZE, b, SIZE, 0, c, SIZE);
			total += row(i) + c[1];
		}
	}
	printf("%g\n", total);
	return 0;
}
