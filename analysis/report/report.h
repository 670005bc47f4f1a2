/* report.h: what the runs of one experiment say, as plain data. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "model/accounting.h"
#include "model/fit.h"
#include "model/models.h"
#include "model/replay.h"
#include "model/roofline.h"
#include "model/stats.h"
#include "model/usl.h"
#include "report/categories.h"
#include "store/cell.h"
#include "store/run.h"
#include "base/error.h"

struct view;

struct report_options {
	double units; /* m, the matrix units that all threads share, for bound, queue and forkjoin
		       */
	int top;      /* shapes and functions that the text shows; 0: all */
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
		.units = 1, .top = 10                                                              \
	}

/* What the runs tell about how the program scales: f(1), measured speed-ups, the recorded sequence
 * of calls, and what was fitted to them. */

/* The ends of a figure's 95 % interval; NAN where it is not known. */
struct report_range {
	double low, high;
};

/* A recorded sequence whose f is further from the run's is not like it, and not replayed. */
#define SCALING_SHARE_MAX 0.05

/* Figures that are not known are NAN. */
struct scaling {
	double f; /* f(1) */
	struct report_range f_range;
	int f_estimated; /* not 0: f and `base` are estimated from runs at so many threads */
	struct {
		double throughput;    /* work a second of one thread */
		double blas_per_work; /* ns */
		double other_per_work;
	} base;
	enum parallel_case parallel;  /* at the most threads */
	struct speedup_point *points; /* measured, over base, by thread count */
	size_t npoints;
	struct replay_pair *pairs; /* recorded at one thread, where they are like the run */
	size_t npairs;
	double f_pairs; /* f of the sequence that was recorded */
	/* The same over one thread whose other code takes as long as there: what memory, caches or
	 * the clock rate cost is no sign of a shared unit. */
	struct speedup_point *points_of_fit;
	int has_fit;
	struct units_fit
		fit; /* on replay, or on queue where there are no pairs, to points_of_fit */
	double lost, lost_blas; /* speed-up lost at the most threads, and to BLAS */
	int has_usl;
	struct usl_fit usl;
};

/* In all rows: figures that do not exist are NAN. Strings are owned by the report. */

/* One run. `threads` is 0 where it has no account (no BLAS call). */
struct report_run {
	const char *experiment;
	int64_t id;
	char *command;
	char *machine; /* host, CPU and BLAS on one line */
	char started[32];
	int threads, cpus_available, exit_status;
	int used;  /* 1: it is part of its thread count's row */
	int alike; /* 1: of the same ROI, measure of work and what-if as the newest run; else it is
		      not used */
	char what_if[64];
	int64_t elapsed_ns, roi_ns;
	double steal_share; /* of the elapsed time on all CPUs online; 0 unknown */
	double calls, flops;
	double f_intercepted, f_sampled;
	double samples, samples_lost; /* samples: without the lost ones */
	double samples_attributed, samples_outside_roi, samples_unknown, throttled;
	int64_t samples_missing; /* of which nothing is known: 0 unless blasprof erred */
	double sample_rate_hz;
	double own_ns, call_ns; /* blasprof's own cost: in all, and of one call */
	struct account account;
	int workers_at_once;	       /* BLAS workers */
	double callers_ns, blocked_ns; /* of participants: all their time; blocked outside BLAS */
	/* Of all threads, inside the ROI: the time on a CPU; the part of those that had less of it
	 * than lies between two samples, and got none; and how many these are. */
	double on_cpu_ns, unsampled_ns, unsampled_threads;
	/* Callers' time off the CPU by the preload library and by the sampler's switch records, of
	 * those threads that have both; and how long these were alive. */
	double off_cpu_ns, switched_off_ns, switched_alive_ns;
};

/* So many runs it takes for an interval: two say next to nothing. */
#define REPORT_RANGE_RUNS 3

