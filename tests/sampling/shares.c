/* shares.c: eight functions of all kinds with known shares of the CPU time, which it prints. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "burn.h"
#include "jit_code.h"

/* Usage: shares LIBRARY STRIPPED ROUNDS: prints "NAME PID TID CPU_NS CALLS" for each function, for
 * 100 calls a round. A call takes the same work in each. Chance says which function is next: what
 * disturbs the machine disturbs all, and the samples, which come at equal distances, do not meet
 * the same one again and again. */

static volatile uint64_t sink;

static __attribute__((noinline)) uint64_t share_global(uint64_t seed)
{
	BURN_BODY(seed);
	return seed;
}

static __attribute__((noinline)) uint64_t share_static(uint64_t seed)
{
	BURN_BODY(seed);
	return seed + 1;
}

static inline __attribute__((always_inline)) uint64_t share_inlined(uint64_t seed)
{
	BURN_BODY(seed);
	return seed + 2;
}

static __attribute__((noinline)) uint64_t share_around(uint64_t seed)
{
	return share_inlined(seed) * 3;
}

static struct share {
	const char *name;
	uint64_t (*burn)(uint64_t seed);
	int calls; /* of 100 */
	int64_t cpu_ns;
	long done;
} shares[] = {
	{"share_global", share_global, 5},   {"share_static", share_static, 8},
	{"share_inlined", share_around, 20}, {"burn_shared", NULL, 12},
	{"hidden_loop", NULL, 15},	     {"stripped_shared", NULL, 10},
	{"stripped_hidden", NULL, 18},	     {"share_jit", NULL, 12},
};

static int64_t cpu_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void call_once(struct share *share)
{
	int64_t start_ns = cpu_now_ns();

	sink = share->burn(sink);
	share->cpu_ns += cpu_now_ns() - start_ns;
	share->done++;
}

static void open_library(const char *path, struct share *shared, struct share *hidden)
{
	void *library = dlopen(path, RTLD_NOW);

	if (!library) {
		fprintf(stderr, "shares: no library: %s\n", dlerror());
		exit(2);
	}
	shared->burn = (uint64_t(*)(uint64_t))dlsym(library, "burn_shared");
	hidden->burn = (uint64_t(*)(uint64_t))dlsym(library, "burn_hidden");
}

int main(int argc, char **argv)
{
	const size_t count = sizeof shares / sizeof *shares;
	int rounds = argc == 4 ? atoi(argv[3]) : 0;

	if (rounds < 1)
		return 2;
	open_library(argv[1], &shares[3], &shares[4]);
	open_library(argv[2], &shares[5], &shares[6]);
	shares[7].burn = jit_code_make("share_jit");
	if (!shares[7].burn)
		return 3;
	for (long i = 0; i < rounds * 100L; i++) {
		long left = random() % 100;
		struct share *next = shares;

		for (; left >= next->calls; next++)
			left -= next->calls;
		call_once(next);
	}
	for (size_t i = 0; i < count; i++)
		dprintf(1, "%s %d %d %lld %ld\n", shares[i].name, (int)getpid(), (int)gettid(),
			(long long)shares[i].cpu_ns, shares[i].done);
	return 0;
}
