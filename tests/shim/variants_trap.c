/* variants_trap.c: a library whose functions have names of BLAS routines and other arguments, and a
 * function that calls them. */
/* SPDX-License-Identifier: MIT */
double drot(double angle, float scale, int turns, long double exact);
void sgemm(char transa, char transb, int m, int n, int k, float alpha);
int variants_trap(void);

static int seen;

double drot(double angle, float scale, int turns, long double exact)
{
	return angle * scale + turns + (double)exact;
}

void sgemm(char transa, char transb, int m, int n, int k, float alpha)
{
	seen = transa == 'N' && transb == 'T' && m == 1 && n == 2 && k == 3 && alpha == 0.5f;
}

/* Returns 1 if both functions got their arguments. */
int variants_trap(void)
{
	int right = 1;

	for (int i = 0; i < 3; i++) {
		seen = 0;
		sgemm('N', 'T', 1, 2, 3, 0.5f);
		right &= seen && drot(1.5, 2, 7, 0.25L) == 10.25;
	}
	return right;
}
