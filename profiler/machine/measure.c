/* measure.c: measures peak flops by vector width, and bandwidth by cache level: multiply-adds in
 * registers, and passes over memory (read, copy, and the triad of the STREAM benchmark). */
/* SPDX-License-Identifier: MIT */
#include "machine/measure.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "wire/clock.h"

#define TIMED_NS	     5000000 /* time of each repeat */
#define UNTIMED_WORK	     4e6     /* flops or bytes between two readings of the clock */
#define MEMORY_MIN_BYTES     (size_t)(64 << 20)
#define UNKNOWN_CACHES_BYTES (256 << 20) /* more than nearly all CPUs have */
#define CACHES_MULTIPLE	     4 /* memory is measured with data of this many times the caches' size */
#define MEMORY_FRACTION	     8 /* but with at most 1/8 of the machine's memory */

/* Does some microseconds of work, and returns its flops, or the bytes that it read and wrote.
 * Passes over memory have arrays of `count` doubles each that follow each other in `memory`, which
 * is aligned to 64 bytes; count is a multiple of BANDWIDTH_STEP. */
typedef double run_kernel(double *memory, size_t count);

/* Multiply-adds in registers, in enough independent chains to hide their latency. One row for each
 * vector width and precision. */
struct flops_kernel {
	const char *name; /* "512-bit FMA" */
	enum precision precision;
	int bits;   /* of the vectors */
	int is_fma; /* 1: needs FMA; 0: for CPUs without it */
	run_kernel *run;
};

/* Passes over memory, in the widest vectors of the CPU. */
struct bandwidth_kernel {
	const char *name; /* "read", "copy", "triad" */
	int arrays;	  /* number of arrays that it uses */
	int bits;	  /* of the vectors */
	run_kernel *run;
};
#define BANDWIDTH_STEP 64

#define ROUNDS	       4096
/* Enough chains to hide a latency of 4 or 5 cycles when CPUs start two operations per cycle. */
#define CHAINS	       12

/* Expands X(n, a) for each chain n. */
#define EACH_CHAIN(X, a)                                                                           \
	X(0, a)                                                                                    \
	X(1, a) X(2, a) X(3, a) X(4, a) X(5, a) X(6, a) X(7, a) X(8, a) X(9, a) X(10, a) X(11, a)
#define BEGIN(n, value)	 number sum##n = {(value) + n};
#define STEP(n, unused)	 sum##n = sum##n * factor + term;
#define GATHER(n, total) total += sum##n;

/* A factor less than 1 keeps each sum near term / (1 - factor). The volatile variables keep the
 * compiler from computing the result itself, or from dropping it. */
#define KERNEL(function, type, bits, ...)                                                          \
	__VA_ARGS__ static double function(double *memory, size_t count)                           \
	{                                                                                          \
		typedef type number __attribute__((vector_size((bits) / 8)));                      \
		static volatile type given[] = {(type)0.999, (type)0.001};                         \
		static _Thread_local volatile type kept;                                           \
		number factor = (number){0} + given[0], term = (number){0} + given[1];             \
                                                                                                   \
		EACH_CHAIN(BEGIN, given[1])                                                        \
		for (int i = 0; i < ROUNDS; i++) {                                                 \
			EACH_CHAIN(STEP, 0)                                                        \
		}                                                                                  \
		factor = (number){0};                                                              \
		EACH_CHAIN(GATHER, factor)                                                         \
		kept = factor[0];                                                                  \
		(void)kept;                                                                        \
		return 2.0 * ROUNDS * CHAINS * ((bits) / 8 / sizeof(type));                        \
	}

