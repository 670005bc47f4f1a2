/* routines_test.c: the routine table: names, and operation counts against loops that count; buckets
 * of durations. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "blas/routines.h"
#include "tests/unit.h"
#include "wire/layout.h"

static size_t find(const char *name)
{
	size_t id = routine_find(name);

	ck_assert_msg(id < ROUTINE_COUNT, "no routine %s", name);
	return id;
}

TEST(names_are_unique_and_well_formed)
{
	size_t names = 0, lapack = 0, others = 0;

	for (size_t id = 0; id < ROUTINE_COUNT; id++) {
		char name[ROUTINE_NAME_MAX];

		routine_name(id, name);
		if (routine_of(id)->way == WAY_lapack) {
			ck_assert_uint_eq(routine_find(name),
					  routine_exists(id) ? id : ROUTINE_COUNT);
			ck_assert_int_eq(routine_exists(id),
					 strchr(name, '_') && !strstr(name, "cblas"));
			lapack += (size_t)routine_exists(id);
			continue;
		}
		if (routine_of(id)->way == WAY_onednn) { /* not a function's name */
			ck_assert_uint_eq(routine_find(name), ROUTINE_COUNT);
			ck_assert_int_eq(strncmp(name, "onednn_", 7), 0);
			others += (size_t)routine_exists(id);
			continue;
		}
		ck_assert_uint_eq(routine_find(name), routine_exists(id) ? id : ROUTINE_COUNT);
		ck_assert_uint_eq(routine_common(routine_common(id)), routine_common(id));
		ck_assert_int_eq(routine_variant_of(id)->cblas, strstr(name, "cblas_") != NULL);
		ck_assert_ptr_nonnull(strchr("sdczbhiw", routine_of(id)->type));
		names += (size_t)routine_exists(id);
	}
	ck_assert_uint_eq(lapack, 23 * 4 * 5);
	/* five CBLAS and six Fortran names, except for four complex dot products */
	ck_assert_uint_eq(names, (ROUTINE_BASES - others - lapack / 5) * 11 - 4 * 6);
	ck_assert_uint_eq(ROUTINE_BASES - others - lapack / 5, 148 + 10 + 48 + 6);
	ck_assert_uint_eq(others, 5 * 6); /* kinds of oneDNN's primitives * types */
}

TEST(every_way_to_spell_a_name_is_found)
{
	char names[] =
		"cblas_sgemm cblas_sgemm64_ cblas_sgemm_64 scipy_cblas_sgemm scipy_cblas_sgemm64_ "
		"sgemm_ sgemm sgemm_64_ sgemm_64 dgesdd_ dgetrf_64_ scipy_sgemm_ scipy_sgemm_64_ "
		"cblas_dgemmt dgemmtr_ cgemm3m_ cblas_sgemm_batch zgemm_batch_strided_64_ sbgemm_ "
		"cblas_hgemm cblas_gemm_bf16bf16f32 gemm_f16f16f32_ cblas_gemm_s8u8s32_64 "
		"gemm_s16s16s32";
	static const char *const others[] = {
		"",	  "s",	   "sgemm__",	 "cblas_", "cblas_sgemm_", "dlsym", "scipy_sgemm",
		"cdotu_", "zdotc", "sgemm_64__", "dgesdd", "cblas_dgesdd"};

	for (char *word = strtok(names, " "); word; word = strtok(NULL, " ")) {
		char name[ROUTINE_NAME_MAX];

		ck_assert_str_eq(routine_name(find(word), name), word);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ck_assert_uint_eq(routine_find(others[i]), ROUTINE_COUNT);
	ck_assert_int_eq(routine_variant_of(find("sgemm_64"))->bits, 64);
	ck_assert_int_eq(routine_variant_of(find("scipy_sgemm_"))->bits, 32);
}

/* Operations of the textbook loops, counted one by one. */
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

/* Forward substitution for n right-hand sides: row i needs i multiplications and subtractions and a
 * division. */
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
	double flops = -n; /* the first product of each row is not added */

	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			if (i - j <= k)
				flops += 2;
	return flops;
}

TEST(flops_are_those_of_the_loops)
{
	for (int m = 1; m < 9; m += 2)
		for (int n = 1; n < 8; n += 3)
			for (int k = 0; k < n; k++) {
				ck_assert_double_eq(routine_flops(find("cblas_sgemm"), m, n, k),
						    loop_gemm(m, n, k));
				ck_assert_double_eq(routine_flops(find("dsyrk_"), n, n, k),
						    loop_syrk(n, k));
				ck_assert_double_eq(routine_flops(find("strsm_"), m, n, m),
						    loop_trsm(m, n));
				ck_assert_double_eq(routine_flops(find("cblas_dsbmv"), n, n, k),
						    loop_sbmv(n, k));
				ck_assert_double_eq(routine_flops(find("dtbmv_"), n, n, k),
						    loop_tbmv(n, k));
				ck_assert_double_eq(routine_flops(find("cblas_dgemv"), m, n, 0),
						    loop_gemm(m, n, 1));
			}
}

