/* launcher.h: runs a test program under the sampler, as the profiler would. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SAMPLING_LAUNCHER_H
#define TESTS_SAMPLING_LAUNCHER_H

#include <stdint.h>

#include "sampling/sampler.h"

/* A line that the program printed. */
struct truth {
	char name[32];
	long pid, tid;
	long long ns;
	long rounds; /* of equal work */
};

struct launch {
	struct run run;
	struct sampler *sampler;
	struct error err;
	int started; /* what sampler_start() returned */
	struct truth truth[16];
	int ntruth;
};

/* Paths of what was built for the tests. */
#define BURN		 TEST_DIR "/sampling/burn"
#define BURN_STRIPPED	 TEST_DIR "/sampling/burn_stripped"
#define BURN_NO_PIE	 TEST_DIR "/sampling/burn_no_pie"
#define LIBBURN		 TEST_DIR "/sampling/.libs/libburn.so"
#define LIBBURN_STRIPPED TEST_DIR "/sampling/libburn_stripped.so"

/* Returns 1 if this user can sample here. Otherwise it prints why not, and the test is skipped. */
int launch_possible(void);

/* Runs `program` with the library and the steps (words in one text) to its end, sampled at rate_hz
 * with the event (NULL for the default). The sampler is stopped, but nothing is collected. */
void launch(struct launch *launch, const char *program, const char *library, const char *steps,
	    int rate_hz, const char *event);
/* The same, and counts events, as event_list_parse() takes them. */
void launch_counting(struct launch *launch, const char *program, const char *library,
		     const char *steps, int rate_hz, const char *events);
/* Collects the samples in [start, end], with the BLAS object (or NULL), and checks that no sample
 * was dropped or counted twice, and that threads and functions have the same code. */
void launch_collect(struct launch *launch, int64_t start_ns, int64_t end_ns, const char *blas);
void launch_free(struct launch *launch);

int launch_ends_like(const char *text, const char *end);
/* Returns the samples of this function (NULL for any) in objects whose path ends like this (NULL
 * for any). */
uint64_t launch_samples(const struct launch *launch, const char *function, const char *object);
/* Returns how many points a share of the samples, in percent, differs from the truth for the
 * functions in `printed`. The truth is between their share of the CPU time and of the work, because
 * a virtual machine that was stopped counts that as CPU time, and a busy sibling core slows work
 * down. */
double launch_points_off(const struct launch *launch, const char *printed, double share);
/* Returns the ns that the program printed for the name, or fails the test. */
long long launch_truth(const struct launch *launch, const char *name);

#endif
