/* program.h: the program that train and infer have in common, and its options. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_PROGRAM_H
#define WORKLOADS_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>

#include "failure.h"

/* What differs between train and infer. */
struct program {
	const char *name; /* "train" */
	const char *does; /* one line for --help */
	const char *unit; /* "trn/s" */
	long steps;	  /* default of --steps */
	bool trains;
	const struct peers *peers; /* the other processes of an MPI job; else NULL */
};

enum mode { MODE_INDEPENDENT, MODE_ALLREDUCE };

struct options {
	long threads;
	long hidden, blocks, experts, top_k, sequence, steps, seed;
	long routing; /* enum routing */
	long fusion;  /* 0: on, 1: off */
	long mode;    /* enum mode */
	long blas_threads;
	const char *text;   /* path, or NULL for a generated text */
	const char *stamps; /* path, or NULL */
	bool mpi;
	bool help;
};
extern const char *const mode_names[], *const routing_names[]; /* end with NULL */

/* Parses argv, which getopt may reorder. Returns -1 with *failure (EXIT_USAGE) at the first invalid
 * argument. */
int options_parse(struct options *options, const struct program *program, int argc, char **argv,
		  struct failure *failure);
void options_help(const struct program *program, FILE *out);

/* The struct program of train, with MPI and without. */
#define TRAIN_PROGRAM                                                                              \
	{                                                                                          \
		.name = "train",                                                                   \
		.does = "Trains a mixture-of-experts transformer on the characters of a text, on " \
			"cblas_sgemm.",                                                            \
		.unit = "trn/s", .steps = 3000, .trains = true,                                    \
	}

/* Runs the whole program and returns its exit status. */
int program_main(const struct program *program, int argc, char **argv);

#endif