/* One thread count: the sum of its runs. */
struct report_row {
	const char *experiment, *what_if;
	int threads, runs;
	int cpus_available; /* the least of its runs' */
	int failed;	    /* 1: all its runs failed, and were taken nevertheless */
	struct account account;
	double throughput; /* work a second */
	double flops_per_s;
	double f_on_cpu; /* f_intercepted without blocked time: what samples can see */
	double samples, samples_lost, samples_wanted;
	int workers_at_once;
	double worker_share; /* of the samples in BLAS: those of BLAS workers; NAN: no samples */
	double off_cpu_ns, switched_off_ns, switched_alive_ns; /* as of runs */
	double callers_ns, blocked_ns;			       /* as of runs */
	double on_cpu_ns, unsampled_ns, unsampled_threads;     /* as of runs */
	double speedup;					       /* measured */
	double predicted[MODELS];
	int f_estimated;	   /* 1: predicted from an estimate of f(1) */
	struct decomposition lost; /* zeros where speedup is NAN */
	/* 95 %, from REPORT_RANGE_RUNS runs on */
	struct report_range f_intercepted_range, f_sampled_range, throughput_range, speedup_range;
	struct report_range predicted_range[MODELS];
	struct report_range wall_range;		    /* of account.wall_ns, a sum */
	struct report_range share_range[CAT_COUNT]; /* of threads x wall time */
	struct report_range lost_range[CAT_COUNT];  /* of lost.lost[] */
};

/* One shape at one thread count. */
struct report_shape {
	int threads;
	char routine[32];
	char variant[24]; /* "" or the names it was called by, X for the routine: "scipy_cblas_X64_"
			   */
	char transa[2], transb[2]; /* "" where the routine has none */
	double m, n, k;		   /* NAN in the row that gathers other shapes */
	double calls, total_ns, min_ns, p50_ns, p95_ns, max_ns;
	double flops, bytes, gflops; /* gflops: a second, while inside */
	double share;		     /* of the time in BLAS at that thread count */
	char region[32];	     /* "" outside of regions, or where regions are summed up */
	enum precision precision;
	struct roofline roofline;		   /* unknown without ceilings */
	const char *bound, *level;		   /* as text; "" where it is unknown */
	uint64_t histogram[RUN_HISTOGRAM_BUCKETS]; /* calls by how long they took */
	double samples_callers,
		samples_workers; /* in BLAS code during calls of which it is known when they ran */
	double worker_share;	 /* of these samples; NAN: none */
	double gbytes_per_s;	 /* operands a second while inside; NAN unknown */
};

/* A function's calls of one routine at one thread count. */
struct report_caller {
	int threads;
	char *function, *inlined_into, *object, *file; /* as in struct run_caller */
	int line;				       /* of most of the time */
	char routine[32];
	double calls, total_ns;
	double share;	/* of the time in BLAS at that thread count */
	double samples; /* its part, by share, of the callers' samples in BLAS */
};

/* A ceiling of the roofline, of one call, for the threads at work at one thread count. */
struct report_ceiling {
	int threads;
	const char *name;		 /* "single", "double"; "L1", ..., "memory" */
	double flops_per_s, bytes_per_s; /* one of them NAN */
};

/* How many calls of a shape took how long: one bucket that is not empty. */
struct report_latency {
	int threads;
	char shape[120]; /* as the text report names it */
	double low_ns, high_ns;
	double calls;
};

struct report_function {
	int threads;
	char *function, *object;
	char *inlined_into; /* the function whose code it was inlined in; "": it has its own */
	char *file;	    /* source file of the hottest line; "": not known */
	int line;	    /* that line; 0: not known */
	const char *code;   /* a name of run_code_names */
	char category[CATEGORY_MAX];
	double samples;
	double samples_workers; /* those of them in threads that BLAS itself started */
	double share;		/* of all samples at that thread count */
};

/* What other code does, at one thread count. */
struct report_category {
	int threads;
	char category[CATEGORY_MAX];
	double samples;
	double share;	    /* of all samples at that thread count */
	double share_other; /* of those that no BLAS function has */
	char hottest[128];  /* the function with most samples of it, */
	double most;	    /* which are so many */
};

/* A region that the program marked, at one thread count, over all threads and runs. */
struct report_region {
	int threads;
	char region[32];
	double entries;
	double share; /* of the callers' time */
	double f;     /* BLAS share of the work inside it */
	double blas_ns, blas_waiting_ns, other_ns, mpi_ns, waiting_ns, preempted_ns;
	double calls, flops;
	double gflops; /* a second, while inside BLAS */
};

