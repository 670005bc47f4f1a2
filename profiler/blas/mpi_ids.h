/* mpi_ids.h: a number for each MPI call in mpi.def. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_MPI_IDS_H
#define SHIM_MPI_IDS_H

enum mpi_id {
#define MPI_CALL(name, fortran, words) MPI_ID_##name,
#include "blas/mpi.def"
	MPI_IDS
};

#endif
