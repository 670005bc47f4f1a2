/* layout.h: layout of the session files that the shim writes and the recorder reads. */
/* SPDX-License-Identifier: MIT
 *
 * A session is a private directory. The profiler puts one control file into it (SESSION_FILE,
 * struct session). Each process that makes a BLAS call adds a process file ("p.PID.SERIAL"): a
 * struct process_header, then chunks, each with a struct chunk_header and its rows. The files are
 * mapped shared, so their contents survive however the process ends. A process that cannot create
 * its file leaves a symbolic link "lost.PID" with the target "ERRNO PROGRAM". Integers are in the
 * machine's byte order. Files may be truncated or hostile: readers check every count against the
 * file's size.
 */
#ifndef WIRE_LAYOUT_H
#define WIRE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "store/call_sums.h"

/* The upper half is the size of the sums, which rows of call_sums.h and category.h change. */
#define LAYOUT_VERSION	  (22 | (uint32_t)sizeof(struct call_sums) << 16)
#define SESSION_MAGIC	  0x31534553504c42ull /* "BLPSES1" */
#define PROCESS_MAGIC	  0x31435250504c42ull /* "BLPPRC1" */
#define CHUNK_MAGIC	  0x4b4843u	      /* "CHK" */
#define SESSION_FILE	  "session"
#define SHIM_NAME	  "libblasprof.so"
#define LOST_PREFIX	  "lost."  /* followed by the pid */
#define SESSION_MORE	  ".more/" /* link to a directory for what does not fit here */
#define SESSION_STOPS	  "stops"  /* an array of struct session_stop */
#define SESSION_FIRST	  "first"  /* created by the first process that attaches */
/* Environment variables: the path of the session directory; */
#define SESSION_VARIABLE  "BLASPROF_SESSION"
/* what is known of seccomp filters: WALL_TRUSTS + N or WALL_DEADLY; */
#define WALL_VARIABLE	  "BLASPROF_WALL"
/* the library that ITT reports to (shim/itt.c); */
#define ITT_VARIABLE	  "INTEL_LIBITTNOTIFY64"
/* the library that JIT compilers report to (shim/jit.c) */
#define JIT_VARIABLE	  "INTEL_JIT_PROFILER64"
#define LAYOUT_PAGE	  4096
#define HISTOGRAM_BUCKETS 144 /* four linear steps in each power of two ticks */
#define PROVIDERS_MAX	  8
#define CPU_WORDS	  16 /* one bit for each of 1,024 CPUs */

enum clock_kind {
	CLOCK_TICKS,   /* TSC on x86-64, CNTVCT on aarch64 */
	CLOCK_GETTIME, /* clock_gettime(CLOCK_MONOTONIC), in ns */
};

/* WALL_VARIABLE is one character, which the preload library changes when it sees a seccomp filter
 * installed: up to this many filters are known to be harmless, as they were seen, or were on
 * blasprof itself. A program that starts with more of them has unseen ones, which may be deadly. */
enum { WALL_TRUSTS = '0', WALL_TRUSTS_MOST = 'z', WALL_DEADLY = '~' };

/* Which calls count. */
enum roi_kind {
	ROI_CALLS,  /* all calls */
	ROI_REGION, /* only those inside the marked region */
};

/* Whose calls count. */
enum follow_kind {
	FOLLOW_ALL,   /* those of the command and all its descendants */
	FOLLOW_FORKS, /* not those of programs that a descendant executes */
	FOLLOW_NONE,  /* only those of the command's own process */
};

#define REGION_NAME_BYTES 32

/* An event, as in struct perf_event_attr, that each thread reads at the start and end of calls. */
#define EXACT_EVENTS	  6
struct exact_event {
	uint32_t type, padding;
	uint64_t config, config1, config2;
};

/* One moment on the shim's clock and on CLOCK_MONOTONIC. */
struct clock_pair {
	uint64_t ticks;
	int64_t monotonic_ns;
};