/* Flops and bytes of a call; -1: not checked. */
static const struct {
	const char *name;
	double m, n, k, flops, bytes;
} calls[] = {
	{"cblas_sgemm", 2, 3, 4, 2 * 24, 4 * (8 + 12 + 2 * 6)},
	{"sgemm_", -3, 4, 5, 0, -1},
	{"ddot_", 0, 10, 0, -1, 8 * 20},
	{"zcopy_", 0, 10, 0, -1, 16 * 20},
	/* a complex multiplication is 6 flops, an addition 2 */
	{"zgemm_", 3, 4, 5, 8 * 60, -1},
	{"cblas_caxpy", 0, 10, 0, 80, -1},
	{"zdscal_", 0, 10, 0, 20, -1},
	{"cblas_csrot", 0, 10, 0, 120, -1},
	{"scnrm2_", 0, 10, 0, 40, -1},
	{"dzasum_", 0, 10, 0, 20, -1},
	/* extensions */
	{"cblas_dgemmt", 4, 4, 3, 3 * 4 * 5, -1},
	{"zgemm3m_", 3, 4, 5, 8 * 60, -1},
	{"cblas_gemm_s8u8s32", 2, 3, 4, 2 * 24, 8 + 12 + 2 * 4 * 6},
	{"sbgemm_", 2, 3, 4, -1, 2 * (8 + 12) + 2 * 4 * 6},
	{"hgemm_", 2, 3, 4, -1, 2 * (8 + 12 + 2 * 6)},
	{"sgemm_batch_64_", 3, 4, 5, 2 * 60, -1},
};

TEST_EACH(flops_and_bytes_of_calls, COUNT(calls))
{
	size_t id = find(calls[_i].name);

	if (calls[_i].flops >= 0)
		ck_assert_double_eq(routine_flops(id, calls[_i].m, calls[_i].n, calls[_i].k),
				    calls[_i].flops);
	if (calls[_i].bytes >= 0)
		ck_assert_double_eq(routine_bytes(id, calls[_i].m, calls[_i].n, calls[_i].k),
				    calls[_i].bytes);
}

TEST(invalid_arguments_cost_nothing)
{
	for (size_t i = 0; i < ROUTINE_COUNT; i++) {
		ck_assert_double_ge(routine_flops(i, -3, -4, -5), 0);
		ck_assert_double_ge(routine_bytes(i, -3, -4, -5), 0);
	}
	ck_assert_double_eq(routine_flops(ROUTINE_COUNT, 3, 4, 5), 0);
	ck_assert_double_eq(routine_bytes(ROUTINE_COUNT + 9, 3, 4, 5), 0);
}

TEST(transposes_have_letters)
{
	ck_assert_int_eq(routine_transpose(find("cblas_sgemm"), 111), 'N');
	ck_assert_int_eq(routine_transpose(find("cblas_sgemm"), 113), 'C');
	ck_assert_int_eq(routine_transpose(find("sgemm_"), 't'), 'T');
	ck_assert_int_eq(routine_transpose(find("sgemm_"), 'n'), 'N');
	ck_assert_int_eq(routine_transpose(find("sgemm_"), 'X'), '?');
	ck_assert_int_eq(routine_transpose(find("cblas_saxpy"), 0), '-');
}

TEST(buckets_have_no_gaps)
{
	for (unsigned i = 1; i < HISTOGRAM_BUCKETS - 1; i++) {
		ck_assert_uint_eq(histogram_bucket(histogram_low(i)), i);
		ck_assert_uint_eq(histogram_bucket(histogram_low(i) - 1), i - 1);
	}
	ck_assert_uint_eq(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

TEST(ticks_in_32_bits_are_exact_or_rounded_down)
{
	const uint64_t exact = UINT64_C(1) << 31, most = UINT64_C(1) << 47;

	for (uint64_t ticks = 1; ticks < 2 * most; ticks *= 2) {
		ck_assert_uint_eq(long_ticks(short_ticks(ticks - 1)),
				  ticks <= exact  ? ticks - 1
				  : ticks <= most ? (ticks - 1) >> 16 << 16
						  : (most - 1) >> 16 << 16);
		ck_assert_uint_eq(long_ticks(short_ticks(ticks)),
				  ticks < most ? ticks : (most - 1) >> 16 << 16);
	}
	ck_assert_uint_eq(long_ticks(short_ticks(UINT64_MAX)), (most - 1) >> 16 << 16);
}

static const struct {
	const char *name, *text;
} counts[] = {
	{"cblas_sgemm", "each m n k"},
	{"dtrmv_", "n (n+1)/2, n (n-1)/2"},
	{"dsbmv_", "each n (2 k+1)-k (k+1)"},
	{"cblas_zdscal", "n/3, 0"},
	{"dswap_", "each 0"},
	{"scipy_dgesdd_", "not known"},
};

TEST_EACH(counts_are_shown, COUNT(counts))
{
	char text[ROUTINE_COUNTS_MAX];

	ck_assert_str_eq(routine_counts_text(find(counts[_i].name), text), counts[_i].text);
}
