/* warning_test.c: each doubt appears when there is cause for it, and not otherwise. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "described_run.h"
#include "fixture.h"
#include "report/warnings.h"
#include "tests/unit.h"

static struct run runs[16];
static size_t count;

/* Two runs, of 1 and 2 threads, without any doubt except that they are few. */
static void make_good(void)
{
	fixture_run(&runs[0], 1, SECOND, 0.55, 0.45);
	fixture_run(&runs[1], 2, SECOND * 63 / 100, 0.6, 0.35);
	count = 2;
	categories_free(&fixture_categories);
}

/* Builds the report of these runs with changes of the second. */
static void report_good(const char *change)
{
	make_good();
	change_run(&runs[1], "%s", change);
	fixture_report(runs, count);
}

/* Adds runs of one thread that take this many percent longer than a second. */
static void add_repeats(const int *percents, size_t repeats)
{
	for (size_t i = 0; i < repeats; i++)
		fixture_run(&runs[count++], 1, SECOND + SECOND / 100 * percents[i], 0.55, 0.45);
}

/* Two clocks differ by 12 points, or by 8; with too few samples, and with so few that it may be
 * chance. */
static const struct apart {
	int blas, other; /* samples of each thread */
	int waits, off;	 /* % of the time by records; 0 for no record */
	const char *says, *remedy;
	int mpi; /* % of the time in MPI, on the CPU or off it */
} aparts[] = {
	{380, 620, 0, 0, "38 % of the callers' computing", "JIT"},
	{620, 380, 0, 0, "62 % of the callers' computing", "RTLD_DEEPBIND"},
	{580, 420, 0, 0, NULL, NULL},
	{420, 580, 0, 0, NULL, NULL},
	{19, 30, 0, 0, NULL, NULL}, /* 98 samples */
	{19, 31, 0, 0, "38 % of the callers' computing", "perhaps chance"},
	/* 45 % of the time is off the CPU */
	{500, 500, 0, 57, "45 % of their time by the preload library, 57 %", "doctor"},
	{500, 500, 0, 33, "45 % of their time by the preload library, 33 %", "doctor"},
	{500, 500, 0, 53, NULL, NULL},
	{500, 500, 0, 10, "45 % of their time by the preload library, 10 %", "doctor"},
	{690, 310, 0, 57, NULL, NULL, 15},
	{690, 310, 0, 72, "60 % of their time by the preload library, 72 %", "doctor", 15},
	{500, 500, 0, 37, NULL, NULL},
	{500, 500, 57, 0, "57 % of their time, but they were off the CPU or in MPI for 45 % of it",
	 "doctor"},
	{500, 500, 53, 0, NULL, NULL},
	{500, 500, 10, 0, NULL, NULL},				 /* a wait that the records lack */
	{380, 620, 70, 57, "70 % of their time, but", "doctor"}, /* the largest gap */
	{200, 800, 70, 57, "20 % of the callers' computing", "JIT"},
};

TEST_EACH(test_clocks_disagree_by_more_than_10_points, COUNT(aparts))
{
	const struct apart *apart = &aparts[_i];
	const struct report_warning *warning;

	make_good();
	change_run(&runs[1],
		   "threads blas_ns=47.5%% blas_waiting_ns=20%% waiting_ns=15%% preempted_ns=10%% "
		   "mpi_ns=%d%% other_ns=27.5%% other_ns-=mpi_ns samples_blas=%d samples_other=%d",
		   apart->mpi, apart->blas, apart->other);
	if (apart->off)
		change_run(&runs[1], "threads switch_preempted_ns=10%% switch_waiting_ns=%d%%",
			   apart->off - 10);
	if (apart->waits)
		change_run(&runs[1], "+waits kind=futex total_ns=%d%%", 2 * apart->waits);
	fixture_report(runs, count);
	warning = fixture_warning("clocks");
	ck_assert_int_eq(warning != NULL, apart->says != NULL);
	if (warning) {
		ck_assert_has(warning->text, apart->says);
		ck_assert_has(warning->remedy, apart->remedy);
	}
}

