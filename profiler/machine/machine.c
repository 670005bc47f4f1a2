/* machine.c: the facts of the machine that go into each run, and how many CPUs it may use at a
 * time. */
/* SPDX-License-Identifier: MIT */
#include "machine/machine.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/machine_files.h"

/* CPUs in the caller's affinity mask, or INT_MAX when it cannot be read. */
static int cpus_allowed(const char *root)
{
	static const char field[] = "Cpus_allowed_list:";
	struct cpu_list list = {0};
	char line[4096];

	if (machine_read_field(root, "/proc/self/status", field, line, sizeof line) ||
	    cpu_list_parse(&list, line) || !list.count)
		return INT_MAX;
	free(list.cpu);
	return (int)list.count;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Where the cpu controller is mounted, by the controllers that /proc/self/cgroup names ("" is v2).
 */
static const struct {
	const char *controllers, *mount;
	int is_v2;
} mounts[] = {
	{"", "/sys/fs/cgroup", 1},
	{"", "/sys/fs/cgroup/unified", 1},
	{"cpu", "/sys/fs/cgroup/cpu", 0},
	{"cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct", 0},
	{"cpuacct,cpu", "/sys/fs/cgroup/cpu,cpuacct", 0},
};

/* A group's quota of CPU time in each period, rounded up to whole CPUs; INT_MAX: no limit. Version
 * 2 has "max 100000" or "150000 100000". */
static int group_quota(const char *root, const char *folder, int is_v2)
{
	long quota_us = -1, period_us = -1, cpus;
	char path[PATH_MAX + 32], line[64];

	if (is_v2) {
		snprintf(path, sizeof path, "%s/cpu.max", folder);
		if (machine_read_line(root, path, line, sizeof line) ||
		    sscanf(line, "%ld %ld", &quota_us, &period_us) != 2)
			return INT_MAX;
	} else {
		snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
		quota_us = machine_read_long(root, path, -1);
		snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
		period_us = machine_read_long(root, path, -1);
	}
	if (quota_us <= 0 || period_us <= 0)
		return INT_MAX;
	cpus = quota_us / period_us;
	return cpus < INT_MAX ? (int)cpus + (quota_us % period_us > 0) : INT_MAX;
}

/* The least of the groups in a line like "4:cpu,cpuacct:/user.slice" or "0::/user.slice", and of
 * all groups above them, up to the mount itself. A group that is not there (a container sees only
 * its own part of the tree) sets no limit. */
static int line_quota(const char *root, char *line)
{
	char *controllers = strchr(line, ':'), *group, folder[PATH_MAX], *slash;
	int least = INT_MAX;

	group = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!group)
		return INT_MAX;
	*group++ = '\0';
	group[strcspn(group, "\n")] = '\0';
	for (size_t i = 0; i < sizeof mounts / sizeof *mounts; i++) {
		if (strcmp(mounts[i].controllers, controllers + 1) ||
		    snprintf(folder, sizeof folder, "%s%s", mounts[i].mount, group) >=
			    (int)sizeof folder)
			continue;
		for (;;) {
			least = smaller(least, group_quota(root, folder, mounts[i].is_v2));
			slash = strrchr(folder, '/');
			if (strlen(folder) <= strlen(mounts[i].mount) || !slash)
				break;
			*slash = '\0';
		}
	}
	return least;
}

int machine_cpu_quota(const char *root)
{
	FILE *file = machine_open(root, "/proc/self/cgroup");
	int least = INT_MAX;
	char line[PATH_MAX];

	if (!file)
		return INT_MAX;
	while (fgets(line, sizeof line, file))
		least = smaller(least, line_quota(root, line));
	fclose(file);
	return least;
}

int machine_count_online(const char *root)
{
	struct cpu_list online;
	int count = 1;

	if (!machine_cpus_online(root, &online)) {
		count = (int)online.count;
		free(online.cpu);
	}
	return count;
}

int machine_cpus_available(const char *root)
{
	int cpus = machine_count_online(root);

	cpus = smaller(cpus, cpus_allowed(root));
	cpus = smaller(cpus, machine_cpu_quota(root));
	return cpus > 1 ? cpus : 1;
}

extern char **environ;

/* Shell patterns of the environment variables that matter. */
static const char *const variables[] = {
	"*_NUM_THREADS", "OMP_*", "OPENBLAS_*", "MKL_*", "BLIS_*", "GOMP_*", "KMP_*", "LD_PRELOAD",
};

/* Arm processors do not say their names. Implementer and part number, as in the register MIDR_EL1.
 */
