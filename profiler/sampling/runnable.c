/* runnable.c: how long threads were runnable while others of the program had the CPUs. */
/* SPDX-License-Identifier: MIT */
#include "sampling/runnable.h"

double runnable_own_ns(struct runnable *runnable, int64_t now_ns)
{
	int over = runnable->running + runnable->ready - runnable->cpus;

	if (now_ns <= runnable->counted_ns)
		return runnable->own_ns;
	over = over < runnable->ready ? over : runnable->ready;
	if (over > 0)
		runnable->own_ns +=
			(double)(now_ns - runnable->counted_ns) * over / runnable->ready;
	runnable->counted_ns = now_ns;
	return runnable->own_ns;
}

void runnable_change(struct runnable *runnable, int64_t now_ns, int running, int ready)
{
	runnable_own_ns(runnable, now_ns);
	runnable->running += running;
	runnable->ready += ready;
}
