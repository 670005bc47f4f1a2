/* stack.c: runs a function on a stack that is large enough, however small the limit on it is. */
/* SPDX-License-Identifier: MIT */
#include "cli/stack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#define USUAL_BYTES ((size_t)8 << 20) /* Linux's own limit */

struct job {
	int (*run)(void *data);
	void *data;
	int result;
};

static void *run_job(void *data)
{
	struct job *job = data;

	job->result = job->run(job->data);
	return NULL;
}

static int is_small(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < USUAL_BYTES;
}

/* The signals that this thread takes, the new one takes in its place. Returns 0 when it runs. */
static int start(pthread_t *thread, struct job *job)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int status;

	if (pthread_attr_init(&attributes))
		return -1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_attr_setstacksize(&attributes, USUAL_BYTES) ||
		 pthread_setattr_default_np(&attributes) ||
		 pthread_attr_setsigmask_np(&attributes, &before) ||
		 pthread_create(thread, &attributes, run_job, job);
	pthread_attr_destroy(&attributes);
	if (status)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status ? -1 : 0;
}

int stack_run(int (*run)(void *data), void *data)
{
	struct job job = {run, data, 0};
	pthread_t thread;

	if (!is_small() || start(&thread, &job))
		return run(data);
	pthread_join(thread, NULL);
	return job.result;
}
