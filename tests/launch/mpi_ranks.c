/* mpi_ranks.c: MPI ranks that compute for known times and wait for each other. */
/* SPDX-License-Identifier: MIT
 *
 * mpi_ranks ROUNDS [SECONDS]: rank 0 computes for this CPU time, and the others wait for it, before
 * any of them calls BLAS, and print the CPU time that this takes them. Then in each round, rank r
 * calls BLAS for r + 1 ms, and all ranks call MPI_Allreduce. Rank 0 prints the total of r + 1 over
 * all ranks and rounds.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/shim/truth_blas.h"

#define MS_NS 1e6f

int main(int argc, char **argv)
{
	int rank, rounds = argc > 1 ? atoi(argv[1]) : 1;
	double all = 0;
	clock_t begun;

	if (MPI_Init(&argc, &argv) || MPI_Comm_rank(MPI_COMM_WORLD, &rank))
		return 1;
	while (argc > 2 && !rank && (double)clock() / CLOCKS_PER_SEC < atof(argv[2]))
		;
	begun = clock();
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 2 && rank)
		printf("barrier %.3f ms\n", (double)(clock() - begun) * 1e3 / CLOCKS_PER_SEC);
	for (int i = 0; i < rounds; i++) {
		double own = rank + 1, sum = 0;

		cblas_sgemm(101, 111, 111, 1, 1, 1, (float)own * MS_NS, NULL, 1, NULL, 1, 0, NULL,
			    1);
		MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		all += sum;
	}
	if (!rank)
		printf("%g\n", all);
	return MPI_Finalize();
}
