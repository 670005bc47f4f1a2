/* report.h: what the runs of one experiment say, as plain data. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "model/accounting.h"
#include "model/fit.h"
#include "model/models.h"
#include "model/no_cpu.h"
#include "model/replay.h"
#include "model/roofline.h"
#include "model/stats.h"
#include "model/usl.h"
#include "report/categories.h"
#include "report/spread.h"
#include "store/cell.h"
#include "store/run.h"
#include "base/error.h"

struct view;

struct report_options {
	double units; /* m, the matrix units that all threads share, where it is declared; 0: not */
	int top;      /* shapes and functions that the text shows; 0: all */
	int full;     /* 1: text has all tables; 0: what fits a terminal */
	const char *store; /* that has the runs, as commands that the text names take it; "": by
			      default; NULL: none has, or several */
	const struct categories *categories; /* kinds of other code; NULL: none; read while the
						report is built only */
	const struct cell
		*cells; /* of a suite (store/cell.h), read while the report is built only */
	size_t ncells;
	const char *cells_category; /* only the cells of this one; NULL: all */
	const struct view *view;    /* the one table that is wanted, and how (view.h); NULL: all */
};
#define REPORT_OPTIONS_DEFAULT                                                                     \
	{                                                                                          \
		.top = 10                                                                          \
	}

/* The ends of a figure's 95 % interval; NAN where it is not known. */
struct report_range {
	double low, high;
};

/* A recorded sequence is not replayed if its f differs by more than this from the run's. */
#define SCALING_SHARE_MAX 0.05
/* Nothing is predicted from a region of interest with a smaller part of the CPU time. */
#define SCALING_ROI_MIN	  0.05

/* Which shared units predictions are for. */
enum units_from {
	UNITS_FROM_NOTHING,  /* none: every thread has its own */
	UNITS_FROM_OPTION,   /* --units */
	UNITS_FROM_WHAT_IF,  /* the runs' --what-if */
	UNITS_FROM_SPEEDUPS, /* fitted */
};

/* What the runs tell about how the program scales: f(1), measured speed-ups, the recorded sequence
 * of calls, and what was fitted to them. Figures that are not known are NAN. */
struct scaling {
	double f; /* f(1) */
	struct report_range f_range;
	double d; /* BLAS share of one thread's time, blocked time included: what models get */
	struct report_range d_range;
	int f_estimated; /* not 0: f, d and `base` are estimated from runs at so many threads */
	struct {
		double throughput;    /* work a second of one thread */
		double blas_per_work; /* ns */
		double other_per_work;
		double rest_per_work; /* neither of them, nor without a CPU */
	} base;
	enum parallel_case parallel; /* at the most threads */
	enum meeting meeting;	     /* at the most threads that tell */
	double other_parallel; /* of one caller: the share of its other code that ran on BLAS's
				  threads too, at the most threads that tell */
	double calls_a_step;   /* as in struct model_input, and so is the next */
	int split_calls;
	double *stages;	       /* of a pipeline: its threads' shares of the work, longest first */
	size_t nstages;
	struct speedup_point *points; /* measured, over base, by thread count */
	size_t npoints;
	struct replay_pair *pairs; /* recorded at one thread, where they are like the run */
	size_t npairs;
	double f_pairs; /* d of the sequence that was recorded */
	double spread;	/* half the 95 % interval of one more run's throughput, as a share of it */
	double base_spread; /* likewise of the mean of those of one thread */
	double spread_dof;  /* degrees of freedom of both */
	/* Speed-ups over one thread whose other code takes as long as there, without the time in
	 * which threads had no CPU: what memory, caches, the clock rate or a lack of CPUs cost is
	 * no sign of a shared unit. Points that lack too much are left out. */
	struct speedup_point *points_of_fit;
	size_t npoints_of_fit;
	int has_fit;
	struct units_fit fit;  /* of the model that is made for the program, to points_of_fit */
	struct interval units; /* that predictions are for; INFINITY: none are shared */
	enum units_from units_from;
	double lost, lost_blas; /* speed-up lost at the most threads, and to BLAS */
	int has_usl;
	struct usl_fit usl;
};

/* An interval takes at least this many runs: two say next to nothing. */
#define REPORT_RANGE_RUNS   3
/* With at least this many runs, one that is far from the others is left out: of five runs that
 * differ by chance alone, one would be in 3 of 100 cases, of six in 1 (simulated). */
#define REPORT_OUTLIER_RUNS 6

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_COUNT };
extern const char *const severity_names[SEVERITY_COUNT]; /* "note", "warning" */

/* A shape as tables show it. */
struct shown_shape {
	char transa[2], transb[2]; /* "" where the routine has none */
	double m, n, k;		   /* NAN in the row that gathers other shapes */
};
#define SHAPE_NAME_MAX			     120 /* bytes of a shape's name in a line of text */
#define CAUSE_PLACE_MAX			     192
#define CAUSE_SENTENCE_MAX		     512

/* The rows of the tables: struct report_row, report_shape, ...; report_tables.def says what each
 * field is. */
