/* warning_test.c: each doubt appears when there is cause for it, and not otherwise. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Adds runs of one thread that take this many percent longer than a second. */
static void add_repeats(const int *percents, size_t repeats)
{
	for (size_t i = 0; i < repeats; i++)
		fixture_run(&runs[count++], 1, SECOND + SECOND / 100 * percents[i], 0.55, 0.45);
}

static void spoil_calls(void)
{
	run_free(&runs[1]);
}

static void spoil_lost(void)
{
	runs[1].samples_lost = 20;
}

static void spoil_counts(void)
{
	runs[1].samples_attributed += 3;
}

static void spoil_categories(void)
{
	fixture_categories.missing = 1;
}

static void spoil_symbols(void)
{
	struct run_function *function = fixture_function(&runs[1], "libonnxruntime.so.1+0x1b70",
							 "/usr/lib/libonnxruntime.so.1");

	function->code = RUN_CODE_OTHER;
	function->samples = 1000;
	ck_assert(!categories_read(&fixture_categories,
				   TEST_SRCDIR "/../analysis/report/categories.txt", NULL));
}

static void spoil_unit(void)
{
	run_add_fact(&runs[1], "matrix_unit", "AMX");
	for (size_t i = 0; i < runs[1].nshapes; i++) {
		struct call_shape *shape = &runs[1].shapes[i].shape;

		shape->type = 's';
		snprintf(shape->way, sizeof shape->way, "onednn");
	}
}

static void spoil_samples(void)
{
	for (size_t i = 0; i < runs[1].nthreads; i++)
		runs[1].threads[i].samples_blas = runs[1].threads[i].samples_other = 10;
}

/* 500 threads that end after a millisecond each, without a sample. */
static void spoil_lives(void)
{
	for (int i = 0; i < 500; i++) {
		struct run_thread *brief = run_add_thread(&runs[1]);

		brief->pid = 100;
		brief->tid = 300 + i;
		brief->start_ns = SECOND / 1000 * i;
		brief->end_ns = brief->start_ns + SECOND / 1000;
		brief->times.ns[CAT_OTHER] = SECOND / 1000;
	}
}

static void spoil_coverage(void)
{
	runs[1].threads[0].samples_blas = 500;
	runs[1].threads[0].samples_other = 0;
}

static void spoil_switches(void)
{
	for (size_t i = 0; i < runs[1].nthreads; i++) {
		runs[1].threads[i].switch_preempted_ns = 0;
		runs[1].threads[i].switch_waiting_ns = runs[1].roi_ns / 2;
	}
}

/* A percentage of the time of two threads. */
static void add_waits(int percent)
{
	struct run_wait *wait = table_add(&run_tables[RUN_PART_WAITS], &runs[1]);

	strcpy(wait->kind, "futex");
	wait->function = "futex";
	wait->caller = "step";
	wait->file = "";
	wait->pid = 100;
	wait->tid = 100;
	wait->stack = -1;
	wait->total_ns = runs[1].roi_ns / 100 * 2 * percent;
}

static void spoil_waits(void)
{
	add_waits(136);
}

/* Two clocks differ by 12 points, or by 8; with too few samples, and with so few that it may be
 * chance. */
static const struct apart {
	uint64_t blas, other; /* samples of each thread */
	int waits, off;	      /* % of the time by records; 0 for no record */
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
	for (size_t i = 0; i < runs[1].nthreads; i++) {
		struct run_thread *thread = &runs[1].threads[i];

		for (int category = 0; category < CAT_COUNT; category++)
			thread->times.ns[category] = 0;
		thread->times.ns[CAT_OTHER] = runs[1].roi_ns * (275 - 10 * apart->mpi) / 1000;
		thread->times.ns[CAT_MPI] = runs[1].roi_ns * apart->mpi / 100;
		thread->times.ns[CAT_BLAS] = runs[1].roi_ns * 475 / 1000;
		thread->times.blas_waiting_ns = runs[1].roi_ns * 200 / 1000;
		thread->times.ns[CAT_WAITING] = runs[1].roi_ns * 150 / 1000;
		thread->times.ns[CAT_NO_CPU] = runs[1].roi_ns * 100 / 1000;
		thread->samples_blas = apart->blas;
		thread->samples_other = apart->other;
		if (!apart->off)
			continue;
		thread->switch_preempted_ns = runs[1].roi_ns / 10;
		thread->switch_waiting_ns = runs[1].roi_ns * (apart->off - 10) / 100;
	}
	if (apart->waits)
		add_waits(apart->waits);
	fixture_report(runs, count);
	warning = fixture_warning("clocks");
	ck_assert_int_eq(warning != NULL, apart->says != NULL);
	if (warning) {
		ck_assert_msg(strstr(warning->text, apart->says) != NULL, "%s", warning->text);
		ck_assert_msg(strstr(warning->remedy, apart->remedy) != NULL, "%s",
			      warning->remedy);
	}
}

