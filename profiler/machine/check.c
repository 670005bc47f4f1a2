/* check.c: checks what blasprof can measure here, for `blasprof doctor`. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/string_pool.h"
#include "machine/machine.h"
#include "perf/event.h"
#include "wire/files.h"
#include "wire/session.h"

enum { TRY_RATE_HZ = 100 };

void check_set(struct machine_check *check, enum check_state state, const char *remedy,
	       const char *fmt, ...)
{
	va_list args;

	check->state = state;
	snprintf(check->remedy, sizeof check->remedy, "%.255s", remedy);
	va_start(args, fmt);
	vsnprintf(check->finding, sizeof check->finding, fmt, args);
	va_end(args);
}

static void check_sampling(const char *root, struct machine_check *check)
{
	struct perf_event_attr attr;
	struct error err;
	const char *event = event_choose(&attr, NULL, TRY_RATE_HZ, 0, &err);
	const struct passwd *user = getpwuid(geteuid());

	if (event)
		check_set(check, CHECK_OK, "", "by %s, as user %s", event,
			  user ? user->pw_name : "without name");
	else
		check_set(check, CHECK_MISSING, err.remedy, "%s", err.what);
}

static void check_kernel_samples(const char *root, struct machine_check *check)
{
	struct perf_event_attr attr;
	const char *event = event_choose(&attr, NULL, TRY_RATE_HZ, 0, NULL);

	if (event && !attr.exclude_kernel)
		check_set(check, CHECK_OK, "", "time in the kernel is sampled too");
	else
		check_set(check, CHECK_MISSING,
			  "as root, run 'sysctl kernel.perf_event_paranoid=1', or give blasprof "
			  "the capability CAP_PERFMON",
			  "time in the kernel is not sampled");
}

static void check_hardware(const char *root, struct machine_check *check)
{
	static const char remedy[] =
		"none needed: sampling uses cpu-clock; in a virtual machine, the host must pass "
		"the counters on";
	struct perf_event_attr attr;
	struct error err;
	int fd;

	if (event_encode(EVENT_HARDWARE, &attr, &err)) {
		check_set(check, CHECK_MISSING, err.remedy, "%s", err.what);
	} else if (perf_really_counts(&attr)) {
		check_set(check, CHECK_OK, "", "cycles are counted");
	} else if ((fd = perf_open_allowed(&attr, 0, -1)) < 0) {
		check_set(check, CHECK_MISSING, remedy, "cycles cannot be opened: %s",
			  strerror(-fd));
	} else {
		close(fd);
		check_set(check, CHECK_MISSING, remedy, "cycles can be opened, but stay at zero");
	}
}

/* Opens a task-clock event and maps its page, as the preload library does in each thread. An
 * unprivileged user may map the sysctl's pages for each CPU, plus the limit on locked memory
 * (kernel/events/core.c, perf_mmap). */
static void check_off_cpu(const char *root, struct machine_check *check)
{
	long page_kib = sysconf(_SC_PAGESIZE) / 1024;
	long mlock_kib = machine_read_long(root, "/proc/sys/kernel/perf_event_mlock_kb", 516);
	struct perf_event_attr attr;
	struct rlimit limit;
	int fd = event_encode("task-clock", &attr, NULL) ? -EINVAL : 0, missing;
	void *page = MAP_FAILED;

	attr.exclude_kernel = 1;
	if (!fd)
		fd = perf_open(&attr, 0, -1);
	if (fd >= 0)
		page = mmap(NULL, (size_t)page_kib * 1024, PROT_READ, MAP_SHARED, fd, 0);
	missing = fd < 0 ? -fd : page == MAP_FAILED ? errno : 0;
	if (missing) {
		check_set(check, CHECK_MISSING,
			  missing == EACCES
				  ? "as root, run 'sysctl kernel.perf_event_paranoid=2' "
				    "or lower"
				  : "raise the sysctl kernel.perf_event_mlock_kb, or allow "
				    "perf_event_open in the container",
			  "a thread's task-clock page cannot be %s: %s",
			  fd < 0 ? "opened" : "mapped", strerror(missing));
	} else if (!geteuid() || getrlimit(RLIMIT_MEMLOCK, &limit) ||
		   limit.rlim_cur == RLIM_INFINITY) {
		check_set(check, CHECK_OK, "",
			  "exact, by a mapped page in each thread; no limit on pages");
	} else {
		check_set(check, CHECK_OK, "",
			  "exact, by a mapped page in each thread; this user may map %ld pages, "
			  "sampling buffers included",
			  mlock_kib / page_kib * machine_count_online(root) +
				  (long)(limit.rlim_cur / 1024) / page_kib);
	}
	if (page != MAP_FAILED)
		munmap(page, (size_t)page_kib * 1024);
	file_close(fd);
}

