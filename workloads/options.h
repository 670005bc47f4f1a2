/* options.h: what the command line asks for; one table drives parsing, checks and --help. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_OPTIONS_H
#define WORKLOADS_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "failure.h"
#include "peers.h"

/* One of the two programs. */
struct program {
	const char *name; /* "train" */
	const char *does; /* one line for --help */
	const char *unit; /* "trn/s" */
	long steps;	  /* default of --steps */
	bool trains;
	const struct peers *peers; /* of a program that was started as one of several; else NULL */
};

enum mode { MODE_INDEPENDENT, MODE_ALLREDUCE };

struct options {
	long threads;
	long hidden, blocks, experts, top_k, sequence, steps, seed;
	long routing; /* enum routing */
	long fusion;  /* 0: on, 1: off */
	long mode;    /* enum mode */
	long blas_threads;
	const char *text;   /* path, or NULL: made up */
	const char *stamps; /* path, or NULL: none */
	bool mpi;
	bool help;
};
extern const char *const mode_names[], *const routing_names[]; /* end with NULL */

/* Parses argv (which getopt may reorder). -1 with *failure, status EXIT_USAGE, at the first
 * argument that is not good. */
int options_parse(struct options *options, const struct program *program, int argc, char **argv,
		  struct failure *failure);
void options_help(const struct program *program, FILE *out);

#endif