static void lose_samples(void)
{
	spoil_coverage();
	runs[1].samples_lost = 700;
}

static void lose_records(void)
{
	spoil_waits();
	run_add_note(&runs[1], "records_lost", "%d", 99);
}

/* A quarter of the time; BLAS has 84 % of the other computing. */
static void spin(void)
{
	for (size_t i = 0; i < runs[1].nthreads; i++) {
		runs[1].threads[i].times.ns[CAT_SPIN] = runs[1].roi_ns / 4;
		runs[1].threads[i].times.ns[CAT_OTHER] = runs[1].roi_ns / 10;
		runs[1].threads[i].samples_blas = 490;
		runs[1].threads[i].samples_other = 10;
	}
}

static void take_turns(void)
{
	spoil_coverage();
	for (size_t i = 0; i < runs[1].nthreads; i++) {
		struct run_thread *thread = &runs[1].threads[i];

		thread->times.ns[CAT_NO_CPU] = runs[1].roi_ns / 3;
		thread->times.ns[CAT_OTHER] /= 2;
		thread->times.ns[CAT_BLAS] /= 2;
	}
}

static void delay(void)
{
	for (int i = 0; i < 2; i++)
		strcpy(runs[i].what_if, "blas=2");
	for (size_t i = 0; i < runs[1].nthreads; i++) {
		runs[1].threads[i].samples_blas = 200;
		runs[1].threads[i].samples_other = 300;
	}
}

