/* causes_test.c: which causes are claimed, on which evidence, and what the verdict says. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "described_run.h"
#include "fixture.h"
#include "tests/unit.h"
#include "report/causes.h"

/* A run in words, beside one of one thread, and what must be found. */
struct story {
	const char *run;
	/* the causes of the loss: "NAME LOST SURE", and the place in brackets if there is one */
	const char *causes;
	const char *says;     /* begins the verdict; with a full stop it is all of it */
	const char *sentence; /* is part of what is said of one of the causes */
	const char *before;   /* the run of one thread; NULL: the usual one, "": there is none */
};
#define ONE		"1 1 .5 .5"
#define HALF		"2 1 .25 .25; " /* two threads as fast as one, that wait for half of the time */
#define WAIT(kind)	HALF "+waits each kind=" kind " total_ns=50%"

/* A run at a thread count that no test uses, which has evidence of all causes: it must not be used
 * as evidence for theirs. */
#define BESIDES_THREADS 3
#define BESIDES                                                                                    \
	"samples+=15000; samples_attributed+=15000; +waits each kind=gil total_ns=40%;"            \
	"+waits each kind=mutex total_ns=40%; +waits each kind=rwlock total_ns=40%;"               \
	"+waits each kind=I/O total_ns=40%; +waits each kind=sleep total_ns=40%;"                  \
	"+waits each kind=GPU total_ns=40%; +waits each kind=MPI total_ns=40%;"                    \
	"+waits each kind=barrier total_ns=40%; +waits each kind=condition total_ns=40%;"          \
	"+waits kind=mutex total_ns=40% in_blas=1;"                                                \
	"+functions function=wait_besides code=spin samples=5000;"                                 \
	"+functions function=take_lock_besides code=spin samples=5000 line=7;"                     \
	"+functions function=compute_besides samples=5000 thread=100;"                             \
	"+mpi routine=MPI_Besides calls=10 total_ns=9s;"                                           \
	"+counters event=instructions count=1e15 counted=1 other=.75e15 kernel=.25e15;"            \
	"+counters event=cache-misses count=1e15 counted=1 other=.75e15 kernel=.25e15;"            \
	"facts 'other_programs=besides (100 % of a CPU)'; threads[0] other_ns+=500ms;"             \
	"threads[1] spin_ns=500ms; threads[2] preempted_ns=500ms;"                                 \
	"threads waiting_ns=500ms name=besides"

/* A loop that waits has samples of each thread, and all of their waiting. */
#define SPIN_A_LITTLE "+functions function=wait_here code=spin samples=100; threads samples_spin=50"
#define SPIN	      SPIN_A_LITTLE " spin_ns=waiting_ns waiting_ns=0"

/* it is in libgomp, which step() calls, and solve() for its own work */
#define IN_REGIONS                                                                                 \
	"; functions[3] function=GOMP_parallel object=/usr/lib/libgomp.so.1;"                      \
	"+frames function=step; +stacks;"                                                          \
	"+frames function=GOMP_parallel object=/usr/lib/libgomp.so.1;"                             \
	"+stacks parent=0 samples_callers=9; +frames function=solve; +stacks;"                     \
	"+stacks parent=2 frame=1 samples_callers=5; +frames function=solve_omp_fn;"               \
	"+stacks parent=3 samples_callers=90"

#define LACK	"threads preempted_ns=waiting_ns waiting_ns=0"
#define AGAIN	"see that one thread has a CPU all the time, and record again."
/* Places that occur often. */
#define STEP	" (train.c:120 step())"
#define SGEMM	" (cblas_sgemm NT 64 x 64 x 64)"
#define RMSNORM " (rmsnorm_forward (train))"
#define BOTH_SLOWER(lost)                                                                          \
	"blas-slower " lost " possible" SGEMM ", other-slower " lost " likely" RMSNORM
#define BLAS_SLOWER(sure) "blas-slower 0.633 " sure SGEMM ", other-slower 0.033 likely" RMSNORM
#define NORM		  " (rmsnorm_forward())"

/* A script whose line 9 calls BLAS for half of the time, and has a few more samples. */
#define SCRIPT                                                                                     \
	"+frames function='train (fit.py:9)' object=/home/u/fit.py;"                               \
	"+stacks samples_callers=590;"                                                             \
	"+frames function='train (fit.py:12)' object=/home/u/fit.py; +stacks;"                     \
	"+frames function='features (fit.py:4)' object=/home/u/fit.py;"                            \
	"+stacks parent=1 samples_callers=100;"                                                    \
	"+frames function='sort (fromnumeric.py:7)' object=/usr/lib/python3/fromnumeric.py;"       \
	"+stacks parent=2 samples_callers=50;"                                                     \
	"+frames function='features (fit.py:5)' object=/home/u/fit.py;"                            \
	"+stacks samples_callers=200;"                                                             \
	"+frames function='features (fit.py:6)' object=/home/u/fit.py;"                            \
	"+stacks samples_callers=3;"                                                               \
	"+frames function='<module> (fit.py:20)' object=/home/u/fit.py; +stacks;"                  \
	"+frames function='load (other.py:5)' object=/home/u/other.py;"                            \
	"+stacks parent=6 samples_callers=60;"                                                     \
	"+frames function=PyList_Append object=/usr/bin/python3; +stacks parent=0;"

static struct run runs[4];

/* Builds the report of these runs, which it frees, and of BESIDES on the same machine, and leaves
 * out the causes of the latter. */
static void build(const struct run *others, size_t count)
{
	const struct run *newest = &others[count - 1];
	struct run *besides = &runs[count];
	size_t kept = 0;

	memcpy(runs, others, count * sizeof *others);
	fixture_run(besides, BESIDES_THREADS, 2 * SECOND, 0.2, 0.2);
	besides->nfacts = 0;
	EACH_ROW(fact, newest->facts, newest->nfacts)
		run_add_fact(besides, fact->name, fact->value);
	change_run(besides, "%s", BESIDES);
	strcpy(besides->what_if, newest->what_if);
	fixture_report(runs, count + 1);
	EACH_ROW(cause, report.causes, report.ncauses)
		if (cause->threads != BESIDES_THREADS)
			report.causes[kept++] = *cause;
	report.ncauses = kept;
	EACH_ROW(loss, report.losses, report.nlosses)
		ck_assert(loss->threads == BESIDES_THREADS || !strstr(loss->contributor, "esides"));
}

/* As the causes of a story. */
static void check_causes(const char *wanted)
{
	char text[1024] = "", *end = text;

	EACH_ROW(cause, report.causes, report.ncauses) {
		end += sprintf(end, "%s%s %.4g %s", end > text ? ", " : "", cause->cause,
			       round(cause->lost * 1000) / 1000, cause->sure);
		if (*cause->place)
			end += sprintf(end, " (%s)", cause->place);
	}
	ck_assert_str_eq(text, wanted);
}

/* The speed-up, with which most verdicts begin, is left out unless it is wanted. */
static void check_says(const char *wanted)
{
	static const char ideal[] = " (ideal: ";
	const char *text = report_verdict(&report), *begin = strstr(text, ideal);
	size_t length = strlen(wanted);

	if (begin && report.causes->threads > 1 && !strstr(wanted, ideal))
		text = strstr(begin, "). ") + 3;
	ck_assert_msg(!strncmp(text, wanted, length), "'%s', not '%s'", text, wanted);
	ck_assert_msg(wanted[length - 1] != '.' || !text[length], "%s", text);
}

/* `usual`: the run of one thread of stories that name none. */
static void check_story(const struct story *story, const char *usual)
{
	const char *before = story->before ? story->before : usual;
	struct run told[2];
	size_t count = 0;
	const char *part = story->sentence;
	int is_said;

	if (*before)
		describe_run(&told[count++], before);
	describe_run(&told[count++], story->run);
	if (count == 2)
		build(told, 2);
	else
		fixture_report(told, 1);
	categories_free(&fixture_categories);
	check_causes(story->causes);
	if (story->says)
		check_says(story->says);
	is_said = !part || strstr(report_verdict(&report), part);
	EACH_ROW(cause, report.causes, report.ncauses)
		is_said = is_said || strstr(cause->sentence, part) || strstr(cause->remedy, part);
	ck_assert_msg(is_said, "no '%s' in '%s' ...", story->sentence, report.causes->sentence);
}

#define TAKE_95                                                                                    \
	"0.63 of 2 threads are lost to BLAS calls that take 95 % longer than on one thread, the "  \
	"fastest as well as the slowest: "
/* One thread computes all the time, half of it in BLAS, and so do two for these times; the share
 * `stall` of the time in BLAS is blocked. */
static const struct {
	double seconds, blas, other, stall;
	const char *causes, *says;
} computing[] = {
	{0.50, 0.50, 0.50, 0, "none 0 sure",
	 "2 threads give a speed-up of 2.00 (ideal: 2.00): next to nothing is lost."},
	{0.52, 0.50, 0.50, 0, "none 0.077 sure",
	 "2 threads give a speed-up of 1.92 (ideal: 2.00): next to nothing is lost."},
	/* half of a loss of 7, 9.5 and 11 % in each category, and most of a loss of 7 % in one */
	{0.54, 0.50, 0.50, 0, "none 0.148 sure",
	 "2 threads give a speed-up of 1.85 (ideal: 2.00): no single cause loses more than 5 %."},
	{0.5525, 0.50, 0.50, 0, "none 0.19 sure",
	 "2 threads give a speed-up of 1.81 (ideal: 2.00): no single cause"},
	{0.56, 0.50, 0.50, 0, BOTH_SLOWER("0.107"), "0.11 of 2 threads are lost to BLAS "},
	{0.54, 0.47, 0.53, 0, "other-slower 0.134 likely" RMSNORM,
	 "0.13 of 2 threads are lost to other code"},
	{0.75, 0.65, 0.35, 0, BLAS_SLOWER("possible"),
	 TAKE_95
	 "memory, caches or the clock rate, most in cblas_sgemm NT 64 x 64 x 64 (possible)"},
	{0.75, 0.50, 0.50, 0, BOTH_SLOWER("0.333"),
	 "0.33 of 2 threads are lost to BLAS calls that take 50 % longer than on one thread"},
	{0.75, 0.50, 0.50, 0.9,
	 "blas-queue 0.333 likely" SGEMM ", other-slower 0.333 likely" RMSNORM,
	 "0.33 of 2 threads wait for one another inside BLAS calls, most in cblas_sgemm NT 64 x 64 "
	 "x 64 (likely); let fewer threads call BLAS, or give each more work outside it."},
	{0.75, 0.35, 0.65, 0,
	 "other-slower 0.633 likely" RMSNORM ", blas-slower 0.033 possible" SGEMM,
	 "0.63 of 2 threads are lost to other code, which takes 95 % more CPU time for each unit "
	 "of work than on one thread, most in rmsnorm_forward (train) (likely); if threads write "
	 "to "},
	{1.50, 0.50, 0.50, 0, BOTH_SLOWER("0.667"),
	 "0.67 of 2 threads are lost to BLAS calls that take 3.0 times as long as on one thread"},
	{2.00, 0.90, 0.10, 0, "blas-slower 1.5 possible" SGEMM,
	 "1.50 of 2 threads are lost to BLAS calls that take 7.2 times as long as on one thread, "
	 "the fastest as well as the slowest: "},
	{2.00, 0.10, 0.90, 0, "other-slower 1.5 likely" RMSNORM,
	 "1.50 of 2 threads are lost to other code, which takes 7.2 times as much CPU time for "
	 "each unit of work as on one thread, most in rmsnorm_forward (train) (likely); if threads "
	 "write to the same variables there, or to variables in the same cache line, give each its "
	 "own, 128 bytes apart; otherwise look at how they share caches and memory."},
	{1.125, 2 / 9.0, 7 / 9.0, 0, "other-slower 1.111 likely" RMSNORM,
	 "1.11 of 2 threads are lost to other code, which takes 3.5 times as much CPU time "},
	/* BLAS gains more than other code loses */
	{0.60, 0.30, 0.70, 0, "other-slower 0.333 likely" RMSNORM,
	 "0.33 of 2 threads are lost to other code, which takes 68 % more "},
	/* waiting of an unknown kind */
	{0.75, 0.33, 0.33, 0, "none 0.667 sure",
	 "0.67 of 2 threads are lost, and not explained: mostly waiting."},
	{0.488, 0.50, 0.50, 0, "none 0 sure",
	 "2 threads give a speed-up of 2.05 (ideal: 2.00): next to nothing is lost."},
	{0.40, 0.50, 0.50, 0, "none 0 sure",
	 "2 threads give a speed-up of 2.50 (ideal: 2.00): more than threads alone can give."},
};

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

TEST_EACH(test_computing, COUNT(computing))
{
	struct run told[2];

	/* the function's line is not known with two threads */
	describe_run(&told[0], ONE "; threads blas_waiting_ns=0; functions[1] line=7");
	fixture_run(&told[1], 2, (int64_t)(computing[_i].seconds * SECOND), computing[_i].blas,
		    computing[_i].other);
	change_run(&told[1], "threads blas_waiting_ns=blas_ns blas_waiting_ns*=%g",
		   computing[_i].stall);
	build(told, 2);
	check_causes(computing[_i].causes);
	check_says(computing[_i].says);
	check_waterfall();
}

/* Of one thread count, or of a measurement without figures. */
static const struct story single_counts[] = {
	{ONE, "none nan sure",
	 "1 thread: 50 % of the work is in BLAS; for the speed-up, run: blasprof -- ./train 2."},
	{"2 1 .6 .4", "blas-slower 0.123 possible, none nan sure", NULL,
	 "2 threads: 60 % of the work is in BLAS; they give about 1.88 of 2, estimated from their "
	 "fastest calls"},
	/* causes are found too */
	{WAIT("mutex"), "lock 1 sure" STEP ", blas-slower 0.047 possible, none nan sure", NULL,
	 "for the speed-up, run: blasprof -- ./train 1"},
	{ONE "; roi_ns=0", "", "no figures: the region of interest has no length."},
	{ONE "; threads calls=0 blas_ns=0 samples_blas=0", "none nan sure" NORM,
	 "1 thread: no BLAS call was seen; the work is other code, most in rmsnorm_forward(); "
	 "for the speed-up, run: blasprof "},
	{ONE "; threads calls=0 blas_ns=0", "none nan sure",
	 "1 thread: no BLAS call was seen, but 47 % of the work is in BLAS, by samples; for the "
	 "speed-up, run: blasprof "},
	{ONE "; experiment=./fit command=./fit; facts blas_threads=4", "none nan sure",
	 "1 thread: 50 % of the work is in BLAS; BLAS has 4 threads, but its calls keep only one "
	 "busy: give it larger matrices, or call it from several threads."},
	{ONE "; threads flops=0", "none nan sure",
	 "1 thread: 50 % of the work is in BLAS; for the speed-up, say what counts as work: "
	 "--work."},
	/* for most of the time there is no CPU, and no other run says what that loses */
	{"1 1 .1 .1; " LACK, "none nan sure",
	 "1 thread: 50 % of the work is in BLAS; 80 % of the time it has no CPU; for the "
	 "speed-up, run: blasprof -- ./train 2."},
	/* what had the CPUs is not known, as after blasprof was killed */
	{"2 1 .3 .2; threads preempted_ns=waiting_ns waiting_ns=0",
	 "none 1 sure, blas-slower 0.062 possible, none nan sure",
	 "1.00 of 2 threads are lost, and not explained: mostly no CPU."},
	/* it loads no BLAS library */
	{ONE "; threads calls=0 blas_ns=0 samples_blas=0; facts blas_loaded=no",
	 "none nan sure" NORM,
	 "1 thread: the work is other code, most in rmsnorm_forward(); for the speed-up, run: "
	 "blasprof "},
	{ONE "; threads calls=0 blas_ns=0 samples_blas=0; facts blas_loaded=no;"
	     "+functions function=[unknown] object=[anon] file='' line=0 samples=900",
	 "none nan sure (code made at run time)",
	 "1 thread: the work is other code, most in code made at run time; "},
	{"1 1 0 .2; threads calls=0 samples_blas=0; facts blas_loaded=no", "none nan sure" NORM,
	 "1 thread: the work is other code, most in rmsnorm_forward(); 80 % of the time it waits; "
	 "for the speed-up, run: "},
	{"2 1 0 .4; threads calls=0 samples_blas=0; facts blas_loaded=no;"
	 "+waits each kind=mutex total_ns=60%",
	 "lock 1.2 sure" STEP ", none nan sure" STEP, NULL,
	 "2 threads: the work is other code, most in rmsnorm_forward(); 60 % of the time they wait "
	 "for a mutex that another thread holds, most in train.c:120 step()"},
	/* of three threads two work at once, or one if no count is named */
	{"3 1 .5 .3; threads_requested=0; threads_awake=2", "none nan sure",
	 "2 threads: 62 % of the work is in BLAS"},
	{"3 1 .5 .3; threads_requested=0; threads_awake=1; experiment=./fit; command=./fit",
	 "none nan sure", "1 thread at a time, of 3 that take turns: 62 % of the work is in BLAS"},
};

TEST_EACH(test_single_counts, COUNT(single_counts))
{
	const struct report_row *row;
	size_t count;

	check_story(&single_counts[_i], "");
	ck_assert_ptr_null(waterfall_make(&report, &row, &count));
	ck_assert(!fixture_warning("empty_roi") == (_i != 3) &&
		  !fixture_warning("no_calls") == (_i != 4 && _i != 5));
}

/* What takes most is not said to be in a function that something else calls it from. */
TEST(test_most_is_inside)
{
	for (int i = 0; i < 2; i++) {
		char text[512];

		snprintf(text, sizeof text,
			 "1 1 0 1; threads calls=0 flops=0; functions[1] function=sin "
			 "object=/usr/lib/libm.so.6; +frames function=trace; +stacks;"
			 "+frames function=st_write object=/lib/libgfortran.so.5;"
			 "+stacks parent=0 samples_callers=120; +frames function=move;"
			 "+stacks parent=%d; +frames function=sin object=/usr/lib/libm.so.6;"
			 "+stacks parent=2 samples_callers=80",
			 i - 1);
		describe_run(&runs[0], text);
		fixture_report(runs, 1);
		check_says(i ? "1 thread: no BLAS call was seen; the work is other code, most in "
			       "trace() (sin); "
			     : "1 thread: no BLAS call was seen; the work is other code, most in "
			       "trace(); ");
	}
}

/* Without calls, each run counts as the same work, which it need not be. */
TEST(test_work_in_runs)
{
	describe_run(&runs[0], "1 1 0 1; threads calls=0 flops=0; threads_requested=1 cpu_ns=1s");
	describe_run(&runs[1], "2 1 0 1; threads calls=0 flops=0; threads_requested=2 cpu_ns=2s");
	runs_count_alike(runs, 2);
	fixture_report(runs, 2);
	check_causes("other-slower 1 possible (rmsnorm_forward (train))");
	check_says("1.00 of 2 threads may or may not be lost: perhaps each thread brings its own "
		   "work, since it computes as long as a single thread does, most in "
		   "rmsnorm_forward (train) (possible); if more threads do more work, say what ");
	ck_assert_msg(strstr(report.causes->remedy, "if more threads do more work, say what "),
		      "%s", report.causes->remedy);
}

/* If no run of one thread tells more, all is lost that is not computing. A loss of 2 % is none. */
TEST_EACH(test_single_run_without_calls, 2)
{
	describe_run(&runs[0], _i ? "2 1 0 .98; threads calls=0 flops=0; cpu_ns=1960ms;"
				    "+waits each kind=mutex total_ns=2%"
				  : "2 1 0 .4; threads calls=0 flops=0; cpu_ns=800ms;"
				    "+waits each kind=mutex total_ns=60%");
	runs_count_alike(runs, 1);
	fixture_report(runs, 1);
	check_causes(_i ? "none nan sure" NORM : "lock 1.2 sure" STEP ", none nan sure" STEP);
	check_says(_i ? "2 threads: no BLAS call was seen; the work is other code, most in "
			"rmsnorm_forward(); for the speed-up, run: blasprof -- ./train 1."
		      : "1.20 of 2 threads wait for a mutex that another thread holds, in "
			"train.c:120 step() (sure); hold the lock ");
}

