/* neighbours.c: how much other guests of the host use the cores of this machine's CPUs. */
/* SPDX-License-Identifier: MIT
 *
 * Prints a line for each CPU that the program may use: the CPU, the time in us to read an array
 * that fits the core's second-level cache, and the factor by which the read is slower after 1 ms of
 * spinning without memory accesses. Both are medians. The factor is 1.0 if nobody else uses the
 * core. A hypervisor may give the core's other hardware thread to another guest, which evicts the
 * array meanwhile. Any program's thread is slowed down in this way after a wait. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
	ARRAY_BYTES = 256 << 10, /* well below the 0.5 to 2 MiB of current second-level caches */
	LINE_BYTES = 64,
	ROUNDS = 101,
	PAUSE_NS = 1000000
};

static volatile unsigned char array[ARRAY_BYTES];

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t read_array_ns(void)
{
	int64_t begun_ns = now_ns();

	for (size_t at = 0; at < ARRAY_BYTES; at += LINE_BYTES)
		(void)array[at];
	return now_ns() - begun_ns;
}

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Median duration of a read after spinning for pause_ns. */
static int64_t read_after_ns(int64_t pause_ns)
{
	int64_t took_ns[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		int64_t until_ns = now_ns() + pause_ns;

		while (now_ns() < until_ns)
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
