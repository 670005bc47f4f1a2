/* mpi_start.h: `train --mpi' becomes the same program built with MPI: no other run loads that. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_MPI_START_H
#define WORKLOADS_MPI_START_H

#include "failure.h"

/* Replaces this process by train_mpi, which lies beside the program's own file, with the same
 * arguments. Returns only when that cannot be: -1 with *failure, status EXIT_USAGE where there is
 * none. */
int mpi_start(char **argv, struct failure *failure);

#endif
