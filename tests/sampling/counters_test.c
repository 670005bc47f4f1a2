/* counters_test.c: counts events on a fake kernel, and divides a count by samples on the real one.
 */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher.h"
#include "perf/event_list.h"
#include "sampling/sampler.h"
#include "tests/unit.h"

#define SERVER TEST_SRCDIR "/machine/machines/server"

/* Linked with --wrap=syscall: perf_event_open comes here. */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

/* A kernel that opens events as files that hold a reading. */
struct kernel {
	int fake;	     /* 0 for the real kernel */
	uint64_t missing;    /* config of a hardware event that does not exist; 0 for none */
	size_t most_members; /* of a group; 0 for any number */
	int group_errno;     /* how a further member is refused */
	int kernel_errno;    /* of events that include the kernel */
	int power_errno;     /* of events of type 12 */
	size_t members;
	size_t sampled; /* events opened to be both counted and sampled */
};
static struct kernel kernel;

enum { COUNT = 600, ENABLED = 1000, RUNNING = 250 };

static int refusal(const struct perf_event_attr *attr, int group)
{
	int counts_kernel = !attr->exclude_kernel && attr->type != 12;

	if (attr->type == 12 && kernel.power_errno)
		return kernel.power_errno;
	if (attr->type == PERF_TYPE_HARDWARE && kernel.missing && attr->config == kernel.missing)
		return ENOENT;
	if (group >= 0 && kernel.most_members && ++kernel.members >= kernel.most_members)
		return kernel.group_errno;
	return counts_kernel ? kernel.kernel_errno : 0;
}

static long open_reading(const struct perf_event_attr *attr)
{
	uint64_t reading[3] = {COUNT, ENABLED, RUNNING};
	int fd = memfd_create("event", MFD_CLOEXEC);

	if (attr->type == PERF_TYPE_SOFTWARE)
		reading[2] = ENABLED;
	if (attr->type == 12)
		reading[0] = UINT64_C(1) << 33; /* 2 joules */
	ck_assert_int_eq(pwrite(fd, reading, sizeof reading, 0), sizeof reading);
	return fd;
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	const struct perf_event_attr *attr = (const struct perf_event_attr *)a;
	long result;

	if (number != SYS_perf_event_open || !kernel.fake) {
		result = __real_syscall(number, a, b, c, d, e, f);
		kernel.sampled += number == SYS_perf_event_open && result >= 0 &&
				  attr->sample_type == TIMELINE_COUNTED_TYPE;
		return result;
	}
	errno = refusal(attr, (int)d);
	return errno ? -1 : open_reading(attr);
}

/* Counts on the fake kernel, with the files of the server. */
static void count(const char *events, struct run *run)
{
	struct counters_target target = {.root = SERVER, .child = 1};
	struct event_list list;
	struct counters *counters;

	run_init(run);
	ck_assert_int_eq(event_list_parse(events, &list, NULL), 0);
	energy_add(SERVER, &list);
	counters = counters_open(&list, &target, run);
	ck_assert_ptr_nonnull(counters);
	counters_read(counters, run);
	counters_free(counters);
	event_list_free(&list);
}

/* An event that ran for a quarter of the time is scaled up by four. */
TEST(events_that_take_turns_are_scaled)
{
	struct run run;

	kernel = (struct kernel){.fake = 1};
	count("cycles,page-faults", &run);
	ck_assert_uint_eq(run.ncounters, 3);
	ck_assert_str_eq(run.counters[0].event, "cycles");
	ck_assert_double_eq(run.counters[0].count, COUNT * 4);
	ck_assert_double_eq(run.counters[0].counted, 0.25);
	ck_assert_double_eq(run.counters[1].count, COUNT);
	ck_assert_double_eq(run.counters[1].counted, 1);
	ck_assert(isnan(run.counters[0].blas));
	ck_assert_str_eq(run.counters[0].split, "");
	run_free(&run);
}

/* The number of counters, the name of one of them, and the notes, each "code: a part of its
 * detail". */
