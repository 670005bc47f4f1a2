/* formula.c: finds the polynomial behind a routine's operation count, and writes it. */
/* SPDX-License-Identifier: MIT */
#include "blas/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "blas/routines.h"

/* Where the count is looked up: n is well over k, so that a band lies within its matrix. */
#define FIRST_M 1
#define FIRST_N 11
#define FIRST_K 1

/* The factors of x^0, x^1 and x^2 in the parabola through y[i] at first + i. */
static void fit_parabola(const double y[FORMULA_POWERS], double first,
			 double factors[FORMULA_POWERS])
{
	double curve = (y[2] - 2 * y[1] + y[0]) / 2;
	double slope = y[1] - y[0] - curve;

	factors[2] = curve;
	factors[1] = slope - 2 * curve * first;
	factors[0] = y[0] - slope * first + curve * first * first;
}

/* Fits along one dimension of the grid: values lie `stride` apart. */
static void fit_along(double *values, size_t stride, double first)
{
	double y[FORMULA_POWERS] = {values[0], values[stride], values[2 * stride]};
	double factors[FORMULA_POWERS];

	fit_parabola(y, first, factors);
	for (size_t i = 0; i < FORMULA_POWERS; i++)
		values[i * stride] = factors[i];
}

struct formula formula_of_flops(size_t routine)
{
	struct formula formula;
	double(*terms)[FORMULA_POWERS][FORMULA_POWERS] = formula.terms;
	const size_t row = FORMULA_POWERS, plane = row * row;

	for (int a = 0; a < FORMULA_POWERS; a++)
		for (int b = 0; b < FORMULA_POWERS; b++)
			for (int c = 0; c < FORMULA_POWERS; c++)
				terms[a][b][c] = routine_flops(routine, FIRST_M + a, FIRST_N + b,
							       FIRST_K + c);
	for (int a = 0; a < FORMULA_POWERS; a++)
		for (int b = 0; b < FORMULA_POWERS; b++)
			fit_along(&terms[a][b][0], 1, FIRST_K);
	for (int a = 0; a < FORMULA_POWERS; a++)
		for (int c = 0; c < FORMULA_POWERS; c++)
			fit_along(&terms[a][0][c], row, FIRST_N);
	for (int b = 0; b < FORMULA_POWERS; b++)
		for (int c = 0; c < FORMULA_POWERS; c++)
			fit_along(&terms[0][b][c], plane, FIRST_M);
	return formula;
}

/* Adds to text[] as much as there is room for. */
static void add(char text[FORMULA_MAX], const char *more)
{
	strncat(text, more, FORMULA_MAX - 1 - strlen(text));
}

static void add_power(const char *gap, char letter, int power, char text[FORMULA_MAX])
{
	char one[8];

	if (!power)
		return;
	snprintf(one, sizeof one, power > 1 ? "%s%c^%d" : "%s%c", gap, letter, power);
	add(text, one);
}

static void add_term(double factor, const int powers[3], char text[FORMULA_MAX])
{
	int constant = !powers[0] && !powers[1] && !powers[2];
	int shows_factor = constant || fabs(fabs(factor) - 1) > 1e-6;
	const char *gap = shows_factor ? " " : "";
	char number[32];

	if (fabs(factor) < 1e-6)
		return;
	if (*text || factor < 0)
		add(text, !*text ? "-" : factor < 0 ? " - " : " + ");
	snprintf(number, sizeof number, "%g", fabs(factor));
	if (shows_factor)
		add(text, number);
	for (int i = 0; i < 3; i++) {
		add_power(gap, "mnk"[i], powers[i], text);
		if (powers[i])
			gap = " ";
	}
}

const char *formula_text(const struct formula *formula, char text[FORMULA_MAX])
{
	const int most = FORMULA_POWERS - 1;

	*text = '\0';
	for (int degree = 3 * most; degree >= 0; degree--)
		for (int a = most; a >= 0; a--)
			for (int b = most; b >= 0; b--) {
				int c = degree - a - b;

				if (c >= 0 && c <= most)
					add_term(formula->terms[a][b][c], (const int[]){a, b, c},
						 text);
			}
	if (!*text)
		add(text, "0");
	return text;
}

const char *formula_of_routine(size_t routine, char text[FORMULA_MAX])
{
	struct formula formula = formula_of_flops(routine);

	return routine_of(routine)->way == WAY_lapack || routine_of(routine)->type == 'u'
		       ? "not known"
		       : formula_text(&formula, text);
}