/* clang-format off */
KERNEL(single_128, float, 128, )
KERNEL(double_128, double, 128, )
#ifdef __x86_64__
KERNEL(single_128_fma, float, 128, __attribute__((target("fma"))))
KERNEL(double_128_fma, double, 128, __attribute__((target("fma"))))
KERNEL(single_256_fma, float, 256, __attribute__((target("avx2,fma"))))
KERNEL(double_256_fma, double, 256, __attribute__((target("avx2,fma"))))
KERNEL(single_512_fma, float, 512, __attribute__((target("avx512f,fma"))))
KERNEL(double_512_fma, double, 512, __attribute__((target("avx512f,fma"))))
#endif

static const struct flops_kernel flops_kernels[] = {
	{"single, 128 bits", PRECISION_SINGLE, 128, 0, single_128},
	{"double, 128 bits", PRECISION_DOUBLE, 128, 0, double_128},
#ifdef __x86_64__
	{"single, 128 bits, FMA", PRECISION_SINGLE, 128, 1, single_128_fma},
	{"single, 256 bits, FMA", PRECISION_SINGLE, 256, 1, single_256_fma},
	{"single, 512 bits, FMA", PRECISION_SINGLE, 512, 1, single_512_fma},
	{"double, 128 bits, FMA", PRECISION_DOUBLE, 128, 1, double_128_fma},
	{"double, 256 bits, FMA", PRECISION_DOUBLE, 256, 1, double_256_fma},
	{"double, 512 bits, FMA", PRECISION_DOUBLE, 512, 1, double_512_fma},
#endif
};
/* clang-format on */

static int is_supported(const struct flops_kernel *kernel)
{
#ifdef __x86_64__
	return !!__builtin_cpu_supports("fma") == kernel->is_fma &&
	       (kernel->bits < 256 || __builtin_cpu_supports("avx2")) &&
	       (kernel->bits < 512 || __builtin_cpu_supports("avx512f"));
#else
	return 1;
#endif
}

static _Thread_local volatile long kept;

/* Passes in vectors of one width: wider ones than the CPU has would go through its stack. Reading
 * has chains of cheap operations, so that only the loads take time. The barrier keeps the compiler
 * from turning the copy into a call of memcpy(). */
#define PASSES(bits, ...)                                                                          \
	__VA_ARGS__ static double read_##bits(double *memory, size_t count)                        \
	{                                                                                          \
		typedef long vector __attribute__((vector_size((bits) / 8)));                      \
		const vector *from = (const vector *)memory;                                       \
		vector a = {0}, b = {0}, c = {0}, d = {0};                                         \
                                                                                                   \
		for (size_t i = 0; i < count / ((bits) / 64); i += 4) {                            \
			a ^= from[i];                                                              \
			b ^= from[i + 1];                                                          \
			c ^= from[i + 2];                                                          \
			d ^= from[i + 3];                                                          \
		}                                                                                  \
		a ^= b ^ c ^ d;                                                                    \
		for (size_t i = 0; i < (bits) / 64; i++)                                           \
			kept = a[i];                                                               \
		return (double)count * sizeof *memory;                                             \
	}                                                                                          \
                                                                                                   \
	__VA_ARGS__ static double copy_##bits(double *memory, size_t count)                        \
	{                                                                                          \
		typedef long vector __attribute__((vector_size((bits) / 8)));                      \
		const vector *from = (const vector *)memory;                                       \
		vector *to = (vector *)(memory + count);                                           \
                                                                                                   \
		for (size_t i = 0; i < count / ((bits) / 64); i += 2) {                            \
			to[i] = from[i];                                                           \
			to[i + 1] = from[i + 1];                                                   \
			__asm__ volatile("" ::: "memory");                                         \
		}                                                                                  \
		return 2.0 * (double)count * sizeof *memory;                                       \
	}                                                                                          \
                                                                                                   \
	__VA_ARGS__ static double triad_##bits(double *memory, size_t count)                       \
	{                                                                                          \
		typedef double vector __attribute__((vector_size((bits) / 8)));                    \
		const vector *left = (vector *)memory, *right = (vector *)(memory + count);        \
		vector *to = (vector *)(memory + 2 * count);                                       \
                                                                                                   \
		for (size_t i = 0; i < count / ((bits) / 64); i += 2) {                            \
			to[i] = left[i] + 3.0 * right[i];                                          \
			to[i + 1] = left[i + 1] + 3.0 * right[i + 1];                              \
		}                                                                                  \
		return 3.0 * (double)count * sizeof *memory;                                       \
	}

