/* collect_mpi.c: the MPI calls from the shim's record files. */
/* SPDX-License-Identifier: MIT */
#include "calls/collect_parts.h"

#include <stdio.h>
#include <string.h>

#include "blas/mpi_ids.h"

static const char *const names[MPI_IDS] = {
#define MPI_CALL(name, fortran, words) "MPI_" #name,
#include "blas/mpi.def"
};

static struct run_mpi *get_row(struct run *run, const char *name)
{
	struct run_mpi *row;

	for (size_t i = 0; i < run->nmpi; i++)
		if (!strcmp(run->mpi[i].routine, name))
			return &run->mpi[i];
	row = run_add_mpi(run);
	if (row)
		snprintf(row->routine, sizeof row->routine, "%s", name);
	return row;
}

int collect_mpi(struct process_file *file, const struct thread_frame *frame, struct run *run)
{
	const struct mpi_record *records;
	size_t at = 0, count;

	while ((records = process_file_rows(file, &at, CHUNK_MPI, sizeof *records, &count)))
		for (size_t i = 0; i < count && i < MPI_IDS; i++) {
			struct run_mpi *row = records[i].calls ? get_row(run, names[i]) : NULL;
			int64_t longest = clock_line_span_ns(&frame->line, records[i].max_ticks);

			if (!records[i].calls)
				continue;
			if (!row)
				return -1;
			row->calls += records[i].calls;
			row->total_ns += clock_line_span_ns(&frame->line, records[i].ticks);
			row->max_ns = longest > row->max_ns ? longest : row->max_ns;
		}
	return 0;
}