/* No thread's times explain 12 % of the program's CPU time, or 5 %. */
TEST_EACH(test_unknown_cpu_is_over_a_tenth, 2)
{
	make_good();
	runs[1].sample_rate_hz = 0;
	/* 0.95 of each thread's time is in BLAS or other code, and a tenth of the 0.6 in BLAS is
	 * blocked */
	runs[1].roi_cpu_ns = (int64_t)(2 * 0.89 * (double)runs[1].roi_ns / (_i ? 0.95 : 0.88));
	runs[1].cpu_ns = runs[1].roi_cpu_ns;
	fixture_report(runs, count);
	ck_assert_int_eq(fixture_warning("unknown_cpu") != NULL, !_i);
}

#define COVERAGE "threads[0] samples_blas=500 samples_other=0;"
#define SWITCHES "threads switch_preempted_ns=0 switch_waiting_ns=50%;"
#define WAITS	 "+waits kind=futex total_ns=272%;" /* of the time of two threads: 136 % */

static const struct {
	const char *change, *cause;
} causes_of_clocks[] = {
	{COVERAGE "samples_lost=700", "samples that were lost"},
	/* no more than half of the samples and of the time, by which the two differ */
	{"threads samples_blas=500 samples_other=0 blas_ns=25% other_ns=25% spin_ns=50% "
	 "waiting_ns=0 blas_waiting_ns=0; samples_lost=1000",
	 "RTLD_DEEPBIND"},
	{WAITS "+notes code=records_lost detail=99", "records of switches"},
	/* a quarter of the time; BLAS has 84 % of the other computing */
	{"threads spin_ns=25% other_ns=10% samples_blas=490 samples_other=10",
	 "spin in a library's pool"},
	{COVERAGE "threads preempted_ns=33% other_ns*=.5 blas_ns*=.5", "lacked a CPU"},
	{"what_if=blas=2; threads samples_blas=200 samples_other=300", "delays of the what-if"},
	{SWITCHES "+notes code=no_offcpu_page detail=1", "cannot ask"},
};

TEST_EACH(test_clocks_have_a_cause, COUNT(causes_of_clocks))
{
	make_good();
	change_run(&runs[1], "%s", causes_of_clocks[_i].change);
	strcpy(runs[0].what_if, runs[1].what_if);
	fixture_report(runs, count);
	ck_assert_ptr_nonnull(fixture_warning("clocks"));
	ck_assert_has(fixture_warning("clocks")->remedy, causes_of_clocks[_i].cause);
}

static void miss_categories(void)
{
	fixture_categories.missing = 1;
}

static void leave_one(void)
{
	run_free(&runs[1]);
}

static void call_nothing(void)
{
	change_run(&runs[0], "threads calls=0");
}

/* 500 threads that end after 0.8 ms each, without a sample. */
static void start_threads(void)
{
	for (int i = 0; i < 500; i++)
		change_run(&runs[1], "+threads start_ns=%dms end_ns=%d.8ms other_ns=.8ms", i, i);
}

static void make_short(void)
{
	leave_one();
	run_free(&runs[0]);
	describe_run(&runs[0], "1 .0909 .55 .45");
	describe_run(&runs[1], "2 .0556 .6 .35");
}

static void change_program(void)
{
	run_add_fact(&runs[0], "program", "old");
}

static void slow_the_first(void)
{
	run_free(&runs[0]);
	describe_run(&runs[0], "1 1.5 .55 .45");
	add_repeats((const int[]){0, 1, 2, 1, 0}, 5);
}

static void slow_one(void)
{
	add_repeats((const int[]){1, 2, 60, 1, 0, 1}, 6);
}

static void slow_down(void)
{
	add_repeats((const int[]){2, 4, 6, 8, 10, 12}, 6);
}

static void ask_for_one(void)
{
	change_run(
		&runs[0],
		"+threads blas_ns=550ms other_ns=450ms calls=1200 flops=2e9;threads_requested=1");
}

static void record_pairs(void)
{
	fixture_pair(&runs[0], 1000, 3000);
}

/* Two BLAS workers in addition to the callers. */
#define WORKERS                                                                                    \
	"+threads tid=200 samples_blas=400; +threads tid=201 samples_blas=400;"                    \
	"facts blas_threads=3"
#define LOAD "threads preempted_ns=10% other_ns-=10%;"

