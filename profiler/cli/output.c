/* output.c: says failures on stderr and makes sure that output was written. */
/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"
#include "report/paper.h"

int output_failure(const struct error *err)
{
	fprintf(stderr, "blasprof: %s%s%s\n", err->what, *err->remedy ? "; " : "", err->remedy);
	return STATUS_FAILED;
}

#define COLUMNS_MAX 10000

static int file_columns(FILE *file)
{
	const char *columns = getenv("COLUMNS");
	int wanted = columns ? atoi(columns) : 0;
	struct winsize size;

	if (wanted > 0 && wanted < COLUMNS_MAX)
		return wanted;
	return !ioctl(fileno(file), TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : PAPER_WIDTH;
}

int output_is_plain(void)
{
	const char *terminal = getenv("TERM");

	return !terminal || !*terminal || !strcmp(terminal, "dumb");
}

/* An empty NO_COLOR is none, as its convention says. */
static int file_has_colours(FILE *file)
{
	const char *none = getenv("NO_COLOR");

	return isatty(fileno(file)) && !(none && *none) && !output_is_plain();
}

void output_fit(FILE *file)
{
	paper_set(file_columns(file), file_has_colours(file));
}

FILE *output_open(const char *path, FILE *fallback, struct error *err)
{
	FILE *file = path ? fopen(path, "we") : fallback;

	if (!file)
		error_set(err, "choose another with --output=FILE", "cannot write '%s': %s", path,
			  strerror(errno));
	else
		output_fit(file);
	return file;
}

/* Where an earlier write failed, its errno is lost: writing once more tells it again. */
int output_close(FILE *file, const char *path, struct error *err)
{
	int failed = ferror(file);

	errno = 0;
	if (failed)
		fputc('\n', file);
	if (path ? fclose(file) : fflush(file))
		failed = 1;
	if (!failed)
		return 0;
	return error_set(err, "make room or choose another place for it",
			 "cannot write all of %s%s%s: %s", path ? "'" : "",
			 path ? path : "the output", path ? "'" : "",
			 strerror(errno ? errno : EIO));
}

int output_finish(void)
{
	struct error err;

	return output_close(stdout, NULL, &err) ? output_failure(&err) : 0;
}
