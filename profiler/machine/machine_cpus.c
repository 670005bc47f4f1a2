/* machine_cpus.c: how many CPUs this process may use at a time. */
/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
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

/* quota us of CPU time in each period us, rounded up to whole CPUs; INT_MAX: no limit. */
static int quota_cpus(long quota_us, long period_us)
{
	long cpus;

	if (quota_us <= 0 || period_us <= 0)
		return INT_MAX;
	cpus = quota_us / period_us;
	return cpus < INT_MAX ? (int)cpus + (quota_us % period_us > 0) : INT_MAX;
}

/* cgroup v2: "max 100000" or "150000 100000". */
static int read_v2(const char *root, const char *folder)
{
	char path[PATH_MAX], line[64];
	long quota_us, period_us;

	snprintf(path, sizeof path, "%s/cpu.max", folder);
	if (machine_read_line(root, path, line, sizeof line) ||
	    sscanf(line, "%ld %ld", &quota_us, &period_us) != 2)
		return INT_MAX;
	return quota_cpus(quota_us, period_us);
}

static int read_v1(const char *root, const char *folder)
{
	char path[PATH_MAX];
	long quota_us, period_us;

	snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
	quota_us = machine_read_long(root, path, -1);
	snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
	period_us = machine_read_long(root, path, -1);
	return quota_cpus(quota_us, period_us);
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* The least of the group and all groups above it, up to the mount itself. A group that is not
 * there (a container sees only its own part of the tree) sets no limit. */
static int least_up_the_tree(const char *root, const char *mount, const char *group,
			     int (*read_limit)(const char *root, const char *folder))
{
	char folder[PATH_MAX];
	int least = INT_MAX;
	char *slash;

	if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder)
		return INT_MAX;
	for (;;) {
		least = smaller(least, read_limit(root, folder));
		slash = strrchr(folder, '/');
		if (strlen(folder) <= strlen(mount) || !slash)
			return least;
		*slash = '\0';
	}
}

/* Where the cpu controller is mounted, by the controllers that /proc/self/cgroup names ("" is v2).
 */
static const struct {
	const char *controllers, *mount;
	int (*read_limit)(const char *root, const char *folder);
} mounts[] = {
	{"", "/sys/fs/cgroup", read_v2},
	{"", "/sys/fs/cgroup/unified", read_v2},
	{"cpu", "/sys/fs/cgroup/cpu", read_v1},
	{"cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct", read_v1},
	{"cpuacct,cpu", "/sys/fs/cgroup/cpu,cpuacct", read_v1},
};

/* A line is "4:cpu,cpuacct:/user.slice" or "0::/user.slice". */
static int line_limit(const char *root, char *line)
{
	char *controllers = strchr(line, ':'), *group;
	int least = INT_MAX;

	group = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!group)
		return INT_MAX;
	*group++ = '\0';
	group[strcspn(group, "\n")] = '\0';
	for (size_t i = 0; i < sizeof mounts / sizeof *mounts; i++)
		if (!strcmp(mounts[i].controllers, controllers + 1))
			least = smaller(least, least_up_the_tree(root, mounts[i].mount, group,
								 mounts[i].read_limit));
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
		least = smaller(least, line_limit(root, line));
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
