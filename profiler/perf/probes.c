/* probes.c: the kernel's uprobe events, and why there may be none. */
/* SPDX-License-Identifier: MIT */
#include "perf/probes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/machine_files.h"
#include "perf/perf_open.h"
#include "perf/sample_record.h"

#define UPROBE_FOLDER "/sys/bus/event_source/devices/uprobe/"

/* "config:0": the bit that asks for the return. */
static uint64_t return_bit(void)
{
	char format[64];
	unsigned bit = 0;

	if (machine_read_line("", UPROBE_FOLDER "format/retprobe", format, sizeof format) ||
	    sscanf(format, "config:%u", &bit) != 1 || bit > 63)
		bit = 0;
	return UINT64_C(1) << bit;
}

int probe_set(struct perf_event_attr *attr, const char *path, uint64_t offset, int at_return,
	      struct error *err)
{
	long type = machine_read_long("", UPROBE_FOLDER "type", -1);

	if (type < 0)
		return error_set(err,
				 "run a kernel from 4.17 on with CONFIG_UPROBE_EVENTS and /sys "
				 "mounted, or link the program dynamically",
				 "this machine has no uprobes (no " UPROBE_FOLDER ")");
	*attr = (struct perf_event_attr){
		.type = (uint32_t)type,
		.size = sizeof *attr,
		.config = at_return ? return_bit() : 0,
		.config1 = (uint64_t)(uintptr_t)path,
		.config2 = offset,
		.sample_period = 1,
		.sample_type = at_return ? PROBE_SAMPLE_TYPE : PROBE_ENTRY_TYPE,
		.sample_regs_user = at_return ? SAMPLE_REGS_MASK : PROBE_ENTRY_MASK,
		.sample_stack_user = at_return ? 0 : PROBE_ENTRY_STACK_BYTES,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	return 0;
}

int probe_open(const struct perf_event_attr *attr, pid_t pid, int cpu, struct error *err)
{
	int fd = perf_open(attr, pid, cpu);

	if (fd >= 0)
		return fd;
	if (fd == -EACCES || fd == -EPERM)
		return error_set(err, "run blasprof as root, or give it the capability CAP_PERFMON",
				 "this user may not set uprobes");
	if (fd == -EMFILE)
		return error_set(err, "raise the limit in this shell with 'ulimit -n 65536'",
				 "too many open files: uprobes take two for each routine and CPU");
	return error_set(err, "link the program dynamically", "cannot set an uprobe: %s",
			 strerror(-fd));
}
