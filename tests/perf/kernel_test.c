/* kernel_test.c: messages and fallbacks when the kernel refuses perf_event_open or the rings; when
 * the rings are read (as they fill, or by the clock while threads end fast), and how large they
 * are. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/machine.h"
#include "wire/clock.h"
#include "tests/sampling/launcher.h"
#include "tests/unit.h"

enum { MOST_ROUNDS = 20000, THREADS = 3000, END_BYTES_A_MS = 256 << 10 };

/* Linked with --wrap=syscall,mmap,poll,geteuid: the profiler's calls come here. */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
void *__real_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
uid_t __wrap_geteuid(void);

/* How the kernel is to behave. */
static struct {
	int all_errno;	    /* of every call */
	int hardware_errno; /* of hardware events */
	int kernel_errno;   /* of events that include the kernel */
	int hardware_clock; /* hardware events are opened as the task clock, as on a machine with
			     * counters */
	int hardware_zero;  /* hardware events are opened as alignment faults, and stay at zero */
	size_t most_bytes;  /* larger rings are refused */
	int no_wakeups;	    /* a full ring does not wake the poll */
	uid_t user;
} kernel;

/* A round of the draining thread. */
static struct round {
	int by_clock; /* 1 if it polls no ring */
	int timeout_ms;
	int64_t start_ns; /* CLOCK_MONOTONIC */
} rounds[MOST_ROUNDS];
static size_t nrounds;
static size_t ring_bytes; /* size of the ring mapped last, with its first page */

static int refusal(const struct perf_event_attr *attr)
{
	if (kernel.all_errno)
		return kernel.all_errno;
	if (attr->type == PERF_TYPE_HARDWARE && kernel.hardware_errno)
		return kernel.hardware_errno;
	return attr->exclude_kernel ? 0 : kernel.kernel_errno;
}

static long open_event(struct perf_event_attr attr, long pid, long cpu, long group, long flags)
{
	if (attr.type == PERF_TYPE_HARDWARE && (kernel.hardware_clock || kernel.hardware_zero)) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = kernel.hardware_zero ? PERF_COUNT_SW_ALIGNMENT_FAULTS
						   : PERF_COUNT_SW_TASK_CLOCK;
	}
	return __real_syscall(SYS_perf_event_open, &attr, pid, cpu, group, flags);
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (number != SYS_perf_event_open)
		return __real_syscall(number, a, b, c, d, e, f);
	errno = refusal((const struct perf_event_attr *)a);
	return errno ? -1 : open_event(*(const struct perf_event_attr *)a, b, c, d, e);
}

void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	int is_ring = fd >= 0 && protection & PROT_WRITE;

	if (is_ring && kernel.most_bytes && length > kernel.most_bytes) {
		errno = EPERM;
		return MAP_FAILED;
	}
	if (is_ring)
		ring_bytes = length;
	return __real_mmap(address, length, protection, flags, fd, offset);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	ck_assert_uint_lt(nrounds, MOST_ROUNDS);
	rounds[nrounds++] = (struct round){count == 1, timeout_ms, clock_ns(CLOCK_MONOTONIC)};
	return __real_poll(fds, kernel.no_wakeups ? 1 : count, timeout_ms);
}

uid_t __wrap_geteuid(void)
{
	return kernel.user;
}

static const struct {
	int errnum;
	const char *cause, *remedy;
} errors[] = {
	{EPERM, "seccomp", "docker"},
	{EACCES, "perf_event_paranoid", "CAP_PERFMON"},
	{ENOENT, "no such event", "cpu-clock"},
	{EOPNOTSUPP, "cannot sample", "cpu-clock"},
	{ENODEV, "performance monitoring unit", "cpu-clock"},
	{ENOSYS, "no perf_event_open", "perf events"},
	{EMFILE, "open files", "ulimit -n"},
};

static struct launch l;

static void free_launch(void)
{
	launch_free(&l);
}

FIXTURE(NULL, free_launch)
REQUIRE((kernel.user = getuid(), launch_possible()))

