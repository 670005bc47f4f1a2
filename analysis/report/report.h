/* report.h: the report on the runs of one experiment, as plain data. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "model/accounting.h"
#include "model/fit.h"
#include "model/models.h"
#include "model/roofline.h"
#include "model/stats.h"
#include "report/categories.h"
#include "report/spread.h"
#include "store/cell.h"
#include "store/run.h"
#include "base/error.h"

struct view;

struct report_options {
	double units; /* the declared number m of matrix units that all threads share; 0 if none */
	int top;      /* shapes and functions that the text shows; 0 for all */
	int full;     /* 1 if text has all tables, 0 if it has what fits a terminal */
	/* The runs' store, for commands that the text suggests; "" for the default store, NULL if
	 * the runs are in none or in several. */
	const char *store;
	int unstored;		/* 1: the run could not be stored there */
	const char *experiment; /* that the user named, for these commands; NULL: the newest */
	/* Kinds of other code, or NULL, and the cells of a suite (store/cell.h). Both are read only
	 * while the report is built. */
	const struct categories *categories;
	const struct cell *cells;
	size_t ncells;
	const char *cells_category; /* only cells of this category; NULL for all */
	const struct view *view;    /* the only table to write, and how (view.h); NULL for all */
	struct store *stacks; /* where the runs' frames and stacks are; NULL: the runs have them */
};
#define REPORT_OPTIONS_DEFAULT                                                                     \
	{                                                                                          \
		.top = 10                                                                          \
	}

/* A recorded sequence is not replayed if its f differs from the run's by more than this. */
#define SCALING_SHARE_MAX 0.05
/* Nothing is predicted from a region of interest with a smaller share of the CPU time. */
#define SCALING_ROI_MIN	  0.05

/* Where the number of shared units that predictions are for comes from. */
enum units_from {
	UNITS_FROM_NOTHING,  /* no unit is shared: every thread has its own */
	UNITS_FROM_OPTION,   /* --units */
	UNITS_FROM_WHAT_IF,  /* the runs' --what-if */
	UNITS_FROM_CALLER,   /* one thread makes all calls, which never overlap: one unit */
	UNITS_FROM_SPEEDUPS, /* fitted */
};

/* How the program scales: f(1), measured speed-ups, the recorded sequence of calls, and what was
 * fitted to them. Figures that are not known are NAN. */
struct scaling {
	struct interval f;	  /* f(1) */
	struct model_input input; /* owns its arrays; pairs are those recorded at one thread, if
				     they are like the run */
	int f_estimated; /* the thread count that f, input.d and `base` are estimated from; 0 if
			    measured */
	struct {
		double throughput;    /* work per second */
		double blas_per_work; /* ns, as the next two */
		double other_per_work;
		double rest_per_work; /* all but BLAS, other code and time without a CPU */
	} base;			      /* one thread */
	struct speedup_point *points; /* measured speed-ups over base, by thread count */
	size_t npoints;
	double f_pairs;	   /* d of the recorded sequence */
	double spread_dof; /* the degrees of freedom of both spreads */
	/* The measured speed-ups, corrected for other code that takes longer than on one thread and
	 * for time without a CPU: what memory, caches, the clock rate or a lack of CPUs cost is no
	 * sign of a shared unit. Points with too much time without a CPU are left out. */
	struct speedup_point *points_of_fit;
	size_t npoints_of_fit;
	int has_fit;
	struct units_fit fit;  /* of the model that suits the program, to points_of_fit */
	struct interval units; /* that predictions are for; INFINITY if none are shared */
	enum units_from units_from;
	double lost, lost_blas; /* speed-up lost at the largest thread count, and to BLAS there */
};

/* An interval needs at least this many runs: two tell next to nothing. */
#define REPORT_RANGE_RUNS   3
/* With at least this many runs, runs that are far from the others are left out. If runs differ by
 * chance alone, that happens in 3 of 100 cases with five runs, and in 1 with six (simulated). */
#define REPORT_OUTLIER_RUNS 6

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_COUNT };
extern const char *const severity_names[SEVERITY_COUNT]; /* "note", "warning" */

/* A shape as tables show it. */
struct shown_shape {
	char transa[2], transb[2]; /* "" if the routine has none */
	double m, n, k;		   /* NAN in the row that sums up other shapes */
};
#define CAUSE_PLACE_MAX			     192
#define CAUSE_SENTENCE_MAX		     512

/* The rows of the tables: struct report_row, report_shape, ...; report_tables.def documents their
 * fields. */
#define CTYPE_WHOLE			     double
#define CTYPE_SEVERITY			     enum severity

#define TABLE(array, id, name, doc)	     struct ROW {
#define FIELD(name, type, unit, doc)	     CTYPE_##type name;
#define MERGED(name, type, unit, merge, doc) CTYPE_##type name;
#define MEMBER(...)			     __VA_ARGS__;
#define SUMS(row)			     struct row sum;
#define END                                                                                        \
	}                                                                                          \
	;
#include "report/report_tables.def"

