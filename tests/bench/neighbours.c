/* neighbours.c: how much other guests of the host use the cores of this machine's CPUs. */
/* SPDX-License-Identifier: MIT
 *
 * Prints a line for each CPU that the program may use: the CPU, the time in us to read an array
 * that fits the core's second-level cache, and the factor by which the read is slower after 1 ms of
 * spinning without memory accesses. Both are medians. The factor is 1.0 if nobody else uses the
 * core. A hypervisor may give the core's other hardware thread to another guest, which evicts the
 * array meanwhile. Any program's thread is slowed down in this way after a wait. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "wire/clock.h"

enum {
	ARRAY_BYTES = 256 << 10, /* well below the 0.5 to 2 MiB of current second-level caches */
	LINE_BYTES = 64,
	ROUNDS = 101,
	PAUSE_NS = 1000000
};

static volatile unsigned char array[ARRAY_BYTES];

static int64_t read_array_ns(void)
{
	int64_t begun_ns = clock_ns(CLOCK_MONOTONIC);

	for (size_t at = 0; at < ARRAY_BYTES; at += LINE_BYTES)
		(void)array[at];
	return clock_ns(CLOCK_MONOTONIC) - begun_ns;
}

COMPARE(by_length, int64_t, ORDER(*a, *b))

/* Median duration of a read after spinning for pause_ns. */
static int64_t read_after_ns(int64_t pause_ns)
{
	int64_t took_ns[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		int64_t until_ns = clock_ns(CLOCK_MONOTONIC) + pause_ns;

		while (clock_ns(CLOCK_MONOTONIC) < until_ns)
			;
		took_ns[round] = read_array_ns();
	}
	qsort(took_ns, ROUNDS, sizeof(*took_ns), by_length);
	return took_ns[ROUNDS / 2];
}

int main(void)
{
	cpu_set_t allowed, one;

	for (size_t at = 0; at < ARRAY_BYTES; at += LINE_BYTES)
		array[at] = 1; /* allocates each page */
	if (sched_getaffinity(0, sizeof(allowed), &allowed)) {
		perror("neighbours: cannot find out which CPUs it may use");
		return 1;
	}
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed)) {
			int64_t at_once_ns;

			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			sched_setaffinity(0, sizeof(one), &one);
			at_once_ns = read_after_ns(0);
			printf("%d %.2f %.2f\n", cpu, (double)at_once_ns / 1e3,
			       (double)read_after_ns(PAUSE_NS) / (double)at_once_ns);
		}
	return 0;
}
