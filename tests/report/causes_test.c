/* causes_test.c: which causes are claimed, on which evidence, and what the verdict says. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string_pool.h"
#include "base/array.h"
#include "fixture.h"
#include "tests/unit.h"
#include "report/causes.h"

static struct run runs[4];

static struct run_function *add_function(struct run *run, const char *name, enum run_code code,
					 uint64_t samples, const char *thread)
{
	struct run_function *function = fixture_function(run, name, "/home/u/train");

	function->code = code;
	function->samples = samples;
	strcpy(function->thread, thread);
	run->samples += samples;
	run->samples_attributed += samples;
	return function;
}

static void move_to(struct run_function *function, const char *object)
{
	function->location.object = string_pooled(object);
}

static void add_counter(struct run *run, const char *event, double other)
{
	struct run_counter *counter = table_add(&run_tables[RUN_PART_COUNTERS], run);

	snprintf(counter->event, sizeof counter->event, "%s", event);
	counter->count = other;
	counter->other = other * 3 / 4;
	counter->kernel = other / 4;
	counter->counted = 1;
	counter->blas = counter->outside = 0;
	counter->exact_blas = counter->exact_other = NAN;
}

static void add_mpi(struct run *run, const char *routine, double seconds)
{
	struct run_mpi *mpi = table_add(&run_tables[RUN_PART_MPI], run);

	strcpy(mpi->routine, routine);
	mpi->calls = 10;
	mpi->total_ns = (int64_t)(seconds * (double)SECOND);
}

/* A thread count that no test uses. */
#define BESIDES 3

/* Builds the report of the test's runs and of one more run, which has evidence of all causes at
 * another thread count; this must not be used as evidence for theirs. */
static void build(size_t count)
{
	static const char *const kinds[] = {"gil", "mutex", "rwlock",  "I/O",	   "sleep",
					    "GPU", "MPI",   "barrier", "condition"};
	struct run *run = &runs[count];
	size_t kept = 0;

	fixture_run(run, BESIDES, 2 * SECOND, 0.2, 0.2);
	for (int i = 0; i < COUNT(kinds); i++)
		for (int j = 0; j < BESIDES; j++)
			fixture_wait(run, 100 + j, kinds[i], 0.4);
	fixture_wait(run, 100, "mutex", 0.4);
	run->waits[run->nwaits - 1].in_blas = 1;
	add_function(run, "wait_besides", RUN_CODE_SPIN, 5000, "");
	add_function(run, "take_lock_besides", RUN_CODE_SPIN, 5000, "")->location.line = 7;
	add_function(run, "compute_besides", RUN_CODE_OTHER, 5000, "100");
	add_mpi(run, "MPI_Besides", 9);
	add_counter(run, "instructions", 1e15);
	add_counter(run, "cache-misses", 1e15);
	run_add_fact(run, "other_programs", "besides (100 % of a CPU)");
	run->threads[0].times.ns[CAT_OTHER] += SECOND / 2;
	run->threads[1].times.ns[CAT_SPIN] = SECOND / 2;
	run->threads[2].times.ns[CAT_NO_CPU] = SECOND / 2;
	for (int i = 0; i < BESIDES; i++) {
		run->threads[i].times.ns[CAT_WAITING] = SECOND / 2;
		strcpy(run->threads[i].name, "besides");
	}
	strcpy(run->what_if, runs->what_if);
	if (run_fact(runs, "ceilings"))
		run_add_fact(run, "ceilings", run_fact(runs, "ceilings"));
	fixture_report(runs, count + 1);
	for (size_t i = 0; i < report.ncauses; i++)
		if (report.causes[i].threads != BESIDES)
			report.causes[kept++] = report.causes[i];
	report.ncauses = kept;
	EACH_ROW(loss, report.losses, report.nlosses)
		ck_assert(loss->threads == BESIDES || !strstr(loss->contributor, "esides"));
}

static const struct report_cause *find_cause(int threads, const char *name)
{
	for (size_t i = 0; i < report.ncauses; i++)
		if (report.causes[i].threads == threads && !strcmp(report.causes[i].cause, name))
			return &report.causes[i];
	return NULL;
}

/* Checks the first cause, its loss and its certainty. */
static void check_first(const char *name, double lost, const char *sure)
{
	const struct report_cause *first = report.causes;

	ck_assert_uint_gt(report.ncauses, 0);
	ck_assert_msg(!strcmp(first->cause, name), "%s, not %s: %s", first->cause, name,
		      first->sentence);
	ck_assert_double_eq_tol(first->lost, lost, 0.01);
	ck_assert_str_eq(first->sure, sure);
}

/* Checks the steps from the ideal to the measured speed-up: each begins where the one before ended,
 * and there is one for each cause at the thread count. */
static void check_waterfall(void)
{
	const struct report_row *row;
	size_t count, losses = 0;
	struct waterfall_step *steps = waterfall_make(&report, &row, &count);
	double at = report.causes[0].threads;

	ck_assert_uint_ge(count, 2);
	EACH_ROW(cause, report.causes, report.ncauses)
		losses += cause->threads == row->threads && cause->lost >= 0.005 &&
			  strcmp(cause->cause, "none") != 0;
	ck_assert_double_eq(steps[0].to, at);
	for (size_t i = 1; i < count - 1; i++) {
		ck_assert_int_eq(steps[i].kind == STEP_LOST, i <= losses);
		ck_assert_double_eq_tol(steps[i].value < 0 ? steps[i].to : steps[i].from, at, 1e-9);
		ck_assert_double_eq_tol(steps[i].to - steps[i].from, fabs(steps[i].value), 1e-9);
		at += steps[i].value;
	}
	ck_assert_double_eq_tol(at, row->speedup, 0.005);
	ck_assert_double_eq(steps[count - 1].to, row->speedup);
	free(steps);
}

static void check_verdict(const char *expected)
{
	char text[REPORT_VERDICT_MAX];

	ck_assert_str_eq(report_verdict(&report, text), expected);
}

/* Checks the beginning of the verdict. */
static void check_says(const char *expected)
{
	char text[REPORT_VERDICT_MAX];

	ck_assert_msg(!strncmp(report_verdict(&report, text), expected, strlen(expected)),
		      "'%s', not '%s'", text, expected);
}

/* A run of one thread that computes all the time with f = 0.5, and a run of two threads. */
static const struct {
	double seconds, blas, other; /* of two threads: run time, and shares of each one's time */
	double stall;		     /* share of the time in BLAS that is blocked */
	const char *cause;
	double lost;
	const char *sure, *says;
} computing[] = {
	{0.50, 0.50, 0.50, 0, "none", 0, "sure",
	 "2 threads give a speed-up of 2.00 (ideal: 2.00): next to nothing is lost."},
	{0.52, 0.50, 0.50, 0, "none", 0.08, "sure",
	 "2 threads give a speed-up of 1.92 (ideal: 2.00): next to nothing is lost."},
	/* half of a loss of 7, 9.5 and 11 % in each category, and most of a loss of 7 % in one */
	{0.54, 0.50, 0.50, 0, "none", 0.15, "sure",
	 "2 threads give a speed-up of 1.85 (ideal: 2.00): no single cause loses more than 5 %."},
	{0.5525, 0.50, 0.50, 0, "none", 0.19, "sure",
	 "2 threads give a speed-up of 1.81 (ideal: 2.00): no single cause"},
	{0.56, 0.50, 0.50, 0, "blas-slower", 0.11, "possible",
	 "0.11 of 2 threads are lost to BLAS "},
	{0.54, 0.47, 0.53, 0, "other-slower", 0.13, "likely",
	 "0.13 of 2 threads are lost to other code"},
	{0.75, 0.65, 0.35, 0, "blas-slower", 0.63, "possible",
	 "0.63 of 2 threads are lost to BLAS calls that take 95 % longer than on one thread, the "
	 "fastest "
	 "as well "
	 "as the slowest: memory, caches or the clock rate, most in cblas_sgemm NT 64 x 64 x 64 "
	 "(possible)"},
	{0.75, 0.50, 0.50, 0, "blas-slower", 0.33, "possible",
	 "0.33 of 2 threads are lost to BLAS calls that take 50 % longer than on one thread"},
	{0.75, 0.50, 0.50, 0.9, "blas-queue", 0.33, "likely",
	 "0.33 of 2 threads wait for one another inside BLAS calls, most in cblas_sgemm NT 64 x 64 "
	 "x 64 "
	 "(likely); let fewer threads call BLAS, or give each more work outside it."},
	{0.75, 0.35, 0.65, 0, "other-slower", 0.63, "likely",
	 "0.63 of 2 threads are lost to other code, which takes 95 % more CPU time for each unit "
	 "of work "
	 "than "
	 "on one thread, most in rmsnorm_forward (train) (likely); if threads write to "},
	{1.50, 0.50, 0.50, 0, "blas-slower", 0.67, "possible",
	 "0.67 of 2 threads are lost to BLAS calls that take 3.0 times as long as on one thread"},
	{2.00, 0.90, 0.10, 0, "blas-slower", 1.50, "possible",
	 "1.50 of 2 threads are lost to BLAS calls that take 7.2 times as long as on one thread, "
	 "the "
	 "fastest as well as the slowest: "},
	{2.00, 0.10, 0.90, 0, "other-slower", 1.50, "likely",
	 "1.50 of 2 threads are lost to other code, which takes 7.2 times as much CPU time for "
	 "each unit of work as on one thread, most in rmsnorm_forward (train) (likely); if threads "
	 "write to the "
	 "same variables there, or to variables in the same cache line, give each its own, 128 "
	 "bytes "
	 "apart; otherwise look at how they share caches and memory."},
	{1.125, 2 / 9.0, 7 / 9.0, 0, "other-slower", 1.11, "likely",
	 "1.11 of 2 threads are lost to other code, which takes 3.5 times as much CPU time "},
	/* BLAS gains more than other code loses */
	{0.60, 0.30, 0.70, 0, "other-slower", 0.33, "likely",
	 "0.33 of 2 threads are lost to other code, which takes 68 % more "},
	/* waiting of an unknown kind */
	{0.75, 0.33, 0.33, 0, "none", 0.67, "sure",
	 "0.67 of 2 threads are lost, and not explained."},
	{0.488, 0.50, 0.50, 0, "none", 0, "sure",
	 "2 threads give a speed-up of 2.05 (ideal: 2.00): next to nothing is lost."},
	{0.40, 0.50, 0.50, 0, "none", 0, "sure",
	 "2 threads give a speed-up of 2.50 (ideal: 2.00): more than threads alone can give."},
};

TEST_EACH(test_computing, COUNT(computing))
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	runs[0].threads[0].times.blas_waiting_ns = 0;
	runs[0].functions[1].location.line = 7; /* which is not known with two threads */
	fixture_run(&runs[1], 2, (int64_t)(computing[_i].seconds * SECOND), computing[_i].blas,
		    computing[_i].other);
	for (size_t i = 0; i < 2; i++)
		runs[1].threads[i].times.blas_waiting_ns =
			(int64_t)((double)runs[1].threads[i].times.ns[CAT_BLAS] *
				  computing[_i].stall);
	build(2);
	check_first(computing[_i].cause, computing[_i].lost, computing[_i].sure);
	check_says(computing[_i].says);
	check_waterfall();
}

TEST(test_line_of_slower_code)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND * 3 / 4, 0.35, 0.65);
	runs[1].functions[1].location.file = "/home/u/train.c";
	runs[1].functions[1].location.line = 7;
	build(2);
	check_first("other-slower", 0.63, "likely");
	ck_assert_str_eq(report.causes[0].place, "train.c:7 rmsnorm_forward()");
}

