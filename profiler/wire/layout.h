/* layout.h: the record layout that the shim writes and profiler/record reads: the crash-safe store
 * of a run. */
/* SPDX-License-Identifier: MIT
 *
 * A session is a private directory. The profiler puts one control file in it (SESSION_FILE,
 * struct session). Each process that makes a BLAS call adds one process file ("p.PID.SERIAL"): a
 * struct process_header, then chunks, each a struct chunk_header and its rows. All are mapped
 * shared, so what was written survives however the process ends. A process that cannot make its
 * file leaves a symbolic link in its place ("lost.PID") to "ERRNO PROGRAM". Integers are in the
 * machine's byte order. Files may be truncated or hostile: readers check every count against the
 * file's size.
 */
#ifndef SHIM_LAYOUT_H
#define SHIM_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "store/call_sums.h"

/* Its upper half is the size of the sums, which rows of other files change. */
#define LAYOUT_VERSION	  (15 | (uint32_t)sizeof(struct call_sums) << 16)
#define SESSION_MAGIC	  0x31534553504c42ull /* "BLPSES1" */
#define PROCESS_MAGIC	  0x31435250504c42ull /* "BLPPRC1" */
#define CHUNK_MAGIC	  0x4b4843u	      /* "CHK" */
#define SESSION_FILE	  "session"
#define SHIM_NAME	  "libblasprof.so"
#define LOST_PREFIX	  "lost."  /* and the pid: see below */
#define SESSION_MORE	  ".more/" /* a link: what has no room here */
#define SESSION_STOPS	  "stops"  /* struct session_stop, one after another */
#define SESSION_FIRST	  "first"  /* made by the first process that attaches */
/* the environment variable that names the directory */
#define SESSION_VARIABLE  "BLASPROF_SESSION"
/* and the one that holds an enum wall as a digit */
#define WALL_VARIABLE	  "BLASPROF_WALL"
/* and the one that names the library to which ITT's users report (shim/itt.c) */
#define ITT_VARIABLE	  "INTEL_LIBITTNOTIFY64"
/* and the one that names it to who makes code at run time (shim/jit.c) */
#define JIT_VARIABLE	  "INTEL_JIT_PROFILER64"
#define LAYOUT_PAGE	  4096
#define HISTOGRAM_BUCKETS 144 /* four linear steps in each power of two ticks */
#define PROVIDERS_MAX	  8
#define CPU_WORDS	  16 /* a bit for each of 1,024 CPUs */

enum clock_kind {
	CLOCK_TICKS,   /* TSC on x86-64, CNTVCT on aarch64 */
	CLOCK_GETTIME, /* clock_gettime(CLOCK_MONOTONIC), in ns */
};

/* What is known of the seccomp filters that a program finds when it is started. The preload library
 * changes the digit where it sees a filter come into force; a filter that nobody saw may be deadly,
 * too. */
enum wall { WALL_UNSEEN, WALL_HARMLESS, WALL_DEADLY };

/* What counts: enum roi_kind. */
enum roi_kind {
	ROI_CALLS,  /* from the first BLAS call to the last, or the whole process: all calls */
	ROI_REGION, /* only what threads do inside a marked region */
};

/* Whose calls count: enum follow_kind. */
enum follow_kind {
	FOLLOW_ALL,   /* those of the command and of all its descendants */
	FOLLOW_FORKS, /* not those of programs that a descendant becomes by exec */
	FOLLOW_NONE,  /* those of the command's own process only */
};

#define REGION_NAME_BYTES 32

/* An event that each thread counts in calls and between them, as in struct perf_event_attr. */
#define EXACT_EVENTS	  6
struct exact_event {
	uint32_t type, padding;
	uint64_t config, config1, config2;
};

