/* crowd.c: for how long more threads are ready to run than there are CPUs for them. */
/* SPDX-License-Identifier: MIT */
#include "sampling/crowd.h"

double crowd_own_ns(struct crowd *crowd, int64_t now_ns)
{
	int over = crowd->running + crowd->ready - crowd->cpus;

	if (now_ns <= crowd->counted_ns)
		return crowd->own_ns;
	over = over < crowd->ready ? over : crowd->ready;
	if (over > 0)
		crowd->own_ns += (double)(now_ns - crowd->counted_ns) * over / crowd->ready;
	crowd->counted_ns = now_ns;
	return crowd->own_ns;
}

void crowd_change(struct crowd *crowd, int64_t now_ns, int running, int ready)
{
	crowd_own_ns(crowd, now_ns);
	crowd->running += running;
	crowd->ready += ready;
}
