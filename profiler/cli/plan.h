/* plan.h: which runs a command line asks for, and in which order: rounds of every thread count and
 * value. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "cli/parameters.h"

struct plan_options {
	const char *threads;	 /* -t; NULL: whatever the program uses */
	const char *threads_env; /* variables to be set, parted by commas; NULL: none */
	int runs;		 /* of each thread count and value */
	int warmup;		 /* rounds before those; -1: one, or none for a single run */
	struct option_list parameters;
};

/* The command with one combination of values: its runs make an experiment. */
struct variant {
	const char *values[PARAMETERS_MAX];
	char **command; /* {} is still in it; owned */
};

struct plan {
	char *const *command; /* as it was given */
	struct parameters parameters;
	struct variant *variants;
	size_t nvariants;
	int *threads;	     /* as asked for */
	size_t nthreads;     /* 0: none was asked for */
	char **variables;    /* that are set to the thread count; NULL at the end */
	int has_place;	     /* 1: the command has {} for the thread count */
	size_t warmup, runs; /* rounds */
};

struct planned_run {
	size_t variant;
	int threads; /* 0: whatever the program uses */
	int is_warmup;
	size_t kind; /* runs of one variant and thread count are of one kind, 0, 1, ... */
};

/* 0, or -1 with *err and a remedy: no thread counts, no place for them, ... Free with plan_free()
 * in every case. */
int plan_make(const struct plan_options *options, char *const command[], struct plan *plan,
	      struct error *err);
void plan_free(struct plan *plan);

/* Runs of one round, and of all rounds with the warm-up. */
size_t plan_kinds(const struct plan *plan);
size_t plan_count(const struct plan *plan);
struct planned_run plan_run(const struct plan *plan, size_t index);

/* The words of a run; NULL when memory is out. Free with arguments_free(). */
char **plan_arguments(const struct plan *plan, const struct planned_run *run);
/* Sets the variables that tell the program its thread count. 0, or -1 with *err. */
int plan_set_variables(const struct plan *plan, const struct planned_run *run, struct error *err);

#endif
