/* failure.h: why a program of this folder failed: one line and an exit status. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_FAILURE_H
#define WORKLOADS_FAILURE_H

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct failure {
	int status;
	char what[512]; /* without a full stop or line feed at the end */
};

/* Fills *failure and returns -1, so that a caller can return its result. */
int failure_set(struct failure *failure, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
