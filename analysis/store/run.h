/* run.h: one recorded run in memory: what profiler/record fills, profiler/store keeps and
 * analysis/report reads. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_RUN_H
#define STORE_RUN_H

#include <stddef.h>
#include <stdint.h>

/* Times are integer nanoseconds. Inside a run they count from the start of its region of interest
 * (ROI: from the program's first BLAS call to its last, over all its processes). Nothing here is
 * derived: shares, roles and speed-ups are worked out from these figures when a report is made. */

/* A thread, clipped to the ROI. wall = blas + other + mpi + waiting + preempted + own, where
 * wall = end - start, and `own` is the shim's calibrated cost, taken out of blas and other. */
struct run_thread {
	int64_t pid, tid;
	int process; /* row of run->processes; -1 unknown */
	char name[16];
	int64_t start_ns, end_ns; /* when it began and ended, 0 <= start <= end <= roi_ns */
	int64_t blas_ns;	  /* B: in outermost BLAS calls, without preempted and own time */
	int64_t blas_waiting_ns;  /* Bw: the blocked part of B */
	int64_t other_ns;	  /* C: computing outside BLAS */
	int64_t mpi_ns;	    /* M: in outermost MPI calls, blocked or not, without preempted time */
	int64_t waiting_ns; /* O: blocked outside BLAS and MPI */
	int64_t preempted_ns; /* P: ready to run, without a CPU, in BLAS or outside */
	int64_t own_ns;	      /* blasprof's own cost, estimated as calls times cost per call */
	uint64_t calls;	      /* outermost intercepted calls that returned */
	double flops;
	uint64_t samples_blas, samples_other, samples_kernel; /* inside the ROI */
	int64_t switch_waiting_ns,
		switch_preempted_ns; /* from the sampler's switch records; -1 unknown */
};

#define RUN_HISTOGRAM_BUCKETS 160

/* A routine called with one set of arguments, over all threads. Routines without a given argument
 * have '-' for a transpose and 0 for a dimension. */
struct run_shape {
	char routine[32]; /* "cblas_sgemm", "dgemm_" */
	char variant[24]; /* the names it was called by, X for the routine: "scipy_cblas_X64_"; "" for those */
	char type; /* of its elements: s, d, c, z, or b, h, i, w (routines.h); 0 not known */
	char transa, transb;
	int64_t m, n, k;
	char region[32];  /* name of the program's marked region, or "" */
	int other_shapes; /* 1: the row that gathers what did not fit the thread's table; m, n, k =
			     0 */
	uint64_t calls;
	int64_t total_ns, min_ns, max_ns; /* wall time of the calls, own cost taken out */
	double flops, bytes;		  /* of all its calls: exact from the routine's formula */
	/* calls by duration; bucket edges by run_bucket_low_ns() */
	uint64_t histogram[RUN_HISTOGRAM_BUCKETS];
	/* in BLAS code during those of these calls of which it is known when they ran: of the threads that called, and of
	 * BLAS's own */
	uint64_t samples_callers, samples_workers;
};

/* Lower edge of a histogram bucket, ns: four buckets an octave; bucket i holds durations in
 * [run_bucket_low_ns(i), run_bucket_low_ns(i + 1)). */
double run_bucket_low_ns(int bucket);
/* The bucket that a duration falls into, 0 .. RUN_HISTOGRAM_BUCKETS - 1. */
int run_bucket(double ns);

/* The calls of one shape from one line of the code, over all threads. A call's caller is the
 * function that its return address lies in: where the compiler made a jump of it, that one's. */
struct run_caller {
	char *function;	    /* "matmul", "libx.so+0x1234", or "[unknown]" */
	char *inlined_into; /* the function whose code it was inlined in; "": it has its own */
	char *object;	    /* path of the object file, "[anon]" or "[unknown]" */
	char *file;	    /* of the source; "": not known */
	int line;	    /* in it; 0: not known */
	char routine[32];   /* as in struct run_shape, with the following */
	char transa, transb;
	int64_t m, n, k;
	char region[32];
	uint64_t calls;
	int64_t total_ns;
};
/* Frees the row's texts. */
void run_caller_free(struct run_caller *caller);

