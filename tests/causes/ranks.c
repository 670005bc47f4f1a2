/* ranks.c: an MPI program with one planted cause, or none: mpirun -n N ranks CASE. */
/* SPDX-License-Identifier: MIT */
#include <mpi.h>

#include "work.h"

/* So many that the work takes much longer than the start and the end of MPI. */
enum { STEPS = 4000, UNITS = 120 };

int main(int argc, char **argv)
{
	struct workshop *shop = workshop_open();
	double begin, wall, waited = 0, busy = 0, sum = 0, all[64];
	int rank, ranks, share, uneven, messages;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	uneven = argc == 2 && !strcmp(argv[1], "imbalance") && ranks > 1 ? 40 : 0;
	/* so many that their time exceeds the difference between runs */
	messages = argc == 2 && !strcmp(argv[1], "messages") ? 4 : 1;
	share = (UNITS - uneven) / ranks + (rank ? 0 : uneven);
	work_unit(shop);
	MPI_Barrier(MPI_COMM_WORLD);
	begin = seconds(CLOCK_MONOTONIC);
	for (int step = 0; step < STEPS; step++) {
		double now = seconds(CLOCK_THREAD_CPUTIME_ID);

		for (int i = 0; i < share; i++)
			work_unit(shop);
		busy += seconds(CLOCK_THREAD_CPUTIME_ID) - now;
		if (argc < 2 || !strcmp(argv[1], "none"))
			continue;
		now = seconds(CLOCK_MONOTONIC);
		for (int i = 0; i < messages; i++)
			MPI_Allreduce(MPI_IN_PLACE, shop->c, messages > 1 ? SIDE * SIDE : 1,
				      MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
		waited += ranks > 1 ? seconds(CLOCK_MONOTONIC) - now : 0;
	}
	wall = seconds(CLOCK_MONOTONIC) - begin;
	MPI_Gather(&busy, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	MPI_Reduce(&waited, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		print_planted(uneven ? PLANTED_UNEVEN : PLANTED_SUM, sum, all, ranks, wall);
	MPI_Finalize();
	free(shop);
	return 0;
}