static void lack_the_page(void)
{
	spoil_switches();
	run_add_note(&runs[1], "no_offcpu_page", "%d", 1);
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

TEST_EACH(test_clocks_have_a_cause, 6)
{
	static const struct {
		void (*spoil)(void);
		const char *cause;
	} causes[] = {
		{lose_samples, "samples that were lost"}, {lose_records, "records of switches"},
		{spin, "spin in a library's pool"},	  {take_turns, "lacked a CPU"},
		{delay, "delays of the what-if"},	  {lack_the_page, "cannot ask"},
	};

	make_good();
	causes[_i].spoil();
	fixture_report(runs, count);
	ck_assert_ptr_nonnull(fixture_warning("clocks"));
	ck_assert_msg(strstr(fixture_warning("clocks")->remedy, causes[_i].cause) != NULL, "%s",
		      fixture_warning("clocks")->remedy);
}

/* Two BLAS workers in addition to two callers. */
static void spoil_oversubscription(void)
{
	for (int i = 0; i < 2; i++) {
		struct run_thread *worker = run_add_thread(&runs[1]);

		worker->pid = 100;
		worker->tid = 200 + i;
		worker->end_ns = runs[1].roi_ns;
		worker->samples_blas = 400;
	}
	run_add_fact(&runs[1], "blas_threads", "3");
}

static void spoil_cpus(void)
{
	runs[1].cpus_available = 1;
}

static void spoil_load(void)
{
	for (size_t i = 0; i < runs[1].nthreads; i++) {
		runs[1].threads[i].times.ns[CAT_NO_CPU] = runs[1].roi_ns / 10;
		runs[1].threads[i].times.ns[CAT_OTHER] -= runs[1].roi_ns / 10;
	}
}

/* The same load, with the name of the program. */
static void spoil_other_load(void)
{
	spoil_load();
	runs[1].elapsed_ns = runs[1].roi_ns;
	runs[1].others_ns = (double)runs[1].roi_ns;
	run_add_fact(&runs[1], "other_programs", "1.00 CPUs: stress-ng 0.90");
}

static void spoil_quota(void)
{
	spoil_load();
	runs[1].elapsed_ns = runs[1].roi_ns;
	runs[1].quota_ns = (double)runs[1].roi_ns;
	runs[1].cpus_available = 1.5;
}

/* Two other threads of the program keep two participants waiting. */
static void spoil_own_load(void)
{
	spoil_load();
	for (size_t i = 0; i < runs[1].nthreads; i++) {
		runs[1].threads[i].switch_preempted_ns = runs[1].roi_ns / 20;
		runs[1].threads[i].switch_own_ns = runs[1].roi_ns / 20;
	}
}

/* Without records of switches: the threads are ready for more time than the one CPU has. */
static void spoil_few_cpus(void)
{
	spoil_load();
	runs[1].cpus_allowed = 1;
}

static void spoil_steal(void)
{
	runs[1].cpus_allowed = 2;
	runs[1].steal_ns = 63e6;
}

/* More than there can be. */
static void spoil_steal_by_far(void)
{
	runs[1].cpus_allowed = 2;
	runs[1].steal_ns = 63e9;
}

static void spoil_length(void)
{
	for (int i = 0; i < 2; i++)
		run_free(&runs[i]);
	fixture_run(&runs[0], 1, SECOND / 11, 0.55, 0.45);
	fixture_run(&runs[1], 2, SECOND / 18, 0.6, 0.35);
}

static void spoil_cost(void)
{
	for (size_t i = 0; i < runs[1].nthreads; i++) {
		runs[1].threads[i].own_ns = runs[1].roi_ns / 10;
		runs[1].threads[i].times.ns[CAT_OTHER] -= runs[1].roi_ns / 10;
		runs[1].threads[i].samples_other -= 50;
	}
}

static void spoil_mix(void)
{
	runs[1].threads[0].calls *= 2;
	runs[1].threads[0].flops *= 1.5;
}

static void spoil_status(void)
{
	runs[1].exit_status = 3;
}

static void spoil_by_signal(void)
{
	runs[1].exit_status = 130;
}

static void spoil_machine(void)
{
	run_add_fact(&runs[1], "blas_version", "0.3.99");
}

static void spoil_roi(void)
{
	runs[1].roi_ns = 0;
}

static void spoil_alike(void)
{
	strcpy(runs[1].what_if, "units=1");
}

static void spoil_nothing(void)
{
}

static void spoil_first(void)
{
	run_free(&runs[0]);
	fixture_run(&runs[0], 1, SECOND * 3 / 2, 0.55, 0.45);
	add_repeats((const int[]){0, 1, 2, 1, 0}, 5);
}

static void spoil_one(void)
{
	add_repeats((const int[]){1, 2, 60, 1, 0, 1}, 6);
}

static void spoil_order(void)
{
	add_repeats((const int[]){2, 4, 6, 8, 10, 12}, 6);
}

static void spoil_share(void)
{
	runs[1].cpu_ns = SECOND;
	runs[1].roi_cpu_ns = SECOND * 2 / 5;
}

static void spoil_wall(void)
{
	runs[1].elapsed_ns = runs[0].elapsed_ns;
}

static void spoil_request(void)
{
	struct run_thread *more = run_add_thread(&runs[0]);

	*more = runs[0].threads[0];
	more->tid++;
	runs[0].threads_requested = 1;
}

static void spoil_sampling(void)
{
	runs[1].sample_rate_hz = 0;
	runs[1].cpu_ns = runs[1].roi_cpu_ns = 4 * SECOND;
}

static void spoil_pairs(void)
{
	runs[0].pairs = calloc(1, sizeof *runs[0].pairs);
	runs[0].pairs[0] = (struct run_pair){1000, 3000};
	runs[0].npairs = 1;
}

static const struct doubt {
	const char *code;
	void (*spoil)(void);
	const char *says, *remedy;
} doubts[] = {
	{"no_calls", spoil_calls, "1 of 2 runs made none", "doctor"},
	{"samples_lost", spoil_lost, "20 of 1020 at 2 threads", "rate"},
	{"samples_missing", spoil_counts, "-3 of 1000 are in no figure", "report it"},
	{"no_categories", spoil_categories, "not installed", "--categories"},
	{"no_symbols", spoil_symbols, "libonnxruntime.so.1, 50 % of the samples at 2 threads",
	 "not stripped"},
	{"fp32_without_amx", spoil_unit, "100 % of the time in calls at 2 threads",
	 "set_float32_matmul_precision"},
	{"few_samples", spoil_samples, "40 at 2 threads", "longer"},
	{"threads_unsampled", spoil_lives, "500, of 1.00 ms each, with 31 % of the CPU time",
	 "-F 4000"},
	{"clocks", spoil_coverage,
	 "samples put 80 % of the callers' computing in BLAS libraries, interception explains 61 % "
	 "(2 threads)",
	 "RTLD_DEEPBIND"},
	{"clocks", spoil_switches,
	 "11 % of their time by the preload library, 50 % by the scheduler's records (2 threads)",
	 "doctor"},
	{"clocks", spoil_waits, "waits add up to 136 % of their time", "doctor"},
	{"oversubscription", spoil_oversubscription, "make 4 on 2 CPUs", "OPENBLAS_NUM_THREADS=1"},
	{"threads_over_cpus", spoil_cpus, "2 threads on 1 CPU", "fewer threads"},
	{"no_cpu", spoil_load, "10 % of the time at 2 threads on 2 CPUs", "end what else runs"},
	{"other_load", spoil_other_load,
	 "10 % of the time at 2 threads; they used 1.00 CPUs: stress-ng 0.90", "taskset"},
	{"cpu_quota", spoil_quota, "10 % of the time at 2 threads on 1.5 CPUs", "cpu.max"},
	{"own_load", spoil_own_load, "10 % of the time at 2 threads on 2 CPUs", "passive"},
	{"own_load", spoil_few_cpus, "10 % of the time at 2 threads on 2 CPUs", "passive"},
	{"steal", spoil_steal, ": 5 % of the machine's time at 2 threads", "not shared"},
	{"steal", spoil_steal_by_far, ": 19 % of the machine's time at 2 threads", "not shared"},
	{"short_roi", spoil_length, "55.6 ms at 2 threads", "more work"},
	{"own_cost", spoil_cost, "10 % of the threads' time at 2 threads", "larger calls"},
	{"call_mix", spoil_mix, ": 1.67e+06 flops a call at 1 thread, 1.39e+06 at 2",
	 "measured in BLAS flops"},
	{"failed_runs", spoil_status,
	 "1 of 2 runs ended with a status other than 0 (last: 3); 0 left out, 1 used because "
	 "there are no others",
	 "record again"},
	{"stopped_runs", spoil_by_signal, "1 of 2 runs ended by Ctrl-C", "end by itself"},
	{"empty_roi", spoil_roi, "1 of 2 runs", "two BLAS calls"},
	{"left_out", spoil_alike, "1 of 2 have another", "--what-if"},
	{"few_runs", spoil_nothing, "1 at 1 thread", "-r 5"},
	{"first_slow", spoil_first, "it took 49 % longer at 1 thread", "blasprof -w 2"},
	{"outliers", spoil_one, "1 of 7 at 1 thread, which the tables leave out", "record again"},
	{"drift", spoil_order, "by 11 % over 7 runs at 1 thread, slower", "take turns"},
	{"small_roi", spoil_share, "40 % at 2 threads", "--roi=process"},
	{"wall_clock", spoil_wall,
	 "2 threads give 1.59 inside the region of interest, and 1.00 over the whole run",
	 "--roi=process"},
	{"more_threads", spoil_request, "up to 2.0, where 1 was asked for", "the setting"},
	{"unknown_cpu", spoil_sampling, ": 72 % of the CPU time at 2 threads", "-F 0"},
	{"replay", spoil_pairs, "BLAS has 0.750 of its time, and 0.550 of the run's",
	 "shorter run"},
	{"mixed_machines", spoil_machine, "OpenBLAS, 0.3.99", "different stores"},
};
#define DOUBTS ((int)(sizeof doubts / sizeof doubts[0]))

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

TEST_EACH(test_each_check_finds_its_cause, DOUBTS)
{
	const struct doubt *doubt = &doubts[_i];
	const struct report_warning *warning;

	make_good();
	doubt->spoil();
	fixture_report(runs, count);
	warning = fixture_warning(doubt->code);
	ck_assert_msg(warning != NULL, "no warning %s", doubt->code);
	ck_assert_msg(strstr(warning->text, doubt->says) != NULL, "%s", warning->text);
	ck_assert_msg(strstr(warning->remedy, doubt->remedy) != NULL, "%s", warning->remedy);
	ck_assert_ptr_null(strstr(warning->text, "{}"));
	ck_assert_ptr_null(strstr(warning->remedy, "{}"));
}

TEST(test_outliers_are_in_no_interval)
{
	make_good();
	spoil_one();
	fixture_report(runs, count);
	ck_assert_double_lt(report.rows[0].throughput_range.high,
			    1.1 * report.rows[0].throughput_range.low);
}

/* What each of these sets grows from a figure that is no cause for doubt to one that is. */
static void lose(double samples)
{
	runs[1].samples_lost = (uint64_t)samples;
}

static void sample(double samples)
{
	for (int i = 0; i < 2; i++) {
		runs[1].threads[i].samples_blas = 30;
		runs[1].threads[i].samples_other = i ? (uint64_t)samples - 80 : 20;
	}
}

static void steal(double share)
{
	runs[1].cpus_allowed = 2;
	runs[1].steal_ns = share * 2 * (double)runs[1].elapsed_ns;
}

static void compute_inside(double share)
{
	runs[1].cpu_ns = SECOND;
	runs[1].roi_cpu_ns = (int64_t)(share * SECOND);
}

static void take_other_time(int64_t *from, double share)
{
	*from = (int64_t)(share * (double)runs[1].roi_ns);
}

static void cost(double share)
{
	for (int i = 0; i < 2; i++) {
		take_other_time(&runs[1].threads[i].own_ns, share);
		runs[1].threads[i].times.ns[CAT_OTHER] -= runs[1].threads[i].own_ns;
	}
}

static void lack(double share)
{
	for (int i = 0; i < 2; i++) {
		take_other_time(&runs[1].threads[i].times.ns[CAT_NO_CPU], share);
		runs[1].threads[i].times.ns[CAT_WAITING] = 0;
	}
}

static void last(double ms)
{
	run_free(&runs[1]);
	fixture_run(&runs[1], 2, (int64_t)(ms * 1e6), 0.6, 0.35);
}

static void call_larger(double share)
{
	runs[1].threads[0].flops *= 1 + 2 * share;
}

/* Outside the region of interest 0.1 s with one thread; with two that is a tenth of the run more,
 * also where they do twice the work and may take twice as long outside. */
static void take_longer(double seconds)
{
	runs[1].elapsed_ns = (int64_t)(seconds * SECOND);
}

static void work_twice(double seconds)
{
	for (int i = 0; i < 2; i++)
		runs[1].threads[i].flops *= 2;
	take_longer(seconds);
}

/* With two threads it is 0.063 s, which is a tenth of the run of one less than there; or than half
 * of it, where they do half of the work. */
static void take_longer_alone(double seconds)
{
	runs[0].elapsed_ns = (int64_t)(seconds * SECOND);
}

static void work_half(double seconds)
{
	for (int i = 0; i < 2; i++)
		runs[1].threads[i].flops /= 2;
	take_longer_alone(seconds);
}

/* Without samples the library's setting tells: two callers with so many threads each, on 2 CPUs. */
static void have_pools(double threads)
{
	char text[16];

	snprintf(text, sizeof text, "%.0f", threads);
	run_add_fact(&runs[1], "blas_threads", text);
	for (int i = 0; i < 2; i++)
		runs[i].samples = runs[i].sample_rate_hz = 0;
	for (int i = 0; i < 2; i++)
		runs[1].threads[i].samples_blas = runs[1].threads[i].samples_other = 0;
}

static const struct {
	const char *code;
	void (*set)(double figure);
	double good, doubtful;
} limits[] = {
	{"samples_lost", lose, 10, 11},
	{"few_samples", sample, 100, 99},
	{"steal", steal, 0.0199, 0.0201},
	{"oversubscription", have_pools, 1, 2},
	{"small_roi", compute_inside, 0.501, 0.499},
	{"own_cost", cost, 0.0499, 0.0501},
	{"no_cpu", lack, 0.0499, 0.0501},
	{"short_roi", last, 100.1, 99.9},
	{"call_mix", call_larger, 0.049, 0.051},
	{"wall_clock", take_longer, 0.73 / 0.9 - 1e-3, 0.73 / 0.9 + 1e-3},
	{"wall_clock", work_twice, 0.83 / 0.9 - 1e-3, 0.83 / 0.9 + 1e-3},
	{"wall_clock", work_twice, 0.69, 0.83 / 0.9 + 1e-3}, /* less than twice as long */
	{"wall_clock", take_longer_alone, 1 + 0.163 / 0.9 - 1e-3, 1 + 0.163 / 0.9 + 1e-3},
	{"wall_clock", work_half, 1 + 0.163 / 0.4 - 1e-3, 1 + 0.163 / 0.4 + 1e-3},
};

TEST_EACH(test_limits, COUNT(limits))
{
	for (int i = 0; i < 2; i++) {
		make_good();
		limits[_i].set(i ? limits[_i].doubtful : limits[_i].good);
		fixture_report(runs, count);
		ck_assert_int_eq(fixture_warning(limits[_i].code) != NULL, i);
	}
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
	{'s', "onednn", "/lib/libtorch_cpu.so", NULL, 0},
};

TEST_EACH(test_fp32_without_amx, COUNT(fp32))
{
	struct call_shape *shape;

	make_good();
	shape = &runs[1].shapes[1].shape;
	shape->type = fp32[_i].type;
	strcpy(shape->way, fp32[_i].way);
	runs[1].shapes[0].shape.type = 'd';
	run_add_fact(&runs[1], "blas_path", fp32[_i].blas_path);
	if (fp32[_i].unit)
		run_add_fact(&runs[1], "matrix_unit", fp32[_i].unit);
	fixture_report(runs, count);
	ck_assert_int_eq(fixture_warning("fp32_without_amx") != NULL, fp32[_i].warns);
	if (fp32[_i].warns)
		ck_assert_ptr_nonnull(strstr(fixture_warning("fp32_without_amx")->text,
					     ": 25 % of the time in calls at 2 threads"));
}

TEST(test_every_check_is_tested)
{
	for (size_t i = 0; i < warnings_count; i++) {
		int tested = !warnings[i].check;

		for (int j = 0; j < DOUBTS; j++)
			tested |= !strcmp(doubts[j].code, warnings[i].code);
		ck_assert_msg(tested, "no test of %s", warnings[i].code);
		ck_assert_ptr_eq(warning_find(warnings[i].code), &warnings[i]);
	}
}

TEST(test_notes_are_shown)
{
	char unknown[128], *text; /* as a note without a text of its own is shown */

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
		free(text);
	}
}

