/* output_tap.h: hands the command's standard output on and finds a number in it on the way. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_OUTPUT_TAP_H
#define RECORD_OUTPUT_TAP_H

#include "base/error.h"

struct output_tap;

/* Makes the tap for a POSIX extended regular expression whose first group is the number. A prefix
 * "rate=" says that the number is work a second, "amount=" that it is work; without one it is a
 * rate where the pattern has "/s" or "per second" in it. Fails on an expression that is wrong or
 * has no group. */
int output_tap_open(struct output_tap **tap, const char *pattern, struct error *err);
/* What the command's standard output must be. */
int output_tap_fd(const struct output_tap *tap);
/* After the fork: starts handing on, in a thread. */
int output_tap_start(struct output_tap *tap, struct error *err);
/* After the command's end: 1 and the last number that matched, 0 when none did. */
int output_tap_finish(struct output_tap *tap, double *number, int *is_rate);
void output_tap_free(struct output_tap *tap);

#endif
