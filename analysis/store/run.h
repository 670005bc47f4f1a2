/* run.h: a recorded run in memory. The profiler fills it, the store saves it, reports read it. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_RUN_H
#define STORE_RUN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/category.h"
#include "store/call_sums.h"
#include "store/code_location.h"
#include "store/table.h"

/* Times are integer nanoseconds. Inside a run they count from the start of its region of interest
 * (ROI). Nothing here is derived: reports compute shares, roles and speed-ups.
 *
 * A thread is clipped to the ROI; end - start = sum of its categories + own_ns, where own_ns is the
 * preload library's calibrated cost. The location of a call is that of its return address. A wait
 * is the time that a thread was blocked, or runnable without a CPU, in one stack and region. Time
 * in a nested region counts for the inner region only. A counter's count = blas + other + kernel +
 * outside, as far as they are known. Spans of a thread are in order of their ends. */

/* Lower edge of a histogram bucket in ns. There are four buckets per octave; bucket i holds
 * durations in [run_bucket_low_ns(i), run_bucket_low_ns(i + 1)). */
double run_bucket_low_ns(int bucket);
/* Returns the bucket of a duration, 0 .. RUN_HISTOGRAM_BUCKETS - 1. */
int run_bucket(double ns);

enum run_code { RUN_CODE_BLAS, RUN_CODE_OTHER, RUN_CODE_KERNEL, RUN_CODE_SPIN, RUN_CODE_COUNT };
extern const char *const run_code_names[RUN_CODE_COUNT]; /* "blas", "other", ... */

/* The routine and arguments that similar BLAS calls have in common. Compare shapes by the keys of
 * the tables that contain them (table_compare). An argument that the routine does not have is '-'
 * for a transpose and 0 for a dimension. The strings are in the string pool, or static. */
struct call_shape {
	const char *routine; /* "cblas_sgemm", "dgemm_" */
	const char *variant; /* pattern of the name that was called, X for the routine:
				"scipy_cblas_X64_"; "" for cblas_X and X_ */
	const char *way;     /* as in routines.def: "onednn"; "" in older stores: blas */
	const char *region;  /* the program's marked region, or "" */
	char type; /* element type: s, d, c, z, or b, h, i, w (blas/routines.h); 0: not known */
	char transa, transb;
	int64_t m, n, k;
	int other_shapes; /* 1: sum of the calls that did not fit the thread's table; m, n, k = 0 */
};

/* Returns 0 if the flops and bytes of such calls are not known. */
static inline int call_shape_has_flops(const struct call_shape *shape)
{
	return shape->type != 'u' && strcmp(shape->way, "lapack") != 0;
}

/* If calls without known flops take a larger share of the time of all calls, the known flops are
 * no measure of work or speed. */
#define UNKNOWN_FLOPS_MAX 0.03

/* A call in a thread's sequence: the time since the end of the thread's previous call, and the
 * call's own time. Blasprof's own cost and waiting for a CPU are subtracted. Both are at most about
 * 4 s. */
#define RUN_PAIRS_MAX	  32768 /* only the last ones of a run are kept */
struct run_pair {
	uint32_t gap_ns, service_ns;
};

/* Structs of the tables' rows: struct run_thread, run_shape, ...; run_tables.def documents the
 * fields. */
#define CTYPE_INT			    int
#define CTYPE_INT64			    int64_t
#define CTYPE_COUNT			    uint64_t
#define CTYPE_REAL			    double
#define CTYPE_CHAR			    char
#define CTYPE_CHARS(n)			    typeof(char[n])
#define CTYPE_STRING			    const char *
#define CTYPE_CODE			    enum run_code
#define CTYPE_HISTOGRAM			    struct histogram *

#define TABLE(array, part, name, doc)	    struct ROW {
#define FIELD(name, type, unit, merge, doc) CTYPE_##type name;
#define INDEX(name, type, part, merge, doc) CTYPE_##type name;
#define TIMES(name, merge)		    struct time_split name;
#define SHAPE(name)			    struct call_shape name;
#define LOCATION(name, merge)		    struct code_location name;
#define IN(member, name, type, unit, merge, doc)
#define END                                                                                        \
	}                                                                                          \
	;
#include "store/run_tables.def"

