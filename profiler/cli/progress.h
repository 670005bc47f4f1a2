/* progress.h: one line on the terminal that says how far a sweep has come. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/plan.h"

struct progress {
	const struct plan *plan;
	int shown;	/* 0: standard error is no terminal, or nobody wants to know */
	int in_place;	/* 1: the line is overwritten by the next; 0: the command writes to the
			 * terminal as well, and each line stays above what it writes */
	int width;	/* of the line that is there now */
	double *sums_s; /* of finished runs, by kind */
	size_t *finished;
	double begun_s;
};

/* 0, or -1 with *err. End it with progress_end() in every case. */
int progress_start(const struct plan *plan, int quiet, struct progress *progress,
		   struct error *err);
/* Run `index` of the plan, whose command reads like this, begins, and has ended. */
void progress_begin_run(struct progress *progress, size_t index, const char *command);
void progress_end_run(struct progress *progress, size_t index);
/* Erases the line, to make place for something else. */
void progress_erase(struct progress *progress);
void progress_end(struct progress *progress);

#endif
