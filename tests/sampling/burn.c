/* burn.c: spends CPU time in functions as its arguments say, and prints how much: the sampler's
 * truth. */
/* SPDX-License-Identifier: MIT */
#include "burn.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Usage: burn LIBRARY STEP..., where a step is FUNCTION:MS of CPU time (burn_exe, burn_static,
 * burn_shared, burn_hidden), sleep:MS, mark, threads:COUNT, which end at once, one after another,
 * fork, exec or thread:NAME. The last three have the steps after them done by a child, by this
 * program anew, or by a thread, and wait for it. A line of output for each function and mark:
 * "FUNCTION PID TID CPU_NS ROUNDS" or "mark PID TID MONOTONIC_NS 0". A round takes the same work in
 * each function. */

static volatile uint64_t sink;
static char **arguments;

static __attribute__((noinline)) uint64_t burn_exe(uint64_t seed)
{
	BURN_BODY(seed);
	return seed;
}

static __attribute__((noinline)) uint64_t burn_static(uint64_t seed)
{
	BURN_BODY(seed);
	return seed + 1;
}

static struct {
	const char *name;
	uint64_t (*burn)(uint64_t seed);
} functions[] = {
	{"burn_exe", burn_exe},
	{"burn_static", burn_static},
	{"burn_shared", NULL},
	{"burn_hidden", NULL},
};

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void print_line(const char *name, int64_t ns, long rounds)
{
	dprintf(1, "%s %d %d %lld %ld\n", name, (int)getpid(), (int)gettid(), (long long)ns,
		rounds);
}

static void spend(uint64_t (*burn)(uint64_t seed), const char *name, int64_t ms)
{
	int64_t start_ns = now_ns(CLOCK_THREAD_CPUTIME_ID), spent_ns;
	long rounds = 0;

	do {
		sink = burn(sink);
		rounds++;
		spent_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
	} while (spent_ns < ms * 1000000);
	print_line(name, spent_ns, rounds);
}

static void sleep_ms(long ms)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

static void *do_steps(void *arg);

static void do_in_thread(const char *name, char **steps)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, do_steps, steps))
		exit(1);
	pthread_setname_np(thread, name);
	pthread_join(thread, NULL);
}

static void *end_at_once(void *arg)
{
	return arg;
}

static void start_threads(int count)
{
	pthread_t thread;

	for (int i = 0; i < count; i++) {
		if (pthread_create(&thread, NULL, end_at_once, NULL))
			exit(1);
		pthread_join(thread, NULL);
	}
}

static void do_in_child(char **steps)
{
	pid_t child = fork();

	if (!child) {
		do_steps(steps);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

/* Runs this program again, with the library and the steps. */
static void do_in_new_program(char **steps)
{
	steps[-1] = arguments[1];
	steps[-2] = arguments[0];
	execv("/proc/self/exe", steps - 2);
	exit(1);
}

/* One step; 0 when the steps after it are done as well. */
static int do_step(char *step, char **rest)
{
	char *value = strchr(step, ':');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; value && i < sizeof functions / sizeof *functions; i++)
		if (!strcmp(functions[i].name, step))
			spend(functions[i].burn, step, atoi(value));
	if (!strcmp(step, "sleep"))
		sleep_ms(atol(value));
	if (!strcmp(step, "threads"))
		start_threads(atoi(value));
	if (!strcmp(step, "mark"))
		print_line("mark", now_ns(CLOCK_MONOTONIC), 0);
	if (!strcmp(step, "fork"))
		do_in_child(rest);
	else if (!strcmp(step, "exec"))
		do_in_new_program(rest);
	else if (!strcmp(step, "thread"))
		do_in_thread(value, rest);
	else
		return 1;
	return 0;
}

static void *do_steps(void *arg)
{
	char **steps = arg;

	while (*steps) {
		char *step = *steps++;

		if (!do_step(step, steps))
			return NULL;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;

	if (!library) {
		fprintf(stderr, "burn: no library: %s\n", dlerror());
		return 2;
	}
	arguments = argv;
	functions[2].burn = (uint64_t(*)(uint64_t))dlsym(library, "burn_shared");
	functions[3].burn = (uint64_t(*)(uint64_t))dlsym(library, "burn_hidden");
	do_steps(argv + 2);
	return 0;
}