static void check_clock(const char *root, struct machine_check *check)
{
	char source[64];

	switch (session_counter(root, source, sizeof source)) {
	case COUNTER_TSC:
		check_set(check, CHECK_OK, "", "invariant time stamp counter (clock source %s)",
			  *source ? source : "not known");
		break;
	case COUNTER_CNTVCT:
		check_set(check, CHECK_OK, "", "the architecture's counter, CNTVCT");
		break;
	case COUNTER_VARYING:
		check_set(check, CHECK_LIMITED, "none; short calls are over-reported a little",
			  "the time stamp counter is not invariant: calls are "
			  "timed by clock_gettime, which costs more");
		break;
	case COUNTER_DISTRUSTED:
		check_set(check, CHECK_LIMITED,
			  "see 'dmesg' for why the kernel does not trust the counter",
			  "the time stamp counter is invariant, but the kernel uses the clock "
			  "source '%s': calls are timed by clock_gettime, which costs more",
			  source);
		break;
	case COUNTER_UNKNOWN:
		check_set(check, CHECK_LIMITED, "",
			  "no known counter: calls are timed by clock_gettime");
	}
}

static void check_schedstat(const char *root, struct machine_check *check)
{
	char line[128];
	unsigned long long ran_ns, waited_ns;

	if (!machine_read_line(root, "/proc/self/schedstat", line, sizeof line) &&
	    sscanf(line, "%llu %llu", &ran_ns, &waited_ns) == 2 && ran_ns)
		check_set(check, CHECK_OK, "",
			  "time without a CPU is read from /proc/self/schedstat");
	else
		check_set(check, CHECK_LIMITED, "use a kernel built with CONFIG_SCHED_INFO",
			  "no /proc/self/schedstat: blocked and preempted time are told "
			  "apart by the kinds of switch only");
}

/* What an unprivileged user may sample at each value of the sysctl, from the highest down. */
static const struct {
	long from;
	enum check_state state;
	const char *meaning;
} paranoid_levels[] = {
	{3, CHECK_LIMITED, "nothing without CAP_PERFMON, on some distributions' kernels"},
	{2, CHECK_LIMITED, "own programs, without the kernel's part"},
	{1, CHECK_OK, "own programs, with the kernel's part"},
	{0, CHECK_OK, "also all processes on a CPU"},
	{LONG_MIN, CHECK_OK, "everything"},
};

enum { CAP_SYS_ADMIN = 21, CAP_PERFMON = 38 };

static int has_capability(const char *root, int capability)
{
	char effective[32];

	machine_read_field(root, "/proc/self/status", "CapEff", effective, sizeof effective);
	return strtoull(effective, NULL, 16) >> capability & 1;
}

