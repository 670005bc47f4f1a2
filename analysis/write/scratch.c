/* scratch.c: a temporary file for what can only be made by name. */
/* SPDX-License-Identifier: MIT */
#include "write/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int copy_file(const char *path, FILE *out, struct error *err)
{
	FILE *file = fopen(path, "re");
	char block[16384];
	size_t got;

	if (!file)
		return error_set(err, "look at the folder for temporary files (TMPDIR)",
				 "cannot read a temporary file back: %s", strerror(errno));
	while ((got = fread(block, 1, sizeof block, file)) > 0 && fwrite(block, 1, got, out) == got)
		;
	fclose(file);
	return 0; /* what `out` did not take is found by report_write() */
}

int scratch_write(const struct report *report, const char *part, scratch_maker *make, FILE *out,
		  struct error *err)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	int fd, failed;

	if (!folder || !*folder)
		folder = "/tmp";
	snprintf(path, sizeof path, "%s/blasprof-XXXXXX", folder);
	fd = mkstemp(path);
	if (fd < 0)
		return error_set(err, "set TMPDIR to a folder that can be written",
				 "cannot make a temporary file in '%s': %s", folder,
				 strerror(errno));
	close(fd);
	failed = make(report, part, path, folder, err) || copy_file(path, out, err);
	unlink(path);
	return failed ? -1 : 0;
}
