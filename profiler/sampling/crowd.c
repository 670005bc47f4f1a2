/* crowd.c: tells when a program starts threads so fast that each is dear to follow. */
/* SPDX-License-Identifier: MIT */
#include "sampling/crowd.h"

/* At this pace what the kernel does for one inherited event at a thread's start and end takes some
 * 2 % of a CPU. */
enum { CROWD_LEAST = 256, CROWD_A_CPU = 4 };
#define CROWD_PACE_NS 200000

int crowd_came(const struct timeline *timeline, size_t cpus)
{
	size_t many = cpus * CROWD_A_CPU > CROWD_LEAST ? cpus * CROWD_A_CPU : CROWD_LEAST;
	size_t count = timeline->ntasks;

	if (count <= many)
		return 0;
	return timeline->tasks[count - 1].start_ns - timeline->tasks[count - 1 - many].start_ns <
	       (int64_t)many * CROWD_PACE_NS;
}
