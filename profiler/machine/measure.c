/* measure.c: measures the machine's ceilings: peak flops by vector width, and bandwidth by cache
 * level. */
/* SPDX-License-Identifier: MIT */
#include "machine/measure.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine/team.h"
#include "base/machine_files.h"

#define MEMORY_MIN_BYTES (size_t)(64 << 20)
#define BEYOND_CACHES	 4 /* memory is measured over so many times the last cache */
#define OF_MEMORY	 8 /* but over at most this part of what the machine has */

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
