/* compare.h: the figures of two sets of runs, before and after, and whether they differ. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report/report.h"

/* The parts of the runs that it reads, for store_load_parts(). */
#define COMPARISON_PARTS                                                                           \
	(STORE_PART(RUN_PART_THREADS) | STORE_PART(RUN_PART_SHAPES) | STORE_PART(RUN_PART_FACTS))

/* Runs of one experiment. */
struct comparison_side {
	const char *name; /* as the user calls it */
	const struct run *runs;
	size_t count;
	struct report report; /* filled in by comparison_build() */
};

enum significance { SIGNIFICANCE_UNKNOWN = -1, SIGNIFICANCE_NO, SIGNIFICANCE_YES };

/* One figure at one thread count, as means over the runs. What does not exist is NAN. */
struct comparison_row {
	int threads_before, threads_after;
	int runs_before, runs_after; /* runs that have the figure */
	const char *figure, *unit;
	char shape[96]; /* "cblas_sgemm NT 64 64 128", "" for figures of all calls */
	const char *what_if_before, *what_if_after;
	int better; /* 1 if higher is better, -1 if lower is, 0 for neither */
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
	int top;   /* number of shapes, by time on the first side; 0 for all */
	int force; /* 1 to compare different programs */
};

/* Compares the thread counts that both sides have; if each has only one, compares these two.
 * `comparison` must be zeroed, except for its sides' name, runs and count; the runs must outlive
 * it. Returns 0, or -1 with *err: no run with a BLAS call, different programs (unless forced),
 * different units of work, or no thread count in common. Call comparison_free() in either case. */
int comparison_build(const struct comparison_options *options, struct comparison *comparison,
		     struct error *err);
void comparison_free(struct comparison *comparison);

/* 1 if throughput can be compared at any thread count, that is, both sides have work. */
int comparison_has_throughput(const struct comparison *comparison);
/* The row of throughput that fell most, if by more than the share `limit` and not only by chance,
 * as far as can be told; or NULL. */
const struct comparison_row *comparison_worst(const struct comparison *comparison, double limit);

#endif
