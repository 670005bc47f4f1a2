/* calm.h: keeps signals and cancellation away from the shim's slow paths. */
/* SPDX-License-Identifier: MIT
 *
 * A slow path holds a lock or an open file. A handler that calls BLAS would wait for that lock for
 * ever, and a thread cancelled in open() would never give it back: the program's BLAS calls are no
 * cancellation points, so the shim's must not be either.
 */
#ifndef SHIM_CALM_H
#define SHIM_CALM_H

#include <pthread.h>
#include <signal.h>

struct calm {
	sigset_t signals; /* as they were before */
	int cancel;
};

static inline void calm_begin(struct calm *calm)
{
	sigset_t all;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &calm->cancel);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &calm->signals);
}

/* A cancellation or signal that came meanwhile may act here: hold nothing any more. */
static inline void calm_end(const struct calm *calm)
{
	int was;

	pthread_sigmask(SIG_SETMASK, &calm->signals, NULL);
	pthread_setcancelstate(calm->cancel, &was);
}

#endif
