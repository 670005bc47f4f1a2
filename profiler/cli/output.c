/* output.c: says failures on stderr and makes sure that output was written. */
/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "write/paper.h"

void output_make_wait(void)
{
	static const int files[] = {STDOUT_FILENO, STDERR_FILENO};

	for (size_t i = 0; i < COUNT(files); i++) {
		int flags = fcntl(files[i], F_GETFL);

		if (flags >= 0 && flags & O_NONBLOCK)
			fcntl(files[i], F_SETFL, flags & ~O_NONBLOCK);
	}
}

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

static int is_plain_file(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISREG(status.st_mode);
}

/* -o is a report's file for one command and a store for another. */
static int is_database(const char *path)
{
	static const char mark[] = "SQLite format 3";
	char begins[sizeof mark] = "";
	struct stat status;
	FILE *file;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return 0;
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fread(begins, 1, sizeof begins, file) != sizeof begins)
		begins[0] = '\0';
	fclose(file);
	return !memcmp(begins, mark, sizeof mark);
}

FILE *output_open(const char *path, FILE *fallback, struct error *err)
{
	FILE *file;

	if (path && is_database(path)) {
		error_set(err, "choose another with --output=FILE; a store is named by --store",
			  "'%s' holds a store, and the report would take its place", path);
		return NULL;
	}
	file = path ? fopen(path, "we") : fallback;

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

void output_discard(const char *path)
{
	if (path && is_plain_file(path))
		remove(path);
}

int output_finish(void)
{
	struct error err;

	return output_close(stdout, NULL, &err) ? output_failure(&err) : 0;
}