/* Nor is it known from two, neither of which is of one thread, that one computes more. */
TEST(test_two_counts_without_calls)
{
	describe_run(&runs[0], "2 1 0 1; threads calls=0 flops=0; threads_requested=2 cpu_ns=2s");
	describe_run(&runs[1], "4 1 0 1; threads calls=0 flops=0; threads_requested=4 cpu_ns=4s");
	runs_count_alike(runs, 2);
	fixture_report(runs, 2);
	check_causes("none nan sure" NORM ", none nan sure" NORM);
}

#define DISOBEYS                                                                                   \
	"2 threads compute, whether 1 or 2 are asked for: the command does not obey the thread "   \
	"count; pass the count on, by {} in the command or by a variable: --threads-env="

/* The command starts the same threads, whatever was asked for. */
static const struct {
	const char *threads, *says;
} regardless[] = {
	{"2 1 .5 .5", DISOBEYS "NAME."},
	{"2 1 .5 .5; +functions function=GOMP_parallel object=libgomp.so",
	 DISOBEYS "OMP_NUM_THREADS."},
	{"1 1 .5 .5; facts blas=OpenBLAS; facts blas_threads=2; +threads tid=110 samples_blas=450",
	 DISOBEYS "OPENBLAS_NUM_THREADS."},
	/* three, of which two run at once on two CPUs */
	{"3 1 .3 .25; cpus_available=2", DISOBEYS "NAME."},
	/* one that waits for most of the time may be a helper */
	{"2 1 .5 .5; threads[1] blas_ns=100ms other_ns=100ms waiting_ns=800ms", "0.80 of 2 "},
};

TEST_EACH(test_count_is_not_obeyed, COUNT(regardless))
{
	for (int i = 0; i < 2; i++) {
		describe_run(&runs[i], regardless[_i].threads);
		change_run(&runs[i], "threads_requested=%d", i + 1);
	}
	fixture_report(runs, 2);
	check_says(regardless[_i].says);
}

/* A third thread, of two that are asked for in addition, is half of them. */
TEST(test_half_of_the_count_is_obeyed)
{
	REPORT_ON("2 1 .5 .5; threads_requested=1", "3 1 .5 .5; threads_requested=3");
	ck_assert_msg(!strstr(report_verdict(&report), "does not obey"), "%s",
		      report_verdict(&report));
}

/* Two threads spin, or meet, while one of them waits for a file; one thread waits for it as long.
 * So the wait itself is no loss, but that of the other thread is, as far as nobody computes. The
 * wait is shorter by 0.6 % of a thread's time, and so the two lose less than they spin. */
#define READS "1 1.7 .41 .41; +waits kind=I/O total_ns=18%"
#define SPINS                                                                                      \
	"2 1 .35 .35; +waits each kind=I/O total_ns=15%; threads spin_ns=15% waiting_ns-=15%;"     \
	"+functions function=GOMP_barrier code=spin samples=300; waits alone_ns="
#define MEETS(kind)                                                                                \
	"2 1 .35 .35; +waits each kind=I/O total_ns=15% alone_ns=15%;"                             \
	"+waits each kind=" kind " total_ns=15%"
#define MAIN_WAITS(function)                                                                       \
	"2 1 .35 .35; +waits each kind=condition total_ns=30% waits=9; +threads tid=102;"          \
	"+waits kind=I/O function=" function " tid=102 total_ns=25% alone_ns=25%"
#define SPIN_LOCK(name) HALF SPIN "; +functions code=spin samples=300 function=" name
#define FILE_LOCK                                                                                  \
	"1.00 of 2 threads wait for a lock on a file that another thread or process holds, in "    \
	"train.c:120 step() (sure); hold the lock "

#define IN_MPI "threads mpi_ns=waiting_ns waiting_ns=0; +mpi routine=MPI_Allreduce total_ns=700ms;"

#define DO_IO  "do the I/O in another thread, or less often and in larger pieces."
static const struct story waiting[] = {
	{WAIT("gil"), "gil 1 sure" STEP},
	{WAIT("gil") " caller=Connection._recv "
		     "file=/usr/lib/python3.11/multiprocessing/connection.py",
	 "gil 1 sure (connection.py:120 Connection._recv())", NULL,
	 "send less between the processes"},
	{WAIT("I/O") " caller=Connection._recv "
		     "file=/usr/lib/python3.11/multiprocessing/connection.py",
	 "io 1 sure (connection.py:120 Connection._recv())", NULL,
	 "send less between the processes"},
	{WAIT("mutex"), "lock 1 sure" STEP},
	{WAIT("rwlock"), "lock 1 sure" STEP},
	{WAIT("mmap"), "lock 1 sure" STEP},
	/* which a single thread does not do */
	{WAIT("I/O"), "io 1 sure" STEP,
	 "1.00 of 2 threads wait for a file, a device or the network, in train.c:120 step() "
	 "(sure); "},
	{WAIT("sleep"), "sleep 1 sure" STEP, NULL, "to wait for an event, use a condition"},
	{WAIT("GPU"), "gpu 1 sure" STEP},
	{WAIT("MPI"), "mpi 1 sure" STEP},
	{WAIT("unknown"), "none 1 sure"},
	{SPINS "15%", "io 0.294 likely" STEP,
	 "0.29 of 2 threads wait for a thread that waits for a file, a device or the network, in "
	 "train.c:120 step() (likely); " DO_IO,
	 .before = READS},
	/* 30 ms of the computing of each thread are taken for spinning by chance */
	{SPINS "15%; threads other_ns-=30ms spin_ns+=30ms", "io 0.297 likely" STEP,
	 .before = READS},
	{SPINS "10%", "io 0.2 likely" STEP ", spin 0.094 likely (GOMP_barrier())", .before = READS},
	{SPINS "5%", "spin 0.194 likely (GOMP_barrier()), io 0.1 likely" STEP, .before = READS},
	{MEETS("barrier"), "io 0.294 likely" STEP, .before = READS},
	/* a main thread that takes no part; but it may wait for the others to write to a pipe */
	{MAIN_WAITS("fsync"), "io 0.5 likely" STEP ", imbalance 0.1 possible" STEP,
	 .before = "1 1.4 .5 .5"},
	{MAIN_WAITS("read"), "imbalance 0.6 possible" STEP, .before = "1 1.4 .5 .5"},
	{MEETS("join"), "io 0.294 likely" STEP, .before = READS},
	/* the other thread starts only after it */
	{"2 1 .25 .25; threads[1] start_ns=500ms waiting_ns=0;"
	 "+waits kind=I/O total_ns=50% alone_ns=50%",
	 "io 1 sure" STEP},
	{SPINS "0", "spin 0.294 likely (GOMP_barrier())", .before = READS},
	/* long and often, for a thread that is no participant because it only writes to a disk */
	{HALF "+waits each kind=condition total_ns=100% waits=100",
	 "none 0.98 sure" STEP ", barrier 0.02 likely" STEP,
	 "0.98 of 2 threads are lost, and not explained: most wait at the condition in train.c:120 "
	 "step(), 10.0 ms each time; see what other threads wait for meanwhile: with "
	 "--by=wait."},
	/* as long as all the work between two meetings; and where half of the loss may wait */
	{WAIT("condition") " waits=100", "none 0.98 sure" STEP ", barrier 0.02 likely" STEP},
	{HALF "threads preempted_ns=25% waiting_ns-=25%; +waits kind=condition total_ns=1ms",
	 "none 1 sure" STEP},
	/* a server has no more to do with two threads than with one */
	{"2 1 .025 .025; +waits each kind=I/O total_ns=90%", "io 0.9 sure" STEP,
	 "0.90 of 2 threads wait for a file, a device or the network, in train.c:120 step(), as a "
	 "single thread does for 90 % of its time (sure); if there is no more work, one thread is "
	 "enough; otherwise " DO_IO,
	 .before = "1 1 .05 .05; +waits kind=I/O total_ns=90%"},
	/* nor is that said if one waits for half of its time */
	{"2 1 .025 .025; +waits each kind=I/O total_ns=60%", "io 0.7 sure" STEP ", none 0.3 sure",
	 "0.70 of 2 threads wait for a file, a device or the network, in train.c:120 step() "
	 "(sure); " DO_IO,
	 .before = "1 1 .05 .05; +waits kind=I/O total_ns=50%"},
	/* a lock around the same */
	{"2 1 .025 .025; +waits each kind=mutex total_ns=90%", "lock 1 sure" STEP,
	 "1.00 of 2 threads wait for a mutex that another thread holds, in train.c:120 step() "
	 "(sure); hold the lock ",
	 .before = "1 1 .05 .05; +waits kind=I/O total_ns=90%"},
	/* the iterations of a loop in order */
	{"2 1 .025 .025; +waits each kind=mutex function=GOMP_ordered_start total_ns=90%",
	 "lock 1 sure" STEP,
	 "1.00 of 2 threads wait for their turn in an ordered section (omp ordered), in "
	 "train.c:120 step() (sure); do less in the section",
	 .before = "1 1 .05 .05; +waits kind=I/O total_ns=90%"},
	/* with one thread there was no CPU for most of the time */
	{"2 .25 .5 .5", "none 0 sure",
	 "2 threads give a speed-up of 4.00 (ideal: 2.00; one thread had no CPU for 60 % of its "
	 "time): more than threads alone can give; " AGAIN,
	 .before = "1 1 .2 .2; " LACK},
	{"2 .5 .33 .33", "none 0 sure",
	 "2 threads give a speed-up of 2.00 (ideal: 2.00; one thread had no CPU for 34 % of its "
	 "time): next to nothing is lost; " AGAIN,
	 .before = "1 1 .33 .33; " LACK},
	{"2 .5 .33 .33", "none 0 sure",
	 "2 threads give a speed-up of 2.00 (ideal: 2.00): next to nothing is lost.",
	 .before = "1 1 .34 .34; " LACK},
	{"2 .25 .5 .5", "none 0 sure",
	 "2 threads give a speed-up of 4.00 (ideal: 2.00): more than threads alone can give.",
	 .before = "1 1 .2 .2; threads preempted_ns=5% waiting_ns-=5%"},
	/* just a twentieth is lost, or gained */
	{"20 1 .475 .475", "none 1 sure",
	 "20 threads give a speed-up of 19.00 (ideal: 20.00): next to nothing is lost.",
	 .before = "1 19 .5 .5"},
	{"20 1 .5 .5", "none 0 sure",
	 "20 threads give a speed-up of 21.00 (ideal: 20.00): next to nothing is lost.",
	 .before = "1 21 .5 .5"},
	/* two twentieths, one of them to a lock */
	{"20 1 .45 .45; +waits each kind=mutex total_ns=5%", "lock 1 sure" STEP ", none 1 sure",
	 .before = "1 18 .5 .5"},
	/* the waits last until a thread runs again: with one thread four times as long as it is
	 * blocked, with two twice as long */
	{"2 1.2 .20833333 .20833333; +waits each kind=I/O total_ns=500ms;"
	 "threads waiting_ns=250ms preempted_ns=450ms",
	 "io 0.333 sure" STEP,
	 .before = "1 2 .25 .25; +waits kind=I/O total_ns=1s; threads waiting_ns=250ms "
		   "preempted_ns=750ms"},
	/* in two places, and in a third as long as with one thread: the first of them is named */
	{HALF "+waits kind=gil total_ns=80% line=118; +waits each kind=gil total_ns=20% line=119;"
	      "+waits each kind=gil total_ns=30%",
	 "gil 1 sure" STEP,
	 "1.00 of 2 threads wait for Python's interpreter lock, most in train.c:120 step() "
	 "(sure); ",
	 .before = ONE "; +waits kind=gil total_ns=80% line=118"},
	{HALF "+waits kind=gil total_ns=50% line=7; +waits kind=gil total_ns=50% tid=101 line=9",
	 "gil 1 sure (train.c:7 step())"},
	/* a wait inside BLAS, at another thread count, or of another thread is no lock */
	{HALF "+waits kind=mutex total_ns=50% in_blas=1; threads[0] waiting_ns=50%", "none 1 sure"},
	{HALF "threads[0] waiting_ns=50%", "none 1 sure",
	 .before = ONE "; +waits kind=mutex total_ns=50%"},
	{HALF "+waits kind=mutex total_ns=50% tid=999; threads[0] waiting_ns=50%", "none 1 sure"},
	/* nor does it explain why threads lack a CPU before they run on, beside a wait or none */
	{HALF "+waits kind=mutex total_ns=1% waits=3 tid=999; " LACK, "none 1 sure"},
	{HALF
	 "+waits kind=mutex total_ns=1% waits=3 tid=999; +waits kind=join total_ns=0 waits=1;" LACK,
	 "none 1 sure"},
	/* what a single thread waits for too is no loss */
	{"2 .5 .25 .25; +waits each kind=I/O total_ns=50%", "none 0 sure",
	 .before = "1 1 .25 .25; +waits kind=I/O total_ns=50%"},
	/* a lock spun for, as its name says, alone and beside another loop */
	{HALF "threads spin_ns=50% waiting_ns=0 samples_spin=50;"
	      "+functions function=wait_here code=spin;"
	      "+functions function=pthread_spin_lock code=spin samples=300",
	 "lock 1 likely (pthread_spin_lock())"},
	{HALF "threads spin_ns=50% waiting_ns=0 samples_spin=50;"
	      "+functions function='kernel lock in unlink' code=spin samples=300",
	 "lock 1 likely (kernel lock in unlink)"},
	{HALF "threads spin_ns=50% waiting_ns=0 samples_spin=50;"
	      "+functions function=lock code=spin samples=300",
	 "lock 1 likely (lock())"},
	/* what starts the parallel regions is named if the line is not known; what their own code
	 * does is no spinning */
	{HALF SPIN IN_REGIONS, "spin 1 likely (step())"},
	{HALF SPIN IN_REGIONS "; functions[3] file=/home/u/omp.c line=7",
	 "spin 1 likely (omp.c:7 GOMP_parallel())"},
	{HALF SPIN "; functions[3] function=GOMP_taskwait", "spin 1 likely (GOMP_taskwait())",
	 "1.00 of 2 threads spin, most in GOMP_taskwait(): its tasks are too small, or too few "
	 "(likely); let each task do more work, "},
	{SPIN_LOCK("GOMP_critical_start"),
	 "lock 0.75 likely (GOMP_critical_start()), spin 0.25 likely (wait_here())"},
	{SPIN_LOCK("GOMP_ordered_start"),
	 "lock 0.75 likely (GOMP_ordered_start()), spin 0.25 likely (wait_here())"},
	{SPIN_LOCK("book::SpinLock<T>::with"),
	 "lock 0.75 likely (book::SpinLock<T>::with), spin 0.25 likely (wait_here())"},
	{SPIN_LOCK("tbb::spin_mutex::acquire"),
	 "lock 0.75 likely (tbb::spin_mutex::acquire), spin 0.25 likely (wait_here())"},
	/* it is spun for first, and then blocks, in a function that the line calls */
	{HALF
	 "threads spin_ns=30% waiting_ns=20% samples_spin=50; +waits each kind=mutex total_ns=20%;"
	 "+functions function=GOMP_critical_start code=spin samples=300 file=/home/u/train.c "
	 "line=120",
	 "lock 1 likely (train.c:120 GOMP_critical_start())"},
	{HALF
	 "threads spin_ns=30% waiting_ns=20% samples_spin=50; +waits each kind=mutex total_ns=20%;"
	 "+functions function=GOMP_critical_start code=spin samples=300 file=/home/u/train.c "
	 "line=12",
	 "lock 0.6 likely (train.c:12 GOMP_critical_start()), lock 0.4 sure" STEP},
	{WAIT("'file lock'"), "lock 1 sure" STEP, FILE_LOCK},
	{WAIT("collector"), "serial-part 1 sure" STEP, .sentence = "Java's garbage collector"},
	{WAIT("'runtime lock'"), "lock 1 sure" STEP, .sentence = "OCaml's runtime"},
	{WAIT("I/O") " function=read", "io 1 sure" STEP},
	/* a lock that is held for a whole job: the second thread is late, gets nothing to do, or
	 * less */
	{"2 1 .25 .25; threads blas_waiting_ns=0; threads[0] end_ns=500ms waiting_ns=0;"
	 "+waits kind=mutex total_ns=50% tid=101",
	 "lock 1 sure" STEP},
	{"2 1 .25 .25; threads blas_waiting_ns=0; threads[0] end_ns=500ms waiting_ns=0;"
	 "+waits kind=mutex total_ns=25% tid=101; +waits kind=gil total_ns=25% tid=101",
	 "gil 0.5 sure" STEP ", lock 0.5 sure" STEP},
	{"2 1 .5 .5; threads blas_waiting_ns=0;"
	 "threads[1] blas_ns=0 other_ns=0 waiting_ns=1s calls=0; threads_requested=2;"
	 "+waits kind=mutex total_ns=100% tid=101; +functions function=job samples=500 thread=100",
	 "lock 1 sure" STEP},
	{"2 1 .35 .35; threads blas_waiting_ns=0;"
	 "threads[1] blas_ns=15% other_ns=15% waiting_ns=70%; +waits kind=mutex total_ns=30%;"
	 "+waits kind=mutex total_ns=70% tid=101",
	 "lock 1 sure" STEP},
	/* a library sleeps, of which the program's author knows nothing */
	{WAIT("sleep") " caller=libpsm.so.2+0x3b file='' line=0", "sleep 1 sure (libpsm.so.2+0x3b)",
	 NULL, "if the library does so only at its start"},
	{WAIT("mutex") " caller=libpsm.so.2+0x3b file='' line=0", "lock 1 sure (libpsm.so.2+0x3b)",
	 NULL, "hold the lock "},
	/* a longer wait of which the caller is not known */
	{HALF "+waits kind=gil total_ns=60% caller='' line=0;"
	      "+waits kind=gil total_ns=40% tid=101",
	 "gil 1 sure" STEP, NULL, " lock, for example in train.c:120 step()"},
	/* but a place with a tenth of it does not tell */
	{HALF "+waits kind=mutex total_ns=93% caller='' function=ObjectMonitor::enter line=0;"
	      "+waits kind=mutex total_ns=7% tid=101",
	 "lock 1 sure (ObjectMonitor::enter)", NULL, ", most in ObjectMonitor::enter"},
	/* the longest wait is that of a pool's idle threads */
	{HALF "+waits kind=gil total_ns=40% caller='' line=0;"
	      "+waits kind=gil total_ns=60% tid=101 caller=_worker file=/usr/lib/python3/thread.py",
	 "gil 1 sure (thread.py:120 _worker())"},
	{HALF "+waits kind=gil total_ns=60% caller=_worker file=/usr/lib/python3/thread.py;"
	      "+waits kind=gil total_ns=40% tid=101",
	 "gil 1 sure" STEP, NULL, " lock, for example in train.c:120 step()"},
	/* some wait for the lock all the time, and the others for what is late because of it */
	{"4 1 .125 .125; +waits each kind=gil total_ns=30%;"
	 "+waits each kind=condition total_ns=45% waits=9 caller=_worker "
	 "file=/usr/lib/python3/thread.py;" SCRIPT,
	 "gil 3 likely (fit.py:9 train())"},
	/* stacks with the same file, line and function become one row, with what is said of the
	 * longer wait */
	{HALF "+waits kind=rwlock total_ns=40%;"
	      "+waits kind=mutex total_ns=50% tid=101 function=wait_for_another",
	 "lock 0.9 sure" STEP, "0.90 of 2 threads wait for a mutex"},
	/* a thread that waits at a pipe while another works loses nothing to the pipe */
	{"2 1 .5 .5; threads[1] blas_ns=25% other_ns=25% waiting_ns=50%;"
	 "+waits kind=I/O total_ns=50% tid=101",
	 "imbalance 0.5 sure" NORM ", blas-slower 0.25 possible" SGEMM
	 ", other-slower 0.25 likely" RMSNORM},
	/* of the MPI routines the one with most time is named */
	{HALF "threads mpi_ns=waiting_ns waiting_ns=0; +mpi routine=MPI_Send total_ns=200ms;"
	      "+mpi routine=MPI_Allreduce total_ns=700ms; +mpi routine=MPI_Barrier total_ns=100ms",
	 "mpi 1 sure (MPI_Allreduce())",
	 "1.00 of 2 threads are in MPI, most in MPI_Allreduce() (sure); balance ",
	 .before = ONE "; +mpi routine=MPI_Init total_ns=5s"},
	/* with the line of the call, if samples or waits tell; these waits are no other waiting */
	{HALF IN_MPI "+functions function=PMPI_Allreduce code=spin samples=300 line=36 "
		     "file=/home/u/ranks.c; +functions function=MPI_Allreduce code=spin "
		     "samples=200 line=99 file=/home/u/ranks.c",
	 "mpi 1 sure (ranks.c:36 MPI_Allreduce())"},
	{HALF IN_MPI "+waits each kind=MPI function=mpi_allreduce_ total_ns=50%",
	 "mpi 1 sure (train.c:120 MPI_Allreduce())"},
	/* some may wait for one without a CPU */
	{HALF IN_MPI "threads mpi_ns=30% waiting_ns=0 preempted_ns=20%",
	 "mpi 0.6 likely (MPI_Allreduce()), none 0.4 sure"},
	{HALF IN_MPI "threads mpi_ns=30% waiting_ns=20%; +waits each kind=MPI total_ns=30%;"
		     "+waits each kind=sleep total_ns=20%",
	 "mpi 0.6 sure (MPI_Allreduce()), sleep 0.4 sure" STEP},
	/* BLAS got faster, which reduces all other losses by the same factor: 0.23 of 0.57 threads
	 * are gained */
	{"2 .6 .3 .5; +waits each kind=mutex total_ns=18%",
	 "lock 0.212 sure" STEP ", other-slower 0.098 likely" RMSNORM},
};