/* The samples of one call stack at one thread count, over all threads of a role and runs. */
struct report_stack {
	int threads;
	const char *role; /* "caller": threads that make BLAS calls; "other" */
	int whole;	  /* 1: it begins where its thread starts; 0: the outer part was cut off */
	char *stack;	  /* function names, outermost first, parted by ';' */
	double samples;
	double share; /* of all stacks' samples at that thread count */
};

/* Waits of one kind at one place, at one thread count, over all threads and runs. */
struct report_wait {
	int threads;
	int is_caller;	  /* 1: of threads that make BLAS calls */
	const char *role; /* "caller", "other" */
	char kind[16];
	char *function, *caller; /* "" where not known */
	char region[32];	 /* "" none; "?" not known any more */
	int in_blas;
	double waits, total_ns, longest_ns;
	int waiting_threads; /* of one run, at most */
	/* the longest thread's waiting less the shortest's, summed over runs; 0 is the shortest
	 * where some caller did not wait there */
	double uneven_ns;
	double share; /* of the callers' time; NAN for others */
};

/* An event that was counted, over the runs of one thread count; threads is 0 where the program made
 * no BLAS call. Parts are NAN where they are not known. */
struct report_counter {
	int threads, runs;
	char event[96];
	char unit[16]; /* "" for a plain count */
	double count, counted;
	double blas, other, kernel, waiting, outside;
	double callers, workers, others; /* by thread, inside the ROI */
	double per_work;		 /* inside the ROI */
	double per_cycle, per_cycle_blas, per_cycle_other;
	double exact_blas, exact_other; /* callers' user code, by the counter itself */
	char split[16];
	int user_only, flops_each;
	size_t place; /* in the list of what was to be counted */
};

/* What calls of one shape counted, in user code. */
struct report_shape_counter {
	int threads;
	char event[96];
	char routine[32];
	char transa[2], transb[2];
	double m, n, k;
	double calls, count;
	double per_call, per_cycle; /* per_cycle: NAN where cycles were not counted */
};

/* An MPI routine at one thread count, over all threads and runs. */
struct report_mpi {
	int threads;
	char routine[32];
	double calls, total_ns, max_ns;
	double share; /* of the callers' time */
};

/* A part of the threads' time at one thread count, and what it lost of the speed-up. */
struct report_part {
	int threads;
	const char *what_if;
	const char *part; /* of category_names[] */
	double time_ns;	  /* over all threads and runs */
	double share;	  /* of threads x wall time */
	double lost;	  /* less than 0: gained; NAN: not known */
	struct report_range share_range, lost_range;
};

/* What lost speed-up at one thread count: those of one part add up to lost.lost[] of the row. */
struct report_loss {
	int threads;
	enum category category;
	const char *part; /* of category_names[] */
	char contributor[128];
	double lost; /* less than 0: gained */
};

/* One thread of the newest run that has an account. */
struct report_thread {
	int64_t pid, tid;
	char name[16];
	const char *role; /* "caller", "BLAS worker", "other" */
	double alive_ns, blas_ns, blas_waiting_ns, other_ns, mpi_ns, waiting_ns, preempted_ns;
	double calls, samples;
};

/* One process of the run that the threads are of. */
struct report_process {
	int64_t pid, parent;
	int rank; /* -1: in no MPI job */
	int intercepted;
	char command[64], host[64];
	double callers;	 /* threads that made calls */
	double alive_ns; /* from its first BLAS call to its last */
	double blas_ns, blas_waiting_ns, other_ns, mpi_ns, waiting_ns, preempted_ns;
	double calls, flops, samples;
	double threads;	  /* all that it had, those that made no call among them */
	double thread_ns; /* of all of them: what the times above, apart from alive_ns, add up to */
	double caller_ns, caller_waiting_ns; /* those parts of threads that made calls */
	double waiting_share;		     /* caller_waiting_ns / caller_ns; NAN: no time */
};

/* What was measured of a kernel, and what the machine can do at best with as many threads, by cells
 * of the same suite. */
struct report_cell {
	struct cell cell;
	double peak_gflops;	  /* of its precision: the best of category peak */
	double peak_gbytes_per_s; /* the best of category copy over as much memory or more */
	double share_of_peak;	  /* of the ceiling that is nearer */
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_COUNT };
extern const char *const severity_names[SEVERITY_COUNT]; /* "note", "warning" */

