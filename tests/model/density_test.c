/* density_test.c: tests where bursts are dense. */
/* SPDX-License-Identifier: MIT */
#include "model/density.h"
#include "tests/unit.h"

/* It is the same whenever the bursts are. */
static void assert_interval(struct burst *bursts, size_t count, int64_t start_ns, int64_t end_ns)
{
	for (int64_t later = 0; later <= 1000000; later += 1000000) {
		int64_t start = 0, end = 0;

		for (size_t i = 0; i < count; i++) {
			bursts[i].start_ns += later;
			bursts[i].end_ns += later;
		}
		ck_assert_int_eq(dense_interval(bursts, count, &start, &end), 1);
		ck_assert_int_eq(start, start_ns + later);
		ck_assert_int_eq(end, end_ns + later);
	}
}

TEST(one_burst_is_all)
{
	struct burst burst = {100, 200, 50}, instant = {100, 100, 1};

	assert_interval(&burst, 1, 100, 200);
	assert_interval(&instant, 1, 100, 101);
}

TEST(stray_bursts_at_the_ends_are_left_out)
{
	struct burst bursts[] = {
		{0, 1, 1},	   {5000, 5001, 1}, {10000, 20000, 5000}, {12000, 21000, 5000},
		{40000, 40001, 1},
	};

	assert_interval(bursts, 5, 10000, 21000);
}

/* 5 % of the mean density is the limit: 100 in the first 1,000 of 11,000, or less. */
TEST(thin_is_no_stray)
{
	for (double amount = 40; amount <= 60; amount += 20) {
		struct burst bursts[] = {{5000, 6000, amount}, {6000, 16000, 11000 - amount}};

		assert_interval(bursts, 2, amount < 50 ? 6000 : 5000, 16000);
	}
}

/* Half of the time with just 5 % of the mean density, 1 of 40, is left in at either end. */
TEST_EACH(as_thin_as_the_limit, 2)
{
	struct burst bursts[] = {{0, 8192, _i ? 39 : 1}, {8192, 16384, _i ? 1 : 39}};

	assert_interval(bursts, 2, 0, 16384);
}

/* Likewise a quarter of the time, 1 of 80, beside a stray. */
TEST_EACH(as_thin_beside_a_stray, 2)
{
	struct burst first[] = {{0, 1, 1e-20}, {2048, 4096, 1}, {4096, 8192, 79}};
	struct burst last[] = {{0, 4096, 79}, {4096, 6144, 1}, {8191, 8192, 1e-20}};

	assert_interval(_i ? last : first, 3, _i ? 0 : 2048, _i ? 6144 : 8192);
}

TEST(gaps_inside_do_not_count)
{
	struct burst bursts[] = {{0, 100, 100}, {10000, 10100, 100}};

	assert_interval(bursts, 2, 0, 10100);
}

TEST(nothing_has_no_place)
{
	struct burst none = {100, 200, 0};
	int64_t start, end;

	ck_assert_int_eq(dense_interval(&none, 1, &start, &end), 0);
	ck_assert_int_eq(dense_interval(NULL, 0, &start, &end), 0);
}
