/* train_mpi.c: train for MPI jobs, whose ranks sum their gradients by MPI_Allreduce. */
/* SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <stdio.h>

#include "program.h"
#include "trainer.h"

/* Number of values in one message; MPI counts in int. */
enum { PIECE = 1 << 28 };

static void sum(float *values, size_t count)
{
	while (count) {
		int piece = count < PIECE ? (int)count : PIECE;

		MPI_Allreduce(MPI_IN_PLACE, values, piece, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
		values += piece;
		count -= (size_t)piece;
	}
}

static void sum_results(double *values, int count)
{
	MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void take_largest(double *value)
{
	MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	struct peers peers = {.sum = sum, .sum_results = sum_results, .take_largest = take_largest};
	struct program program = TRAIN_PROGRAM;
	int status, threads;

	program.peers = &peers;
	if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads))
		return EXIT_FAILED;
	MPI_Comm_rank(MPI_COMM_WORLD, &peers.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &peers.ranks);
	if (threads >= MPI_THREAD_SERIALIZED) {
		status = program_main(&program, argc, argv);
	} else {
		fprintf(stderr,
			"%s: --mpi: this MPI library supports calls from the first thread only\n",
			program.name);
		status = EXIT_FAILED;
	}
	if (status) /* the other ranks would wait for this one */
		MPI_Abort(MPI_COMM_WORLD, status);
	MPI_Finalize();
	return 0;
}