/* A text without a detail ends before its colon. */
TEST(test_no_detail)
{
	make_good();
	run_free(&runs[1]);
	count = 1;
	for (size_t i = 0; i < runs[0].nthreads; i++)
		runs[0].threads[i].calls = 0;
	fixture_report(runs, 1);
	ck_assert_ptr_nonnull(fixture_warning("no_calls"));
	ck_assert_str_eq(fixture_warning("no_calls")->text, "no BLAS call was seen");
}

/* Of many notes with one code, only some of the newest run's are shown. */
TEST(test_many_notes_of_one_code)
{
	make_good();
	run_add_note(&runs[0], "process_not_intercepted", "old");
	for (int i = 0; i < 10; i++)
		run_add_note(&runs[1], "process_not_intercepted", "child %d", i);
	fixture_report(runs, count);
	expect_text(": child 0 (and 6 more");
	expect_text(": child 3\n");
	expect_no_text("child 4");
	expect_no_text(": old");
	ck_assert_int_eq(report.warnings[0].runs, 2);
}

TEST(test_unknown_notes_are_shown)
{
	make_good();
	run_add_note(&runs[1], "of_the_future", "something %d", 42);
	fixture_report(runs, count);
	expect_text("\nnote     of_the_future: something 42\n");
}

/* The BLAS of a single caller has workers: the report says so, and its account has N = 1 + workers.
 */
