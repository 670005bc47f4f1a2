/* mpi_ids.h: a number and a name for each MPI call in mpi.def. */
/* SPDX-License-Identifier: MIT */
#ifndef BLAS_MPI_IDS_H
#define BLAS_MPI_IDS_H

enum mpi_id {
#define MPI_CALL(name, fortran, words) MPI_ID_##name,
#include "blas/mpi.def"
	MPI_IDS
};

/* Returns a name like "MPI_Send", or NULL if the number is invalid. */
static inline const char *mpi_name(unsigned id)
{
	static const char *const names[MPI_IDS] = {
#define MPI_CALL(name, fortran, words) "MPI_" #name,
#include "blas/mpi.def"
	};

	return id < MPI_IDS ? names[id] : NULL;
}

#endif
