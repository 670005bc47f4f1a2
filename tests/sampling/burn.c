/* burn.c: spends CPU time in functions as its arguments say, and prints how much, for tests of the
 * sampler. */
/* SPDX-License-Identifier: MIT */
#include "burn.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/shim/truth_burn.h"

/* clang-format off */
/* Usage: burn LIBRARY STEP..., where a step is one of
 * FUNCTION:MS       spend this CPU time in one of functions[]
 * called:MS         spend it in burn_static(), which the library calls
 * stripped:LIBRARY  load the stripped_ functions from this library
 * mix:COUNT         call all functions[] COUNT times, in random order
 * sleep:MS          sleep
 * mark              print the time
 * threads:COUNT     start threads that end at once, one after another
 * thread:NAME, fork, exec: a thread, a child or this program anew does the steps that follow
 *
 * Each function of a step and each mark print a line: "FUNCTION PID TID CPU_NS ROUNDS" or
 * "mark PID TID MONOTONIC_NS 0". Every round does the same work. */
/* clang-format on */

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

static inline __attribute__((always_inline)) uint64_t burn_inlined(uint64_t seed)
{
	BURN_BODY(seed);
	return seed + 2;
}

static __attribute__((noinline)) uint64_t burn_around(uint64_t seed)
{
	return burn_inlined(seed) * 3;
}

/* The linker marks the ends of a section whose name is a C identifier. */
extern const char __start_jit_code[], __stop_jit_code[];

__attribute__((section("jit_code"), noinline, used)) static uint64_t jit_pattern(uint64_t seed)
{
	BURN_BODY(seed);
	return seed + 4;
}

static uint64_t (*call)(uint64_t seed, uint64_t (*burn)(uint64_t seed));

static __attribute__((noinline)) uint64_t burn_by_library(uint64_t seed)
{
	return call(seed, burn_static) + 5;
}

static struct function {
	const char *name;
	uint64_t (*burn)(uint64_t seed);
	int percent; /* of the calls of a mix */
	int64_t cpu_ns;
	long calls;
} functions[] = {
	{"burn_exe", burn_exe, 5},	   {"burn_static", burn_static, 8},
	{"burn_inlined", burn_around, 20}, {"burn_shared", NULL, 12},
	{"burn_hidden", NULL, 15},	   {"stripped_shared", NULL, 10},
	{"stripped_hidden", NULL, 18},	   {"burn_jit", NULL, 12},
};
enum { SHARED = 3, STRIPPED = 5, JIT = 7, FUNCTIONS };

static void print_line(const char *name, int64_t ns, long rounds)
{
	dprintf(1, "%s %d %d %lld %ld\n", name, (int)getpid(), (int)gettid(), (long long)ns,
		rounds);
}

static void spend(uint64_t (*burn)(uint64_t seed), const char *name, int64_t ms)
{
	int64_t start_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID), spent_ns;
	long rounds = 0;

	do {
		sink = burn(sink);
		rounds++;
		spent_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
	} while (spent_ns < ms * 1000000);
	print_line(name, spent_ns, rounds);
}

static void load(const char *path, struct function *shared, struct function *hidden)
{
	void *library = dlopen(path, RTLD_NOW);

	if (!library) {
		fprintf(stderr, "burn: no library: %s\n", dlerror());
		exit(2);
	}
	shared->burn = (uint64_t(*)(uint64_t))dlsym(library, "burn_shared");
	hidden->burn = (uint64_t(*)(uint64_t))dlsym(library, "burn_hidden");
	call = (uint64_t(*)(uint64_t, uint64_t(*)(uint64_t)))dlsym(library, "burn_called");
}

/* Copies the code of jit_pattern() to new memory, as .NET and Erlang do at run time, and
 * names it in /tmp/perf-PID.map. Around that name are lines that make no sense, as a program that
 * is killed leaves them. */
static void make_jit_code(const char *name)
{
	size_t size = (size_t)(__stop_jit_code - __start_jit_code);
	int fd = memfd_create("code", MFD_CLOEXEC), failed = ftruncate(fd, (off_t)size);
	char path[64], *code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	FILE *map;

	if (failed || code == MAP_FAILED)
		exit(3);
	memcpy(code, __start_jit_code, size);
	__builtin___clear_cache(code, code + size);
	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "we");
	if (!map || mprotect(code, size, PROT_READ | PROT_EXEC))
		exit(3);
	fprintf(map, "no line of names\n%lx %zx wrong_name\n%lx %zx %s\n%lx %zx cut_o", (long)code,
		size, (long)code, size, name, (long)code, size);
	fclose(map);
	code += (const char *)jit_pattern - __start_jit_code;
	memcpy(&functions[JIT].burn, &code, sizeof code);
}

/* The order is random: a disturbance of the machine affects all functions, and samples at equal
 * distances do not meet the same function again and again. */
static void mix(int count)
{
	make_jit_code("burn_jit");
	for (int i = 0; i < count; i++) {
		long left = random() % 100;
		struct function *next = functions;
		int64_t start_ns;

		for (; left >= next->percent; next++)
			left -= next->percent;
		start_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
		sink = next->burn(sink);
		next->cpu_ns += clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
		next->calls++;
	}
	for (size_t i = 0; i < FUNCTIONS; i++)
		print_line(functions[i].name, functions[i].cpu_ns, functions[i].calls);
}

static void *end_at_once(void *arg)
{
	return arg;
}

/* Starts a thread and waits for its end. */
static void run_thread(void *(*run)(void *arg), void *arg, const char *name)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, arg))
		exit(1);
	if (name)
		pthread_setname_np(thread, name);
	pthread_join(thread, NULL);
}

static void *do_steps(void *arg)
{
	for (char **steps = arg; *steps;) {
		char *step = *steps++, *value = strchr(step, ':');

		if (value)
			*value++ = '\0';
		for (size_t i = 0; value && i < FUNCTIONS; i++)
			if (!strcmp(functions[i].name, step))
				spend(functions[i].burn, step, atoi(value));
		if (!strcmp(step, "called"))
			spend(burn_by_library, step, atoi(value));
		if (!strcmp(step, "mix"))
			mix(atoi(value));
		if (!strcmp(step, "stripped"))
			load(value, &functions[STRIPPED], &functions[STRIPPED + 1]);
		if (!strcmp(step, "sleep"))
			usleep((useconds_t)atoi(value) * 1000);
		for (int i = 0; !strcmp(step, "threads") && i < atoi(value); i++)
			run_thread(end_at_once, NULL, NULL);
		if (!strcmp(step, "mark"))
			print_line("mark", clock_now_ns(CLOCK_MONOTONIC), 0);
		if (!strcmp(step, "thread")) {
			run_thread(do_steps, steps, value);
			return NULL;
		}
		if (!strcmp(step, "exec")) {
			steps[-1] = arguments[1];
			steps[-2] = arguments[0];
			execv("/proc/self/exe", steps - 2);
			exit(1);
		}
		if (!strcmp(step, "fork")) {
			pid_t child = fork();

			if (!child) {
				do_steps(steps);
				_exit(0);
			}
			waitpid(child, NULL, 0);
			return NULL;
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	arguments = argv;
	load(argv[1], &functions[SHARED], &functions[SHARED + 1]);
	do_steps(argv + 2);
	return 0;
}