TEST_EACH(test_waiting, COUNT(waiting))
{
	check_story(&waiting[_i], ONE);
}

#define FOUR_ON_TWO                                                                                \
	"4 .5 .25 .25;"                                                                            \
	"threads preempted_ns=250ms waiting_ns=0 switch_preempted_ns=250ms switch_own_ns=250ms"
#define OVER_CPUS                                                                                  \
	"2.00 of 4 threads have no CPU: the program has more threads ready to run than 2 CPUs "    \
	"(sure); "                                                                                 \
	"run fewer threads, at most 2."
#define LACK_HALF                                                                                  \
	HALF "threads preempted_ns=waiting_ns switch_preempted_ns=waiting_ns "                     \
	     "switch_own_ns=waiting_ns waiting_ns=0;"
#define LACK_QUARTER(how, elapsed)                                                                 \
	HALF "threads preempted_ns=25% waiting_ns-=25%; " how "=200ms elapsed_ns=" elapsed
#define LACK_AND_SPIN                                                                              \
	SPIN_A_LITTLE " spin_ns=25% waiting_ns-=25% preempted_ns=waiting_ns waiting_ns=0 "         \
		      "switch_preempted_ns=preempted_ns;"

#define STARVED "preempted_ns=60% switch_preempted_ns=60% waiting_ns=0 blas_waiting_ns=0;"

/* Threads without a CPU. */
static const struct story lacking[] = {
	/* more threads than CPUs, with a run of one thread and without */
	{FOUR_ON_TWO, "oversubscribed 2 sure", OVER_CPUS},
	{FOUR_ON_TWO, "oversubscribed 2 sure, blas-slower 0.095 possible, none nan sure", OVER_CPUS,
	 .before = ""},
	/* more than half of them wait at a barrier for those without a CPU */
	{"4 .5 .25 .25; threads preempted_ns=100ms waiting_ns-=100ms switch_preempted_ns=100ms "
	 "switch_own_ns=100ms; +waits each kind=barrier total_ns=30%",
	 "oversubscribed 2 likely",
	 "2.00 of 4 threads have no CPU, or wait for a thread that has none: the program has more "
	 "threads ready to run than 2 CPUs (likely); "},
	/* without records of switches: two are ready for twice the time that the CPU has */
	{HALF "threads preempted_ns=50% waiting_ns=0 blas_waiting_ns=0;"
	      "cpus_allowed=1 cpus_available=1",
	 "oversubscribed 1 sure"},
	/* two CPUs would do for two threads, but both are bound to one */
	{LACK_HALF "facts bound_cpu=1", "oversubscribed 1 sure",
	 "1.00 of 2 threads have no CPU: the program has bound several threads to CPU 1, which "
	 "they share (sure); let them run on all CPUs, or bind each "},
	/* a third thread takes a CPU from the two that work: it is in MPI, or spins */
	{LACK_HALF SPIN_A_LITTLE "; +threads mpi_ns=1s; threads_requested=2",
	 "oversubscribed 1 sure",
	 "1.00 of 2 threads have no CPU: the program has more threads ready to run than 2 CPUs, "
	 "counting those beyond the 2 (sure); keep a CPU free for the other threads, or let those "
	 "do less."},
	{LACK_HALF SPIN_A_LITTLE "; +threads spin_ns=1s; threads_requested=2",
	 "spin 1 sure (wait_here())", NULL, "let them block while they wait"},
	/* as many threads beyond the N run the same code: there are too few CPUs for all */
	{"2 1 .2 .3; " LACK " switch_preempted_ns=preempted_ns switch_own_ns=preempted_ns;+threads "
	 "each other_ns=300ms samples_other=100; threads_requested=2",
	 "oversubscribed 1 sure",
	 .before = "1 1 .4 .6; +threads tid=200 other_ns=600ms samples_other=100;"
		   "threads_requested=1"},
	/* likewise if one runs code of its own, as a stage of a pipeline does */
	{"2 1 .2 .3; " LACK
	 " switch_preempted_ns=preempted_ns switch_own_ns=preempted_ns;+threads tid=200 "
	 "other_ns=600ms samples_other=200; threads_requested=2;+functions function=parse "
	 "samples=200 thread=200 line=7",
	 "oversubscribed 1 sure",
	 .before = "1 1 .4 .6; +threads tid=200 other_ns=600ms samples_other=100;"
		   "threads_requested=1"},
	/* one thread lacks a CPU as long as before, because of other programs, and the other waits
	 * for it: that is their loss, too */
	{"2 1 .15 .15;"
	 "threads[1] preempted_ns=40% waiting_ns-=40% switch_preempted_ns=40% switch_own_ns=10ms;"
	 "cpus_allowed=2 others_ns=1s",
	 "none 0.61 sure, other-programs 0.39 likely",
	 .before = "1 1 .3 .3; threads preempted_ns=40% waiting_ns=0 switch_preempted_ns=40%;"
		   "cpus_allowed=2 others_ns=1s"},
	/* one thread lacks one for as long: what the other does not do, and code that takes longer,
	 * are as large a part of the loss as if there were no other programs */
	{"2 1 .2 .2; threads[0] " STARVED "threads[1] blas_ns=0 other_ns=0 waiting_ns=100%;"
	 "cpus_allowed=2 others_ns=1s threads_requested=2",
	 "imbalance 1 sure" NORM, NULL, " wait: only 1 of them computes",
	 .before = "1 1 .2 .2; threads " STARVED "cpus_allowed=2 others_ns=1s"},
	{"2 1 .2 .2; threads " STARVED "cpus_allowed=2 others_ns=2s", BOTH_SLOWER("0.5"),
	 .before = "1 1 .2 .2; threads " STARVED "cpus_allowed=2 others_ns=1s"},
	/* four lack one for longer than that, also because of each other and of the host */
	{"4 1 .15 .15; threads preempted_ns=70% switch_preempted_ns=52.5% switch_own_ns=17.5% "
	 "waiting_ns=0 blas_waiting_ns=0; cpus_allowed=4 others_ns=4s steal_ns=9s",
	 "blas-slower 1 possible" SGEMM ", other-slower 1 likely" RMSNORM
	 ", oversubscribed 0.7 sure, other-programs 0.16 sure, host-steal 0.14 sure",
	 .before = "1 1 .2 .2; threads " STARVED "cpus_allowed=2 others_ns=1s"},
	/* likewise if the host has the CPU for a part of that time */
	{"2 1 .2 .2; threads " STARVED
	 "threads switch_preempted_ns=30%; cpus_allowed=2 others_ns=1s steal_ns=1s",
	 BOTH_SLOWER("0.5"), .before = "1 1 .2 .2; threads " STARVED "cpus_allowed=2 others_ns=1s"},
	/* one of four threads has no CPU, and the others wait for it: that is one cause */
	{"4 1 .25 .25; threads[2] preempted_ns=waiting_ns waiting_ns=0 switch_preempted_ns=500ms "
	 "switch_own_ns=0; cpus_allowed=4 others_ns=1s;"
	 "facts 'other_programs=stress (50 % of a CPU)'",
	 "other-programs 2 likely", NULL, "stress (50 % of a CPU)", .before = "1 2 .5 .5"},
	/* the others wait for a tenth of that */
	{"2 1 .4140625 .4140625; threads preempted_ns=15.625% waiting_ns=1.5625% "
	 "switch_preempted_ns=preempted_ns switch_own_ns=0; cpus_allowed=2 others_ns=1s;"
	 "+waits each kind=condition total_ns=1.5625%",
	 "other-programs 0.344 sure", NULL, "have no CPU, because other programs",
	 .before = "1 1.65625 .5 .5"},
	/* two of 4 threads lack a CPU; the others wait for them when they meet, and for other
	 * reasons */
	{"4 1 .25 .25; threads[2] preempted_ns=5% waiting_ns-=5% switch_preempted_ns=5%;"
	 "threads[3] preempted_ns=5% waiting_ns-=5% switch_preempted_ns=5%;"
	 "cpus_allowed=4 others_ns=1s; +waits each kind=condition total_ns=30%",
	 "imbalance 1.2 possible" STEP ", other-programs 0.4 likely, none 0.4 sure" STEP,
	 .before = "1 2 .5 .5"},
	/* half of what they lack is the program's own doing: each half gets half of the waits,
	 * since these are shorter than three times that */
	{"4 1 .3125 .3125;"
	 "threads[2] preempted_ns=25% waiting_ns-=25% switch_preempted_ns=25% switch_own_ns=12.5%;"
	 "threads[3] preempted_ns=25% waiting_ns-=25% switch_preempted_ns=25% switch_own_ns=12.5%;"
	 "cpus_allowed=4 others_ns=1s; +waits each kind=condition total_ns=25%",
	 "oversubscribed 0.75 likely, other-programs 0.75 likely", .before = "1 2.5 .5 .5"},
	/* the use of the CPUs was counted from start to end; half of it was in a region half as
	 * long. If ranks of a job begin one after another, the job's region is longer than that of
	 * each rank, and has all of it. */
	{LACK_QUARTER("quota_ns", "500ms"), "none 0.8 sure, cpu-quota 0.2 sure"},
	{LACK_QUARTER("quota_ns", "2s"), "none 0.9 sure, cpu-quota 0.1 sure"},
	{LACK_QUARTER("steal_ns", "500ms"), "none 0.8 sure, host-steal 0.2 sure"},
	{LACK_QUARTER("steal_ns", "2s"), "none 0.9 sure, host-steal 0.1 sure"},
	{LACK_QUARTER("others_ns", "500ms"), "none 0.8 sure, other-programs 0.2 sure"},
	{LACK_QUARTER("others_ns", "2s"), "none 0.9 sure, other-programs 0.1 sure"},
	/* four threads lack a CPU for half of the time and spin for a quarter; with 2 CPUs they
	 * wait for those without a CPU, with 4 they do not */
	{"4 1 .125 .125; " LACK_AND_SPIN "threads switch_own_ns=preempted_ns",
	 "oversubscribed 3 sure"},
	{"4 1 .125 .125; " LACK_AND_SPIN "threads switch_own_ns=preempted_ns; cpus_available=4",
	 "oversubscribed 2 sure, spin 1 likely (wait_here())"},
	/* there is a CPU for each of the two, but a third thread spins */
	{LACK_HALF
	 "+threads tid=110 spin_ns=1s; +functions code=spin function=wait_here samples=900;"
	 "+functions code=spin function=idle_here samples=500 samples_workers=500",
	 "spin 1 sure (idle_here())", NULL,
	 "1.00 of 2 threads have no CPU, while other threads of the program spin in idle_here()"},
	/* half of what the program's threads lack is their own doing */
	{LACK_HALF "threads[0] switch_own_ns=0; cpus_allowed=2 others_ns=1s",
	 "oversubscribed 0.5 sure, other-programs 0.5 sure"},
	/* two do, since another program runs */
	{HALF LACK_AND_SPIN "threads switch_own_ns=0; others_ns=1s", "other-programs 1 sure"},
	{HALF LACK_AND_SPIN "threads switch_own_ns=0; others_ns=1s; functions[3] object="
			    "/usr/lib/libgomp.so.1",
	 "other-programs 1 sure", NULL,
	 "and record again; until then, OMP_WAIT_POLICY=passive loses less, unless threads meet "
	 "many times in a millisecond"},
	/* a thread that holds a lock lacks a CPU as often as any that does not wait */
	{HALF LACK_AND_SPIN
	 "threads switch_own_ns=0; others_ns=1s; functions[3] function=GOMP_ordered_start "
	 "object=/usr/lib/libgomp.so.1",
	 "other-programs 0.625 sure, lock 0.375 likely (GOMP_ordered_start())", NULL,
	 "and record again; until then, OMP_WAIT_POLICY=passive loses less"},
	/* likewise if others took half of one thread's time, which raises all other losses */
	{"2 5 .025 .025; " SPIN_A_LITTLE
	 " spin_ns=20% waiting_ns=0 preempted_ns=75% switch_preempted_ns=preempted_ns "
	 "switch_own_ns=0; cpus_allowed=2 others_ns=9s; functions[3] function=GOMP_ordered_start "
	 "object=/usr/lib/libgomp.so.1",
	 "other-programs 1.6 sure, lock 0.2 likely (GOMP_ordered_start())",
	 .before = "1 1 .25 .25; threads preempted_ns=50% switch_preempted_ns=50% "
		   "waiting_ns=0 blas_waiting_ns=0; cpus_allowed=2 others_ns=1s"},
	/* hardly any work between two meetings: two spin for 45 % of the time, and for 25 % of
	 * it while the other one has no CPU */
	{"2 1 .025 .025; " SPIN_A_LITTLE " spin_ns=45% waiting_ns=0 preempted_ns=50% "
	 "switch_preempted_ns=preempted_ns switch_own_ns=0; others_ns=1s",
	 "other-programs 0.799 sure, spin 0.138 likely (wait_here())", NULL,
	 "record again; for spin: divide the work "},
	/* four lack one for 5 % of the time, and compute for 25 %; at least one of them spins for
	 * one without a CPU, and all do while one of them cannot compute */
	{"4 1 .125 .125; " SPIN_A_LITTLE " spin_ns=70% waiting_ns=0 preempted_ns=5% "
	 "switch_preempted_ns=preempted_ns switch_own_ns=0; cpus_available=4 others_ns=1s",
	 "spin 2.61 likely (wait_here()), other-programs 0.39 sure", NULL,
	 "0.39 of 4 threads have no CPU, or wait for a thread that has none, because"},
	/* four compute for 30 % of the time, spin for 20 %, and meet: threads without a CPU would
	 * spin instead of working in a fifth of the time, and then nobody waits for them */
	{"4 1 .15 .15; " SPIN_A_LITTLE " spin_ns=20% waiting_ns=45% preempted_ns=5% "
	 "switch_preempted_ns=preempted_ns switch_own_ns=0; cpus_available=4 others_ns=1s;"
	 "+waits each kind=barrier total_ns=45%",
	 "imbalance 1.474 likely" STEP ", other-programs 0.671 likely, spin 0.655 likely "
	 "(wait_here()), blas-slower 0.1 possible" SGEMM ", other-slower 0.1 likely" RMSNORM},
	/* two lack one for half of the time, spin for three eighths and compute for an eighth */
	{"2 1 .0625 .0625; " SPIN_A_LITTLE " spin_ns=37.5% waiting_ns=0 preempted_ns=50% "
	 "switch_preempted_ns=preempted_ns switch_own_ns=0; others_ns=2s",
	 "other-programs 1.75 sure", .before = "1 .25 .5 .5"},
	/* nothing computes: what other programs took is then no share of computing */
	{"2 1 0 0; " LACK
	 " switch_preempted_ns=preempted_ns switch_own_ns=0; cpus_allowed=2 others_ns=2s",
	 "other-programs 0.835 sure, none 0.165 sure",
	 .before = "1 1 0 0; threads preempted_ns=90% waiting_ns=10% switch_preempted_ns=90% "
		   "switch_own_ns=0; cpus_allowed=2 others_ns=2s"},
	/* threads that are woken have no CPU for a while, although nothing else uses it; or others
	 * of them use it half of that time */
	{HALF "+waits kind=gil total_ns=30%; +waits kind=sleep total_ns=30% tid=101;"
	      "threads waiting_ns=30% preempted_ns=20%; cpus_allowed=2 others_ns=200ms",
	 "gil 0.409 sure" STEP ", sleep 0.409 sure" STEP ", other-programs 0.182 sure"},
};

TEST_EACH(test_lacking, COUNT(lacking))
{
	check_story(&lacking[_i], ONE);
	for (size_t i = 0; _i < 2 && i < report.nlosses; i++) /* all of it is explained */
		ck_assert(report.losses[i].threads != 4 ||
			  report.losses[i].category != CAT_NO_CPU ||
			  report.losses[i].contributor[0] != '(');
}

/* Two threads compute for 0.4 and 0.6 s, or for 0.6 and 0.3 s; they meet at the end, so the run
 * lasts as long as the busier one. */
#define UNEVEN(seconds, each_ns)                                                                   \
	"2 " seconds " .5 .5;"                                                                     \
	"threads blas_waiting_ns=0 samples_blas=250 samples_other=250 waiting_ns=0;" each_ns
#define ONE_1S	   "1 1 .5 .5; threads blas_waiting_ns=0"
#define ONE_0_9S   "1 .9 .5 .5; threads blas_waiting_ns=0"
#define UNEVEN_4_6 UNEVEN(".6", "threads[0] blas_ns=200ms other_ns=200ms waiting_ns=200ms;")
#define UNEVEN_6_3 UNEVEN(".6", "threads[1] blas_ns=150ms other_ns=150ms waiting_ns=300ms;")

#define WAIT_30(threads, kind, waits)                                                              \
	threads " 1 .35 .35; +waits each kind=" kind " total_ns=30% waits=" waits
#define ONE_1_4S   "1 1.4 .5 .5"

#define IDLE_WAITS "+waits kind=barrier total_ns=31% caller='' function=libgomp.so.1.0.0+0x1 line=0"
#define EVENLY	   "divide the work more evenly, or hand it out in smaller pieces to free threads"
#define TAKEN_OVER                                                                                 \
	UNEVEN_4_6 "threads[0] preempted_ns=waiting_ns waiting_ns=0 switch_preempted_ns=200ms;"    \
		   "others_ns=200ms roi_ns+=50ms; facts "
#define RESTARTS(seconds)                                                                          \
	"4 " seconds " .5 .5; threads[0] end_ns=40%; threads[1] end_ns=40%;"                       \
	"threads[2] start_ns=60%; threads[3] start_ns=60%;"                                        \
	"threads waiting_ns=0 blas_ns=20% other_ns=20%; threads_requested=2"
#define FOLLOW(second, end)                                                                        \
	"4 .75 .33 .33; threads[0] end_ns=125ms; threads[1] end_ns=375ms; threads[2] "             \
	"start_ns=" second " end_ns=" end "; threads[3] start_ns=" second                          \
	"; threads waiting_ns=0 blas_ns=end_ns blas_ns-=start_ns blas_ns*=.5 other_ns=blas_ns;"    \
	"threads_requested=2"

#define OPENMP_SPINS                                                                               \
	HALF SPIN "; functions[3] object=/usr/lib/libgomp.so.1;"                                   \
		  "threads samples_spin=64 samples_blas=32 samples_other=32 samples_spin_again="

#define CALLS_GSL(function)                                                                        \
	"threads blas_ns+=1ms; +callers function=gsl_blas_dgemm object=/usr/lib/libgsl.so.27; "    \
	"+frames function=" function "; +stacks; +frames function=gsl_blas_dgemm "                 \
	"object=/usr/lib/libgsl.so.27; +stacks parent=0 samples_callers=250"