TEST(test_one_thread_count)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_report(runs, 1);
	check_verdict("1 thread: 50 % of the work is in BLAS; for the speed-up run: blasprof -- "
		      "./train 2.");
	fixture_run(&runs[0], 2, SECOND, 0.6, 0.4);
	fixture_report(runs, 1);
	ck_assert_str_eq(find_cause(2, "none")->sentence,
			 "2 threads: 60 % of the work is in BLAS; they give about 1.88 of 2, "
			 "estimated from their fastest calls");
	ck_assert_str_eq(find_cause(2, "none")->remedy,
			 "for the speed-up run: blasprof -- ./train 1");
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	runs[0].roi_ns = 0;
	fixture_report(runs, 1);
	check_verdict("no figures: the region of interest has no length.");
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	runs[0].threads[0].calls = 0;
	fixture_report(runs, 1);
	check_verdict("no figures: no BLAS call in the region of interest.");
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	runs[0].roi_ns = 0;
	fixture_report(runs, 1);
	ck_assert_ptr_nonnull(fixture_warning("empty_roi"));
}

/* Two threads give 1 of 2: each works for half of the time and waits for the other half. */
static const struct {
	const char *kind, *cause;
} waits[] = {
	{"gil", "gil"},	    {"mutex", "lock"}, {"rwlock", "lock"}, {"I/O", "io"},
	{"sleep", "sleep"}, {"GPU", "gpu"},    {"MPI", "mpi"},	   {"unknown", "none"},
};

TEST_EACH(test_waits, COUNT(waits))
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	fixture_wait(&runs[1], 100, waits[_i].kind, 0.5);
	fixture_wait(&runs[1], 101, waits[_i].kind, 0.5);
	build(2);
	check_first(waits[_i].cause, 1, "sure");
	ck_assert_double_eq_tol(report.causes[0].share, 0.5, 0.01);
	if (strcmp(waits[_i].cause, "none") != 0)
		ck_assert_str_eq(report.causes[0].place, "train.c:120 step()");
	ck_assert_ptr_null(strstr(report.causes[0].sentence, "as one does"));
}

/* Two threads spin, or meet, while one of them waits for a file; one thread waits for it as long.
 * So the wait itself is no loss, but that of the other thread is, as far as nobody computes. */
static const struct {
	double alone; /* share of the time */
	const char *met, *cause;
	double lost;
} single_waits[] = {
	{0.3, "spin", "io", 0.294},    {0.2, "spin", "io", 0.196}, {0.1, "spin", "spin", 0.196},
	{0.3, "barrier", "io", 0.294}, {0, "spin", "spin", 0.294},
};

TEST_EACH(test_waits_for_one_that_waits, COUNT(single_waits))
{
	int spin = !strcmp(single_waits[_i].met, "spin");

	fixture_run(&runs[0], 1, SECOND * 17 / 10, 0.41, 0.41);
	fixture_wait(&runs[0], 100, "I/O", 0.18);
	fixture_run(&runs[1], 2, SECOND, 0.35, 0.35);
	for (int i = 0; i < 2; i++) {
		struct run_wait *wait = fixture_wait(&runs[1], 100 + i, "I/O", 0.15);

		wait->alone_ns = (int64_t)(single_waits[_i].alone / 2 * SECOND);
		if (!spin)
			fixture_wait(&runs[1], 100 + i, "barrier", 0.15);
		else
			runs[1].threads[i].times.ns[CAT_SPIN] = SECOND * 15 / 100;
		runs[1].threads[i].times.ns[CAT_WAITING] -= spin ? SECOND * 15 / 100 : 0;
	}
	if (spin)
		add_function(&runs[1], "GOMP_barrier", RUN_CODE_SPIN, 300, "");
	build(2);
	check_first(single_waits[_i].cause, single_waits[_i].lost, "likely");
	if (!_i)
		check_verdict("0.29 of 2 threads wait for a thread that waits for a file, a device "
			      "or the network, in train.c:120 step() (likely); do the I/O in "
			      "another thread, or less often and in larger pieces.");
}

/* The threads wait, long and often, for a thread that is no participant because it only writes to a
 * disk. */
TEST(test_waits_for_what_nobody_computes)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++)
		fixture_wait(&runs[1], 100 + i, "condition", 0.5)->waits = 100;
	runs[1].waits[0].total_ns = runs[1].waits[1].total_ns = SECOND;
	build(2);
	check_says("0.98 of 2 threads are lost, and not explained: most wait at the condition in "
		   "train.c:120 step(), 10.0 ms each time; see what other threads wait for "
		   "meanwhile: blasprof report --by=wait.");
}

/* A server has no more to do with two threads than with one. */
TEST(test_one_thread_waits_too)
{
	fixture_run(&runs[0], 1, SECOND, 0.05, 0.05);
	fixture_run(&runs[1], 2, SECOND, 0.025, 0.025);
	for (int i = 0; i < 3; i++)
		fixture_wait(&runs[!!i], i == 2 ? 101 : 100, "I/O", 0.9);
	build(2);
	check_verdict("0.90 of 2 threads wait for a file, a device or the network, in train.c:120 "
		      "step(), as a single thread does for 90 % of its time; if there is no more "
		      "work, one thread is enough; otherwise do the I/O in another thread, or less "
		      "often and in larger pieces.");
}

/* With one thread there was no CPU for most of the time. */
TEST(test_gain_over_a_slow_run)
{
	fixture_run(&runs[0], 1, SECOND, 0.2, 0.2);
	runs[0].threads[0].times.ns[CAT_NO_CPU] = runs[0].threads[0].times.ns[CAT_WAITING];
	runs[0].threads[0].times.ns[CAT_WAITING] = 0;
	fixture_run(&runs[1], 2, SECOND / 4, 0.5, 0.5);
	build(2);
	check_says("2 threads give a speed-up of 4.00 (ideal: 2.00): more than threads alone can "
		   "give, but one "
		   "thread had no CPU for 60 % of its time.");
}

/* Threads wait for a lock in two places; the cause names the one with more waiting. */
TEST(test_waits_in_two_places)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	/* as long as with one thread */
	fixture_wait(&runs[0], 100, "gil", 0.8)->line = 118;
	fixture_wait(&runs[1], 100, "gil", 0.8)->line = 118;
	for (int i = 0; i < 2; i++) {
		fixture_wait(&runs[1], 100 + i, "gil", 0.2)->line = 119;
		fixture_wait(&runs[1], 100 + i, "gil", 0.3);
	}
	build(2);
	check_first("gil", 1, "sure");
	ck_assert_str_eq(
		report.causes[0].sentence,
		"1.00 of 2 threads wait for Python's interpreter lock, most in train.c:120 "
		"step()");
}

/* Without a run of one thread, causes are found, and the verdict names the command that would tell
 * more. */
TEST(test_waits_of_one_thread_count)
{
	fixture_run(&runs[0], 2, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++)
		fixture_wait(&runs[0], 100 + i, "mutex", 0.5);
	fixture_report(runs, 1);
	check_first("lock", 1, "sure");
	ck_assert_str_eq(report.causes[report.ncauses - 1].cause, "none");
	ck_assert_str_eq(report.causes[report.ncauses - 1].remedy,
			 "for the speed-up run: blasprof -- ./train 1");
}

/* A wait inside the BLAS library, or at another thread count, is no lock of the program. */
TEST_EACH(test_waits_elsewhere, 3)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	fixture_wait(&runs[_i == 1 ? 0 : 1], _i == 2 ? 999 : 100, "mutex", 0.5);
	runs[1].threads[0].times.ns[CAT_WAITING] = SECOND / 2;
	if (!_i)
		runs[1].waits[0].in_blas = 1;
	build(2);
	ck_assert_ptr_null(find_cause(2, "lock"));
}

/* Waiting that a single thread does too is no loss. */
TEST(test_waits_of_one_thread_are_no_loss)
{
	fixture_run(&runs[0], 1, SECOND, 0.25, 0.25);
	fixture_run(&runs[1], 2, SECOND / 2, 0.25, 0.25);
	fixture_wait(&runs[0], 100, "I/O", 0.5);
	fixture_wait(&runs[1], 100, "I/O", 0.5);
	fixture_wait(&runs[1], 101, "I/O", 0.5);
	build(2);
	check_first("none", 0, "sure");
}

/* The same without a run of one thread. */
TEST_EACH(test_threads_over_cpus, 2)
{
	struct run *run = &runs[!_i];

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	if (_i)
		run_free(&runs[0]);
	fixture_run(run, 4, SECOND / 2, 0.25, 0.25);
	for (size_t i = 0; i < 4; i++) {
		run->threads[i].times.ns[CAT_NO_CPU] = SECOND / 4;
		run->threads[i].times.ns[CAT_WAITING] = 0;
		run->threads[i].switch_preempted_ns = SECOND / 4;
		run->threads[i].switch_own_ns = SECOND / 4;
	}
	if (_i)
		fixture_report(runs, 1);
	else
		build(2);
	check_first("oversubscribed", 2, "sure");
	check_verdict("2.00 of 4 threads have no CPU: the program has more threads ready to run "
		      "than 2 CPUs; run fewer threads, at most 2.");
	for (size_t i = 0; i < report.nlosses; i++) /* all of it is explained */
		ck_assert(report.losses[i].threads != 4 ||
			  report.losses[i].category != CAT_NO_CPU ||
			  report.losses[i].contributor[0] != '(');
}

/* Two CPUs would do for two threads, but both are bound to one. */
TEST(test_bound_threads)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (size_t i = 0; i < 2; i++) {
		runs[1].threads[i].times.ns[CAT_NO_CPU] = SECOND / 2;
		runs[1].threads[i].times.ns[CAT_WAITING] = 0;
		runs[1].threads[i].switch_preempted_ns = SECOND / 2;
		runs[1].threads[i].switch_own_ns = SECOND / 2;
	}
	run_add_fact(&runs[1], "bound_cpu", "1");
	build(2);
	check_first("oversubscribed", 1, "sure");
	check_says("1.00 of 2 threads have no CPU: the program has bound several threads to CPU 1, "
		   "which they share; let them run on all CPUs, or bind each ");
}

static int64_t add_stack(struct run *run, int64_t parent, const char *function, const char *object,
			 uint64_t samples)
{
	struct run_frame *frame = table_add(&run_tables[RUN_PART_FRAMES], run);
	struct run_stack *stack = table_add(&run_tables[RUN_PART_STACKS], run);

	frame->function = string_pooled(function);
	frame->object = string_pooled(object);
	frame->code = RUN_CODE_OTHER;
	*stack = (struct run_stack){.parent = parent,
				    .frame = (int64_t)run->nframes - 1,
				    .whole = 1,
				    .samples_callers = samples};
	return (int64_t)run->nstacks - 1;
}

/* Two threads compute for these shares of a second; they meet at the end, so the run lasts as long
 * as the busier one. */
static void make_uneven(double first, double second)
{
	double longer = fmax(first, second), shares[] = {first, second};

	fixture_run(&runs[0], 1, (int64_t)((first + second) * SECOND), 0.5, 0.5);
	fixture_run(&runs[1], 2, (int64_t)(longer * SECOND), 0, 0);
	for (size_t i = 0; i < 2; i++) {
		int64_t *ns = runs[1].threads[i].times.ns;

		ns[CAT_BLAS] = ns[CAT_OTHER] = (int64_t)(shares[i] / 2 * SECOND);
		ns[CAT_WAITING] = (int64_t)((longer - shares[i]) * SECOND);
		runs[1].threads[i].times.blas_waiting_ns = 0;
		runs[1].threads[i].samples_blas = runs[1].threads[i].samples_other = 250;
	}
	runs[0].threads[0].times.blas_waiting_ns = 0;
}

