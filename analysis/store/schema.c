/* schema.c: the store's tables and columns, and the SQL that is made from them. */
/* SPDX-License-Identifier: MIT */
#include "store/schema.h"

#include <sqlite3.h>

#include "store/cell.h"

#define COLUMN(row, field, type, unit, doc)                                                        \
	{                                                                                          \
#field, type, offsetof(struct row, field), sizeof(((struct row *)0)->field), unit, \
			doc                                                                        \
	}
#define ROWS(columns) columns, sizeof(columns) / sizeof(columns)[0]

/* clang-format off */
static const struct schema_column run_columns[] = {
#define C(...) COLUMN(run, __VA_ARGS__)
	C(experiment, COLUMN_STRING, "", "the command with the thread count replaced by {}; runs of one experiment compare"),
	C(command, COLUMN_STRING, "", "the command as a shell would take it"),
	C(started, COLUMN_CHARS, "UTC", "when the run began, like 2026-11-21T08:43:19Z"),
	C(threads_requested, COLUMN_INT, "threads", "thread count asked for by the user; 0: what was seen counts"),
	C(exit_status, COLUMN_INT, "", "the command's exit status as a shell shows it"),
	C(exit_signal, COLUMN_INT, "", "the signal that ended the command, or 0"),
	C(elapsed_ns, COLUMN_INT64, "ns", "wall time from exec to exit"),
	C(roi, COLUMN_CHARS, "", "what the region of interest was taken from: blas (first call to last), process, or a marked region"),
	C(roi_started_ns, COLUMN_INT64, "ns", "when the region of interest began, since 1970; 0: no BLAS call"),
	C(roi_ns, COLUMN_INT64, "ns", "wall time of the region of interest; 0: no BLAS call"),
	C(what_if, COLUMN_CHARS, "", "what was changed to see what would be, like units=1; empty: nothing"),
	C(cpus_available, COLUMN_INT, "CPUs", "least of affinity mask, cgroup quota and CPUs online"),
	C(work, COLUMN_REAL, "work_unit", "work done, where it is not BLAS flops; 0: flops are the work"),
	C(work_unit, COLUMN_CHARS, "", "what work is counted in"),
	C(call_inside_ns, COLUMN_REAL, "ns", "blasprof's own cost of a call, inside the timed interval"),
	C(call_outside_ns, COLUMN_REAL, "ns", "blasprof's own cost of a call, outside the timed interval"),
	C(sample_rate_hz, COLUMN_REAL, "1/s", "samples asked for, a second and thread; 0: no sampling"),
	C(samples, COLUMN_COUNT, "samples", "all samples but the lost ones: the sum of the next three"),
	C(samples_attributed, COLUMN_COUNT, "samples", "samples in the region of interest and in a known object: those of table functions"),
	C(samples_outside_roi, COLUMN_COUNT, "samples", "samples outside the region of interest"),
	C(samples_unknown, COLUMN_COUNT, "samples", "samples at an address where no object is known"),
	C(samples_lost, COLUMN_COUNT, "samples", "samples that the kernel dropped, or for which memory was out"),
	C(throttled, COLUMN_COUNT, "", "times that the kernel throttled sampling"),
#undef C
};

static const struct schema_column thread_columns[] = {
#define C(...) COLUMN(run_thread, __VA_ARGS__)
	C(pid, COLUMN_INT64, "", "process"),
	C(tid, COLUMN_INT64, "", "thread"),
	C(process, COLUMN_INT, "", "seq of its row in processes; -1: not known"),
	C(name, COLUMN_CHARS, "", "the thread's name in the kernel"),
	C(start_ns, COLUMN_INT64, "ns", "when it began, from the start of the region of interest"),
	C(end_ns, COLUMN_INT64, "ns", "when it ended, likewise"),
	C(blas_ns, COLUMN_INT64, "ns", "inside outermost BLAS calls, blocked or computing"),
	C(blas_waiting_ns, COLUMN_INT64, "ns", "the blocked part of blas_ns"),
	C(other_ns, COLUMN_INT64, "ns", "computing outside BLAS"),
	C(mpi_ns, COLUMN_INT64, "ns", "inside outermost MPI calls, blocked or computing"),
	C(waiting_ns, COLUMN_INT64, "ns", "blocked outside BLAS and MPI"),
	C(preempted_ns, COLUMN_INT64, "ns", "ready to run without a CPU, in BLAS or outside"),
	C(own_ns, COLUMN_INT64, "ns", "blasprof's own cost"),
	C(calls, COLUMN_COUNT, "calls", "outermost BLAS calls that returned"),
	C(flops, COLUMN_REAL, "flops", "of its calls"),
	C(samples_blas, COLUMN_COUNT, "samples", "samples in BLAS libraries"),
	C(samples_other, COLUMN_COUNT, "samples", "samples in other code of the program"),
	C(samples_kernel, COLUMN_COUNT, "samples", "samples in the kernel"),
	C(switch_waiting_ns, COLUMN_INT64, "ns", "blocked, by the sampler's switch records; -1: not known"),
	C(switch_preempted_ns, COLUMN_INT64, "ns", "without a CPU, by the same records; -1: not known"),
#undef C
};