static const struct story uneven[] = {
	/* the speed-up is (0.4 + 0.6) / 0.6 */
	{UNEVEN_4_6, "imbalance 0.333 sure" NORM,
	 "0.33 of 2 threads wait, because thread 1 computes 20 % longer than the average, most in "
	 "rmsnorm_forward() (sure); " EVENLY "."},
	/* the caller with most time, if most of the work is in BLAS calls */
	{UNEVEN_4_6 "threads blas_ns+=1ms; +callers function=step file=train.c line=120",
	 "imbalance 0.33 sure" STEP},
	/* what calls a library that calls BLAS, unless it is main() */
	{UNEVEN_4_6 CALLS_GSL("solve"), "imbalance 0.33 sure (solve() (gsl_blas_dgemm))"},
	{UNEVEN_4_6 CALLS_GSL("main"), "imbalance 0.33 sure (gsl_blas_dgemm())"},
	{UNEVEN_4_6 "+waits kind=barrier total_ns=33%", "imbalance 0.333 sure" STEP, NULL,
	 " wait at the barrier in train.c:120 step(), because "},
	/* an idle thread of OpenMP has no caller: the place is where others meet it */
	{UNEVEN_4_6 IDLE_WAITS
	 ";+waits kind=barrier total_ns=4% function=GOMP_barrier line=0;+waits kind=barrier "
	 "total_ns=3% function=pthread_barrier_wait line=7;+waits kind=barrier total_ns=2% "
	 "function=GOMP_barrier",
	 "imbalance 0.333 sure" STEP, NULL, " wait at the barrier in train.c:120 step(), because "},
	/* it polls, unless the barrier is longer, or the sleep is under half of the loss */
	{UNEVEN_4_6 "+waits kind=sleep total_ns=33%; +waits kind=barrier total_ns=32%",
	 "imbalance 0.333 sure" STEP,
	 "0.33 of 2 threads wait in a sleep in train.c:120 step(), because thread 1 computes 20 % "
	 "longer than the average (sure); " EVENLY
	 "; if they poll for a lock, hold it for a shorter time."},
	/* without a run of one thread, it may sleep for its own reasons */
	{UNEVEN_4_6 "+waits kind=sleep total_ns=33%", "sleep 0.267 sure" STEP ", none nan sure",
	 "0.27 of 2 threads wait for a timer (sleep), in train.c:120 step() (sure); ",
	 .before = ""},
	{UNEVEN_4_6 "+waits kind=barrier total_ns=33%; +waits kind=sleep total_ns=32%",
	 "imbalance 0.333 sure" STEP, NULL, " wait at the barrier in train.c:120 step(), because "},
	{UNEVEN_4_6
	 "+waits kind=condition total_ns=33% caller=worker file=/usr/lib/python3/pool.py",
	 "imbalance 0.333 sure" NORM, NULL, " wait, because "},
	/* where they wait is not known */
	{UNEVEN_4_6 "+waits kind=futex total_ns=33% caller='' function=syscall",
	 "imbalance 0.333 sure" NORM},
	{UNEVEN_4_6 "+waits kind=sleep total_ns=16%", "imbalance 0.333 sure" NORM,
	 "0.33 of 2 threads wait, because thread 1 computes 20 % longer than the average, most in "
	 "rmsnorm_forward() (sure); " EVENLY "."},
	/* ranks wait in MPI for the last */
	{UNEVEN_4_6
	 "threads mpi_ns=waiting_ns waiting_ns=0; +mpi routine=MPI_Allreduce total_ns=9s",
	 "imbalance 0.333 sure (MPI_Allreduce())",
	 "0.33 of 2 threads wait, most in MPI_Allreduce(), because thread 1 computes 20 % "},
	/* as much as half of the loss is */
	{UNEVEN("1", "threads[0] blas_ns=25% other_ns=25% waiting_ns=50%;"
		     "+waits kind=barrier total_ns=25%"),
	 "imbalance 0.5 sure" STEP ", blas-slower 0.25 possible" SGEMM
	 ", other-slower 0.25 likely" RMSNORM},
	/* the barrier, also if it spins for as long */
	{UNEVEN("1", "threads[0] blas_ns=25% other_ns=25% waiting_ns=25% spin_ns=25%;"
		     "+waits kind=barrier total_ns=25%; threads samples_spin=50;"
		     "+functions function=spin_here code=spin samples=100"),
	 "imbalance 0.499 sure" STEP, .before = "1 1.5 .5 .5; threads blas_waiting_ns=0"},
	/* a barrier with little waiting is not named; processes are numbered in the order of their
	 * starts */
	{UNEVEN_4_6
	 "threads[0] tid=102; threads[1] pid=101; +waits kind=barrier total_ns=5% tid=100",
	 "imbalance 0.333 sure" NORM, NULL, "process 1 computes 20 % longer"},
	/* without samples it is not known whether a thread works alone */
	{UNEVEN_4_6 "threads[1] samples_blas=0 samples_other=0", "imbalance 0.333 sure" NORM},
	/* spinning of threads with even work has no other cause; with uneven work it has */
	{HALF SPIN, "spin 1 likely (wait_here())",
	 "1.00 of 2 threads spin, most in wait_here() (likely); divide ", .before = ONE},
	{HALF SPIN "; functions[3] object=/usr/lib/libgomp.so.1", "spin 1 likely (wait_here())",
	 "1.00 of 2 threads spin, most in wait_here(): one of them comes late each time, or they "
	 "meet too often (likely); divide "},
	/* half of 128 samples spin, and by chance half of these follow another one; if more than a
	 * quarter of the others do, threads spin for long each time */
	{OPENMP_SPINS "40", "spin 1 likely (wait_here())"},
	{OPENMP_SPINS "41", "imbalance 1 likely (wait_here())",
	 "1.00 of 2 threads spin, most in wait_here(), for long each time: it is not always the "
	 "same thread that comes last (likely); divide "},
	{HALF SPIN " samples_spin_again=45 samples_blas=25 samples_other=25",
	 "spin 1 likely (wait_here())"},
	{UNEVEN_4_6 SPIN_A_LITTLE "; threads[0] spin_ns=200ms waiting_ns=0",
	 "imbalance 0.333 sure (wait_here())",
	 "0.33 of 2 threads wait, spinning in wait_here(), because thread 1 computes 20 % longer "
	 "than the average"},
	{UNEVEN_4_6 "+functions function=GOMP_parallel object=/usr/lib/libgomp.so.1 samples=9",
	 "imbalance 0.333 sure" NORM, NULL,
	 "more evenly, also what is in omp single or master, or "},
	{UNEVEN_4_6 "+functions function=train+0x1f code=spin samples=100;"
		    "threads samples_spin=50; threads[0] spin_ns=200ms waiting_ns=0",
	 "imbalance 0.333 sure (train+0x1f)"},
	/* an address in OpenMP's library tells nothing */
	{UNEVEN_4_6 "+functions function=libgomp.so.1+0x1f object=/usr/lib/libgomp.so.1 code=spin "
		    "samples=100; threads samples_spin=50; threads[0] spin_ns=200ms waiting_ns=0",
	 "imbalance 0.333 sure", "0.33 of 2 threads wait, spinning, because thread 1 "},
	/* a third thread that computes a little, and makes no call, is not one of the two */
	{UNEVEN_4_6 "+threads blas_ns=50ms other_ns=50ms waiting_ns=500ms name=besides "
		    "samples_blas=250 samples_other=250 tid=102; threads_requested=2 roi_ns=700ms",
	 "imbalance 0.286 sure" NORM ", none 0.286 sure", NULL, "thread 1 computes 20 % longer"},
	/* a third thread waits most of the time: that costs the two that work nothing */
	{UNEVEN(".5",
		"threads blas_ns=250ms other_ns=250ms; +threads tid=99 blas_ns=20ms other_ns=20ms "
		"waiting_ns=460ms calls=600 samples_blas=250 samples_other=250;"
		"+waits kind=mutex total_ns=675ms tid=99; threads_requested=2 roi_ns=750ms"),
	 "none 0.56 sure, serial-part 0.053 likely, blas-slower 0.027 possible" SGEMM
	 ", other-slower 0.027 likely" RMSNORM},
	/* a thread that does nothing */
	{UNEVEN("1", "threads[0] blas_ns=0 other_ns=0 waiting_ns=1s; threads_requested=2"),
	 "imbalance 1 sure" NORM,
	 "1.00 of 2 threads wait: only 1 of them computes, most in rmsnorm_forward() (sure); see "
	 "that the program gets its thread count, as an argument or in a variable (--threads-env); "
	 "if it does, divide the work more evenly, or "},
	/* one of 4 threads computes nothing, and two of them a tenth of what the first does */
	{"4 1 .05 .05; threads blas_waiting_ns=0; threads[0] blas_ns=500ms other_ns=500ms "
	 "waiting_ns=0; threads[3] blas_ns=0 other_ns=0 waiting_ns=1s; threads_requested=4",
	 "imbalance 2.8 sure" NORM, NULL, "because thread 0 computes 233 % longer than the average",
	 .before = "1 1.2 .5 .5; threads blas_waiting_ns=0"},
	/* one thread has slightly more work, but mostly the last one varies: the sentence is that
	 * of the larger loss */
	{UNEVEN("1", "threads[0] blas_ns=330ms other_ns=330ms waiting_ns=34%;"
		     "threads[1] blas_ns=350ms other_ns=350ms waiting_ns=30%;"
		     "+waits kind=barrier waits=500 total_ns=34%;"
		     "+waits kind=barrier waits=500 total_ns=30% tid=101"),
	 "imbalance 0.64 likely" STEP, NULL, "not always the same thread",
	 .before = "1 1.36 .5 .5; threads blas_waiting_ns=0"},
	/* at the end of a task */
	{UNEVEN("1", "threads[0] blas_ns=330ms other_ns=330ms waiting_ns=34%;"
		     "threads[1] blas_ns=350ms other_ns=350ms waiting_ns=30%;"
		     "+waits kind=barrier function=GOMP_taskwait waits=500 total_ns=34%;"
		     "+waits kind=barrier function=GOMP_taskwait waits=500 total_ns=30% tid=101"),
	 "imbalance 0.64 likely" STEP,
	 "0.64 of 2 threads wait at the barrier in train.c:120 step(): its tasks are too small, or "
	 "too few (likely); let each task do more work, ",
	 .before = "1 1.36 .5 .5; threads blas_waiting_ns=0"},
	/* one does more work because the other lacks a CPU: the short wait is no imbalance */
	{TAKEN_OVER "'other_programs=0.12 CPUs: cc1 0.06, blasprof 0.05'",
	 "other-programs 0.303 sure, none 0.159 sure",
	 "0.30 of 2 threads have no CPU, because other programs use 0.12 CPUs: cc1 0.06, "
	 "blasprof 0.05 (sure); end the other programs, or give them other CPUs (taskset), and "
	 "record again."},
	{TAKEN_OVER "'other_programs=0.10 CPUs: this blasprof 0.09'",
	 "other-programs 0.303 sure, none 0.159 sure", NULL, "sample less often"},
	/* somebody else measures, too */
	{TAKEN_OVER "'other_programs=0.10 CPUs: blasprof 0.09'",
	 "other-programs 0.303 sure, none 0.159 sure", NULL, "end the other programs"},
	/* two compute for 0.45 and 0.25 s, spin for 0.05 and 0.15 s, and have no CPU for 0.1 and
	 * 0.2 s; the part of that in which they would have spun makes up for no work */
	{UNEVEN(".6", "threads[0] blas_ns=225ms other_ns=225ms spin_ns=50ms preempted_ns=100ms;"
		      "threads[1] blas_ns=125ms other_ns=125ms spin_ns=150ms preempted_ns=200ms;"
		      "+functions function=GOMP_barrier code=spin samples=300"),
	 "none 0.5 sure, imbalance 0.275 sure (GOMP_barrier()), spin 0.058 likely (GOMP_barrier())",
	 .before = "1 .7 .5 .5; threads blas_waiting_ns=0"},
	/* a thread ends early, and one that starts after it computes next to nothing, like a
	 * command that cleans up: the other thread did more work */
	{"2 1 .5 .5; threads[1] blas_ns=25% other_ns=25% waiting_ns=0 end_ns=500ms;"
	 "+threads tid=102 start_ns=900ms other_ns=10ms",
	 "imbalance 0.49 sure" NORM ", other-slower 0.26 likely" RMSNORM
	 ", blas-slower 0.25 possible" SGEMM,
	 NULL, ", because thread 0 computes 36 % longer", .before = ONE},
	/* to start two anew costs 0.1 ms each, which is less than the time between them */
	{"2 .002 .125 .125; threads flops*=.5 end_ns=.9ms waiting_ns=.4ms;"
	 "+threads each flops=5e8 calls=9 start_ns=1.1ms end_ns=2ms blas_ns=.25ms other_ns=.25ms "
	 "waiting_ns=.4ms",
	 "none 0.9 sure, barrier 0.1 likely", .before = "1 .002 .5 .5"},
	/* twice as much if they compute for less than that */
	{"2 .002 .025 .025; threads flops*=.5 end_ns=.9ms waiting_ns=.8ms;"
	 "+threads each flops=5e8 calls=9 start_ns=1.1ms end_ns=2ms blas_ns=.05ms other_ns=.05ms "
	 "waiting_ns=.8ms",
	 "none 1.6 sure, barrier 0.2 likely", .before = "1 .0004 .5 .5"},
	/* threads are started twice by two, and the first ends early each time; or one starts
	 * before the others have ended */
	{FOLLOW("375ms", "500ms"), "imbalance 0.667 sure" NORM,
	 "0.67 of 2 threads wait for the last of the threads that were started with them, most in "
	 "rmsnorm_forward() (sure); divide the work more evenly",
	 .before = ONE},
	{FOLLOW("125ms", "250ms"),
	 "none 0.333 sure, blas-slower 0.167 possible" SGEMM ", other-slower 0.167 likely" RMSNORM,
	 .before = ONE},
	/* two threads are started anew after 0.06 s or ms, in which none of them runs */
	{RESTARTS(".3"), "none 0.4 sure", .before = "1 .48 .5 .5"},
	{RESTARTS(".0003"), "barrier 0.4 likely",
	 "0.40 of 2 threads have not started or have ended: threads are started again and again, "
	 "to compute for 120 us each (likely); keep the threads",
	 .before = "1 .00048 .5 .5"},
	{RESTARTS(".0003") "; +waits kind=join total_ns=1", "barrier 0.4 likely" STEP, NULL,
	 "120 us each, and awaited in train.c:120 step()", .before = "1 .00048 .5 .5"},
	/* OpenMP does so, and no thread of the program waits for their end */
	{RESTARTS(".0003") "; +functions function=GOMP_parallel object=/usr/lib/libgomp.so.1 "
			   "code=spin file=/home/u/fit.c line=7",
	 "barrier 0.4 likely (fit.c:7 GOMP_parallel())", NULL, "by omp_set_max_active_levels(1), ",
	 .before = "1 .00048 .5 .5"},
	{RESTARTS(".0003") "; threads[1] end_ns=30% blas_ns=15% other_ns=15%", "barrier 0.5 likely",
	 .before = "1 .00045 .5 .5"},
	{RESTARTS(".0003") "; threads[3] end_ns=90% blas_ns=15% other_ns=15%", "barrier 0.5 likely",
	 .before = "1 .00045 .5 .5"},
	/* two or four threads with even work wait at a barrier, for as long as a wake-up takes or
	 * for longer */
	{WAIT_30("2", "barrier", "30000"), "barrier 0.6 likely" STEP, .before = ONE_1_4S},
	{WAIT_30("2", "barrier", "500"), "imbalance 0.6 likely" STEP, .before = ONE_1_4S},
	{WAIT_30("4", "barrier", "30000"), "barrier 1.2 likely" STEP, .before = "1 2.8 .5 .5"},
	{WAIT_30("4", "barrier", "500"), "imbalance 1.2 likely" STEP, .before = "1 2.8 .5 .5"},
	/* a file's name of 84 bytes is cut, but not inside a character */
	{"2 1 .35 .35; +waits each kind=barrier total_ns=30% waits=500 file=/home/u/x"
	 "üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü.py",
	 "imbalance 0.6 likely (xüüüüüüüüüüüüüüüüüüüüüüüüüüüüü:120 step())", .before = ONE_1_4S},
	/* a single meeting does not tell who comes last at others */
	{"2 1 .35 .35; +waits kind=barrier total_ns=30% waits=1",
	 "imbalance 0.3 likely" STEP ", none 0.3 sure" STEP,
	 "0.30 of 2 threads wait at the barrier in train.c:120 step(), for 300 ms (likely); "
	 "divide ",
	 .before = ONE_1_4S},
	/* a condition may be the program's own barrier, or an empty queue */
	{WAIT_30("2", "condition", "30000"), "barrier 0.6 likely" STEP, NULL,
	 "with more work in between; if it is a lock, hold it for a shorter time",
	 .before = ONE_1_4S},
	{WAIT_30("2", "condition", "500"), "imbalance 0.6 possible" STEP, .before = ONE_1_4S},
	/* the system call of an idle thread is no place */
	{"2 1 .35 .35; +waits each kind=futex function=syscall caller='' line=0 total_ns=30% "
	 "waits=500",
	 "imbalance 0.6 possible", "0.60 of 2 threads wait, for 600 us each time: for other ",
	 .before = ONE_1_4S},
	/* a wake-up takes less time than the waits here, and so does the work between two
	 * meetings: there is another cause */
	{"2 1 .2 .2; +waits each kind=barrier total_ns=60% waits=100",
	 "none 1.18 sure" STEP ", barrier 0.02 likely" STEP, NULL,
	 "0.02 of 2 threads wait at the barrier in train.c:120 step() to be woken, at most 100 us "
	 "each time: the cost of the meeting itself",
	 .before = "1 .8 .5 .5"},
};

TEST_EACH(test_uneven, COUNT(uneven))
{
	double spun = 0;

	check_story(&uneven[_i], ONE_1S);
	if (!strstr(uneven[_i].run, "wait_here"))
		return;
	EACH_ROW(loss, report.losses, report.nlosses)
		if (loss->threads == 2 && strstr(loss->contributor, "wait_here")) {
			ck_assert_int_eq(loss->category, CAT_SPIN);
			spun += loss->lost;
		}
	ck_assert_double_eq_tol(spun, report.causes[0].lost, 0.01);
}

#define ALONE  "0.50 of 2 threads wait while thread 0 works alone, "
#define DIVIDE "divide that work between all threads, or let it overlap with theirs"
#define REDUCES(samples, thread)                                                                   \
	UNEVEN_6_3 "+functions function=reduce samples=" samples " thread='" thread                \
		   "'; +functions function=wait_here code=spin samples=400 thread=101"
/* a function of a library, inlined into merge(), which only the first thread runs, and sort() */
#define INLINED                                                                                    \
	UNEVEN_6_3                                                                                 \
	"+functions function=put object=/lib/libm.so.6 inlined_into=store_all samples=250 "        \
	"thread=100; +functions function=put object=/lib/libm.so.6 inlined_into=store "            \
	"samples=400;"                                                                             \
	"+frames function=sort; +stacks; +frames function=store object=/lib/libm.so.6;"            \
	"+stacks parent=0; +frames function=put object=/lib/libm.so.6 inlined=1;"                  \
	"+stacks parent=1 samples_callers=400;"                                                    \
	"+frames function=merge; +stacks; +frames function=store_all object=/lib/libm.so.6;"       \
	"+stacks parent=3; +stacks parent=4 frame=2 samples_callers=250"
#define OPENMP(alone)                                                                              \
	UNEVEN_6_3                                                                                 \
	"+frames function=main; +stacks;"                                                          \
	"+frames function=GOMP_parallel object=/usr/lib/libgomp.so.1; +stacks parent=0;"           \
	"+frames function=solve; +stacks parent=1 samples_callers=400;"                            \
	"+frames function=reduce; +stacks parent=0;"                                               \
	"+stacks frame=2 parent=3 samples_callers=126;"                                            \
	"+frames function=cut_off; +stacks whole=0;"                                               \
	"+frames function=f object=''; +stacks parent=5 whole=0 samples_callers=300;"              \
	"threads[0] samples_alone=" alone
