/* stamps.c: keeps and writes the moments of steps. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stamps.h"

int stamps_open(struct stamps *stamps, const char *path, long steps, struct failure *failure)
{
	*stamps = (struct stamps){.path = path, .steps = steps, .file = fopen(path, "w")};
	if (!stamps->file)
		return failure_set(failure, EXIT_USAGE, "--stamps: cannot write to '%s': %s", path,
				   strerror(errno));
	stamps->at_ns = calloc((size_t)steps, sizeof(*stamps->at_ns));
	if (stamps->at_ns)
		return 0;
	stamps_close(stamps);
	return failure_set(failure, EXIT_FAILED, "--stamps: no memory for %ld steps", steps);
}

static int compare_moments(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int stamps_write(struct stamps *stamps, struct failure *failure)
{
	qsort(stamps->at_ns, (size_t)stamps->steps, sizeof(*stamps->at_ns), compare_moments);
	for (long i = 0; i < stamps->steps; i++)
		fprintf(stamps->file, "%" PRId64 "\n", stamps->at_ns[i]);
	if (fflush(stamps->file) || ferror(stamps->file))
		return failure_set(failure, EXIT_FAILED, "--stamps: cannot write to '%s': %s",
				   stamps->path, strerror(errno));
	return 0;
}

void stamps_close(struct stamps *stamps)
{
	if (stamps->file)
		fclose(stamps->file);
	free(stamps->at_ns);
	*stamps = (struct stamps){0};
}