static const struct {
	const char *code, *change; /* of the run of two threads */
	const char *says, *remedy;
	void (*spoil)(void);
} doubts[] = {
	{"no_blas", "threads calls=0; facts blas_loaded=no", "", "inside", call_nothing},
	{"no_calls", "", "1 of 2 runs made none", "doctor", leave_one},
	{"samples_lost", "samples_lost=20", "20 of 1020 at 2 threads", "rate"},
	{"samples_missing", "samples_attributed+=3", "-3 of 1000 are in no figure", "report it"},
	{"no_categories", "", "not installed", "--categories", miss_categories},
	{"no_symbols",
	 "+functions function=libonnxruntime.so.1+0x1b70 object=/usr/lib/libonnxruntime.so.1 "
	 "samples=1000",
	 "libonnxruntime.so.1, 50 % of the samples at 2 threads", "not stripped",
	 fixture_use_categories},
	{"fp32_without_amx", "facts matrix_unit=AMX; shapes type=s way=onednn",
	 "100 % of the time in calls at 2 threads", "set_float32_matmul_precision"},
	{"few_samples", "threads samples_blas=10 samples_other=10", "40 at 2 threads", "longer"},
	{"threads_unsampled", "", "500, of 800 us each, with 26 % of the CPU time", "-F 5000",
	 start_threads},
	{"clocks", COVERAGE,
	 "samples put 80 % of the callers' computing in BLAS libraries, interception explains 61 % "
	 "(2 threads)",
	 "RTLD_DEEPBIND"},
	{"clocks", SWITCHES,
	 "11 % of their time by the preload library, 50 % by the scheduler's records (2 threads)",
	 "doctor"},
	{"clocks", SWITCHES "threads start_ns=50%; +threads switch_waiting_ns=1s",
	 "22 % of their time by the preload library, 100 % by", "doctor"},
	{"clocks", WAITS, "waits add up to 136 % of their time", "doctor"},
	{"oversubscription", WORKERS, "make 4 on 2 CPUs", "OPENBLAS_NUM_THREADS=1"},
	{"threads_over_cpus", "cpus_available=1", "2 threads on 1 CPU", "fewer threads"},
	{"no_cpu", LOAD, "10 % of the time at 2 threads on 2 CPUs", "end what else runs"},
	{"other_load",
	 LOAD "elapsed_ns=roi_ns others_ns=roi_ns;facts 'other_programs=1.00 CPUs: stress-ng 0.90'",
	 "10 % of the time at 2 threads; they used 1.00 CPUs: stress-ng 0.90", "taskset"},
	{"other_load", LOAD "elapsed_ns=roi_ns others_ns=roi_ns", "10 % of the time at 2 threads",
	 "taskset"},
	{"cpu_quota", LOAD "elapsed_ns=roi_ns quota_ns=roi_ns cpus_available=1.5",
	 "10 % of the time at 2 threads on 1.5 CPUs", "cpu.max"},
	/* two other threads of the program keep two participants waiting */
	{"own_load", LOAD "threads switch_preempted_ns=5% switch_own_ns=5%",
	 "10 % of the time at 2 threads on 2 CPUs", "passive"},
	/* without records of switches: the threads are ready for more time than the one CPU has */
	{"own_load", LOAD "cpus_allowed=1", "10 % of the time at 2 threads on 2 CPUs", "passive"},
	{"steal", "cpus_allowed=2 steal_ns=63ms", ": 5 % of the machine's time at 2 threads",
	 "not shared"},
	/* more than there can be */
	{"steal", "cpus_allowed=2 steal_ns=63s", ": 19 % of the machine's time at 2 threads",
	 "not shared"},
	{"steal", "cpus_allowed=2 steal_ns=63s; threads spin_ns=other_ns other_ns=0",
	 ": 19 % of the machine's time at 2 threads", "not shared"},
	{"short_roi", "", "55.6 ms at 2 threads", "more work", make_short},
	{"own_cost", "threads own_ns=10% other_ns-=10% samples_other-=50",
	 "10 % of the threads' time at 2 threads", "larger calls"},
	{"call_mix", "threads[0] calls*=2 flops*=1.5",
	 ": 1.67e+06 flops a call at 1 thread, 1.39e+06 at 2", "measured in BLAS flops"},
	{"failed_runs", "exit_status=3",
	 "1 of 2 runs ended with a status other than 0 (last: 3); 0 left out, 1 used because there "
	 "are no others",
	 "record again"},
	{"failed_runs", "exit_status=139", "(last: 139, signal 11: Segmentation fault)", "record"},
	{"failed_runs", "exit_status=200", "(last: 200)", "record"},
	{"stopped_runs", "exit_status=130", "1 of 2 runs ended by Ctrl-C", "end by itself"},
	{"empty_roi", "roi_ns=0", "1 of 2 runs", "two BLAS calls"},
	{"left_out", "what_if=units=1", "1 of 2 have another", "--what-if"},
	{"program_changed", "facts program=new", "after those at 1 thread and before those at 2",
	 "all thread counts", change_program},
	{"few_runs", "", "1 at 1 thread", "-r 5"},
	{"first_slow", "", "it took 49 % longer at 1 thread", "blasprof -w 2", slow_the_first},
	{"outliers", "", "1 of 7 at 1 thread, which the tables leave out", "record again",
	 slow_one},
	{"drift", "", "by 11 % over 7 runs at 1 thread, slower", "take turns", slow_down},
	{"small_roi", "cpu_ns=1s roi_cpu_ns=400ms", "40 % at 2 threads", "--roi=process"},
	{"wall_clock", "elapsed_ns=1.1s",
	 "2 threads give 1.59 inside the region of interest, and 1.00 over the whole run",
	 "--roi=process"},
	{"more_threads", "", "up to 2.0, where 1 was asked for", "the setting", ask_for_one},
	{"unknown_cpu", "sample_rate_hz=0 cpu_ns=4s roi_cpu_ns=4s",
	 ": 72 % of the CPU time at 2 threads", "-F 0"},
	{"replay", "", "BLAS has 0.750 of its time, and 0.550 of the run's", "shorter run",
	 record_pairs},
	{"mixed_machines", "facts blas_version=0.3.99", "OpenBLAS, 0.3.99", "different stores"},
};

