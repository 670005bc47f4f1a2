/* pools.c: repeats an OpenMP loop and an OpenBLAS product: pools REPEATS LOOP N. */
/* SPDX-License-Identifier: MIT
 *
 * LOOP is the number of steps for each element of the loop, N the size of the product; 0 for none.
 */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

#define ELEMENTS 65536

int main(int argc, char **argv)
{
	long repeats = argc > 3 ? atol(argv[1]) : 0, steps = argc > 3 ? atol(argv[2]) : 0;
	int n = argc > 3 ? atoi(argv[3]) : 0;
	size_t cells = (size_t)n * (size_t)n + 1;
	float *elements = calloc(ELEMENTS, sizeof *elements), *a = calloc(cells, sizeof *a);
	float *b = calloc(cells, sizeof *b), *c = calloc(cells, sizeof *c);

	if (!elements || !a || !b || !c)
		return 1;
	for (long repeat = 0; repeat < repeats; repeat++) {
		if (steps) {
#pragma omp parallel for
			for (int i = 0; i < ELEMENTS; i++)
				for (long step = 0; step < steps; step++)
					elements[i] = elements[i] * 0.9f + 0.1f;
		}
		if (n)
			cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b,
				    n, 0, c, n);
	}
	printf("%g\n", (double)(elements[0] + c[0]));
	return 0;
}
