/* wait_kinds.c: the table of functions that wait. */
/* SPDX-License-Identifier: MIT */
#include "sampling/wait_kinds.h"

#include <fnmatch.h>
#include <string.h>

enum { FRAMES_SEEN = 24 }; /* from the innermost on */

/* Patterns as of the shell. The first row that fits any of the frames tells the kind: what is made
 * of something else comes before it. */
static const struct {
	const char *kind, *function, *object; /* the last part of the object's path */
} kinds[] = {
	{"barrier", "pthread_barrier_wait", "*"},
	{"barrier", "__pthread_barrier_wait", "*"},
	{"barrier", "GOMP_barrier", "*"},
	{"barrier", "*gomp_*barrier*", "*"},
	{"barrier", "*__kmp*barrier*", "*"},
	{"barrier", "std::__barrier*", "*"},
	{"barrier", "*", "libgomp.so*"},
	{"barrier", "*", "libomp.so*"},
	{"barrier", "*", "libiomp5.so*"},
	{"condition", "*pthread_cond_*wait*", "*"},
	{"condition", "std::*condition_variable*::wait*", "*"},
	{"mutex", "*pthread_mutex_*lock*", "*"},
	{"mutex", "*pthread_rwlock_*lock*", "*"},
	{"mutex", "*pthread_spin_lock*", "*"},
	{"mutex", "__lll_lock_wait*", "*"},
	{"mutex", "sem_*wait", "*"},
	{"mutex", "sem_wait@*", "*"},
	{"mutex", "__new_sem_*wait*", "*"},
	{"join", "*pthread_*join*", "*"},
	{"sleep", "*nanosleep*", "*"},
	{"sleep", "usleep", "*"},
	{"sleep", "sleep", "libc*"},
	{"sleep", "pause", "libc*"},
	{"sleep", "*sigsuspend*", "libc*"},
	{"child", "wait*", "libc*"},
	{"child", "__wait*", "libc*"},
	{"I/O", "*read*", "libc[.-]*"},
	{"I/O", "*write*", "libc[.-]*"},
	{"I/O", "*send*", "libc[.-]*"},
	{"I/O", "*recv*", "libc[.-]*"},
	{"I/O", "*accept*", "libc[.-]*"},
	{"I/O", "*connect*", "libc[.-]*"},
	{"I/O", "*poll*", "libc[.-]*"},
	{"I/O", "*select*", "libc[.-]*"},
	{"I/O", "epoll_*", "libc[.-]*"},
	{"I/O", "*open*", "libc[.-]*"},
	{"I/O", "*sync*", "libc[.-]*"},
	{"futex", "*futex*", "*"},
	{"sleep", "*nanosleep*", "[[]kernel]"},
	{"child", "do_wait", "[[]kernel]"},
	{"I/O", "*pipe_*", "[[]kernel]"},
	{"I/O", "*poll*", "[[]kernel]"},
	{"I/O", "do_select", "[[]kernel]"},
	{"I/O", "*sock*", "[[]kernel]"},
	{"I/O", "io_schedule*", "[[]kernel]"},
	{"I/O", "folio_wait*", "[[]kernel]"},
	{"I/O", "n_tty_*", "[[]kernel]"},
	{"I/O", "vfs_*", "[[]kernel]"},
};

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int wait_function_is_start(const char *function)
{
	static const char *const starts[] = {"_start",
					     "start_thread",
					     "clone",
					     "clone3",
					     "__clone3",
					     "__clone",
					     "__libc_start_main",
					     "__libc_start_*",
					     "_dl_start*",
					     "thread_start",
					     "_dl_start_user",
					     "runtime.goexit*",
					     "runtime.mstart*"};

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (!fnmatch(starts[i], function, 0))
			return 1;
	return 0;
}

/* The name that programs call it by, without what the C library puts before it for itself. */
static const char *public_name(const char *name)
{
	if (!strncmp(name, "__GI_", 5))
		name += 5;
	return !strncmp(name, "__", 2) && name[2] && strncmp(name, "__lll", 5) ? name + 2 : name;
}

struct wait_reason wait_reason_find(const struct run_frame *const *frames, size_t count)
{
	size_t seen = count < FRAMES_SEEN ? count : FRAMES_SEEN;
	size_t rows = sizeof kinds / sizeof *kinds, at = seen, row;
	struct wait_reason reason = {"other", "", ""};

	for (row = 0; row < rows && at == seen; row++)
		for (at = 0; at < seen; at++)
			if (!fnmatch(kinds[row].object, last_part(frames[at]->object), 0) &&
			    !fnmatch(kinds[row].function, frames[at]->function, 0))
				break;
	if (at < seen)
		reason.kind = kinds[row - 1].kind;
	else
		at = 0;
	while (at + 1 < count && frames[at]->code == RUN_CODE_KERNEL)
		at++;
	if (at == count)
		return reason;
	reason.function = frames[at]->function;
	if (strstr(last_part(frames[at]->object), ".so")) { /* what the library was called by */
		while (at + 1 < count && !strcmp(frames[at]->object, frames[at + 1]->object) &&
		       !wait_function_is_start(frames[at + 1]->function))
			at++;
		reason.function = public_name(frames[at]->function);
	}
	if (at + 1 < count)
		reason.caller = frames[at + 1]->function;
	return reason;
}
