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

/* The members of a row, and its columns: X(name, type, unit, documentation). */
#define COMPARISON_COLUMNS(X)                                                                      \
	X(threads_before, INT, "threads", "thread count N before")                                 \
	X(threads_after, INT, "threads",                                                           \
	  "thread count N after; differs only if each side has a single thread count")             \
	X(what_if_before, STRING, "", "what was changed in the runs before; empty: real runs")     \
	X(what_if_after, STRING, "", "what was changed in the runs after; empty: real runs")       \
	X(figure, STRING, "",                                                                      \
	  "wall, throughput, gflops, calls, f, b, c, o, p, s, mpi, speedup or, of a shape, p50")   \
	X(shape, CHARS(96), "", "the shape that p50 is of")                                        \
	X(unit, STRING, "", "unit of before, after and difference")                                \
	X(runs_before, INT, "runs", "runs before that have the figure")                            \
	X(runs_after, INT, "runs", "runs after that have the figure")                              \
	X(before, REAL, "unit", "mean over the runs before")                                       \
	X(after, REAL, "unit", "mean over the runs after")                                         \
	X(difference, REAL, "unit", "after - before")                                              \
	X(low, REAL, "unit",                                                                       \
	  "lower end of the difference's 95 % interval; empty: a side has one run only")           \
	X(high, REAL, "unit", "upper end")                                                         \
	X(change, REAL, "", "difference / before")                                                 \
	X(significant, INT, "",                                                                    \
	  "1: significant, 0: not, -1: not known, since a side has one run only")                  \
	X(better, INT, "", "1: a higher figure is better, -1: a lower one, 0: neither")

/* One figure at one thread count, as means over the runs. What does not exist is NAN. */
struct comparison_row {
#define MEMBER(name, type, unit, doc) CTYPE_##type name;
	COMPARISON_COLUMNS(MEMBER)
#undef MEMBER
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