enum run_code { RUN_CODE_BLAS, RUN_CODE_OTHER, RUN_CODE_KERNEL, RUN_CODE_COUNT };
extern const char *const run_code_names[RUN_CODE_COUNT]; /* "blas", "other", "kernel" */

/* Samples by function, inside the ROI, over all threads. */
struct run_function {
	char *function; /* "rmsnorm_forward", or "[unknown]"; in a stripped object: "libx.so+0x1234"
			 */
	char *object;	/* path of the object file, "[vdso]", "[kernel]" or "[anon]" */
	char *inlined_into; /* the function whose code it was inlined in; "": it has its own */
	char *file;	    /* source file of the line with most of its samples; "": not known */
	int line;	    /* that line; 0: not known */
	enum run_code code;
	uint64_t samples;
	uint64_t samples_workers; /* those of them in threads that BLAS itself started */
};

/* Code that a call stack goes through. */
struct run_frame {
	char *function, *object; /* as in struct run_function */
	enum run_code code;
	int inlined; /* 1: into the function of the next frame outwards */
};

/* A call stack: that of its caller (the parent), and a frame more. */
struct run_stack {
	int64_t parent; /* its place in run->stacks, before this one; -1: this frame is the
			   outermost */
	int64_t frame;	/* its place in run->frames */
	int whole;	/* 1: it begins where the thread starts; 0: its outer part was cut off */
	/* samples of just this stack, without those of longer ones: of threads that make BLAS
	 * calls, and of others */
	uint64_t samples_callers, samples_others;
};

/* A thread's waits in one stack and region: blocked, or ready to run without a CPU. */
struct run_wait {
	char kind[16];	/* "mutex", "barrier", "run queue", ...: see profiler/sampling/wait_kinds.c;
			   "unknown" where no stack could be taken */
	char *function; /* that waits, as the program called it: "pthread_mutex_lock"; "" not known
			 */
	char *caller;	/* the function that called it; "" not known */
	char region[32]; /* that the thread was in; "" none, "?" not known any more */
	int64_t stack;	/* place in run->stacks; -1: none */
	int64_t pid, tid; /* of the thread */
	int in_blas;	  /* 1: the stack goes through a BLAS library */
	uint64_t waits;
	int64_t total_ns, longest_ns;
};

/* A call in a thread's sequence: the time since the thread's call before it ended, and the call's
 * own; own cost and waiting for a CPU taken out, at most about 4 s each. */
#define RUN_PAIRS_MAX 32768 /* of a run, that are kept: the last */
struct run_pair {
	uint32_t gap_ns, service_ns;
};

/* A region that the program marked (blasprof.h), summed over threads; times as in struct
 * run_thread. Time in an inner region is the inner one's only. */
struct run_region {
	char name[32];
	uint64_t entries;
	int64_t blas_ns, blas_waiting_ns, other_ns, mpi_ns, waiting_ns, preempted_ns;
	uint64_t calls;
	double flops;
};

/* An event that was counted, over all threads and processes, from the program's exec to its end.
 * count = blas + other + kernel + outside, as far as they are known. */
struct run_counter {
	char event[96]; /* as it was asked for, or as the set that it comes from chose it */
	char unit[16];	/* "Joules"; "" for a plain count */
	double count;	/* scaled up where the event took turns with others; NAN: never counted */
	double counted; /* for which share of the program's time on the CPU it was counted, 0 .. 1 */
	double blas, other, kernel; /* in BLAS libraries, other code and the kernel; NAN unknown */
	double outside;		    /* outside the ROI; NAN unknown */
	char split[16];		    /* how it was told apart: "samples", "time" or "" */
	double exact_blas, exact_other; /* callers' user code in calls and between them, read from
					   the counter itself; NAN: it was not */
	int user_only;		    /* 1: without the kernel's part, which this user may not have */
	int flops_each; /* floating-point operations that one count stands for; 0: none, or unknown */
};

