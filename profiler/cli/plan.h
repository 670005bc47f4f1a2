/* plan.h: which runs -t, -L and -r ask for, in which order, and the command of each. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "cli/command.h"
#include "report/sizes.h"

#define PARAMETERS_MAX	    SIZES_PARAMETERS_MAX
#define COMBINATIONS_MAX    10000
#define THREADS_PLACEHOLDER "{}"

struct plan_options {
	const char *threads;	       /* -t; NULL: whatever the program uses */
	const char *threads_env;       /* variables to be set, separated by commas; NULL: none */
	int runs;		       /* of each thread count and value */
	int warmup;		       /* rounds before those; -1: one, or none for a single run */
	struct option_list parameters; /* the arguments of -L: NAME=VALUE,... */
};

/* What -L gives besides thread counts: a name and the values in its place. */
struct parameter {
	char *text;	   /* the option's argument, split in place; owned */
	const char *name;  /* within text */
	char *placeholder; /* "{hidden}"; owned */
	char **values;	   /* owned, each too */
	size_t count;
};

/* The command with one combination of the parameters' values: its runs make an experiment. */
struct variant {
	const char *values[PARAMETERS_MAX]; /* the last parameter's change fastest */
	char **command;			    /* {} is still in it; owned */
};

struct plan {
	char *const *command; /* as it was given */
	struct parameter parameters[PARAMETERS_MAX];
	size_t nparameters;
	struct variant *variants; /* one without parameters */
	size_t nvariants;
	int *threads;	     /* as asked for */
	size_t nthreads;     /* 0: none was asked for */
	char **variables;    /* that are set to the thread count; NULL at the end */
	int has_placeholder; /* 1: the command has {} for the thread count */
	size_t warmup, runs; /* rounds */
};

struct planned_run {
	size_t variant;
	int threads; /* 0: whatever the program uses */
	int is_warmup;
	size_t kind; /* runs of one variant and thread count are of one kind, 0, 1, ... */
};

/* 0, or -1 with *err and a remedy: a malformed option, or a value without its placeholder in the
 * command. Free with plan_free() in every case. */
int plan_make(const struct plan_options *options, char *const command[], struct plan *plan,
	      struct error *err);
void plan_free(struct plan *plan);

/* Runs of one round, and of all rounds with the warm-up. */
size_t plan_kinds(const struct plan *plan);
size_t plan_count(const struct plan *plan);
struct planned_run plan_run(const struct plan *plan, size_t index);

/* The words of a run. Free with arguments_free(). */
char **plan_arguments(const struct plan *plan, const struct planned_run *run);
void arguments_free(char **arguments);
/* Sets the variables that tell the program its thread count. */
void plan_set_variables(const struct plan *plan, const struct planned_run *run);

#endif