/* Written by the profiler before the program starts; read by the shim. */
struct session {
	uint64_t magic;
	uint32_t version;
	uint32_t clock;	     /* enum clock_kind */
	double ns_per_tick;  /* good to about 1e-4 here; the profiler works out a better one at the
				end */
	uint32_t roi;	     /* enum roi_kind */
	uint32_t units;	     /* what-if: the most threads inside BLAS at once; 0: any number */
	double blas_factor;  /* what-if: factor by which each call takes longer; 0 or 1: as it is */
	double other_factor; /* what-if: likewise each gap between calls */
	char roi_region[REGION_NAME_BYTES];
	uint32_t follow;      /* enum follow_kind */
	int32_t profiler;     /* process number of the profiler ... */
	int32_t program;      /* ... and of the command; 0: not yet started */
	uint64_t begun_ticks; /* one moment on the shim's clock ... */
	int64_t begun_ns;     /* ... and on CLOCK_MONOTONIC */
	int64_t started_ns;   /* CLOCK_MONOTONIC at the command's exec; 0: not yet */
	uint32_t spans;	      /* that each thread keeps of its timeline; 0: no timeline */
	uint32_t nexact;      /* events that are counted exactly */
	uint32_t watched; /* calls that a thread keeps of a part of its time, where BLAS has threads
			     of its own */
	struct exact_event exact[EXACT_EVENTS];
	uint64_t reserve_bytes; /* that records leave free in the session's file system */
	uint64_t pid_space;	/* inode of the PID namespace in which profiler and program are
				   numbers; 0: not known */
};

/* The command was stopped (SIGSTOP, Ctrl-Z). Written by the profiler as it happens. */
struct session_stop {
	int64_t from_ns, to_ns; /* CLOCK_MONOTONIC; to_ns 0: it still is */
};

/* What the shim could not do; bits of process_header.troubles. */
enum trouble {
	TROUBLE_NO_PAGE = 1 << 0, /* no perf page for a thread: off-CPU time by the slow rule */
	TROUBLE_NO_SCHEDSTAT = 1 << 1, /* blocked and preempted told apart by switch counts only */
	TROUBLE_NO_ROOM = 1 << 2,      /* the session's file system or memory is full */
	TROUBLE_SHAPES_FULL = 1 << 3,  /* a thread's shape table spilled into "other shapes" */
	TROUBLE_LOOKUPS_FULL =
		1 << 4, /* dlsym() gave a routine of one library too many: its calls are not seen */
	TROUBLE_FILE_LIMIT = 1 << 5, /* the program may not write files so long (ulimit -f) */
	TROUBLE_SHUT_OUT = 1 << 6,   /* the process could not open its own file any more */
	TROUBLE_UNIT_TAKEN =
		1 << 7, /* what-if: a unit was taken from a thread that may have needed it */
	TROUBLE_BOUND_PAST = 1 << 8, /* a library's calls go to BLAS, and not through the shim */
};

/* CPU times of a task that existed when its process made its first BLAS call. */
struct task_start {
	int64_t tid;
	int64_t cpu_ns, run_delay_ns; /* run_delay_ns -1: not known, for there are too many tasks */
};

/* What a BLAS library says about itself; "" and 0 where it does not tell. */
struct blas_facts {
	char name[16];	   /* "OpenBLAS" */
	char version[128]; /* as the library describes itself, without its name */
	char core[32];	   /* which CPU's kernels it chose */
	char layer[16];	   /* what it runs its own threads by: "pthreads" */
	int32_t threads; /* its own thread setting at the first call, and when the process ended */
	int32_t threads_end;
};

