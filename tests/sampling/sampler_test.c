/* sampler_test.c: samples programs whose CPU time in each function is known. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "launcher.h"
#include "tests/unit.h"

/* Used where a share is compared with the truth: with 1,000 samples or more it has a standard error
 * of at most 1.5 points. */
#define RATE_HZ 8000

static struct launch l;

static void free_launch(void)
{
	launch_free(&l);
}

FIXTURE(NULL, free_launch)
REQUIRE(launch_possible())

/* Returns the samples in the program and its library, without those of the dynamic linker and the
 * kernel, which the truth does not have either. */
static uint64_t own_samples(void)
{
	uint64_t samples = 0;

	EACH_ROW(row, l.run.functions, l.run.nfunctions) {
		const char *slash = strrchr(row->location.object, '/');

		samples += slash && strstr(slash, "burn") ? row->samples : 0;
	}
	ck_assert_uint_gt(samples, launch_samples(&l, NULL, NULL) / 2);
	return samples;
}

/* Fails unless the share of the samples is within 5 points of the truth for the functions in
 * `printed`. */
static void expect_share(const char *function, const char *object, const char *printed)
{
	double share = 100.0 * (double)launch_samples(&l, function, object) / (double)own_samples();

	ck_assert_double_le(fabs(launch_points_off(&l, printed, share)), 5);
}

/* Adds a row for the main thread, as for one that was intercepted. */
static void add_main_thread(uint64_t calls)
{
	struct run_thread *row = run_add_thread(&l.run);

	row->pid = l.truth[0].pid;
	row->tid = l.truth[0].tid;
	row->end_ns = INT64_C(10000000000);
	row->calls = calls;
}

static const struct run_thread *find_named(const char *name)
{
	EACH_ROW(thread, l.run.threads, l.run.nthreads)
		if (!strcmp(thread->name, name))
			return thread;
	ck_abort_msg("no thread '%s'", name);
	return NULL;
}

/* Returns the time that a hypervisor has taken from all CPUs so far. */
static double stolen_ms(void)
{
	long ticks = 0;
	FILE *file = fopen("/proc/stat", "r");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "cpu %*d %*d %*d %*d %*d %*d %*d %ld", &ticks), 1);
	fclose(file);
	return (double)ticks * 1000 / (double)sysconf(_SC_CLK_TCK);
}

/* The rate refers to CPU time. There are never more samples, except for stolen time, in which the
 * clock of the event runs on and that of the thread does not. There are fewer only if the machine
 * itself is stopped. */
TEST(rate_is_kept)
{
	double expected, samples, stolen = -stolen_ms();

	launch(&l, BURN, LIBBURN, "burn_exe:400", 1000, "cpu-clock");
	launch_collect(&l, 0, 0, NULL);
	stolen += stolen_ms();
	expected = (double)launch_truth(&l, "burn_exe") / 1e6;
	samples = (double)launch_samples(&l, "burn_exe", NULL);
	ck_assert_double_le(samples, expected * 1.1 + stolen);
	ck_assert_double_ge(samples, expected * 0.5);
	ck_assert_str_eq(run_fact(&l.run, "sampler_event"), "cpu-clock");
}

/* A program at a fixed address, and one without names. shares_test has a library without names. */
static const struct {
	const char *program, *expected, *object;
} objects[] = {
	{BURN_NO_PIE, "burn_exe", "/burn_no_pie"},
	{BURN_STRIPPED, NULL, "/burn_stripped"},
};

/* Samples are added to the row of an intercepted thread, and make no second row. */
TEST_EACH(kinds_of_object, COUNT(objects))
{
	launch(&l, objects[_i].program, LIBBURN,
	       "burn_exe:40 burn_static:25 burn_shared:75 burn_hidden:50", RATE_HZ, NULL);
	add_main_thread(0);
	launch_collect(&l, 0, 0, NULL);
	ck_assert_uint_eq(l.run.nthreads, 1);
	ck_assert_uint_ge(l.run.threads[0].samples_other, 50);
	ck_assert(!strncmp(l.run.threads[0].name, "burn_", 5));
	if (objects[_i].expected)
		expect_share(objects[_i].expected, objects[_i].object, objects[_i].expected);
	else
		ck_assert_uint_eq(launch_samples(&l, "burn_exe", objects[_i].object), 0);
	expect_share(NULL, objects[_i].object, "burn_exe burn_static");
}

