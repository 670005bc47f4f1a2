/* session.c: creates, opens and removes session directories, and relates the shim's clock to
 * CLOCK_MONOTONIC. */
/* SPDX-License-Identifier: MIT */
#include "wire/session.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/machine_files.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "wire/clock.h"
#include "wire/files.h"
#include "wire/session_file.h"

#define SHM		"/dev/shm"
#define DISK_ROOM_BYTES (1u << 20)   /* with less, other places are tried first */
#define SHM_ROOM_BYTES	(128u << 20) /* with less, as in Docker, /dev/shm is not used */
#define SHM_SHARE	16	     /* records take this part of what is free there */
#define SESSION_PREFIX	"blasprof-"
#define MORE_NAME	".more" /* the link of SESSION_MORE */
#define LONGEST_NS	1e17	/* three years */
#define SLOPE_TOLERANCE 0.01
/* read_pair() is accurate to some 30 ns, so this gives a rate to 1e-5 */
#define CALIBRATION_NS	5000000

enum cpu_counter session_counter(const char *root, char *source, size_t size)
{
	/* what the kernel falls back to */
	static const char *const others[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies",
					     "pit"};
	char line[16];

	machine_read_line(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			  source, size);
	if (machine_read_field(root, "/proc/cpuinfo", "flags", line, sizeof line))
		return machine_read_field(root, "/proc/cpuinfo", "CPU implementer", line,
					  sizeof line)
			       ? COUNTER_UNKNOWN
			       : COUNTER_CNTVCT;
	if (!machine_has_feature(root, "flags", "constant_tsc") ||
	    !machine_has_feature(root, "flags", "nonstop_tsc"))
		return COUNTER_VARYING;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(source, others[i]))
			return COUNTER_DISTRUSTED;
	return COUNTER_TSC;
}

/* Reads both clocks: ticks between two readings of the other clock, the closest of several tries.
 */
static struct clock_pair read_pair(uint32_t clock)
{
	struct clock_pair best = {0};
	int64_t best_width = INT64_MAX;

	for (int i = 0; i < 8; i++) {
		int64_t before = clock_ns(CLOCK_MONOTONIC);
		uint64_t ticks = clock_ticks(clock);
		int64_t width = clock_ns(CLOCK_MONOTONIC) - before;

		if (width < best_width) {
			best_width = width;
			best = (struct clock_pair){ticks, before + width / 2};
		}
	}
	return best;
}

static double slope(struct clock_pair from, struct clock_pair to)
{
	return (double)(to.monotonic_ns - from.monotonic_ns) / (double)(to.ticks - from.ticks);
}

static int has_room(const char *directory, uint64_t bytes)
{
	struct statvfs status;

	return !access(directory, W_OK | X_OK) && !statvfs(directory, &status) &&
	       (uint64_t)status.f_bavail * status.f_frsize >= bytes;
}

/* Returns 0 for a directory in which other users could replace the session directory. */
static int is_safe(const char *directory)
{
	struct stat status;

	return !stat(directory, &status) && S_ISDIR(status.st_mode) &&
	       (!(status.st_mode & S_IWOTH) || status.st_mode & S_ISVTX);
}

static int is_root(const char *path)
{
	return path[0] == '/' && strlen(path) <= 200;
}

/* Returns the places for session directories, in the order in which they are tried,
 * NULL-terminated. Valid until the next call. */
static const char *const *session_roots(void)
{
	static const char *roots[4];
	const char *only = secure_getenv("BLASPROF_TMPDIR"), *temporary = secure_getenv("TMPDIR");
	size_t count = 0;

	if (only && *only) {
		roots[count++] = only;
	} else {
		roots[count++] = SHM;
		if (temporary && is_root(temporary) && strcmp(temporary, SHM) &&
		    strcmp(temporary, "/tmp"))
			roots[count++] = temporary;
		roots[count++] = "/tmp";
	}
	roots[count] = NULL;
	return roots;
}

void session_paths(const char ***paths, size_t *count)
{
	const char *const *roots = session_roots();

	*paths = NULL;
	*count = 0;
	for (size_t i = 0; roots[i]; i++) {
		OWN_DIR *directory = opendir(roots[i]);
		struct dirent *entry;

		while (directory && (entry = readdir(directory))) {
			const char *path;

			if (strncmp(entry->d_name, SESSION_PREFIX, strlen(SESSION_PREFIX)))
				continue;
			path = string_printf("%s/%s", roots[i], entry->d_name);
			memory_append(paths, count, sizeof path, &path);
		}
	}
}

