/* output.c: prints errors, opens report files, and checks that all output was written. */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "write/terminal.h"

void output_block(void)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		int flags = fcntl(fd, F_GETFL);

		if (flags >= 0 && flags & O_NONBLOCK)
			fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	}
}

void input_rewind(void)
{
	static off_t begin = -2; /* not known yet */

	if (begin == -2)
		begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	else if (begin >= 0)
		lseek(STDIN_FILENO, begin, SEEK_SET);
}

int output_failure(const struct error *err)
{
	fprintf(stderr, "blasprof: %s%s%s\n", err->what, *err->remedy ? "; " : "", err->remedy);
	return STATUS_FAILED;
}

int output_is_plain(void)
{
	const char *terminal = getenv("TERM");

	return !terminal || !*terminal || !strcmp(terminal, "dumb");
}

#define COLUMNS_MAX 10000

void output_fit(FILE *file)
{
	const char *columns = getenv("COLUMNS"), *no_colour = getenv("NO_COLOR");
	int width = columns ? atoi(columns) : 0;
	struct winsize size;

	if (width <= 0 || width >= COLUMNS_MAX)
		width = !ioctl(fileno(file), TIOCGWINSZ, &size) && size.ws_col ? size.ws_col
									       : TERMINAL_WIDTH;
	/* by convention, an empty NO_COLOR has no effect */
	terminal_set(width,
		     isatty(fileno(file)) && !(no_colour && *no_colour) && !output_is_plain());
}

/* Returns the standard stream that writes to this file already, or NULL: opened again, the file
 * would be overwritten from its start. */
static FILE *stream_of(const char *path)
{
	FILE *const streams[] = {stdout, stderr};
	struct stat wanted, its;

	if (!strcmp(path, "-"))
		return stdout;
	if (stat(path, &wanted) || S_ISCHR(wanted.st_mode))
		return NULL;
	for (size_t i = 0; i < COUNT(streams); i++)
		if (!fstat(fileno(streams[i]), &its) && its.st_dev == wanted.st_dev &&
		    its.st_ino == wanted.st_ino)
			return streams[i];
	return NULL;
}

int output_is_standard(const FILE *file)
{
	return file == stdout || file == stderr;
}

/* A user may take -o for the option that names the store: a store or a name in ".db" is refused. */
static int is_database(const char *path)
{
	static const char mark[] = "SQLite format 3";
	char start[sizeof mark] = "";
	struct stat status;
	int is_store;
	FILE *file;

	if (!fnmatch("*.db", path, 0))
		return 1;
	file = !stat(path, &status) && S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
	if (!file)
		return 0;
	is_store = fread(start, 1, sizeof start, file) == sizeof start &&
		   !memcmp(start, mark, sizeof mark);
	fclose(file);
	return is_store;
}

FILE *output_open(const char *path, FILE *fallback, struct error *err)
{
	FILE *file = path ? NULL : fallback;
	int fd;

	if (path && is_database(path)) {
		error_set(err, "choose another with -o FILE; -i FILE names the store",
			  "'%s' is a store, not a report file", path);
		return NULL;
	}
	if (path)
		file = stream_of(path);
	if (!file) { /* what is in the file stays until there is a report */
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		file = fd < 0 ? NULL : fdopen(fd, "w");
	}
	if (!file && errno == EISDIR && access(path, F_OK))
		error_set(err, "create it with mkdir, or choose another with -o FILE",
			  "there is no directory '%s'", path);
	else if (!file)
		error_set(err, "choose another with -o FILE", "cannot write '%s': %s", path,
			  strerror(errno));
	else
		output_fit(file);
	return file;
}

/* Writes what is left, and removes what an earlier report has left behind it. */
static int flush_and_cut(FILE *file)
{
	int failed = fflush(file);
	off_t end = lseek(fileno(file), 0, SEEK_CUR);

	return end > 0 && ftruncate(fileno(file), end) ? -1 : failed;
}

int output_close(FILE *file, const char *path, struct error *err)
{
	int failed = ferror(file), is_own = !output_is_standard(file);

	errno = 0;
	/* the errno of the earlier write is lost: another write sets it again */
	if (failed)
		fputc('\n', file);
	if (is_own && flush_and_cut(file))
		failed = 1;
	if (is_own ? fclose(file) : fflush(file))
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