/* a program that only starts what a library does */
#define LAUNCHES(main, work)                                                                       \
	UNEVEN_6_3                                                                                 \
	"+functions samples=250 thread=100 " work "; +functions samples=300 thread=100 "           \
	"function=strlen object=/lib/libc.so.6;"                                                   \
	"+frames function=_start; +stacks; +frames function=" main "; +stacks parent=0;"           \
	"+frames " work "; +stacks parent=1 samples_callers=250;"
#define LAUNCHES_ZIP(main)                                                                         \
	LAUNCHES(main, "function=deflate object=/usr/lib/libz.so.1")                               \
	"functions[3] function=libz.so.1+0x9; +frames function=libz.so.1+0x9 "                     \
	"object=/usr/lib/libz.so.1; +stacks parent=2 samples_callers=250"
/* calls with most of the time */
#define SSYR                                                                                       \
	"+callers routine=cblas_sgemm total_ns=9s; +callers routine=ssyr_ total_ns=10s; +shapes "  \
	"routine=ssyr_ m=64 n=64 total_ns="
#define SGEMV_T "function=sgemv_t object=/usr/lib/libblas.so.3 code=blas"
#define FIRST_OF_FOUR                                                                              \
	"4 1 .15 .15; threads blas_waiting_ns=0;"                                                  \
	"threads[0] other_ns+=100ms waiting_ns-=100ms samples_blas=100 samples_other=100;"         \
	"+functions function=reduce samples=60 thread=100 line=1; cpus_available=4;"
#define IN_TURN(kind)                                                                              \
	HALF "threads waiting_ns=0; threads[0] tid=101 end_ns=500ms;"                              \
	     "threads[1] tid=102 start_ns=500ms; +threads tid=100 waiting_ns=1s;"                  \
	     "+waits kind=sleep total_ns=100% tid=100 line=7;"                                     \
	     "+waits kind=" kind " total_ns=90% tid=100; threads_requested=2"
/* snapshot() of the program calls write_array() of this object. */
#define WRITES(object)                                                                             \
	UNEVEN_6_3 "+functions function=write_array samples=250 thread=100 object=" object         \
		   "; +frames function=snapshot; +stacks; +frames function=write_array "           \
		   "object=" object "; +stacks parent=0 samples_callers=250"
#define HANDS_OUT     "+threads tid=200 other_ns=250ms waiting_ns=750ms samples_blas="
#define ONE_HANDS_OUT ONE "; " HANDS_OUT "473 samples_other=527; threads_requested=1"
#define WORKS_ALONG                                                                                \
	"facts blas_threads=2; +threads tid=110; threads[0] samples_blas=600;"                     \
	"threads_requested=2;"
#define INSIDE_BLAS "1 .83333333 1 0; " WORKS_ALONG "threads[1] samples_blas=200"
#define IDLE_INSIDE                                                                                \
	"0.67 of 2 threads have nothing to do inside BLAS calls, which keep 1.3 threads busy, "    \
	"most in cblas_sgemm NT 64 x 64 x 64 (likely); give BLAS fewer threads, or larger "        \
	"matrices."
#define A_TENTH "1 1 1 0; " WORKS_ALONG "threads[1] waiting_ns=1s; threads[0] samples_blas="

#define ONLY_ONE(beside)                                                                           \
	UNEVEN("1", "threads[1] blas_ns=0 other_ns=" beside " waiting_ns=1s waiting_ns-=" beside   \
		    " samples_blas=0 samples_other=0; functions samples=0; +functions "            \
		    "function=solve samples=500 thread=100; threads_requested=2")

#define ON_GPU                                                                                     \
	"threads[0] blas_ns=350ms other_ns=350ms spin_ns=300ms samples_blas=350 "                  \
	"samples_other=350 samples_spin=300; +functions function=cuStreamSynchronize code=spin "   \
	"samples=300"

static const struct story serial[] = {
	/* the busier thread, with 0.6 s and 500 samples, has all its additional samples in a
	 * function that only it ran; or all its samples; or too few of them. Spinning alone is not
	 * working alone. */
	{REDUCES("250", "100"), "serial-part 0.5 likely (reduce())",
	 ALONE "most in reduce() (likely); " DIVIDE "."},
	{REDUCES("250", ""), "imbalance 0.5 sure" NORM},
	{REDUCES("250", "100") "; functions[3] function=GOMP_parallel",
	 "barrier 0.5 likely (GOMP_parallel())",
	 ALONE "most in GOMP_parallel(): it starts and ends parallel regions (likely); make the "
	       "regions larger, so that there are fewer."},
	{REDUCES("250", "101"), "imbalance 0.5 sure" NORM},
	/* likewise if the other thread, too, runs a function that no other runs */
	{REDUCES("300", "100") "; +functions function=solve samples=300 thread=101",
	 "imbalance 0.5 sure (reduce())", NULL,
	 " computes 33 % longer than the average, in reduce()"},
	{REDUCES("126", "100"), "serial-part 0.5 likely (reduce())"},
	{REDUCES("124", "100"), "imbalance 0.5 sure" NORM},
	/* it computes more than half of its additional work outside the parallel regions of OpenMP,
	 * or less; the function there that the others run too is not named */
	{OPENMP("124"), "imbalance 0.5 sure" NORM},
	{OPENMP("126"), "serial-part 0.5 likely (reduce())"},
	{OPENMP("126; frames[3] function=app+0x12"), "serial-part 0.5 likely (app+0x12)"},
	/* with the line that has most samples, or the first of them */
	{OPENMP("126; +functions function=reduce samples=9 file=/home/u/fit.c line=7; "
		"+functions function=reduce samples=10 file=/home/u/fit.c line=9"),
	 "serial-part 0.5 likely (fit.c:9 reduce())"},
	{OPENMP("126; +functions function=reduce samples=10 file=/home/u/fit.c line=7; "
		"+functions function=reduce samples=10 file=/home/u/fit.c line=9"),
	 "serial-part 0.5 likely (fit.c:7 reduce())"},
	/* of the function's code, all that has a line is inlined */
	{OPENMP("126; +functions function=fold inlined_into=reduce samples=10 file=/home/u/fit.c "
		"line=7; +functions function=add inlined_into=reduce samples=9 file=/home/u/fit.c "
		"line=9"),
	 "serial-part 0.5 likely (fit.c:7 fold())"},
	/* not the standard library's, which tells nothing */
	{OPENMP("126; +functions function=std::swap inlined_into=reduce samples=20 "
		"file=/usr/include/c++/12/bits/move.h line=205"),
	 "serial-part 0.5 likely (reduce())"},
	{OPENMP("126; +functions function=fold inlined_into=reduce samples=10 file=/home/u/fit.c "
		"line=7; +functions function=std::swap inlined_into=reduce samples=20 "
		"file=/usr/include/c++/12/bits/move.h line=205"),
	 "serial-part 0.5 likely (fit.c:7 fold())"},
	{OPENMP("126; frames[3] function=app+0x12; +frames function=deflate "
		"object=/usr/lib/libz.so.1;"
		"+stacks parent=3; +frames function=libz.so.1+0x9 object=/usr/lib/libz.so.1;"
		"+stacks parent=7 samples_callers=200"),
	 "serial-part 0.5 likely (deflate())"},
	/* what only starts it is not named, but what it does there: a function that is not the C
	 * library's, or BLAS calls if most of it is in these */
	{LAUNCHES("main", "function=eval object=/usr/lib/libR.so"),
	 "serial-part 0.5 likely (eval())"},
	{LAUNCHES("octave+0x22", "function=eval object=/usr/lib/liboctinterp.so"),
	 "serial-part 0.5 likely (eval())"},
	/* a parallel region of the library, which has no symbol of its own */
	{LAUNCHES(
		 "app+0x12",
		 "function=deflate object=/usr/lib/libz.so.1") "functions[3] "
							       "function=libz.so.1+0x9; +frames "
							       "function=GOMP_parallel "
							       "object=/usr/lib/libgomp.so.1; "
							       "+stacks parent=2; +frames "
							       "function=libz.so.1+0x9 "
							       "object=/usr/lib/libz.so.1; +stacks "
							       "parent=3 samples_callers=260",
	 "serial-part 0.5 likely (deflate())"},
	{LAUNCHES_ZIP("app+0x22"), "serial-part 0.5 likely (deflate())"},
	/* a main() without a symbol, of which the samples seem to be in _start() */
	{LAUNCHES_ZIP("_start"), "serial-part 0.5 likely (deflate())"},
	/* most of it is in a library, and the stacks end before the program's own code: what calls
	 * other code, with fewer samples, is not named */
	{UNEVEN_6_3 "+functions function=factorize object=/usr/lib/libcholmod.so.4 samples=200 "
		    "thread=100; +functions function=libz.so.1+0x9 object=/usr/lib/libz.so.1 "
		    "samples=50 thread=100; +frames function=deflate object=/usr/lib/libz.so.1; "
		    "+stacks; +frames function=libz.so.1+0x9 object=/usr/lib/libz.so.1; "
		    "+stacks parent=0 samples_callers=50",
	 "serial-part 0.5 likely (factorize())"},
	{LAUNCHES("main", SGEMV_T) "functions[4] samples=200", "serial-part 0.5 likely" SGEMM},
	{LAUNCHES("main", SGEMV_T) "functions[4] samples=200; " SSYR "5s",
	 "serial-part 0.5 likely (ssyr_())"},
	{LAUNCHES("main", SGEMV_T) "functions[4] samples=200; " SSYR "5.1s",
	 "serial-part 0.5 likely (ssyr_ 64 x 64)"},
	{LAUNCHES("fit", SGEMV_T) "functions[4] samples=200", "serial-part 0.5 likely (fit())"},
	{UNEVEN_6_3 "+functions function=python3+0x9 samples=250 thread=100;"
		    "+frames function='sort (fit.py:4)' object=/home/u/fit.py; +stacks;"
		    "+frames function=python3+0x9 object=/usr/bin/python3;"
		    "+stacks parent=0 samples_callers=250",
	 "serial-part 0.5 likely (fit.py:4 sort())"},
	{UNEVEN_6_3 "+functions function=sort object=/home/u/fit.py samples=240 thread=100;"
		    "+functions function=python3+0x9 samples=10 thread=100;"
		    "+frames function='sort (fit.py:4)' object=/home/u/fit.py; +stacks "
		    "samples_callers=240; +frames function=python3+0x9 object=/usr/bin/python3; "
		    "+stacks samples_callers=10",
	 "serial-part 0.5 likely (fit.py:4 sort())"},
	/* a function that is inlined into two others is told apart by these */
	{INLINED, "serial-part 0.5 likely (merge())"},
	{UNEVEN_6_3 "+functions function=put inlined_into=merge samples=250 thread=100; +functions "
		    "function=put inlined_into=sort samples=400; +frames function=merge; +stacks;"
		    "+frames function=put inlined=1; +stacks parent=0 samples_callers=250",
	 "serial-part 0.5 likely (merge())"},
	/* what calls Go's runtime */
	{UNEVEN_6_3 "+functions function=runtime.memclr samples=250 thread=100; +frames "
		    "function=main.readAll; +stacks; +frames function=runtime.memclr;"
		    "+stacks parent=0 samples_callers=250",
	 "serial-part 0.5 likely (main.readAll())"},
	/* that of one function, inlined into main(), beside one that calls a library */
	{UNEVEN_6_3 "+functions function=combine inlined_into=main samples=250 thread=100; "
		    "+functions function=start object=/usr/lib/libx.so samples=2 thread=100; "
		    "+frames function=main; +stacks; +frames function=combine inlined=1; +stacks "
		    "parent=0 samples_callers=250; +frames function=mul; +stacks parent=0;"
		    "+frames function=start object=/usr/lib/libx.so; +stacks parent=2 "
		    "samples_callers=2",
	 "serial-part 0.5 likely (combine())"},
	/* libraries are known by their places and, as those of compilers, by their names */
	{WRITES("/home/u/gcc/lib64/libgfortran.so.5"), "serial-part 0.5 likely (snapshot())"},
	{WRITES("/home/u/miniconda3/lib/libz.so.1"), "serial-part 0.5 likely (snapshot())"},
	{WRITES("/opt/z/lib/libz.so.1"), "serial-part 0.5 likely (snapshot())"},
	{WRITES("/home/u/fit/libfit.so"), "serial-part 0.5 likely (write_array())"},
	/* a function of a standard library, compiled into the program, is not named either */
	{LAUNCHES("fit", "function='<f64>::cos'"), "serial-part 0.5 likely (fit())"},
	/* of 4 threads the first works 0.1 s longer, for which 3 wait; the rest of their waiting
	 * has another cause. If it is blocked in BLAS, that does not count as work. */
	{FIRST_OF_FOUR,
	 "none 2.356 sure, serial-part 0.295 likely (reduce()), other-slower 0.049 likely (:1 "
	 "reduce())",
	 .before = "1 1.3 .5 .5"},
	{FIRST_OF_FOUR "threads[0] blas_ns+=100ms waiting_ns-=100ms blas_waiting_ns=100ms",
	 "none 2.3 sure, serial-part 0.3 likely (reduce()), blas-queue 0.05 likely" SGEMM
	 ", other-slower 0.05 likely (:1 reduce())",
	 .before = "1 1.3 .5 .5"},
	/* the second thread starts later: the first does more than half of its additional work
	 * before that, or less */
	{UNEVEN_6_3 "threads[1] start_ns=140ms waiting_ns-=140ms", "imbalance 0.5 sure" NORM},
	{UNEVEN_6_3 "threads[1] start_ns=160ms waiting_ns-=160ms", "serial-part 0.5 likely",
	 ALONE "53 % of it before the others have started (likely); " DIVIDE
	       "; if it is done only once, measure a longer run."},
	{REDUCES("250", "100") "; threads[1] start_ns=150ms waiting_ns-=150ms",
	 "serial-part 0.5 likely (reduce())",
	 ALONE "50 % of it before the others have started, most in reduce() (likely); " DIVIDE "."},
	{REDUCES("250", "100") "; threads[1] start_ns=3ms waiting_ns-=3ms",
	 "serial-part 0.5 likely (reduce())", NULL, "alone, 1 % of it before"},
	/* the second thread does nothing at all */
	{ONLY_ONE("0"), "serial-part 1 likely (solve())",
	 "1.00 of 2 threads have nothing to do: a single thread ",
	 "see that the program gets its thread count", .before = ONE_1S},
	/* nor does the first, while it waits for a GPU */
	{ONLY_ONE("0") "; " ON_GPU,
	 "serial-part 0.7 likely (solve()), gpu 0.3 sure (cuStreamSynchronize())", NULL,
	 "0.30 of 2 threads have nothing to do while a single thread waits for a GPU, spinning in ",
	 .before = ONE_1S "; " ON_GPU},
	/* so that parallel regions have only one */
	{UNEVEN("1", "threads[1] blas_ns=0 other_ns=0 waiting_ns=1s samples_blas=0 samples_other=0;"
		     "functions samples=0; +functions function=GOMP_parallel samples=500 "
		     "thread=100; threads_requested=2"),
	 "serial-part 1 likely (GOMP_parallel())", NULL,
	 "see that the program gets its thread count", .before = ONE_1S},
	/* or next to nothing: less than 1 % of what the first does */
	{ONLY_ONE("9ms"), "serial-part 1 likely (solve())",
	 "1.00 of 2 threads have nothing to do: a single thread ", .before = ONE_1S},
	{ONLY_ONE("11ms"), "serial-part 1 likely (solve())",
	 "1.00 of 2 threads wait while thread 0 works alone, ", .before = ONE_1S},
	/* the main thread starts the second of two threads when the first has ended */
	{IN_TURN("join"), "serial-part 1 likely" STEP,
	 "1.00 of 2 threads have nothing to do: each thread is started when the one before has "
	 "ended, most in train.c:120 step() (likely); start all before you wait for the first; "
	 "what std::async() returns waits when it is discarded.",
	 .before = ONE},
	{IN_TURN("futex"), "serial-part 1 likely" STEP, .before = ONE},
	/* a third thread hands out work to two others, which wait for it: 0.25 of 1.25 s on one
	 * thread were its part; with two, as much is lost by waiting */
	{HALF HANDS_OUT "236 samples_other=264; threads_requested=2;"
			"+waits kind=condition total_ns=50%;"
			"+waits kind=condition total_ns=50% tid=101",
	 "serial-part 0.5 likely, imbalance 0.5 possible" STEP, NULL,
	 " are lost to thread 2, which works in addition to them, or wait for it",
	 .before = ONE_HANDS_OUT},
	/* a function that only it runs, with less than a twentieth of its samples, is no place */
	{HALF HANDS_OUT "236 samples_other=264; threads_requested=2;"
			"+functions function=share samples=25 thread=200",
	 "serial-part 0.5 likely (share()), none 0.5 sure", .before = ONE_HANDS_OUT},
	{HALF HANDS_OUT "236 samples_other=264; threads_requested=2;"
			"+functions function=share samples=24 thread=200",
	 "serial-part 0.5 likely, none 0.5 sure", .before = ONE_HANDS_OUT},
	/* likewise if the two lack a CPU because of it, for a twentieth of their time */
	{HALF
	 "threads preempted_ns=5% waiting_ns-=5% switch_preempted_ns=5% switch_own_ns=5%;" HANDS_OUT
	 "236 samples_other=264; threads_requested=2",
	 "serial-part 0.5 likely, none 0.4 sure, oversubscribed 0.1 sure", .before = ONE_HANDS_OUT},
	/* likewise if they poll */
	{HALF HANDS_OUT "236 samples_other=264; threads_requested=2;"
			"+waits each kind=sleep total_ns=50%",
	 "serial-part 0.5 likely, sleep 0.5 sure" STEP, .before = ONE_HANDS_OUT},
	/* but the evidence for a lock is plainer */
	{HALF HANDS_OUT "236 samples_other=264; threads_requested=2;"
			"+waits each kind=mutex total_ns=50%",
	 "lock 0.75 sure" STEP ", serial-part 0.25 likely", .before = ONE_HANDS_OUT},
	/* a single caller is always in BLAS, with a quarter of the samples in the second thread:
	 * 4/3 threads compute, and it is 1.2 times as fast as one thread. The cause is found
	 * without a run of one thread, too. */
	{INSIDE_BLAS, "serial-part 0.667 likely" SGEMM ", blas-slower 0.133 possible" SGEMM,
	 IDLE_INSIDE, " 11 % longer than ", .before = "1 1 1 0"},
	{INSIDE_BLAS, "serial-part 0.667 likely" SGEMM ", none nan sure", IDLE_INSIDE,
	 .before = ""},
	/* calls that BLAS divides between threads take longer than on one thread */
	{"1 1.2 1 0; " WORKS_ALONG "threads[1] samples_blas=600", "blas-slower 1.167 likely" SGEMM,
	 "1.17 of 2 threads are lost to BLAS calls that take longer than on one thread: to divide "
	 "them costs more than it gains",
	 .before = "1 1 1 0"},
	{"1 1 1 0; " WORKS_ALONG "threads[1] samples_blas=600", "blas-slower 1 possible" SGEMM,
	 "1.00 of 2 threads are lost to BLAS calls that take 100 % longer than on one thread",
	 .before = "1 1 1 0"},
	/* a tenth of the threads is idle inside calls; with few samples that may be chance */
	{A_TENTH "180; threads[1] samples_blas=144",
	 "serial-part 0.2 likely" SGEMM ", none nan sure", .before = ""},
	{A_TENTH "170; threads[1] samples_blas=136", "none nan sure", .before = ""},
};

TEST_EACH(test_serial, COUNT(serial))
{
	check_story(&serial[_i], ONE_0_9S);
}

#define CEILINGS                                                                                   \
	"facts 'ceilings=cpus=2 peak_single_1=1e11 peak_single_all=2e11 peak_double_1=1e11 "       \
	"peak_double_all=2e11 memory_1=1e10 memory_all=1e10';"

#define POOL_WORKS                                                                                 \
	"2 1 .75 .25; facts blas_threads=2; +threads tid=110 samples_blas=400 waiting_ns=1s;"
#define POOL_SPINS                                                                                 \
	"2 1 .75 .25; +functions function=blas_thread_server object=/usr/lib/libopenblas.so.0 "    \
	"code=spin samples=900; facts blas_threads=2 blas_path=/usr/lib/libopenblas.so.0;"
