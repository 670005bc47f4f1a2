/* shares_test.c: compares the shares of eight functions of all kinds with the times that the
 * program measures. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "launcher.h"
#include "tests/unit.h"

#define CALLS	      "20000" /* 5,000 samples and more, in some 0.7 s */
#define RUNS	      3
#define RATE_HZ	      8000
#define SAMPLES_LEAST 4000
#define POINTS	      2.0

static const struct {
	const char *printed;  /* name that the program prints */
	const char *function; /* expected name; NULL for object+offset */
	const char *object, *into, *file;
} expected[] = {
	{"burn_exe", "burn_exe", "/burn", "", "/burn.c"},
	{"burn_static", "burn_static", "/burn", "", "/burn.c"},
	{"burn_inlined", "burn_inlined", "/burn", "burn_around", "/burn.c"},
	{"burn_shared", "burn_shared", "/libburn.so", "", "/libburn.c"},
	{"burn_hidden", "hidden_loop", "/libburn.so", "", "/libburn.c"},
	{"stripped_shared", "burn_shared", "/libburn_stripped.so", "", ""},
	{"stripped_hidden", NULL, "/libburn_stripped.so", "", ""},
	{"burn_jit", "burn_jit", "[anon]", "", ""},
};
#define FUNCTIONS (sizeof expected / sizeof *expected)

/* Returns the matching row with most samples. */
static const struct run_function *find_row(const struct run *run, size_t number)
{
	const char *function = expected[number].function;
	const struct run_function *best = NULL;

	EACH_ROW(row, run->functions, run->nfunctions) {
		int fits = function
				   ? !strcmp(row->location.function, function)
				   : !strncmp(row->location.function, "libburn_stripped.so+0x", 22);

		if (fits && launch_ends_like(row->location.object, expected[number].object) &&
		    !strcmp(row->location.inlined_into, expected[number].into) &&
		    (!best || row->samples > best->samples))
			best = row;
	}
	return best;
}

/* The kernel interrupts all functions alike, and more often on a busy host. */
static uint64_t user_samples(const struct run *run)
{
	uint64_t samples = run->samples;

	EACH_ROW(row, run->functions, run->nfunctions)
		if (row->code == RUN_CODE_KERNEL)
			samples -= row->samples;
	ck_assert_uint_gt(samples * 4, run->samples * 3);
	return samples;
}

REQUIRE(launch_possible())

/* The median of the runs counts, because a busy host can take samples of a function in one of them.
 * Each function has its source file and line, and no function has a name that is not its own. */
TEST(shares_names_and_lines)
{
	double errors[FUNCTIONS][RUNS];
	struct launch l;
	char path[64];
	int noted = 0;

	for (int i = 0; i < RUNS; i++) {
		if (i)
			launch_free(&l);
		launch(&l, BURN, LIBBURN, "stripped:" LIBBURN_STRIPPED " mix:" CALLS, RATE_HZ,
		       NULL);
		launch_collect(&l, 0, 0, NULL);
		snprintf(path, sizeof path, "/tmp/perf-%ld.map", l.truth[0].pid);
		ck_assert_int_eq(unlink(path), 0);
		ck_assert_int_eq(l.ntruth, FUNCTIONS);
		ck_assert_uint_ge(l.run.samples + l.run.samples_lost, SAMPLES_LEAST);
		for (size_t j = 0; j < FUNCTIONS; j++) {
			const struct run_function *row = find_row(&l.run, j);

			ck_assert_msg(row != NULL, "no row of %s", expected[j].printed);
			errors[j][i] = launch_points_off(&l, expected[j].printed,
							 100.0 * (double)row->samples /
								 (double)user_samples(&l.run));
		}
	}
	for (size_t i = 0; i < FUNCTIONS; i++) {
		const struct run_function *row = find_row(&l.run, i);
		const double *off = errors[i];
		double median = fmax(fmin(off[0], off[1]), fmin(fmax(off[0], off[1]), off[2]));

		ck_assert_msg(fabs(median) <= POINTS, "%s: off by %.2f, %.2f and %.2f points",
			      expected[i].printed, off[0], off[1], off[2]);
		ck_assert_msg(launch_ends_like(row->location.file, expected[i].file), "%s: %s",
			      expected[i].printed, row->location.file);
		ck_assert_int_eq(row->location.line > 0, *expected[i].file != '\0');
	}
	ck_assert_uint_eq(launch_samples(&l, "wrong_name", NULL), 0);
	ck_assert_uint_eq(launch_samples(&l, "burn_around", NULL) * 50 / l.run.samples, 0);
	for (size_t i = 0; i < l.run.nnotes; i++)
		noted |= !strcmp(l.run.notes[i].code, "jit_map_damaged") &&
			 strstr(l.run.notes[i].detail, "2 of its 4 lines");
	ck_assert(noted);
	launch_free(&l);
}
