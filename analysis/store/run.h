/* run.h: one recorded run in memory: what the profiler fills, the store keeps and reports read. */
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
 * (ROI: from the program's first BLAS call to its last, over all its processes). Nothing here is
 * derived: shares, roles and speed-ups are worked out from these figures when a report is made.
 *
 * A thread is clipped to the ROI; end - start = all its categories + own_ns, where own_ns is the
 * preload library's calibrated cost. A call's location is where its return address lies. A wait is
 * a thread's in one stack and region: blocked, or ready to run without a CPU. Time in an inner
 * region is the inner one's only. A counter's count = blas + other + kernel + outside, as far as
 * they are known. Spans of a thread are in order of their ends. */

/* Lower edge of a histogram bucket, ns: four buckets an octave; bucket i holds durations in
 * [run_bucket_low_ns(i), run_bucket_low_ns(i + 1)). */
double run_bucket_low_ns(int bucket);
/* The bucket that a duration falls into, 0 .. RUN_HISTOGRAM_BUCKETS - 1. */
int run_bucket(double ns);

enum run_code { RUN_CODE_BLAS, RUN_CODE_OTHER, RUN_CODE_KERNEL, RUN_CODE_SPIN, RUN_CODE_COUNT };
extern const char *const run_code_names[RUN_CODE_COUNT]; /* "blas", "other", ... */

enum { CALL_ROUTINE_MAX = 32, CALL_VARIANT_MAX = 24, CALL_WAY_MAX = 16, REGION_NAME_MAX = 32 };

/* What makes two BLAS calls alike: the routine and its arguments. They are compared by the keys of
 * the tables that have them (table_compare). Routines without a given argument have '-' for a
 * transpose and 0 for a dimension. */
struct call_shape {
	char routine[CALL_ROUTINE_MAX]; /* "cblas_sgemm", "dgemm_" */
	char variant[CALL_VARIANT_MAX]; /* the names it was called by, X for the routine:
					   "scipy_cblas_X64_"; "" for cblas_X and X_ */
	char type; /* of its elements: s, d, c, z, or b, h, i, w (blas/routines.h); 0 not known */
	char way[CALL_WAY_MAX]; /* of routines.def: "onednn"; "" in older stores: blas */
	char transa, transb;
	int64_t m, n, k;
	char region[REGION_NAME_MAX]; /* the program's marked region, or "" */
	int other_shapes; /* 1: gathers the calls that did not fit the thread's table; m, n, k = 0
			   */
};

/* 0: flops and bytes of such calls are not known. */
static inline int call_shape_has_flops(const struct call_shape *shape)
{
	return shape->type != 'u' && strcmp(shape->way, "lapack") != 0;
}

/* Where such calls take a larger part of the calls' time, the known flops say neither how much was
 * done nor how fast. */
#define UNKNOWN_FLOPS_MAX 0.03

/* A call in a thread's sequence: the time since the thread's call before it ended, and the call's
 * own; own cost and waiting for a CPU taken out, at most about 4 s each. */
#define RUN_PAIRS_MAX	  32768 /* of a run, that are kept: the last */
struct run_pair {
	uint32_t gap_ns, service_ns;
};

/* The structs of the tables' rows: struct run_thread, run_shape, ...; run_tables.def says what each
 * field is. */
#define CTYPE_INT			    int
#define CTYPE_INT64			    int64_t
#define CTYPE_COUNT			    uint64_t
#define CTYPE_REAL			    double
#define CTYPE_CHAR			    char
#define CTYPE_CHARS(n)			    typeof(char[n])
#define CTYPE_STRING			    char *
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

/* The tables by number, for code that treats them alike. */
enum run_part {
#define TABLE(array, part, name, doc) RUN_PART_##part,
#define FIELD(...)
#define INDEX(...)
#include "store/run_tables.def"
	RUN_PART_COUNT
};
extern const struct table run_tables[RUN_PART_COUNT]; /* their holder is a struct run */
extern const struct table run_table;		      /* the fields of struct run itself */

/* Names of facts in use:
 * host, cpu, cpus_online, cpus_available, kernel, arch, clock, blas, blas_path, blas_version,
 * blas_core, blas_layer (what it runs its own threads by), blas_threads (its own setting, at the
 * end where that was seen), blas_threads_first (at the first call, where that was another; all
 * these with _2, _3, ... for further BLAS libraries of the run), sampler_event, call_graph,
 * perf_event_paranoid, blasprof_version,
 * ceilings (what the machine can do at most, by `blasprof doctor --measure`), ceilings_measured,
 * mpi.rank, mpi.size, mpi.job, mpi.launcher (of the rank that the run is of),
 * uprobes (how many routines of the program's own file were probed, in place of the preload
 * library), other_programs (what else used the program's CPUs, by name),
 * env.NAME for environment variables that matter. */

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
	struct run_pair
		*pairs; /* the last calls of the only caller; none where there were several */
	size_t npairs;
};

/* An empty run. Everything it comes to own is freed by run_free(), after which it is empty again.
 */
void run_init(struct run *run);
void run_free(struct run *run);

/* Each adds one zeroed row (run_add_fact copies its strings; a fact that is already there gets the
 * new value) and returns it, valid until the next addition to the same array. */
struct run_thread *run_add_thread(struct run *run);
struct run_shape *run_add_shape(struct run *run);
struct run_process *run_add_process(struct run *run);
struct run_region *run_add_region(struct run *run);
struct run_mpi *run_add_mpi(struct run *run);
struct run_note *run_add_note(struct run *run, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Takes all notes of the code away. */
void run_drop_notes(struct run *run, const char *code);
struct run_fact *run_add_fact(struct run *run, const char *name, const char *value);
/* The fact's value, or NULL. Owned by the run. */
const char *run_fact(const struct run *run, const char *name);
/* Whether the BLAS library was set to one thread from its first call on: threads of its pool that
 * it has started before spin for a while, but none works. */
int run_blas_is_single(const struct run *run);
/* How many samples are in none of the run's counts, or (less than 0) in more than one of them: 0
 * unless something is wrong. */
int64_t run_samples_missing(const struct run *run);

#endif