/* For a session in memory: records leave most of the free space to the program, so this adds a link
 * to a directory on disk for what then does not fit. Returns the bytes to leave free, 0 on disk. */
static uint64_t add_disk_directory(const struct session_dir *session)
{
	const char *const *roots = session_roots();
	struct statvfs status;
	char path[256];

	if (strncmp(session->path, SHM, strlen(SHM)) || statvfs(session->path, &status))
		return 0;
	for (size_t i = 1; roots[i]; i++) {
		snprintf(path, sizeof path, "%s/" SESSION_PREFIX "XXXXXX", roots[i]);
		if (!is_safe(roots[i]) || !has_room(roots[i], DISK_ROOM_BYTES) || !mkdtemp(path))
			continue;
		if (!chmod(path, 0700) && !symlinkat(path, session->fd, MORE_NAME))
			break;
		rmdir(path);
	}
	return (uint64_t)status.f_bavail * status.f_frsize / SHM_SHARE * (SHM_SHARE - 1);
}

static int make_directory(struct session_dir *session, struct error *err)
{
	const char *const *roots = session_roots();
	size_t count = 0, i;

	while (roots[count])
		count++;
	errno = EINVAL; /* not an absolute path, or not safe */
	/* the second turn takes a place that is full */
	for (size_t turn = 0; turn < 2 * count; turn++) {
		i = turn % count;
		if (!is_root(roots[i]) || !is_safe(roots[i]) ||
		    (!strcmp(roots[i], SHM) && !has_room(SHM, SHM_ROOM_BYTES)) ||
		    (turn < count && !has_room(roots[i], DISK_ROOM_BYTES)))
			continue;
		snprintf(session->path, sizeof session->path, "%s/" SESSION_PREFIX "XXXXXX",
			 roots[i]);
		if (!mkdtemp(session->path))
			continue;
		/* From here on files are opened relative to the descriptor, so that it does not
		 * matter what happens to the name. */
		session->fd = open(session->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (session->fd >= 0 && !fchmod(session->fd, 0700)) { /* whatever the umask */
			flock(session->fd, LOCK_EX); /* for session_profiler_runs() */
			return 0;
		}
		rmdir(session->path);
	}
	session->path[0] = '\0';
	return error_set(
		err,
		error_remedy(errno,
			     "set BLASPROF_TMPDIR to a directory that only you may write to"),
		"cannot create a session directory in %s: %s",
		count == 1 ? roots[0] : SHM ", TMPDIR or /tmp", strerror(errno));
}

uint64_t process_space(pid_t pid)
{
	struct stat space;

	return stat(pid ? PATH("/proc/%d/ns/pid", (int)pid) : "/proc/self/ns/pid", &space)
		       ? 0
		       : space.st_ino;
}

int process_space_is_own(uint64_t space)
{
	return !space || space == process_space(0);
}

static int write_control(const struct session_dir *session, struct error *err)
{
	ssize_t put = -1;
	int fd = openat(session->fd, SESSION_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0 && !fchmod(fd, 0600))
		put = write(fd, &session->control, sizeof session->control);
	file_close(fd);
	if (put == sizeof session->control)
		return 0;
	return error_set(
		err,
		error_remedy(put < 0 ? errno : 0,
			     "free some space, or set BLASPROF_TMPDIR to another directory"),
		"cannot write '%s/" SESSION_FILE "': %s", session->path,
		put < 0 ? strerror(errno) : "no space");
}

int session_create(struct session_dir *session, const struct session *wanted, struct error *err)
{
	struct session *control = &session->control;
	char source[64];

	*session = (struct session_dir){.fd = -1, .control = *wanted};
	if (make_directory(session, err))
		return -1;
	control->magic = SESSION_MAGIC;
	control->version = LAYOUT_VERSION;
	control->clock = session_counter("", source, sizeof source) <= COUNTER_CNTVCT
				 ? CLOCK_TICKS
				 : CLOCK_GETTIME;
	control->begun = read_pair(control->clock);
	control->ns_per_tick = 1;
	control->profiler = getpid();
	control->reserve_bytes = add_disk_directory(session);
	control->pid_space = process_space(0);
	if (write_control(session, err)) {
		session_remove(session);
		return -1;
	}
	return 0;
}

int session_set_program(struct session_dir *session, pid_t program, struct error *err)
{
	struct session *control = &session->control;
	int fd = openat(session->fd, SESSION_FILE, O_WRONLY | O_CLOEXEC | O_NOFOLLOW), failed;
	int64_t left_ns = control->begun.monotonic_ns + CALIBRATION_NS - clock_ns(CLOCK_MONOTONIC);
	int has_rate = control->clock == CLOCK_TICKS;

	if (has_rate && left_ns > 0)
		nanosleep(&(struct timespec){0, left_ns}, NULL);
	if (has_rate)
		control->ns_per_tick = slope(control->begun, read_pair(control->clock));
	control->program = program;
	control->started_ns = clock_ns(CLOCK_MONOTONIC);
	failed = fd < 0 || pwrite(fd, control, sizeof *control, 0) != sizeof *control;
	file_close(fd);
	return failed ? error_set(err, "keep other programs from changing that directory",
				  "cannot write '%s/" SESSION_FILE "'", session->path)
		      : 0;
}

int session_open(struct session_dir *session, const char *path, struct error *err)
{
	*session = (struct session_dir){.fd = session_directory_open(path)};
	if (session->fd < 0)
		return error_set(err, "'blasprof recover' lists the sessions",
				 "'%s' is not a session directory of this user", path);
	if (strlen(path) >= sizeof session->path ||
	    session_file_read(session->fd, &session->control)) {
		session_close(session);
		return error_set(err, "'blasprof recover' lists the sessions",
				 "'%s' holds no session of this version of blasprof", path);
	}
	snprintf(session->path, sizeof session->path, "%s", path);
	return 0;
}

void session_close(struct session_dir *session)
{
	file_close(session->fd);
	*session = (struct session_dir){.fd = -1};
}

DIR *session_list(const struct session_dir *session)
{
	int fd = openat(session->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);

	if (!directory && fd >= 0)
		close(fd);
	return directory;
}

static void empty_directory(int fd)
{
	struct session_dir session = {.fd = fd};
	OWN_DIR *directory = session_list(&session);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		unlinkat(fd, entry->d_name, 0);
}

/* Removes the directory of add_disk_directory(), if the link really points to such a directory. */
static void remove_disk_directory(const struct session_dir *session)
{
	char path[256] = "";
	ssize_t length = readlinkat(session->fd, MORE_NAME, path, sizeof path - 1);
	const char *slash = length > 0 ? strrchr(path, '/') : NULL;
	int fd = slash && !strncmp(slash + 1, SESSION_PREFIX, strlen(SESSION_PREFIX))
			 ? session_directory_open(path)
			 : -1;

	if (fd < 0)
		return;
	unlinkat(session->fd, MORE_NAME, 0);
	empty_directory(fd);
	close(fd);
	rmdir(path);
}

void session_remove(struct session_dir *session)
{
	enum { TRIES = 10 };
	int left = session->path[0] != '\0';

	if (left)
		remove_disk_directory(session);
	/* a descendant that still runs may add a file meanwhile */
	for (int i = 0; left && i < TRIES; i++) {
		empty_directory(session->fd);
		left = rmdir(session->path) && errno == ENOTEMPTY;
	}
	session_close(session);
}

struct clock_line session_clock_line(const struct session_dir *session)
{
	const struct session *control = &session->control;
	struct clock_line line = {control->begun, control->ns_per_tick};
	double measured;

	if (control->clock != CLOCK_TICKS)
		return line;
	measured = slope(control->begun, read_pair(control->clock));
	if (fabs(measured / control->ns_per_tick - 1) < SLOPE_TOLERANCE)
		line.ns_per_tick = measured; /* else the machine was rebooted meanwhile */
	return line;
}

static int64_t bounded_ns(double ns)
{
	return (int64_t)fmin(fmax(ns, -LONGEST_NS), LONGEST_NS);
}

int64_t clock_line_ns(const struct clock_line *line, uint64_t ticks)
{
	int64_t since = (int64_t)(ticks - line->from.ticks);

	return line->from.monotonic_ns + bounded_ns((double)since * line->ns_per_tick);
}

int64_t clock_line_span_ns(const struct clock_line *line, uint64_t ticks)
{
	return bounded_ns((double)ticks * line->ns_per_tick);
}
