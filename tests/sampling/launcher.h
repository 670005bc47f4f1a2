/* launcher.h: runs the test program under the sampler, as the profiler would. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LAUNCHER_H
#define TESTS_LAUNCHER_H

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

/* 1 when this user can sample here at all; else says why not, and the test is to be skipped (77).
 */
int launch_possible(void);

/* Runs `program` with the library and the steps (words in one text) to its end, sampled at rate_hz
 * with the event (NULL: the default); the sampler is stopped, nothing collected. */
void launch(struct launch *launch, const char *program, const char *library, const char *steps,
	    int rate_hz, const char *event);
/* The same, with events counted besides, as event_list_parse() takes them. */
void launch_counting(struct launch *launch, const char *program, const char *library,
		     const char *steps, int rate_hz, const char *events);
/* Collects within [start, end], with the BLAS object (or NULL), and checks that no sample was
 * dropped or counted twice. */
void launch_collect(struct launch *launch, int64_t start_ns, int64_t end_ns, const char *blas);
void launch_free(struct launch *launch);

int launch_ends_like(const char *text, const char *end);
/* Samples in rows of this function (NULL: any) whose object ends like this (NULL: any). */
uint64_t launch_samples(const struct launch *launch, const char *function, const char *object);
/* How many points a share of the samples, in percent, is off the truth of what was printed (some
 * names in one text): by CPU time, or by work (a virtual machine that is stopped for a while books
 * that as CPU time; a busy sibling core slows work down); 0 between the two. */
double launch_points_off(const struct launch *launch, const char *printed, double share);
/* The ns that the program printed for the name, or fails the test. */
long long launch_truth(const struct launch *launch, const char *name);

#endif