/* Checks that the sampler does not start, and why. */
static void expect_refusal(const char *event, const char *cause, const char *remedy)
{
	launch(&l, BURN, LIBBURN, "burn_exe:1", 1000, event);
	ck_assert_int_eq(l.started, -1);
	ck_assert_ptr_null(l.sampler);
	ck_assert_has(l.err.what, cause);
	ck_assert_has(l.err.remedy, remedy);
}

TEST_EACH(errors_are_told_apart, COUNT(errors))
{
	kernel.all_errno = errors[_i].errnum;
	expect_refusal(NULL, errors[_i].cause, errors[_i].remedy);
}

TEST(asked_event_is_not_replaced)
{
	kernel.hardware_errno = ENOENT;
	expect_refusal("cycles", "cycles", "");
}

TEST(no_ring_at_all)
{
	kernel.most_bytes = 1;
	expect_refusal(NULL, "", "perf_event_mlock_kb");
}

/* Checks that samples are taken with this event, and the first note of the run. */
static void expect_samples(const char *spec, uint64_t least, const char *event, const char *code,
			   const char *detail)
{
	launch(&l, BURN, LIBBURN, spec, 1000, NULL);
	launch_collect(&l, 0, 0, NULL);
	if (event)
		ck_assert_str_eq(run_fact(&l.run, "sampler_event"), event);
	if (code) {
		ck_assert_str_eq(l.run.notes[0].code, code);
		ck_assert_has(l.run.notes[0].detail, detail);
	}
	if (kernel.kernel_errno)
		ck_assert_uint_eq(launch_samples(&l, NULL, "[kernel]"), 0);
	ck_assert_uint_ge(l.run.samples, least);
	ck_assert_uint_le(l.run.samples, 1600);
}

/* If hardware events are missing, for whatever reason, the clock is sampled. */
static const int no_hardware[] = {ENOENT, EOPNOTSUPP, ENODEV, EINVAL};

TEST_EACH(clock_without_hardware, COUNT(no_hardware))
{
	kernel.hardware_errno = no_hardware[_i];
	expect_samples("burn_exe:50", 30, "cpu-clock", NULL, NULL);
}

TEST(hardware_that_stays_at_zero)
{
	kernel.hardware_zero = 1;
	expect_samples("burn_exe:50", 30, "cpu-clock", NULL, NULL);
}

/* Cycles are sampled by frequency: the kernel adjusts to the rate. */
TEST(hardware_that_counts)
{
	kernel.hardware_clock = 1;
	expect_samples("burn_exe:400", 100, "cycles", NULL, NULL);
}

TEST_EACH(kernel_is_refused, 2)
{
	kernel.kernel_errno = _i ? EPERM : EACCES;
	expect_samples("burn_exe:50", 30, NULL, "no_kernel_samples", "");
}

TEST(rings_shrink)
{
	kernel.most_bytes = 5 * (size_t)sysconf(_SC_PAGESIZE);
	expect_samples("burn_exe:50", 30, NULL, "rings_shrunk", "of 4 pages");
}

/* With one page of buffer and too many samples, the lost ones are counted, and nothing breaks. */
TEST(lost_records_are_counted)
{
	kernel.most_bytes = 2 * (size_t)sysconf(_SC_PAGESIZE);
	kernel.no_wakeups = 1;
	launch(&l, BURN, LIBBURN, "burn_exe:350", 5000, NULL);
	launch_collect(&l, 0, 0, NULL);
	ck_assert_uint_gt(l.run.samples_lost, 0);
}

static const struct machine_check *find_check(const struct machine_check *checks, size_t count,
					      const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(checks[i].name, name))
			return &checks[i];
	ck_abort_msg("no check '%s'", name);
	return NULL;
}

TEST(doctor_without_perf)
{
	static const char *const names[] = {"sampling", "kernel samples", "hardware counters",
					    "off-CPU time"};
	struct machine_check checks[32];
	size_t count;

	kernel.all_errno = EACCES;
	count = machine_check_all("", checks, 32);
	for (size_t i = 0; i < 4; i++) {
		const struct machine_check *check = find_check(checks, count, names[i]);

		ck_assert_int_eq(check->state, CHECK_MISSING);
		ck_assert_uint_gt(strlen(check->remedy), 0);
	}
}

