/* parameters.h: the values that a command is to be run with besides thread counts: -L
 * NAME=VALUE,... */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_PARAMETERS_H
#define CLI_PARAMETERS_H

#include "cli/command.h"
#include "report/sizes.h"
#include "base/error.h"

#define PARAMETERS_MAX	 SIZES_PARAMETERS_MAX
#define COMBINATIONS_MAX 10000

struct parameter {
	char *text;	   /* the option's argument, cut into pieces; owned */
	const char *name;  /* within text */
	char *placeholder; /* "{hidden}"; owned */
	char **values;	   /* owned, as the texts */
	size_t count;
};

struct parameters {
	struct parameter rows[PARAMETERS_MAX];
	size_t count;
};

/* Reads the arguments of -L. 0, or -1 with *err: no `=', a name or a value missing, a name twice, a
 * placeholder that the command does not have, too many. Free with parameters_free() in every case.
 */
int parameters_parse(const struct option_list *texts, char *const command[],
		     struct parameters *parameters, struct error *err);
void parameters_free(struct parameters *parameters);

/* In how many ways the values can be combined; 1 without parameters. */
size_t parameters_combinations(const struct parameters *parameters);
/* The values of one combination, in the order of the parameters: the last one's change fastest. */
void parameters_values(const struct parameters *parameters, size_t combination,
		       const char *values[PARAMETERS_MAX]);
/* The command with these values in it; NULL when memory is out. Free with arguments_free(). */
char **parameters_fill(const struct parameters *parameters, char *const command[],
		       const char *const values[]);

#endif