static const struct schema_column shape_columns[] = {
#define C(...) COLUMN(run_shape, __VA_ARGS__)
	C(routine, COLUMN_CHARS, "", "the routine by its common name, like cblas_sgemm or sgemm_"),
	C(variant, COLUMN_CHARS, "", "the family of names that it was called by, X for the routine, like scipy_cblas_X64_; empty: cblas_X or X_"),
	C(type, COLUMN_CHAR, "", "type of its elements: s, d, c, z; b bfloat16, h half, i 8 and w 16 bits whole"),
	C(transa, COLUMN_CHAR, "", "transpose of A: N, T or C; - where the routine has none"),
	C(transb, COLUMN_CHAR, "", "transpose of B, likewise"),
	C(m, COLUMN_INT64, "", "dimension m; 0 where the routine has none"),
	C(n, COLUMN_INT64, "", "dimension n, likewise"),
	C(k, COLUMN_INT64, "", "dimension k, likewise"),
	C(region, COLUMN_CHARS, "", "the program's marked region, or empty"),
	C(other_shapes, COLUMN_INT, "", "1: gathers the shapes that did not fit the table"),
	C(calls, COLUMN_COUNT, "calls", "calls of this shape, over all threads"),
	C(total_ns, COLUMN_INT64, "ns", "wall time of the calls, own cost taken out"),
	C(min_ns, COLUMN_INT64, "ns", "the shortest call"),
	C(max_ns, COLUMN_INT64, "ns", "the longest call"),
	C(flops, COLUMN_REAL, "flops", "of all its calls"),
	C(bytes, COLUMN_REAL, "bytes", "operands of all its calls"),
	C(histogram, COLUMN_HISTOGRAM, "calls", "calls by duration, as bucket:count; bucket i begins at 2^(i/4) ns, 0 at 0"),
	C(samples_callers, COLUMN_COUNT, "samples", "in BLAS code during those of these calls of which it is known when they ran, of the threads that called: all in a timeline, else a part where BLAS has threads of its own"),
	C(samples_workers, COLUMN_COUNT, "samples", "likewise of BLAS's own threads"),
#undef C
};

static const struct schema_column caller_columns[] = {
#define C(...) COLUMN(run_caller, __VA_ARGS__)
	C(function, COLUMN_STRING, "", "function that called, or library+0xaddress, or [unknown]"),
	C(inlined_into, COLUMN_STRING, "", "the function whose code it was inlined in; empty: it has its own"),
	C(object, COLUMN_STRING, "", "path of the object file, or [anon], [unknown]"),
	C(file, COLUMN_STRING, "", "source file of the call; empty: not known"),
	C(line, COLUMN_INT, "", "line in it; 0: not known"),
	C(routine, COLUMN_CHARS, "", "name that it called; as in table shapes, with the following"),
	C(transa, COLUMN_CHAR, "", "transpose of A"),
	C(transb, COLUMN_CHAR, "", "transpose of B"),
	C(m, COLUMN_INT64, "", "dimension m"),
	C(n, COLUMN_INT64, "", "dimension n"),
	C(k, COLUMN_INT64, "", "dimension k"),
	C(region, COLUMN_CHARS, "", "the program's marked region, or empty"),
	C(calls, COLUMN_COUNT, "calls", "calls from there, over all threads"),
	C(total_ns, COLUMN_INT64, "ns", "wall time of the calls, own cost taken out"),
#undef C
};

