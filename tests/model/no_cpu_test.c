/* no_cpu_test.c: the time without a CPU is split by what is known, and never beyond it. */
/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "model/no_cpu.h"
#include "tests/unit.h"

/* What is known of 100 ns, and what follows: own, others, steal, quota. */
static const struct {
	struct no_cpu_evidence evidence;
	double parts[NO_CPU_COUNT];
} cases[] = {
	{{0}, {0, 0, 0, 0}},
	/* one CPU, four threads: the records show most of it, and stand for the rest */
	{{.seen_ns = 80, .seen_own_ns = 80}, {100, 0, 0, 0}},
	{{.seen_ns = 80, .seen_own_ns = 60, .others_ns = 1000}, {75, 25, 0, 0}},
	/* others had the CPUs for less than the wait */
	{{.seen_ns = 100, .others_ns = 40}, {0, 40, 0, 0}},
	/* stolen time is in no switch record: it is not more than these leave */
	{{.seen_ns = 90, .seen_own_ns = 90, .steal_ns = 30}, {90, 0, 10, 0}},
	{{.seen_ns = 100, .others_ns = 1000, .steal_ns = 30}, {0, 100, 0, 0}},
	{{.steal_ns = 30, .others_ns = 1000}, {0, 70, 30, 0}},
	/* the quota goes before others, and after the threads that are too many */
	{{.seen_ns = 100, .quota_ns = 70, .others_ns = 1000}, {0, 30, 0, 70}},
	{{.seen_ns = 100, .seen_own_ns = 50, .quota_ns = 1000}, {50, 0, 0, 50}},
	/* no records: the mean is the least that is their own; it is not looked at where there are
	 */
	{{.over_ns = 60, .others_ns = 10}, {60, 10, 0, 0}},
	{{.seen_ns = 1, .over_ns = 60, .others_ns = 10}, {0, 10, 0, 0}},
	/* the records show more than the other clock */
	{{.seen_ns = 200, .seen_own_ns = 50, .others_ns = 1000}, {25, 75, 0, 0}},
	{{NAN, NAN, NAN, NAN, NAN, NAN}, {0, 0, 0, 0}},
	{{-1, -1, -1, -1, -1, -1}, {0, 0, 0, 0}},
};

TEST_EACH(split, COUNT(cases))
{
	double parts[NO_CPU_COUNT];

	no_cpu_split(100, &cases[_i].evidence, parts);
	for (int i = 0; i < NO_CPU_COUNT; i++)
		ck_assert_double_eq_tol(parts[i], cases[_i].parts[i], 1e-9);
	no_cpu_split(0, &cases[_i].evidence, parts);
	for (int i = 0; i < NO_CPU_COUNT; i++)
		ck_assert_double_eq(parts[i], 0);
}
