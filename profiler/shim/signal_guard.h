/* signal_guard.h: keeps signals and cancellation away from the shim's slow paths. */
/* SPDX-License-Identifier: MIT
 *
 * A slow path holds a lock or an open file. A handler that calls BLAS would wait for that lock for
 * ever, and a thread cancelled in open() would never give it back: the program's BLAS calls are no
 * cancellation points, so the shim's must not be either.
 */
#ifndef SHIM_SIGNAL_GUARD_H
#define SHIM_SIGNAL_GUARD_H

#include <pthread.h>
#include <signal.h>

struct signal_guard {
	sigset_t signals; /* as they were before */
	int cancel;
};

static inline void signal_guard_begin(struct signal_guard *guard)
{
	sigset_t all;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &guard->signals);
}

/* A cancellation or signal that came meanwhile may act here: hold nothing any more. */
static inline void signal_guard_end(const struct signal_guard *guard)
{
	int was;

	pthread_sigmask(SIG_SETMASK, &guard->signals, NULL);
	pthread_setcancelstate(guard->cancel, &was);
}

#endif
