/* session_file.c: opens session files, if only this user can have written to them. */
/* SPDX-License-Identifier: MIT */
#include "wire/session_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/clock.h"
#include "wire/files.h"

/* Bounds of sensible values in a control file. */
#define TICK_LEAST_NS 1e-3
#define TICK_MOST_NS  1e6
#define FACTOR_MOST   1e6 /* of what-if */

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
	int fd = file_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &status) && S_ISDIR(status.st_mode) && is_private(&status))
		return fd;
	file_close(fd);
	return -1;
}

int session_file_open(int directory, const char *name, int flags, uint64_t *bytes)
{
	/* without O_NONBLOCK, opening a named pipe would block */
	int fd = file_open_at(directory, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat status;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && is_private(&status) &&
	    status.st_nlink == 1) {
		*bytes = (uint64_t)status.st_size;
		return fd;
	}
	file_close(fd);
	return -1;
}

static int is_valid(const struct session *session)
{
	return session->magic == SESSION_MAGIC && session->version == LAYOUT_VERSION &&
	       session->clock <= CLOCK_GETTIME && session->roi <= ROI_REGION &&
	       session->follow <= FOLLOW_NONE && session->spans <= SPANS_MAX &&
	       session->watched <= SPANS_MAX && session->ns_per_tick >= TICK_LEAST_NS &&
	       session->ns_per_tick <= TICK_MOST_NS && session->blas_factor >= 0 &&
	       session->blas_factor <= FACTOR_MOST && session->other_factor >= 0 &&
	       session->other_factor <= FACTOR_MOST &&
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
		got = file_read(fd, session, sizeof *session);
	file_close(fd);
	if (got == sizeof *session && is_valid(session))
		return 0;
	errno = got < 0 && bytes == sizeof *session ? errno : EPROTO;
	return -1;
}

int64_t session_stopped_ns(const char *path, int32_t pid, int64_t from_ns, int64_t to_ns)
{
	int directory = session_directory_open(path), fd = -1;
	int64_t sum_ns = 0, start_ns = 0;
	unsigned stopped = 0; /* 1: it is; 2: all are */
	struct session_stop stop;
	uint64_t bytes;

	if (directory >= 0) {
		fd = session_file_open(directory, SESSION_STOPS, O_RDONLY, &bytes);
		file_close(directory);
	}
	while (fd >= 0 && file_read(fd, &stop, sizeof stop) == sizeof stop && stop.at_ns < to_ns) {
		unsigned before = stopped, bit = stop.pid ? 1 : 2;

		if (stop.pid && stop.pid != pid)
			continue;
		stopped = stop.is_stopped ? stopped | bit : stopped & ~bit;
		if (!before)
			start_ns = stop.at_ns > from_ns ? stop.at_ns : from_ns;
		else if (!stopped && stop.at_ns > start_ns)
			sum_ns += stop.at_ns - start_ns;
	}
	if (fd >= 0)
		file_close(fd);
	return sum_ns + (stopped ? to_ns - start_ns : 0);
}

void session_note_stop(const char *path, int32_t pid, int is_stopped)
{
	struct session_stop stop = {clock_ns(CLOCK_MONOTONIC), pid, is_stopped};
	int directory, fd = -1;
	ssize_t put = 0;

	if (is_stopped == (session_stopped_ns(path, pid, stop.at_ns, stop.at_ns + 1) > 0))
		return;
	directory = session_directory_open(path);
	if (directory >= 0) {
		fd = file_open_at(directory, SESSION_STOPS,
				  O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		file_close(directory);
	}
	if (fd >= 0) {
		put = write(fd, &stop, sizeof stop);
		file_close(fd);
	}
	(void)put; /* if it fails, the time of the stop counts as waiting */
}

int seccomp_is_on(void)
{
	int fd = file_open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	char text[4096];
	ssize_t got = fd < 0 ? 0 : file_read(fd, text, sizeof text - 1);
	const char *mode;

	if (fd >= 0)
		file_close(fd);
	text[got > 0 ? got : 0] = '\0';
	mode = strstr(text, "\nSeccomp:\t");
	return mode && mode[strlen("\nSeccomp:\t")] == '2';
}
