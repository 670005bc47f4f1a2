/* event.c: encodes, sets up and opens perf events, and explains why one cannot be opened. */
/* SPDX-License-Identifier: MIT */
#include "perf/event.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "perf/ring.h"
#include "base/array.h"
#include "base/nearest.h"

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
	EACH_ROW(row, causes, COUNT(causes))
		if (row->errnum == errnum)
			return error_set(err, row->remedy, "cannot sample with %s: %s: %s", event,
					 strerror(errnum), row->cause);
	return error_set(err, "try the event cpu-clock", "cannot sample with %s: %s", event,
			 strerror(errnum));
}

const char *perf_open_cause(int errnum)
{
	EACH_ROW(row, causes, COUNT(causes))
		if (row->errnum == errnum)
			return row->cause;
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
	struct perf_event_attr own = *attr;
	uint64_t before = 0, after = 0;
	int fd, counts;

	own.exclude_kernel = own.exclude_hv = 1;
	fd = perf_open(&own, 0, -1);
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

int event_encode(const char *name, struct perf_event_attr *attr, struct error *err)
{
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof arg};
	struct nearest nearest = {.wanted = name};
	char names[384], remedy[sizeof err->remedy];
	int code = pfm_initialize();
	pfm_pmu_t pmu;

	if (code != PFM_SUCCESS)
		return error_set(err, "install a libpfm4 that knows this machine",
				 "libpfm4 does not start: %s", pfm_strerror(code));
	memset(attr, 0, sizeof *attr);
	attr->size = sizeof *attr;
	code = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (code == PFM_SUCCESS)
		return 0;
	pfm_for_all_pmus(pmu)
	{
		pfm_pmu_info_t unit = {.size = sizeof unit};

		if (pfm_get_pmu_info(pmu, &unit) != PFM_SUCCESS || !unit.is_present)
			continue;
		for (int i = unit.first_event; i != -1; i = pfm_get_event_next(i)) {
			pfm_event_info_t event = {.size = sizeof event};

			if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS)
				nearest_offer(&nearest, event.name);
		}
	}
	nearest_list(&nearest, ", ", names, sizeof names);
	snprintf(remedy, sizeof remedy, "choose a name that libpfm4 knows; the nearest are %s",
		 names);
	return error_set(err, remedy, "unknown event '%s': %s", name, pfm_strerror(code));
}

int event_is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Sets the sampling rate. The period of a clock event is in ns and exact; for other events the
 * kernel adjusts the period to the rate. */
static void set_rate(struct perf_event_attr *attr, int rate_hz)
{
	int is_clock = event_is_clock(attr);

	if (attr->sample_period)
		return;
	attr->freq = !is_clock;
	if (is_clock)
		attr->sample_period = UINT64_C(1000000000) / (uint64_t)rate_hz;
	else
		attr->sample_freq = (uint64_t)rate_hz;
}

void event_set_sampling(struct perf_event_attr *attr, int rate_hz)
{
	set_rate(attr, rate_hz);
	attr->sample_type = TIMELINE_SAMPLE_TYPE;
	attr->sample_id_all = 1;
	attr->disabled = attr->enable_on_exec = attr->inherit = 1;
	attr->mmap = attr->mmap2 = attr->build_id = 1;
	attr->comm = attr->comm_exec = attr->task = 1;
	attr->context_switch = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

void event_set_counting(struct perf_event_attr *attr, int rate_hz, int member)
{
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->disabled = !member;
	attr->enable_on_exec = !member;
	attr->inherit = 1;
	if (rate_hz <= 0)
		return;
	set_rate(attr, rate_hz);
	attr->sample_type = TIMELINE_COUNTED_TYPE;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

/* Encodes the event and opens it once, to check whether that is allowed. Returns 0, or -1 with
 * *err. */
static int try_event(struct perf_event_attr *attr, const char *name, int rate_hz, pid_t pid,
		     struct error *err)
{
	int fd;

	if (event_encode(name, attr, err))
		return -1;
	event_set_sampling(attr, rate_hz);
	fd = perf_open_allowed(attr, pid, -1);
	if (fd == -EINVAL) { /* before Linux 5.12 */
		attr->build_id = 0;
		fd = perf_open_allowed(attr, pid, -1);
	}
	if (fd < 0)
		return perf_open_error(err, -fd, name);
	close(fd);
	return 0;
}

const char *event_choose(struct perf_event_attr *attr, const char *asked, int rate_hz, pid_t pid,
			 struct error *err)
{
	struct perf_event_attr hardware;

	if (asked)
		return try_event(attr, asked, rate_hz, pid, err) ? NULL : asked;
	if (!event_encode(EVENT_HARDWARE, &hardware, NULL) && perf_really_counts(&hardware) &&
	    !try_event(attr, EVENT_HARDWARE, rate_hz, pid, err))
		return EVENT_HARDWARE;
	return try_event(attr, EVENT_CLOCK, rate_hz, pid, err) ? NULL : EVENT_CLOCK;
}

enum { WAIT_STACK_BYTES = 2048 };

const char *const call_graph_names[CALL_GRAPHS] = {"dwarf", "fp", "none"};

static void copy_stack(struct perf_event_attr *attr, unsigned int bytes)
{
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = SAMPLE_REGS_MASK;
	attr->sample_stack_user = bytes;
}

/* With a copy of the stack, the call chain of the kernel is taken too, for deeper stacks. */
void event_set_call_graph(struct perf_event_attr *attr, enum call_graph call_graph, int stack_bytes)
{
	if (call_graph == CALL_GRAPH_FP)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	else if (call_graph == CALL_GRAPH_DWARF)
		copy_stack(attr, (unsigned int)stack_bytes);
}

void event_set_waits(struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){
		.size = sizeof *attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.sample_period = 1,
		.sample_type = TIMELINE_SAMPLE_TYPE,
		.sample_id_all = 1,
		.disabled = 1,
		.enable_on_exec = 1,
		.inherit = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	copy_stack(attr, WAIT_STACK_BYTES);
}
