/* error.h: describes a failure: what went wrong and what the user can do about it. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

struct error {
	char what[768]; /* one line, no full stop: "cannot open store 'x.db': Permission denied" */
	char remedy[512]; /* one line: what the user can do; empty if nothing */
};

/* Fills *err; err may be NULL. Cuts long texts and replaces control characters with spaces. Always
 * returns -1, so that a caller can return its result. */
int error_set(struct error *err, const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Fills *err for memory that is out. Always returns -1. */
int error_out_of_memory(struct error *err);

/* The remedy for an errno that comes from a limit (open files, file sizes); `otherwise` for any
 * other. */
const char *error_remedy(int number, const char *otherwise);

#endif