#define CTYPE_WHOLE			     double
#define CTYPE_TEXT			     const char *
#define CTYPE_SEVERITY			     enum severity

#define TABLE(array, id, name, doc)	     struct ROW {
#define FIELD(name, type, unit, doc)	     CTYPE_##type name;
#define MERGED(name, type, unit, merge, doc) CTYPE_##type name;
#define COLUMN(name, member, type, unit, doc)
#define MEMBER(...) __VA_ARGS__;
#define SUMS(row)   struct row sum;
#define END                                                                                        \
	}                                                                                          \
	;
#include "report/report_tables.def"

/* When threads were in calls, in regions or off the CPU; all rows are as in the run. */
struct report_timeline {
	int64_t run; /* its number in the store; 0: none */
	char *command;
	struct run_span *spans; /* by process, thread and start, what holds others before them */
	size_t nspans;		/* 0: there is no timeline */
	struct run_thread *threads;
	size_t nthreads;
	struct run_process *processes;
	size_t nprocesses;
};

struct report {
	struct report_options options;
	char *experiment;
	char *command, *work_unit, *what_if,
		*roi; /* of the newest run, as `facts`, `started`, ... */
	char started[32];
	int64_t newest_id;
	int exit_status, exit_signal;
	double cpus_available;
	int64_t elapsed_ns;
	struct ceilings ceilings; /* of the newest run's machine; all 0: not known */
#define TABLE(array, id, name, doc)                                                                \
	struct ROW *array;                                                                         \
	size_t n##array;
#define FIELD(...)
#define MERGED(...)
#define COLUMN(...)
#define MEMBER(...)
#define SUMS(...)
#define END
#include "report/report_tables.def"
	struct report_shape *shapes; /* the rows of region_shapes with regions summed up */
	size_t nshapes;
	double imbalance; /* the busiest rank's time computing over the mean's, less 1; NAN: no
			     ranks */
	int threads_run;  /* index in runs[] of the run that threads[] come from */
	struct scaling scaling;
	struct report_timeline timeline; /* of the newest run that came with one */
};

/* Is the region of interest one that the program marks? It can have several parts. Samples are not
 * told apart by region: they take in what ran between its parts. */
int report_roi_is_region(const char *roi);
/* Which part of the CPU time of all runs in use is inside it; NAN: not known. */
double report_roi_share(const struct report *report);

/* Works out the report on `count` runs of one experiment, the newest last; at least one, but with
 * cells also none: then it has nothing but them. Runs that
 * failed are left out where their thread count has others. Returns 0, or -1 with *err and nothing
 * to free: no runs, units not over 0. Nothing of `runs` is kept. */
int report_build(const struct run *runs, size_t count, const struct report_options *options,
		 struct report *report, struct error *err);
void report_free(struct report *report);

/* Why the program does not scale: the sentence of the first of `causes`, and its remedy. Returns
 * text[]. */
#define REPORT_VERDICT_MAX 2048
const char *report_verdict(const struct report *report, char text[REPORT_VERDICT_MAX]);

/* "blas 71 %, onednn 22 %, by samples 7 % (MlasGemm in libonnxruntime.so)" at the thread count;
 * empty where no matrix work was seen. Returns text[]. */
#define REPORT_WAY_MIN	0.005 /* ways with a smaller share are not printed */
#define REPORT_WAYS_MAX 512
const char *report_ways_text(const struct report *report, int threads, char text[REPORT_WAYS_MAX]);
/* The row of matrix work that only samples tell of; NULL: there is none. */
const struct report_way *report_way_samples(const struct report *report, int threads);

/* The value of a fact of the newest run, or NULL. */
const char *report_fact(const struct report *report, const char *name);

/* The share of the work, by samples, that is matrix work outside BLAS calls; NAN without samples.
 */
double report_matrix_share(const struct report_row *row);
/* 1 where there is one thread, a command that takes no thread count, and less of the work than this
 * in BLAS: the threads of BLAS cannot make it much faster. */
#define LITTLE_BLAS 0.05
int report_little_blas(const struct report *report);

/* The command to run next for a speed-up, like "blasprof -- ./train 1", into text[]; returns 0
 * where no run is missing: there is one thread, and another count. */
int report_next_command(const struct report *report, char *text, size_t size);

/* The run whose pairs the report on these runs wants: of the successful ones of one thread that are
 * alike the newest of all, the one whose BLAS share is closest to that of all of them, so that a
 * run that was disturbed is not what is replayed; the newest of equal ones; -1 for none. */
int report_pairs_run(const struct run *runs, size_t count);

/* Makes one run of those that are ranks of one job (facts mpi.*) and the same command; where the
 * launcher names no job, of those whose regions of interest overlap, if no others do. Its region
 * of interest goes from the first rank's start to the last one's end, its threads, processes,
 * shapes and counts are those of all. Their order is that of each job's first run in the array;
 * *count becomes what is left. A job of which ranks are missing gets the note ranks_missing, one
 * whose machines' clocks differ so much that its ranks would not overlap is aligned by their starts
 * and gets the note ranks_aligned. */
void job_merge(struct run *runs, size_t *count);

#endif
