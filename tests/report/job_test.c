/* job_test.c: only ranks that are known to be of one job become one run. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "described_run.h"
#include "fixture.h"
#include "tests/unit.h"

static struct run *runs;
static size_t count;

/* A run of a rank, under Hydra without a job name, with a region of interest of one second from
 * start_s on. */
static void add_rank(const char *job, const char *rank, const char *size, double start_s)
{
	struct run *run = array_add(&runs, &count, sizeof *run);

	fixture_run(run, 1, SECOND, 0.5, 0.4);
	run->roi_started_ns = 1700000000 * SECOND + (int64_t)(start_s * SECOND);
	if (!rank) /* it is no rank */
		return;
	run_add_fact(run, "mpi.rank", rank);
	run_add_fact(run, "mpi.size", size);
	run_add_fact(run, "mpi.job", job);
}

/* Checks the thread counts of the merged runs, in the order of the runs. */
static void expect_threads(const char *wanted)
{
	char text[64] = "";

	job_merge(runs, &count);
	for (size_t i = 0; i < count; i++) {
		strcat(text, i ? " " : "");
		sprintf(text + strlen(text), "%zu", runs[i].nthreads);
		run_free(&runs[i]);
	}
	free(runs);
	runs = NULL;
	count = 0;
	ck_assert_str_eq(text, wanted);
}

/* Ranks in the order of the store, as "job.rank/size@start". */
static const struct {
	const char *ranks, *threads;
} jobs[] = {
	/* runs as in the stores of each rank, which name no job (-): of 2, then of 4 ranks, then of
	 * 4 again */
	{"-.0/2@0 -.0/4@10 -.0/4@20 -.1/2@0.01 -.1/4@10.01 -.1/4@20.01 -.2/4@10.02 -.2/4@20.02 "
	 "-.3/4@10.03 -.3/4@20.03",
	 "2 4 4"},
	/* rank 1 of the first job was lost; that of the second job does not take its place */
	{"-.0/2@0 -.0/2@10 -.1/2@10.1", "1 2"},
	/* two at the same time: it is not known to which the other rank belongs */
	{"-.0/2@0 -.0/2@0.1 -.1/2@0.1 -.1/2@0", "1 1 1 1"},
	/* one starts when the other ends: that is another job, in any order in the store */
	{"-.0/2@0 -.1/2@1", "1 1"},
	{"-.0/2@1 -.1/2@0", "1 1"},
	/* ranks of a job with a name belong together by their order, regardless of their clocks */
	{"a.0/2@0 b.0/2@0.1 b.0/2@5 b.1/2@100.1 b.1/2@105 a.1/2@0", "2 2 2"},
	/* the first run of rank 1 is missing, so the number of a run does not tell which belong
	 * together */
	{"a.0/2@0 a.0/2@50 a.1/2@50.1", "1 2"},
};

TEST_EACH(test_jobs, COUNT(jobs))
{
	char job[2], rank[2], size[2];
	const char *at = jobs[_i].ranks;
	double start_s;

	for (int length; *at; at += length) {
		ck_assert_int_eq(sscanf(at, " %1[-ab].%1[0-3]/%1[24]@%lf%n", job, rank, size,
					&start_s, &length),
				 4);
		add_rank(*job == '-' ? "" : job, rank, size, start_s);
	}
	expect_threads(jobs[_i].threads);
}

/* They run at the same time, but differ in something that is the same within a job. */
TEST_EACH(test_ranks_of_two_jobs, 6)
{
	add_rank(_i == 5 ? "" : "a", "0", "2", 0);
	add_rank(_i == 0 ? "b" : _i == 5 ? "" : "a", _i == 5 ? NULL : "1", _i == 1 ? "3" : "2", 0);
	change_run(&runs[1], _i == 2   ? "command=./test"
			     : _i == 3 ? "what_if=units=1"
			     : _i == 4 ? "roi=process"
				       : "");
	expect_threads("1 1");
}