TEST(test_parallel_case_is_named)
{
	make_good();
	runs[1].nthreads = 1;
	spoil_oversubscription();
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
	spoil_oversubscription();
	run_add_fact(&runs[1], "blas_threads", "1");
	fixture_report(runs, count);
	ck_assert_int_eq(report.runs[1].threads, 1);
	ck_assert_int_eq(report.runs[1].account.workers, 0);
}

/* BLIS answers -1 if its thread count was not set. */
TEST(test_unset_blas_threads_are_not_shown)
{
	static const char *const settings[] = {"-1", "2"};

	for (int i = 0; i < 2; i++) {
		make_good();
		run_add_fact(&runs[1], "blas_threads", settings[i]);
		fixture_report(runs, count);
		(i ? expect_text : expect_no_text)("threads set to");
	}
}

TEST(test_variable_fits_the_library)
{
	static const char *const variables[][3] = {{"Intel MKL", "", "MKL_NUM_THREADS"},
						   {"BLIS", "", "BLIS_NUM_THREADS"},
						   {"OpenBLAS", "", "OPENBLAS_NUM_THREADS"},
						   {"OpenBLAS", "OpenMP", "OMP_NUM_THREADS"},
						   {"reference BLAS", "", "OMP_NUM_THREADS"}};

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		make_good();
		run_add_fact(&runs[1], "blas", variables[i][0]);
		if (*variables[i][1])
			run_add_fact(&runs[1], "blas_layer", variables[i][1]);
		fixture_report(runs, count);
		ck_assert_str_eq(report_threads_variable(&report), variables[i][2]);
	}
}
