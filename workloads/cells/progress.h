/* progress.h: a line on the terminal: how far the suite has come, and how long it will take. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_PROGRESS_H
#define CELLS_PROGRESS_H

#include <time.h>

struct progress {
	double all_s, done_s; /* all work and what is done of it, in s as they were expected */
	struct timespec start;
};

/* With all_s set: begins to count. */
void progress_start(struct progress *progress);

/* Seconds that the rest takes when so many have passed: what is expected, corrected by how long the
 * work done has taken; the more is done, the more that counts. */
double progress_left_s(const struct progress *progress, double passed_s);

/* Writes the line anew, as wide as the terminal at most; nothing where standard error is none. */
void progress_show(const struct progress *progress, const char *at);

/* Takes the line away, before anything else is written. */
void progress_erase(void);

#endif
