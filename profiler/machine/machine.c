/* machine.c: the facts of the machine that go into each run. */
/* SPDX-License-Identifier: MIT */
#include "machine/machine.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/machine_files.h"

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