static const struct schema_column function_columns[] = {
#define C(...) COLUMN(run_function, __VA_ARGS__)
	C(function, COLUMN_STRING, "", "function's name, or library+0xaddress, or [unknown]"),
	C(object, COLUMN_STRING, "", "path of the object file, or [kernel], [vdso], [anon]: code made at run time"),
	C(inlined_into, COLUMN_STRING, "", "the function whose code it was inlined in; empty: it has its own"),
	C(file, COLUMN_STRING, "", "source file of the line with most of its samples; empty: not known"),
	C(line, COLUMN_INT, "", "that line; 0: not known"),
	C(code, COLUMN_CODE, "", "blas, other or kernel"),
	C(samples, COLUMN_COUNT, "samples", "samples inside the region of interest, over all threads"),
	C(samples_workers, COLUMN_COUNT, "samples", "those of them in threads that BLAS itself started"),
#undef C
};

static const struct schema_column frame_columns[] = {
#define C(...) COLUMN(run_frame, __VA_ARGS__)
	C(function, COLUMN_STRING, "", "as in functions"),
	C(object, COLUMN_STRING, "", "path of the object file, or [kernel], [vdso], [unknown]"),
	C(code, COLUMN_CODE, "", "blas, other or kernel"),
	C(inlined, COLUMN_INT, "", "1: into the function of the next frame outwards"),
#undef C
};

static const struct schema_column stack_columns[] = {
#define C(...) COLUMN(run_stack, __VA_ARGS__)
	C(parent, COLUMN_INT64, "", "seq of the caller's stack, which is less than this one's; -1: this frame is the outermost"),
	C(frame, COLUMN_INT64, "", "seq of the frame"),
	C(whole, COLUMN_INT, "", "1: begins where its thread starts; 0: the outer part was cut off"),
	C(samples_callers, COLUMN_COUNT, "samples", "of just this stack inside the region of interest, of threads that make BLAS calls"),
	C(samples_others, COLUMN_COUNT, "samples", "the same of other threads"),
#undef C
};

static const struct schema_column wait_columns[] = {
#define C(...) COLUMN(run_wait, __VA_ARGS__)
	C(kind, COLUMN_CHARS, "", "barrier, mutex, condition, join, futex, sleep, I/O, child, run queue, other; unknown: no stack was taken"),
	C(function, COLUMN_STRING, "", "the function that waits, as the program called it"),
	C(caller, COLUMN_STRING, "", "the function that called it"),
	C(region, COLUMN_CHARS, "", "the program's marked region that the thread was in; empty: none; ?: not known any more"),
	C(stack, COLUMN_INT64, "", "seq of its stack; -1: none"),
	C(pid, COLUMN_INT64, "", "process of the thread"),
	C(tid, COLUMN_INT64, "", "the thread"),
	C(in_blas, COLUMN_INT, "", "1: the stack goes through a BLAS library"),
	C(waits, COLUMN_COUNT, "", "how often"),
	C(total_ns, COLUMN_INT64, "ns", "for how long in all, inside the region of interest"),
	C(longest_ns, COLUMN_INT64, "ns", "for how long at most"),
#undef C
};

static const struct schema_column process_columns[] = {
#define C(...) COLUMN(run_process, __VA_ARGS__)
	C(pid, COLUMN_INT64, "", "process"),
	C(parent, COLUMN_INT64, "", "the process that started it"),
	C(command, COLUMN_CHARS, "", "the program that ran in it"),
	C(host, COLUMN_CHARS, "", "the machine that it ran on"),
	C(rank, COLUMN_INT, "", "its rank in an MPI job; -1: in none"),
	C(start_ns, COLUMN_INT64, "ns", "its first BLAS call, from the start of the region of interest"),
	C(end_ns, COLUMN_INT64, "ns", "its last BLAS call, likewise; both 0: no call"),
	C(calls, COLUMN_COUNT, "calls", "outermost BLAS calls that returned"),
	C(intercepted, COLUMN_INT, "", "1: the preload library was loaded in it"),
#undef C
};