/* Numbers of the tables, for code that handles all of them. */
enum run_part {
#define TABLE(array, part, name, doc) RUN_PART_##part,
#define FIELD(...)
#define INDEX(...)
#include "store/run_tables.def"
	RUN_PART_COUNT
};
extern const struct table run_tables[RUN_PART_COUNT]; /* their holder is a struct run */
extern const struct table run_table;		      /* the fields of struct run itself */

/* What the fact other_programs calls the blasprof that recorded the run. */
#define RUN_PROFILER "this blasprof"

/* Names of facts:
 * host, cpu, cpus_online, cpus_available, cpu_list (the CPUs that the program may run on), cores
 * (how many cores these belong to), kernel, arch, clock, sampler_event, call_graph,
 * perf_event_paranoid, blasprof_version, blas, blas_path, blas_version, blas_core, blas_layer (its
 * threading layer), blas_threads (its thread setting, at the end if that is known),
 * blas_threads_first (the setting at the first call, if different); all of these with _2, _3, ...
 * for further BLAS libraries, ceilings (the machine's peak rates, from `blasprof doctor
 * --measure`), ceilings_measured, mpi.rank, mpi.size, mpi.job, mpi.launcher (of the recorded rank),
 * uprobes (number of routines in the program's own file that were probed instead of intercepted),
 * other_programs (what used the program's CPUs: "0.8 CPUs: make 0.7"; for ranks without names),
 * bound_cpu (the CPU to which threads are bound that lack one most of the time because of others
 * that are bound to it), blas_loaded ("no": the program loaded no BLAS library), work_asked (flops,
 * if --work asked for them), work_pattern (the expression that --work gave), env.NAME for
 * environment variables that matter. */

struct run {
	int64_t id; /* in the store; 0 until saved */
#define FIELD(name, type, unit, merge, doc) CTYPE_##type name;
#include "store/run.def"
#define TABLE(array, part, name, doc)                                                              \
	struct ROW *array;                                                                         \
	size_t n##array;
#define FIELD(...)
#define INDEX(...)
#include "store/run_tables.def"
	struct run_pair *pairs; /* the last calls, if only one thread made calls */
	size_t npairs;
};

/* Initialises an empty run. run_free() frees all that the run owns, and empties it again. */
void run_init(struct run *run);
void run_free(struct run *run);
/* A run that is freed at the end of its block. */
#define OWN_RUN __attribute__((cleanup(run_free))) struct run

/* Each adds a zeroed row and returns it; it is valid until the next addition to the same array.
 * Numbers that are not known are set to -1. run_add_fact() copies its strings, and replaces the
 * value of a fact that exists; run_add_note() adds nothing if the run has the same note. */
struct run_thread *run_add_thread(struct run *run);
struct run_note *run_add_note(struct run *run, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Removes all notes with the code. */
void run_drop_notes(struct run *run, const char *code);
struct run_fact *run_add_fact(struct run *run, const char *name, const char *value);
/* Returns the fact's value, owned by the run, or NULL. */
const char *run_fact(const struct run *run, const char *name);
/* The same, but "" if there is none. */
const char *run_fact_text(const struct run *run, const char *name);
/* Returns the name of the fact about the BLAS library with this number: "blas_core" for the first,
 * "blas_core_2" for the second. */
const char *run_library_fact(const char *fact, int library);
/* Returns 1 if BLAS was set to one thread from its first call on, and no other library may use
 * several. Threads that its pool started earlier may spin for a while, but they do no work. */
int run_blas_is_single(const struct run *run);
/* Returns the value, limited to 0 to `most`: a store may hold any number. */
int64_t run_limit(int64_t value, int64_t most);
/* The key of a thread in a table. */
static inline uint64_t run_thread_key(int64_t pid, int64_t tid)
{
	return (uint64_t)pid << 32 | (uint32_t)tid;
}
/* 1 if threads that wait in this way wait for a lock. */
int run_wait_is_for_lock(const char *kind);
/* Returns an array of the threads' times, each limited to the ROI, which the caller frees. */
struct thread_time *run_thread_times(const struct run *run);
/* Returns the number of samples that no count of the run includes; negative if some are counted
 * twice. 0 unless something is wrong. */
int64_t run_samples_missing(const struct run *run);

#endif