struct report {
	struct report_options options;
	const char *experiment;
	/* All up to `ceilings` are those of the newest run, and so are `facts`. */
	const char *command, *work_unit, *what_if, *roi;
	char started[32];
	int64_t newest_id;
	int exit_status, exit_signal;
	double cpus_available;
	int64_t elapsed_ns;
	struct ceilings ceilings; /* of its machine; all 0 if not known */
#define TABLE(array, id, name, doc)                                                                \
	struct ROW *array;                                                                         \
	size_t n##array;
#include "report/report_tables.def"
	struct report_shape *shapes; /* the rows of region_shapes, summed over all regions */
	size_t nshapes;
	double imbalance; /* computing time of the busiest rank / mean - 1; NAN without ranks */
	int threads_run;  /* index of the run that threads[] come from */
	struct scaling scaling;
	/* The newest run that has a timeline, without its other parts: spans by process, thread and
	 * start, outer ones before inner ones, threads and processes. nspans is 0 if there is none.
	 */
	struct run timeline;
};

/* A whole run's speed-up that is further from that inside the region of interest contradicts it. */
#define WHOLE_DISTANCE_MAX 0.1

/* 1 if the region of interest is one that the program marks. It may have several parts; samples
 * include what ran between them. */
int report_roi_is_region(const char *roi);
/* The share of the CPU time of all runs in use that is inside it; NAN if not known. */
double report_roi_share(const struct report *report);

/* Builds the report on `count` runs of one experiment, the newest last. count may be 0 if there are
 * cells; the report then has only these. Runs that failed, or lack ranks of their job, are left out
 * if there are others at their thread count, and failed ones where runs are the work if any other
 * succeeded. Returns 0, or -1 with *err and nothing to free (no
 * runs, or units below 0). The report does not need `runs` any more, except for report->runs[].run.
 */
int report_build(const struct run *runs, size_t count, const struct report_options *options,
		 struct report *report, struct error *err);
void report_free(struct report *report);

/* The row of the thread count that the verdict is about; NULL if there is no cause. */
const struct report_row *report_verdict_row(const struct report *report);
/* That row, or else that of one thread, if all its runs failed, so that the verdict says little;
 * else NULL. */
const struct report_row *report_failed(const struct report *report);
/* Returns the speed-up, and why it is no better: the sentence of the first cause. The verdict ends
 * with the remedy: that of this cause, unless the whole runs lose more elsewhere. */
const char *report_finding(const struct report *report);
const char *report_remedy(const struct report *report); /* "" if there is none */
/* 0 if it only says that a loss has no known cause. */
int report_cause_is_known(const struct report_cause *cause);
/* Its sentence, with how sure it is. */
const char *report_cause_text(const struct report_cause *cause);
const char *report_verdict(const struct report *report);

/* Returns "blas 71 %, onednn 22 %, by samples 7 % (MlasGemm in libonnxruntime.so)" for the thread
 * count; "" if no matrix work was seen. */
#define REPORT_WAY_MIN 0.005 /* ways with a smaller share are left out */
const char *report_ways_text(const struct report *report, int threads);
/* The row of matrix work that only samples show, or NULL. */
const struct report_way *report_way_samples(const struct report *report, int threads);

/* The value of a fact of the newest run, or NULL. */
const char *report_fact(const struct report *report, const char *name);

/* The share of the work, by samples, that is matrix work outside BLAS calls; NAN without samples.
 */
double report_matrix_share(const struct report_row *row);
/* 1 if there is only one thread, a command that takes no thread count, and a smaller share of the
 * work in BLAS than LITTLE_BLAS: threads of BLAS cannot make it much faster. */
#define LITTLE_BLAS 0.05
int report_little_blas(const struct report *report);
/* After runs in which only one thread computes: how many threads BLAS has besides. */
int report_idle_pool(const struct report *report);

/* Writes the command to run next to get a speed-up, such as "blasprof -- ./train 1". Returns 0 if
 * no run is missing, since there are runs with one thread and with another count, or since BLAS had
 * other threads that its calls did not use. */
int report_next_command(const struct report *report, char *text, size_t size);
/* Returns what to say before that command: "for the speed-up, run". */
const char *report_next_intro(const char *command);

/* Writes the command that prints this report with the option, such as "--full", or "with --full"
 * where the runs are in no store or in several; only --full shows a run that could not be stored.
 */
void report_command(const struct report *report, const char *option, char *text, size_t size);

/* Where the flops of many of a run's calls are not known, its work is counted in calls. Counts the
 * work of the others of these runs in calls too, so that they compare, unless another measure was
 * asked for. If all calls of all runs are stray ones, each run is a unit of work: the number of
 * such calls depends on the number of processes. */
void runs_count_alike(struct run *runs, size_t count);

/* The index of the run whose pairs the report on these runs needs, or -1: the successful run with
 * one thread that compares with the newest run and whose BLAS share is closest to that of all such
 * runs together, so that no disturbed run is replayed. Among equals, the newest. */
int report_pairs_run(const struct run *runs, size_t count);

/* Merges runs of the same command that are ranks of one job (facts mpi.*) into one run; if the
 * launcher names no job, runs whose regions of interest overlap, provided that no others do. The
 * merged run's region of interest goes from the first rank's start to the last one's end; threads,
 * processes, shapes and counts are those of all ranks. It takes the place of the job's first run in
 * the array, and *count becomes the number of runs left. If ranks are missing it gets the note
 * ranks_missing. If the clocks of the ranks' machines differ so much that ranks do not overlap,
 * they are aligned by their starts, with the note ranks_aligned. */
void job_merge(struct run *runs, size_t *count);

#endif
