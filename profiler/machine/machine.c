/* machine.c: the facts about the machine in each run, and the number of CPUs available. */
/* SPDX-License-Identifier: MIT */
#include "machine/machine.h"

#include <fnmatch.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/string_pool.h"

/* Mount points of the cpu controller, by the controllers in /proc/PID/cgroup; "" is version 2. */
static const struct {
	const char *controllers, *mount;
	int is_v2;
} mounts[] = {
	{"", "/sys/fs/cgroup", 1},
	{"", "/sys/fs/cgroup/unified", 1},
	{"cpu", "/sys/fs/cgroup/cpu", 0},
	{"cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct", 0},
	{"cpuacct,cpu", "/sys/fs/cgroup/cpu,cpuacct", 0},
	{"freezer", "/sys/fs/cgroup/freezer", 0},
};

/* Called with the directory of a control group, of version 1 for each of these controllers. */
typedef void visit_group(const char *root, const char *folder, int is_v2, double *result);

/* Visits the group of a line like "4:cpu,cpuacct:/user.slice" or "0::/user.slice", and all groups
 * above it up to the mount point. Some may not exist: a container sees only a part of the tree. */
static void visit_line(const char *root, char *line, visit_group *visit, double *result)
{
	char *controllers = strchr(line, ':'), *group, folder[PATH_MAX], *slash;

	group = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!group)
		return;
	*group++ = '\0';
	group[strcspn(group, "\n")] = '\0';
	for (size_t i = 0; i < COUNT(mounts); i++) {
		if (strcmp(mounts[i].controllers, controllers + 1) ||
		    snprintf(folder, sizeof folder, "%s%s", mounts[i].mount, group) >=
			    (int)sizeof folder)
			continue;
		for (;;) {
			visit(root, folder, mounts[i].is_v2, result);
			slash = strrchr(folder, '/');
			if (strlen(folder) <= strlen(mounts[i].mount) || !slash)
				break;
			*slash = '\0';
		}
	}
}

static double visit_groups(const char *root, pid_t pid, visit_group *visit, double result)
{
	OWN_FILE *file =
		machine_open(root, pid ? PATH("/proc/%d/cgroup", (int)pid) : "/proc/self/cgroup");
	char line[PATH_MAX];

	while (file && fgets(line, sizeof line, file))
		visit_line(root, line, visit, &result);
	return result;
}

/* Takes the minimum with the group's quota. The file of version 2 has "max 100000" or "150000
 * 100000". */
static void take_quota(const char *root, const char *folder, int is_v2, double *least)
{
	long quota_us = -1, period_us = -1;
	char line[64];

	if (is_v2) {
		if (machine_read_line(root, PATH("%s/cpu.max", folder), line, sizeof line) ||
		    sscanf(line, "%ld %ld", &quota_us, &period_us) != 2)
			return;
	} else {
		quota_us = machine_read_long(root, PATH("%s/cpu.cfs_quota_us", folder), -1);
		period_us = machine_read_long(root, PATH("%s/cpu.cfs_period_us", folder), -1);
	}
	if (quota_us > 0 && period_us > 0)
		*least = fmin(*least, (double)quota_us / (double)period_us);
}

double machine_cpu_quota(const char *root, pid_t pid)
{
	return visit_groups(root, pid, take_quota, INFINITY);
}

static void add_throttled(const char *root, const char *folder, int is_v2, double *sum_ns)
{
	char value[32];

	if (machine_read_field(root, PATH("%s/cpu.stat", folder),
			       is_v2 ? "throttled_usec" : "throttled_time", value, sizeof value))
		return;
	*sum_ns = fmax(*sum_ns, 0) + strtod(value, NULL) * (is_v2 ? 1000 : 1);
}

double machine_throttled_ns(const char *root, pid_t pid)
{
	return visit_groups(root, pid, add_throttled, -1);
}

static void find_frozen(const char *root, const char *folder, int is_v2, double *frozen)
{
	char value[32];

	if (is_v2)
		machine_read_field(root, PATH("%s/cgroup.events", folder), "frozen", value,
				   sizeof value);
	else
		machine_read_line(root, PATH("%s/freezer.state", folder), value, sizeof value);
	if (!strcmp(value, is_v2 ? "1" : "FROZEN"))
		*frozen = 1;
}

int machine_is_frozen(const char *root, pid_t pid)
{
	return visit_groups(root, pid, find_frozen, 0) > 0;
}

