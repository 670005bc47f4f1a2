/* job_test.c: only ranks that are known to be of one job become one run. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "fixture.h"
#include "tests/unit.h"

static struct run *runs;
static size_t count;

/* A second's region of interest of a rank that begins at start_s; without a job name under Hydra.
 */
static void add_rank(const char *job, const char *rank, const char *size, double start_s)
{
	struct run *run = array_add(&runs, &count, sizeof *run);

	fixture_run(run, 1, SECOND, 0.5, 0.4);
	run->roi_started_ns = 1700000000 * SECOND + (int64_t)(start_s * SECOND);
	run_add_fact(run, "mpi.rank", rank);
	run_add_fact(run, "mpi.size", size);
	run_add_fact(run, "mpi.job", job);
}

/* What the runs become: the thread counts, in the runs' order. */
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

/* As in the stores of each rank, which name no job: 2, then 4 ranks, then 4 again. */
TEST(test_unnamed_jobs)
{
	for (int rank = 0; rank < 4; rank++) {
		const char *number = (const char *[]){"0", "1", "2", "3"}[rank];

		if (rank < 2)
			add_rank("", number, "2", 0.01 * rank);
		add_rank("", number, "4", 10 + 0.01 * rank);
		add_rank("", number, "4", 20 + 0.01 * rank);
	}
	expect_threads("2 4 4");
}

/* The first job's rank 1 was lost: the second's does not take its place. */
TEST(test_lost_rank)
{
	add_rank("", "0", "2", 0);
	add_rank("", "0", "2", 10);
	add_rank("", "1", "2", 10.1);
	expect_threads("1 2");
}

/* Two jobs at a time without a name: nothing tells whose the other rank is. */
TEST(test_jobs_at_once)
{
	add_rank("", "0", "2", 0);
	add_rank("", "0", "2", 0.1);
	add_rank("", "1", "2", 0.1);
	add_rank("", "1", "2", 0);
	expect_threads("1 1 1 1");
}

/* Ranks of a job with a name belong together by their order, whatever their clocks say. */
TEST(test_named_jobs)
{
	add_rank("a", "0", "2", 0);
	add_rank("b", "0", "2", 0.1);
	add_rank("b", "0", "2", 5);
	add_rank("b", "1", "2", 100.1);
	add_rank("b", "1", "2", 105);
	add_rank("a", "1", "2", 0);
	expect_threads("2 2 2");
}

/* Each rank has a function that main() calls and that waits: so it is of the job. */
TEST(test_stacks_of_ranks)
{
	static const char *const names[][2] = {{"main", "send"}, {"main", "receive"}};

	for (int rank = 0; rank < 2; rank++) {
		add_rank("a", rank ? "1" : "0", "2", 0);
		for (int i = 0; i < 2; i++) {
			struct run_frame *frame =
				table_add(&run_tables[RUN_PART_FRAMES], &runs[rank]);
			struct run_stack *stack =
				table_add(&run_tables[RUN_PART_STACKS], &runs[rank]);

			frame->function = strdup(names[rank][i]);
			*stack = (struct run_stack){.parent = i - 1, .frame = i};
		}
		fixture_wait(&runs[rank], 100, "MPI", 0.1)->stack = 1;
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

/* A job's missing ranks are named. */
TEST(test_missing_ranks)
{
	add_rank("a", "1", "4", 0);
	add_rank("a", "3", "4", 0);
	job_merge(runs, &count);
	ck_assert_uint_eq(runs[0].nnotes, 1);
	ck_assert_str_eq(runs[0].notes[0].code, "ranks_missing");
	ck_assert_str_eq(runs[0].notes[0].detail, "2 of 4, without rank 0, 2");
	expect_threads("2");
}

/* Of a large job as many as a line has room for. */
TEST(test_many_missing_ranks)
{
	char detail[512] = "1 of 200, without rank 0";

	add_rank("a", "150", "200", 0);
	job_merge(runs, &count);
	for (int i = 1; i <= 96; i++)
		sprintf(detail + strlen(detail), ", %d", i);
	strcat(detail, ", ...");
	ck_assert_str_eq(runs[0].notes[0].detail, detail);
	expect_threads("1");
}