TEST_EACH(doctor_and_hardware, 2)
{
	struct machine_check checks[32];
	const struct machine_check *check;

	kernel.hardware_clock = !_i;
	kernel.hardware_zero = _i;
	check = find_check(checks, machine_check_all("", checks, 32), "hardware counters");
	ck_assert_int_eq(check->state, _i ? CHECK_MISSING : CHECK_OK);
	ck_assert_has(check->finding, _i ? "stay at zero" : "count");
}

/* Returns the number of rounds of one kind that began before the mark of the program. */
static size_t rounds_before_mark(int by_clock)
{
	int64_t mark_ns = launch_truth(&l, "mark");
	size_t count = 0;

	for (size_t i = 0; i < nrounds; i++)
		count += rounds[i].start_ns < mark_ns && rounds[i].by_clock == by_clock;
	return count;
}

/* Without ends of threads, the draining thread waits until a ring is half full, for ever longer
 * times. */
TEST(program_without_ends_of_threads)
{
	launch(&l, BURN, LIBBURN, "burn_exe:50 sleep:1450 mark", 100, NULL);
	launch_collect(&l, 0, 0, NULL);
	ck_assert_uint_eq(rounds_before_mark(1), 0);
	ck_assert_uint_ge(rounds_before_mark(0), 1);
	ck_assert_int_gt(rounds[nrounds - 1].timeout_ms, rounds[0].timeout_ms);
}

static size_t count_tasks(uint32_t pid)
{
	const struct timeline *timeline = &l.sampler->timeline;
	size_t count = 0;

	for (size_t i = 0; i < timeline->ntasks; i++)
		count += timeline->tasks[i].pid == pid;
	return count;
}

/* Returns 1 if each round by the clock came before a ring can be full; on a busy machine it may
 * come later. */
static int were_in_time(void)
{
	for (size_t i = 0; i + 1 < nrounds; i++) {
		int64_t ms = (rounds[i + 1].start_ns - rounds[i].start_ns + 999999) / 1000000;

		if (rounds[i].by_clock && (size_t)ms * END_BYTES_A_MS > ring_bytes)
			return 0;
	}
	return 1;
}

/* The end of each thread wakes a poll. Then the rings are read by the clock, before they can be
 * full, and as they fill again after the last end. */
TEST_EACH(threads_that_end_fast, 2)
{
	kernel.user = _i ? 65534 : 0;
	launch(&l, BURN, LIBBURN, "threads:3000 mark burn_exe:50 sleep:850", 1000, NULL);
	launch_collect(&l, 0, 0, NULL);
	ck_assert_uint_gt(rounds_before_mark(1), rounds_before_mark(0));
	for (size_t i = 0; i < nrounds; i++)
		if (rounds[i].by_clock && rounds[i].timeout_ms != 1)
			ck_assert_uint_le((size_t)rounds[i].timeout_ms * END_BYTES_A_MS,
					  ring_bytes);
	ck_assert_int_eq(rounds[nrounds - 1].by_clock, 0);
	if (were_in_time())
		ck_assert_uint_eq(l.run.samples_lost, 0);
	if (!l.run.samples_lost)
		ck_assert_uint_eq(count_tasks((uint32_t)l.truth[0].pid), THREADS + 1);
}

/* Returns the size of a ring, without its first page, for this user. */
static size_t map_for(uid_t euid, size_t most)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	kernel.user = euid;
	kernel.most_bytes = most;
	launch_free(&l);
	launch(&l, BURN, LIBBURN, "burn_exe:50", 1000, NULL);
	launch_collect(&l, 0, 0, NULL);
	ck_assert_uint_ge(l.run.samples, 20);
	for (size_t i = 0; i < l.run.nnotes; i++)
		ck_assert_str_ne(l.run.notes[i].code, "rings_shrunk");
	return ring_bytes - page_bytes;
}

/* Rings of root are larger if the kernel allows it; otherwise they are as those of other users,
 * without a note. */
TEST(rings_of_root)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), plain = map_for(65534, 0);

	if (!getuid())
		ck_assert_uint_ge(map_for(0, 0), 2 * plain);
	ck_assert_uint_eq(map_for(0, plain + page_bytes), plain);
}
