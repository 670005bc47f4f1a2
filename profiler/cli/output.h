/* output.h: prints failures and opens the files of reports; checks that all output was written. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

#include "base/error.h"

/* Prints "blasprof: WHAT; REMEDY" as one line on stderr. Returns STATUS_FAILED. */
int output_failure(const struct error *err);

/* Makes writing to stdout and stderr block again: the command shares their file descriptions, and
 * may have set O_NONBLOCK. */
void output_block(void);

/* Sets the width of text for people to the file's (COLUMNS, else the terminal's width), with
 * colours only on a terminal that has them and without NO_COLOR. output_open() does it. */
void output_fit(FILE *file);

/* 1 where TERM names no terminal that can do more than print lines: it is unset, empty or dumb. */
int output_is_plain(void);

/* Opens a file for a report; path NULL: `fallback`, "-": standard output. NULL with *err when it
 * cannot, and where the file is a store: a report would overwrite its runs. */
FILE *output_open(const char *path, FILE *fallback, struct error *err);

/* Ends writing to what output_open() returned (path as given there); what was open before
 * is flushed and stays so. Returns 0, or -1 with *err when not everything could be written. */
int output_close(FILE *file, const char *path, struct error *err);

/* To be called when a command has printed to stdout: returns its exit status, 0 or, when not
 * everything could be written, STATUS_FAILED after saying so. */
int output_finish(void);

#endif