static const struct schema_column region_columns[] = {
#define C(...) COLUMN(run_region, __VA_ARGS__)
	C(name, COLUMN_CHARS, "", "as the program marked it"),
	C(entries, COLUMN_COUNT, "", "how often a thread entered it"),
	C(blas_ns, COLUMN_INT64, "ns", "inside outermost BLAS calls, over all threads; inner regions apart, as in the following"),
	C(blas_waiting_ns, COLUMN_INT64, "ns", "the blocked part of blas_ns"),
	C(other_ns, COLUMN_INT64, "ns", "computing outside BLAS"),
	C(mpi_ns, COLUMN_INT64, "ns", "inside outermost MPI calls"),
	C(waiting_ns, COLUMN_INT64, "ns", "blocked outside BLAS and MPI"),
	C(preempted_ns, COLUMN_INT64, "ns", "ready to run without a CPU"),
	C(calls, COLUMN_COUNT, "calls", "outermost BLAS calls that returned"),
	C(flops, COLUMN_REAL, "flops", "of its calls"),
#undef C
};

static const struct schema_column counter_columns[] = {
#define C(...) COLUMN(run_counter, __VA_ARGS__)
	C(event, COLUMN_CHARS, "", "name of the event"),
	C(unit, COLUMN_CHARS, "", "what it is counted in, like Joules; empty: a plain count"),
	C(count, COLUMN_REAL, "unit", "over all threads, from start to end; scaled up by `counted`; NULL: it was never counted"),
	C(counted, COLUMN_REAL, "", "share of the time on the CPU in which it was counted: under 1 where events took turns"),
	C(blas, COLUMN_REAL, "unit", "the part of it in BLAS, inside the region of interest; NULL: not known, as in the following"),
	C(other, COLUMN_REAL, "unit", "the part in other code of the program"),
	C(kernel, COLUMN_REAL, "unit", "the part in the kernel"),
	C(outside, COLUMN_REAL, "unit", "the part outside the region of interest"),
	C(split, COLUMN_CHARS, "", "how the parts were told apart: samples, time, or empty: not at all"),
	C(exact_blas, COLUMN_REAL, "unit", "callers' user code in BLAS calls, read from the counter itself; NULL: it was not"),
	C(exact_other, COLUMN_REAL, "unit", "callers' user code between calls, likewise"),
	C(user_only, COLUMN_INT, "", "1: without the kernel's part, which the user may not count"),
	C(flops_each, COLUMN_INT, "flops", "floating-point operations that one count stands for; 0: none, or not known"),
#undef C
};

static const struct schema_column thread_counter_columns[] = {
#define C(...) COLUMN(run_thread_counter, __VA_ARGS__)
	C(event, COLUMN_CHARS, "", "name of the event, as in counters"),
	C(pid, COLUMN_INT64, "", "process"),
	C(tid, COLUMN_INT64, "", "thread"),
	C(blas, COLUMN_REAL, "unit", "in BLAS, inside the region of interest"),
	C(other, COLUMN_REAL, "unit", "in other code of the program"),
	C(kernel, COLUMN_REAL, "unit", "in the kernel"),
#undef C
};

static const struct schema_column shape_counter_columns[] = {
#define C(...) COLUMN(run_shape_counter, __VA_ARGS__)
	C(event, COLUMN_CHARS, "", "name of the event, as in counters"),
	C(routine, COLUMN_CHARS, "", "what was called, as in shapes; likewise the following"),
	C(transa, COLUMN_CHAR, "", "transpose of A"),
	C(transb, COLUMN_CHAR, "", "transpose of B"),
	C(m, COLUMN_INT64, "", "dimension m"),
	C(n, COLUMN_INT64, "", "dimension n"),
	C(k, COLUMN_INT64, "", "dimension k"),
	C(region, COLUMN_CHARS, "", "the program's marked region, or empty"),
	C(other_shapes, COLUMN_INT, "", "1: gathers the shapes that did not fit the table"),
	C(calls, COLUMN_COUNT, "calls", "calls that were counted"),
	C(count, COLUMN_REAL, "unit", "of all of them, in user code"),
#undef C
};

static const struct schema_column mpi_columns[] = {
#define C(...) COLUMN(run_mpi, __VA_ARGS__)
	C(routine, COLUMN_CHARS, "", "MPI routine, by its name in C"),
	C(calls, COLUMN_COUNT, "calls", "outermost calls, from the thread's first BLAS call on, over all threads"),
	C(total_ns, COLUMN_INT64, "ns", "wall time of the calls"),
	C(max_ns, COLUMN_INT64, "ns", "the longest call"),
#undef C
};

