/* perf_open.c: opens perf events, and explains why one cannot be opened. */
/* SPDX-License-Identifier: MIT */
#include "perf/perf_open.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int perf_open_in_group(const struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int perf_open(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return perf_open_in_group(attr, pid, cpu, -1);
}

static const struct {
	int errnum;
	const char *cause, *remedy;
} causes[] = {
	{EPERM,
	 "the kernel refuses perf_event_open here (a container's seccomp filter, most often)",
	 "allow perf_event_open in the container's seccomp profile (docker: --security-opt "
	 "seccomp=unconfined, or --cap-add PERFMON)"},
	{EACCES, "this user may not use it (sysctl kernel.perf_event_paranoid)",
	 "as root, run 'sysctl kernel.perf_event_paranoid=1', or give blasprof the capability "
	 "CAP_PERFMON"},
	{ENOENT,
	 "the kernel has no such event on this machine (no hardware counters, as in many "
	 "virtual machines)",
	 "use the event cpu-clock, which every machine has"},
	{EOPNOTSUPP, "the hardware cannot sample on this event",
	 "use the event cpu-clock, which every machine has"},
	{ENODEV, "the processor's performance monitoring unit is missing or switched off",
	 "use the event cpu-clock, which every machine has"},
	{ENOSYS,
	 "this kernel has no perf_event_open (built without CONFIG_PERF_EVENTS, or emulated)",
	 "run on a kernel with perf events; the BLAS calls are timed without it"},
	{EMFILE, "too many open files: sampling takes one for each CPU",
	 "raise the limit in this shell with 'ulimit -n 4096'"},
	{ENFILE, "the system has too many open files", "raise the sysctl fs.file-max"},
	{EINVAL, "the kernel does not know this event or one of its settings",
	 "choose another event, or none for the default"},
	{EBUSY, "another user of the hardware counters has reserved them",
	 "end the other profiler, or use the event cpu-clock"},
	{ENOSPC, "all hardware counters of this kind are in use",
	 "end the other profiler, or use the event cpu-clock"},
	{ESRCH, "the program ended before it could be sampled", ""},
};

int perf_open_error(struct error *err, int errnum, const char *event)
{
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		if (causes[i].errnum == errnum)
			return error_set(err, causes[i].remedy, "cannot sample with %s: %s: %s",
					 event, strerror(errnum), causes[i].cause);
	return error_set(err, "try the event cpu-clock", "cannot sample with %s: %s", event,
			 strerror(errnum));
}

const char *perf_open_cause(int errnum)
{
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		if (causes[i].errnum == errnum)
			return causes[i].cause;
	return strerror(errnum);
}

int perf_open_allowed(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd = perf_open(attr, pid, cpu);
	int first = fd;

	if (attr->exclude_kernel || (fd != -EACCES && fd != -EPERM))
		return fd;
	attr->exclude_kernel = 1;
	fd = perf_open(attr, pid, cpu);
	if (fd >= 0)
		return fd;
	attr->exclude_kernel = 0;
	return fd == -EACCES || fd == -EPERM ? first : fd;
}

int perf_really_counts(const struct perf_event_attr *attr)
{
	struct perf_event_attr own = {
		.size = sizeof own,
		.type = attr->type,
		.config = attr->config,
		.config1 = attr->config1,
		.config2 = attr->config2,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = perf_open(&own, 0, -1);
	uint64_t before = 0, after = 0;
	int counts;

	if (fd < 0)
		return 0;
	counts = read(fd, &before, sizeof before) == sizeof before;
	for (volatile int i = 0; i < 1000000; i++)
		;
	counts &= read(fd, &after, sizeof after) == sizeof after;
	close(fd);
	return counts && after > before + 1000;
}

int perf_keep_on(void)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return perf_open(&attr, 0, -1);
}