/* Written by the profiler before the program starts; read by the shim. */
struct session {
	uint64_t magic;
	uint32_t version;
	uint32_t clock;	     /* enum clock_kind */
	double ns_per_tick;  /* to about 1e-4; the profiler measures a better value at the end */
	uint32_t roi;	     /* enum roi_kind */
	uint32_t units;	     /* what-if: the most threads inside BLAS at once; 0: any number */
	double blas_factor;  /* what-if: multiplies the time of each call; 0: as 1 */
	double other_factor; /* what-if: multiplies each gap between calls; 0: as 1 */
	char roi_region[REGION_NAME_BYTES];
	uint32_t follow;	 /* enum follow_kind */
	int32_t profiler;	 /* pid of the profiler */
	int32_t program;	 /* pid of the command; 0: not yet started */
	struct clock_pair begun; /* start of the session */
	int64_t started_ns;	 /* CLOCK_MONOTONIC at the command's exec; 0: not yet */
	uint32_t spans;		 /* timeline spans that each thread keeps; 0: no timeline */
	uint32_t nexact;	 /* number of events in exact[] */
	uint32_t watched; /* calls that each thread keeps in some intervals, if BLAS has its own
			     threads */
	struct exact_event exact[EXACT_EVENTS];
	uint64_t reserve_bytes; /* space that records leave free in the session's file system */
	uint64_t pid_space; /* inode of the PID namespace of profiler and program; 0: not known */
};

/* Written by the profiler when it sees that a process was stopped (SIGSTOP, Ctrl-Z) or continued,
 * or that it was stopped itself. The times are on CLOCK_MONOTONIC. */
struct session_stop {
	int64_t from_ns, to_ns; /* to_ns INT64_MAX: it is not over */
	int32_t pid;		/* 0: all processes; or STOP_UNSEEN */
	int32_t padding;
};

/* In the first row: until it moves from_ns on, the profiler has not looked for later stops. */
#define STOP_UNSEEN -1

/* What the shim could not do; bits of process_header.troubles. */
enum trouble {
	TROUBLE_NO_PAGE = 1 << 0, /* no perf page for a thread: off-CPU time by the slow path */
	TROUBLE_NO_SCHEDSTAT = 1 << 1, /* blocked and preempted told apart by switch counts only */
	TROUBLE_NO_ROOM = 1 << 2,      /* the session's file system is full */
	TROUBLE_SHAPES_FULL = 1 << 3,  /* a thread's shape table spilled into "other shapes" */
	TROUBLE_LOOKUPS_FULL = 1 << 4, /* dlsym() returned a routine of too many libraries: its
					  calls are not seen */
	TROUBLE_FILE_LIMIT = 1 << 5,   /* the limit on file sizes is too low (ulimit -f) */
	TROUBLE_SHUT_OUT = 1 << 6,     /* the process could not reopen its own file */
	TROUBLE_UNIT_TAKEN = 1 << 7,   /* what-if: a unit was taken from a thread that may have
					  needed it */
	TROUBLE_BOUND_PAST = 1 << 8,   /* a library's calls to BLAS bypass the shim */
	TROUBLE_NO_MEMORY = 1 << 9,    /* memory for the record could not be mapped */
};

/* CPU times of a task that existed when its process made its first BLAS call. */
struct task_start {
	int64_t tid;
	int64_t cpu_ns, run_delay_ns; /* run_delay_ns -1: not read, there were too many tasks */
};

/* What a BLAS library reports about itself; "" or 0 if not known. */
struct blas_facts {
	char name[16];	     /* "OpenBLAS" */
	char version[128];   /* the library's description of itself, without its name */
	char core[32];	     /* core type that its kernels are for */
	char layer[16];	     /* threading layer: "pthreads" */
	int32_t threads;     /* thread setting at the first call ... */
	int32_t threads_end; /* ... and when the process ended */
};