static void print_codes(void)
{
	for (size_t i = 0; i < report.nwarnings; i++)
		printf("%s: %s\n", report.warnings[i].code, report.warnings[i].text);
}

TEST(test_good_runs_leave_no_doubt)
{
	make_good();
	fixture_report(runs, count);
	print_codes();
	ck_assert_uint_eq(report.nwarnings, 1);
	ck_assert_str_eq(report.warnings[0].code, "few_runs");
	make_good();
	for (int i = 0; i < 2; i++)
		fixture_run(&runs[count++], 2, SECOND * 63 / 100, 0.6, 0.35);
	add_repeats((const int[]){2, 1}, 2);
	fixture_report(runs, count);
	print_codes();
	ck_assert_uint_eq(report.nwarnings, 0);
}

TEST_EACH(test_each_check_finds_its_cause, COUNT(doubts))
{
	const struct report_warning *warning;

	make_good();
	if (doubts[_i].spoil)
		doubts[_i].spoil();
	change_run(&runs[1], "%s", doubts[_i].change);
	fixture_report(runs, count);
	warning = fixture_warning(doubts[_i].code);
	ck_assert_msg(warning != NULL, "no warning %s", doubts[_i].code);
	ck_assert_has(warning->text, doubts[_i].says);
	ck_assert_int_ne(warning->text[strlen(warning->text) - 1], ' ');
	ck_assert_has(warning->remedy, doubts[_i].remedy);
	ck_assert_ptr_null(strstr(warning->text, "{}"));
	ck_assert_ptr_null(strstr(warning->remedy, "{}"));
}

/* Cause and warning name the programs of the same run, which lost most to them. */
TEST(test_other_programs_of_one_run)
{
	REPORT_ON("1 1 .5 .5",
		  "2 .9 .3 .3; threads preempted_ns=40% waiting_ns=0; elapsed_ns=roi_ns "
		  "others_ns=roi_ns; facts 'other_programs=1.00 CPUs: make 0.90'",
		  "2 .8 .3 .3; threads preempted_ns=20% waiting_ns=20%; elapsed_ns=roi_ns "
		  "others_ns=roi_ns; facts 'other_programs=0.50 CPUs: cc1 0.40'");
	ck_assert_has(fixture_warning("other_load")->text, "; they used 1.00 CPUs: make 0.90");
	ck_assert_str_eq(report.causes->cause, "other-programs");
	ck_assert_has(report.causes->sentence, "other programs use 1.00 CPUs: make 0.90");
}

