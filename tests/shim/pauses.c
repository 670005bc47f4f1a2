/* pauses.c: functions of the C library, which the preload library calls, so that a signal arrives,
 * or another thread forks, exactly there. */
/* SPDX-License-Identifier: MIT
 *
 * Not in the program itself, since the preload library does not call its functions.
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "find.h"
#include "pauses.h"

_Thread_local int signal_at_cancel, signal_at_lock, pause_at_lock;
int reached[2], go_on[2];

int pthread_setcancelstate(int state, int *old)
{
	static int (*next)(int state, int *old);

	if (!next)
		next = (int (*)(int, int *))find(RTLD_NEXT, "pthread_setcancelstate");
	if (signal_at_cancel) {
		signal_at_cancel = 0;
		raise(SIGUSR1);
	}
	return next(state, old);
}

/* Called as soon as a thread has a lock. */
static void have_lock(void)
{
	char byte = 0;

	if (signal_at_lock) {
		signal_at_lock = 0;
		raise(SIGUSR1);
	}
	if (pause_at_lock) {
		pause_at_lock = 0;
		if (write(reached[1], &byte, 1) != 1 || read(go_on[0], &byte, 1) != 1)
			_exit(1);
	}
}

#define LOCK_BY(name)                                                                              \
	int name(pthread_mutex_t *mutex)                                                           \
	{                                                                                          \
		static int (*next)(pthread_mutex_t * mutex);                                       \
		int result;                                                                        \
                                                                                                   \
		if (!next)                                                                         \
			next = (int (*)(pthread_mutex_t *))find(RTLD_NEXT, #name);                 \
		result = next(mutex);                                                              \
		if (!result)                                                                       \
			have_lock();                                                               \
		return result;                                                                     \
	}

LOCK_BY(pthread_mutex_lock)
LOCK_BY(pthread_mutex_trylock)
