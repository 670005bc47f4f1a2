/* progress.c: a line on the terminal: how far the suite has come, and how long it will take. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cells/progress.h"

enum { BAR = 20, COLUMNS_DEFAULT = 80, LINE_MAX_BYTES = 200 };
#define EXPECTED_S 3.0 /* the expectation weighs as much as so many seconds of measuring */

void progress_start(struct progress *progress)
{
	clock_gettime(CLOCK_MONOTONIC, &progress->start);
}

double progress_left_s(const struct progress *progress, double passed_s)
{
	double pace = (passed_s + EXPECTED_S) / (progress->done_s + EXPECTED_S);

	return fmax(progress->all_s - progress->done_s, 0) * pace;
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return difftime(now.tv_sec, start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

/* One column is left free, so that the line does not wrap. */
static int columns(void)
{
	struct winsize size;

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1)
		return size.ws_col - 1;
	return COLUMNS_DEFAULT - 1;
}

void progress_show(const struct progress *progress, const char *at)
{
	const double share = progress->all_s > 0 ? progress->done_s / progress->all_s : 0;
	const double left = progress_left_s(progress, seconds_since(&progress->start));
	const int filled = (int)(fmin(share, 1) * BAR);
	char line[LINE_MAX_BYTES];

	if (!isatty(STDERR_FILENO))
		return;
	snprintf(line, sizeof(line), "[%.*s%.*s] %2.0f %%, about %.0f s left: %s", filled,
		 "####################", BAR - filled, "....................", 100 * share,
		 ceil(left), at);
	fprintf(stderr, "\r\033[K%.*s", columns(), line);
}

void progress_erase(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}
