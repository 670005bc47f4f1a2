/* formula_test.c: the formulas that people see are what is counted. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "blas/routines.h"
#include "blas/formula.h"
#include "tests/unit.h"

static size_t find(const char *name)
{
	size_t id = routine_find(name);

	ck_assert_msg(id < routine_ids_count, "no routine %s", name);
	return id;
}

static double power(double base, int exponent)
{
	double result = 1;

	while (exponent-- > 0)
		result *= base;
	return result;
}

static double evaluate(const struct formula *formula, double m, double n, double k)
{
	double sum = 0;

	for (int a = 0; a < FORMULA_POWERS; a++)
		for (int b = 0; b < FORMULA_POWERS; b++)
			for (int c = 0; c < FORMULA_POWERS; c++)
				sum += formula->terms[a][b][c] * power(m, a) * power(n, b) *
				       power(k, c);
	return sum;
}

TEST(formulas_are_the_counts)
{
	for (size_t i = 0; i < routine_ids_count; i++) {
		struct formula formula = formula_of_flops(i);

		for (int m = 1; m < 40; m += 6)
			for (int n = 4; n < 90; n += 17)
				for (int k = 1; k <= n && k < 50; k += 7) {
					double count = routine_flops(i, m, n, k);

					ck_assert_double_eq_tol(evaluate(&formula, m, n, k), count,
								1e-9 * (count + 1));
				}
	}
}

static const struct {
	const char *name, *text;
} known[] = {
	{"cblas_sgemm", "2 m n k"},
	{"zgemm_", "8 m n k"},
	{"dtrsm_", "m n k"},
	{"ztrmm_", "4 m n k + 2 m n"},
	{"cblas_dsyrk", "n^2 k + n k"},
	{"dsbmv_", "4 n k - 2 k^2 + 2 n - 2 k"},
	{"cblas_daxpy", "2 n"},
	{"cblas_zdscal", "2 n"},
	{"scabs1_", "1"},
	{"dswap_", "0"},
};

TEST(formulas_read_well)
{
	char text[FORMULA_MAX];

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct formula formula = formula_of_flops(find(known[i].name));

		ck_assert_str_eq(formula_text(&formula, text), known[i].text);
		ck_assert_str_eq(formula_of_routine(find(known[i].name), text), known[i].text);
	}
	ck_assert_str_eq(formula_of_routine(find("scipy_dgesdd_"), text), "not known");
}