TEST(test_imbalance)
{
	make_uneven(0.4, 0.6);
	build(2);
	/* the speed-up is (0.4 + 0.6) / 0.6 */
	check_first("imbalance", 2 - 1 / 0.6, "sure");
	check_verdict(
		"0.33 of 2 threads wait, because thread 1 computes 20 % longer than the average; "
		"divide the work more evenly, or hand it out in smaller pieces to free threads.");
	make_uneven(0.4, 0.6);
	fixture_wait(&runs[1], 100, "barrier", 0.33);
	build(2);
	check_first("imbalance", 2 - 1 / 0.6, "sure");
	ck_assert_str_eq(report.causes[0].place, "train.c:120 step()");
	ck_assert(strstr(report.causes[0].sentence,
			 " wait at the barrier in train.c:120 step(), because "));
	/* a barrier with little waiting is not named; processes are numbered in the order of their
	 * starts */
	make_uneven(0.4, 0.6);
	runs[1].threads[0].tid = 102;
	runs[1].threads[1].pid = 101;
	fixture_wait(&runs[1], 100, "barrier", 0.05);
	build(2);
	ck_assert_str_eq(report.causes[0].place, "");
	ck_assert_ptr_nonnull(strstr(report.causes[0].sentence, "process 1 computes 20 % longer"));
	make_uneven(0.4, 0.6); /* without samples it is not known whether a thread works alone */
	runs[1].threads[1].samples_blas = runs[1].threads[1].samples_other = 0;
	build(2);
	check_first("imbalance", 2 - 1 / 0.6, "sure");
}

/* A third thread that computes a little is not one of the two. */
TEST(test_imbalance_of_the_busiest)
{
	struct run_thread *beside;

	make_uneven(0.4, 0.6);
	beside = run_add_thread(&runs[1]);
	*beside = runs[1].threads[0];
	beside->tid = 102;
	strcpy(beside->name, "besides"); /* it makes no call, so its time is not lost */
	beside->calls = 0;
	beside->flops = 0;
	beside->times.ns[CAT_BLAS] = beside->times.ns[CAT_OTHER] = SECOND / 20;
	beside->times.ns[CAT_WAITING] = SECOND / 2;
	runs[1].threads_requested = 2;
	runs[1].roi_ns = SECOND * 7 / 10;
	build(2);
	ck_assert_double_eq_tol(find_cause(2, "imbalance")->lost, 0.2 / 0.7, 0.03);
	ck_assert(strstr(find_cause(2, "imbalance")->sentence, "thread 1 computes 20 % longer"));
}

TEST(test_a_thread_that_does_nothing)
{
	make_uneven(0, 1);
	runs[1].threads_requested = 2;
	build(2);
	check_first("imbalance", 1, "sure");
	ck_assert(strstr(report.causes[0].sentence, " wait: only 1 of them computes"));
}

/* The busier thread, with 0.6 s and 500 samples, has all its additional samples in a function that
 * only it ran; or all its samples; or too few of them. */
static const struct {
	uint64_t samples;
	const char *thread, *cause;
} serial_parts[] = {
	{250, "100", "serial-part"}, {250, "", "imbalance"},	{250, "101", "imbalance"},
	{126, "100", "serial-part"}, {124, "100", "imbalance"},
};

TEST_EACH(test_serial_part, COUNT(serial_parts))
{
	int is_serial = !strcmp(serial_parts[_i].cause, "serial-part");

	make_uneven(0.6, 0.3);
	add_function(&runs[1], "reduce", RUN_CODE_OTHER, serial_parts[_i].samples,
		     serial_parts[_i].thread);
	/* spinning alone is not working alone */
	add_function(&runs[1], "wait_here", RUN_CODE_SPIN, 400, "101");
	build(2);
	check_first(serial_parts[_i].cause, 0.5, is_serial ? "likely" : "sure");
	ck_assert_uint_eq(report.ncauses, 1);
	if (is_serial)
		check_verdict("0.50 of 2 threads wait while thread 0 works alone, most in "
			      "reduce() (likely); divide that work between all threads, or let it "
			      "overlap with theirs.");
}

/* The busier thread computes more than half of its additional work outside the parallel regions of
 * OpenMP, or less. The function there that the others run too is not named. */
TEST_EACH(test_serial_part_outside_openmp, 2)
{
	int64_t start, solve, alike;

	make_uneven(0.6, 0.3);
	runs[1].threads[0].samples_alone = _i ? 126 : 124;
	start = add_stack(&runs[1], -1, "main", "/home/u/fit", 0);
	solve = add_stack(&runs[1],
			  add_stack(&runs[1], start, "GOMP_parallel", "/usr/lib/libgomp.so.1", 0),
			  "solve", "/home/u/fit", 400);
	start = add_stack(&runs[1], start, "reduce", "/home/u/fit", 0);
	alike = add_stack(&runs[1], start, "solve", "/home/u/fit", 126);
	runs[1].stacks[alike].frame = runs[1].stacks[solve].frame;
	add_stack(&runs[1], add_stack(&runs[1], -1, "cut_off", "/home/u/fit", 0), "f", "", 300);
	for (size_t i = 1; i <= 2; i++)
		runs[1].stacks[runs[1].nstacks - i].whole = 0;
	build(2);
	check_first(_i ? "serial-part" : "imbalance", 0.5, _i ? "likely" : "sure");
	if (_i)
		ck_assert_str_eq(report.causes[0].place, "reduce()");
}

/* Of 4 threads the first works 0.1 s longer, for which 3 wait; the rest of their waiting has
 * another cause. It is blocked for half of its time in BLAS, which does not count as work. */
TEST_EACH(test_serial_part_of_four, 2)
{
	fixture_run(&runs[0], 1, SECOND * 13 / 10, 0.5, 0.5);
	fixture_run(&runs[1], 4, SECOND, 0.15, 0.15);
	for (int i = 0; i < 4; i++)
		runs[1].threads[i].times.blas_waiting_ns = 0;
	runs[1].threads[0].times.ns[CAT_OTHER] += SECOND / 10;
	runs[1].threads[0].times.ns[CAT_WAITING] -= SECOND / 10;
	if (_i) {
		runs[1].threads[0].times.ns[CAT_BLAS] += SECOND / 10;
		runs[1].threads[0].times.ns[CAT_WAITING] -= SECOND / 10;
		runs[1].threads[0].times.blas_waiting_ns = SECOND / 10;
	}
	add_function(&runs[1], "reduce", RUN_CODE_OTHER, 60, "100")->location.line = 1;
	runs[1].threads[0].samples_blas = runs[1].threads[0].samples_other = 100;
	runs[1].cpus_available = 4;
	build(2);
	ck_assert_double_eq_tol(find_cause(4, "serial-part")->lost, 0.3, 0.01);
	ck_assert_str_eq(find_cause(4, "serial-part")->place, "reduce()");
}

/* The second thread starts after 0.3 s, in which the first computes: more than half of its
 * additional work, or less. */
TEST_EACH(test_serial_part_at_first, 2)
{
	make_uneven(0.6, 0.3);
	runs[1].threads[1].start_ns = _i ? SECOND * 16 / 100 : SECOND * 14 / 100;
	runs[1].threads[1].times.ns[CAT_WAITING] -= runs[1].threads[1].start_ns;
	build(2);
	check_first(_i ? "serial-part" : "imbalance", 0.5, _i ? "likely" : "sure");
	if (_i)
		check_verdict("0.50 of 2 threads wait while thread 0 works alone before the others "
			      "have started (likely); divide that work between all threads, or let "
			      "it overlap with theirs.");
}

/* The main thread starts the second of two threads when the first has ended. */
TEST(test_serial_threads)
{
	struct run_thread *main_thread;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++) {
		runs[1].threads[i].tid = 101 + i;
		runs[1].threads[i].start_ns = i * SECOND / 2;
		runs[1].threads[i].end_ns = (i + 1) * SECOND / 2;
		runs[1].threads[i].times.ns[CAT_WAITING] = 0;
	}
	main_thread = run_add_thread(&runs[1]);
	main_thread->pid = main_thread->tid = 100;
	main_thread->end_ns = SECOND;
	main_thread->times.ns[CAT_WAITING] = SECOND;
	fixture_wait(&runs[1], 100, "join", 1);
	runs[1].threads_requested = 2;
	build(2);
	check_first("serial-part", 1, "likely");
	check_verdict("1.00 of 2 threads have nothing to do: each thread is started when the one "
		      "before has ended, most in train.c:120 step() (likely); start all before "
		      "you wait for the first; what std::async() returns waits when it is "
		      "discarded.");
}

/* Sets the thread count of the BLAS library. */
static void set_pool(struct run *run, const char *threads)
{
	for (size_t i = 0; i < run->nfacts; i++)
		if (!strcmp(run->facts[i].name, "blas_threads"))
			run->facts[i].value = threads;
}

static void add_caller(struct run *run, const char *function, const char *file, int line)
{
	struct run_caller *caller = table_add(&run_tables[RUN_PART_CALLERS], run);

	caller->location.function = string_pooled(function);
	caller->location.object = string_pooled(file);
	caller->location.inlined_into = "";
	caller->location.file = string_pooled(file);
	caller->location.line = line;
	caller->calls = 10;
	caller->total_ns = SECOND / 2;
}

/* A script whose line 9 calls BLAS for half of the time, and has a few more samples. */
static void add_script(struct run *run)
{
	static const char script[] = "/home/u/fit.py";
	int64_t train = add_stack(run, -1, "train (fit.py:9)", script, 590), inner;

	inner = add_stack(run, add_stack(run, -1, "train (fit.py:12)", script, 0),
			  "features (fit.py:4)", script, 100);
	add_stack(run, inner, "sort (fromnumeric.py:7)", "/usr/lib/python3/fromnumeric.py", 50);
	add_stack(run, -1, "features (fit.py:5)", script, 200);
	add_stack(run, -1, "features (fit.py:6)", script, 3);
	add_stack(run, add_stack(run, -1, "<module> (fit.py:20)", script, 0), "load (other.py:5)",
		  "/home/u/other.py", 60);
	add_stack(run, train, "PyList_Append", "/usr/bin/python3", 0);
}

/* With one caller, BLAS takes half of the time on two threads, and the rest takes as long as
 * before. For a script, its line is named, with the function called there unless that is the
 * interpreter's own or has no name. An object with many functions is named instead of one of them.
 */
TEST_EACH(test_serial_part_outside_blas, 5)
{
	static const char *const functions[] = {"", "add_kernel", "fit+0x12", "PyNumber_Add"};
	static const char *const places[] = {"rmsnorm_forward()", "fit.py:9 train() (add_kernel)",
					     "fit.py:9 train()", "fit.py:9 train()",
					     "liboctinterp.so.10"};
	char name[2] = "a";
	struct run_thread *worker;
	char verdict[REPORT_VERDICT_MAX];

	fixture_run(&runs[0], 1, SECOND * 3 / 4, 2 / 3.0, 1 / 3.0);
	fixture_run(&runs[1], 1, SECOND / 2, 0.5, 0.5);
	worker = run_add_thread(&runs[1]);
	worker->pid = 100;
	worker->tid = 110;
	worker->end_ns = runs[1].roi_ns;
	worker->samples_blas = 450;
	runs[1].threads_requested = 2;
	set_pool(&runs[1], "2");
	/* nobody works for a tenth of the time, for another reason */
	runs[1].threads[0].times.ns[CAT_OTHER] -= SECOND / 20;
	runs[1].threads[0].times.ns[CAT_WAITING] = SECOND / 20;
	/* what the worker does while it waits is not the caller's work */
	add_function(&runs[1], "gomp_team_barrier_wait_end", RUN_CODE_OTHER, 5000, "")
		->samples_workers = 5000;
	for (; _i == 4 && *name < 'g'; ++*name)
		move_to(add_function(&runs[1], name, RUN_CODE_OTHER, 1000, ""),
			"/usr/lib/liboctinterp.so.10");
	if (_i && _i < 4) {
		add_script(&runs[1]);
		runs[1].functions[1].location.function = string_pooled(functions[_i]);
	}
	if (_i == 3) {
		move_to(&runs[1].functions[1], "/usr/bin/python3.11");
		ck_assert(!categories_read(&fixture_categories,
					   TEST_SRCDIR "/../analysis/report/categories.txt", NULL));
	}
	build(2);
	check_first("serial-part", 0.5 * 0.25 / 0.3, "sure");
	snprintf(verdict, sizeof verdict,
		 "0.42 of 2 threads have nothing to do while the caller works outside BLAS, most "
		 "in %s; make that part parallel too, or use BLAS for more of the work.",
		 places[_i]);
	check_verdict(verdict);
	categories_free(&fixture_categories);
}

