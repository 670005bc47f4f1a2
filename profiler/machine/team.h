/* team.h: times kernels with one thread and with a thread on each CPU, by turns. */
/* SPDX-License-Identifier: MIT */
#ifndef PROBE_TEAM_H
#define PROBE_TEAM_H

#include "machine/kernels.h"
#include "base/error.h"

#define TEAM_REPEATS 9

/* Work to be timed, and what came out: work a second of the threads' CPU time, summed over them, of
 * each repeat. CPU time, because what else runs on the machine is not the machine's ceiling. */
struct team_task {
	const struct flops_kernel *flops;	  /* either this */
	const struct bandwidth_kernel *bandwidth; /* or this, over so much: */
	size_t bytes_one, bytes_each;		  /* of one thread alone, and of each of all */
	double one[TEAM_REPEATS], all[TEAM_REPEATS];
};

/* Runs all tasks `TEAM_REPEATS` times by turns, with one thread and with `threads`, each on its own
 * CPU of the caller's mask, after a round to warm up. 0, or -1 with *err: no threads, no memory. */
int team_run(struct team_task *tasks, size_t count, int threads, struct error *err);

#endif
