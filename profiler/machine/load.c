/* load.c: the load that other programs put on the CPUs during a run, from the kernel's counters
 * before and after it. */
/* SPDX-License-Identifier: MIT */
#include "machine/machine.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/human.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "wire/clock.h"

#define PROCESSES_MAX  8192 /* each takes some 15 us to read */
#define NAMED_CPUS_MIN 0.05 /* programs that used less are not named */
#define NAMED_MAX      4

/* Converts and clamps, so that sums do not overflow whatever a recorded tree contains. */
static int64_t ticks_ns(double ticks)
{
	return (int64_t)fmin(fmax(ticks, 0) * 1e9 / (double)sysconf(_SC_CLK_TCK), 1e18);
}

/* user nice system idle iowait irq softirq steal */
static void read_cpus(const char *root, struct load *load)
{
	OWN_FILE *file = machine_open(root, "/proc/stat");
	char line[512];

	while (file && fgets(line, sizeof line, file)) {
		double t[8] = {0};
		struct load_cpu cpu;
		int number;

		if (!strncmp(line, "cpu ", 4) || /* the sum of all CPUs */
		    sscanf(line, "cpu%d %lf %lf %lf %lf %lf %lf %lf %lf", &number, &t[0], &t[1],
			   &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) < 8)
			continue;
		cpu = (struct load_cpu){number, ticks_ns(t[0] + t[1] + t[2] + t[5] + t[6]),
					ticks_ns(t[7])};
		memory_append(&load->cpus, &load->ncpus, sizeof cpu, &cpu);
	}
}

COMPARE(compare_pids, struct load_process, ORDER(a->pid, b->pid))

static void read_processes(const char *root, struct load *load)
{
	OWN_DIR *directory = opendir(PATH("%s/proc", root));
	struct dirent *entry;

	while (directory && load->nprocesses < PROCESSES_MAX && (entry = readdir(directory))) {
		struct load_process process = {0};
		struct process_stat stat;

		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		if (machine_read_process(root, PATH("/proc/%s/stat", entry->d_name), &stat))
			continue; /* it has ended just now */
		process.pid = atoll(entry->d_name);
		process.parent = stat.parent;
		process.start = stat.start;
		memcpy(process.name, stat.name, sizeof process.name);
		process.own_ns = ticks_ns((double)stat.user + (double)stat.system);
		process.whole_ns = process.own_ns +
				   ticks_ns((double)stat.child_user + (double)stat.child_system);
		memory_append(&load->processes, &load->nprocesses, sizeof process, &process);
	}
	SORT(load->processes, load->nprocesses, compare_pids);
}

void load_read(const char *root, struct load *load)
{
	*load = (struct load){.throttled_ns = machine_throttled_ns(root, 0),
			      .now_ns = clock_ns(CLOCK_MONOTONIC)};
	read_cpus(root, load);
	read_processes(root, load);
}

void load_free(struct load *load)
{
	free(load->cpus);
	free(load->processes);
	*load = (struct load){0};
}

static struct load_process *find_pid(const struct load *load, int64_t pid)
{
	struct load_process key = {.pid = pid};

	return load->nprocesses
		       ? bsearch(&key, load->processes, load->nprocesses, sizeof key, compare_pids)
		       : NULL;
}

/* Finds the process in another reading, unless its number was reused there. */
static struct load_process *find_same(const struct load *load, const struct load_process *process)
{
	struct load_process *found = find_pid(load, process->pid);

	return found && found->start == process->start ? found : NULL;
}

static int may_use(const struct load_program *program, int cpu)
{
	return cpu >= 0 && cpu / 64 < program->words && program->cpus[cpu / 64] >> (cpu % 64) & 1;
}

/* Sets the run's totals: how long the CPUs that the program may use ran other programs, were taken
 * by the host, or were throttled by the quota. */
static void note_totals(const struct load *before, const struct load *after,
			const struct load_program *program, struct run *run)
{
	int64_t busy_ns = 0, steal_ns = 0;

	run->others_ns = run->steal_ns = run->quota_ns = NAN;
	if (before->throttled_ns >= 0 && after->throttled_ns >= before->throttled_ns)
		run->quota_ns = after->throttled_ns - before->throttled_ns;
	EACH_ROW(cpu, after->cpus, after->ncpus)
		EACH_ROW(was, before->cpus, before->ncpus)
			if (cpu->number == was->number && may_use(program, cpu->number)) {
				busy_ns += cpu->busy_ns - was->busy_ns;
				steal_ns += cpu->steal_ns - was->steal_ns;
			}
	if (!before->ncpus || !after->ncpus)
		return;
	run->others_ns = fmax((double)(busy_ns - program->cpu_ns), 0);
	run->steal_ns = fmax((double)steal_ns, 0);
}