/* A single caller is always in BLAS, with a quarter of the samples in the second thread: 4/3
 * threads compute, and it is 1.2 times as fast as one thread. The cause is found without a run of
 * one thread, too. */
TEST_EACH(test_serial_part_inside_blas, 2)
{
	struct run *run = &runs[!_i];
	struct run_thread *worker;

	fixture_run(&runs[0], 1, SECOND, 1, 0);
	if (_i)
		run_free(&runs[0]);
	fixture_run(run, 1, SECOND * 10 / 12, 1, 0);
	worker = run_add_thread(run);
	worker->pid = 100;
	worker->tid = 110;
	worker->end_ns = run->roi_ns;
	run->threads[0].samples_blas = 600;
	worker->samples_blas = 200;
	run->threads_requested = 2;
	set_pool(run, "2");
	fixture_report(runs, _i ? 1 : 2);
	check_first("serial-part", 2 / 3.0, "likely");
	check_verdict("0.67 of 2 threads have nothing to do inside BLAS calls, which keep 1.3 "
		      "threads busy, most in cblas_sgemm NT 64 x 64 x 64 (likely); give BLAS fewer "
		      "threads, or larger matrices.");
	if (!_i) {
		ck_assert_double_eq_tol(find_cause(2, "blas-slower")->lost, 2 / 15.0, 1e-2);
		ck_assert_ptr_nonnull(
			strstr(find_cause(2, "blas-slower")->sentence, " 11 % longer than "));
	}
}

static void add_worker(struct run *run)
{
	struct run_thread *worker = run_add_thread(run);

	run_add_fact(run, "blas_threads", "2");
	worker->pid = 100;
	worker->tid = 110;
	worker->end_ns = run->roi_ns;
	worker->samples_blas = 400;
	worker->times.ns[CAT_WAITING] = run->roi_ns;
}

/* A tenth of the threads is idle inside calls. With few samples that may be chance. */
TEST_EACH(test_chance_is_not_idle, 2)
{
	unsigned times = _i ? 17 : 18;

	fixture_run(&runs[0], 1, SECOND, 1, 0);
	add_worker(&runs[0]);
	set_pool(&runs[0], "2");
	runs[0].threads[0].samples_blas = 10 * times;
	runs[0].threads[1].samples_blas = 8 * times;
	runs[0].threads_requested = 2;
	fixture_report(runs, 1);
	ck_assert_int_eq(find_cause(2, "serial-part") != NULL, !_i);
}

/* N is the setting of the only library if no count was asked for and at least half of its threads
 * were sampled: two here. */
static const struct {
	const char *setting;
	int is_only, threads;
} settings[] = {{"4", 1, 4}, {"5", 1, 2}, {"4", 0, 2}};

TEST_EACH(test_library_says_its_threads, COUNT(settings))
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	add_worker(&runs[0]);
	set_pool(&runs[0], settings[_i].setting);
	if (!settings[_i].is_only)
		run_add_fact(&runs[0], "blas_2", "MKL");
	fixture_report(runs, 1);
	ck_assert_int_eq(report.rows[0].threads, settings[_i].threads);
}

static void add_spin(struct run *run, double each)
{
	struct run_function *loop = fixture_function(run, "wait_here", "/home/u/train");

	loop->code = RUN_CODE_SPIN;
	loop->samples = 100;
	for (size_t i = 0; i < run->nthreads; i++) {
		int64_t *ns = run->threads[i].times.ns;

		ns[CAT_SPIN] = (int64_t)(each * (double)run->roi_ns);
		ns[CAT_WAITING] -= ns[CAT_SPIN];
		run->threads[i].samples_spin = 50;
	}
}

/* Spinning of threads with even work has no other cause; with uneven work it has. */
TEST_EACH(test_spinning, 2)
{
	double spun = 0;

	if (_i) {
		make_uneven(0.4, 0.6);
		add_spin(&runs[1], 0);
		runs[1].threads[0].times.ns[CAT_SPIN] = SECOND / 5;
		runs[1].threads[0].times.ns[CAT_WAITING] = 0;
	} else {
		fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
		fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
		add_spin(&runs[1], 0.5);
	}
	build(2);
	check_first(_i ? "imbalance" : "spin", _i ? 2 - 1 / 0.6 : 1, _i ? "sure" : "likely");
	ck_assert_str_eq(report.causes[0].place, "wait_here()");
	for (size_t i = 0; i < report.nlosses; i++)
		if (report.losses[i].threads == 2 &&
		    strstr(report.losses[i].contributor, "wait_here")) {
			ck_assert_int_eq(report.losses[i].category, CAT_SPIN);
			spun += report.losses[i].lost;
		}
	ck_assert_double_eq_tol(spun, _i ? 2 - 1 / 0.6 : 1, 0.01);
	check_says(
		_i ? "0.33 of 2 threads wait, spinning in wait_here(), because thread 1 computes "
		     "20 % "
		     "longer than the average"
		   : "1.00 of 2 threads spin, most in wait_here() (likely); divide ");
}

/* A loop whose name says that it waits for a lock, alone and together with another loop. */
TEST_EACH(test_spin_lock, 4)
{
	static const char *const names[] = {"pthread_spin_lock", "GOMP_critical_start",
					    "GOMP_ordered_start", "tbb::spin_mutex::acquire"};

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	if (_i)
		add_spin(&runs[1], 0.5);
	else
		add_spin(&runs[1], 0);
	for (size_t i = 0; i < 2; i++) {
		runs[1].threads[i].times.ns[CAT_SPIN] = SECOND / 2;
		runs[1].threads[i].times.ns[CAT_WAITING] = 0;
	}
	runs[1].functions[runs[1].nfunctions - 1].samples = _i ? 100 : 0;
	add_function(&runs[1], names[_i], RUN_CODE_SPIN, 300, "");
	build(2);
	check_first("lock", _i ? 0.75 : 1, "likely");
	if (_i)
		ck_assert_double_eq_tol(find_cause(2, "spin")->lost, 0.25, 0.01);
}

/* Among the loops of one library, the one with a name is reported; among others, the one with most
 * samples. The kernel's is reported only if there is no other. */
static const struct {
	const char *functions[3], *objects[3], *place, *cause;
	uint64_t workers; /* out of the first loop's 900 samples */
} loops[] = {
	{{"libgomp.so+0x1f", "GOMP_parallel", "spin_here"},
	 {"libgomp.so", "libgomp.so", "train"},
	 "GOMP_parallel()",
	 "spin"},
	{{"libgomp.so+0x1f", "spin_here", "libgomp.so+0x2f"},
	 {"libgomp.so", "train", "libgomp.so"},
	 "libgomp.so+0x1f",
	 "spin"},
	{{"do_sched_yield", "culled", "GOMP_parallel"},
	 {"[kernel]", "train", "libgomp.so"},
	 "culled()",
	 "spin"},
	{{"libcuda.so.1+0x1f", "spin_here", "do_sched_yield"},
	 {"/usr/lib/libcuda.so.1", "train", "[kernel]"},
	 "libcuda.so.1+0x1f",
	 "gpu"},
	{{"cudaStreamSynchronize", "spin_here", "do_sched_yield"},
	 {"train", "train", "[kernel]"},
	 "cudaStreamSynchronize()",
	 "gpu"},
	{{"hipDeviceSynchronize", "spin_here", "do_sched_yield"},
	 {"train", "train", "[kernel]"},
	 "hipDeviceSynchronize()",
	 "gpu"},
	/* threads of an idle pool tell nothing about participants */
	{{"gomp_barrier_wait_end", "cudaStreamSynchronize", "do_sched_yield"},
	 {"libgomp.so", "python3", "[kernel]"},
	 "cudaStreamSynchronize()",
	 "gpu",
	 900},
};

TEST_EACH(test_which_loop_spins, COUNT(loops))
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	add_spin(&runs[1], 0.5);
	for (int i = 0; i < 3; i++) {
		struct run_function *loop =
			add_function(&runs[1], loops[_i].functions[i], RUN_CODE_SPIN,
				     900 - (unsigned)i * 100, "");

		loop->location.object = string_pooled(loops[_i].objects[i]);
		loop->samples_workers = i ? 0 : loops[_i].workers;
	}
	build(2);
	ck_assert_str_eq(report.causes[0].place, loops[_i].place);
	ck_assert_str_eq(report.causes[0].cause, loops[_i].cause);
}

/* BLAS has a thread of its own in addition to two callers, whose calls take longer, on 2 or 3 CPUs.
 * It works, or is only seen spinning; then the setting tells the number of threads, if there is no
 * other library. */
TEST_EACH(test_callers_and_pool, 5)
{
	int is_many = _i == 0 || _i == 2;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.75, 0.25);
	runs[1].cpus_available = 2 + _i % 2;
	if (_i < 2) {
		add_worker(&runs[1]);
	} else {
		move_to(add_function(&runs[1], "blas_thread_server", RUN_CODE_SPIN, 900, ""),
			"/usr/lib/libopenblas.so.0");
		set_pool(&runs[1], "2");
		run_add_fact(&runs[1], "blas_path", "/usr/lib/libopenblas.so.0");
	}
	if (_i == 4)
		run_add_fact(&runs[1], "blas_2", "MKL");
	fixture_report(runs, 2); /* the newest run tells the setting of BLAS */
	check_first("blas-slower", 1, "possible");
	ck_assert_int_eq(strstr(report.causes[0].sentence, "BLAS's own threads") != NULL, is_many);
	ck_assert_int_eq(!strcmp(report.causes[0].remedy,
				 "let BLAS run on the caller's thread: set OPENBLAS_NUM_THREADS=1"),
			 is_many);
}

/* There is a BLAS worker, and code of libgomp or not, with one CPU too few or enough. */
TEST_EACH(test_pools, 4)
{
	int competes = _i == 1;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	add_spin(&runs[1], 0.5);
	runs[1].functions[runs[1].nfunctions - 1].location.object =
		string_pooled(_i ? "/usr/lib/libgomp.so.1.0.0" : "/home/u/train");
	add_worker(&runs[1]);
	run_add_fact(&runs[1], "blas_layer", _i == 3 ? "OpenMP" : "pthreads");
	runs[1].cpus_available = _i == 2 ? 3 : 2;
	fixture_report(runs, 2); /* the newest run tells how BLAS was built */
	check_first(competes ? "pools-compete" : "spin", 1, "likely");
	if (competes)
		check_verdict("1.00 of 2 threads lack a CPU or spin: OpenMP's 2 threads and "
			      "OpenBLAS's 2 compete for 2 CPUs (likely); set "
			      "OMP_WAIT_POLICY=passive, or OPENBLAS_NUM_THREADS=1.");
}

