/* fault.c: a preload library that lets the n-th call of one kind, from certain objects, fail. */
/* SPDX-License-Identifier: MIT
 *
 * FAULT=KIND:N:OBJECT[,OBJECT]... in the environment: KIND is one of the table below; N counts from
 * 1 in each process; OBJECT is the last part of the path of the program or library that calls. The
 * file FAULT_HIT is created when the call fails. All other calls are forwarded. With FAULT_DEPTH=D
 * only calls with a new call path count: the D innermost callers must differ from those of all
 * earlier calls.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char kind_asked[32], objects_asked[256], hit_path[512];
static unsigned long number_asked, number_seen;
#define DEPTH_MAX  32
#define OWN_FRAMES 3 /* is_new_path(), fails() and the function that is to fail */
static int depth;
static uint64_t paths_seen[65536]; /* a hash table of call paths; 0 if free */
#define PATHS (sizeof paths_seen / sizeof *paths_seen)

static __attribute__((constructor)) void read_fault(void)
{
	const char *fault = getenv("FAULT"), *hit = getenv("FAULT_HIT"),
		   *deep = getenv("FAULT_DEPTH");
	void *frames[2];

	snprintf(hit_path, sizeof hit_path, "%s", hit ? hit : "");
	if (fault &&
	    sscanf(fault, "%31[^:]:%lu:%255s", kind_asked, &number_asked, objects_asked) != 3)
		kind_asked[0] = '\0';
	depth = deep ? atoi(deep) : 0;
	if (depth > DEPTH_MAX)
		depth = DEPTH_MAX;
	if (depth > 0)
		backtrace(frames, 2); /* the first call loads a library */
}