static const struct schema_column span_columns[] = {
#define C(...) COLUMN(run_span, __VA_ARGS__)
	C(pid, COLUMN_INT64, "", "process"),
	C(tid, COLUMN_INT64, "", "thread"),
	C(kind, COLUMN_CHARS, "", "blas, mpi, region; off the CPU: waiting, or no CPU"),
	C(name, COLUMN_CHARS, "", "routine or region; empty for time off the CPU"),
	C(transa, COLUMN_CHAR, "", "as in shapes; likewise the following"),
	C(transb, COLUMN_CHAR, "", "transpose of B"),
	C(m, COLUMN_INT64, "", "dimension m"),
	C(n, COLUMN_INT64, "", "dimension n"),
	C(k, COLUMN_INT64, "", "dimension k"),
	C(start_ns, COLUMN_INT64, "ns", "from the start of the region of interest; less than 0: before it"),
	C(end_ns, COLUMN_INT64, "ns", "likewise"),
#undef C
};

static const struct schema_column note_columns[] = {
#define C(...) COLUMN(run_note, __VA_ARGS__)
	C(code, COLUMN_CHARS, "", "which doubt it is: a row of the table of warnings"),
	C(detail, COLUMN_CHARS, "", "the varying part of its text"),
#undef C
};

static const struct schema_column fact_columns[] = {
#define C(...) COLUMN(run_fact, __VA_ARGS__)
	C(name, COLUMN_CHARS, "", "which fact: host, cpu, kernel, blas, clock, env.NAME, ..."),
	C(value, COLUMN_STRING, "", "its value"),
#undef C
};

static const struct schema_column pair_columns[] = {
#define C(...) COLUMN(run, __VA_ARGS__)
	C(pairs, COLUMN_PAIRS, "ns", "of each call the time since the call before it and its own, each in bytes of 7 bits, the lowest first, all but the last with bit 7 set"),
#undef C
};

static const struct schema_column cell_columns[] = {
#define COLUMN_WORD COLUMN_CHARS
#define COLUMN_LINE COLUMN_CHARS
#define CELL_FIELD(name, kind, unit, doc) COLUMN(cell, name, COLUMN_##kind, unit, doc),
#include "store/cell.def"
};

const struct schema_table schema_cells = {"cells", "what workloads/ceilings measured, one row for each kernel, size, threads and cache", RUN_PART_COUNT, ROWS(cell_columns)};

const struct schema_table schema_tables[SCHEMA_TABLES] = {
	{"runs", "one row for each recorded run", RUN_PART_COUNT, ROWS(run_columns)},
	{"threads", "the run's threads and where their time went, inside the region of interest", RUN_PART_THREADS, ROWS(thread_columns)},
	{"shapes", "routines called with one set of arguments", RUN_PART_SHAPES, ROWS(shape_columns)},
	{"callers", "who called BLAS: one row for each line of code and shape", RUN_PART_CALLERS, ROWS(caller_columns)},
	{"functions", "samples by function", RUN_PART_FUNCTIONS, ROWS(function_columns)},
	{"frames", "code that call stacks go through", RUN_PART_FRAMES, ROWS(frame_columns)},
	{"stacks", "call stacks of samples and waits, as a tree", RUN_PART_STACKS, ROWS(stack_columns)},
	{"waits", "waits by stack, thread and region", RUN_PART_WAITS, ROWS(wait_columns)},
	{"processes", "the program's processes", RUN_PART_PROCESSES, ROWS(process_columns)},
	{"regions", "regions that the program marked", RUN_PART_REGIONS, ROWS(region_columns)},
	{"counters", "events that were counted", RUN_PART_COUNTERS, ROWS(counter_columns)},
	{"thread_counters", "the threads' parts of them", RUN_PART_THREAD_COUNTERS, ROWS(thread_counter_columns)},
	{"shape_counters", "what BLAS calls counted, by shape, read from the counter itself", RUN_PART_SHAPE_COUNTERS, ROWS(shape_counter_columns)},
	{"mpi", "MPI routines called", RUN_PART_MPI, ROWS(mpi_columns)},
	{"timeline", "by --timeline: when a thread was in a call, in a region or off the CPU", RUN_PART_SPANS, ROWS(span_columns)},
	{"notes", "doubts and facts noted while recording", RUN_PART_NOTES, ROWS(note_columns)},
	{"facts", "where the run came from", RUN_PART_FACTS, ROWS(fact_columns)},
	{"pairs", "the last calls of the only caller; no row where there were several", RUN_PART_COUNT, ROWS(pair_columns)},
};
/* clang-format on */