#define AWAITED(object, samples)                                                                   \
	"2 1 .75 .25; facts blas_threads=2; +functions function=__sched_yield code=blas "          \
	"object=" object " samples=" samples
#define MEMORY                                                                                     \
	"1.00 of 2 threads are lost to BLAS calls that take 3.0 times as long as on one thread, "  \
	"the fastest as well as the slowest: memory, caches or the clock rate, most in "           \
	"cblas_sgemm NT 64 x 64 x 64 (possible); to find out which, "                              \
	"try --what-if=units=1."
#define ONE_THREAD                                                                                 \
	"let BLAS run on the caller's thread: set OPENBLAS_NUM_THREADS=1 (a call in the program "  \
	"overrides that)"
#define COMPETE "1.00 of 2 threads lack a CPU or spin: OpenMP's 2 threads and OpenBLAS's "
#define GOMP	"/usr/lib/libgomp.so.1.0.0"
#define TWO_POOLS(object, layer)                                                                   \
	HALF "+functions function=wait_here code=spin samples=100 object=" object                  \
	     "; threads spin_ns=waiting_ns waiting_ns=0 samples_spin=50;"                          \
	     "threads switch_own_ns=0; +threads tid=110 samples_blas=400 waiting_ns=600ms "        \
	     "preempted_ns=400ms switch_own_ns=400ms; facts blas_threads=2 blas_layer=" layer
#define POOL_CALLED_BY(object, samples)                                                            \
	"; +frames function=start object=/usr/lib/" object "; +stacks;"                            \
	"+frames function=kernel code=blas; +stacks parent=0 samples_others=" samples              \
	" samples_callers=200; +stacks frame=1 samples_others=50"
#define SWITCHES(waits)                                                                            \
	"2 1 .25 .35; functions[2] samples=700; +waits each kind=mutex total_ns=40% waits=" waits
#define BLOCKED(share)                                                                             \
	"2 .75 .65 .35; threads blas_waiting_ns=0; +waits each kind=other in_blas=1 "              \
	"total_ns=" share
#define STANDARD(threads)                                                                          \
	threads " 1 0 1; functions samples=0; +functions function=scan object=/home/u/fit "        \
		"samples=900 file=fit.cc line=7 inlined_into='std::thread::_State_impl<"           \
		"std::thread::_Invoker<std::tuple<all<Stats>(int)::{lambda()#1}> > >::_M_run';"    \
		"+frames function=scan object=/home/u/fit; +stacks samples_callers=900"
#define IN_KERNEL(samples, more)                                                                   \
	"2 .75 .65 .35; +functions function=clear_page_erms object=[kernel] code=blas "            \
	"samples=" samples "; " more
#define LOCKED(samples, kernel)                                                                    \
	"2 .75 .65 .35; +functions function=__pthread_mutex_lock object=/lib/libc.so.6 code=blas " \
	"samples=" samples "; +functions function=spin_lock_slowpath object=[kernel] code=blas "   \
	"samples=" kernel "; +frames function=futex_wait object=[kernel] code=kernel; +stacks;"    \
	"+frames function=spin_lock_slowpath object=[kernel] code=kernel;"                         \
	"+stacks parent=0 frame=1 samples_callers=9; "
#define TWO_FOR_ONE                                                                                \
	"1 1 .5 .5; threads_requested=1; +threads tid=110 other_ns=50% samples_other=500"
#define LOST_BY(object, samples)                                                                   \
	"2 .75 .35 .65; functions[1] samples+=300; samples+=600 samples_attributed+=600;"          \
	"+functions function=pvm_irq_enable samples=" samples " object=" object ";"
#define OTHER_SLOWER(place) "other-slower 0.633 likely" place ", blas-slower 0.033 possible" SGEMM
#define HALVES		    "functions[1] samples=512; functions[2] samples=512"
#define CACHES		    "look at how they share caches and memory"
#define PIECES(task, step)                                                                         \
	"2 .75 .3333333334 .6666666667; threads blas_waiting_ns=0; samples+=500;"                  \
	"samples_attributed+=500;"                                                                 \
	"+functions function=GOMP_task object=/lib/libgomp.so.1 samples=" task                     \
	"; +functions function=step samples=" step
#define CALLED_BY_STEP                                                                             \
	"; +frames function=step; +stacks; +stacks parent=0 frame=1 samples_callers=9;"            \
	"+frames object=/lib/libgomp.so.1 function="
#define LOCKS_BELOW(parent)                                                                        \
	PIECES("50", "100")                                                                        \
	"; functions[3] function=__lll_lock_wait object=libc.so.6; +functions "                    \
	"function=do_syscall_64 object=[kernel] code=kernel samples=350" CALLED_BY_STEP            \
	"__lll_lock_wait object=libc.so.6; +frames function=do_syscall_64 object=[kernel] "        \
	"code=kernel; +stacks parent=" parent " frame=2 samples_callers=9"
#define KERNEL_LOCKS                                                                               \
	"+functions function=spin_lock_slowpath object=[kernel] code=kernel "                      \
	"samples=350" CALLED_BY_STEP                                                               \
	"step2 object=libc.so.6; +frames function=futex_wait object=[kernel] code=kernel; "        \
	"+frames function=spin_lock_slowpath object=[kernel] code=kernel; +stacks parent=1 "       \
	"frame=2; +stacks parent=2 frame=3 samples_callers=9"
#define INTERPRETED(function, more, script, line)                                                  \
	"2 .75 .35 .65; functions[1] object=/usr/bin/python3.11 function=" function                \
	"; +functions function=PyLong_Add object=/usr/bin/python3.11 samples=" more                \
	"; +frames function=step; +stacks samples_callers=1;"                                      \
	"+frames object=" script " function='" line                                                \
	"'; +stacks parent=0 frame=1 samples_callers=9"
/* the same through inlined code of the C++ library */
#define CALLED_INLINED                                                                             \
	"; +frames function=step; +stacks; +frames function=__gthread_mutex_lock; "                \
	"+stacks parent=0 frame=1; +stacks parent=1 frame=2 samples_callers=9;"                    \
	"+frames object=/lib/libgomp.so.1 function="

#define MIXED "2 .75 .5 .5; threads calls*=2 flops*=1.2"
static const struct story slower[] = {
	{"2 .75 .35 .65; functions[1] file=/home/u/train.c line=7",
	 OTHER_SLOWER(" (train.c:7 rmsnorm_forward())")},
	/* beside a function with fewer samples and a name as long */
	{"2 .75 .35 .65; functions[1] file=/home/u/train.c line=7; +functions "
	 "function=softmax_forward "
	 "object=train file=/home/u/train.c line=3 code=other samples=290 thread=100",
	 OTHER_SLOWER(" (train.c:7 rmsnorm_forward())"),
	 .before = ONE "; +functions function=softmax_forward object=train code=other samples=1500 "
		       "thread=100"},
	/* BLAS has a thread of its own in addition to two callers, whose calls take longer, on 2 or
	 * 3 CPUs. It works, or is only seen spinning; then the setting tells the number of threads,
	 * if there is no other library. */
	{POOL_WORKS, "blas-slower 1 possible" SGEMM, NULL, ONE_THREAD},
	{POOL_WORKS "cpus_available=3", "blas-slower 1 possible" SGEMM, MEMORY},
	{POOL_WORKS "cpus_available=3; facts sampler_event=cycles", "blas-slower 1 possible" SGEMM,
	 NULL,
	 "to find out which, add -e cycles,instructions,cache-misses or try --what-if=units=1"},
	{POOL_SPINS, "blas-slower 1 possible" SGEMM, NULL, ONE_THREAD},
	{POOL_SPINS "cpus_available=3", "blas-slower 1 possible" SGEMM, MEMORY},
	{POOL_SPINS "facts blas_path=/lib/libblas.so.3", "blas-slower 1 possible" SGEMM, NULL,
	 ONE_THREAD},
	{POOL_SPINS "facts blas_2=MKL", "blas-slower 1 possible" SGEMM, MEMORY},
	/* or callers are in calls, and most of that in the kernel or the C library, so they wait */
	{AWAITED("[kernel]", "501"), "blas-slower 1 possible" SGEMM,
	 "1.00 of 2 threads are lost to BLAS calls that take 3.0 times as long as on one thread, "
	 "the fastest as well as the slowest: most of that is waiting for BLAS's own threads, most "
	 "in",
	 ONE_THREAD},
	{AWAITED("/lib/libc.so.6", "501"), "blas-slower 1 possible" SGEMM, NULL, ONE_THREAD},
	{AWAITED("/lib/libc.so.6", "500"), "blas-slower 1 possible" SGEMM, MEMORY},
	{AWAITED("/lib/libblas.so", "501"), "blas-slower 1 possible" SGEMM, MEMORY},
	/* although there is a CPU for each */
	{AWAITED("/lib/libc.so.6", "501; cpus_available=3"), "blas-queue 1 likely" SGEMM,
	 "1.00 of 2 threads wait for one another inside BLAS calls, which share BLAS's own "
	 "threads, most in ",
	 ONE_THREAD},
	{AWAITED("/lib/libc.so.6", "499; cpus_available=3"), "blas-slower 1 possible" SGEMM,
	 MEMORY},
	{IN_KERNEL("400", "cpus_available=3; facts blas_threads=2; +threads tid=110 "
			  "samples_blas=400"),
	 BLAS_SLOWER("possible"), .before = ONE_1S},
	{LOCKED("60", "110") "cpus_available=3; facts blas_threads=2; +threads tid=110 "
			     "samples_blas=400",
	 "blas-queue 0.633 likely" SGEMM ", other-slower 0.033 likely" RMSNORM, .before = ONE_1S},
	/* there is a BLAS worker, and code of libgomp or not, with one CPU too few or enough */
	{TWO_POOLS("/home/u/train", "pthreads"), "spin 1 likely (wait_here())"},
	{TWO_POOLS(GOMP, "pthreads"), "pools-compete 1 likely (wait_here())",
	 COMPETE
	 "2 compete for 2 CPUs (likely); set OMP_WAIT_POLICY=passive, or OPENBLAS_NUM_THREADS=1."},
	{TWO_POOLS(GOMP, "pthreads; facts blas_threads=16"), "pools-compete 1 likely (wait_here())",
	 COMPETE
	 "16 compete for 2 CPUs (likely); set OMP_WAIT_POLICY=passive, or OPENBLAS_NUM_THREADS=1."},
	{TWO_POOLS(GOMP, "pthreads; facts blas_threads="), "pools-compete 1 likely (wait_here())",
	 COMPETE "2 compete for 2 CPUs"},
	/* they do not have the CPUs that other programs use */
	{TWO_POOLS(GOMP,
		   "pthreads; threads[0] preempted_ns=spin_ns spin_ns=0 switch_preempted_ns=500ms "
		   "switch_own_ns=125ms; cpus_allowed=2 others_ns=1s"),
	 "pools-compete 0.625 likely (wait_here()), other-programs 0.375 sure"},
	/* little of it is spinning, but calls take longer */
	{TWO_POOLS(GOMP, "pthreads; threads[0] spin_ns=5ms blas_ns=745ms;"
			 "threads[1] spin_ns=5ms blas_ns=745ms"),
	 "pools-compete 1 likely (wait_here())"},
	{TWO_POOLS(GOMP, "pthreads; cpus_available=3"), "spin 1 likely (wait_here())"},
	{TWO_POOLS(GOMP, "pthreads") "; +functions function=pool code=spin samples=200 "
				     "object=/usr/lib/libopenblas.so.0",
	 "pools-compete 1 likely (pool())", NULL,
	 "set OPENBLAS_NUM_THREADS=1, or lower than now: the threads that spin are the library's"},
	{TWO_POOLS(GOMP, "OpenMP"), "spin 1 likely (wait_here())"},
	/* each thread has a CPU when it needs one */
	{TWO_POOLS(GOMP, "pthreads; threads[2] switch_own_ns=0"), "spin 1 likely (wait_here())"},
	/* MKL's pool is OpenMP's, whatever the layer of the library that was called first */
	{TWO_POOLS(GOMP, "pthreads") POOL_CALLED_BY("libgomp.so.1", "51"),
	 "spin 1 likely (wait_here())"},
	{TWO_POOLS(GOMP, "pthreads") POOL_CALLED_BY("libgomp.so.1", "50"),
	 "pools-compete 1 likely (wait_here())"},
	{TWO_POOLS(GOMP, "pthreads") POOL_CALLED_BY("libc.so.6", "51"),
	 "pools-compete 1 likely (wait_here())"},
	/* Python's interpreter takes longer, in one of its functions, or in several: the place is
	 * the line of the script that most of its stacks come from. Not if it has less than half
	 * of the loss. */
	{INTERPRETED("interpret", "0", "/home/u/e.py", "table (e.py:6)"),
	 OTHER_SLOWER(" (e.py:6 table())")},
	{INTERPRETED("interpret", "0", "'/home/u/e (1).py'", "table (e (1).py:6)"),
	 OTHER_SLOWER(" (e (1).py:6 table())")},
	{INTERPRETED("interpret file=ceval.c line=9", "0", "/home/u/e.py", "table (e.py:6)"),
	 OTHER_SLOWER(" (e.py:6 table())")},
	{INTERPRETED("interpret", "310", "/home/u/e.py", "table (e.py:6)"),
	 OTHER_SLOWER(" (e.py:6 table())")},
	{INTERPRETED("interpret",
		     "150; functions[1] samples=150; +functions function=PyDict_GetItem "
		     "object=/usr/bin/python3.11 samples=150",
		     "/home/u/e.py", "table (e.py:6)"),
	 OTHER_SLOWER(" (e.py:6 table())")},
	{INTERPRETED("interpret", "310", "/usr/bin/python3.11", "PyNumber_Multiply"),
	 OTHER_SLOWER(" (step())")},
	{INTERPRETED("rmsnorm_forward", "100; functions[1] object=train samples=250",
		     "/home/u/e.py", "table (e.py:6)"),
	 OTHER_SLOWER("")},
	/* code of a library takes longer: where the program calls it, if stacks tell */
	{"2 .75 .35 .65; functions[1] function=sin object=/usr/lib/libm.so.6",
	 OTHER_SLOWER(" (sin (libm.so.6))")},
	{"2 .75 .35 .65; functions[1] function=sin object=/usr/lib/libm.so.6;"
	 "+frames function=assemble; +stacks samples_callers=60;"
	 "+frames function=sin object=/usr/lib/libm.so.6; +stacks parent=0 samples_callers=140",
	 OTHER_SLOWER(" (assemble())"), .sentence = ", most in assemble() (sin)"},
	/* or of templates that are compiled into the program */
	{"2 .75 .35 .65; functions[1] function=Eigen::padd; +frames function=assemble; +stacks;"
	 "+frames function=Eigen::padd; +stacks parent=0 samples_callers=140",
	 OTHER_SLOWER(" (assemble())"), .sentence = ", most in assemble() (Eigen::padd)"},
	{"2 .75 .35 .65; functions[1] function=std::thread::run; +frames function=assemble; "
	 "+stacks;"
	 "+frames function=std::thread::run; +stacks parent=0 samples_callers=140",
	 OTHER_SLOWER(" (assemble())"), .sentence = ", most in assemble() (likely)"},
	/* also if that is inlined into a function of the program */
	{"2 .75 .35 .65; functions[1] function=std::floor inlined_into=tally line=261 "
	 "file=/usr/include/c++/12/cmath",
	 OTHER_SLOWER(" (tally())"), .sentence = ", most in tally() (likely)"},
	{"2 1.5 .5 .5", BOTH_SLOWER("0.667"), NULL,
	 "takes 3.0 times as much CPU time for each unit of work as on one thread"},
	/* code made at run time, without names */
	{"2 .75 .35 .65; functions[1] function=[unknown] object=[anon]", OTHER_SLOWER("")},
	/* the kernel's time to block and to wake threads belongs to the wait, up to 50 us each
	 * time: other code takes 0.2 threads more, with 700 samples of 1,000 in the kernel, not 200
	 * of 500; 2,000 times 50 us are 0.1 */
	{SWITCHES("10000"), "lock 1 sure" STEP},
	{SWITCHES("1000"), "lock 0.9 sure" STEP ", other-slower 0.1 likely ([unknown] ([kernel]))"},
	{SWITCHES("10000; waits[1] kind=sleep"), "lock 0.545 sure" STEP ", sleep 0.455 sure" STEP},
	/* calls take longer because they are blocked, as the table of waits shows; the clocks do
	 * not show it */
	{BLOCKED("10%"), BLAS_SLOWER("possible"), .before = ONE_1S}, /* of 65 - 33 */
	{BLOCKED("30%"), "blas-queue 0.633 likely" SGEMM ", other-slower 0.033 likely" RMSNORM,
	 .before = ONE_1S},
	/* or because they share BLAS's own threads, which have CPUs of their own */
	{BLOCKED("30%") "; facts blas_threads=2 cpus_available=16; +threads tid=110 "
			"samples_blas=400 waiting_ns=1s",
	 "blas-queue 0.633 likely" SGEMM ", other-slower 0.033 likely" RMSNORM,
	 "0.63 of 2 threads wait for one another inside BLAS calls, which share BLAS's own "
	 "threads, most in "
	 "cblas_sgemm ",
	 ONE_THREAD, .before = ONE_1S},
	/* or because of page faults: calls take twice the time, and more than half of what they
	 * take longer is in the kernel, or not; or BLAS's own threads may be what it waits for */
	{IN_KERNEL("170", ""), BLAS_SLOWER("likely"),
	 TAKE_95
	 "most of that is in the kernel, as for page faults in new memory, most in cblas_sgemm ",
	 "allocate the operands once, and use their memory again", .before = ONE_1S},
	/* or most of it is in a lock of the library; not if the kernel works for another reason */
	{LOCKED("60", "110"), "lock 0.633 likely" SGEMM ", other-slower 0.033 likely" RMSNORM,
	 TAKE_95 "most of that is to take and to release a lock of the library, as for its work "
		 "space, most in cblas_sgemm ",
	 "make fewer and larger calls", .before = ONE_1S},
	{LOCKED("100", "40"), BLAS_SLOWER("possible"), NULL, "to find out which, try --what-if",
	 .before = ONE_1S},
	{LOCKED("60", "110") "frames[0] function=page_fault", BLAS_SLOWER("possible"), NULL,
	 "to find out which, try --what-if", .before = ONE_1S},
	{LOCKED("60", "110") "facts blas_threads=2; +threads tid=110 samples_blas=400",
	 BLAS_SLOWER("possible"), .before = ONE_1S},
	{IN_KERNEL("140", ""), BLAS_SLOWER("possible"), NULL, "to find out which, try --what-if",
	 .before = ONE_1S},
	{IN_KERNEL("400", "facts blas_threads=2; +threads tid=110 samples_blas=400"),
	 BLAS_SLOWER("possible"), NULL, ONE_THREAD, .before = ONE_1S},
	/* other code takes longer in a function that is inlined into one of a standard library */
	{STANDARD("2"), "other-slower 1 likely (fit.cc:7 scan())", .before = STANDARD("1")},
	/* if --what-if has fewer units than there are threads, calls that take longer queue */
	{"2 .75 .65 .35; what_if=units=2", BLAS_SLOWER("possible"),
	 .before = ONE "; what_if=units=2"},
	{"2 .75 .65 .35; what_if=units=1",
	 "blas-queue 0.633 likely" SGEMM ", other-slower 0.033 likely" RMSNORM,
	 "With --what-if=units=1: 2 threads give a speed-up of 1.33 (ideal: 2.00). 0.63 of 2 "
	 "threads wait for one another inside BLAS calls: --what-if gives them 1 unit, most in "
	 "cblas_sgemm ",
	 .before = ONE "; what_if=units=1"},
	/* with one thread, another one computed besides: 1.5 at once, so that the CPU time for the
	 * same work has hardly grown, or has by nearly as much */
	{"2 1 .35 .65", "other-slower 0.633 possible, blas-slower 0.367 possible" SGEMM,
	 "0.63 of 2 threads may or may not be lost: 1.5 threads compute at once where 1 is asked "
	 "for (possible); compare with a run in which a single thread computes.",
	 .before = TWO_FOR_ONE},
	{"2 1 .35 .65; functions[1] function=clear_page_erms object=[kernel] code=kernel",
	 "other-slower 0.633 possible, blas-slower 0.367 possible" SGEMM,
	 "0.63 of 2 threads may or may not be lost: 1.5 threads compute at once where 1 is asked "
	 "for (possible); compare with a run in which a single thread computes.",
	 .before = TWO_FOR_ONE},
	{"2 1.6 .35 .65", "other-slower 0.883 likely" RMSNORM ", blas-slower 0.492 possible" SGEMM,
	 .before = TWO_FOR_ONE},
	/* two functions lost a third each: no place has most of the loss, unless both are in the
	 * kernel. A kernel function that switches interrupts on has the samples of others. */
	{LOST_BY("train", "300") "+functions function=leap object=train samples=300",
	 OTHER_SLOWER(""), NULL, CACHES},
	{LOST_BY("[kernel]", "300") "+functions function=leap object=[kernel] samples=300",
	 OTHER_SLOWER(" (the kernel)"), NULL, CACHES},
	{LOST_BY("[kernel]", "600"), OTHER_SLOWER(" (the kernel)"), NULL, CACHES},
	/* nor has just a half of it */
	{"2 .75 .35 .65; " HALVES, OTHER_SLOWER(""), .before = ONE "; " HALVES},
	/* other code takes twice the time: in OpenMP's library and the kernel, or in the program */
	{PIECES("400", "100"), "barrier 0.667 likely (GOMP_task (libgomp.so.1))"},
	{PIECES("100", "400"), "other-slower 0.667 likely (step (train))"},
	/* half of it in either */
	{PIECES("250", "250"), "other-slower 0.667 likely"},
	{PIECES("250", "250") "; functions[3] function=clear_page_erms object=[kernel] code=kernel",
	 "other-slower 0.667 likely", NULL, CACHES},
	{PIECES("200", "100") "; +functions function=GOMP_critical_start "
			      "object=/lib/libgomp.so.1 samples=200",
	 "barrier 0.667 likely"},
	/* where stacks tell, from where the program calls it; locks that are taken often */
	{PIECES("400", "100") CALLED_BY_STEP "GOMP_task", "barrier 0.667 likely (step())"},
	{PIECES("400", "100") "; functions[3] function=GOMP_critical_start" CALLED_BY_STEP
			      "GOMP_critical_start",
	 "lock 0.667 likely (step())", NULL, "most of that is to take and to release locks"},
	/* a thread that locks is mostly in the kernel; or the kernel works for another reason */
	{LOCKS_BELOW("1"), "lock 0.667 likely (step())", NULL,
	 "most of that is to take and to release locks"},
	{LOCKS_BELOW("0"), "other-slower 0.667 likely (do_syscall_64 ([kernel]))"},
	{PIECES("400", "100") "; functions[3] function=GOMP_critical_start" CALLED_INLINED
			      "GOMP_critical_start",
	 "lock 0.667 likely (step())"},
	/* no name outside the kernel tells, but the system call, and what the threads wait for */
	{PIECES("0", "150") "; +waits each kind=mutex total_ns=1ms;" KERNEL_LOCKS,
	 "lock 0.667 likely (step())", NULL, "most of that is to take and to release locks"},
	/* and if threads wait for the lock too, all of that is one loss; the allocator's lock */
	{PIECES("0", "150") "; threads other_ns-=5% waiting_ns+=5%; +waits each kind=mutex "
			    "total_ns=5% function=libc_free;" KERNEL_LOCKS,
	 "lock 0.512 sure (train.c:120 step()), other-slower 0.155 likely "
	 "(spin_lock_slowpath ([kernel]))",
	 NULL, "such as jemalloc"},
	/* to free memory may also wait for the lock of the memory map */
	{"2 1 .35 .65; threads other_ns-=20% waiting_ns+=20%; +waits each kind=mmap total_ns=20% "
	 "function=libc_free",
	 "lock 0.401 sure" STEP ", other-slower 0.399 likely" RMSNORM
	 ", blas-slower 0.2 possible" SGEMM,
	 NULL, "MALLOC_TRIM_THRESHOLD_"},
	/* OpenMP's library takes time to let threads meet, in addition to that in which they spin
	 */
	{PIECES("100", "400") "; threads other_ns-=10% spin_ns+=10% samples_spin=50;"
			      "+functions function=GOMP_parallel code=spin samples=100 "
			      "object=/lib/libgomp.so.1",
	 "other-slower 0.353 likely (step (train)), spin 0.313 likely (GOMP_parallel())", NULL,
	 "or they meet too often"},
	{PIECES("400", "100") "; functions[3] function=clear_page_erms object=[kernel] "
			      "code=kernel" CALLED_BY_STEP "clear_page_erms object=[kernel]",
	 "other-slower 0.667 likely (step())", NULL, "allocate memory once and use it again"},
	/* a page fault is mostly in other code of the kernel */
	{PIECES("200", "200") "; functions[3] function=clear_page_erms object=[kernel] code=kernel;"
			      "+functions function=charge object=[kernel] code=kernel "
			      "samples=100" CALLED_BY_STEP
			      "exc_page_fault object=[kernel] code=kernel;"
			      "+frames function=charge object=[kernel] code=kernel;"
			      "+stacks parent=1 frame=2 samples_callers=9",
	 "other-slower 0.667 likely (step())", NULL, "allocate memory once and use it again"},
	/* the place is the library's function itself, which is named once */
	{"2 .75 .35 .65; functions[2] function=pair object=/usr/lib/libx.so;"
	 "+frames function=app+0x2; +stacks; +frames function=pair object=/usr/lib/libx.so; "
	 "+stacks parent=0 samples_callers=250",
	 OTHER_SLOWER(" (pair())"),
	 "0.63 of 2 threads are lost to other code, which takes 95 % more CPU time for each unit "
	 "of work than on one thread, most in pair() (likely); "},
	/* twice as many calls with half of the flops are the same work; with three quarters of the
	 * flops they may not be */
	{"2 .75 .5 .5; threads calls*=2", BOTH_SLOWER("0.333"), NULL,
	 "are lost to BLAS calls that take 50 % longer than on one thread for the same work: they "
	 "are smaller, of 833 k flops instead of 1.67 M"},
	{MIXED,
	 "call-mix 0.333 possible" SGEMM ", blas-slower 0.033 possible" SGEMM
	 ", other-slower 0.033 likely" RMSNORM,
	 "0.33 of 2 threads may or may not be lost: calls have 1e+06 flops each, but 1.67e+06 on "
	 "one thread (possible); count the work by the program's own measure: --work."},
};