struct process_header {
	uint64_t magic;
	uint32_t version;
	int32_t pid, parent;
	uint32_t troubles;
	uint64_t first_ticks;	    /* when the process attached, at its first BLAS call */
	int64_t first_monotonic_ns; /* CLOCK_MONOTONIC at first_ticks */
	uint64_t exit_ticks;	    /* when it ran its destructors; 0: it did not */
	double call_inside_ticks;   /* cost of an intercepted call, measured inside ... */
	double call_outside_ticks;  /* ... and outside the timed interval; both 0: not measured */
	uint64_t unrecorded_calls;  /* forwarded calls that could not be counted */
	char command[64];
	char providers[PROVIDERS_MAX][256]; /* paths of the objects that calls were forwarded to */
	struct blas_facts libraries[PROVIDERS_MAX]; /* of the same objects */
	uint64_t counts_missed;			    /* failed readings of exact events */
	uint64_t blocked_regions_full_ticks; /* blocked regions are missing from then on; 0: none */
	uint64_t pid_space; /* inode of the PID namespace of pid, parent and tids; 0: not known */
	uint64_t cpus[CPU_WORDS]; /* CPUs that its threads may run on; all 0: not known */
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

/* Starts at a multiple of LAYOUT_PAGE. `bytes` is the size of the whole chunk, a multiple of
 * LAYOUT_PAGE. There may be empty pages between chunks. */
struct chunk_header {
	uint32_t magic;
	uint32_t kind;
	uint32_t bytes;
	uint32_t used; /* rows in use; a row is complete before it is counted */
	uint64_t next; /* for the writer only: address of its next chunk of the kind */
	uint64_t padding[5];
};

/* What the shim measures the time of, by category (model/category.h): outermost calls, and the time
 * between them. SPIN is a part of OTHER, on the CPU, where a runtime reports it. */
#define ACTIVITIES(X) X(BLAS) X(OTHER) X(MPI) X(SPIN)

enum activity {
#define ACTIVITY(category) IN_##category,
	ACTIVITIES(ACTIVITY)
#undef ACTIVITY
		ACTIVITY_COUNT
};

/* Sums of a thread in one region, or outside all regions. */
struct call_sums {
#define SUM_OF_COUNT		  uint64_t
#define SUM_OF_REAL		  uint64_t /* adding doubles could raise flags of the program */
#define CALL_SUM(name, type, ...) SUM_OF_##type name;
	CALL_SUMS(CALL_SUM)
#undef CALL_SUM
	struct {
		uint64_t ticks;			  /* total */
		int64_t waiting_ns, preempted_ns; /* parts of it off the CPU */
	} in[ACTIVITY_COUNT];
	uint64_t queue_ticks; /* what-if: part of BLAS spent queueing for a unit */
};

/* Adds all of them. Those of damaged records may overflow. */
static inline void call_sums_add(struct call_sums *sums, const struct call_sums *more)
{
#define ADD_SUM(name, ...) sums->name += more->name;
	CALL_SUMS(ADD_SUM)
#undef ADD_SUM
	for (int i = 0; i < ACTIVITY_COUNT; i++) {
		sums->in[i].ticks += more->in[i].ticks;
		__builtin_add_overflow(sums->in[i].waiting_ns, more->in[i].waiting_ns,
				       &sums->in[i].waiting_ns);
		__builtin_add_overflow(sums->in[i].preempted_ns, more->in[i].preempted_ns,
				       &sums->in[i].preempted_ns);
	}
	sums->queue_ticks += more->queue_ticks;
}

/* One thread. Ticks are raw; *_ns come from the kernel's clocks. Only the thread itself writes it;
 * if a thread outlives the process's exit, the exiting thread writes end_*. */
struct thread_record {
	int64_t tid;
	uint64_t serial; /* number of the thread in its process; other records refer to it */
	char name[16];
	uint64_t first_ticks; /* start of its first call */
	uint64_t last_ticks;  /* end of its last call that returned, or its last mark */
	uint64_t end_ticks;   /* when the thread ended; 0: not known */
	int64_t first_cpu_ns; /* CPU time, and time waiting for a CPU, until first_ticks ... */
	int64_t first_run_delay_ns;
	int64_t end_cpu_ns, end_run_delay_ns; /* ... and until end_ticks */
	/* the last reading of the off-CPU clocks */
	uint64_t read_ticks;
	int64_t read_cpu_ns, read_run_delay_ns;
	uint64_t attach_ticks; /* CPU time for making this record, before first_ticks */
	uint64_t own_ticks; /* time for reading the off-CPU clocks and for measuring the cost of a
			       call, from first_ to last_ticks */
	double progress;    /* work that the program has marked as done */
	struct call_sums sums;		     /* outside all regions */
	uint64_t other_counts[EXACT_EVENTS]; /* of exact events, between calls */
	uint64_t mark_ticks;		     /* its last region mark; 0: none */
	uint64_t mark_region;		     /* the region since that mark; 0: none */
	int64_t process_cpu_ns; /* CPU time of the process at the thread's first call; -1: not known
				 */
} __attribute__((aligned(64)));

/* For the writer only: a node of a tree of names. */
struct name_node {
	uint64_t hash;
	uint64_t below[4]; /* addresses of the nodes whose next two bits of the hash are these */
};

struct region_name {
	struct name_node node;
	char text[REGION_NAME_BYTES];
	uint64_t number; /* for the writer only */
};

/* Sums of one thread in one region, without nested regions. */
struct region_record {
	struct name_node node;
	uint64_t serial; /* of the thread */
	uint64_t region; /* number of the name's row, from 1 */
	uint64_t entries;
	struct call_sums sums;
	uint64_t next; /* for the writer only: address of the thread's next record */
};

#define BLOCKED_REGIONS_MAX 65536 /* per process */

/* A thread's time in a region between two marks, if it was or may have been off the CPU meanwhile.
 * It assigns the thread's waits to regions. */
struct blocked_region {
	uint64_t serial; /* of the thread; 0: the row is not complete */
	uint64_t region;
	uint64_t start, end; /* ticks */
};

#define GAPS_MAX 8 /* the longest ones of each thread */

/* A long gap between a thread's calls, and the thread's sums at its end. Gaps show where calls are
 * dense, and give the sums before or after one of them. */
struct gap_record {
	uint64_t serial;     /* of the thread; 0: the row is not complete */
	uint64_t start, end; /* ticks: end of the call before, start of the call after */
	uint64_t region;     /* in which all of the gap is, since marks end gaps; 0: none */
	int64_t waiting_ns, preempted_ns; /* parts of the gap */
	int64_t process_cpu_ns;		  /* CPU time of the process at the end; -1: not known */
	uint64_t own_ticks;		  /* of the thread, until the end */
	struct call_sums sums;		  /* likewise, over all regions */
};

/* The process's calls of one MPI routine, from C or Fortran. */
struct mpi_record {
	uint64_t calls, ticks, max_ticks;
};

#define CALL_TIMES_MAX 16384 /* a power of two */

/* Ticks in 32 bits, which halves the cache lines that calls write: exact below 2^31, else to 2^16
 * and at most 2^47. */
static inline uint32_t short_ticks(uint64_t ticks)
{
	const uint32_t is_long = UINT32_C(1) << 31;

	if (__builtin_expect(ticks < is_long, 1))
		return (uint32_t)ticks;
	return ticks >> 47 ? UINT32_MAX : is_long | (uint32_t)(ticks >> 16);
}

static inline uint64_t long_ticks(uint32_t ticks)
{
	return ticks >> 31 ? (uint64_t)(ticks << 1 >> 1) << 16 : ticks;
}

/* The last calls of one thread, in order, in short_ticks() without waiting for a CPU. */
struct call_times {
	uint64_t serial;  /* of the thread */
	uint64_t written; /* calls so far; the newest is at (written - 1) % CALL_TIMES_MAX */
	struct {
		uint32_t think, service; /* of the gap before the call, and of the call */
	} calls[CALL_TIMES_MAX];
};

/* Executable memory that a call came from, as in /proc/self/maps. */
struct map_record {
	uint64_t start, end; /* addresses, end excluded */
	uint64_t offset;     /* of `start` in the file */
	uint64_t inode;
	char path[480]; /* "" if it is not a file; only its beginning if it is longer */
};

/* A place in the source of an interpreted program (CPython). */
struct call_site {
	uint64_t place;	    /* as in shape_key.caller */
	int64_t line;	    /* 0: not known */
	char function[112]; /* "Model.forward" */
	char file[384];	    /* only its end if it is longer */
};

/* Code that was generated at run time. */
struct code_record {
	uint64_t start, bytes;
	char name[112]; /* only its beginning if it is longer */
};

/* A routine with one set of arguments, called from one place, summed over the threads that used the
 * table in turn. The head is a single word, so that it can be written and compared at once;
 * shape_head() packs it. */
struct shape_key {
	uint64_t head;
	int64_t m, n, k;
	uint64_t caller; /* the call's return address, or the place of a struct call_site; 0: any */
};
#define SHAPE_OTHER 0xffu /* transa of the row for the other shapes of a full table */

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

#define SPANS_MAX     (1u << 18) /* per thread */
#define SPANS_THREADS 64	 /* only the first threads of a process have a timeline */

enum span_kind { SPAN_CALL, SPAN_REGION, SPAN_MPI };

/* The time that a thread was in a call or region. */
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
		uint64_t is_watched; /* 1: not a timeline, but the calls in some intervals */
	} head;
	struct span_record span;
};