/* After an exec the old addresses mean nothing, since each program has its own; the mappings of the
 * parent are valid in the child. */
TEST(programs_threads_and_children_are_told_apart)
{
	const struct run_thread *main_thread = NULL, *quick = NULL, *child = NULL;
	uint64_t blas = 0, other = 0;

	launch(&l, BURN, LIBBURN,
	       "burn_exe:100 exec burn_static:200 thread:quick sleep:60 burn_shared:200 fork "
	       "burn_shared:200",
	       RATE_HZ, NULL);
	launch_collect(&l, 0, 0, LIBBURN);
	expect_share("burn_exe", "/burn", "burn_exe");
	expect_share("burn_static", "/burn", "burn_static");
	expect_share("burn_shared", "/libburn.so", "burn_shared");
	EACH_ROW(thread, l.run.threads, l.run.nthreads) {
		blas += thread->samples_blas;
		other += thread->samples_other;
		if (thread->tid == l.truth[0].tid)
			main_thread = thread;
		if (thread->tid == l.truth[2].tid)
			quick = thread;
		if (thread->pid == l.truth[3].pid)
			child = thread;
	}
	/* by the object, because a sample can lie in its PLT */
	ck_assert_uint_eq(blas, launch_samples(&l, NULL, "/libburn.so"));
	ck_assert_uint_ge(other, launch_samples(&l, "burn_exe", NULL));
	ck_assert(main_thread && quick && child);
	ck_assert_int_eq(main_thread->pid, quick->pid);
	ck_assert_int_ne(main_thread->pid, child->pid);
	ck_assert_str_eq(main_thread->name, "exe"); /* by the exec */
	ck_assert_str_eq(quick->name, "quick");
	/* by the function, because another thread loads and unloads the library */
	ck_assert_uint_eq(quick->samples_blas + child->samples_blas,
			  launch_samples(&l, "burn_shared", "/libburn.so"));
	ck_assert_uint_ge(quick->samples_blas, 100);
	ck_assert_uint_ge(child->samples_blas, 100);
	ck_assert_int_ge(quick->switch_waiting_ns, 60000000);
	ck_assert_int_eq(quick->end_ns - quick->start_ns, quick->times.ns[CAT_WAITING] +
								  quick->times.ns[CAT_NO_CPU] +
								  quick->times.ns[CAT_OTHER]);
	/* on a busy machine it waits for a CPU before it waits for the thread */
	ck_assert_int_ge(main_thread->switch_waiting_ns + main_thread->switch_preempted_ns,
			 450000000);
}

/* Samples of a function that the caller of BLAS calls, and that BLAS calls too. */
TEST(what_blas_calls_is_blas)
{
	uint64_t samples[RUN_CODE_COUNT] = {0}, all;

	launch(&l, BURN, LIBBURN, "burn_static:150 called:50", RATE_HZ, NULL);
	add_main_thread(1);
	launch_collect(&l, 0, 0, LIBBURN);
	EACH_ROW(row, l.run.functions, l.run.nfunctions)
		if (!strcmp(row->location.function, "burn_static"))
			samples[row->code] += row->samples;
	all = launch_samples(&l, "burn_static", NULL);
	ck_assert_uint_eq(samples[RUN_CODE_BLAS] + samples[RUN_CODE_OTHER], all);
	ck_assert_double_le(
		fabs(launch_points_off(&l, "called",
				       100.0 * (double)samples[RUN_CODE_BLAS] / (double)all)),
		5);
}

