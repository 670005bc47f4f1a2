/* waits.c: waits a known time on a mutex, at a barrier, asleep and on a pipe, and prints how long.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "waiting.h"

enum { HELD_US = 60000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier, together; /* `together` is not among what is measured */
static int pipe_fds[2];
static int rounds;

static APART int64_t wait_on_mutex(void)
{
	int64_t began_ns = now_ns();

	pthread_mutex_lock(&mutex);
	return now_ns() - began_ns;
}

static APART int64_t wait_at_barrier(void)
{
	int64_t began_ns = now_ns();

	pthread_barrier_wait(&barrier);
	return now_ns() - began_ns;
}

static APART int64_t wait_asleep(void)
{
	int64_t began_ns = now_ns();

	usleep(HELD_US);
	return now_ns() - began_ns;
}

static APART int64_t wait_on_pipe(void)
{
	int64_t began_ns = now_ns();
	char byte;

	if (read(pipe_fds[0], &byte, 1) != 1)
		abort();
	return now_ns() - began_ns;
}

/* Makes the other wait each time: it holds the mutex, comes late to the barrier, is slow to write.
 */
static void *hold_up(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		compute();
		pthread_mutex_lock(&mutex);
		pthread_barrier_wait(&together);
		usleep(HELD_US);
		pthread_mutex_unlock(&mutex);
		pthread_barrier_wait(&together);
		usleep(HELD_US);
		pthread_barrier_wait(&barrier);
		usleep(HELD_US);
		if (write(pipe_fds[1], "x", 1) != 1)
			abort();
	}
	return unused;
}

int main(int argc, char **argv)
{
	int64_t mutex_ns = 0, barrier_ns = 0, asleep_ns = 0, pipe_ns = 0;
	int alone = argc > 2 && !strcmp(argv[2], "1");
	pthread_t thread;

	rounds = argc > 1 ? atoi(argv[1]) : 5;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_barrier_init(&together, NULL, 2);
	if (pipe(pipe_fds) || (!alone && pthread_create(&thread, NULL, hold_up, NULL)))
		return 1;
	for (int i = 0; i < rounds; i++) {
		compute();
		asleep_ns += wait_asleep();
		if (alone)
			continue;
		pthread_barrier_wait(&together);
		mutex_ns += wait_on_mutex();
		pthread_mutex_unlock(&mutex);
		pthread_barrier_wait(&together);
		barrier_ns += wait_at_barrier();
		pipe_ns += wait_on_pipe();
	}
	compute();
	if (!alone)
		pthread_join(thread, NULL);
	printf("mutex,pthread_mutex_lock,wait_on_mutex %lld\n"
	       "barrier,pthread_barrier_wait,wait_at_barrier %lld\n"
	       "sleep,usleep,wait_asleep %lld\n"
	       "I/O,read,wait_on_pipe %lld\n",
	       (long long)mutex_ns, (long long)barrier_ns, (long long)asleep_ns,
	       (long long)pipe_ns);
	return 0;
}
