/* session_file.c: trusts a session directory only where nobody but this user can have written to
 * it. */
/* SPDX-License-Identifier: MIT */
#include "wire/session_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A tick is between a picosecond and a millisecond; what-if makes nothing a million times slower.
 */
#define TICK_LEAST_NS 1e-3
#define TICK_MOST_NS  1e6
#define FACTOR_MOST   1e6

static int is_private(const struct stat *status)
{
	return status->st_uid == geteuid() && !(status->st_mode & (S_IRWXG | S_IRWXO));
}

int session_path_is_private(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISDIR(status.st_mode) && is_private(&status);
}

int session_directory_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &status) && S_ISDIR(status.st_mode) && is_private(&status))
		return fd;
	close(fd);
	return -1;
}

/* Without O_NONBLOCK a named pipe would hold the program up. */
int session_file_open(int directory, const char *name, int flags, uint64_t *bytes)
{
	int fd = openat(directory, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat status;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && is_private(&status) &&
	    status.st_nlink == 1) {
		*bytes = (uint64_t)status.st_size;
		return fd;
	}
	close(fd);
	return -1;
}

static int factor_is_sound(double factor)
{
	return factor >= 0 && factor <= FACTOR_MOST;
}

static int is_sound(const struct session *session)
{
	return session->magic == SESSION_MAGIC && session->version == LAYOUT_VERSION &&
	       session->clock <= CLOCK_GETTIME && session->roi <= ROI_REGION &&
	       session->follow <= FOLLOW_NONE && session->spans <= SPANS_MAX &&
	       session->watched <= SPANS_MAX && session->ns_per_tick >= TICK_LEAST_NS &&
	       session->ns_per_tick <= TICK_MOST_NS && factor_is_sound(session->blas_factor) &&
	       factor_is_sound(session->other_factor) &&
	       memchr(session->roi_region, '\0', sizeof session->roi_region);
}

int session_file_read(int directory, struct session *session)
{
	uint64_t bytes = 0;
	int fd = session_file_open(directory, SESSION_FILE, O_RDONLY, &bytes);
	ssize_t got = -1;

	if (fd < 0)
		return -1;
	if (bytes == sizeof *session)
		got = read(fd, session, sizeof *session);
	close(fd);
	if (got == sizeof *session && is_sound(session))
		return 0;
	errno = got < 0 && bytes == sizeof *session ? errno : EPROTO;
	return -1;
}