TEST_EACH(test_slower, COUNT(slower))
{
	fixture_use_categories();
	check_story(&slower[_i], ONE);
}

/* The mix is that of one run, however many there are at each thread count. */
TEST(test_call_mix_of_repeats)
{
	REPORT_ON(ONE, ONE, MIXED, MIXED, MIXED);
	ck_assert_str_eq(report.causes->cause, "call-mix");
	ck_assert_double_eq_tol(report.causes->lost, 1 / 3.0, 1e-3);
}

/* Other code takes twice as long; the counters of both runs tell why. */
static const struct {
	const char *event, *one, *many;
	const char *cause, *says; /* after "than on one thread" */
	int aligns;
	const char *more; /* of both runs */
} counted[] = {
	{"cycles", "1e9", "2e9", "other-slower 0.667 likely", ", most in rmsnorm_forward (train)",
	 1},
	{"instructions", "1e9", "2e9", "other-slower 0.667 sure",
	 ": it executes more instructions, most"},
	{"instructions", "1e9", "1.51e9", "other-slower 0.667 sure",
	 ": it executes more instructions, most"},
	{"instructions", "1e9", "1.5e9", "other-slower 0.667 likely", ", most", 1},
	{"cache-misses", "1e7", "2.01e7", "cache-line-contention 0.667 possible",
	 ": it has more than twice the cache misses for the same work, most", 1},
	{"cache-misses", "1e7", "2e7", "other-slower 0.667 likely", ", most", 1},
	/* 5.1 of 10 GB/s */
	{"cache-misses", "6e7", "6e7", "other-bandwidth 0.667 likely",
	 ": the threads use most of the memory bandwidth that they share, most", 0, CEILINGS},
	{"cache-misses", "5.8e7", "5.8e7", "other-slower 0.667 likely", ", most", 1, CEILINGS},
	{"mem_load_l3_hit_retired.xsnp_hitm", "1e5", "2.01e5", "cache-line-contention 0.667 likely",
	 ": threads write to the same cache lines, as the counters of modified lines show, most",
	 1},
	{"mem_load_l3_hit_retired.xsnp_hitm", "1e5", "2e5", "other-slower 0.667 likely", ", most",
	 1},
};

TEST_EACH(test_why_other_code_is_slower, COUNT(counted))
{
	struct run told[2];
	char says[256];

	describe_run(&told[0], ONE);
	describe_run(&told[1], "2 .75 .3333333334 .6666666667");
	for (int i = 0; i < 2; i++) {
		const char *count = i ? counted[_i].many : counted[_i].one;

		change_run(&told[i],
			   "+counters event=%s count=%s other=%s other*=.75 kernel=%s kernel*=.25 "
			   "counted=1 exact_blas=nan exact_other=nan; %s",
			   counted[_i].event, count, count, count, counted[_i].more ?: "");
	}
	build(told, 2);
	snprintf(says, sizeof says, "%s (rmsnorm_forward (train))", counted[_i].cause);
	check_causes(says);
	snprintf(says, sizeof says,
		 "0.67 of 2 threads are lost to other code, which takes 100 %% more CPU time for "
		 "each unit of work than on one thread%s",
		 counted[_i].says);
	check_says(says);
	ck_assert_int_eq(strstr(report.causes[0].remedy, "128 bytes apart") != NULL,
			 counted[_i].aligns);
}

#define ON_TWO	"2 .6 .4167 .5833" /* other code takes 40 % longer */
#define ON_FOUR "4 .35 .357143 .642857"
#define TAKES_80                                                                                   \
	"1.14 of 4 threads are lost to other code, which takes 80 % more CPU time for each unit "  \
	"of work than on one thread"

/* Four threads compute for longer than one, on four CPUs of so many cores. */
static const struct {
	const char *cores, *two, *four, *says;
} smt[] = {
	{"2", ON_TWO, ON_FOUR,
	 TAKES_80 ": the threads share 2 cores, most in rmsnorm_forward (train) (likely); try 2, "
		  "one for each core: more only help code that waits for memory."},
	/* two threads have the larger part of that already, or all have their own core */
	{"2", "2 .61 .4098 .5902", ON_FOUR, TAKES_80 ", most in "},
	{"4", ON_TWO, ON_FOUR, TAKES_80 ", most in "},
	/* a core is not shared by so many */
	{"2", ON_TWO, "4 .425 .294118 .705882",
	 "1.65 of 4 threads are lost to other code, which takes 140 % more CPU time for each unit "
	 "of work than on one thread, most in "},
	{"2", "2 .6 .5833 .4167", "4 .35 .642857 .357143",
	 "1.14 of 4 threads are lost to BLAS calls that take 80 % longer than on one thread, the "
	 "fastest as well as the slowest: the threads share 2 cores, most in cblas_sgemm NT 64 x "
	 "64 x 64 (likely); try 2, one for each core: "},
};

TEST_EACH(test_shared_cores, COUNT(smt))
{
	describe_run(&runs[0], "1 1 .5 .5");
	describe_run(&runs[1], smt[_i].two);
	describe_run(&runs[2], smt[_i].four);
	for (int i = 0; i < 3; i++)
		change_run(&runs[i], "cpus_available=4; facts cores=%s", smt[_i].cores);
	fixture_report(runs, 3);
	check_says(smt[_i].says);
}

/* All calls take 60 % longer. The two shapes, with 3/4 and 1/4 of the time, have these flops for
 * each byte of their operands. With known ceilings, two threads need 20 to be limited by the CPUs.
 */
static const struct {
	double flops[2];
	const char *causes, *says, *more; /* `more`: of both runs */
} slow_calls[] = {
	{{10, 10}, "blas-slower 0.675 possible" SGEMM},
	{{.5, 10},
	 "blas-bandwidth 0.675 likely" SGEMM,
	 "0.67 of 2 threads are lost to BLAS calls that take 60 % longer than on one thread, the "
	 "fastest as well as the slowest: their operands come from memory, most in cblas_sgemm NT "
	 "64 x 64 x 64 (likely); combine them"},
	{{.5, .5}, "blas-bandwidth 0.675 likely" SGEMM},
	{{10, .5}, "blas-slower 0.675 possible" SGEMM},
	{{1, .5}, "blas-slower 0.675 possible" SGEMM},
	{{.99, 10}, "blas-bandwidth 0.675 likely" SGEMM},
	{{19, 21}, "blas-bandwidth 0.675 likely" SGEMM, NULL, CEILINGS},
	{{21, 19}, "blas-slower 0.675 possible" SGEMM, NULL, CEILINGS},
};

TEST_EACH(test_slow_calls, COUNT(slow_calls))
{
	struct run told[2];

	describe_run(&told[0], "1 1 .9 .1");
	describe_run(&told[1], "2 .8 .9 .0625");
	for (int i = 0; i < 2; i++) {
		change_run(&told[i], "%s", slow_calls[_i].more ?: "");
		for (int j = 0; j < 2; j++)
			told[i].shapes[j].bytes = told[i].shapes[j].flops / slow_calls[_i].flops[j];
	}
	build(told, 2);
	check_causes(slow_calls[_i].causes);
	if (slow_calls[_i].says)
		check_says(slow_calls[_i].says);
}

#define ONE_CALLER                                                                                 \
	"1 .5 .5 .5; facts blas_threads=2; +threads tid=110 samples_blas=450;"                     \
	"threads_requested=2; threads[0] other_ns-=50ms waiting_ns=50ms;"                          \
	"+functions samples=5000 samples_workers=5000 function=gomp_team_barrier_wait_end;"
#define OUTSIDE(place)                                                                             \
	"0.42 of 2 threads have nothing to do while the caller works outside BLAS, most in " place \
	" (sure); make that part parallel too, or use BLAS for more of the work."
/* the cause, and what is said of it, of a place and a function that is called there */
#define SERIAL_IN(place, called) "serial-part 0.417 sure (" place ")", OUTSIDE(place called)
#define MORE_WORK                                                                                  \
	"give the program more work, so that its start counts less, or leave the start out: "      \
	"--roi=blas."
#define TWO_THIRDS "1 .75 .66666667 .33333333"
#define OCTAVE	   "object=/usr/lib/liboctinterp.so.10 samples=1000;"
#define LOOPS(first, second, third)                                                                \
	HALF SPIN "; +functions code=spin samples=900 function=" first                             \
		  "; +functions code=spin samples=800 function=" second                            \
		  "; +functions code=spin samples=700 function=" third
#define OF_KERNEL "do_sched_yield object=[kernel]"
/* assemble() calls sin(), and BLAS. */
#define CALLS_SIN                                                                                  \
	"functions[1] function=sin;"                                                               \
	"+frames function=main; +stacks;"                                                          \
	"+frames function=assemble; +stacks parent=0 samples_callers=60;"                          \
	"+frames function=sin object=/usr/lib/libm.so.6; +stacks parent=1 samples_callers=140;"    \
	"+frames function=dgemm_kernel object=/usr/lib/libblas.so.3 code=blas;"                    \
	"+stacks parent=1 samples_callers=900;"
#define OF_SCRIPT(pid)                                                                             \
	UNEVEN_6_3 SCRIPT                                                                          \
		"+functions function=python3+0x1234 samples=250 thread=100;"                       \
		"+frames function='<module> (fit.py:20)' object=/home/u/fit.py; +stacks;"          \
		"+frames function=GOMP_parallel object=/usr/lib/libgomp.so.1; +stacks parent=9;"   \
		"+frames function='solve (other.py:8)' object=/home/u/other.py;"                   \
		"+stacks parent=10 samples_callers=500; threads pid=" pid
#define SAVES                                                                                      \
	"+frames function=save object=/home/u/fit; +stacks;"                                       \
	"+frames function=python3+0x1234 object=/usr/bin/libz.so;"                                 \
	"+stacks parent=12 samples_callers=250"
#define IMPORTS(samples)                                                                           \
	"+frames function='_find_and_load (<frozen importlib._bootstrap>:1027)' "                  \
	"object='<frozen importlib._bootstrap>'; +stacks parent=9;"                                \
	"+frames function='<module> (numpy.py:3)' object=/usr/lib/python3/numpy.py;"               \
	"+stacks parent=12 samples_callers=" samples
/* The main thread has 200 samples: 60 in SCRIPT, `samples` in imports, and `others`. */
#define MAIN_IMPORTS(samples, others)                                                              \
	"+frames function='<module> (fit.py:20)' object=/home/u/fit.py;"                           \
	"+stacks samples_callers=" others "; +frames object='<frozen importlib._bootstrap>' "      \
	"function='_find_and_load (<frozen importlib._bootstrap>:1027)';"                          \
	"+stacks parent=9 samples_callers=" samples
#define MAIN_HANDS_OUT(samples, others)                                                            \
	HALF HANDS_OUT "236 samples_other=264; threads[2] pid=200; threads_requested=2;" SCRIPT    \
		       "stacks samples_callers=0;" MAIN_IMPORTS(samples, others)
#define JIT(others)                                                                                \
	"+frames function=[unknown] object=[anon];"                                                \
	"+stacks parent=9 samples_callers=500 samples_others=" others
#define OF_ONNX(function, samples)                                                                 \
	"+functions object=/usr/lib/libonnxruntime.so.1 samples=" samples " function=" function
#define MLAS	    "MlasSgemmKernelAvx512F"