/* How many threads of a job work at once is known if it is of each rank. */
TEST_EACH(test_awake_in_ranks, 3)
{
	add_rank("a", "0", "2", 0);
	add_rank("a", "1", "2", 0);
	runs[0].threads_awake = _i == 1 ? 0 : 3;
	runs[1].threads_awake = _i == 2 ? 0 : 2;
	job_merge(runs, &count);
	ck_assert_int_eq(runs->threads_awake, _i ? 0 : 5);
	expect_threads("2");
}

/* Each rank has a function that main() calls and that waits; so has the merged run. */
TEST(test_stacks_of_ranks)
{
	static const char *const names[][2] = {{"main", "send"}, {"main", "receive"}};

	for (int rank = 0; rank < 2; rank++) {
		add_rank("a", rank ? "1" : "0", "2", 0);
		change_run(&runs[rank],
			   "+frames function=%s; +stacks; +frames function=%s; +stacks parent=0;"
			   "+waits kind=MPI total_ns=10%% stack=1",
			   names[rank][0], names[rank][1]);
	}
	job_merge(runs, &count);
	for (int rank = 0; rank < 2; rank++) {
		const struct run_stack *inner = &runs->stacks[runs->waits[rank].stack];
		const struct run_stack *outer = &runs->stacks[inner->parent];

		ck_assert_str_eq(runs->frames[inner->frame].function, names[rank][1]);
		ck_assert_str_eq(runs->frames[outer->frame].function, names[rank][0]);
		ck_assert_int_eq(outer->parent, -1);
	}
	expect_threads("2");
}

/* By how much later the second rank begins; by how much longer the job lasts, unless the clocks
 * differ. */
static const struct {
	double later_s, both_s;
} later[] = {{0.2, 1.2}, {-0.2, 1.2}, {0.99, 1.99}, {-0.99, 1.99}, {1, 1}, {-1, 1}};

TEST_EACH(test_ranks_that_begin_later, COUNT(later))
{
	int64_t both_ns = llrint(later[_i].both_s * (double)SECOND);

	for (int rank = 0; rank < 2; rank++) {
		add_rank("a", rank ? "1" : "0", "2", rank * later[_i].later_s);
		/* processes have times if they called BLAS */
		change_run(&runs[rank],
			   "+processes; +processes calls=1 end_ns=1s; threads process=1");
	}
	job_merge(runs, &count);
	ck_assert_int_eq(runs->roi_ns, both_ns);
	ck_assert_uint_eq(runs->nnotes, both_ns == SECOND);
	ck_assert_int_eq(runs->roi_started_ns,
			 1700000000 * SECOND - (later[_i].later_s < 0 ? both_ns - SECOND : 0));
	for (int rank = 0; rank < 2; rank++) {
		int64_t start_ns = rank == (later[_i].later_s > 0) ? both_ns - SECOND : 0;
		const struct run_process *processes = &runs->processes[2 * rank];

		ck_assert_int_eq(runs->threads[rank].start_ns, start_ns);
		ck_assert_int_eq(runs->threads[rank].end_ns, start_ns + SECOND);
		ck_assert_int_eq(runs->threads[rank].process, 2 * rank + 1);
		ck_assert_str_eq(runs->threads[rank].name, "train-0");
		ck_assert_int_eq(processes[1].start_ns, start_ns);
		ck_assert_int_eq(processes[1].end_ns, start_ns + SECOND);
		ck_assert_int_eq(processes[0].end_ns, 0);
	}
	expect_threads("2");
}

/* A rank without a BLAS call has no region to align. */
TEST_EACH(test_rank_without_calls, 2)
{
	add_rank("a", "0", "2", 0);
	add_rank("a", "1", "2", 0);
	runs[_i].roi_ns = runs[_i].roi_started_ns = 0;
	job_merge(runs, &count);
	ck_assert_uint_eq(runs->nnotes, 0);
	ck_assert_int_eq(runs->threads[!_i].start_ns, 0);
	expect_threads("2");
}