/* clang-format off */
#define PASS_ROWS(bits)                                                                            \
	{"read", 1, bits, read_##bits}, {"copy", 2, bits, copy_##bits}, {"triad", 3, bits, triad_##bits}

PASSES(128, )
#ifdef __x86_64__
PASSES(256, __attribute__((target("avx2"))))
PASSES(512, __attribute__((target("avx512f"))))
#endif

static const struct bandwidth_kernel bandwidth_kernels[] = {
	PASS_ROWS(128),
#ifdef __x86_64__
	PASS_ROWS(256),
	PASS_ROWS(512),
#endif
};
/* clang-format on */

static int widest_bits(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("avx512f") ? 512 : __builtin_cpu_supports("avx2") ? 256 : 128;
#else
	return 128;
#endif
}

/* A loop to be timed, and its results: flops or bytes per second of CPU time in each repeat, summed
 * over the threads. CPU time, so that other programs do not matter. */
struct team_task {
	run_kernel *run;
	int arrays;		      /* 0: it needs no memory */
	size_t bytes_one, bytes_each; /* data of a single thread, and of each of all threads */
	double one[TEAM_REPEATS], all[TEAM_REPEATS];
	struct probe_result *result; /* gets their medians, ... */
	struct ceiling *ceiling;     /* ... to which this is raised */
};

struct team {
	struct team_task *tasks;
	size_t count;
	int threads;
	pthread_mutex_t lock;
	pthread_barrier_t barrier;
	int cancelled; /* 1: some threads could not be started */
	int failed;    /* 1: memory is out */
};

struct member {
	struct team *team;
	pthread_t thread;
	int index;
	size_t bytes;
	double *memory;
};

static double time_task(const struct team_task *task, double *memory, size_t bytes)
{
	int64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID), spent_ns = 0;
	size_t count = 0;
	double work = 0;

	if (task->arrays) /* doubles of one array, rounded down to whole steps */
		count = bytes / sizeof(double) / (size_t)task->arrays / BANDWIDTH_STEP *
			BANDWIDTH_STEP;
	while (spent_ns < TIMED_NS) {
		double part = 0;

		while (part < UNTIMED_WORK)
			part += task->run(memory, count);
		work += part;
		spent_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
	}
	return work / (double)spent_ns * 1e9;
}

/* Called by all members; if `alone`, only member 0 works. Round -1 warms up. */
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

/* Lists the first `count` CPUs of the thread's affinity mask. */
static void list_used(int count, struct cpu_list *used)
{
	cpu_set_t mask;

	*used = (struct cpu_list){0};
	CPU_ZERO(&mask);
	sched_getaffinity(0, sizeof mask, &mask);
	for (int cpu = 0; cpu < CPU_SETSIZE && used->count < (size_t)count; cpu++)
		if (CPU_ISSET(cpu, &mask))
			cpu_list_add(used, cpu);
}