/* A thread's part of a counter, inside the ROI. */
struct run_thread_counter {
	char event[96];
	int64_t pid, tid;
	double blas, other, kernel;
};

/* What calls of one shape counted, in user code, read from the counter itself; named as in struct
 * run_shape. */
struct run_shape_counter {
	char event[96];
	char routine[32];
	char transa, transb;
	int64_t m, n, k;
	char region[32];
	int other_shapes;
	uint64_t calls;
	double count;
};

/* An MPI routine, over all threads. */
struct run_mpi {
	char routine[32]; /* "MPI_Allreduce", also where it was called from Fortran */
	uint64_t calls;	  /* outermost ones, from the thread's first BLAS call on */
	int64_t total_ns, max_ns;
};

/* The timeline: when a thread was in a call, in a region or off the CPU; those of a thread are in
 * order of their ends. */
struct run_span {
	int64_t pid, tid;
	char kind[8];  /* "blas", "mpi", "region", "waiting", "no CPU" */
	char name[32]; /* routine or region; "" of waits */
	char transa, transb;
	int64_t m, n, k;	  /* as in struct run_shape; 0 of other kinds */
	int64_t start_ns, end_ns; /* less than 0: before the ROI */
};

/* What the program's processes were, one row each. */
struct run_process {
	int64_t pid, parent;
	char command[64];
	char host[64];
	int rank;		  /* in an MPI job; -1: in none */
	int64_t start_ns, end_ns; /* of its own BLAS calls; both 0 where it made none */
	uint64_t calls;
	int intercepted; /* 1: the preload library was loaded in it */
};

/* A doubt or fact noted while recording. `code` is a row of the warnings table in
 * analysis/report, `detail` the varying part of its text. */
struct run_note {
	char code[32];
	char detail[480];
};

/* Provenance: one fact about where the run came from. Names in use:
 * host, cpu, cpus_online, cpus_available, kernel, arch, clock, blas, blas_path, blas_version,
 * blas_core, blas_layer (what it runs its own threads by), blas_threads (its own setting, at the end
 * where that was seen), blas_threads_first (at the first call, where that was another; all these
 * with _2, _3, ... for further BLAS libraries of the run), sampler_event, call_graph,
 * perf_event_paranoid, blasprof_version,
 * ceilings (what the machine can do at most, by `blasprof doctor --measure`), ceilings_measured,
 * mpi.rank, mpi.size, mpi.job, mpi.launcher (of the rank that the run is of),
 * uprobes (how many routines of the program's own file were probed, in place of the preload library),
 * steal_ns (what the hypervisor took from all CPUs online between start and end),
 * env.NAME for environment variables that matter. */
struct run_fact {
	char name[48];
	char *value;
};

struct run {
	int64_t id;		/* in the store; 0 until saved */
	char *experiment;	/* argv joined by spaces with the thread count replaced by {} */
	char *command;		/* argv joined by spaces, quoted where the shell needs it */
	char started[32];	/* UTC, "2026-11-21T08:43:19Z" */
	int threads_requested;	/* by -t; 0: take what was seen */
	int exit_status;	/* 0..255 as a shell shows it, 128 + signal for a signal */
	int exit_signal;	/* 0 or the signal that ended the command */
	int64_t elapsed_ns;	/* from exec to exit, wall */
	int64_t roi_started_ns; /* when the ROI began, since 1970; 0 where there was no BLAS call */
	int64_t roi_ns;		/* length of the ROI; 0 where there was no BLAS call */
	int cpus_available;	/* min of affinity mask, cgroup quota, online */
	char roi[32];		/* "blas", "process", or the region that the ROI was taken from */
	char what_if[64];	/* "", or what was changed: "units=1", "units=2,blas=1.5" */
	double work;		/* work done where it is not BLAS flops; 0: use flops */
	char work_unit[16]; /* "flops", "steps", or "work": a number from the program's output */
	double call_inside_ns, call_outside_ns; /* shim's calibrated cost per call, inside and
						   outside the timed interval */
	double sample_rate_hz;			/* asked for; 0: no sampling */
	/* samples: all that were taken and came through = attributed + outside_roi + unknown;
	 * those lost are not among them */
	uint64_t samples, samples_attributed, samples_outside_roi, samples_unknown, samples_lost;
	uint64_t throttled;

