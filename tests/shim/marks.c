/* marks.c: sets the marks that its arguments name, in their order. */
/* SPDX-License-Identifier: MIT
 *
 * marks ARGUMENT...: +NAME begins a region, -NAME ends one, a number makes so many calls of BLAS.
 * %NAMES makes 20,000 pairs of a begin and an end, of so many names in turn, and prints the CPU
 * time in ns that they took.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "blasprof.h"
#include "tests/shim/truth_blas.h"
#include "wire/clock.h"
#include "wire/layout.h"

#define PAIRS 20000

static void time_names(int count)
{
	char(*names)[REGION_NAME_BYTES] = calloc((size_t)count, sizeof *names);
	int64_t begun_ns;

	for (int i = 0; i < count; i++)
		snprintf(names[i], sizeof *names, "name %d of %d", i, count);
	begun_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	for (int i = 0; i < PAIRS; i++) {
		blasprof_region_begin(names[i % count]);
		blasprof_region_end(names[i % count]);
	}
	printf("%lld\n", (long long)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun_ns));
	free(names);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *name = argv[i] + 1;

		if (*argv[i] == '+')
			blasprof_region_begin(name);
		else if (*argv[i] == '-')
			blasprof_region_end(name);
		else if (*argv[i] == '%')
			time_names(atoi(name));
		else
			for (int calls = atoi(argv[i]); calls > 0; calls--)
				cblas_sgemm(101, 111, 111, 4, 4, 4, 0, NULL, 4, NULL, 4, 0, NULL,
					    4);
	}
	return 0;
}