static const struct {
	unsigned implementer, part;
	const char *name;
} arm_parts[] = {
	{0x41, 0xd03, "Arm Cortex-A53"},       {0x41, 0xd07, "Arm Cortex-A57"},
	{0x41, 0xd08, "Arm Cortex-A72"},       {0x41, 0xd0b, "Arm Cortex-A76"},
	{0x41, 0xd0c, "Arm Neoverse N1"},      {0x41, 0xd40, "Arm Neoverse V1"},
	{0x41, 0xd49, "Arm Neoverse N2"},      {0x41, 0xd4f, "Arm Neoverse V2"},
	{0x46, 0x001, "Fujitsu A64FX"},	       {0x61, 0x022, "Apple M1 (Icestorm)"},
	{0x61, 0x023, "Apple M1 (Firestorm)"},
};

/* "Arm Neoverse N1", or the two numbers. -1 when the file does not have them. */
static int name_arm_part(const char *root, char *name, size_t size)
{
	char text[32];
	unsigned implementer, part;

	if (machine_read_field(root, "/proc/cpuinfo", "CPU implementer", text, sizeof text))
		return -1;
	implementer = (unsigned)strtoul(text, NULL, 0);
	if (machine_read_field(root, "/proc/cpuinfo", "CPU part", text, sizeof text))
		return -1;
	part = (unsigned)strtoul(text, NULL, 0);
	snprintf(name, size, "Arm processor, implementer 0x%x, part 0x%x", implementer, part);
	for (size_t i = 0; i < sizeof arm_parts / sizeof *arm_parts; i++)
		if (arm_parts[i].implementer == implementer && arm_parts[i].part == part)
			snprintf(name, size, "%s", arm_parts[i].name);
	return 0;
}

static void name_cpu(const char *root, char *name, size_t size)
{
	if (machine_read_field(root, "/proc/cpuinfo", "model name", name, size) &&
	    name_arm_part(root, name, size) &&
	    machine_read_line(root, "/proc/device-tree/model", name, size))
		snprintf(name, size, "unknown");
}

static void add_file(const char *root, const char *path, const char *fact, struct run *run)
{
	char line[256];

	if (!machine_read_line(root, path, line, sizeof line))
		run_add_fact(run, fact, line);
}

static void add_number(struct run *run, const char *fact, int number)
{
	char text[16];

	snprintf(text, sizeof text, "%d", number);
	run_add_fact(run, fact, text);
}

/* Kernels before 6.1 do not have the file: then the machine is this one. */
static void add_arch(const char *root, struct run *run)
{
	struct utsname names;

	if (!uname(&names))
		run_add_fact(run, "arch", names.machine);
	add_file(root, "/proc/sys/kernel/arch", "arch", run);
}

static int is_wanted(const char *name)
{
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		if (!fnmatch(variables[i], name, 0))
			return 1;
	return 0;
}

static void add_environment(struct run *run)
{
	for (char **variable = environ; *variable; variable++) {
		size_t length = strcspn(*variable, "=");
		char fact[48], *name = fact + 4;

		if (length + 5 > sizeof fact || !(*variable)[length])
			continue;
		snprintf(fact, sizeof fact, "env.%.*s", (int)length, *variable);
		if (is_wanted(name))
			run_add_fact(run, fact, *variable + length + 1);
	}
}

const char *machine_variable(size_t index)
{
	return index < sizeof variables / sizeof *variables ? variables[index] : NULL;
}

int64_t machine_steal_ns(const char *root)
{
	long long ticks;
	char times[256];

	/* user nice system idle iowait irq softirq steal */
	if (machine_read_field(root, "/proc/stat", "cpu ", times, sizeof times) ||
	    sscanf(times, "%*s %*s %*s %*s %*s %*s %*s %lld", &ticks) != 1)
		return -1;
	return ticks * (INT64_C(1000000000) / sysconf(_SC_CLK_TCK));
}

void machine_describe(const char *root, struct run *run)
{
	char cpu[128];

	name_cpu(root, cpu, sizeof cpu);
	run->cpus_available = machine_cpus_available(root);
	add_file(root, "/proc/sys/kernel/hostname", "host", run);
	run_add_fact(run, "cpu", cpu);
	add_number(run, "cpus_online", machine_count_online(root));
	add_number(run, "cpus_available", run->cpus_available);
	add_file(root, "/proc/sys/kernel/osrelease", "kernel", run);
	add_arch(root, run);
	add_file(root, "/proc/sys/kernel/perf_event_paranoid", "perf_event_paranoid", run);
	add_environment(run);
}