/* Runs that hardly differ are no cause for doubt, however little the others vary. */
TEST(test_runs_that_hardly_differ)
{
	REPORT_ON("1 1.019 .5 .5", "1 1 .5 .5", "1 1 .5 .5");
	ck_assert_ptr_null(fixture_warning("first_slow"));
	REPORT_ON("1 1.021 .5 .5", "1 1 .5 .5", "1 1 .5 .5");
	ck_assert_ptr_nonnull(fixture_warning("first_slow"));
	REPORT_ON("1 1 .5 .5", "1 1 .5 .5", "1 1.019 .5 .5");
	ck_assert_ptr_null(fixture_warning("outliers"));
	REPORT_ON("1 1 .5 .5", "1 1 .5 .5", "1 1.021 .5 .5");
	ck_assert_ptr_nonnull(fixture_warning("outliers"));
	/* of six runs the tables leave it out */
	REPORT_ON("1 1 .5 .5", "1 1 .5 .5", "1 1 .5 .5", "1 1 .5 .5", "1 1 .5 .5", "1 1.019 .5 .5");
	ck_assert_ptr_nonnull(fixture_warning("outliers"));
}

TEST(test_unknown_programs_are_not_changed)
{
	REPORT_ON("1 1 .5 .5; facts program=old", "2 .6 .5 .5", "4 .4 .5 .5");
	ck_assert_ptr_null(fixture_warning("program_changed"));
}

TEST(test_outliers_are_in_no_interval)
{
	make_good();
	slow_one();
	fixture_report(runs, count);
	ck_assert_double_lt(report.rows[0].throughput_range.high,
			    1.1 * report.rows[0].throughput_range.low);
}

/* What grows from a figure that is no cause for doubt to one that is. */
static const struct {
	const char *code, *change; /* of the run of two threads */
	double good, doubtful;
	const char *change_one; /* of the run of one thread */
} limits[] = {
	{"samples_lost", "samples_lost=%g", 10, 11},
	{"few_samples",
	 "threads samples_blas=30; threads[0] samples_other=20; threads[1] samples_other=%g", 20,
	 19},
	{"steal", "cpus_allowed=2 steal_ns=elapsed_ns steal_ns*=%g", 2 * 0.0199, 2 * 0.0201},
	/* without samples the library's setting tells: two callers with so many threads each, on 2
	 * CPUs */
	{"oversubscription",
	 "facts blas_threads=%g; samples=0 sample_rate_hz=0;"
	 "threads samples_blas=0 samples_other=0",
	 1, 2, "samples=0 sample_rate_hz=0"},
	{"small_roi", "cpu_ns=1s roi_cpu_ns=%gs", 0.501, 0.499},
	{"own_cost", "threads own_ns=%g%% other_ns-=own_ns", 4.99, 5.01},
	{"no_cpu", "threads preempted_ns=%g%% waiting_ns=0", 4.99, 5.01},
	{"call_mix", "threads[0] flops*=%g", 1 + 2 * 0.049, 1 + 2 * 0.051},
	/* the region of interest takes 1 s of 1.1 s with one thread, and 0.63 s with two; the
	 * speed-up of the whole runs is a tenth less, or more; also where two do twice or half the
	 * work */
	{"wall_clock", "elapsed_ns=%gs", 0.769, 0.771},
	{"wall_clock", "threads flops*=2; elapsed_ns=%gs", 0.769, 0.771},
	{"wall_clock", "", 1.209, 1.211, "elapsed_ns=%gs"},
	{"wall_clock", "threads flops*=.5", 1.209, 1.211, "elapsed_ns=%gs"},
};

TEST_EACH(test_limits, COUNT(limits))
{
	for (int i = 0; i < 2; i++) {
		double figure = i ? limits[_i].doubtful : limits[_i].good;

		make_good();
		change_run(&runs[1], limits[_i].change, figure);
		if (limits[_i].change_one)
			change_run(&runs[0], limits[_i].change_one, figure);
		fixture_report(runs, count);
		ck_assert_int_eq(fixture_warning(limits[_i].code) != NULL, i);
		/* the verdict has the speed-up that contradicts its own */
		if (!strcmp(limits[_i].code, "wall_clock"))
			ck_assert_int_eq(strstr(report_finding(&report), "; whole run: ") != NULL,
					 i);
	}
}