struct report_warning {
	char code[32];
	enum severity severity;
	char text[768];
	char remedy[512];    /* "" where there is nothing to do */
	int runs;	     /* how many runs it was noted in; 0: worked out from all of them */
	int more;	     /* further notes of this code in the same run, not shown */
	size_t origin, seen; /* indices of the newest and the oldest run that have it */
};

struct report_fact {
	char *name, *value;
};

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
	int exit_status, exit_signal, cpus_available;
	int64_t elapsed_ns;
	struct ceilings ceilings; /* of the newest run's machine; all 0: not known */
	struct report_fact *facts;
	size_t nfacts;
	struct report_run *runs; /* in the order given */
	size_t nruns;
	struct report_row *rows; /* by thread count, least first */
	size_t nrows;
	struct report_shape *shapes; /* by thread count, then by total time, most first */
	size_t nshapes;
	struct report_shape *region_shapes; /* the same, each region's apart */
	size_t nregion_shapes;
	struct report_ceiling
		*ceiling_rows; /* by thread count; peaks, then memories, nearest first */
	size_t nceiling_rows;
	struct report_latency *latencies; /* of the top shapes, in their order */
	size_t nlatencies;
	struct report_region *regions; /* by thread count, then by time, most first */
	size_t nregions;
	struct report_stack *stacks; /* by thread count, then by samples, most first */
	size_t nstacks;
	struct report_wait *waits; /* by thread count, callers first, then by time, most first */
	size_t nwaits;
	struct report_counter *counters; /* by thread count, then in the order asked for */
	size_t ncounters;
	struct report_shape_counter *shape_counters; /* by thread count, shape and event */
	size_t nshape_counters;
	struct report_mpi *mpi; /* by thread count, then by total time, most first */
	size_t nmpi;
	struct report_part *parts; /* by thread count, in the order of category_names[] */
	size_t nparts;
	struct report_loss *losses; /* by thread count, then by part, then by size, most first */
	size_t nlosses;
	struct report_caller *callers; /* by thread count, then by total time, most first */
	size_t ncallers;
	struct report_function *functions; /* by thread count, then by samples, most first */
	size_t nfunctions;
	struct report_category *categories; /* by thread count, then by samples, most first */
	size_t ncategories;
	struct report_thread *threads; /* in the order of the run */
	size_t nthreads;
	struct report_process *processes; /* by rank, then by time computing, most first */
	size_t nprocesses;
	double imbalance; /* the busiest rank's time computing over the mean's, less 1; NAN: no
			     ranks */
	int threads_run;  /* index in runs[] of the run that threads[] come from */
	struct scaling scaling;
	struct report_timeline timeline; /* of the newest run that came with one */
	struct report_cell *cells;	 /* in the order of the suite */
	size_t ncells;
	struct report_warning *warnings;
	size_t nwarnings;
};

/* Is the region of interest one that the program marks? It can have several parts. Samples are not
 * told apart by region: they take in what ran between its parts. */
int report_roi_is_region(const char *roi);

/* Works out the report on `count` runs of one experiment, the newest last; at least one, but with
 * cells also none: then it has nothing but them. Runs that
 * failed are left out where their thread count has others. Returns 0, or -1 with *err and nothing
 * to free: no runs, units not over 0, out of memory. Nothing of `runs` is kept. */
int report_build(const struct run *runs, size_t count, const struct report_options *options,
		 struct report *report, struct error *err);
void report_free(struct report *report);

/* The one sentence that says why the program does not scale, cut to `size`. Returns text[]. */
#define REPORT_VERDICT_MAX 4096
const char *report_verdict(const struct report *report, char text[REPORT_VERDICT_MAX]);

/* The value of a fact of the newest run, or NULL. */
const char *report_fact(const struct report *report, const char *name);

/* The command to run next for a speed-up, like "blasprof -- ./train 1", into text[]; returns 0
 * where no run is missing: there is one thread, and another count. */
int report_next_command(const struct report *report, char *text, size_t size);

/* The run whose pairs the report on these runs wants: of the successful ones of one thread that are
 * alike the newest of all, the one whose BLAS share is closest to that of all of them, so that a
 * run that was disturbed is not what is replayed; the newest of equal ones; -1 for none. */
int report_pairs_run(const struct run *runs, size_t count);

#endif