/* The kernel's time to block and to wake threads belongs to the wait, up to 50 us each time. */
TEST_EACH(test_switching, 3)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.35);
	for (int i = 0; i < 2; i++) {
		fixture_wait(&runs[1], 100 + i, i && _i == 2 ? "sleep" : "mutex", 0.4);
		runs[1].waits[i].waits = _i == 1 ? 1000 : 10000;
	}
	runs[1].functions[2].samples =
		700; /* out of 500 in other code; with one thread 200 out of 500 */
	ck_assert(!categories_read(&fixture_categories,
				   TEST_SRCDIR "/../analysis/report/categories.txt", NULL));
	build(2);
	/* other code takes 0.2 threads more, part of it in the kernel; 2,000 times 50 us are 0.1 */
	check_first(_i == 2 ? report.causes->cause : "lock", (double[]){1, 0.9, 0.545}[_i], "sure");
	ck_assert_double_eq_tol(report.causes[0].lost + (_i ? report.causes[1].lost : 0), 1, 0.02);
	categories_free(&fixture_categories);
}

/* Two or four threads with even work wait at a barrier, for as long as a wake-up takes or for
 * longer. */
TEST_EACH(test_barriers, 4)
{
	int n = _i < 2 ? 2 : 4;

	fixture_run(&runs[0], 1, n * 7 * SECOND / 10, 0.5, 0.5);
	fixture_run(&runs[1], n, SECOND, 0.35, 0.35);
	for (int i = 0; i < n; i++) {
		fixture_wait(&runs[1], 100 + i, "barrier", 0.3);
		runs[1].waits[i].waits = _i % 2 ? 500 : 30000; /* 0.6 ms or 10 us each time */
	}
	build(2);
	check_first(_i % 2 ? "imbalance" : "barrier", 0.3 * n, "likely");
}

/* Calls take longer because they are blocked, as the table of waits shows; the clocks do not show
 * it. */
TEST_EACH(test_blocked_in_calls, 2)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND * 3 / 4, 0.65, 0.35);
	for (int i = 0; i < 2; i++) {
		runs[1].threads[i].times.blas_waiting_ns = 0;
		fixture_wait(&runs[1], 100 + i, "other", _i ? 0.3 : 0.1); /* out of 0.65 - 0.33 */
		runs[1].waits[i].in_blas = 1;
	}
	runs[0].threads[0].times.blas_waiting_ns = 0;
	build(2);
	check_first(_i ? "blas-queue" : "blas-slower", 0.63, _i ? "likely" : "possible");
}

/* One thread has slightly more work, but mostly the last one varies: the sentence is that of the
 * larger loss. */
TEST(test_uneven_and_late)
{
	make_uneven(0.66, 0.7);
	runs[1].roi_ns = SECOND;
	for (int i = 0; i < 2; i++) {
		runs[1].threads[i].end_ns = SECOND;
		runs[1].threads[i].times.ns[CAT_WAITING] = i ? 3 * SECOND / 10 : 34 * SECOND / 100;
		fixture_wait(&runs[1], 100 + i, "barrier", i ? 0.3 : 0.34);
		runs[1].waits[i].waits = 500;
	}
	build(2);
	check_first("imbalance", 0.64, "likely");
	ck_assert_uint_eq(report.ncauses, 1);
	ck_assert_msg(strstr(report.causes[0].sentence, "not always the same thread"), "%s",
		      report.causes[0].sentence);
}

/* If --what-if has fewer units than there are threads, calls that take longer are queueing. */
TEST_EACH(test_what_if_units, 2)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND * 3 / 4, 0.65, 0.35);
	for (int i = 0; i < 2; i++)
		strcpy(runs[i].what_if, _i ? "units=1" : "units=2");
	build(2);
	check_first(_i ? "blas-queue" : "blas-slower", 0.63, _i ? "likely" : "possible");
	if (_i)
		check_says("With --what-if=units=1: 0.63 of 2 threads wait for one "
			   "another inside BLAS calls: --what-if gives them 1 unit, most in "
			   "cblas_sgemm ");
}

/* One thread lacks a CPU as long as before, because of other programs, and the other waits for it:
 * that is their loss, too. */
TEST(test_waits_for_who_lacks_a_cpu_as_ever)
{
	fixture_run(&runs[0], 1, SECOND, 0.3, 0.3);
	runs[0].threads[0].times.ns[CAT_NO_CPU] = 4 * SECOND / 10;
	runs[0].threads[0].times.ns[CAT_WAITING] = 0;
	runs[0].threads[0].switch_preempted_ns = 4 * SECOND / 10;
	runs[0].others_ns = (double)SECOND;
	fixture_run(&runs[1], 2, SECOND, 0.15, 0.15);
	runs[1].threads[1].times.ns[CAT_NO_CPU] = 4 * SECOND / 10;
	runs[1].threads[1].times.ns[CAT_WAITING] -= 4 * SECOND / 10;
	runs[1].threads[1].switch_preempted_ns = 4 * SECOND / 10;
	runs[1].threads[1].switch_own_ns = SECOND / 100;
	for (int i = 0; i < 2; i++)
		runs[i].cpus_allowed = 2;
	runs[1].others_ns = (double)SECOND;
	build(2);
	ck_assert_ptr_nonnull(find_cause(2, "other-programs"));
	ck_assert_double_eq_tol(find_cause(2, "other-programs")->lost, 0.39, 0.01);
	ck_assert_ptr_null(find_cause(2, "oversubscribed"));
}

/* One thread does more work because the other lacks a CPU: the short wait is no imbalance. */
TEST_EACH(test_work_taken_over, 2)
{
	int64_t *ns;

	make_uneven(0.4, 0.6);
	ns = runs[1].threads[0].times.ns;
	ns[CAT_NO_CPU] = ns[CAT_WAITING];
	ns[CAT_WAITING] = 0;
	runs[1].threads[0].switch_preempted_ns = ns[CAT_NO_CPU];
	runs[1].others_ns = (double)ns[CAT_NO_CPU];
	runs[1].roi_ns += SECOND / 20;
	run_add_fact(&runs[1], "other_programs",
		     _i ? "0.10 CPUs: blasprof 0.09" : "0.12 CPUs: cc1 0.06, blasprof 0.05");
	build(2);
	ck_assert_ptr_null(find_cause(2, "imbalance"));
	check_first("other-programs", 0.31, "sure");
	ck_assert_int_eq(strstr(report.causes[0].remedy, "sample less often") != NULL, _i);
}

/* Two functions lost a third each: no place has most of the loss, unless both are in the kernel. A
 * kernel function that switches interrupts on has the samples of others. */
TEST_EACH(test_no_place_has_most, 3)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, 3 * SECOND / 4, 0.35, 0.65);
	runs[1].functions[1].samples += 300;
	move_to(add_function(&runs[1], "pvm_irq_enable", RUN_CODE_OTHER, _i == 2 ? 600 : 300, ""),
		_i ? "[kernel]" : "train");
	if (_i < 2)
		move_to(add_function(&runs[1], "leap", RUN_CODE_OTHER, 300, ""),
			_i ? "[kernel]" : "train");
	run_add_fact(&runs[1], "sampler_event", "cpu-clock");
	build(2);
	check_first("other-slower", 0.63, "likely");
	ck_assert_str_eq(report.causes[0].place, _i ? "the kernel" : "");
	ck_assert_str_eq(report.causes[0].remedy, "look at how they share caches and memory");
}

/* A wake-up takes less time than the waits here, and so does the work between two meetings: there
 * is another cause. */
TEST(test_long_meetings)
{
	fixture_run(&runs[0], 1, 4 * SECOND / 5, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.2, 0.2);
	for (int i = 0; i < 2; i++) {
		fixture_wait(&runs[1], 100 + i, "barrier", 0.6);
		runs[1].waits[i].waits = 100;
	}
	build(2);
	check_first("none", 1.18, "sure");
	ck_assert_double_eq_tol(find_cause(2, "barrier")->lost, 0.02, 0.001);
	ck_assert_str_eq(find_cause(2, "barrier")->sentence,
			 "0.02 of 2 threads wait at the barrier in train.c:120 step() to be woken, "
			 "at most 100 us each time: the cost of the meeting itself");
}

/* Two of 4 threads lack a CPU; the others wait for them when they meet, and for other reasons. Half
 * of what the second lacks is the program's own doing: each half gets half of the waits, since
 * these are shorter than three times that. */
static const struct {
	double one_s, each, lacked, own, waited, others_lost, own_lost;
} lacks[] = {{2, 0.25, 0.05, 0, 0.3, 0.4, 0}, {2.5, 0.3125, 0.25, 0.125, 0.25, 0.75, 0.75}};

TEST_EACH(test_waits_for_who_has_no_cpu, COUNT(lacks))
{
	int64_t lacked_ns = (int64_t)(lacks[_i].lacked * SECOND);

	fixture_run(&runs[0], 1, (int64_t)(lacks[_i].one_s * SECOND), 0.5, 0.5);
	fixture_run(&runs[1], 4, SECOND, lacks[_i].each, lacks[_i].each);
	for (int i = 2; i < 4; i++) {
		runs[1].threads[i].times.ns[CAT_NO_CPU] = lacked_ns;
		runs[1].threads[i].times.ns[CAT_WAITING] -= lacked_ns;
		runs[1].threads[i].switch_preempted_ns = lacked_ns;
		if (lacks[_i].own > 0)
			runs[1].threads[i].switch_own_ns = (int64_t)(lacks[_i].own * SECOND);
	}
	runs[1].cpus_allowed = 4;
	runs[1].others_ns = (double)SECOND;
	for (int i = 0; i < 4; i++)
		fixture_wait(&runs[1], 100 + i, "condition", lacks[_i].waited);
	build(2);
	ck_assert_double_eq_tol(find_cause(4, "other-programs")->lost, lacks[_i].others_lost, 0.01);
	if (lacks[_i].own_lost > 0)
		ck_assert_double_eq_tol(find_cause(4, "oversubscribed")->lost, lacks[_i].own_lost,
					0.01);
}

/* As the first of these rows. But two threads, which have CPUs, wait for 45 % of the time too, so
 * that of the 1.9 threads that wait among 4 only 0.1 can wait for those without a CPU. If the two
 * lack CPUs for all that time, their waits tell nothing. */
TEST_EACH(test_waits_that_more_cpus_would_not_end, 2)
{
	const int64_t lacked_ns = SECOND / 20;

	fixture_run(&runs[0], 1, 2 * SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, (int64_t)(2 / 1.1 * SECOND), 0.275, 0.275);
	fixture_run(&runs[2], 4, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++) {
		int64_t *ns = runs[1].threads[i].times.ns;

		runs[2].threads[2 + i].times.ns[CAT_NO_CPU] = lacked_ns;
		runs[2].threads[2 + i].times.ns[CAT_WAITING] -= lacked_ns;
		runs[2].threads[2 + i].switch_preempted_ns = lacked_ns;
		if (_i) {
			ns[CAT_NO_CPU] = ns[CAT_WAITING];
			ns[CAT_WAITING] = 0;
		}
	}
	runs[2].cpus_allowed = 4;
	runs[2].others_ns = (double)SECOND;
	for (int i = 0; i < 4; i++)
		fixture_wait(&runs[2], 100 + i, "condition", 0.3);
	build(3);
	ck_assert_double_eq_tol(find_cause(4, "other-programs")->lost, _i ? 0.4 : 0.2, 0.01);
	ck_assert_str_eq(find_cause(4, "other-programs")->sure, _i ? "likely" : "sure");
	ck_assert_int_eq(strstr(find_cause(4, "other-programs")->sentence,
				"or wait for a thread that has none, because") != NULL,
			 _i);
}

/* The use of the CPUs was counted from start to end; half of it was in a region half as long. If
 * ranks of a job begin one after another, the job's region is longer than that of each rank, and
 * has all of it. */