/* Ranks on one machine count its energy and its CPUs twice; ranks on two machines do not. */
TEST_EACH(test_machines_of_ranks, 5)
{
	int more = _i / 2 % 2; /* the rank that counted more energy */

	for (int rank = 0; rank < 2; rank++) {
		const char *host = rank * _i % 2 ? "far" : "lab";

		add_rank("a", rank ? "1" : "0", "2", 0);
		if (_i == 4)
			runs[rank].facts[3].name = ""; /* the number of CPUs online */
		change_run(
			&runs[rank],
			"facts host=%s; +processes host=%s; threads process=1;" /* none such */
			"+counters event=cycles count=%d; +counters event=energy unit=J count=%d",
			host, host, 100 + rank, rank == more ? 6 : 5);
	}
	change_run(&runs[1], "+counters event=misses count=7");
	job_merge(runs, &count);
	ck_assert_uint_eq(runs->ncounters, 3);
	ck_assert_double_eq(runs->counters[0].count, 201);
	ck_assert_double_eq(runs->counters[1].count, _i % 2 ? 11 : 6);
	ck_assert_double_eq(runs->counters[2].count, 7);
	ck_assert_double_eq(runs->cpus_available, _i % 2 || _i == 4 ? 4 : 2);
	ck_assert_int_eq(runs->threads[1].process, -1);
	expect_threads("2");
}

/* What two ranks lose to others on their CPUs. Each measures 5 s of others, 1 s that the host took,
 * 3 or 4 s of its quota, and uses 2 s itself. */
static const struct {
	const char *cpus[2], *hosts[2];
	double others_s, steal_s, quota_s;
	int allowed;
	int64_t own_ns; /* what the switches of one rank show of competition between threads */
	const char *names;
} sharing[] = {
	/* all CPUs are those of both, of the machine or of a part of it */
	{{"0-1", "0-1"}, {"lab", "lab"}, 3, 1, 4, 2, -1, "3.00 CPUs"},
	/* each has its own */
	{{"0,2", "1,3"}, {"lab", "lab"}, 10, 2, 4, 4, 7, "10.00 CPUs"},
	/* on another machine */
	{{"0-1", "0-1"}, {"lab", "far"}, 10, 2, 7, 4, 7, "10.00 CPUs"},
	/* some are those of both */
	{{"0-1", "1-2"}, {"lab", "lab"}, NAN, 2, 4, 4, -1, ""},
	{{"0", "0-1"}, {"lab", "lab"}, NAN, 2, 4, 4, -1, ""},
	/* not known */
	{{"", "0-1"}, {"lab", "lab"}, NAN, 2, 4, 4, -1, ""},
	{{"", ""}, {"lab", "lab"}, NAN, 2, 4, 4, -1, ""},
};

static void add_sharing_rank(const char *rank, const char *cpus, const char *host)
{
	struct run *run;

	add_rank("a", rank, "3", 0);
	run = &runs[count - 1];
	change_run(run,
		   "elapsed_ns=1s cpu_ns=2s cpus_allowed=2 others_ns=5s steal_ns=1s quota_ns=%ds;"
		   "threads switch_own_ns=7; +processes host=%s;"
		   "facts host=%s 'other_programs=5.00 CPUs: make 5.00'",
		   3 + *rank - '0', host, host);
	run_add_fact(run, "cpu_list", cpus);
}

TEST_EACH(test_others_of_ranks, COUNT(sharing))
{
	for (int rank = 0; rank < 2; rank++)
		add_sharing_rank(rank ? "1" : "0", sharing[_i].cpus[rank], sharing[_i].hosts[rank]);
	job_merge(runs, &count);
	if (isnan(sharing[_i].others_s))
		ck_assert_double_nan(runs->others_ns);
	else
		ck_assert_double_eq(runs->others_ns, sharing[_i].others_s * SECOND);
	ck_assert_double_eq(runs->steal_ns, sharing[_i].steal_s * SECOND);
	ck_assert_double_eq(runs->quota_ns, sharing[_i].quota_s * SECOND);
	ck_assert_int_eq(runs->cpus_allowed, sharing[_i].allowed);
	ck_assert_int_eq(runs->threads[0].switch_own_ns, sharing[_i].own_ns);
	ck_assert_int_eq(runs->threads[1].switch_own_ns, sharing[_i].own_ns);
	ck_assert_str_eq(run_fact(runs, "other_programs"), sharing[_i].names);
	expect_threads("2");
}

