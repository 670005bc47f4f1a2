/* program.h: what train and infer have in common: all but the row that tells them apart. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_PROGRAM_H
#define WORKLOADS_PROGRAM_H

#include "options.h"

/* The whole program; returns its exit status. */
int program_main(const struct program *program, int argc, char **argv);

#endif
