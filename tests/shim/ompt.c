/* ompt.c: reports waits to the tool that the preload library is, as an OpenMP runtime does, and
 * prints how long it spun in them. */
/* SPDX-License-Identifier: MIT
 *
 * ompt ROUNDS: prints the CPU time in ns. Prints "no tool" if there is none, and ends.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "truth_blas.h"
#include "truth_burn.h"

enum { BURN_NS = 500000 };

typedef void (*function)(void);
struct tool {
	int (*initialize)(function (*lookup)(const char *name), int device, void *data);
	void (*finalize)(void *data);
	uint64_t data;
};

static void (*sync_region_wait)(int kind, int scope, void *parallel, void *task,
				const void *address);
static void (*task_schedule)(void *before, int status, void *next);

static int set_callback(int event, function callback)
{
	if (event == 16)
		sync_region_wait = (void (*)(int, int, void *, void *, const void *))callback;
	if (event == 6)
		task_schedule = (void (*)(void *, int, void *))callback;
	return 5;
}

static function find(const char *name)
{
	return strcmp(name, "ompt_set_callback") ? NULL : (function)set_callback;
}

static void call(void)
{
	static float x[1];

	cblas_sgemm(101, 111, 111, 1, 1, 1, 1, x, 1, x, 1, 0, x, 1);
}

static void wait(int scope)
{
	sync_region_wait(3, scope, NULL, NULL, NULL);
}

int main(int argc, char **argv)
{
	struct tool *(*start)(unsigned version, const char *runtime) =
		(struct tool * (*)(unsigned, const char *)) dlsym(RTLD_DEFAULT, "ompt_start_tool");
	struct tool *tool = start ? start(202011, "test") : NULL;
	int64_t spun = 0;

	if (!tool || !tool->initialize(find, 0, &tool->data) || !sync_region_wait ||
	    !task_schedule) {
		puts("no tool");
		return 0;
	}
	wait(1); /* before the first call */
	burn_cpu_ns(BURN_NS);
	wait(2);
	call();
	for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) {
		wait(1);
		spun += burn_cpu_ns(BURN_NS);
		if (i % 4 == 1) /* it blocks at last */
			nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
		if (i % 4 == 2) { /* executes a task, which waits as well */
			task_schedule(NULL, 7, NULL);
			burn_cpu_ns(BURN_NS);
			wait(1);
			spun += burn_cpu_ns(BURN_NS);
			wait(2);
			burn_cpu_ns(BURN_NS);
			task_schedule(NULL, 1, NULL);
			spun += burn_cpu_ns(BURN_NS);
		}
		wait(2);
		burn_cpu_ns(BURN_NS);
		if (i % 4 == 3) { /* a call ends the wait, as far as is known */
			wait(1);
			call();
			burn_cpu_ns(BURN_NS);
			wait(2);
		}
		call();
	}
	tool->finalize(&tool->data);
	printf("%lld\n", (long long)spun);
	return 0;
}
