/* output.h: what blasprof says on its own behalf: failures, and whether its output was written. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

#include "base/error.h"

/* Prints "blasprof: WHAT; REMEDY" as one line on stderr. Returns STATUS_FAILED. */
int output_failure(const struct error *err);

/* Lets writing to stdout and stderr wait where there is no room, as it does unless somebody turned it off: the command
 * shares them, and may have. */
void output_make_wait(void);

/* Has text for people fit the file (write/paper.h): COLUMNS, else the terminal's width; colours
 * only on a terminal that has them, and never with NO_COLOR. output_open() does it. */
void output_fit(FILE *file);

/* 1 where TERM names no terminal that can do more than print lines: it is unset, empty or dumb. */
int output_is_plain(void);

/* Opens a file for a report; path NULL: `fallback`. NULL with *err when it cannot, and where the
 * file is a store: a report would end the runs in it. */
FILE *output_open(const char *path, FILE *fallback, struct error *err);

/* Ends writing to what output_open() gave (path as given there); the fallback is flushed and stays
 * open. Returns 0, or -1 with *err when not everything could be written. */
int output_close(FILE *file, const char *path, struct error *err);

/* Removes the file at `path`, if that is a plain one: half a report looks like a whole one. NULL:
 * nothing. */
void output_discard(const char *path);

/* To be called when a command has printed to stdout: returns its exit status, 0 or, when not
 * everything could be written, STATUS_FAILED after saying so. */
int output_finish(void);

#endif