struct process_header {
	uint64_t magic;
	uint32_t version;
	int32_t pid, parent;
	uint32_t troubles;
	uint64_t first_ticks;	    /* when the process attached: its first BLAS call */
	int64_t first_monotonic_ns; /* CLOCK_MONOTONIC at first_ticks */
	uint64_t exit_ticks;	    /* when it ran its destructors; 0: it never did */
	double call_inside_ticks; /* calibrated cost of an intercepted call, inside ... (both 0: not
				     measured here) */
	double call_outside_ticks; /* ... and outside the timed interval */
	uint64_t unrecorded_calls; /* calls that went through without a place to count them */
	char command[64];
	char providers[PROVIDERS_MAX][256]; /* paths of the objects that calls were forwarded to */
	struct blas_facts libraries[PROVIDERS_MAX]; /* of the same objects */
	uint64_t counts_missed;		     /* readings of exact events that could not be taken */
	uint64_t blocked_regions_full_ticks; /* from then on blocked regions are missing; 0: none is
					      */
	uint64_t pid_space;	  /* inode of its PID namespace, in which pid, parent and tids are
				     numbers; 0: not known */
	uint64_t cpus[CPU_WORDS]; /* that its threads may run on; all 0: not known */
};

enum chunk_kind {
	CHUNK_THREADS = 1, /* struct thread_record */
	CHUNK_SHAPES,	   /* struct shape_record */
	CHUNK_TASKS,	   /* struct task_start */
	CHUNK_NAMES,   /* struct region_name; region 1 is the first row, 0 is outside all regions */
	CHUNK_REGIONS, /* struct region_record */
	CHUNK_CALL_TIMES,      /* struct call_times */
	CHUNK_MAPS,	       /* struct map_record */
	CHUNK_MPI,	       /* struct mpi_record; one for each enum mpi_id, in order */
	CHUNK_SPANS,	       /* union span_row: a thread's head, then its spans */
	CHUNK_BLOCKED_REGIONS, /* struct blocked_region */
	CHUNK_GAPS,	       /* struct gap_record */
	CHUNK_CALL_SITES,      /* struct call_site */
	CHUNK_CODES,	       /* struct code_record */
	CHUNK_KINDS,
};

/* Starts at a multiple of LAYOUT_PAGE; `bytes` in all, a multiple of LAYOUT_PAGE. The chunks of a
 * process follow each other, and between them lie empty pages. */
struct chunk_header {
	uint32_t magic;
	uint32_t kind;
	uint32_t bytes;
	uint32_t used; /* rows in use; a row is complete before it is counted */
	uint64_t next; /* the writer's own: address of its next chunk of the kind */
	uint64_t padding[5];
};

/* What the shim times of a thread, from enter to leave, by the category (model/category.h) that it
 * is: outermost calls, and the time between calls. */
#define ACTIVITIES(X) X(BLAS) X(OTHER) X(MPI)

enum activity {
#define ACTIVITY(category) IN_##category,
	ACTIVITIES(ACTIVITY)
#undef ACTIVITY
		ACTIVITY_COUNT
};

/* What a thread did, in one region or outside all. */
struct call_sums {
#define SUM_OF_COUNT		  uint64_t
#define SUM_OF_REAL		  double
#define CALL_SUM(name, type, ...) SUM_OF_##type name;
	CALL_SUMS(CALL_SUM)
#undef CALL_SUM
	struct {
		uint64_t ticks; /* all in all; and the parts off the CPU: */
		int64_t waiting_ns, preempted_ns;
	} in[ACTIVITY_COUNT];
	uint64_t queue_ticks; /* what-if: the part of BLAS spent queueing for a unit */
};

/* One thread. Ticks are raw; *_ns come from the kernel's clocks. Written only by its own thread
 * (end_* of threads that outlive the process's exit by the exiting thread). */
struct thread_record {
	int64_t tid;
	uint64_t serial; /* counts the process's threads: region records refer to it */
	char name[16];
	uint64_t first_ticks; /* enter of its first call */
	uint64_t last_ticks;  /* leave of its last call that returned, or its last mark */
	uint64_t end_ticks;   /* when the thread ended; 0 unknown */
	int64_t first_cpu_ns; /* CPU time used, and time spent waiting for a CPU, before first_ticks
			       */
	int64_t first_run_delay_ns;
	int64_t end_cpu_ns, end_run_delay_ns;
	/* the last reading of the off-CPU clocks */
	uint64_t read_ticks;
	int64_t read_cpu_ns, read_run_delay_ns;
	uint64_t attach_ticks; /* CPU time that making this record took, before first_ticks */
	uint64_t
		own_ticks; /* what reading the off-CPU clocks took, between first_ and last_ticks */
	double progress;   /* what the program has marked as done */
	struct call_sums sums;		     /* outside all regions */
	uint64_t other_counts[EXACT_EVENTS]; /* of exact events, between calls */
	uint64_t mark_ticks;		     /* its last region mark; 0: none */
	uint64_t mark_region;		     /* which region it is in since; 0: none */
	int64_t process_cpu_ns; /* of the whole process at its first call; -1: not known */
} __attribute__((aligned(64)));

