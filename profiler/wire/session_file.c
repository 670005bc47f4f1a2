/* session_file.c: opens session files, if only this user can have written to them. */
/* SPDX-License-Identifier: MIT */
#include "wire/session_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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

	return !file_status(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &status) &&
	       S_ISDIR(status.st_mode) && is_private(&status);
}

int session_directory_open(const char *path)
{
	int fd = file_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return -1;
	if (!file_status_of(fd, &status) && S_ISDIR(status.st_mode) && is_private(&status))
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
	if (!file_status_of(fd, &status) && S_ISREG(status.st_mode) && is_private(&status) &&
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

static int open_stops(const char *path, int flags)
{
	int directory = session_directory_open(path), fd = -1;
	uint64_t bytes;

	if (directory >= 0) {
		fd = session_file_open(directory, SESSION_STOPS, flags, &bytes);
		file_close(directory);
	}
	return fd;
}

static int read_stop(int fd, struct session_stop *stop)
{
	return fd >= 0 && file_read(fd, stop, sizeof *stop) == sizeof *stop;
}

/* Calls that begin and end within this time of a stop's begin and end were stopped by it. */
#define TOGETHER_NS 50000000

int64_t session_stopped_ns(const char *path, int32_t pid, int64_t from_ns, int64_t to_ns)
{
	int64_t sum_ns = 0, seen_ns = from_ns; /* what several rows tell counts once */
	int fd = open_stops(path, O_RDONLY);
	struct session_stop stop;

	while (read_stop(fd, &stop)) {
		int64_t start_ns = stop.from_ns > seen_ns ? stop.from_ns : seen_ns;
		int64_t end_ns = stop.to_ns < to_ns ? stop.to_ns : to_ns;

		if (end_ns <= start_ns)
			continue;
		/* the second: the profiler is about to write when the stop of all processes ended
		 */
		if ((stop.pid == STOP_UNSEEN && stop.from_ns >= from_ns) ||
		    (!stop.pid && stop.to_ns == INT64_MAX)) {
			sum_ns = -1;
			break;
		}
		/* A stopped process calls nothing. So if the call began later, this process was not
		 * stopped, but the profiler alone. But on a busy machine a signal to a group stops
		 * one process after the other. */
		if (stop.from_ns < from_ns && (from_ns - stop.from_ns > TOGETHER_NS ||
					       llabs(to_ns - stop.to_ns) > TOGETHER_NS))
			continue;
		if (stop.pid && stop.pid != pid)
			continue;
		sum_ns += end_ns - start_ns;
		seen_ns = end_ns;
	}
	file_close(fd);
	return sum_ns;
}

void session_note_stop(const char *path, int32_t pid, int64_t since_ns)
{
	struct session_stop stop;
	int fd = open_stops(path, since_ns ? O_RDWR | O_CREAT | O_APPEND : O_RDWR), is_known = 0;
	ssize_t put = 0;

	while (!is_known && read_stop(fd, &stop))
		is_known = stop.pid == pid && stop.to_ns == INT64_MAX;
	if (is_known && !since_ns) {
		stop.to_ns = clock_ns(CLOCK_MONOTONIC);
		lseek(fd, -(off_t)sizeof stop, SEEK_CUR);
		put = write(fd, &stop, sizeof stop);
	} else if (!is_known && since_ns && fd >= 0) {
		stop = (struct session_stop){since_ns, INT64_MAX, pid, 0};
		put = write(fd, &stop, sizeof stop);
	}
	file_close(fd);
	(void)put; /* if it fails, the time of the stop counts as waiting */
}

void session_note_look(const char *path, int64_t until_ns)
{
	struct session_stop next = {.from_ns = until_ns, .to_ns = INT64_MAX, .pid = STOP_UNSEEN};
	int fd = open_stops(path, O_WRONLY | O_CREAT);
	ssize_t put = fd < 0 ? 0 : pwrite(fd, &next, sizeof next, 0);

	file_close(fd);
	(void)put;
}

int seccomp_filters(void)
{
	int fd = file_open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC), count = 0;
	char text[4096];
	ssize_t got = fd < 0 ? 0 : file_read(fd, text, sizeof text - 1);
	const char *at;

	file_close(fd);
	text[got > 0 ? got : 0] = '\0';
	at = strstr(text, "\nSeccomp_filters:\t");
	if (!at) { /* before Linux 5.9 */
		at = strstr(text, "\nSeccomp:\t");
		return at && at[strlen("\nSeccomp:\t")] == '2';
	}
	for (at += strlen("\nSeccomp_filters:\t"); *at >= '0' && *at <= '9'; at++)
		count = 10 * count + *at - '0';
	return count;
}
