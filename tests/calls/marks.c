/* marks.c: a program with marked regions whose times are known, which a profile must show. */
/* SPDX-License-Identifier: MIT
 *
 * marks THREADS STEPS: each thread does in each step: in the region "outer" 3.2 ms of other work;
 * inside it, in the region "inner", a call of 4.8 ms and 1.6 ms of other work; outside both a call
 * of 2.4 ms, 4 ms of other work, and a progress of 2. Some regions end without a begin or begin
 * without an end. What a mark and a clock take is short beside that, also on a busy machine. Prints
 * for each part (blas-inner, blas-none, other-outer, other-inner, other-none, and other-never for
 * the region "never ended") the CPU time in ns that all threads spent there and for how long their
 * CPU was stolen there, and then the number of calls that were not stretched to twice their time.
 */
#include "tests/shim/truth_burn.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "blasprof.h"
#include "tests/shim/truth_blas.h"

enum part { BLAS_INNER, BLAS_NONE, OTHER_OUTER, OTHER_INNER, OTHER_NEVER, OTHER_NONE, PARTS };
static const char *const part_names[] = {"blas-inner",	"blas-none",   "other-outer",
					 "other-inner", "other-never", "other-none"};

static int steps;
static _Atomic int64_t spent_ns[PARTS], stolen_ns[PARTS], short_calls;

/* What a thread does outside BLAS between two marks or calls is timed as a whole. */
static __thread int64_t lap_cpu_ns;
static __thread struct moment lap_moment;

static void begin_lap(void)
{
	lap_cpu_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
	lap_moment = moment_now();
}

static void end_lap(enum part part)
{
	stolen_ns[part] += moment_off_ns(&lap_moment);
	spent_ns[part] += clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - lap_cpu_ns;
}

/* Ends a lap of `other`, and begins one after the call. */
static void call_in(enum part part, float us, enum part other)
{
	int64_t blas_ns = truth_blas_ns, was_stolen_ns = truth_stolen_ns, begun_ns, ended_ns;

	end_lap(other);
	begun_ns = clock_now_ns(CLOCK_MONOTONIC);
	cblas_sgemm(101, 111, 111, 4, 4, 4, us * 1000, NULL, 4, NULL, 4, 0, NULL, 4);
	ended_ns = clock_now_ns(CLOCK_MONOTONIC);
	begin_lap();
	blas_ns = truth_blas_ns - blas_ns;
	short_calls += ended_ns - begun_ns < 1.99 * (double)blas_ns;
	spent_ns[part] += blas_ns;
	stolen_ns[part] += truth_stolen_ns - was_stolen_ns;
}

/* Enters or leaves a region between a lap of `before` and the next one. */
static void mark(enum part before, void (*set)(const char *name), const char *name)
{
	end_lap(before);
	set(name);
	begin_lap();
}

static void *work(void *nothing)
{
	begin_lap();
	for (int i = 0; i < steps; i++) {
		mark(OTHER_NONE, blasprof_region_end, "never begun");
		mark(OTHER_NONE, blasprof_region_begin, "outer");
		burn_cpu_ns(1600000);
		mark(OTHER_OUTER, blasprof_region_begin, "inner");
		call_in(BLAS_INNER, 4800, OTHER_INNER);
		burn_cpu_ns(1600000);
		if (i % 2) {
			mark(OTHER_INNER, blasprof_region_end, "inner");
			burn_cpu_ns(1600000);
		} else {
			mark(OTHER_INNER, blasprof_region_begin, "never ended");
		}
		mark(i % 2 ? OTHER_OUTER : OTHER_NEVER, blasprof_region_end, "outer");
		if (i % 2 == 0) {
			mark(OTHER_NONE, blasprof_region_begin, "outer");
			burn_cpu_ns(1600000);
			mark(OTHER_OUTER, blasprof_region_end, "outer");
		}
		call_in(BLAS_NONE, 2400, OTHER_NONE);
		burn_cpu_ns(4000000);
		end_lap(OTHER_NONE);
		blasprof_progress(2);
		begin_lap();
	}
	end_lap(OTHER_NONE);
	return nothing;
}

int main(int argc, char **argv)
{
	pthread_t threads[16];
	int count = argc > 2 ? atoi(argv[1]) : 0;

	if (count < 1 || count > 16)
		return 2;
	truth_wants_stolen = 1;
	steps = atoi(argv[2]);
	for (int i = 1; i < count; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 3;
	work(NULL);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < PARTS; i++)
		printf("%s %lld %lld\n", part_names[i], (long long)spent_ns[i],
		       (long long)stolen_ns[i]);
	printf("short-calls %lld\n", (long long)short_calls);
	return 0;
}