TEST_EACH(test_no_cpu_in_the_region, 6)
{
	static const char *const causes[] = {"cpu-quota", "host-steal", "other-programs"};
	double *const taken_ns[] = {&runs[1].quota_ns, &runs[1].steal_ns, &runs[1].others_ns};

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++) {
		runs[1].threads[i].times.ns[CAT_NO_CPU] = SECOND / 4;
		runs[1].threads[i].times.ns[CAT_WAITING] -= SECOND / 4;
	}
	runs[1].elapsed_ns = _i % 2 ? 2 * SECOND : SECOND / 2;
	*taken_ns[_i / 2] = (double)SECOND / 5;
	build(2);
	ck_assert_double_eq_tol(find_cause(2, causes[_i / 2])->lost, _i % 2 ? 0.1 : 0.2, 0.01);
}

/* The MPI routine with most time is named. */
TEST(test_mpi)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++) {
		runs[1].threads[i].times.ns[CAT_MPI] = runs[1].threads[i].times.ns[CAT_WAITING];
		runs[1].threads[i].times.ns[CAT_WAITING] = 0;
	}
	add_mpi(&runs[0], "MPI_Init", 5);
	add_mpi(&runs[1], "MPI_Send", 0.2);
	add_mpi(&runs[1], "MPI_Allreduce", 0.7);
	add_mpi(&runs[1], "MPI_Barrier", 0.1);
	build(2);
	check_first("mpi", 1, "sure");
	check_says("1.00 of 2 threads are in MPI, most in MPI_Allreduce(); balance ");
}

/* BLAS got faster, which reduces all other losses by the same factor: 0.23 of 0.57 threads are
 * gained. */
TEST(test_gains)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND * 6 / 10, 0.3, 0.5);
	for (int i = 0; i < 2; i++)
		fixture_wait(&runs[1], 100 + i, "mutex", 0.18);
	build(2);
	check_first("lock", 0.36 * (0.5667 - 0.2333) / 0.5667, "sure");
	ck_assert_double_eq_tol(find_cause(2, "other-slower")->lost,
				0.1667 * (0.5667 - 0.2333) / 0.5667, 0.01);
}

/* Two stacks with the same file, line and function become one row. */
TEST(test_one_row_a_place)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++)
		fixture_wait(&runs[1], 100 + i, "mutex", 0.5);
	/* with the sentence of the longer wait */
	strcpy(runs[1].waits[0].kind, "rwlock");
	runs[1].waits[0].total_ns -= SECOND / 10;
	runs[1].waits[1].function = "wait_for_another";
	build(2);
	check_first("lock", 0.9, "sure");
	ck_assert_uint_eq(report.ncauses, 1);
	ck_assert_msg(!strncmp(report.causes[0].sentence, "0.90 of 2 threads wait for a mutex", 34),
		      "%s", report.causes[0].sentence);
}

/* Of the system calls for I/O, some wait for a lock on a file. */
TEST_EACH(test_file_locks, 4)
{
	static const char *const functions[] = {"flock", "fcntl64", "lockf", "read"};

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++) {
		struct run_wait *wait = fixture_wait(&runs[1], 100 + i, "I/O", 0.5);

		wait->function = string_pooled(functions[_i]);
	}
	build(2);
	check_first(_i < 3 ? "lock" : "io", 1, "sure");
	if (_i < 3)
		check_says("1.00 of 2 threads wait for a lock on a file that another thread or "
			   "process holds, in train.c:120 step(); hold the lock ");
}

/* A lock is held for a whole job: the second thread is late, or gets nothing to do, or less. */
TEST_EACH(test_coarse_lock, 3)
{
	static const double computed[][2] = {{0.5, 0.5}, {1, 0}, {0.7, 0.3}};
	int64_t *ns[2];

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.5, 0.5);
	for (int i = 0; i < 2; i++) {
		ns[i] = runs[1].threads[i].times.ns;
		ns[i][CAT_BLAS] = ns[i][CAT_OTHER] = (int64_t)(computed[_i][i] / 2 * SECOND);
		ns[i][CAT_WAITING] = (int64_t)((1 - computed[_i][i]) * SECOND);
		runs[1].threads[i].times.blas_waiting_ns = 0;
	}
	if (_i < 2)
		fixture_wait(&runs[1], 101, "mutex", 1 - computed[_i][1]);
	else
		for (int i = 0; i < 2; i++)
			fixture_wait(&runs[1], 100 + i, "mutex", 1 - computed[_i][i]);
	if (!_i) {
		runs[1].threads[0].end_ns = SECOND / 2;
		ns[0][CAT_WAITING] = 0;
	}
	if (_i == 1) {
		runs[1].threads[1].calls = 0;
		add_function(&runs[1], "job", RUN_CODE_OTHER, 500, "100");
		runs[1].threads_requested = 2;
	}
	build(2);
	check_first("lock", 1, "sure");
	ck_assert_uint_eq(report.ncauses, 1);
	ck_assert_str_eq(report.causes[0].place, "train.c:120 step()");
}

/* A thread that waits at a pipe while another works loses nothing to the pipe. */
TEST(test_uneven_at_a_pipe)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.5, 0.5);
	runs[1].threads[1].times.ns[CAT_BLAS] = runs[1].threads[1].times.ns[CAT_OTHER] = SECOND / 4;
	runs[1].threads[1].times.ns[CAT_WAITING] = SECOND / 2;
	fixture_wait(&runs[1], 101, "I/O", 0.5);
	build(2);
	ck_assert_ptr_nonnull(find_cause(2, "imbalance"));
	ck_assert_ptr_null(find_cause(2, "io"));
}

/* A thread ends early, and one that starts after it computes next to nothing, like a command that
 * cleans up: the other thread did more work. */
TEST(test_uneven_before_a_short_thread)
{
	struct run_thread *last;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.5, 0.5);
	runs[1].threads[1].times.ns[CAT_BLAS] = runs[1].threads[1].times.ns[CAT_OTHER] = SECOND / 4;
	runs[1].threads[1].times.ns[CAT_WAITING] = 0;
	runs[1].threads[1].end_ns = SECOND / 2;
	last = run_add_thread(&runs[1]);
	last->pid = 100;
	last->tid = 102;
	last->start_ns = SECOND * 9 / 10;
	last->end_ns = SECOND;
	last->times.ns[CAT_OTHER] = SECOND / 100;
	build(2);
	check_first("imbalance", 0.49, "sure");
	ck_assert(strstr(report.causes[0].sentence, ", because thread 0 computes 36 % longer"));
}

/* A condition may be the program's own barrier, or an empty queue. */
TEST_EACH(test_conditions, 2)
{
	fixture_run(&runs[0], 1, 7 * SECOND / 5, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.35, 0.35);
	for (int i = 0; i < 2; i++) {
		fixture_wait(&runs[1], 100 + i, "condition", 0.3);
		runs[1].waits[i].waits = _i ? 500 : 30000;
	}
	build(2);
	check_first(_i ? "imbalance" : "barrier", 0.6, _i ? "possible" : "likely");
}

/* A third thread hands out work to two others, which wait for it. With one thread it used more than
 * one CPU together with it. */
TEST(test_who_works_besides)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++) {
		struct run_thread *beside = run_add_thread(&runs[i]);

		*beside = runs[i].threads[0];
		beside->tid = 200;
		beside->calls = 0;
		beside->flops = 0;
		beside->times.ns[CAT_BLAS] = 0;
		beside->times.ns[CAT_OTHER] = SECOND / 4;
		beside->times.ns[CAT_WAITING] = 3 * SECOND / 4;
		runs[i].threads_requested = i + 1;
		fixture_wait(&runs[1], 100 + i, "condition", 0.5);
	}
	build(2);
	/* 0.25 of 1.25 s on one thread were its part; with two, as much is lost by waiting */
	check_first("serial-part", 0.5, "likely");
	ck_assert_ptr_nonnull(
		strstr(report.causes[0].sentence,
		       " are lost to thread 2, which works in addition to them, or wait for it"));
}

/* As many threads beyond the N run the same code: there are too few CPUs for all. */
TEST(test_teams_besides)
{
	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], i + 1, SECOND, 0.4 / (i + 1), 0.6 / (i + 1));
		for (int j = 0; j <= i; j++) {
			struct run_thread *beside = run_add_thread(&runs[i]);
			struct run_thread *caller = &runs[i].threads[j];
			int64_t *ns = caller->times.ns;

			ns[CAT_NO_CPU] = ns[CAT_WAITING];
			ns[CAT_WAITING] = 0;
			*beside = *caller;
			beside->tid = 200 + j;
			beside->calls = beside->samples_blas = 0;
			beside->flops = 0;
			beside->samples_other = 100;
			beside->times.ns[CAT_BLAS] = beside->times.ns[CAT_NO_CPU] = 0;
			caller->switch_preempted_ns = caller->switch_own_ns = ns[CAT_NO_CPU];
		}
		runs[i].threads_requested = i + 1;
	}
	build(2);
	check_first("oversubscribed", 1, "sure");
	ck_assert_ptr_null(find_cause(2, "serial-part"));
}

/* One of four threads has no CPU, and the others wait for it: that is one cause. */
TEST(test_others_wait_for_who_has_no_cpu)
{
	fixture_run(&runs[0], 1, 2 * SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 4, SECOND, 0.25, 0.25);
	runs[1].threads[2].times.ns[CAT_NO_CPU] = runs[1].threads[2].times.ns[CAT_WAITING];
	runs[1].threads[2].times.ns[CAT_WAITING] = 0;
	runs[1].threads[2].switch_preempted_ns = SECOND / 2;
	runs[1].threads[2].switch_own_ns = 0;
	runs[1].cpus_allowed = 4;
	runs[1].others_ns = (double)SECOND;
	run_add_fact(&runs[1], "other_programs", "stress (50 % of a CPU)");
	build(2);
	check_first("other-programs", 2, "likely");
	ck_assert_ptr_nonnull(strstr(report.causes[0].sentence, "stress (50 % of a CPU)"));
}

static void add_ceilings(struct run *run)
{
	run_add_fact(run, "ceilings",
		     "cpus=2 peak_single_1=1e11 peak_single_all=2e11 peak_double_1=1e11 "
		     "peak_double_all=2e11 memory_1=1e10 memory_all=1e10");
}

/* Other code takes twice as long; the counters of both runs tell why. */
static const struct {
	const char *event;
	double counts[2];
	int ceilings;
	const char *cause, *sure, *says; /* after "than on one thread" */
} slower[] = {
	{"cycles", {1e9, 2e9}, 0, "other-slower", "likely", ", most in rmsnorm_forward (train)"},
	{"instructions",
	 {1e9, 2e9},
	 0,
	 "other-slower",
	 "sure",
	 ": it executes more instructions, most"},
	{"instructions",
	 {1e9, 1.51e9},
	 0,
	 "other-slower",
	 "sure",
	 ": it executes more instructions, most"},
	{"instructions", {1e9, 1.49e9}, 0, "other-slower", "likely", ", most"},
	{"cache-misses",
	 {1e7, 2.01e7},
	 0,
	 "cache-line-contention",
	 "possible",
	 ": it has more than twice the cache misses for the same work, most"},
	{"cache-misses", {1e7, 1.99e7}, 0, "other-slower", "likely", ", most"},
	{"cache-misses",
	 {6e7, 6e7},
	 1,
	 "other-bandwidth",
	 "likely", /* 5.1 of 10 GB/s */
	 ": the threads use most of the memory bandwidth that they share, most"},
	{"cache-misses", {5.8e7, 5.8e7}, 1, "other-slower", "likely", ", most"},
	{"mem_load_l3_hit_retired.xsnp_hitm",
	 {1e5, 2.01e5},
	 0,
	 "cache-line-contention",
	 "likely",
	 ": threads write to the same cache lines, as the counters of modified lines show, most"},
	{"mem_load_l3_hit_retired.xsnp_hitm", {1e5, 1.99e5}, 0, "other-slower", "likely", ", most"},
};

