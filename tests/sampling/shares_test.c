/* shares_test.c: the shares of eight functions of all kinds, against what the program itself
 * counts.
 */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "launcher.h"
#include "tests/unit.h"

#define SHARES	      TEST_DIR "/sampling/shares"
#define ROUNDS	      "200" /* 5,000 samples and more, in some 0.7 s */
#define RUNS	      3
#define RATE_HZ	      8000
#define SAMPLES_LEAST 4000
#define POINTS	      2.0

static const struct {
	const char *printed;  /* the program's name for it */
	const char *function; /* how it must show; NULL: as object+offset */
	const char *object, *into, *file;
} expected[] = {
	{"share_global", "share_global", "/shares", "", "/shares.c"},
	{"share_static", "share_static", "/shares", "", "/shares.c"},
	{"share_inlined", "share_inlined", "/shares", "share_around", "/shares.c"},
	{"burn_shared", "burn_shared", "/libburn.so", "", "/libburn.c"},
	{"hidden_loop", "hidden_loop", "/libburn.so", "", "/libburn.c"},
	{"stripped_shared", "burn_shared", "/libburn_stripped.so", "", ""},
	{"stripped_hidden", NULL, "/libburn_stripped.so", "", ""},
	{"share_jit", "share_jit", "[anon]", "", ""},
};
#define FUNCTIONS (sizeof expected / sizeof *expected)

/* The row with most samples that fits; the file counts only where one is expected. */
static const struct run_function *find_row(const struct run *run, size_t number)
{
	const char *function = expected[number].function;
	const struct run_function *best = NULL;

	for (size_t i = 0; i < run->nfunctions; i++) {
		const struct run_function *row = &run->functions[i];
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

/* How far the function's share is from the truth, in points. */
static double find_error(const struct launch *launch, size_t number)
{
	const struct run_function *row = find_row(&launch->run, number);

	ck_assert_msg(row != NULL, "no row of %s", expected[number].printed);
	return launch_points_off(launch, expected[number].printed,
				 100.0 * (double)row->samples / (double)launch->run.samples);
}

static void run_shares(struct launch *launch_result)
{
	char path[64];

	launch(launch_result, SHARES, LIBBURN, LIBBURN_STRIPPED " " ROUNDS, RATE_HZ, NULL);
	launch_collect(launch_result, 0, 0, NULL);
	snprintf(path, sizeof path, "/tmp/perf-%ld.map", launch_result->truth[0].pid);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(launch_result->ntruth, FUNCTIONS);
	ck_assert_uint_ge(launch_result->run.samples + launch_result->run.samples_lost,
			  SAMPLES_LEAST);
}

REQUIRE(launch_possible())

/* The median of the runs is the truth: a busy host can take a function's samples in one of them.
 * Each function has its source file and line, and nothing has a name that is not its own. */
TEST(shares_names_and_lines)
{
	double errors[FUNCTIONS][RUNS];
	struct launch l;
	int noted = 0;

	for (int i = 0; i < RUNS; i++) {
		if (i)
			launch_free(&l);
		run_shares(&l);
		for (size_t j = 0; j < FUNCTIONS; j++)
			errors[j][i] = find_error(&l, j);
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
	ck_assert_uint_eq(launch_samples(&l, "share_around", NULL) * 50 / l.run.samples, 0);
	for (size_t i = 0; i < l.run.nnotes; i++)
		noted |= !strcmp(l.run.notes[i].code, "jit_map_damaged") &&
			 strstr(l.run.notes[i].detail, "2 of its 4 lines");
	ck_assert(noted);
	launch_free(&l);
}