/* The order of the members keeps a call to few cache lines: the first to find the row and count the
 * call, the second for the rest, and one of the histogram. */
struct shape_record {
	struct shape_key key;
	uint64_t flops_per_call;
	uint64_t last_bucket; /* of the last call, which is not yet in the histogram */
	uint64_t ticks;	      /* as min, max and the histogram: without waiting for a CPU */
	uint64_t min_ticks, max_ticks;
	double bytes_per_call;
	double other_flops, other_bytes; /* sums of the "other shapes" row */
	uint64_t successor;    /* for the writer only: address of the row of the call after the last
				  one of this shape */
	uint64_t no_cpu_ticks; /* waiting for a CPU in the calls */
	uint64_t unit;	       /* enum compute_unit, at the first call that has one */
	/* calls by their time; the last bucket is last_bucket of a row without calls */
	uint64_t histogram[HISTOGRAM_BUCKETS + 1];
	uint64_t counts[EXACT_EVENTS]; /* of exact events, in the calls */
	uint64_t end_padding;	       /* to a whole cache line */
};

/* Returns the number of calls in this bucket. */
static inline uint64_t shape_bucket(const struct shape_record *row, unsigned bucket)
{
	return row->histogram[bucket] + (bucket == row->last_bucket);
}

static inline uint64_t shape_calls(const struct shape_record *row)
{
	uint64_t calls = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		calls += shape_bucket(row, i);
	return calls;
}

_Static_assert(sizeof(struct chunk_header) == 64, "chunk header");
_Static_assert(sizeof(union span_row) == 64, "a span is a cache line");
_Static_assert(sizeof(struct map_record) == 512, "map record");
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
	unsigned log2;

	if (ticks < 4)
		return (unsigned)ticks;
	if (ticks >> (HISTOGRAM_BUCKETS / 4 + 1))
		return HISTOGRAM_BUCKETS - 1;
	log2 = 63u ^ (unsigned)__builtin_clzll(ticks);
	return log2 * 4 + (unsigned)(ticks >> (log2 - 2) & 3) - 4;
}

/* Lower edge of a bucket in ticks. */
static inline uint64_t histogram_low(unsigned bucket)
{
	if (bucket < 4)
		return bucket;
	return (4 + (uint64_t)(bucket & 3)) << ((bucket + 4) / 4 - 2);
}

#endif