struct region_name {
	char text[REGION_NAME_BYTES];
};

/* What one thread did in one region, inner regions apart. */
struct region_record {
	uint64_t serial; /* of the thread */
	uint64_t region; /* number of the name's row, from 1 */
	uint64_t entries;
	struct call_sums sums;
	uint64_t next; /* the writer's own: address of another of the thread */
};

#define BLOCKED_REGIONS_MAX 65536 /* of a process */

/* A thread's time between two marks, in a region, where it left the CPU meanwhile, or may have:
 * what it waited on then, it waited on in that region. */
struct blocked_region {
	uint64_t serial; /* of the thread; 0: the row is not complete */
	uint64_t region;
	uint64_t start, end; /* ticks */
};

#define GAPS_MAX 8 /* of a thread: its longest ones */

/* A long time of a thread without a call, and what the thread had done when it ended. They tell
 * where calls are dense, and what the thread did from one of them on, or up to it. */
struct gap_record {
	uint64_t serial;     /* of the thread; 0: the row is not complete */
	uint64_t start, end; /* ticks: leave of the call before, enter of the next one */
	int64_t waiting_ns, preempted_ns; /* the parts of it */
	int64_t process_cpu_ns; /* CPU time of the whole process at its end; -1: not known */
	uint64_t own_ticks;	/* the thread's, so far */
	struct call_sums sums;	/* the same, over all regions */
};

/* The process's calls of one MPI routine, by C or Fortran. */
struct mpi_record {
	uint64_t calls, ticks, max_ticks;
};

#define CALL_TIMES_MAX 16384 /* a power of two */

/* The last calls of one thread in order, in ticks, without time spent waiting for a CPU. Floats keep
 * the cache lines that calls write few; 24 bits are more than the clock is good for. */
struct call_times {
	uint64_t serial;  /* of the thread */
	uint64_t written; /* calls so far; the newest is at (written - 1) % CALL_TIMES_MAX */
	struct {
		float think, service; /* the gap before the call; the call */
	} calls[CALL_TIMES_MAX];
};

/* Executable memory that a call came from, as /proc/self/maps shows it. */
struct map_record {
	uint64_t start, end; /* addresses, end excluded */
	uint64_t offset;     /* of `start` in the file */
	uint64_t inode;
	char path[224]; /* "" where it is no file's */
};

/* A place in a program whose language tells it by itself: CPython's. */
struct call_site {
	uint64_t place;	    /* as in shape_key.caller */
	int64_t line;	    /* 0: not known */
	char function[112]; /* "Model.forward" */
	char file[384];	    /* its end, where it is longer */
};

/* Code that was made at run time. */
struct code_record {
	uint64_t start, bytes;
	char name[112]; /* its beginning, where it is longer */
};

/* A routine with one set of arguments, called from one place, summed over the threads that used the
 * table in turn. The head is one word, written and compared as one: shape_head() packs it. */
struct shape_key {
	uint64_t head;
	int64_t m, n, k;
	uint64_t caller; /* the call's return address, or a struct call_site's place; 0: not told
			    apart */
};
#define SHAPE_OTHER 0xffu /* transa of the row that takes a full table's other shapes */