const char *schema_sql_type(enum column_type type)
{
	switch (type) {
	case COLUMN_INT:
	case COLUMN_INT64:
	case COLUMN_COUNT:
		return "INTEGER";
	case COLUMN_REAL:
		return "REAL";
	case COLUMN_PAIRS:
		return "BLOB";
	default:
		return "TEXT";
	}
}

static void append_comment(sqlite3_str *sql, const struct schema_column *column)
{
	sqlite3_str_appendf(sql, " -- %s%s%s\n", column->unit, *column->unit ? ": " : "",
			    column->doc);
}

/* Its rows are no part of a run, and have a number of their own. */
static int stands_alone(const struct schema_table *table)
{
	return table == &schema_tables[SCHEMA_RUNS] || table == &schema_cells;
}

static void append_table(sqlite3_str *sql, const struct schema_table *table)
{
	int has_id = stands_alone(table);

	sqlite3_str_appendf(sql, "CREATE TABLE %s ( -- %s\n", table->name, table->doc);
	sqlite3_str_appendall(
		sql, has_id ? "id INTEGER PRIMARY KEY AUTOINCREMENT, -- the row's number\n"
			    : "run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n"
			      "seq INTEGER NOT NULL, -- the row's place in the run, from 0\n");
	for (size_t i = 0; i < table->ncolumns; i++) {
		const struct schema_column *column = &table->columns[i];

		sqlite3_str_appendf(sql, "%s %s%s", column->name, schema_sql_type(column->type),
				    i + 1 < table->ncolumns || !has_id ? "," : "");
		append_comment(sql, column);
	}
	sqlite3_str_appendall(sql, has_id ? ");\n" : "PRIMARY KEY (run, seq)) WITHOUT ROWID;\n");
}

char *schema_sql_create(void)
{
	sqlite3_str *sql = sqlite3_str_new(NULL);

	/* each table takes a page, however few its rows: small pages make small stores */
	sqlite3_str_appendf(sql,
			    "PRAGMA page_size = 1024;\nPRAGMA application_id = %d;\n"
			    "PRAGMA user_version = %d;\nBEGIN;\n",
			    SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
	for (size_t i = 0; i < SCHEMA_TABLES; i++)
		append_table(sql, &schema_tables[i]);
	append_table(sql, &schema_cells);
	sqlite3_str_appendall(sql, "CREATE INDEX runs_experiment ON runs (experiment);\nCOMMIT;\n");
	return sqlite3_str_finish(sql);
}

static void append_names(sqlite3_str *sql, const struct schema_table *table)
{
	for (size_t i = 0; i < table->ncolumns; i++)
		sqlite3_str_appendf(sql, "%s%s", i ? ", " : "", table->columns[i].name);
}

char *schema_sql_insert(const struct schema_table *table)
{
	int has_id = stands_alone(table);
	sqlite3_str *sql = sqlite3_str_new(NULL);

	sqlite3_str_appendf(sql, "INSERT INTO %s (%s", table->name, has_id ? "" : "run, seq, ");
	append_names(sql, table);
	sqlite3_str_appendall(sql, has_id ? ") VALUES (?" : ") VALUES (?, ?, ?");
	for (size_t i = 1; i < table->ncolumns; i++)
		sqlite3_str_appendall(sql, ", ?");
	sqlite3_str_appendall(sql, ")");
	return sqlite3_str_finish(sql);
}

char *schema_sql_select(const struct schema_table *table)
{
	const char *which = table == &schema_tables[SCHEMA_RUNS] ? "id = ?1"
			    : table == &schema_cells		 ? "suite = ?1 ORDER BY id"
								 : "run = ?1 ORDER BY seq";
	sqlite3_str *sql = sqlite3_str_new(NULL);

	sqlite3_str_appendall(sql, "SELECT ");
	append_names(sql, table);
	sqlite3_str_appendf(sql, " FROM %s WHERE %s", table->name, which);
	return sqlite3_str_finish(sql);
}
