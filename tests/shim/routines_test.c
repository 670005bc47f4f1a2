/* routines_test.c: the routine table: names, operation counts against loops that count, durations' buckets. */
/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "shim/layout.h"
#include "shim/routines.h"

static size_t find(const char *name)
{
	for (size_t i = 0; i < routines_count; i++)
		if (!strcmp(routines[i].name, name))
			return i;
	ck_abort_msg("no routine %s", name);
	return 0;
}

START_TEST(names_are_unique_and_well_formed)
{
	for (size_t i = 0; i < routines_count; i++) {
		const char *name = routines[i].name;

		ck_assert_msg(strchr("sdcz", routines[i].type), "%s", name);
		ck_assert_int_eq(routines[i].cblas, !strncmp(name, "cblas_", 6));
		ck_assert_msg(routines[i].cblas || name[strlen(name) - 1] == '_', "%s", name);
		for (size_t j = i + 1; j < routines_count; j++)
			ck_assert_str_ne(name, routines[j].name);
	}
	/* 144 routines with two names and four complex dot products with one */
	ck_assert_uint_eq(routines_count, 2 * 144 + 4);
}
END_TEST

/* Multiplications plus additions of the textbook loops, counted one by one. */
static double loop_gemm(int m, int n, int k)
{
	double flops = 0;

	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++)
			for (int l = 0; l < k; l++)
				flops += 2;
	return flops;
}

static double loop_syrk(int n, int k)
{
	double flops = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			for (int l = 0; l < k; l++)
				flops += 2;
	return flops;
}

/* Forward substitution for n right sides: row i takes i products and differences and a division. */
static double loop_trsm(int m, int n)
{
	double flops = 0;

	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++) {
			for (int l = 0; l < i; l++)
				flops += 2;
			flops += 1;
		}
	return flops;
}

static double loop_sbmv(int n, int k)
{
	double flops = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (abs(i - j) <= k)
				flops += 2;
	return flops;
}

static double loop_tbmv(int n, int k)
{
	double flops = 0;

	for (int i = 0; i < n; i++) {
		int terms = 0;

		for (int j = 0; j <= i; j++)
			if (i - j <= k)
				terms++;
		flops += terms + terms - 1;
	}
	return flops;
}

START_TEST(flops_are_those_of_the_loops)
{
	for (int m = 1; m < 9; m += 2)
		for (int n = 1; n < 8; n += 3)
			for (int k = 0; k < n; k++) {
				ck_assert_double_eq(routine_flops(find("cblas_sgemm"), m, n, k), loop_gemm(m, n, k));
				ck_assert_double_eq(routine_flops(find("dsyrk_"), n, n, k), loop_syrk(n, k));
				ck_assert_double_eq(routine_flops(find("strsm_"), m, n, m), loop_trsm(m, n));
				ck_assert_double_eq(routine_flops(find("cblas_dsbmv"), n, n, k), loop_sbmv(n, k));
				ck_assert_double_eq(routine_flops(find("dtbmv_"), n, n, k), loop_tbmv(n, k));
				ck_assert_double_eq(routine_flops(find("cblas_dgemv"), m, n, 0), loop_gemm(m, n, 1));
			}
}
END_TEST

START_TEST(complex_numbers_cost_6_and_2)
{
	ck_assert_double_eq(routine_flops(find("zgemm_"), 3, 4, 5), 8 * 60);
	ck_assert_double_eq(routine_flops(find("cblas_caxpy"), 0, 10, 0), 80);
	ck_assert_double_eq(routine_flops(find("zdscal_"), 0, 10, 0), 20);
	ck_assert_double_eq(routine_flops(find("cblas_csrot"), 0, 10, 0), 120);
	ck_assert_double_eq(routine_flops(find("scnrm2_"), 0, 10, 0), 40);
	ck_assert_double_eq(routine_flops(find("dzasum_"), 0, 10, 0), 20);
}
END_TEST

START_TEST(bytes_count_each_element_once)
{
	ck_assert_double_eq(routine_bytes(find("cblas_sgemm"), 2, 3, 4), 4 * (8 + 12 + 2 * 6));
	ck_assert_double_eq(routine_bytes(find("zcopy_"), 0, 10, 0), 16 * 20);
	ck_assert_double_eq(routine_bytes(find("ddot_"), 0, 10, 0), 8 * 20);
}
END_TEST

START_TEST(odd_arguments_cost_nothing)
{
	for (size_t i = 0; i < routines_count; i++) {
		ck_assert_double_ge(routine_flops(i, -3, -4, -5), 0);
		ck_assert_double_ge(routine_bytes(i, -3, -4, -5), 0);
	}
	ck_assert_double_eq(routine_flops(find("sgemm_"), -3, 4, 5), 0);
	ck_assert_double_eq(routine_flops(routines_count, 3, 4, 5), 0);
	ck_assert_double_eq(routine_bytes(routines_count + 9, 3, 4, 5), 0);
}
END_TEST

START_TEST(transposes_have_letters)
{
	ck_assert_int_eq(routine_transpose(find("cblas_sgemm"), 111), 'N');
	ck_assert_int_eq(routine_transpose(find("cblas_sgemm"), 113), 'C');
	ck_assert_int_eq(routine_transpose(find("sgemm_"), 't'), 'T');
	ck_assert_int_eq(routine_transpose(find("sgemm_"), 'n'), 'N');
	ck_assert_int_eq(routine_transpose(find("sgemm_"), 'X'), '?');
	ck_assert_int_eq(routine_transpose(find("cblas_saxpy"), 0), '-');
}
END_TEST

START_TEST(buckets_meet_without_gaps)
{
	for (unsigned i = 1; i < HISTOGRAM_BUCKETS - 1; i++) {
		ck_assert_uint_eq(histogram_bucket(histogram_low(i)), i);
		ck_assert_uint_eq(histogram_bucket(histogram_low(i) - 1), i - 1);
	}
	ck_assert_uint_eq(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("routines");
	TCase *tests = tcase_create("table");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tests, names_are_unique_and_well_formed);
	tcase_add_test(tests, flops_are_those_of_the_loops);
	tcase_add_test(tests, complex_numbers_cost_6_and_2);
	tcase_add_test(tests, bytes_count_each_element_once);
	tcase_add_test(tests, odd_arguments_cost_nothing);
	tcase_add_test(tests, transposes_have_letters);
	tcase_add_test(tests, buckets_meet_without_gaps);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
