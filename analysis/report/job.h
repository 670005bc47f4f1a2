/* job.h: puts the runs of an MPI job's ranks together as one run. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_JOB_H
#define STORE_JOB_H

#include "store/run.h"

/* Makes one run of those that are ranks of one job (facts mpi.*) and the same command; where the
 * launcher names no job, of those whose regions of interest overlap, if no others do. Its region
 * of interest goes from the first rank's start to the last one's end, its threads, processes,
 * shapes and counts are those of all. Their order is that of each job's first run in the array;
 * *count becomes what is left. A job of which ranks are missing gets the note ranks_missing, one
 * whose machines' clocks differ so much that its ranks would not overlap is aligned by their starts
 * and gets the note ranks_aligned. */
void job_merge(struct run *runs, size_t *count);

#endif