int machine_count_online(const char *root)
{
	struct cpu_list online;

	machine_cpus_online(root, &online);
	return (int)online.count;
}

int machine_count_cores(const char *root, const char *cpus)
{
	struct cpu_list list = {0}, cores = {0}; /* the first CPU of its core stands for each */

	cpu_list_parse(&list, cpus);
	EACH_CPU(cpu, &list)
	cpu_list_add(&cores, machine_read_long(root,
					       PATH("/sys/devices/system/cpu/cpu%d/topology/"
						    "thread_siblings_list",
						    cpu),
					       cpu));
	return (int)cores.count;
}

int machine_cpus_allowed(const char *root)
{
	int online = machine_count_online(root), allowed;
	struct cpu_list list = {0};
	char line[4096];

	machine_read_field(root, "/proc/self/status", "Cpus_allowed_list:", line, sizeof line);
	cpu_list_parse(&list, line);
	allowed = (int)list.count;
	return allowed && allowed < online ? allowed : online;
}

double machine_cpus_available(const char *root)
{
	return fmin(machine_cpus_allowed(root), machine_cpu_quota(root, 0));
}

extern char **environ;

/* Shell patterns of the environment variables that matter. */
static const char *const variables[] = {
	"*_NUM_THREADS", "OMP_*", "OPENBLAS_*", "MKL_*", "BLIS_*", "GOMP_*", "KMP_*", "LD_PRELOAD",
};

/* Names of Arm processors by implementer and part number (register MIDR_EL1): the kernel does not
 * show names. */
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

/* Writes a name like "Arm Neoverse N1", or the two numbers. Returns -1 if /proc/cpuinfo does not
 * have them. */
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
	for (size_t i = 0; i < COUNT(arm_parts); i++)
		if (arm_parts[i].implementer == implementer && arm_parts[i].part == part)
			snprintf(name, size, "%s", arm_parts[i].name);
	return 0;
}

static void add_file(const char *root, const char *path, const char *fact, struct run *run)
{
	char line[256];

	if (!machine_read_line(root, path, line, sizeof line))
		run_add_fact(run, fact, line);
}

const char *machine_variable(size_t index)
{
	return index < COUNT(variables) ? variables[index] : NULL;
}

void machine_use_cpus(int allowed, double quota, struct run *run)
{
	run->cpus_allowed = allowed;
	run->cpus_available = fmin(allowed, quota);
	run_add_fact(run, "cpus_available", string_printf("%.6g", run->cpus_available));
}

void machine_describe(const char *root, struct run *run)
{
	struct utsname names;
	char cpu[128];

	if (machine_read_field(root, "/proc/cpuinfo", "model name", cpu, sizeof cpu) &&
	    name_arm_part(root, cpu, sizeof cpu) &&
	    machine_read_line(root, "/proc/device-tree/model", cpu, sizeof cpu))
		snprintf(cpu, sizeof cpu, "unknown");
	add_file(root, "/proc/sys/kernel/hostname", "host", run);
	run_add_fact(run, "cpu", cpu);
	if (machine_has_feature(root, "flags", "amx_tile"))
		run_add_fact(run, "matrix_unit", "AMX");
	if (machine_has_feature(root, "Features", "sme"))
		run_add_fact(run, "matrix_unit", "SME");
	run_add_fact(run, "cpus_online", string_printf("%d", machine_count_online(root)));
	machine_use_cpus(machine_cpus_allowed(root), machine_cpu_quota(root, 0), run);
	add_file(root, "/proc/sys/kernel/osrelease", "kernel", run);
	if (!uname(&names)) /* kernels before 6.1 do not have the file */
		run_add_fact(run, "arch", names.machine);
	add_file(root, "/proc/sys/kernel/arch", "arch", run);
	add_file(root, "/proc/sys/kernel/perf_event_paranoid", "perf_event_paranoid", run);
	for (char **variable = environ; *variable; variable++) {
		size_t length = strcspn(*variable, "=");
		char fact[48];

		if (length + 5 > sizeof fact || !(*variable)[length])
			continue;
		snprintf(fact, sizeof fact, "env.%.*s", (int)length, *variable);
		for (size_t i = 0; i < COUNT(variables); i++)
			if (!fnmatch(variables[i], fact + strlen("env."), 0))
				run_add_fact(run, fact, *variable + length + 1);
	}
}
