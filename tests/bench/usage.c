/* usage.c: runs a command and writes the resources that it used to a file: usage FILE COMMAND... */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/clock.h"

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* Writes one line: the largest resident size in KiB, and the wall time and CPU time in seconds. */
int main(int argc, char **argv)
{
	int64_t start_ns = clock_ns(CLOCK_MONOTONIC), wall_ns;
	struct rusage usage;
	pid_t child;
	int status;
	FILE *out;

	if (argc < 3 || (child = fork()) < 0)
		return 2;
	if (!child) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child)
		return 3;
	wall_ns = clock_ns(CLOCK_MONOTONIC) - start_ns;
	out = fopen(argv[1], "w");
	if (!out)
		return 3;
	fprintf(out, "%ld %.6f %.6f\n", usage.ru_maxrss, (double)wall_ns * 1e-9,
		seconds(usage.ru_utime) + seconds(usage.ru_stime));
	return fclose(out) || !WIFEXITED(status) ? 3 : WEXITSTATUS(status);
}
