/* run.c: fills, searches and frees a recorded run in memory. */
/* SPDX-License-Identifier: MIT */
#include "store/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "model/accounting.h"

#define COLUMN(row, name, member, type, unit, merge, doc)                                          \
	TABLE_FIELD(row, name, member, FIELD_##type, MERGE_##merge, unit, doc, 0)
#define FIELD_CHARS(size) FIELD_CHARS

static const struct field run_fields[] = {
#define FIELD(name, type, unit, merge, doc) COLUMN(run, #name, name, type, unit, merge, doc),
#include "store/run.def"
};

/* Columns of the structs that several tables contain. */
#define TIME_COLUMN(id, column, label, doc, looks, member, merge)                                  \
	COLUMN(ROW, #column, member.ns[CAT_##id], INT64, "ns", merge, doc),

#define TABLE(array, part, name, doc)	    static const struct field array##_fields[] = {
#define FIELD(name, type, unit, merge, doc) COLUMN(ROW, #name, name, type, unit, merge, doc),
#define INDEX(name, type, part, merge, doc)                                                        \
	TABLE_FIELD(ROW, #name, name, FIELD_##type, MERGE_##merge, "", doc, 1 + RUN_PART_##part),
#define IN(member, name, type, unit, merge, doc)                                                   \
	COLUMN(ROW, #name, member.name, type, unit, merge, doc),
#define TIMES(member, merge)                                                                       \
	CATEGORY_ROWS(TIME_COLUMN, member, merge)                                                  \
	IN(member, blas_waiting_ns, INT64, "ns", merge,                                            \
	   "part of blas_ns in which the thread was blocked")
#define SHAPE(member)                                                                              \
	IN(member, routine, STRING, "", KEY,                                                       \
	   "common name of the routine, like cblas_sgemm or sgemm_")                               \
	IN(member, transa, CHAR, "", KEY, "transpose of A: N, T or C; - if the routine has none")  \
	IN(member, transb, CHAR, "", KEY, "transpose of B, likewise")                              \
	IN(member, m, INT64, "", KEY, "dimension m; 0 if the routine has none")                    \
	IN(member, n, INT64, "", KEY, "dimension n, likewise")                                     \
	IN(member, k, INT64, "", KEY, "dimension k, likewise")                                     \
	IN(member, region, STRING, "", KEY, "the program's marked region, or empty")
#define LOCATION(member, merge)                                                                    \
	IN(member, function, STRING, "", KEY, "function name, or library+0xaddress, or [unknown]") \
	IN(member, object, STRING, "", KEY,                                                        \
	   "path of the object file, or of a Python caller's source, or [kernel], [vdso], "        \
	   "[unknown], or [anon]: code made at run time")                                          \
	IN(member, inlined_into, STRING, "", KEY,                                                  \
	   "the function that it is inlined into; empty: it is not inlined")                       \
	IN(member, file, STRING, "", merge,                                                        \
	   "source file of the call, or of the line with the most samples; empty: not known")      \
	IN(member, line, INT, "", merge, "line of the call or of the most samples; 0: not known")
#define END                                                                                        \
	}                                                                                          \
	;
#include "store/run_tables.def"

#define ROWS(array) array##_fields, COUNT(array##_fields)
const struct table run_table = {
	"runs", "one row for each recorded run", ROWS(run), sizeof(struct run), 0, 0};
const struct table run_tables[RUN_PART_COUNT] = {
#define TABLE(array, part, name, doc) {name, doc, ROWS(array), TABLE_ROWS(run, array, n##array)},
#define FIELD(...)
#define INDEX(...)
#include "store/run_tables.def"
};

const char *const run_code_names[RUN_CODE_COUNT] = {"blas", "other", "kernel", "spin"};

double run_bucket_low_ns(int bucket)
{
	return bucket <= 0 ? 0.0 : exp2(bucket / 4.0);
}

int run_bucket(double ns)
{
	int bucket;

	if (!(ns >= 1.0))
		return 0;
	bucket = (int)floor(log2(ns) * 4.0);
	return bucket < RUN_HISTOGRAM_BUCKETS ? bucket : RUN_HISTOGRAM_BUCKETS - 1;
}

void run_init(struct run *run)
{
	memset(run, 0, sizeof *run);
	snprintf(run->work_unit, sizeof run->work_unit, "flops");
	snprintf(run->roi, sizeof run->roi, "blas");
}

void run_free(struct run *run)
{
	for (int i = 0; i < RUN_PART_COUNT; i++)
		table_free(&run_tables[i], run);
	table_free_row(&run_table, run);
	free(run->pairs);
	run_init(run);
}

struct run_thread *run_add_thread(struct run *run)
{
	struct run_thread *thread = table_add(&run_tables[RUN_PART_THREADS], run);

	thread->switch_waiting_ns = thread->switch_preempted_ns = thread->switch_own_ns =
		thread->process = -1;
	return thread;
}

struct run_note *run_add_note(struct run *run, const char *code, const char *fmt, ...)
{
	struct run_note *note = table_add(&run_tables[RUN_PART_NOTES], run);
	va_list args;

	snprintf(note->code, sizeof note->code, "%s", code);
	va_start(args, fmt);
	vsnprintf(note->detail, sizeof note->detail, fmt, args);
	va_end(args);
	EACH_ROW(other, run->notes, run->nnotes - 1)
		if (!strcmp(other->code, note->code) && !strcmp(other->detail, note->detail)) {
			run->nnotes--;
			return other;
		}
	return note;
}

void run_drop_notes(struct run *run, const char *code)
{
	size_t kept = 0;

	for (size_t i = 0; i < run->nnotes; i++)
		if (strcmp(run->notes[i].code, code))
			run->notes[kept++] = run->notes[i];
	run->nnotes = kept;
}

static struct run_fact *find_fact(const struct run *run, const char *name)
{
	EACH_ROW(fact, run->facts, run->nfacts)
		if (fact->name && !strcmp(fact->name, name))
			return fact;
	return NULL;
}

struct run_fact *run_add_fact(struct run *run, const char *name, const char *value)
{
	struct run_fact *fact = find_fact(run, name);

	if (!fact)
		fact = table_add(&run_tables[RUN_PART_FACTS], run);
	fact->value = string_pooled(value);
	fact->name = string_pooled(name);
	return fact;
}

const char *run_fact(const struct run *run, const char *name)
{
	struct run_fact *fact = find_fact(run, name);

	return fact ? fact->value : NULL;
}

const char *run_fact_text(const struct run *run, const char *name)
{
	const char *value = run_fact(run, name);

	return value ? value : "";
}

const char *run_library_fact(const char *fact, int library)
{
	return library > 1 ? string_printf("%s_%d", fact, library) : fact;
}

int run_blas_is_single(const struct run *run)
{
	int is_single = 0, library = 1;

	for (; run_fact(run, run_library_fact("blas", library)); library++) {
		const char *layer = run_fact(run, run_library_fact("blas_layer", library));
		const char *setting = run_fact(run, run_library_fact("blas_threads", library));

		if (setting && !strcmp(setting, "1") &&
		    !run_fact(run, run_library_fact("blas_threads_first", library)))
			is_single = 1;
		else if (setting || (layer && strcmp(layer, "sequential") != 0))
			return 0;
	}
	return is_single;
}

int64_t run_limit(int64_t value, int64_t most)
{
	return MIN(MAX(value, 0), most);
}

int run_wait_is_for_lock(const char *kind)
{
	static const char *const locks[] = {"mutex", "rwlock",	     "mmap",	 "file lock",
					    "gil",   "runtime lock", "collector"};

	EACH_ROW(lock, locks, COUNT(locks))
		if (!strcmp(kind, *lock))
			return 1;
	return 0;
}

struct thread_time *run_thread_times(const struct run *run)
{
	int64_t roi_ns = run->roi_ns;
	int no_pool = run_blas_is_single(run);
	struct thread_time *times = memory_rows(run->nthreads, sizeof *times), *to = times;

	EACH_ROW(from, run->threads, run->nthreads) {
		to->end_ns = run_limit(from->end_ns, roi_ns);
		to->start_ns = run_limit(from->start_ns, to->end_ns);
		EACH_CATEGORY(category)
			to->times.ns[category] = run_limit(from->times.ns[category], roi_ns);
		to->times.blas_waiting_ns =
			run_limit(from->times.blas_waiting_ns, to->times.ns[CAT_BLAS]);
		to->own_ns = run_limit(from->own_ns, roi_ns);
		to->calls = from->calls;
		to->flops = isfinite(from->flops) ? from->flops : 0;
		to->samples_blas = from->samples_blas;
		to->samples_other = from->samples_other + from->samples_kernel;
		to->samples_kernel = from->samples_kernel;
		to->is_unseen = from->process >= 0 && (size_t)from->process < run->nprocesses &&
				!run->processes[from->process].calls;
		to++->pool_is_off = no_pool;
	}
	return times;
}

int64_t run_samples_missing(const struct run *run)
{
	uint64_t in_functions = 0;
	int64_t missing = (int64_t)(run->samples - run->samples_attributed -
				    run->samples_outside_roi - run->samples_unknown);

	EACH_ROW(function, run->functions, run->nfunctions)
		in_functions += function->samples;
	return missing ? missing : (int64_t)(run->samples_attributed - in_functions);
}
