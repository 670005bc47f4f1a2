/* error.h: one failure, said once: what went wrong and what the user can do about it. */
/* SPDX-License-Identifier: MIT */
#ifndef UTIL_ERROR_H
#define UTIL_ERROR_H

struct error {
	char what[768]; /* one line, no full stop: "cannot open store 'x.db': Permission denied" */
	char remedy[512]; /* one line that tells the user what to do; empty where there is nothing
			     to do */
};

/* Fills *err (which may be NULL: then nobody wants to know). Either text is cut at its array's
 * end; line feeds become spaces. Always returns -1, so that a caller can return its result. */
int error_set(struct error *err, const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The failure that has no other story: memory is out. Always returns -1. */
int error_out_of_memory(struct error *err);

/* What to do about an errno that is a limit's (open files, file sizes); `otherwise` where it is
 * none. */
const char *error_remedy(int number, const char *otherwise);

#endif