static const struct {
	const char *events;
	size_t ncounters, at;
	const char *event, *note, *second_note;
	struct kernel kernel;
} fakes[] = {
	{"instructions,nosuch-event,cycles", 2, 0, "cycles",
	 "counter_missing: instructions: the kernel has no such",
	 "counter_unknown: the nearest are", .kernel.missing = PERF_COUNT_HW_INSTRUCTIONS},
	/* a member that does not fit into the group is counted alone */
	{"{cycles,instructions,cache-misses}", 4, 0, "cycles", "counter_group: cache-misses",
	 .kernel = {.most_members = 2, .group_errno = EINVAL}},
	{"{cycles,instructions,cache-misses}", 4, 2, "cache-misses", "counter_group: cache-misses",
	 .kernel = {.most_members = 2, .group_errno = ENOSPC}},
	{"{cycles,instructions}", 3, 1, "instructions",
	 .kernel = {.most_members = 2, .group_errno = EINVAL}},
	/* of a set, the events that exist are counted */
	{"cache,cycles", 6, 2, "CACHE-REFERENCES", .kernel.missing = PERF_COUNT_HW_CACHE_MISSES},
	{"cache,cycles", 6, 3, "LLC-LOAD-MISSES", .kernel.missing = PERF_COUNT_HW_CACHE_MISSES},
	{"cycles", 2, 0, "cycles", .kernel.kernel_errno = EACCES},
	/* context switches occur in the kernel only: no count is better than 0 */
	{"context-switches,cycles", 2, 0, "cycles",
	 "counter_refused: context-switches: this user may not", .kernel.kernel_errno = EACCES},
	{"cycles,energy", 2, 1, "power/energy-pkg/"},
	{"cycles", 1, 0, "cycles", .kernel.power_errno = EACCES},
	{"cycles,energy", 1, 0, "cycles", "counter_missing: no event of the set 'energy'",
	 .kernel.power_errno = EACCES},
};

/* Checks a note; returns how many notes are expected. */
static size_t expect_note(const struct run *run, size_t number, const char *expected)
{
	const char *detail = expected ? strstr(expected, ": ") + 2 : NULL;
	const struct run_note *note = &run->notes[number];

	if (!expected)
		return 0;
	ck_assert_uint_lt(number, run->nnotes);
	ck_assert(!strncmp(note->code, expected, (size_t)(detail - expected - 2)));
	if (!strcmp(note->code, "counter_group"))
		ck_assert_str_eq(note->detail, detail);
	ck_assert_has(note->detail, detail);
	return 1;
}

TEST_EACH(counts_on_fake_kernels, COUNT(fakes))
{
	const struct run_counter *counter;
	struct run run;

	kernel = fakes[_i].kernel;
	kernel.fake = 1;
	count(fakes[_i].events, &run);
	ck_assert_uint_eq(run.ncounters, fakes[_i].ncounters);
	counter = &run.counters[fakes[_i].at];
	ck_assert_str_eq(counter->event, fakes[_i].event);
	ck_assert_int_eq(counter->user_only, kernel.kernel_errno != 0);
	if (!strcmp(counter->event, "power/energy-pkg/")) { /* two sockets of 2 J each */
		ck_assert_str_eq(counter->unit, "Joules");
		ck_assert_double_eq_tol(counter->count * counter->counted, 4, 1e-9);
	}
	ck_assert_uint_eq(run.nnotes, expect_note(&run, 0, fakes[_i].note) +
					      expect_note(&run, 1, fakes[_i].second_note));
	run_free(&run);
}

/* On the real kernel, the count of the task clock is the CPU time, and its parts are where that was
 * spent. */
TEST(count_is_divided_by_samples)
{
	const struct run_counter *row;
	struct launch l;
	double truth_ns, blas_ns;

	kernel = (struct kernel){.fake = 0};
	if (!launch_possible())
		return;
	launch_counting(&l, BURN, LIBBURN, "burn_exe:300 burn_shared:300", 500,
			"task-clock,page-faults");
	launch_collect(&l, 0, 0, LIBBURN);
	row = &l.run.counters[0];
	blas_ns = (double)launch_truth(&l, "burn_shared");
	truth_ns = blas_ns + (double)launch_truth(&l, "burn_exe");
	ck_assert_str_eq(row->event, "task-clock");
	ck_assert_str_eq(row->split, "samples");
	/* only the page faults are sampled; the task clock is divided by the samples of the clock
	 */
	ck_assert_uint_eq(kernel.sampled, (size_t)sysconf(_SC_NPROCESSORS_ONLN));
	ck_assert_double_ge(row->count, truth_ns * 0.9);
	ck_assert_double_le(row->count, truth_ns * 1.5);
	ck_assert_double_eq_tol(row->blas + row->other + row->kernel + row->outside, row->count,
				row->count * 1e-9);
	ck_assert_double_eq_tol(row->blas / (row->blas + row->other), blas_ns / truth_ns, 0.1);
	ck_assert_uint_ge(l.run.nthread_counters, 1);
	ck_assert_double_gt(l.run.counters[1].count, 0);
	launch_free(&l);
}