TEST_EACH(test_why_other_code_is_slower, COUNT(slower))
{
	char says[256];

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, 3 * SECOND / 4, 1 / 3.0, 2 / 3.0);
	for (int i = 0; i < 2; i++) {
		add_counter(&runs[i], slower[_i].event, slower[_i].counts[i]);
		if (slower[_i].ceilings)
			add_ceilings(&runs[i]);
	}
	build(2);
	check_first(slower[_i].cause, 2 - 4 / 3.0, slower[_i].sure);
	snprintf(says, sizeof says,
		 "0.67 of 2 threads are lost to other code, which takes 100 %% more CPU time for "
		 "each "
		 "unit of "
		 "work than on one thread%s",
		 slower[_i].says);
	check_says(says);
	ck_assert(
		!strstr(report.causes[0].remedy, "128 bytes apart") ==
		(!strcmp(slower[_i].cause, "other-bandwidth") || !strcmp(slower[_i].sure, "sure")));
}

/* All calls take 60 % longer. The two shapes, with 3/4 and 1/4 of the time, have these flops for
 * each byte of their operands. With known ceilings, two threads need 20 to be limited by the CPUs.
 */
static const struct {
	double flops[2];
	const char *cause, *sure;
	int ceilings;
} slow_calls[] = {
	{{10, 10}, "blas-slower", "possible"},	   {{0.5, 10}, "blas-bandwidth", "likely"},
	{{0.5, 0.5}, "blas-bandwidth", "likely"},  {{10, 0.5}, "blas-slower", "possible"},
	{{1.01, 0.5}, "blas-slower", "possible"},  {{0.99, 10}, "blas-bandwidth", "likely"},
	{{19, 21}, "blas-bandwidth", "likely", 1}, {{21, 19}, "blas-slower", "possible", 1},
};

TEST_EACH(test_slow_calls, COUNT(slow_calls))
{
	fixture_run(&runs[0], 1, SECOND, 0.9, 0.1);
	fixture_run(&runs[1], 2, 4 * SECOND / 5, 0.9, 0.0625);
	for (int i = 0; slow_calls[_i].ceilings && i < 2; i++)
		add_ceilings(&runs[i]);
	for (int i = 0; i < 2; i++)
		for (size_t j = 0; j < runs[i].nshapes; j++)
			runs[i].shapes[j].bytes = runs[i].shapes[j].flops / slow_calls[_i].flops[j];
	build(2);
	ck_assert_str_eq(report.causes[0].cause, slow_calls[_i].cause);
	ck_assert_str_eq(report.causes[0].sure, slow_calls[_i].sure);
	if (_i == 1)
		check_says("0.67 of 2 threads are lost to BLAS calls that take 60 % longer than on "
			   "one "
			   "thread, the fastest as well as the slowest: their operands come from "
			   "memory, most in cblas_sgemm NT 64 x 64 x 64 (likely); combine them");
}

/* Calls that BLAS divides between threads take longer than on one thread. */
TEST(test_calls_too_small_to_share)
{
	struct run_thread *worker;

	fixture_run(&runs[0], 1, SECOND, 1, 0);
	fixture_run(&runs[1], 1, SECOND * 12 / 10, 1, 0);
	worker = run_add_thread(&runs[1]);
	worker->pid = 100;
	worker->tid = 110;
	worker->end_ns = runs[1].roi_ns;
	runs[1].threads[0].samples_blas = worker->samples_blas = 600;
	runs[1].threads_requested = 2;
	set_pool(&runs[1], "2");
	build(2);
	check_first("blas-slower", 2 - 1 / 1.2, "likely");
	check_says("1.17 of 2 threads are lost to BLAS calls that take longer than on one thread: "
		   "to divide them costs more than it gains");
}

/* Twice as many calls with half of the flops are the same work; with three quarters of the flops
 * they may not be. */
TEST_EACH(test_another_mix_of_calls, 2)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, 3 * SECOND / 4, 0.5, 0.5);
	for (size_t i = 0; i < 2; i++) {
		runs[1].threads[i].calls *= 2;
		runs[1].threads[i].flops *= _i ? 1.2 : 1;
	}
	build(2);
	ck_assert_int_eq(find_cause(2, "call-mix") != NULL, _i);
	if (_i)
		check_verdict("0.40 of 2 threads may or may not be lost: calls have 1e+06 flops "
			      "each, but 1.67e+06 on one thread (possible); count the work by the "
			      "program's own measure: --work.");
}

/* Two threads are started twice, and the first ends early each time; or one starts before the
 * others have ended. */
TEST_EACH(test_threads_that_follow, 2)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 4, 3 * SECOND / 4, 0.33, 0.33);
	for (int i = 0; i < 4; i++) {
		struct run_thread *thread = &runs[1].threads[i];

		thread->start_ns = i < 2 ? 0 : _i ? SECOND / 8 : 3 * SECOND / 8;
		thread->end_ns = i < 2 ? 3 * SECOND / 8 : 3 * SECOND / 4;
		if (!(i % 2))
			thread->end_ns = thread->start_ns + SECOND / 8;
		thread->times.ns[CAT_WAITING] = 0;
		thread->times.ns[CAT_BLAS] = thread->times.ns[CAT_OTHER] =
			(thread->end_ns - thread->start_ns) / 2;
	}
	runs[1].threads_requested = 2;
	build(2);
	if (_i)
		ck_assert_ptr_null(find_cause(2, "imbalance"));
	else
		check_says("0.67 of 2 threads wait for the last of the threads that were started "
			   "with them; divide the work more evenly");
}

/* Three runs of each thread count, whose speed-up may be 2. */
TEST(test_noise)
{
	struct run six[6];

	for (int i = 0; i < 3; i++) {
		fixture_run(&six[i], 1, SECOND, 0.5, 0.5);
		fixture_run(&six[3 + i], 2, 3 * (i + 1) * SECOND / 10, 0.5, 0.5);
	}
	fixture_report(six, 6);
	ck_assert_str_eq(report.causes[0].cause, "too-noisy");
	ck_assert_ptr_nonnull(strstr(report.causes[0].sentence, "the 95 % interval is"));
}

/* The same, but threads wait in each run: what they wait for is known all the same. */
TEST_EACH(test_waits_in_noise, 2)
{
	struct run six[6];

	for (int i = 0; i < 3; i++) {
		fixture_run(&six[i], 1, SECOND, 0.5, 0.5);
		fixture_run(&six[3 + i], 2, 3 * (i + 1) * SECOND / 10, 0.3, 0.3);
		for (int tid = 100; tid < 102; tid++)
			fixture_wait(&six[3 + i], tid, "mutex", 0.4);
	}
	if (_i) /* in one run they do not */
		for (int i = 0; i < 2; i++) {
			struct run_thread *thread = &six[3].threads[i];

			thread->times.ns[CAT_BLAS] += thread->times.ns[CAT_WAITING];
			thread->times.ns[CAT_WAITING] = 0;
		}
	fixture_report(six, 6);
	ck_assert_str_eq(report.causes[0].cause, _i ? "too-noisy" : "lock");
	ck_assert_ptr_nonnull(strstr(find_cause(2, "too-noisy")->sentence,
				     _i ? "too noisy to say why" : "lose the rest"));
	report_free(&report);
}

/* A third thread waits most of the time: that costs the two that work nothing. */
TEST(test_who_waits_besides)
{
	struct run_thread *beside;

	make_uneven(0.5, 0.5);
	beside = run_add_thread(&runs[1]);
	*beside = runs[1].threads[0];
	beside->tid = 99;
	beside->times.ns[CAT_BLAS] = beside->times.ns[CAT_OTHER] = SECOND / 50;
	beside->times.ns[CAT_WAITING] = SECOND / 2 - SECOND / 25;
	runs[1].threads_requested = 2;
	runs[1].roi_ns = 3 * SECOND / 4; /* something is lost, but not by its waits */
	fixture_wait(&runs[1], 99, "mutex", 0.9);
	build(2);
	ck_assert_ptr_null(find_cause(2, "lock"));
}

/* A third thread takes a CPU from the two that work: it spins, or computes. */
TEST_EACH(test_who_takes_the_cpu, 2)
{
	struct run_thread *beside;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (size_t i = 0; i < 2; i++) {
		int64_t *ns = runs[1].threads[i].times.ns;

		ns[CAT_NO_CPU] = ns[CAT_WAITING];
		ns[CAT_WAITING] = 0;
		runs[1].threads[i].switch_preempted_ns = ns[CAT_NO_CPU];
		runs[1].threads[i].switch_own_ns = ns[CAT_NO_CPU];
	}
	add_spin(&runs[1], 0);
	beside = run_add_thread(&runs[1]);
	beside->pid = 100;
	beside->tid = 120;
	beside->end_ns = SECOND;
	beside->times.ns[_i ? CAT_SPIN : CAT_MPI] = SECOND;
	runs[1].threads_requested = 2;
	build(2);
	check_first(_i ? "spin" : "oversubscribed", 1, "sure");
	ck_assert(_i || strstr(report.causes[0].sentence, "counting those beyond the "));
	ck_assert_str_eq(report.causes[0].remedy,
			 _i ? "let those threads block while they wait"
			    : "keep a CPU free for the other threads, or let those do less");
}

/* The threads lacked a CPU while they waited, because of the program's own threads or of others. */
static void wait_for_cpu(struct run *run, int of_own)
{
	for (size_t i = 0; i < run->nthreads; i++) {
		int64_t *ns = run->threads[i].times.ns;

		ns[CAT_NO_CPU] = ns[CAT_WAITING];
		ns[CAT_WAITING] = 0;
		run->threads[i].switch_preempted_ns = ns[CAT_NO_CPU];
		run->threads[i].switch_own_ns = of_own ? ns[CAT_NO_CPU] : 0;
	}
}

/* Four threads lack a CPU for half of the time and spin for a quarter. With 2 CPUs they wait for
 * those without a CPU; with 4 they do not. */
TEST_EACH(test_spin_for_want_of_cpus, 2)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 4, SECOND, 0.125, 0.125);
	add_spin(&runs[1], 0.25);
	wait_for_cpu(&runs[1], 1);
	runs[1].cpus_available = _i ? 4 : 2;
	build(2);
	ck_assert_double_eq_tol(report.causes[0].lost, _i ? 2 : 3, 0.02);
	ck_assert_int_eq(report.ncauses > 1, _i);
}

/* Two threads lack a CPU for half of the time and spin for a quarter, since another program runs.
 */
TEST(test_spin_while_others_run)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	add_spin(&runs[1], 0.25);
	wait_for_cpu(&runs[1], 0);
	runs[1].others_ns = SECOND;
	build(2);
	check_first("other-programs", 1, "sure");
}

/* Two threads compute for 0.45 and 0.25 s, spin for 0.05 and 0.15 s, and have no CPU for 0.1 and
 * 0.2 s. The part of that in which they would have spun makes up for no work. */
TEST(test_imbalance_of_spinning_threads)
{
	static const int64_t spin[] = {5, 15}, no_cpu[] = {10, 20};

	make_uneven(0.45, 0.25);
	runs[1].roi_ns = SECOND * 60 / 100;
	for (size_t i = 0; i < 2; i++) {
		struct run_thread *thread = &runs[1].threads[i];

		thread->end_ns = runs[1].roi_ns;
		thread->times.ns[CAT_SPIN] = SECOND * spin[i] / 100;
		thread->times.ns[CAT_NO_CPU] = SECOND * no_cpu[i] / 100;
		thread->times.ns[CAT_WAITING] = 0;
	}
	add_function(&runs[1], "GOMP_barrier", RUN_CODE_SPIN, 300, "");
	build(2);
	ck_assert_double_eq_tol(find_cause(2, "imbalance")->lost, (0.54 - 0.375) / 0.6, 0.01);
}

