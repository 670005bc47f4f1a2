/* model_test.h: the suites of the model's tests and what they share. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_TEST_H
#define MODEL_TEST_H

#include <check.h>
#include <math.h>
#include <stdint.h>

Suite *accounting_suite(void);
Suite *models_suite(void);
Suite *reference_suite(void);
Suite *replay_suite(void);
Suite *stats_suite(void);
Suite *fit_suite(void);
Suite *estimate_suite(void);
Suite *roofline_suite(void);

/* A small generator (xorshift64*), so that every run of a test sees the same numbers. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

/* Uniform in (0, 1). */
static inline double next_uniform(uint64_t *state)
{
	return ((double)(next_random(state) >> 11) + 0.5) / 9007199254740992.0;
}

#endif