/* 0.413 of 1.587 are lost inside the region of interest, and less or more than that elsewhere. */
TEST_EACH(test_remedy_for_the_whole_run, 2)
{
	make_good();
	change_run(&runs[1], "elapsed_ns=%gs", 1.1 / (1.587 - 0.413) + (_i ? 0.005 : -0.005));
	fixture_report(runs, count);
	ck_assert_int_eq(strstr(report_remedy(&report), "--roi=process") != NULL, _i);
	ck_assert_has(report_remedy(&report), report.causes->remedy);
	ck_assert_str_ne(report.causes->remedy, "");
	ck_assert_has(report_verdict(&report), report_remedy(&report));
}

TEST_EACH(test_limit_of_the_length, 2)
{
	REPORT_ON("1 1 .55 .45", _i ? "2 .0999 .6 .35" : "2 .1001 .6 .35");
	ck_assert_int_eq(fixture_warning("short_roi") != NULL, _i);
}

/* Single precision where the processor has AMX, by oneDNN or in PyTorch, which can do it in bf16:
 * of one shape of calls, a quarter of the time. */
static const struct {
	char type;
	const char *way, *blas_path, *unit;
	int warns;
} fp32[] = {
	{'s', "onednn", "/lib/libopenblas.so.0", "AMX", 1},
	{'s', "", "/lib/libtorch_cpu.so", "AMX", 1},
	{'s', "", "/lib/libopenblas.so.0", "AMX", 0},
	{'d', "onednn", "/lib/libtorch_cpu.so", "AMX", 0},
	{'s', "onednn", "/lib/libtorch_cpu.so", "SME", 0},
	{'s', "onednn", "/lib/libtorch_cpu.so", "", 0},
};

TEST_EACH(test_fp32_without_amx, COUNT(fp32))
{
	make_good();
	change_run(&runs[1],
		   "shapes[0] type=d; shapes[1] type=%c way=%s; facts blas_path=%s matrix_unit=%s",
		   fp32[_i].type, fp32[_i].way, fp32[_i].blas_path, fp32[_i].unit);
	fixture_report(runs, count);
	ck_assert_int_eq(fixture_warning("fp32_without_amx") != NULL, fp32[_i].warns);
	if (fp32[_i].warns)
		ck_assert_has(fixture_warning("fp32_without_amx")->text,
			      ": 25 % of the time in calls at 2 threads");
}

TEST(test_every_check_is_tested)
{
	for (size_t i = 0; i < warnings_count; i++) {
		int tested = !warnings[i].check;

		for (int j = 0; j < COUNT(doubts); j++)
			tested |= !strcmp(doubts[j].code, warnings[i].code);
		ck_assert_msg(tested, "no test of %s", warnings[i].code);
		ck_assert_ptr_eq(warning_find(warnings[i].code), &warnings[i]);
	}
}

TEST(test_notes_are_shown)
{
	char unknown[128]; /* as a note without a text of its own is shown */
	const char *text;

	for (size_t i = 0; i < warnings_count; i++) {
		make_good();
		run_add_note(&runs[0], warnings[i].code, "first");
		run_add_note(&runs[1], warnings[i].code, i % 2 ? "second" : "%s", "");
		fixture_report(runs, count);
		ck_assert_uint_eq(report.nwarnings,
				  1 + (strcmp(warnings[i].code, "few_runs") != 0));
		ck_assert_int_eq(report.warnings[0].runs, 2);
		ck_assert_int_eq(report.warnings[0].severity, warnings[i].severity);
		ck_assert_uint_gt(strlen(report.warnings[0].text), 0);
		ck_assert(!strstr(report.warnings[0].text, "{}"));
		ck_assert(i % 2 == !!strstr(report.warnings[0].text, "second"));
		snprintf(unknown, sizeof unknown, "%s: second", warnings[i].code);
		ck_assert_str_ne(report.warnings[0].text, unknown);
		text = fixture_written("text", NULL);
		/* also if the line is broken there */
		ck_assert_ptr_nonnull(strstr(text, "(in 2 runs)")
					      ?: strstr(text, "(in 2\n")
					      ?: strstr(text, "(in\n"));
	}
}