static void *run_member(void *argument)
{
	struct member *member = argument;
	struct team *team = member->team;
	struct cpu_list used;
	cpu_set_t own;

	/* wait for the lock until all threads are started, or one could not be */
	pthread_mutex_lock(&team->lock);
	pthread_mutex_unlock(&team->lock);
	if (team->cancelled)
		return NULL;
	/* pin the thread to a CPU of its own */
	list_used(member->index + 1, &used);
	EACH_CPU(cpu, &used)
	{
		CPU_ZERO(&own);
		CPU_SET(cpu, &own);
	}
	if (used.count)
		sched_setaffinity(0, sizeof own, &own);
	/* the thread touches its pages first, so that they are local to its NUMA node */
	member->memory = mmap(NULL, member->bytes, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (member->memory == MAP_FAILED) {
		__atomic_store_n(&team->failed, 1, __ATOMIC_RELAXED);
	} else {
		madvise(member->memory, member->bytes, MADV_HUGEPAGE);
		for (size_t i = 0; i < member->bytes / sizeof(double); i++)
			member->memory[i] = 1;
	}
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

/* Runs all tasks in TEAM_REPEATS rounds after a warm-up, each task with one thread and with
 * `threads`, each thread on its own CPU of the caller's mask. Returns 0, or -1 with *err. */
static int team_run(struct team_task *tasks, size_t count, int threads, struct error *err)
{
	struct team team = {.tasks = tasks,
			    .count = count,
			    .threads = threads,
			    .lock = PTHREAD_MUTEX_INITIALIZER};
	FREED struct member *members = memory_rows((size_t)threads, sizeof *members);
	int started = 0;

	pthread_barrier_init(&team.barrier, NULL, (unsigned)threads);
	pthread_mutex_lock(&team.lock);
	for (; started < threads; started++) {
		struct member *member = &members[started];

		*member = (struct member){.team = &team, .index = started};
		for (size_t i = 0; i < count; i++) {
			if (tasks[i].bytes_each > member->bytes)
				member->bytes = tasks[i].bytes_each;
			if (!started && tasks[i].bytes_one > member->bytes)
				member->bytes = tasks[i].bytes_one;
		}
		member->bytes += BANDWIDTH_STEP * sizeof(double);
		if (pthread_create(&member->thread, NULL, run_member, member))
			break;
	}
	team.cancelled = started < threads;
	pthread_mutex_unlock(&team.lock);
	for (int i = 0; i < started; i++)
		pthread_join(members[i].thread, NULL);
	pthread_barrier_destroy(&team.barrier);
	if (team.cancelled)
		return error_set(err, "raise the limit on processes (ulimit -u)",
				 "cannot start %d threads for the measurement", threads);
	return team.failed ? error_set(err, "free some memory",
				       "no memory for the buffers of the measurement")
			   : 0;
}

/* Reads a cache of a CPU from /sys/devices/system/cpu/cpuN/cache/indexM. The level of an
 * instruction cache is 0. Returns -1 if there is no such cache. */
static int read_cache(const char *root, int cpu, int index, int *level, double *bytes,
		      struct cpu_list *shared)
{
	const char *folder = PATH("/sys/devices/system/cpu/cpu%d/cache/index%d", cpu, index);
	unsigned long kib = 0;
	char text[1024];

	*level = (int)machine_read_long(root, PATH("%s/level", folder), 0);
	if (*level < 1)
		return -1;
	if (machine_read_line(root, PATH("%s/type", folder), text, sizeof text) ||
	    !strcmp(text, "Instruction"))
		*level = 0;
	if (!machine_read_line(root, PATH("%s/size", folder), text, sizeof text))
		sscanf(text, "%luK", &kib);
	*bytes = (double)kib * 1024;
	*shared = (struct cpu_list){0};
	machine_read_line(root, PATH("%s/shared_cpu_list", folder), text, sizeof text);
	cpu_list_parse(shared, text);
	return 0;
}

void probe_caches(const char *root, const struct cpu_list *cpus, double bytes[LEVEL_MEMORY])
{
	memset(bytes, 0, LEVEL_MEMORY * sizeof *bytes);
	EACH_CPU(cpu, cpus)
	{
		struct cpu_list shared;
		double size;
		int level;

		for (int index = 0; !read_cache(root, cpu, index, &level, &size, &shared);
		     index++) {
			int is_counted = 0; /* with a lower CPU */

			EACH_CPU(other, &shared)
			is_counted |= other < cpu && cpu_list_has(cpus, other);
			if (level && level <= LEVEL_MEMORY && !is_counted)
				bytes[level - 1] += size;
		}
	}
}

double probe_memory_bytes(const double caches[LEVEL_MEMORY])
{
	double sum = 0;

	for (int i = 0; i < LEVEL_MEMORY; i++)
		sum += caches[i];
	if (!(sum > 0)) /* the kernel of some virtual machines lists none, but the CPU may */
		sum = fmax((double)sysconf(_SC_LEVEL2_CACHE_SIZE), 0) +
		      fmax((double)sysconf(_SC_LEVEL3_CACHE_SIZE), 0);
	if (!(sum > 0))
		sum = UNKNOWN_CACHES_BYTES;
	return sum * CACHES_MULTIPLE > MEMORY_MIN_BYTES ? sum * CACHES_MULTIPLE : MEMORY_MIN_BYTES;
}

int probe_measure(int cpus, struct probe *probe, struct error *err)
{
	static struct team_task tasks[2 * PROBE_RESULTS_MAX];
	double *one = probe->ceilings.cache_bytes, all[LEVEL_MEMORY];
	double most =
		(double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / MEMORY_FRACTION;
	struct cpu_list used;

	memset(probe, 0, sizeof *probe);
#ifndef __OPTIMIZE__
	return error_set(err, "build blasprof with CFLAGS=-O2",
			 "this blasprof is built without optimisation, so that it would "
			 "measure the compiler instead of the machine");
#endif
	probe->ceilings.cpus = cpus;
	list_used(1, &used);
	probe_caches("", &used, one);
	list_used(cpus, &used);
	probe_caches("", &used, all);
	probe->memory_is_short = probe_memory_bytes(all) > most;
	EACH_ROW(kernel, flops_kernels, COUNT(flops_kernels)) {
		struct probe_result *result = &probe->flops[probe->nflops];

		if (!is_supported(kernel))
			continue;
		snprintf(result->name, sizeof result->name, "%s", kernel->name);
		tasks[probe->nflops++] = (struct team_task){
			.run = kernel->run,
			.result = result,
			.ceiling = &probe->ceilings.flops_per_s[kernel->precision],
		};
	}
	for (enum level level = 0; level < LEVEL_COUNT; level++)
		EACH_ROW(kernel, bandwidth_kernels, COUNT(bandwidth_kernels)) {
			struct team_task *task = &tasks[probe->nflops + probe->nbytes];
			struct probe_result *result = &probe->bytes[probe->nbytes];

			if (kernel->bits != widest_bits() ||
			    (level < LEVEL_MEMORY && !(one[level] > 0)))
				continue;
			probe->nbytes++;
			*task = (struct team_task){
				.run = kernel->run,
				.arrays = kernel->arrays,
				.result = result,
				.ceiling = &probe->ceilings.bytes_per_s[level],
			};
			if (level < LEVEL_MEMORY) { /* half, to leave room for other data */
				task->bytes_one = (size_t)(one[level] / 2);
				task->bytes_each = (size_t)(all[level] / 2 / cpus);
			} else {
				task->bytes_one = (size_t)fmin(probe_memory_bytes(one), most);
				task->bytes_each =
					(size_t)(fmin(probe_memory_bytes(all), most) / cpus);
			}
			result->bytes_one = (double)task->bytes_one;
			result->bytes_all = (double)task->bytes_each * cpus;
			snprintf(result->name, sizeof result->name, "%s, %s", level_names[level],
				 kernel->name);
		}
	if (team_run(tasks, probe->nflops + probe->nbytes, cpus, err))
		return -1;
	EACH_ROW(task, tasks, probe->nflops + probe->nbytes) {
		task->result->one = stats_median_interval(task->one, TEAM_REPEATS);
		task->result->all = stats_median_interval(task->all, TEAM_REPEATS);
		task->ceiling->one = fmax(task->ceiling->one, task->result->one.value);
		task->ceiling->all = fmax(task->ceiling->all, task->result->all.value);
	}
	return 0;
}
