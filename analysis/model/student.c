/* student.c: the tails of Student's t distribution. */
/* SPDX-License-Identifier: MIT */
#include "model/stats.h"

#include <math.h>

enum { FRACTION_TERMS = 10000 };

/* Term j of the continued fraction of the incomplete beta function (NIST Handbook of Mathematical
 * Functions, 8.17.22): I_x(a, b) = x^a (1-x)^b / (a B(a, b)) * 1 / (1 + d_1 / (1 + d_2 / ...)). */
static double fraction_term(double x, double a, double b, int j)
{
	int k = j / 2;

	if (j % 2)
		return -(a + k) * (a + b + k) * x / ((a + j - 1) * (a + j));
	return k * (b - k) * x / ((a + j - 1) * (a + j));
}

/* 1 + d_1 / (1 + d_2 / ...), by the products of W. J. Lentz (Applied Optics 15, 1976). */
static double fraction_value(double x, double a, double b)
{
	double value = 1, up = 1, down = 0;

	for (int j = 1; j <= FRACTION_TERMS; j++) {
		double term = fraction_term(x, a, b, j);

		down = 1 / (1 + term * down);
		up = 1 + term / up;
		value *= up * down;
		if (fabs(up * down - 1) < 1e-15)
			break;
	}
	return value;
}

/* I_x(a, b) for 0 < x < 1, y = 1 - x, from the fraction. */
static double lower_part(double x, double y, double a, double b)
{
	double scale = a * log(x) + b * log(y) + lgamma(a + b) - lgamma(a) - lgamma(b);

	return exp(scale) / a / fraction_value(x, a, b);
}

/* NIST Handbook, 8.17: the two tails hold I_x(dof / 2, 1 / 2) with x = dof / (dof + t^2). From a
 * million degrees of freedom on the distribution is normal to 1e-6. The fraction converges fast
 * below the mean; above it, the other tail is taken. */
double student_tail(double t, double dof)
{
	double square = t * t, x, y;

	if (dof > 1e6)
		return erfc(fabs(t) / sqrt(2));
	if (isinf(square))
		return 0;
	x = dof / (dof + square);
	y = square / (dof + square); /* 1 - x, known to its own precision */
	if (x <= (dof / 2 + 1) / (dof / 2 + 2.5))
		return lower_part(x, y, dof / 2, 0.5);
	return 1 - lower_part(y, x, 0.5, dof / 2);
}

double student_quantile(double confidence, double dof)
{
	double low = 0, high = 1, middle;

	if (!(confidence > 0 && confidence < 1 && dof > 0))
		return NAN;
	while (student_tail(high, dof) > 1 - confidence)
		high *= 2;
	for (;;) {
		middle = low + (high - low) / 2;
		if (middle <= low || middle >= high)
			return high;
		if (student_tail(middle, dof) > 1 - confidence)
			low = middle;
		else
			high = middle;
	}
}
