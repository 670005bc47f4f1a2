/* signal_guard.h: keeps signals, cancellation and floating-point flags away from the shim's slow
 * paths. */
/* SPDX-License-Identifier: MIT
 *
 * A slow path holds a lock or an open file. A signal handler that calls BLAS would wait for that
 * lock forever, and a thread cancelled in open() would never release it. The program's BLAS calls
 * are no cancellation points, so the shim's slow paths must not be either.
 */
#ifndef SHIM_SIGNAL_GUARD_H
#define SHIM_SIGNAL_GUARD_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "shim/float_guard.h"
#include "shim/shim.h"

/* The type of cancellation must change, too: glibc up to 2.36 cancels a thread of the asynchronous
 * type that disabled cancellation after pthread_cancel() looked at its state and before the signal
 * arrives. sigprocmask() does what pthread_sigmask() does, which glibc before 2.32 has in
 * libpthread. */
struct signal_guard {
	sigset_t signals; /* blocked before */
	struct float_guard floats;
	int cancel_state, cancel_type, saved_errno, is_silent;
};

static inline void signal_guard_begin(struct signal_guard *guard)
{
	sigset_t all;

	guard->saved_errno = errno;
	float_guard_begin(&guard->floats);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &guard->cancel_type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel_state);
	sigfillset(&all);
	guard->is_silent = wall_is_silent();
	if (!guard->is_silent)
		sigprocmask(SIG_SETMASK, &all, &guard->signals);
}

/* Restores signals, cancellation, floating-point state and errno. A pending signal or cancellation
 * may act here, so the caller must not hold anything any more. */
static inline void signal_guard_end(const struct signal_guard *guard)
{
	int was;

	float_guard_end(&guard->floats);
	if (!guard->is_silent)
		sigprocmask(SIG_SETMASK, &guard->signals, NULL);
	pthread_setcancelstate(guard->cancel_state, &was);
	pthread_setcanceltype(guard->cancel_type, &was);
	errno = guard->saved_errno;
}

static inline void process_unlock_guarded(const struct signal_guard *guard)
{
	process_unlock();
	signal_guard_end(guard);
}

/* Call both: the second at the end of the block. LOCK_PROCESS holds the process's lock meanwhile.
 */
#define GUARD_SIGNALS                                                                              \
	struct signal_guard guard __attribute__((cleanup(signal_guard_end)));                      \
	signal_guard_begin(&guard)
#define LOCK_PROCESS                                                                               \
	struct signal_guard guard __attribute__((cleanup(process_unlock_guarded)));                \
	signal_guard_begin(&guard);                                                                \
	process_lock()

#endif