static int add_path(uint64_t path)
{
	for (size_t i = 0; i < PATHS; i++) {
		uint64_t *slot = &paths_seen[(path + i) % PATHS], none = 0;

		if (__atomic_compare_exchange_n(slot, &none, path, 0, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return 1;
		if (none == path)
			return 0;
	}
	return 0;
}

static __attribute__((noinline)) int is_new_path(void)
{
	void *frames[DEPTH_MAX + OWN_FRAMES];
	int count = backtrace(frames, depth + OWN_FRAMES);
	uint64_t path = 1;

	for (int i = OWN_FRAMES; i < count; i++)
		path = (path ^ (uintptr_t)frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return add_path(path ? path : 1);
}

static int is_asked(const void *caller)
{
	char list[sizeof objects_asked], *rest = list, *object;
	const char *name;
	Dl_info info;

	if (!dladdr(caller, &info) || !info.dli_fname)
		return 0;
	name = strrchr(info.dli_fname, '/');
	name = name ? name + 1 : info.dli_fname;
	strcpy(list, objects_asked);
	while ((object = strsep(&rest, ",")))
		if (!strcmp(object, name))
			return 1;
	return 0;
}

/* Returns 1, and sets errno, if this call has to fail. Uses the system call, because open() is
 * replaced here. */
static __attribute__((noinline)) int fails(const char *kind, int error, const void *caller)
{
	int saved = errno;
	long fd;

	if (strcmp(kind, kind_asked) || !is_asked(caller) || (depth > 0 && !is_new_path()) ||
	    __atomic_add_fetch(&number_seen, 1, __ATOMIC_RELAXED) != number_asked) {
		errno = saved;
		return 0;
	}
	fd = syscall(SYS_openat, AT_FDCWD, hit_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0)
		syscall(SYS_close, fd);
	errno = error;
	return 1;
}

static void *find_next(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		abort();
	return function;
}

/* Kind, function, type of the result, result and errno of a failure, parameters, arguments. */
#define FAULT(kind, name, ret, bad, error, params, args)                                           \
	ret name params;                                                                           \
	ret name params                                                                            \
	{                                                                                          \
		static ret(*next) params;                                                          \
                                                                                                   \
		if (!next)                                                                         \
			next = (ret(*) params)find_next(#name);                                    \
		if (fails(kind, error, __builtin_return_address(0)))                               \
			return bad;                                                                \
		return next args;                                                                  \
	}

/* The same for the function's name with 64, whose types are the same. */
#define FAULT_BOTH(kind, name, ret, bad, error, params, args)                                      \
	FAULT(kind, name, ret, bad, error, params, args)                                           \
	FAULT(kind, name##64, ret, bad, error, params, args)

/* Functions that take a mode only with some flags. */
#define FAULT_OPEN(name, params, args)                                                             \
	int name params;                                                                           \
	int name params                                                                            \
	{                                                                                          \
		static int(*next) params;                                                          \
		mode_t mode = 0;                                                                   \
		va_list list;                                                                      \
                                                                                                   \
		if (!next)                                                                         \
			next = (int(*) params)find_next(#name);                                    \
		va_start(list, flags);                                                             \
		if (flags & (O_CREAT | __O_TMPFILE))                                               \
			mode = va_arg(list, mode_t);                                               \
		va_end(list);                                                                      \
		if (fails("open", EMFILE, __builtin_return_address(0)))                            \
			return -1;                                                                 \
		return next args;                                                                  \
	}

FAULT_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
FAULT_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
FAULT_OPEN(openat, (int directory, const char *path, int flags, ...),
	   (directory, path, flags, mode))
FAULT_OPEN(openat64, (int directory, const char *path, int flags, ...),
	   (directory, path, flags, mode))
FAULT_BOTH("open", fopen, FILE *, NULL, EMFILE, (const char *path, const char *mode), (path, mode))
FAULT("open", opendir, DIR *, NULL, EMFILE, (const char *path), (path))
FAULT("open", fdopendir, DIR *, NULL, ENOMEM, (int fd), (fd))
FAULT("open", mkdtemp, char *, NULL, ENOSPC, (char *path), (path))
FAULT("open", eventfd, int, -1, EMFILE, (unsigned int count, int flags), (count, flags))
FAULT("open", pipe2, int, -1, EMFILE, (int ends[2], int flags), (ends, flags))
FAULT_BOTH("mmap", mmap, void *, (void *)-1, ENOMEM,
	   (void *at, size_t size, int protection, int flags, int fd, off_t offset),
	   (at, size, protection, flags, fd, offset))
FAULT("mmap", madvise, int, -1, EINVAL, (void *at, size_t size, int advice), (at, size, advice))
FAULT_BOTH("grow", ftruncate, int, -1, ENOSPC, (int fd, off_t size), (fd, size))
FAULT_BOTH("grow", posix_fallocate, int, ENOSPC, ENOSPC, (int fd, off_t at, off_t size),
	   (fd, at, size))
FAULT("write", write, ssize_t, -1, ENOSPC, (int fd, const void *bytes, size_t size),
      (fd, bytes, size))
FAULT_BOTH("write", pwrite, ssize_t, -1, ENOSPC, (int fd, const void *bytes, size_t size, off_t at),
	   (fd, bytes, size, at))
FAULT("write", fsync, int, -1, EIO, (int fd), (fd))
FAULT("write", fdatasync, int, -1, EIO, (int fd), (fd))
FAULT("write", link, int, -1, EPERM, (const char *from, const char *to), (from, to))
FAULT("write", unlink, int, -1, EIO, (const char *path), (path))
FAULT("read", read, ssize_t, -1, EIO, (int fd, void *bytes, size_t size), (fd, bytes, size))
FAULT_BOTH("read", pread, ssize_t, -1, EIO, (int fd, void *bytes, size_t size, off_t at),
	   (fd, bytes, size, at))
FAULT("read", fstat, int, -1, EIO, (int fd, struct stat *status), (fd, status))
FAULT("read", fstat64, int, -1, EIO, (int fd, struct stat64 *status), (fd, status))
FAULT("read", stat64, int, -1, EIO, (const char *path, struct stat64 *status), (path, status))
FAULT("start", fork, pid_t, -1, EAGAIN, (void), ())
FAULT("start", pthread_create, int, EAGAIN, EAGAIN,
      (pthread_t * thread, const pthread_attr_t *attr, void *(*run)(void *), void *data),
      (thread, attr, run, data))
FAULT("start", pthread_key_create, int, EAGAIN, EAGAIN, (pthread_key_t * key, void (*end)(void *)),
      (key, end))
FAULT("memory", malloc, void *, NULL, ENOMEM, (size_t size), (size))
FAULT("memory", realloc, void *, NULL, ENOMEM, (void *old, size_t size), (old, size))
FAULT("memory", reallocarray, void *, NULL, ENOMEM, (void *old, size_t count, size_t size),
      (old, count, size))
FAULT("memory", strdup, char *, NULL, ENOMEM, (const char *text), (text))
FAULT("memory", strndup, char *, NULL, ENOMEM, (const char *text, size_t size), (text, size))
FAULT("memory", realpath, char *, NULL, ENOMEM, (const char *path, char *real), (path, real))
FAULT("memory", getline, ssize_t, -1, ENOMEM, (char **line, size_t *size, FILE *file),
      (line, size, file))
FAULT("memory", getdelim, ssize_t, -1, ENOMEM, (char **line, size_t *size, int end, FILE *file),
      (line, size, end, file))
FAULT("memory", open_memstream, FILE *, NULL, ENOMEM, (char **text, size_t *size), (text, size))

int asprintf(char **text, const char *format, ...)
{
	va_list list;
	int length;

	if (fails("memory", ENOMEM, __builtin_return_address(0)))
		return -1;
	va_start(list, format);
	length = vasprintf(text, format, list);
	va_end(list);
	return length;
}

/* File locks of sqlite. */
int fcntl64(int fd, int command, ...)
{
	static int (*next)(int fd, int command, ...);
	va_list list;
	void *argument;

	if (!next)
		next = (int (*)(int, int, ...))find_next("fcntl64");
	va_start(list, command);
	argument = va_arg(list, void *);
	va_end(list);
	if (fails("lock", EIO, __builtin_return_address(0)))
		return -1;
	return next(fd, command, argument);
}

/* dlsym() may call calloc() while it looks calloc() up. */
void *calloc(size_t count, size_t size);
void *calloc(size_t count, size_t size)
{
	static char early[4096] __attribute__((aligned(16)));
	static size_t used;
	static int looking;
	static void *(*next)(size_t count, size_t size);

	if (!next && looking) {
		used += (count * size + 15) / 16 * 16;
		return used <= sizeof early ? early + used - (count * size + 15) / 16 * 16 : NULL;
	}
	if (!next) {
		looking = 1;
		next = (void *(*)(size_t, size_t))find_next("calloc");
		looking = 0;
	}
	if (fails("memory", ENOMEM, __builtin_return_address(0)))
		return NULL;
	return next(count, size);
}

/* The raw system calls that fail. */
long syscall(long number, ...)
{
	static long (*next)(long number, ...);
	va_list list;
	long a[6];

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (!next)
		next = (long (*)(long, ...))find_next("syscall");
	if ((number == SYS_perf_event_open && fails("perf", EMFILE, __builtin_return_address(0))) ||
	    (number == SYS_openat && fails("open", EMFILE, __builtin_return_address(0))) ||
	    (number == SYS_madvise && fails("mmap", EINVAL, __builtin_return_address(0))) ||
	    ((number == SYS_read || number == SYS_pread64 || number == SYS_fstat ||
	      number == SYS_newfstatat) &&
	     fails("read", EIO, __builtin_return_address(0))))
		return -1;
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