static void check_paranoid(const char *root, struct machine_check *check)
{
	long level = machine_read_long(root, "/proc/sys/kernel/perf_event_paranoid", LONG_MAX);
	size_t row = 0;

	if (level == LONG_MAX) {
		check_set(check, CHECK_MISSING, "use a kernel built with CONFIG_PERF_EVENTS",
			  "no /proc/sys/kernel/perf_event_paranoid: no perf events");
		return;
	}
	if (has_capability(root, CAP_PERFMON) || has_capability(root, CAP_SYS_ADMIN)) {
		check_set(check, CHECK_OK, "", "is %ld, which does not limit this user", level);
		return;
	}
	while (level < paranoid_levels[row].from)
		row++;
	check_set(check, paranoid_levels[row].state,
		  paranoid_levels[row].state == CHECK_OK
			  ? ""
			  : "as root, run 'sysctl kernel.perf_event_paranoid=1'",
		  "is %ld; a user may sample: %s", level, paranoid_levels[row].meaning);
}

static void check_uprobes(const char *root, struct machine_check *check)
{
	if (machine_read_long(root, "/sys/bus/event_source/devices/uprobe/type", -1) < 0) {
		check_set(check, CHECK_MISSING, "use a kernel built with CONFIG_UPROBE_EVENTS",
			  "this kernel has no uprobes");
	} else if (has_capability(root, CAP_SYS_ADMIN)) {
		check_set(check, CHECK_OK, "",
			  "the kernel has uprobes, and this user may set them");
	} else {
		check_set(check, CHECK_LIMITED, "run as root, or with the capability CAP_SYS_ADMIN",
			  "the kernel has uprobes, but not for this user");
	}
}

static void check_cpus(const char *root, struct machine_check *check)
{
	int online = machine_count_online(root), allowed = machine_cpus_allowed(root), cores;
	double available = machine_cpus_available(root);
	char cpus[4096];

	machine_read_field(root, "/proc/self/status", "Cpus_allowed_list:", cpus, sizeof cpus);
	cores = machine_count_cores(root, cpus);
	check_set(check, available < online ? CHECK_LIMITED : CHECK_OK,
		  available < online
			  ? "do not use more threads than that, or raise cpu.max of the control "
			    "group (docker: --cpus) or widen the mask (taskset)"
			  : "",
		  "%g of %d CPUs available%s%s", available, online,
		  available < allowed  ? ", by the control group's quota"
		  : available < online ? ", by the affinity mask"
				       : "",
		  cores && cores < allowed ? string_printf(", cores: %d", cores) : "");
}

static void check_preload(const char *root, struct machine_check *check)
{
	if (!getauxval(AT_SECURE))
		check_set(check, CHECK_OK, "",
			  "dynamic programs that are not setuid can be intercepted");
	else
		check_set(check, CHECK_MISSING,
			  "remove blasprof's setuid bit and file capabilities",
			  "blasprof itself runs with raised privileges, so the loader ignores "
			  "LD_PRELOAD");
}

static void check_kernel_names(const char *root, struct machine_check *check)
{
	char line[128];

	if (!machine_read_line(root, "/proc/kallsyms", line, sizeof line) &&
	    strtoull(line, NULL, 16))
		check_set(check, CHECK_OK, "", "functions of the kernel are shown by name");
	else
		check_set(check, CHECK_LIMITED, "as root, run 'sysctl kernel.kptr_restrict=0'",
			  "functions of the kernel are shown as one row, [kernel]");
}

static const struct {
	const char *name;
	void (*run)(const char *root, struct machine_check *check);
} rows[] = {
	{"sampling", check_sampling},
	{"kernel samples", check_kernel_samples},
	{"kernel names", check_kernel_names},
	{"hardware counters", check_hardware},
	{"perf_event_paranoid", check_paranoid},
	{"off-CPU time", check_off_cpu},
	{"waiting for a CPU", check_schedstat},
	{"clock", check_clock},
	{"CPUs", check_cpus},
	{"interception", check_preload},
	{"uprobes", check_uprobes},
};

size_t machine_check_all(const char *root, struct machine_check *checks, size_t max)
{
	size_t count = 0;

	for (; count < COUNT(rows) && count < max; count++) {
		checks[count] = (struct machine_check){.name = rows[count].name};
		rows[count].run(root, &checks[count]);
	}
	return count;
}
