/* variables.h: the environment variables that blasprof reads, for the help and the man pages. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_VARIABLES_H
#define CLI_VARIABLES_H

#include <stdio.h>

#include "cli/command.h"

#define VARIABLE_READERS 6

/* One row for each variable, or for those that are read for the same purpose. What the program that
 * is profiled reads is its own affair. */
struct variable_row {
	const char *name; /* "NO_COLOR"; with next: whose variables these are */
	/* gives the name of each of several in turn, NULL after the last */
	const char *(*next)(size_t index);
	const char *help;				 /* lines are parted by line feeds */
	const struct command *readers[VARIABLE_READERS]; /* ends with NULL; none: every command */
};

extern const struct variable_row variables[];
extern const size_t variables_count;

/* The section of the help on the variables that the command reads. */
void variables_print(const struct command *command, FILE *out);

#endif