/* Only what takes 5 % of a CPU or more is said. */
TEST_EACH(test_few_others_of_ranks, 2)
{
	for (int rank = 0; rank < 2; rank++) {
		add_sharing_rank(rank ? "1" : "0", rank ? "1" : "0", "lab");
		runs[rank].others_ns = (_i ? 0.025 : 0.024) * SECOND;
	}
	job_merge(runs, &count);
	ck_assert_str_eq(run_fact(runs, "other_programs"), _i ? "0.05 CPUs" : "");
	expect_threads("2");
}

/* A third rank shares the CPUs of the second; two ranks are on the second machine. */
TEST_EACH(test_others_of_three_ranks, 2)
{
	add_sharing_rank("0", "0-1", "lab");
	add_sharing_rank("1", "2-3", _i ? "far" : "lab");
	add_sharing_rank("2", "2-3", _i ? "far" : "lab");
	job_merge(runs, &count);
	ck_assert_double_nan(runs->others_ns);
	ck_assert_int_eq(runs->threads[2].switch_own_ns, -1);
	expect_threads("3");
}

/* A job ends with the status of its first rank that fails. */
TEST_EACH(test_exit_of_ranks, 4)
{
	static const int statuses[] = {0, 130, 131, 130};

	for (int rank = 0; rank < 2; rank++) {
		add_rank("a", rank ? "1" : "0", "2", 0);
		runs[rank].exit_status = _i >> rank & 1 ? 130 + rank : 0;
		runs[rank].exit_signal = _i >> rank & 1 ? 2 + rank : 0;
	}
	job_merge(runs, &count);
	ck_assert_int_eq(runs->exit_status, statuses[_i]);
	ck_assert_int_eq(runs->exit_signal, _i ? statuses[_i] - 128 : 0);
	expect_threads("2");
}

/* Missing ranks of a job are named. */
TEST(test_missing_ranks)
{
	add_rank("a", "1", "4", 0);
	add_rank("a", "3", "4", 0);
	fixture_pair(&runs[0], 1, 1);
	job_merge(runs, &count);
	ck_assert_uint_eq(runs[0].npairs, 0); /* those of a single rank */
	ck_assert_uint_eq(runs[0].nnotes, 1);
	ck_assert_str_eq(runs[0].notes[0].code, "ranks_missing");
	ck_assert_str_eq(runs[0].notes[0].detail, "2 of 4, without rank 0, 2");
	expect_threads("2");
}

/* In a large job, as many missing ranks are named as fit into a line. */
TEST(test_many_missing_ranks)
{
	char detail[512] = "1 of 200, without rank 0";

	add_rank("a", "150", "200", 0);
	fixture_pair(&runs[0], 1, 1);
	job_merge(runs, &count);
	ck_assert_uint_eq(runs[0].npairs, 1);
	for (int i = 1; i <= 96; i++)
		sprintf(detail + strlen(detail), ", %d", i);
	strcat(detail, ", ...");
	ck_assert_str_eq(runs[0].notes[0].detail, detail);
	expect_threads("1");
}

/* A size that only a damaged store can have is ignored. */
TEST_EACH(test_sizes_of_no_job, 4)
{
	static const char *const sizes[] = {"-1", "2000000", "1048577", "1048576"};

	add_rank("a", "0", sizes[_i], 0);
	job_merge(runs, &count);
	ck_assert_uint_eq(runs[0].nnotes, _i == 3); /* 2^20 ranks may be */
	expect_threads("1");
}