/* routine: row of routines[]; transposes as passed, 0: none; region: number of its name. */
static inline uint64_t shape_head(unsigned routine, unsigned transa, unsigned transb,
				  uint64_t region)
{
	return (routine & 0xffff) | (uint64_t)(transa & 0xff) << 16 |
	       (uint64_t)(transb & 0xff) << 24 | region << 32;
}

static inline unsigned shape_routine(const struct shape_key *key)
{
	return key->head & 0xffff;
}

static inline unsigned char shape_transa(const struct shape_key *key)
{
	return key->head >> 16 & 0xff;
}

static inline unsigned char shape_transb(const struct shape_key *key)
{
	return key->head >> 24 & 0xff;
}

static inline uint32_t shape_region(const struct shape_key *key)
{
	return (uint32_t)(key->head >> 32);
}

#define SPANS_MAX     (1u << 18) /* of one thread */
#define SPANS_THREADS 64	 /* of a process that have a timeline: its first ones */

enum span_kind { SPAN_CALL, SPAN_REGION, SPAN_MPI };

/* Something that a thread was in. */
struct span_record {
	uint64_t start, end;  /* ticks */
	uint32_t kind;	      /* enum span_kind */
	uint32_t number;      /* of a region's name, from 1, or enum mpi_id */
	struct shape_key key; /* of a call */
};

/* A thread's timeline: one head, then the last `room` spans. The newest is at (written - 1) % room.
 */
union span_row {
	struct {
		uint64_t serial; /* of the thread */
		uint64_t room, written;
		uint64_t is_watched; /* 1: no timeline, but the calls of a part of its time */
	} head;
	struct span_record span;
};

/* In order of who needs it: a cache line to find the row and count the call, one for the rest, one
 * of the histogram. */
struct shape_record {
	struct shape_key key;
	double flops_per_call;
	uint64_t calls;
	uint64_t ticks; /* as min, max and the histogram: without waiting for a CPU */
	uint64_t min_ticks, max_ticks;
	uint64_t last_ticks; /* of the last call, which the histogram does not have yet */
	double bytes_per_call;
	double other_flops, other_bytes; /* of the "other shapes" row, summed */
	uint64_t successor; /* the writer's own: address of the row of the call that followed this
			       one last */
	uint64_t no_cpu_ticks; /* waiting for a CPU in the calls */
	uint64_t histogram[HISTOGRAM_BUCKETS];
	uint64_t counts[EXACT_EVENTS]; /* of exact events, in the calls */
	uint64_t unit;		       /* enum compute_unit, as of its first call */
	uint64_t end_padding;	       /* whole cache lines */
};

_Static_assert(sizeof(struct chunk_header) == 64, "chunk header");
_Static_assert(sizeof(union span_row) == 64, "a span is a cache line");
_Static_assert(sizeof(struct map_record) == 256, "map record");
_Static_assert(sizeof(struct call_site) == 512, "call site");
_Static_assert(sizeof(struct code_record) == 128, "code record");
_Static_assert(sizeof(struct thread_record) % 64 == 0, "thread record");
_Static_assert(sizeof(struct shape_record) % 64 == 0, "shape record");
_Static_assert(offsetof(struct shape_record, min_ticks) == 64, "first line of a shape record");
_Static_assert(offsetof(struct shape_record, histogram) == 128, "first lines of a shape record");
_Static_assert(sizeof(struct process_header) <= LAYOUT_PAGE, "process header");

/* The bucket of a duration: four linear steps in each power of two. */
static inline unsigned histogram_bucket(uint64_t ticks)
{
	unsigned log2, bucket;

	if (ticks < 4)
		return (unsigned)ticks;
	log2 = 63u ^ (unsigned)__builtin_clzll(ticks);
	bucket = log2 * 4 + (unsigned)(ticks >> (log2 - 2) & 3) - 4;
	return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

/* Lower edge of a bucket in ticks. */
static inline uint64_t histogram_low(unsigned bucket)
{
	if (bucket < 4)
		return bucket;
	return (4 + (uint64_t)(bucket & 3)) << ((bucket + 4) / 4 - 2);
}

#endif
