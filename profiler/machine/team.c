/* team.c: times kernels with one thread and with a thread on each CPU, by turns. */
/* SPDX-License-Identifier: MIT */
#include "machine/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define TIMED_NS     5e6 /* of each repeat */
#define UNTIMED_WORK 4e6 /* flops or bytes between two looks at the clock */

struct team {
	struct team_task *tasks;
	size_t count;
	int threads;
	pthread_mutex_t lock;
	pthread_barrier_t barrier;
	int cancelled; /* 1: not all threads could be started */
	int failed;    /* 1: a thread has no memory */
};

struct member {
	struct team *team;
	pthread_t thread;
	int index;
	size_t bytes;
	double *memory;
};

static double thread_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* What fits into `bytes`, of whole steps: the doubles of one array. */
static size_t array_count(const struct team_task *task, size_t bytes)
{
	size_t count = bytes / sizeof(double) / (size_t)task->bandwidth->arrays;

	return count / BANDWIDTH_STEP * BANDWIDTH_STEP;
}

static double time_task(const struct team_task *task, double *memory, size_t bytes)
{
	size_t count = task->bandwidth ? array_count(task, bytes) : 0;
	double start = thread_ns(), now = start, work = 0;

	while (now - start < TIMED_NS) {
		double part = 0;

		while (part < UNTIMED_WORK)
			part += task->bandwidth ? task->bandwidth->run(memory, count)
						: task->flops->run();
		work += part;
		now = thread_ns();
	}
	return work / (now - start) * 1e9;
}

/* Called by all members; those that have no part in it wait. Round -1 warms up. */
static void take_turn(struct member *member, struct team_task *task, int round, int alone)
{
	struct team *team = member->team;
	double rate;

	pthread_barrier_wait(&team->barrier);
	if (alone && member->index)
		return;
	rate = time_task(task, member->memory, alone ? task->bytes_one : task->bytes_each);
	if (round < 0)
		return;
	pthread_mutex_lock(&team->lock);
	*(alone ? &task->one[round] : &task->all[round]) += rate;
	pthread_mutex_unlock(&team->lock);
}

/* The CPU of the process's mask with this number, counted from 0 and around. */
static void pin(int index)
{
	cpu_set_t mask, own;
	int cpu = -1;

	if (sched_getaffinity(0, sizeof mask, &mask))
		return;
	for (index %= CPU_COUNT(&mask); index >= 0; index--)
		do
			cpu++;
		while (!CPU_ISSET(cpu, &mask));
	CPU_ZERO(&own);
	CPU_SET(cpu, &own);
	sched_setaffinity(0, sizeof own, &own);
}

/* Its own pages, which it touches first: they lie in the memory next to its CPU. */
static void map_memory(struct member *member)
{
	member->memory = mmap(NULL, member->bytes, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (member->memory == MAP_FAILED) {
		__atomic_store_n(&member->team->failed, 1, __ATOMIC_RELAXED);
		return;
	}
	madvise(member->memory, member->bytes, MADV_HUGEPAGE);
	for (size_t i = 0; i < member->bytes / sizeof(double); i++)
		member->memory[i] = 1;
}

static void *run_member(void *argument)
{
	struct member *member = argument;
	struct team *team = member->team;

	pthread_mutex_lock(&team->lock);
	pthread_mutex_unlock(&team->lock);
	if (team->cancelled)
		return NULL;
	pin(member->index);
	map_memory(member);
	pthread_barrier_wait(&team->barrier);
	for (int round = -1; round < TEAM_REPEATS && !team->failed; round++)
		for (size_t i = 0; i < team->count; i++) {
			take_turn(member, &team->tasks[i], round, 1);
			take_turn(member, &team->tasks[i], round, 0);
		}
	if (member->memory != MAP_FAILED)
		munmap(member->memory, member->bytes);
	return NULL;
}

/* What the member needs for the largest task. */
static size_t needed_bytes(const struct team *team, int index)
{
	size_t bytes = 0;

	for (size_t i = 0; i < team->count; i++) {
		const struct team_task *task = &team->tasks[i];

		if (task->bytes_each > bytes)
			bytes = task->bytes_each;
		if (!index && task->bytes_one > bytes)
			bytes = task->bytes_one;
	}
	return bytes + BANDWIDTH_STEP * sizeof(double);
}

/* Members wait for the lock before they begin, so that none does where one of them cannot be
 * started. */
static int run_members(struct team *team, struct member *members, struct error *err)
{
	int started = 0;

	pthread_mutex_lock(&team->lock);
	for (; started < team->threads; started++) {
		members[started] = (struct member){.team = team, .index = started};
		members[started].bytes = needed_bytes(team, started);
		if (pthread_create(&members[started].thread, NULL, run_member, &members[started]))
			break;
	}
	team->cancelled = started < team->threads;
	pthread_mutex_unlock(&team->lock);
	for (int i = 0; i < started; i++)
		pthread_join(members[i].thread, NULL);
	if (team->cancelled)
		return error_set(err, "raise the limit on processes (ulimit -u)",
				 "cannot start %d threads to measure with", team->threads);
	return team->failed ? error_set(err, "free some memory",
					"no memory for the buffers that are to be measured")
			    : 0;
}

int team_run(struct team_task *tasks, size_t count, int threads, struct error *err)
{
	struct team team = {.tasks = tasks,
			    .count = count,
			    .threads = threads,
			    .lock = PTHREAD_MUTEX_INITIALIZER};
	struct member *members = calloc((size_t)threads, sizeof *members);
	int failed;

	if (!members)
		return error_out_of_memory(err);
	for (size_t i = 0; i < count; i++) {
		memset(tasks[i].one, 0, sizeof tasks[i].one);
		memset(tasks[i].all, 0, sizeof tasks[i].all);
	}
	pthread_barrier_init(&team.barrier, NULL, (unsigned)threads);
	failed = run_members(&team, members, err);
	pthread_barrier_destroy(&team.barrier);
	free(members);
	return failed;
}
