/* compare.h: the figures of two sets of runs, before and after, and whether they differ. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report/report.h"

/* What it looks at in the runs, as for store_load_parts(). */
#define COMPARISON_PARTS                                                                           \
	(STORE_PART(RUN_PART_THREADS) | STORE_PART(RUN_PART_SHAPES) | STORE_PART(RUN_PART_FACTS))

/* Runs of one experiment. Of these, those count that ran under the same what-if as the newest. */
struct comparison_side {
	const char *name; /* as the user calls it */
	const struct run *runs;
	size_t count;
	size_t left_out;      /* filled in: how many ran under another what-if */
	const char *what_if;  /* filled in; owned by the runs */
	struct report report; /* filled in */
};

enum significance { SIGNIFICANCE_UNKNOWN = -1, SIGNIFICANCE_NO, SIGNIFICANCE_YES };

/* One figure at one thread count. Means over the runs; what does not exist is NAN. */
struct comparison_row {
	int threads_before, threads_after;
	int runs_before, runs_after; /* those that have the figure */
	const char *figure, *unit;
	char shape[96]; /* "cblas_sgemm NT 64 64 128", "" where the figure is of all calls */
	const char *what_if_before, *what_if_after;
	int better; /* 1: higher is better; -1: lower is; 0: neither */
	double before, after;
	double difference, low, high; /* after - before, with its 95 % interval */
	double change;		      /* difference / before */
	enum significance significant;
};

struct comparison {
	struct comparison_side sides[2]; /* before, after */
	struct comparison_row *rows;	 /* by thread count */
	size_t nrows;
};

struct comparison_options {
	int top;   /* so many shapes, those that took most time before; 0: all */
	int force; /* 1: compares different programs */
};

/* Compares at the thread counts that both have; where each has but one, those. 0, or -1 with *err:
 * no run with a BLAS call, different programs (unless forced) or units of work, no thread count in
 * common. `comparison` is zeroed but for its sides' name, runs and count; the
 * runs have to outlive it. Free with comparison_free in every case. */
int comparison_build(const struct comparison_options *options, struct comparison *comparison,
		     struct error *err);
void comparison_free(struct comparison *comparison);

/* 1 where throughput can be compared at any thread count: there is work on both sides. */
int comparison_has_throughput(const struct comparison *comparison);
/* The row whose throughput has fallen by more than the share `limit`, and not only by chance as far
 * as can be told; the one that fell most, NULL where there is none. */
const struct comparison_row *comparison_worst(const struct comparison *comparison, double limit);

#endif
