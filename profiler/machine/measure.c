/* measure.c: measures the machine's ceilings: peak flops by vector width, and bandwidth by cache
 * level. */
/* SPDX-License-Identifier: MIT */
#include "machine/measure.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/machine_files.h"
#include "machine/kernels.h"

#define TIMED_NS	 5e6 /* of each repeat */
#define UNTIMED_WORK	 4e6 /* flops or bytes between two looks at the clock */
#define MEMORY_MIN_BYTES (size_t)(64 << 20)
#define BEYOND_CACHES	 4 /* memory is measured over this multiple of the last cache */
#define OF_MEMORY	 8 /* but over at most this part of what the machine has */

/* Work to be timed, and what came out: work a second of the threads' CPU time, summed over them, of
 * each repeat. CPU time, because what else runs on the machine is not the machine's ceiling. */
struct team_task {
	const struct flops_kernel *flops;	  /* either this */
	const struct bandwidth_kernel *bandwidth; /* or this, over so much: */
	size_t bytes_one, bytes_each;		  /* of one thread alone, and of each of all */
	double one[TEAM_REPEATS], all[TEAM_REPEATS];
};

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

/* Runs all tasks TEAM_REPEATS times by turns, with one thread and with `threads`, each on its own
 * CPU of the caller's mask, after a round to warm up. 0, or -1 with *err: no threads, no memory. */
static int team_run(struct team_task *tasks, size_t count, int threads, struct error *err)
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

/* The size of a data cache by its level, 1, 2, 3; 0: there is none. */
static double cache_bytes(const char *root, int level)
{
	char path[80], type[32], size[32];
	unsigned long kib;

	for (int index = 0; index < 8; index++) {
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level",
			 index);
		if (machine_read_long(root, path, 0) != level)
			continue;
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type",
			 index);
		if (machine_read_line(root, path, type, sizeof type) ||
		    !strcmp(type, "Instruction"))
			continue;
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size",
			 index);
		if (!machine_read_line(root, path, size, sizeof size) &&
		    sscanf(size, "%luK", &kib) == 1)
			return (double)kib * 1024;
	}
	return 0;
}

/* So much that the caches hold little of it. */
static size_t memory_bytes(const struct ceilings *ceilings)
{
	size_t all = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / OF_MEMORY;
	size_t bytes = MEMORY_MIN_BYTES;

	for (int i = 0; i < LEVEL_MEMORY; i++)
		if (BEYOND_CACHES * ceilings->cache_bytes[i] > (double)bytes)
			bytes = (size_t)(BEYOND_CACHES * ceilings->cache_bytes[i]);
	return bytes < all ? bytes : all;
}

/* Half of a cache, so that what else runs has room too. The first two levels are a core's own; the
 * last cache and the memory are shared. */
static void size_task(const struct ceilings *ceilings, enum level level, int cpus,
		      struct team_task *task)
{
	task->bytes_one = level == LEVEL_MEMORY ? memory_bytes(ceilings)
						: (size_t)(ceilings->cache_bytes[level] / 2);
	task->bytes_each = level >= LEVEL_L3 ? task->bytes_one / (size_t)cpus : task->bytes_one;
}

static void add_flops(struct probe *probe, struct team_task *tasks, enum precision *precisions)
{
	for (size_t i = 0; i < flops_kernels_count && probe->nflops < PROBE_RESULTS_MAX; i++) {
		if (!flops_kernels[i].is_supported())
			continue;
		precisions[probe->nflops] = flops_kernels[i].precision;
		tasks[probe->nflops] = (struct team_task){.flops = &flops_kernels[i]};
		snprintf(probe->flops[probe->nflops].name, sizeof probe->flops[0].name, "%s",
			 flops_kernels[i].name);
		probe->nflops++;
	}
}

static void add_bytes(struct probe *probe, int cpus, struct team_task *tasks, enum level *levels)
{
	for (enum level level = 0; level < LEVEL_COUNT; level++)
		for (size_t i = 0; i < bandwidth_kernels_count; i++) {
			struct team_task *task = &tasks[probe->nbytes];

			if (level < LEVEL_MEMORY && !(probe->ceilings.cache_bytes[level] > 0))
				continue;
			levels[probe->nbytes] = level;
			*task = (struct team_task){.bandwidth = &bandwidth_kernels[i]};
			size_task(&probe->ceilings, level, cpus, task);
			snprintf(probe->bytes[probe->nbytes].name, sizeof probe->bytes[0].name,
				 "%s, %s", level_names[level], bandwidth_kernels[i].name);
			probe->nbytes++;
		}
}

/* Takes over the medians, and raises the ceiling to them. */
static void take_result(const struct team_task *task, struct probe_result *result,
			struct ceiling *ceiling)
{
	result->one = stats_median_interval(task->one, TEAM_REPEATS);
	result->all = stats_median_interval(task->all, TEAM_REPEATS);
	if (result->one.value > ceiling->one)
		ceiling->one = result->one.value;
	if (result->all.value > ceiling->all)
		ceiling->all = result->all.value;
}

int probe_measure(const char *root, int cpus, struct probe *probe, struct error *err)
{
	static struct team_task tasks[2 * PROBE_RESULTS_MAX];
	enum precision precisions[PROBE_RESULTS_MAX];
	enum level levels[PROBE_RESULTS_MAX];

	memset(probe, 0, sizeof *probe);
	if (!kernels_are_optimised())
		return error_set(err, "build blasprof with CFLAGS=-O2",
				 "this blasprof is built without optimisation, so that it would "
				 "measure the compiler instead of the machine");
	probe->ceilings.cpus = cpus;
	for (int i = 0; i < LEVEL_MEMORY; i++)
		probe->ceilings.cache_bytes[i] = cache_bytes(root, i + 1);
	add_flops(probe, tasks, precisions);
	add_bytes(probe, cpus, tasks + probe->nflops, levels);
	if (team_run(tasks, probe->nflops + probe->nbytes, cpus, err))
		return -1;
	for (size_t i = 0; i < probe->nflops; i++)
		take_result(&tasks[i], &probe->flops[i],
			    &probe->ceilings.flops_per_s[precisions[i]]);
	for (size_t i = 0; i < probe->nbytes; i++)
		take_result(&tasks[probe->nflops + i], &probe->bytes[i],
			    &probe->ceilings.bytes_per_s[levels[i]]);
	return 0;
}