/* Other code takes twice the time: in OpenMP's library and the kernel, or in the program. */
TEST_EACH(test_small_pieces, 2)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, 3 * SECOND / 4, 1 / 3.0, 2 / 3.0);
	for (int i = 0; i < 2; i++)
		runs[1].threads[i].times.blas_waiting_ns = 0;
	move_to(add_function(&runs[1], "GOMP_task", RUN_CODE_OTHER, _i ? 100 : 400, ""),
		"/lib/libgomp.so.1");
	add_function(&runs[1], "step", RUN_CODE_OTHER, _i ? 400 : 100, "");
	ck_assert(!categories_read(&fixture_categories,
				   TEST_SRCDIR "/../analysis/report/categories.txt", NULL));
	build(2);
	if (_i) {
		ck_assert_ptr_null(find_cause(2, "barrier"));
	} else {
		check_first("barrier", 0.5 / 0.75, "likely");
		ck_assert_str_eq(report.causes[0].place, "GOMP_task (libgomp.so.1)");
	}
	categories_free(&fixture_categories);
}

/* Threads that are woken have no CPU for a while, although nothing else uses it; or others of them
 * use it half of that time. */
TEST(test_time_to_be_woken)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (size_t i = 0; i < 2; i++) {
		fixture_wait(&runs[1], 100 + (int64_t)i, i ? "sleep" : "gil", 0.3);
		runs[1].threads[i].times.ns[CAT_WAITING] = 3 * SECOND / 10;
		runs[1].threads[i].times.ns[CAT_NO_CPU] = SECOND / 5;
	}
	runs[1].cpus_allowed = 2;
	runs[1].others_ns = (double)SECOND / 5;
	build(2);
	ck_assert_double_eq_tol(find_cause(2, "gil")->lost, 0.4, 0.01);
	ck_assert_double_eq_tol(find_cause(2, "sleep")->lost, 0.4, 0.01);
}

/* Matrix work outside BLAS calls. */
TEST_EACH(test_matrix_work_outside_blas, 2)
{
	struct run_function *function;

	ck_assert(!categories_read(&fixture_categories,
				   TEST_SRCDIR "/../analysis/report/categories.txt", NULL));
	fixture_run(&runs[0], 1, SECOND, 0.01, 0.99);
	function = fixture_function(&runs[0], _i ? "MlasSgemmKernelAvx512F" : "step",
				    "/usr/lib/libonnxruntime.so.1");
	function->code = RUN_CODE_OTHER;
	function->samples = 2000;
	fixture_report(runs, 1);
	ck_assert_str_eq(report.causes[0].cause, _i ? "outside-blas-symbols" : "none");
	ck_assert_str_eq(report.causes[0].place,
			 _i ? "MlasSgemmKernelAvx512F in libonnxruntime.so.1" : "");
	if (_i)
		check_says("1 thread: 100 % of the work is matrix work, by samples: 1 % in BLAS "
			   "calls, "
			   "99 % by other names, most in MlasSgemmKernelAvx512F in libonnxruntime");
	if (_i)
		ck_assert_double_eq_tol(report_way_samples(&report, 1)->share, 0.8, 1e-9);
	/* it takes longer with two threads */
	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], i + 1, (3 - i) * SECOND / 3, 0.2 - 0.1 * i, 0.8 + 0.1 * i);
		move_to(add_function(&runs[i], _i ? "MlasSgemmKernelAvx512F" : "step",
				     RUN_CODE_OTHER, 9000, ""),
			"/usr/lib/libonnxruntime.so.1");
	}
	build(2);
	ck_assert_str_eq(report.causes[0].cause, _i ? "outside-blas-symbols" : "other-slower");
	categories_free(&fixture_categories);
}

static void check_rows(void)
{
	for (size_t i = 0; i < report.nrows; i++) {
		const struct report_row *row = &report.rows[i];
		double sum = 0;

		for (size_t j = 0; j < report.ncauses; j++) {
			const struct report_cause *cause = &report.causes[j];

			if (cause->threads != row->threads || isnan(cause->lost))
				continue;
			ck_assert_double_ge(cause->lost, 0);
			ck_assert_double_eq_tol(cause->share, cause->lost / row->threads, 1e-9);
			ck_assert(*cause->sentence && *cause->sure);
			sum += cause->lost;
			if (j && report.causes[j - 1].threads == row->threads)
				ck_assert_double_ge(report.causes[j - 1].lost, cause->lost);
		}
		if (isfinite(row->speedup) && row->threads > 1)
			ck_assert_double_le(sum, fmax(row->threads - row->speedup, 0) +
							 1e-6 * row->threads);
	}
}

/* For any runs, causes add up to at most the loss. */
TEST(test_random_causes)
{
	size_t claimed = 0;

	for (unsigned int seed = 0; seed < 300; seed++) {
		fixture_random_runs(runs, seed);
		fixture_report(runs, 3);
		check_rows();
		claimed += report.ncauses;
	}
	ck_assert_uint_gt(claimed, 300);
}

/* In interpreted programs, the place of other code is a line of the program, by all samples there
 * except those in its BLAS calls. */
static const struct {
	const char *calls_from;
	uint64_t elsewhere; /* samples outside any script */
	const char *place;
} scripts[] = {
	{"/home/u/fit.py", 0, "fit.py:5 features()"},
	{"/home/u/fat.py", 0, "fit.py:9 train()"},
	/* in lines 115 of train(), 353 and 60 samples are outside BLAS, elsewhere 500 and more */
	{"/home/u/fit.py", 550, "fit.py:5 features()"},
	{"/home/u/fit.py", 560, ""},
};

TEST_EACH(test_place_in_script, COUNT(scripts))
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	add_script(&runs[0]);
	add_caller(&runs[0], "train", scripts[_i].calls_from, 9);
	add_function(&runs[0], "work", RUN_CODE_OTHER, scripts[_i].elsewhere, "");
	fixture_report(runs, 1);
	ck_assert_str_eq(report.rows[0].script_place, scripts[_i].place);
	ck_assert_str_eq(report.rows[0].main_place, "other.py:5 load()");
}

/* For waits on the interpreter's lock, the cause names what runs meanwhile, if that is known. */
TEST_EACH(test_who_holds_the_lock, 2)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.25, 0.25);
	for (int i = 0; i < 2; i++)
		fixture_wait(&runs[1], 100 + i, "gil", 0.5);
	if (_i)
		add_script(&runs[1]);
	build(2);
	check_first("gil", 1, "sure");
	ck_assert(strstr(report.causes[0].sentence,
			 _i ? "lock, in train.c:120 step(), while others run fit.py:9 train()"
			    : "lock, in train.c:120 step()"));
	ck_assert_str_eq(report.causes[0].place, _i ? "fit.py:9 train()" : "train.c:120 step()");
}

/* A thread works alone: the place is a line of the script outside parallel regions if it is the
 * main thread, or else the program's own function, if stacks tell. */
TEST_EACH(test_serial_part_of_script, 3)
{
	static const char *const places[] = {"other.py:5 load()", "python3+0x1234", "save()"};
	int64_t script;

	make_uneven(0.6, 0.3);
	if (_i)
		runs[1].threads[0].pid = runs[1].threads[1].pid = 99;
	add_function(&runs[1], "python3+0x1234", RUN_CODE_OTHER, 250, "100");
	add_script(&runs[1]);
	script = add_stack(&runs[1], -1, "<module> (fit.py:20)", "/home/u/fit.py", 0);
	script = add_stack(&runs[1], script, "GOMP_parallel", "/usr/lib/libgomp.so.1", 0);
	add_stack(&runs[1], script, "solve (other.py:8)", "/home/u/other.py", 500);
	if (_i == 2)
		add_stack(&runs[1], add_stack(&runs[1], -1, "save", "/home/u/fit", 0),
			  "python3+0x1234", "/usr/bin/libz.so", 250);
	build(2);
	check_first("serial-part", 0.5, "likely");
	ck_assert_str_eq(report.causes[0].place, places[_i]);
}

/* If BLAS has next to nothing of the work, its threads are not recommended. Template arguments are
 * left out of the sentence, and other long names are cut off. */
#define LITTLE                                                                                     \
	"1 thread: 4 % of the work is in BLAS: BLAS's threads can make it at most 1.04 times as "  \
	"fast; look at the other code, most in "
#define NAME_OF_100                                                                                \
	"fill_in_the_boundary_values_of_all_cells_that_are_in_the_halo_of_the_subdomain_"          \
	"of_this_rank_at_a_ste"
static const struct {
	double blas;
	const char *function, *says;
} little_blas[] = {
	{0.04, NULL, LITTLE "rmsnorm_forward()."},
	{0.04,
	 "void at::native::vectorized_loop<at::native::add<std::array<char, 3> "
	 ">(int)::{lambda()#1}>(char**, long)",
	 LITTLE "void at::native::vectorized_loop<...>(char**, long)."},
	{0.04, NAME_OF_100 "<int>", LITTLE NAME_OF_100 "()."},
	{0.06, NULL, "1 thread: 6 % of the work is in BLAS; for the speed-up run: "},
};

TEST_EACH(test_little_blas, COUNT(little_blas))
{
	fixture_run(&runs[0], 1, SECOND, little_blas[_i].blas, 1 - little_blas[_i].blas);
	runs[0].experiment = "python3 fit.py";
	if (little_blas[_i].function) {
		add_function(&runs[0], little_blas[_i].function, RUN_CODE_OTHER, 900, "");
	} else { /* more than any function of the program, but less than all of them */
		add_function(&runs[0], "step", RUN_CODE_OTHER, 200, "");
		move_to(add_function(&runs[0], "memcmp", RUN_CODE_OTHER, 400, ""), "/lib/libc.so");
	}
	fixture_report(runs, 1);
	check_says(little_blas[_i].says);
}

/* Threads that wait for most of the time, blocked or spinning. */
TEST_EACH(test_mostly_waiting, 5)
{
	static const char *const says[] = {
		"1 thread: 60 % of the work is in BLAS; 80 % of the time it waits for a timer "
		"(sleep), most in train.c:120 step(); for the speed-up run: ",
		"1 thread: 60 % of the work is in BLAS; 80 % of the time it waits for a GPU, "
		"spinning, most in cuStreamSynchronize(); for the speed-up run: ",
		"1 thread: 60 % of the work is in BLAS; for the speed-up run: ",
		"1 thread: 60 % of the work is in BLAS; 80 % of the time it waits, spinning, most "
		"in spin_here(); for the speed-up run: ",
		"1 thread: nothing computes for long enough to be measured; 100 % of the time it "
		"waits for a timer (sleep), most in train.c:120 step(); for the speed-up run: ",
	};
	double busy = _i == 4 ? 0 : _i == 2 ? 0.55 : 0.2;

	fixture_run(&runs[0], 1, SECOND, 0.6 * busy, 0.4 * busy);
	if (_i % 2) {
		add_function(&runs[0], _i == 1 ? "cuStreamSynchronize" : "spin_here", RUN_CODE_SPIN,
			     900, "");
		runs[0].threads[0].times.ns[CAT_SPIN] = runs[0].threads[0].times.ns[CAT_WAITING];
		runs[0].threads[0].times.ns[CAT_WAITING] = 0;
	} else {
		fixture_wait(&runs[0], 100, "sleep", 1 - busy);
	}
	fixture_report(runs, 1);
	check_says(says[_i]);
}
