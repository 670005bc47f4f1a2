/* sweep.h: the options of a recording, which runs they ask for (-t, -L, -r) in which order, and
 * recording them. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include <stdio.h>

#include "cli/command.h"
#include "cli/experiment.h"
#include "record/record.h"
#include "report/sizes.h"
#include "write/format.h"

/* record_options.c. Each function returns 0, or -1 with *err and a remedy. `text` is the option's
 * argument, or NULL for the default. */
#define TIMELINE_SPANS	   16384 /* kept of each thread by default */
#define TIMELINE_SPANS_MAX 262144

/* "fp", "dwarf", "dwarf,16384" or "none". */
int call_graph_parse(const char *text, struct record_options *options, struct error *err);
/* "all", "forks" or "none", as enum follow_kind. */
int follow_parse(const char *text, int *follow, struct error *err);
/* Each text is a comma-separated list like "units=1,blas=1.5x". */
int what_if_parse(const struct option_list *list, double what_if[WHAT_IFS], struct error *err);
/* Checks --roi, --work, --uprobes and -e before anything runs. */
int record_options_check(const struct record_options *options, struct error *err);

/* plan.c */
#define PARAMETERS_MAX	    SIZES_PARAMETERS_MAX
#define COMBINATIONS_MAX    10000
#define THREADS_PLACEHOLDER "{}"

/* Returns 1 if one of the arguments contains the placeholder. */
int have_placeholder(char *const arguments[], const char *placeholder);

struct plan_options {
	const char *threads;	 /* -t; NULL if the program chooses */
	const char *threads_env; /* variables to set, separated by commas; NULL if there are none */
	int runs;		 /* of each thread count and value */
	int warmup;		 /* warm-up rounds; -1: one, but none for a single run */
	struct option_list parameters; /* the arguments of -L: NAME=VALUE,... */
};

/* The name in an argument of -L, and the values to put in its place. */
struct parameter {
	const char *name, *placeholder; /* "hidden", "{hidden}" */
	const char **values;		/* owned */
	size_t count;
};

/* The command with one combination of parameter values. Its runs make an experiment. */
struct variant {
	const char *values[PARAMETERS_MAX]; /* of the parameters; the last one changes fastest */
	char **command;			    /* still with {}; owned */
};

struct plan {
	char *const *command; /* as given */
	struct parameter parameters[PARAMETERS_MAX];
	size_t nparameters;
	struct variant *variants; /* a single one if there are no parameters */
	size_t nvariants;
	int *threads; /* requested thread counts; 0 if none was requested */
	size_t nthreads;
	const char **variables; /* to be set to the thread count; ends with NULL */
	int has_placeholder;	/* 1: the command has {} for the thread count */
	size_t warmup, runs;	/* rounds */
};

struct planned_run {
	size_t variant;
	int threads; /* 0 if the program chooses */
	int is_warmup;
};

/* Returns 0, or -1 with *err and a remedy if an option is malformed or the command lacks a
 * placeholder. Free with plan_free() in either case. */
int plan_make(const struct plan_options *options, char *const command[], struct plan *plan,
	      struct error *err);
void plan_free(struct plan *plan);

/* Number of runs, including the warm-up. */
size_t plan_count(const struct plan *plan);
struct planned_run plan_run(const struct plan *plan, size_t index);

/* Returns the command of a run; the caller frees the array, but not its words. */
char **plan_arguments(const struct plan *plan, const struct planned_run *run);
/* Sets the environment variables that tell the program its thread count. */
void plan_set_variables(const struct plan *plan, const struct planned_run *run);

/* sweep.c */
struct sweep_options {
	struct record_options record;
	struct report_choice choice;	/* of the report on a single experiment */
	enum table_format sizes_format; /* of the table of several experiments */
	const char *store;
	int quiet;	    /* no report and no progress */
	int ignore_failure; /* continue after a failed run, and store it */
};

/* Records one run; fills *run and *session like record_run(). run->experiment becomes the name of
 * its experiment. */
enum launch_result sweep_record(const struct plan *plan, const struct planned_run *planned,
				const struct record_options *options, struct run *run,
				struct session_dir *session, struct error *err);

/* Between the two calls, SIGINT, SIGTERM and SIGHUP do not end blasprof, but are noted. */
void endings_begin(void);
void endings_end(void);
/* Returns the signal that was noted, or 0. `exit_signal` ended the last run, or is 0: a SIGINT that
 * only the command received counts as well. */
int endings_signal(int exit_signal);

/* Returns the exit status for a run that has ended: the command's, or STATUS_SIGNAL plus a signal.
 */
int endings_status(const struct run *run);

/* Records all runs, prints their errors, and writes the report to `out`. Returns the exit status,
 * or -1 with *err if the report failed. */
int sweep_run(const struct plan *plan, const struct sweep_options *options, FILE *out,
	      struct error *err);

#endif
