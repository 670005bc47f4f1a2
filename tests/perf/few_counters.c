/* few_counters.c: a preload library that makes the kernel one with two hardware counters, which
 * count time. */
/* SPDX-License-Identifier: MIT
 *
 * Hardware events are opened as the task clock; a third one of a group is refused, as the kernel
 * refuses a group that is larger than the processor's counters: by EINVAL, or by the number in
 * FEW_COUNTERS_ERRNO.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { COUNTERS = 2, DESCRIPTORS = 1024 };

typedef long (*system_call)(long number, ...);

static int is_refused(long leader)
{
	static int members[DESCRIPTORS];

	return leader >= 0 && leader < DESCRIPTORS && ++members[leader] >= COUNTERS;
}

static long open_event(system_call next, struct perf_event_attr attr, const long *a)
{
	const char *error = getenv("FEW_COUNTERS_ERRNO");

	if (attr.type == PERF_TYPE_HARDWARE) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_TASK_CLOCK;
		if (is_refused(a[3])) {
			errno = error ? atoi(error) : EINVAL;
			return -1;
		}
	}
	return next(SYS_perf_event_open, &attr, a[1], a[2], a[3], a[4]);
}

long syscall(long number, ...)
{
	system_call next = (system_call)dlsym(RTLD_NEXT, "syscall");
	va_list list;
	long a[6];

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open)
		return open_event(next, *(const struct perf_event_attr *)a[0], a);
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
