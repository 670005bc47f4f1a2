/* job_rows.h: gives the rows of one rank's run to the run of its job. Private to profiler/store. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_JOB_ROWS_H
#define STORE_JOB_ROWS_H

#include "store/run.h"

/* Moves the rows of all parts but facts and spans (a timeline is one rank's) from `from`, which
 * keeps what it can be freed with: places in other parts go on to hold, and counters of one event
 * become one. Energy is a machine's: same_machine 1 where `to` has that of the machine of `from`.
 * 0, or -1 when memory is out. */
int job_move_rows(struct run *to, struct run *from, int same_machine);

#endif
