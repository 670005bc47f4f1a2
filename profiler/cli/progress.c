/* progress.c: shows on the terminal how far a sweep has come and how long it will take. */
/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "write/escape.h"

#define COLUMNS_DEFAULT 80
#define COLUMNS_MAX	400

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int progress_start(const struct plan *plan, int quiet, struct progress *progress, struct error *err)
{
	memset(progress, 0, sizeof *progress);
	progress->plan = plan;
	progress->shown = !quiet && isatty(STDERR_FILENO);
	progress->in_place = !isatty(STDOUT_FILENO);
	progress->sums_s = calloc(plan_kinds(plan), sizeof *progress->sums_s);
	progress->finished = calloc(plan_kinds(plan), sizeof *progress->finished);
	return progress->sums_s && progress->finished ? 0 : error_out_of_memory(err);
}

/* What is left from run `index` on, by the mean of finished runs of each kind, or of all where
 * there is none of its kind; below 0 when none has finished. */
static double seconds_left(const struct progress *progress, size_t index)
{
	double sum = 0, left = 0;
	size_t finished = 0;

	for (size_t i = 0; i < plan_kinds(progress->plan); i++) {
		sum += progress->sums_s[i];
		finished += progress->finished[i];
	}
	if (!finished)
		return -1;
	for (; index < plan_count(progress->plan); index++) {
		size_t kind = plan_run(progress->plan, index).kind;

		left += progress->finished[kind]
				? progress->sums_s[kind] / (double)progress->finished[kind]
				: sum / (double)finished;
	}
	return left;
}

static void describe_left(double seconds, char *text, size_t size)
{
	long whole = (long)(seconds + 0.5);

	if (seconds < 0)
		*text = '\0';
	else if (whole < 1)
		snprintf(text, size, ", under 1 s left");
	else if (whole < 60)
		snprintf(text, size, ", %ld s left", whole);
	else if (whole < 3600)
		snprintf(text, size, ", %ld min %ld s left", whole / 60, whole % 60);
	else
		snprintf(text, size, ", %ld h %ld min left", whole / 3600, whole / 60 % 60);
}

void progress_erase(struct progress *progress)
{
	if (progress->width)
		fprintf(stderr, "\r%*s\r", progress->width, "");
	progress->width = 0;
	fflush(stderr);
}

/* One column is left free, so that the line does not wrap. */
static size_t terminal_columns(void)
{
	struct winsize size;
	size_t columns = COLUMNS_DEFAULT;

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1)
		columns = size.ws_col;
	return (columns < COLUMNS_MAX ? columns : COLUMNS_MAX) - 1;
}

void progress_begin_run(struct progress *progress, size_t index, const char *command)
{
	struct planned_run run = plan_run(progress->plan, index);
	char left[64], line[1024], shown[4 * COLUMNS_MAX + 1];

	progress->begun_s = now_s();
	if (!progress->shown)
		return;
	progress_erase(progress);
	describe_left(seconds_left(progress, index), left, sizeof left);
	snprintf(line, sizeof line, "run %zu of %zu%s%s: %s", index + 1, plan_count(progress->plan),
		 run.is_warmup ? " (warm-up)" : "", left, command);
	escape_text(line, terminal_columns(), shown, sizeof shown);
	fputs(shown, stderr);
	if (progress->in_place)
		progress->width = (int)text_width(shown);
	else
		fputc('\n', stderr);
	fflush(stderr);
}

void progress_end_run(struct progress *progress, size_t index)
{
	size_t kind = plan_run(progress->plan, index).kind;

	progress->sums_s[kind] += now_s() - progress->begun_s;
	progress->finished[kind]++;
}

void progress_end(struct progress *progress)
{
	progress_erase(progress);
	free(progress->sums_s);
	free(progress->finished);
	memset(progress, 0, sizeof *progress);
}
