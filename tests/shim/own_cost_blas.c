/* own_cost_blas.c: a BLAS that does nothing, and a function that calls it between little other
 * work. */
/* SPDX-License-Identifier: MIT */
#include "truth_burn.h"

#define CALLS 5000

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
double uncounted_ddot(int n, const double *x, int incx, const double *y, int incy);
double own_cost_turn(int counted);
double own_cost_places(int places);

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy)
{
	return *x;
}

double uncounted_ddot(int n, const double *x, int incx, const double *y, int incy)
{
	return *x;
}

/* Returns the ns of a call and of the work before it: dependent products that take some 3 ns. */
double own_cost_turn(int counted)
{
	double (*volatile routine)(int, const double *, int, const double *, int) =
		counted ? cblas_ddot : uncounted_ddot;
	int64_t begun = clock_now_ns(CLOCK_MONOTONIC);
	const double one = 1;
	uint64_t product = 1;

	for (int i = 0; i < CALLS; i++) {
		for (int j = 0; j < 3; j++) {
			product *= 0x9e3779b97f4a7c15u;
			__asm__ volatile("" : "+r"(product));
		}
		routine(1, &one, 1, &one, 1);
	}
	return (double)(clock_now_ns(CLOCK_MONOTONIC) - begun) / CALLS;
}

#define CALL   cblas_ddot(1, &one, 1, &one, 1);
#define TEN(x) x x x x x x x x x x

/* Returns the ns of a call, if this many places call in turn: 10 or CALLS. */
double own_cost_places(int places)
{
	int64_t begun = clock_now_ns(CLOCK_MONOTONIC);
	const double one = 1;

	for (int i = 0; i < CALLS; i += places)
		if (places == 10) {
			TEN(CALL)
		} else {
			TEN(TEN(TEN(CALL CALL CALL CALL CALL)))
		}
	return (double)(clock_now_ns(CLOCK_MONOTONIC) - begun) / CALLS;
}