	struct run_thread *threads;
	size_t nthreads;
	struct run_shape *shapes;
	size_t nshapes;
	struct run_caller *callers;
	size_t ncallers;
	struct run_function *functions;
	size_t nfunctions;
	struct run_frame *frames;
	size_t nframes;
	struct run_stack *stacks;
	size_t nstacks;
	struct run_wait *waits;
	size_t nwaits;
	struct run_process *processes;
	size_t nprocesses;
	struct run_region *regions;
	size_t nregions;
	struct run_mpi *mpi;
	size_t nmpi;
	struct run_span *spans;
	size_t nspans;
	struct run_pair
		*pairs; /* the last calls of the only caller; none where there were several */
	size_t npairs;
	struct run_counter *counters;
	size_t ncounters;
	struct run_thread_counter *thread_counters;
	size_t nthread_counters;
	struct run_shape_counter *shape_counters;
	size_t nshape_counters;
	struct run_note *notes;
	size_t nnotes;
	struct run_fact *facts;
	size_t nfacts;
};

/* An empty run. Everything it comes to own is freed by run_free(), after which it is empty again.
 */
void run_init(struct run *run);
void run_free(struct run *run);

/* The arrays of a run by number, for code that treats them alike (the store). */
enum run_part {
	RUN_PART_THREADS,
	RUN_PART_SHAPES,
	RUN_PART_CALLERS,
	RUN_PART_FUNCTIONS,
	RUN_PART_FRAMES,
	RUN_PART_STACKS,
	RUN_PART_WAITS,
	RUN_PART_PROCESSES,
	RUN_PART_REGIONS,
	RUN_PART_COUNTERS,
	RUN_PART_THREAD_COUNTERS,
	RUN_PART_SHAPE_COUNTERS,
	RUN_PART_MPI,
	RUN_PART_SPANS,
	RUN_PART_NOTES,
	RUN_PART_FACTS,
	RUN_PART_COUNT,
};
size_t run_part_count(const struct run *run, enum run_part part);
/* Row `index` of the part, which must exist: a struct run_thread, run_shape, ... */
void *run_part_row(const struct run *run, enum run_part part, size_t index);
/* Adds one row of zero bytes (its strings NULL); NULL only when memory is out. */
void *run_part_add(struct run *run, enum run_part part);

/* Each adds one zeroed row (run_add_function, run_add_fact copy their strings; a fact that is
 * already there gets the new value) and returns it, valid until the next addition to the same
 * array; NULL only when memory is out. */
struct run_thread *run_add_thread(struct run *run);
struct run_shape *run_add_shape(struct run *run);
struct run_process *run_add_process(struct run *run);
struct run_region *run_add_region(struct run *run);
struct run_mpi *run_add_mpi(struct run *run);
struct run_function *run_add_function(struct run *run, const char *function, const char *object);
struct run_note *run_add_note(struct run *run, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Takes all notes of the code away. */
void run_drop_notes(struct run *run, const char *code);
struct run_fact *run_add_fact(struct run *run, const char *name, const char *value);
/* The fact's value, or NULL. Owned by the run. */
const char *run_fact(const struct run *run, const char *name);
/* How many samples are in none of the run's counts, or (less than 0) in more than one of them: 0
 * unless something is wrong. */
int64_t run_samples_missing(const struct run *run);
/* The thread's row, or NULL. */
struct run_thread *run_find_thread(struct run *run, int64_t pid, int64_t tid);

#endif