TEST(region_of_interest)
{
	const struct run_thread *main_thread;
	int64_t off_ns;

	launch(&l, BURN, LIBBURN,
	       "burn_exe:150 sleep:20 mark burn_shared:150 sleep:30 fork mark burn_static:150",
	       1000, NULL);
	launch_collect(&l, l.truth[1].ns, l.truth[3].ns, NULL);
	ck_assert_uint_ge(launch_samples(&l, "burn_shared", NULL), own_samples() * 85 / 100);
	ck_assert_uint_eq(launch_samples(&l, "burn_exe", NULL), 0);
	ck_assert_uint_eq(launch_samples(&l, "burn_static", NULL), 0);
	ck_assert_uint_ge(l.run.samples_outside_roi, 150);
	EACH_ROW(thread, l.run.threads, l.run.nthreads) {
		ck_assert_int_ge(thread->start_ns, 0);
		ck_assert_int_le(thread->end_ns, l.truth[3].ns - l.truth[1].ns);
	}
	/* the time that the main thread did not compute between the marks it was off the CPU;
	 * switch records and the clock of the thread differ by some us */
	main_thread = find_named("burn");
	off_ns = main_thread->switch_waiting_ns + main_thread->switch_preempted_ns;
	ck_assert_int_ge(main_thread->switch_waiting_ns, 29000000);
	ck_assert_int_le(off_ns,
			 l.truth[3].ns - l.truth[1].ns - launch_truth(&l, "burn_shared") * 9 / 10);
}

/* A folder that anybody can use, with copies of the program and the library, because the build may
 * lie where only root has access. */
struct copy {
	char folder[64], program[128], library[128];
};

static void remove_copy(const struct copy *copy)
{
	ck_assert(!unlink(copy->program) && !unlink(copy->library) && !rmdir(copy->folder));
}

/* Makes it where programs can be executed, and becomes another user. */
static void make_copy(struct copy *copy)
{
	static const char *const places[] = {"/tmp", "/var/tmp", "/dev/shm"};
	char command[1024];

	for (size_t i = 0; i < COUNT(places); i++) {
		snprintf(copy->folder, sizeof copy->folder, "%s/blasprof-test-XXXXXX", places[i]);
		ck_assert(mkdtemp(copy->folder) && !chmod(copy->folder, 0755));
		snprintf(copy->program, sizeof copy->program, "%s/burn", copy->folder);
		snprintf(copy->library, sizeof copy->library, "%s/libburn.so", copy->folder);
		snprintf(command, sizeof command, "cp '%s' '%s' && cp '%s' '%s' && chmod 755 %s/*",
			 BURN, copy->program, LIBBURN, copy->library, copy->folder);
		ck_assert_int_eq(system(command), 0);
		if (!access(copy->program, X_OK))
			break;
		remove_copy(copy);
	}
	if (!getuid())
		ck_assert(!chown(copy->folder, 65534, 65534) && !setgid(65534) && !setuid(65534));
	prctl(PR_SET_DUMPABLE, 1);
}

/* Without privileges there are no kernel samples if the machine forbids them, but everything else.
 */
TEST(unprivileged_user)
{
	struct copy copy;

	make_copy(&copy);
	launch(&l, copy.program, copy.library, "burn_exe:200", 1000, NULL);
	launch_collect(&l, 0, 0, NULL);
	expect_share("burn_exe", "/burn", "burn_exe");
	if (machine_read_long("", "/proc/sys/kernel/perf_event_paranoid", 0) > 1) {
		ck_assert_uint_eq(launch_samples(&l, NULL, "[kernel]"), 0);
		ck_assert_str_eq(l.run.notes[0].code, "no_kernel_samples");
	}
	remove_copy(&copy);
}

TEST(unknown_event)
{
	launch(&l, BURN, LIBBURN, "burn_exe:1", 1000, "cpu-clokc");
	ck_assert_int_eq(l.started, -1);
	ck_assert_has(l.err.what, "cpu-clokc");
	ck_assert_ptr_nonnull(strcasestr(l.err.remedy, "cpu-clock"));
}