/* A command that fails may do so before its threads have work. */
TEST(test_threads_of_a_failed_run)
{
	fixture_run(&runs[0], 1, 2 * SECOND, 0.55, 0.45);
	fixture_run(&runs[1], 2, 2 * SECOND, 0.6, 0.35);
	start_threads();
	runs[1].exit_status = 1;
	fixture_report(runs, 2);
	ck_assert_ptr_null(fixture_warning("threads_unsampled"));
	ck_assert_ptr_nonnull(fixture_warning("failed_runs"));
}

/* Nothing can hide calls of a program that loads no BLAS library. */
TEST(test_no_blas)
{
	REPORT_ON("1 1 .55 .45; threads calls=0; facts blas_loaded=no");
	ck_assert_ptr_null(fixture_warning("no_calls"));
	ck_assert_int_eq((int)fixture_warning("no_blas")->severity, SEVERITY_NOTE);
}

/* A text without a detail ends before its colon. */
TEST(test_no_detail)
{
	REPORT_ON("1 1 .55 .45; threads calls=0");
	ck_assert_ptr_nonnull(fixture_warning("no_calls"));
	ck_assert_str_eq(fixture_warning("no_calls")->text, "no BLAS call was seen");
}

/* Of many notes with one code, only some of the newest run's are shown. */
TEST(test_many_notes_of_one_code)
{
	make_good();
	run_add_note(&runs[0], "process_not_intercepted", "old");
	for (int i = 0; i < 20; i++) /* each twice; the second is not added */
		run_add_note(&runs[1], "process_not_intercepted", "child %d", i % 10);
	fixture_report(runs, count);
	expect_text(": child 0 (and 6 more");
	expect_text(": child 3\n");
	expect_no_text("child 4");
	expect_no_text(": old");
	ck_assert_int_eq(report.warnings[0].runs, 2);
}

TEST(test_unknown_notes_are_shown)
{
	report_good("+notes code=of_the_future detail='something 42'");
	expect_text("\nnote     of_the_future: something 42\n");
}

/* The BLAS of a single caller has workers: the report says so, and its account has N = 1 + workers.
 */
TEST(test_parallel_case_is_named)
{
	make_good();
	runs[1].nthreads = 1;
	change_run(&runs[1], WORKERS);
	fixture_report(runs, count);
	ck_assert_int_eq(report.rows[1].threads, 3);
	expect_text("one caller; BLAS itself runs on several threads");
	expect_text("BLAS worker");
	expect_text("OPENBLAS_NUM_THREADS=2");
}

/* A library that says it has one thread has no workers, even if its pool's threads spin. */
TEST(test_one_blas_thread_has_no_workers)
{
	make_good();
	runs[1].nthreads = 1;
	change_run(&runs[1], WORKERS);
	run_add_fact(&runs[1], "blas_threads", "1");
	fixture_report(runs, count);
	ck_assert_int_eq(report.runs[1].threads, 1);
	ck_assert_int_eq(report.runs[1].account.workers, 0);
}

/* BLIS answers -1 if its thread count was not set. */
TEST(test_unset_blas_threads_are_not_shown)
{
	report_good("facts blas_threads=-1");
	expect_no_text("threads set to");
	report_good("facts blas_threads=2");
	expect_text("threads set to");
}

static const char *const variables[][2] = {
	{"facts 'blas=Intel MKL'", "MKL_NUM_THREADS"},
	{"facts blas=BLIS", "BLIS_NUM_THREADS"},
	{"facts blas=OpenBLAS", "OPENBLAS_NUM_THREADS"},
	{"facts blas=OpenBLAS blas_layer=OpenMP", "OMP_NUM_THREADS"},
	{"facts 'blas=reference BLAS'", "OMP_NUM_THREADS"},
};

TEST_EACH(test_variable_fits_the_library, COUNT(variables))
{
	report_good(variables[_i][0]);
	ck_assert_str_eq(report_threads_variable(&report), variables[_i][1]);
}