#define MLAS_CALLED "outside-blas-symbols nan sure (MlasSgemmKernelAvx512F in libonnxruntime.so.1)"
static const struct story places[] = {
	/* With one caller, BLAS takes half of the time on two threads, and the rest takes as long
	 * as before; nobody works for a tenth of the time, for another reason. For a script, its
	 * line is named, with the function called there unless that is the interpreter's own or has
	 * no name. An object with many functions is named instead of one of them. */
	{ONE_CALLER, SERIAL_IN("rmsnorm_forward()", "")},
	{ONE_CALLER
	 "+functions function=dgemv_ object=/usr/lib/libblasprof.so samples=9000;"
	 "+functions function=do_lookup_x object=/lib64/ld-linux-x86-64.so.2 samples=9000",
	 SERIAL_IN("rmsnorm_forward()", "")},
	/* the program's function that calls it, not main(), if most other samples are below it and
	 * not in it */
	{ONE_CALLER CALLS_SIN, SERIAL_IN("assemble()", " (sin)")},
	{ONE_CALLER CALLS_SIN "stacks[1] samples_callers=141", SERIAL_IN("sin()", "")},
	{ONE_CALLER CALLS_SIN "+frames function=more; +stacks parent=0 samples_callers=200",
	 SERIAL_IN("sin()", "")},
	/* or if the function is a library's */
	{ONE_CALLER CALLS_SIN
	 "stacks[1] samples_callers=141; functions[1] object=/usr/lib/libm.so.6",
	 SERIAL_IN("assemble()", " (sin)")},
	{ONE_CALLER CALLS_SIN "frames[1] function=app+0x12", SERIAL_IN("sin()", "")},
	{ONE_CALLER CALLS_SIN "stacks[2] parent=0", SERIAL_IN("sin()", "")},
	{ONE_CALLER SCRIPT "functions[1] function=add_kernel",
	 SERIAL_IN("fit.py:9 train()", " (add_kernel)")},
	{ONE_CALLER SCRIPT "functions[1] function=fit+0x12", SERIAL_IN("fit.py:9 train()", "")},
	/* what spins below a line does not count */
	{ONE_CALLER SCRIPT "+functions function=poll object=/usr/lib/libx.so code=spin samples=900;"
			   "+frames function=poll object=/usr/lib/libx.so;"
			   "+stacks parent=4 samples_callers=900",
	 SERIAL_IN("fit.py:9 train()", " (rmsnorm_forward)")},
	/* more than half of what is outside BLAS */
	{ONE_CALLER SCRIPT MAIN_IMPORTS("48", "92"), "serial-part 0.417 sure (fit.py:9 train())",
	 "0.42 of 2 threads have nothing to do while the caller works outside BLAS, most in "
	 "fit.py:9 train() (rmsnorm_forward), which imports modules (sure); " MORE_WORK},
	{ONE_CALLER SCRIPT MAIN_IMPORTS("47", "93"), "serial-part 0.417 sure (fit.py:9 train())",
	 OUTSIDE("fit.py:9 train() (rmsnorm_forward)")},
	{ONE_CALLER SCRIPT "functions[1] function=_ZN3c103addEv",
	 SERIAL_IN("fit.py:9 train()", "")},
	{ONE_CALLER SCRIPT "functions[1] function=PyNumber_Add object=/usr/bin/python3.11",
	 SERIAL_IN("fit.py:9 train()", "")},
	{ONE_CALLER "functions[1] function=python3.11+0x50a511 object=/usr/bin/python3.11",
	 SERIAL_IN("python3.11", "")},
	{ONE_CALLER "+functions function=a " OCTAVE "+functions function=b " OCTAVE
		    "+functions function=c " OCTAVE "+functions function=d " OCTAVE
		    "+functions function=e " OCTAVE "+functions function=f " OCTAVE,
	 SERIAL_IN("liboctinterp.so.10", "")},
	/* a function with a fifth of them stands for it */
	{ONE_CALLER "+functions function=a " OCTAVE "+functions function=b " OCTAVE
		    "+functions function=c " OCTAVE "+functions function=d " OCTAVE
		    "+functions function=e " OCTAVE,
	 SERIAL_IN("a()", "")},
	/* among the loops of one library, the one with a name is reported; among others, the one
	 * with most samples; the kernel's only if there is no other */
	{LOOPS("libgomp.so+0x1f object=libgomp.so", "GOMP_parallel object=libgomp.so",
	       "spin_here object=train"),
	 "spin 1 likely (GOMP_parallel())", .before = ONE},
	{LOOPS("libgomp.so+0x1f object=libgomp.so", "spin_here object=train",
	       "libgomp.so+0x2f object=libgomp.so"),
	 "spin 1 likely (libgomp.so+0x1f)", .before = ONE},
	{LOOPS("libgomp.so.1+0x1f object=/usr/lib/libgomp.so.1", "spin_here object=train",
	       "GOMP_parallel object=train line=0"),
	 "spin 1 likely (GOMP_parallel())", .before = ONE},
	/* idle threads of OpenMP's library wait at its barrier: the place is what calls OpenMP */
	{UNEVEN_4_6 IDLE_WAITS
	 ";+frames function=fit object=/home/u/fit; +stacks; +frames function=GOMP_parallel "
	 "object=/usr/lib/libgomp.so.1; +stacks parent=0 samples_callers=9",
	 "imbalance 0.333 sure (fit())", NULL, " wait at the barrier in fit(), because ",
	 .before = ONE},
	{UNEVEN_4_6 IDLE_WAITS, "imbalance 0.333 sure", NULL, " wait, because ", .before = ONE},
	{LOOPS(OF_KERNEL, "culled object=train", "GOMP_parallel object=libgomp.so"),
	 "spin 1 likely (culled())", .before = ONE},
	{LOOPS("libcuda.so.1+0x1f object=/usr/lib/libcuda.so.1", "spin_here object=train",
	       OF_KERNEL),
	 "gpu 1 sure (libcuda.so.1+0x1f)", .before = ONE},
	/* the caller of a function of a standard library */
	{LOOPS("core::hint::spin_loop object=/home/u/fit", "poll object=train",
	       OF_KERNEL) ";+frames function=take_part object=/home/u/fit; +stacks;"
			  "+frames function=core::hint::spin_loop object=/home/u/fit;"
			  "+stacks parent=0 samples_callers=900",
	 "spin 1 likely (take_part())", .before = ONE},
	/* a name that only threads of an idle pool have is not preferred */
	{LOOPS("libgomp.so+0x1f object=libgomp.so", "spin_here object=train",
	       "GOMP_parallel object=libgomp.so samples_workers=700"),
	 "spin 1 likely (libgomp.so+0x1f)", .before = ONE},
	{LOOPS("cudaStreamSynchronize object=train", "spin_here object=train", OF_KERNEL),
	 "gpu 1 sure (cudaStreamSynchronize())", .before = ONE},
	{LOOPS("hipDeviceSynchronize object=train", "spin_here object=train", OF_KERNEL),
	 "gpu 1 sure (hipDeviceSynchronize())", .before = ONE},
	/* threads of an idle pool tell nothing about participants */
	{LOOPS("gomp_barrier_wait_end object=libgomp.so samples_workers=900",
	       "cudaStreamSynchronize object=python3", OF_KERNEL),
	 "gpu 1 sure (cudaStreamSynchronize())", .before = ONE},
	/* for waits on the interpreter's lock, what runs meanwhile is named, if that is known */
	{WAIT("gil"), "gil 1 sure" STEP, NULL, "lock, in train.c:120 step()", .before = ONE},
	{WAIT("gil") " caller='<module>'", "gil 1 sure (train.c:120 <module>)", .before = ONE},
	{WAIT("gil") ";" SCRIPT, "gil 1 sure (fit.py:9 train())", NULL,
	 "lock, in train.c:120 step(), while others run fit.py:9 train()", .before = ONE},
	/* a thread works alone: the place is a line of the script outside parallel regions if it is
	 * the main thread, or else the program's own function, if stacks tell */
	{OF_SCRIPT("100"), "serial-part 0.5 likely (other.py:5 load())", .before = ONE_0_9S},
	{OF_SCRIPT("99"), "serial-part 0.5 likely (python3+0x1234)", .before = ONE_0_9S},
	{OF_SCRIPT("99; " SAVES), "serial-part 0.5 likely (save())", .before = ONE_0_9S},
	/* code that is made at run time has no such callers; others run it, too, or do not */
	{OF_SCRIPT("100; " JIT("251")), "serial-part 0.5 likely (other.py:5 load())",
	 .before = ONE_0_9S},
	{OF_SCRIPT("100; " JIT("250")), "serial-part 0.5 likely (fit.py:20 <module>)",
	 .before = ONE_0_9S},
	/* of the main thread's samples outside parallel regions, 60 are elsewhere */
	{OF_SCRIPT("100; " IMPORTS("61")), "serial-part 0.5 likely (fit.py:20 <module>)",
	 ALONE "most in fit.py:20 <module>, which imports modules (likely); " MORE_WORK,
	 .before = ONE_0_9S},
	/* a program without BLAS */
	{OF_SCRIPT("100; " IMPORTS("61") "; threads blas_ns=0 other_ns=600ms; threads[1] "
					 "other_ns=300ms"),
	 "serial-part 0.5 likely (fit.py:20 <module>)",
	 ALONE "most in fit.py:20 <module>, which imports modules (likely); give the program more "
	       "work, so that its start counts less.",
	 .before = "1 .9 0 1"},
	{OF_SCRIPT("100; " IMPORTS("60")), "serial-part 0.5 likely (fit.py:20 <module>)",
	 ALONE "most in fit.py:20 <module> (likely); " DIVIDE ".", .before = ONE_0_9S},
	/* likewise if it works in addition to the others */
	{MAIN_HANDS_OUT("101", "99"), "serial-part 0.5 likely, none 0.5 sure", NULL,
	 " or wait for it, which imports modules",
	 .before = ONE "; " HANDS_OUT "473 samples_other=527; threads_requested=1"},
	{MAIN_HANDS_OUT("100", "100"), "serial-part 0.5 likely, none 0.5 sure", NULL,
	 "divide that work between several threads",
	 .before = ONE "; " HANDS_OUT "473 samples_other=527; threads_requested=1"},
	/* not a function of the kernel, which may have most samples */
	{OF_SCRIPT("99; +functions function=clear_page object=[kernel] code=kernel samples=900 "
		   "thread=100"),
	 "serial-part 0.5 likely (python3+0x1234)", .before = ONE_0_9S},
	/* matrix work outside BLAS calls, and code of no such name; it takes longer with two
	 * threads */
	{"1 1 .01 .99; " OF_ONNX("step", "2000"), "none nan sure", .before = ""},
	{"1 1 .01 .99; " OF_ONNX("libonnxruntime.so.1+0x9", "2000"), "none nan sure", NULL,
	 "; 67 % is in libonnxruntime.so.1, which has no symbols, so", .before = ""},
	{"1 1 .01 .99; " OF_ONNX(MLAS, "2000"), MLAS_CALLED,
	 "1 thread: 100 % of the work is matrix work, by samples: 1 % in BLAS calls, 99 % by other "
	 "names, most in MlasSgemmKernelAvx512F in libonnxruntime",
	 .before = ""},
	{"1 1 .01 .99; " OF_ONNX(MLAS, "50"), MLAS_CALLED,
	 "1 thread: 6 % of the work is matrix work, by samples: 1 % in BLAS calls, 5 % by other ",
	 .before = ""},
	{"2 1 .01 .99; threads calls=0 flops=0;" OF_ONNX(MLAS, "2000"), MLAS_CALLED, NULL,
	 "for the speed-up, run: blasprof ", .before = ""},
	{"2 .66666667 .1 .9; " OF_ONNX("step", "9000"),
	 "other-slower 0.5 likely (step (libonnxruntime.so.1))",
	 .before = "1 1 .2 .8; " OF_ONNX("step", "9000")},
	{"2 .66666667 .1 .9; threads[1] pid=101;" OF_ONNX("step", "9000"),
	 "other-slower 0.5 likely (step (libonnxruntime.so.1))", NULL,
	 "if each process imports or prepares the same, start fewer, ",
	 .before = "1 1 .2 .8; " OF_ONNX("step", "9000")},
	{"2 .66666667 .1 .9; " OF_ONNX(MLAS, "9000"),
	 "outside-blas-symbols 0.5 likely (MlasSgemmKernelAvx512F (libonnxruntime.so.1))",
	 .before = "1 1 .2 .8; " OF_ONNX(MLAS, "9000")},
};

TEST_EACH(test_places, COUNT(places))
{
	fixture_use_categories();
	check_story(&places[_i], TWO_THIRDS);
}

/* If BLAS has next to nothing of the work, its threads are not recommended. Template arguments are
 * left out of the sentence, and other long names are cut off. */
#define LITTLE                                                                                     \
	"1 thread: 4 % of the work is in BLAS: BLAS's threads can make it at most 1.04 times as "  \
	"fast; look at the other code, most in "
#define NAME_OF_48 "fill_in_the_boundary_values_of_all_the_cell<int>"
#define NAME_OF_100                                                                                \
	"fill_in_the_boundary_values_of_all_cells_that_are_in_the_halo_of_the_subdomain_of_this_"  \
	"rank_at_a_ste"
#define FITS(blas, other) "1 1 " blas " " other "; experiment='python3 fit.py'; +functions "
/* more than any function of the program, but less than all of them */
#define COMPARES                                                                                   \
	"function=step samples=200; +functions function=memcmp object=/lib/libc.so samples=400"
#define WAITS(busy, times) "1 1 " busy "; " times
#define OF_60		   "1 thread: 60 % of the work is in BLAS; "
#define SLEEPS		   "waits for a timer (sleep), most in train.c:120 step(); for the speed-up, run: "

static const struct {
	const char *run, *says;
} little_work[] = {
	{FITS(".04", ".96") COMPARES, LITTLE "rmsnorm_forward()."},
	{FITS(".04", ".96") "samples=900 function='void "
			    "at::native::vectorized_loop<at::native::add<std::array<char, 3> "
			    ">(int)::{lambda()#1}>(char**, long)'",
	 LITTLE "void at::native::vectorized_loop<...>(char**, long)."},
	{FITS(".04", ".96") "samples=900 function=" NAME_OF_48, LITTLE NAME_OF_48 "()."},
	{FITS(".04", ".96") "samples=900 function='<core::iter::adapters::map::Map<I,F> as "
			    "core::iter::Iterator>::next'",
	 LITTLE "<core::iter::adapters::map::Map<...> as core::iter::Iterator>::next."},
	{FITS(".04", ".96") "samples=900 function=" NAME_OF_100 "<int>", LITTLE NAME_OF_100 "()."},
	{"1 1 .04 .96; experiment='python3 fit.py';" SCRIPT MAIN_IMPORTS("97", "43"),
	 LITTLE "fit.py:9 train() (rmsnorm_forward), which imports modules."},
	{FITS(".004", ".996") COMPARES,
	 "1 thread: 0 % of the work is in BLAS; the work is other code, most in "
	 "rmsnorm_forward(); look at the other code, most in rmsnorm_forward()."},
	{FITS(".06", ".94") COMPARES,
	 "1 thread: 6 % of the work is in BLAS; for the speed-up, run: "},
	/* it waits for most of the time, blocked or spinning */
	{"1 1 .12 .08; +waits kind=sleep total_ns=80%", OF_60 "80 % of the time it " SLEEPS},
	{"1 1 .12 .08; +functions function=cuStreamSynchronize code=spin samples=900;"
	 "threads spin_ns=waiting_ns waiting_ns=0",
	 OF_60 "80 % of the time it waits for a GPU, spinning, most in cuStreamSynchronize(); for "
	       "the speed-up, run: "},
	{"1 1 .12 .08; +waits kind=sleep total_ns=40%; +functions function=spin_here code=spin "
	 "samples=900; threads spin_ns=40% waiting_ns=40%",
	 OF_60 "80 % of the time it " SLEEPS},
	{"1 1 .33 .22; +waits kind=sleep total_ns=45%", OF_60 "for the speed-up, run: "},
	{"1 1 .12 .08; +functions function=spin_here code=spin samples=900;"
	 "threads spin_ns=waiting_ns waiting_ns=0",
	 OF_60 "80 % of the time it waits, spinning, most in spin_here(); for the speed-up, run: "},
	{"1 1 .5 .5; threads blas_ns=0 other_ns=0 blas_waiting_ns=0 waiting_ns=1s;"
	 "+waits kind=sleep total_ns=100%",
	 "1 thread: nothing computes for long enough to be measured; 100 % of the time it " SLEEPS},
/* N is the setting of the only library if no count was asked for and at least half of its
 * threads were sampled: two here */
#define SETTING(facts) "1 1 .5 .5; +threads tid=110 samples_blas=400 waiting_ns=1s; facts " facts
	{SETTING("blas_threads=4"), "1.50 of 4 threads have nothing to do"},
	{SETTING("blas_threads=5"), "0.50 of 2 threads have nothing to do"},
	{SETTING("blas_threads=4 blas_2=MKL"), "0.50 of 2 threads have nothing to do"},
};

TEST_EACH(test_little_work, COUNT(little_work))
{
	REPORT_ON(little_work[_i].run);
	check_says(little_work[_i].says);
}

/* In interpreted programs, the place of other code is a line of the program, by all samples there
 * except those in its BLAS calls. */
static const struct {
	const char *calls_from;
	int elsewhere; /* samples outside any script */
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
	struct run run;

	describe_run(&run, ONE "; " SCRIPT);
	change_run(&run,
		   "+callers function=train object=%s file=%s inlined_into='' line=9 calls=10 "
		   "total_ns=500ms; +functions function=work samples=%d",
		   scripts[_i].calls_from, scripts[_i].calls_from, scripts[_i].elsewhere);
	fixture_report(&run, 1);
	ck_assert_str_eq(report.rows[0].script_place, scripts[_i].place);
	ck_assert_str_eq(report.rows[0].main_place, "other.py:5 load()");
}

/* As with two of four threads that lack a CPU. But two threads, which have CPUs, wait for 45 % of
 * the time too, so that of the 1.9 threads that wait among 4 only 0.1 can wait for those without a
 * CPU. If the two lack CPUs for all that time, their waits tell nothing. Those of a single thread
 * do not either: it waits for no other. If one of the two lacks a CPU for 1.25 % of the time, the
 * other waits for it as long, so that 0.2 of the 1.9 threads can. */
TEST_EACH(test_waits_that_more_cpus_would_not_end, 4)
{
	struct run told[3];

	describe_run(&told[0], _i == 2 ? "1 3.44827586 .29 .29" : "1 2 .5 .5");
	describe_run(&told[1], "2 1.81818182 .275 .275");
	if (_i)
		change_run(&told[1],
			   _i == 3 ? "threads preempted_ns=1.25%% waiting_ns-=1.25%%" : LACK);
	describe_run(
		&told[2],
		"4 1 .25 .25; threads[2] preempted_ns=5% waiting_ns-=5% switch_preempted_ns=5%;"
		"threads[3] preempted_ns=5% waiting_ns-=5% switch_preempted_ns=5%;"
		"cpus_allowed=4 others_ns=1s; +waits each kind=condition total_ns=30%");
	build(told, 3);
	EACH_ROW(cause, report.causes, report.ncauses) {
		if (cause->threads != 4 || strcmp(cause->cause, "other-programs") != 0)
			continue;
		ck_assert_double_eq_tol(cause->lost, _i == 3 ? 0.3 : _i ? 0.4 : 0.2, 0.01);
		ck_assert_str_eq(cause->sure, _i ? "likely" : "sure");
		/* half of the loss or more is in those waits */
		ck_assert(strstr(cause->sentence, "or wait for a thread that has none, because"));
		return;
	}
	ck_abort_msg("not found");
}

/* In two runs of two threads, each computes longer once. */
TEST(test_first_of_equal_runs)
{
	struct run told[3];

	describe_run(&told[0], ONE_1S);
	describe_run(&told[1], UNEVEN_4_6);
	describe_run(&told[2],
		     UNEVEN(".6", "threads[1] blas_ns=200ms other_ns=200ms waiting_ns=200ms"));
	build(told, 3);
	check_says("0.33 of 2 threads wait, because thread 1 computes 20 % longer");
}

/* Three runs of each thread count, whose speed-up may be 2. If threads wait in each of them, what
 * they wait for is known all the same, but not if they wait hardly longer than one thread in one of
 * the runs. */
TEST_EACH(test_noise, 3)
{
	static const char *const sentences[] = {"the 95 % interval is", "lose the rest",
						"too noisy to say why"};
	struct run six[6];
	size_t noisy = 0;

	for (int i = 0; i < 3; i++) {
		describe_run(&six[i], "1 1 .42 .42");
		fixture_run(&six[3 + i], 2, 3 * (i + 1) * SECOND / 10, _i ? 0.4 : 0.5,
			    _i ? 0.2 : 0.5);
		if (_i)
			change_run(&six[3 + i], "+waits each kind=mutex total_ns=40%%");
	}
	if (_i == 2)
		change_run(&six[3], "threads blas_ns+=20%% waiting_ns=20%%");
	fixture_report(six, 6);
	ck_assert_str_eq(report.causes[0].cause, _i == 1 ? "lock" : "too-noisy");
	while (strcmp(report.causes[noisy].cause, "too-noisy") != 0)
		ck_assert_uint_lt(++noisy, report.ncauses);
	ck_assert_has(report.causes[noisy].sentence, sentences[_i]);
	ck_assert_ptr_null(strstr(report.causes[noisy].sentence, "is -"));
	ck_assert_int_eq(strstr(report_finding(&report), "(sure)") != NULL, _i == 1);
	ck_assert_double_gt(report.causes[noisy].lost, 0);
}

static void check_rows(void)
{
	EACH_ROW(row, report.rows, report.nrows) {
		double sum = 0;

		EACH_ROW(cause, report.causes, report.ncauses) {
			if (cause->threads != row->threads || isnan(cause->lost))
				continue;
			ck_assert_double_ge(cause->lost, 0);
			ck_assert_double_eq_tol(cause->share, cause->lost / row->threads, 1e-9);
			ck_assert(*cause->sentence && *cause->sure);
			sum += cause->lost;
			if (cause > report.causes && cause[-1].threads == row->threads)
				ck_assert_double_ge(cause[-1].lost, cause->lost);
		}
		if (isfinite(row->speedup) && row->threads > 1)
			ck_assert_double_le(sum, fmax(row->threads - row->speedup, 0) +
							 1e-6 * row->threads);
	}
}

/* For any runs, causes add up to at most the loss, and contributors to the loss. */
TEST(test_random_causes)
{
	size_t claimed = 0, losses = 0;

	for (unsigned int seed = 0; seed < 300; seed++) {
		fixture_random_runs(runs, seed);
		fixture_report(runs, 3);
		check_rows();
		expect_whole_losses();
		claimed += report.ncauses;
		losses += report.nlosses;
	}
	ck_assert_uint_gt(claimed, 300);
	ck_assert_uint_gt(losses, 1000);
}