/* Returns the share of the CPUs that the process may run on that the program may use, too. */
static double likely_share(const char *root, const struct load_process *process,
			   const struct load *load, const struct load_program *program)
{
	struct cpu_list allowed = {0};
	size_t all = 0, shared = 0;
	char line[4096];

	machine_read_field(root, PATH("/proc/%lld/status", (long long)process->pid),
			   "Cpus_allowed_list:", line, sizeof line);
	cpu_list_parse(&allowed, line);
	EACH_ROW(cpu, load->cpus, load->ncpus)
		if (!allowed.count || cpu_list_has(&allowed, cpu->number)) {
			all++;
			shared += may_use(program, cpu->number);
		}
	return all ? (double)shared / (double)all : 0;
}

/* Subtracts the times of `before` from the processes of `after`. The times of an ended child are in
 * its parent's, so they are subtracted from the nearest ancestor that still exists. */
static void subtract(const char *root, const struct load *before, const struct load *after,
		     const struct load_program *program)
{
	EACH_ROW(process, before->processes, before->nprocesses) {
		const struct load_process *above = process;
		struct load_process *left = find_same(after, process);
		int depth = 0;

		while (!left && depth++ < 64 && (above = find_pid(before, above->parent)))
			left = find_same(after, above);
		if (left) {
			left->own_ns -= process->own_ns;
			left->whole_ns -= process->whole_ns;
		}
	}
	EACH_ROW(process, after->processes, after->nprocesses) {
		if (process->pid == program->profiler) {
			process->whole_ns = process->own_ns; /* its children are the program */
			snprintf(process->name, sizeof process->name, "%s", RUN_PROFILER);
		}
		if (process->pid == program->pid)
			process->whole_ns = 0;
		if ((double)process->whole_ns >=
		    NAMED_CPUS_MIN * (double)(after->now_ns - before->now_ns))
			process->whole_ns = (int64_t)((double)process->whole_ns *
						      likely_share(root, process, after, program));
	}
}

static int compare_names(const void *left, const void *right, void *context)
{
	const struct load_process *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static void add_process(void *into, const void *row)
{
	((struct load_process *)into)->whole_ns += ((const struct load_process *)row)->whole_ns;
}

COMPARE(compare_times, struct load_process, ORDER(b->whole_ns, a->whole_ns))

static void note_names(const struct load *use, int64_t elapsed_ns, struct run *run)
{
	double others = run->others_ns / (double)elapsed_ns, rest = others, known_ns = 0, scale;
	const char *before = ": ";
	char text[256] = "";

	if (!(others >= NAMED_CPUS_MIN))
		return;
	SAY(text, "%.2f CPUs", others);
	for (size_t i = 0; i < use->nprocesses; i++)
		known_ns += fmax((double)use->processes[i].whole_ns, 0);
	scale = known_ns > run->others_ns ? run->others_ns / known_ns : 1;
	for (size_t i = 0; i < use->nprocesses && i < NAMED_MAX; i++) {
		double cpus = (double)use->processes[i].whole_ns / (double)elapsed_ns * scale;

		if (cpus < NAMED_CPUS_MIN)
			break;
		SAY(text, "%s%s %.2f", before, use->processes[i].name, cpus);
		before = ", ";
		rest -= cpus;
	}
	if (rest >= NAMED_CPUS_MIN)
		SAY(text, "%snot known %.2f", before, rest);
	run_add_fact(run, "other_programs", text);
}

void load_note(const char *root, const struct load *before, struct load *after,
	       const struct load_program *program, struct run *run)
{
	note_totals(before, after, program, run);
	subtract(root, before, after, program);
	after->nprocesses = array_merge(after->processes, after->nprocesses,
					sizeof *after->processes, compare_names, add_process, NULL);
	SORT(after->processes, after->nprocesses, compare_times);
	if (after->now_ns > before->now_ns)
		note_names(after, after->now_ns - before->now_ns, run);
}
