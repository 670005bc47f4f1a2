/* machine_probe.c: the checks that open perf events to see what this user may measure. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "perf/event.h"
#include "machine/machine_check.h"
#include "base/machine_files.h"
#include "perf/perf_open.h"

enum { TRY_RATE_HZ = 100 };

void probe_sampling(const char *root, struct machine_check *check)
{
	struct perf_event_attr attr;
	struct error err;
	const char *event = event_choose(&attr, NULL, TRY_RATE_HZ, 0, &err);
	const struct passwd *user = getpwuid(geteuid());

	(void)root;
	if (!event) {
		check_set(check, CHECK_MISSING, "%s", err.what);
		check_remedy(check, err.remedy);
		return;
	}
	check_set(check, CHECK_OK, "by %s, as user %s", event,
		  user ? user->pw_name : "without name");
}

void probe_kernel_samples(const char *root, struct machine_check *check)
{
	struct perf_event_attr attr;
	const char *event = event_choose(&attr, NULL, TRY_RATE_HZ, 0, NULL);

	(void)root;
	if (event && !attr.exclude_kernel) {
		check_set(check, CHECK_OK, "time in the kernel is sampled too");
		return;
	}
	check_set(check, CHECK_MISSING, "time in the kernel is not sampled");
	check_remedy(check,
		     "as root, run 'sysctl kernel.perf_event_paranoid=1', or give blasprof the "
		     "capability CAP_PERFMON");
}

static void hardware_missing(struct machine_check *check, const struct perf_event_attr *attr)
{
	struct perf_event_attr own = *attr;
	int fd = perf_open_allowed(&own, 0, -1);

	check_remedy(check,
		     "none needed: sampling goes by cpu-clock; in a virtual machine its host "
		     "must pass the counters on");
	if (fd < 0) {
		check_set(check, CHECK_MISSING, "cycles cannot be opened: %s", strerror(-fd));
		return;
	}
	close(fd);
	check_set(check, CHECK_MISSING, "cycles can be opened, but stay at zero");
}

void probe_hardware(const char *root, struct machine_check *check)
{
	struct perf_event_attr attr;
	struct error err;

	(void)root;
	if (event_encode(EVENT_HARDWARE, &attr, &err)) {
		check_set(check, CHECK_MISSING, "%s", err.what);
		check_remedy(check, err.remedy);
	} else if (perf_really_counts(&attr)) {
		check_set(check, CHECK_OK, "cycles count");
	} else {
		hardware_missing(check, &attr);
	}
}

/* Pages that an unprivileged user may map: the sysctl's for each CPU, and the limit of locked
 * memory besides (kernel/events/core.c, perf_mmap). -1: no limit. */
static long mappable_pages(const char *root)
{
	long page_kib = sysconf(_SC_PAGESIZE) / 1024;
	long per_cpu_kib = machine_read_long(root, "/proc/sys/kernel/perf_event_mlock_kb", 516);
	struct rlimit limit;

	if (!geteuid() || getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return -1;
	return per_cpu_kib / page_kib * machine_count_online(root) +
	       (long)(limit.rlim_cur / 1024) / page_kib;
}

static void report_pages(const char *root, struct machine_check *check)
{
	long pages = mappable_pages(root);

	if (pages < 0)
		check_set(check, CHECK_OK,
			  "exact, by a mapped page in each thread; no limit of pages");
	else
		check_set(check, CHECK_OK,
			  "exact, by a mapped page in each thread; this user may map %ld pages, "
			  "sampling buffers included",
			  pages);
}

static void off_cpu_missing(struct machine_check *check, const char *what, int errnum)
{
	check_set(check, CHECK_MISSING, "a thread's task-clock page cannot be %s: %s", what,
		  strerror(errnum));
	check_remedy(check, errnum == EACCES
				    ? "as root, run 'sysctl kernel.perf_event_paranoid=2' or lower"
				    : "raise the sysctl kernel.perf_event_mlock_kb, or allow "
				      "perf_event_open in the container");
}

/* Does what the preload library does in each thread: opens, maps the page, closes. */
void probe_off_cpu(const char *root, struct machine_check *check)
{
	struct perf_event_attr attr;
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	int fd = event_encode("task-clock", &attr, NULL) ? -EINVAL : 0;
	void *page;

	attr.exclude_kernel = 1;
	if (!fd)
		fd = perf_open(&attr, 0, -1);
	if (fd < 0) {
		off_cpu_missing(check, "opened", -fd);
		return;
	}
	page = mmap(NULL, page_bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		off_cpu_missing(check, "mapped", errno);
	else
		report_pages(root, check);
	close(fd);
	if (page != MAP_FAILED)
		munmap(page, page_bytes);
}
