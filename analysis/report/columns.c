/* columns.c: the tables of a report and their columns. */
/* SPDX-License-Identifier: MIT */
#include "report/columns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMN(row, name, field, type, unit, doc)                                                  \
	{                                                                                          \
		name, type, offsetof(struct row, field), unit, doc                                 \
	}

/* clang-format off */
static const struct report_column thread_columns[] = {
#define C(...) COLUMN(report_row, __VA_ARGS__)
#define R(name, range, unit) \
	C(name "_low", range.low, VALUE_REAL, unit, "lower end of the 95 % interval; empty: too few runs for one"), \
	C(name "_high", range.high, VALUE_REAL, unit, "upper end of it")
	C("experiment", experiment, VALUE_TEXT, "", "the command with the thread count replaced by {}"),
	C("threads", threads, VALUE_INT, "threads", "thread count N; times and counts of the row are sums over its runs"),
	C("runs", runs, VALUE_INT, "runs", "runs that the row sums up"),
	C("wall_ns", account.wall_ns, VALUE_WHOLE, "ns", "wall time of the region of interest, without blasprof's own cost"),
	C("f_intercepted", account.f_intercepted, VALUE_REAL, "", "BLAS share of the work, by the clock around each call"),
	C("f_sampled", account.f_sampled, VALUE_REAL, "", "BLAS share of the work, by samples in BLAS libraries"),
	C("blas_ns", account.category_ns[CAT_BLAS], VALUE_WHOLE, "ns", "thread time inside BLAS calls"),
	C("blas_waiting_ns", account.blas_waiting_ns, VALUE_WHOLE, "ns", "the part of blas_ns in which the thread was blocked"),
	C("other_ns", account.category_ns[CAT_OTHER], VALUE_WHOLE, "ns", "thread time computing outside BLAS"),
	C("waiting_ns", account.category_ns[CAT_WAITING], VALUE_WHOLE, "ns", "thread time blocked outside BLAS, or not yet started, or ended"),
	C("preempted_ns", account.category_ns[CAT_NO_CPU], VALUE_WHOLE, "ns", "thread time ready to run without a CPU"),
	C("calls", account.calls, VALUE_WHOLE, "calls", "outermost BLAS calls"),
	C("flops", account.flops, VALUE_WHOLE, "flops", "of these calls"),
	C("work", account.work, VALUE_REAL, "work", "work done; flops where nothing else was asked for"),
	C("throughput", throughput, VALUE_REAL, "work/s", "work a second of wall time"),
	C("speedup", speedup, VALUE_REAL, "", "measured: throughput over that of one thread"),
#define PREDICTED(id, name, ends, says, column, ...) \
	C("speedup_" name, predicted[MODEL_##id], VALUE_REAL, "", column),
	MODEL_ROWS(PREDICTED)
	R("f_intercepted", f_intercepted_range, ""),
	R("f_sampled", f_sampled_range, ""),
	R("throughput", throughput_range, "work/s"),
	R("speedup", speedup_range, ""),
#define PREDICTED_RANGE(id, name, ...) R("speedup_" name, predicted_range[MODEL_##id], ""),
	MODEL_ROWS(PREDICTED_RANGE)
	C("what_if", what_if, VALUE_TEXT, "", "what was changed to see what would be, like units=1; empty: nothing"),
	C("worker_share", worker_share, VALUE_REAL, "", "the part of the samples in BLAS that lies in the library's own threads; the rest is its callers'"),
	C("f_estimated", f_estimated, VALUE_INT, "", "1: predicted from an estimate of f at one thread, for want of a run with one"),
	C("mpi_ns", account.category_ns[CAT_MPI], VALUE_WHOLE, "ns", "thread time inside MPI calls"),
	C("cpus_available", cpus_available, VALUE_INT, "CPUs", "CPUs that each run could use: the least of its runs'; less than threads: marked * in text and pictures"),
	R("wall_ns", wall_range, "ns"),
#undef PREDICTED_RANGE
#undef PREDICTED
#undef R
#undef C
};

static const struct report_column shape_columns[] = {
#define C(...) COLUMN(report_shape, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("routine", routine, VALUE_CHARS, "", "the routine by its common name, cblas_X or X_"),
	C("transa", transa, VALUE_CHARS, "", "transpose of A; empty where the routine has none"),
	C("transb", transb, VALUE_CHARS, "", "transpose of B, likewise"),
	C("m", m, VALUE_WHOLE, "", "dimension m; 0: the routine has none; empty: other shapes, gathered"),
	C("n", n, VALUE_WHOLE, "", "dimension n, likewise"),
	C("k", k, VALUE_WHOLE, "", "dimension k, likewise"),
	C("calls", calls, VALUE_WHOLE, "calls", "calls, over all threads and runs"),
	C("total_ns", total_ns, VALUE_WHOLE, "ns", "time inside them"),
	C("min_ns", min_ns, VALUE_WHOLE, "ns", "the shortest call"),
	C("p50_ns", p50_ns, VALUE_WHOLE, "ns", "half of the calls are no longer (from a histogram, within 19 %)"),
	C("p95_ns", p95_ns, VALUE_WHOLE, "ns", "95 of 100 calls are no longer, likewise"),
	C("max_ns", max_ns, VALUE_WHOLE, "ns", "the longest call"),
	C("flops", flops, VALUE_WHOLE, "flops", "of all calls"),
	C("bytes", bytes, VALUE_WHOLE, "bytes", "operands of all calls"),
	C("gflops", gflops, VALUE_REAL, "Gflops/s", "flops a second while inside"),
	C("region", region, VALUE_CHARS, "", "the program's marked region that called it; empty: none"),
	C("intensity", roofline.intensity, VALUE_REAL, "flops/byte", "arithmetic intensity; empty, as the next four: no ceilings are known (blasprof doctor --measure)"),
	C("level", level, VALUE_TEXT, "", "the nearest memory that the operands of a call fit in: L1, L2, L3 or memory"),
	C("ceiling_flops", roofline.ceiling_flops_per_s, VALUE_WHOLE, "flops/s", "of one call: min(peak, intensity x bandwidth of that memory), for the threads at work"),
	C("ceiling_share", roofline.share, VALUE_REAL, "", "the call's speed over that ceiling"),
	C("bound", bound, VALUE_TEXT, "", "what holds it back: compute, memory, or latency (half of the time or more is the fixed cost of a call)"),
	C("variant", variant, VALUE_CHARS, "", "the names that it was called by, X for the routine, like scipy_cblas_X64_; empty: the common ones"),
	C("worker_share", worker_share, VALUE_REAL, "", "the part of the calls' samples in BLAS that lies in the library's own threads; empty: it has none, or under ten samples tell"),
	C("gbytes_per_s", gbytes_per_s, VALUE_REAL, "GB/s", "operands a second while inside: each is counted once a call, wherever it comes from"),
#undef C
};

static const struct report_column caller_columns[] = {
#define C(...) COLUMN(report_caller, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("function", function, VALUE_TEXT, "", "function that called, or library+0xaddress, or [unknown]"),
	C("inlined_into", inlined_into, VALUE_TEXT, "", "the function whose code it was inlined in; empty: it has its own"),
	C("object", object, VALUE_TEXT, "", "file that holds it, or [anon], [unknown]"),
	C("file", file, VALUE_TEXT, "", "source file of the call that took most time; empty: not known"),
	C("line", line, VALUE_INT, "", "line of that call; 0: not known"),
	C("routine", routine, VALUE_CHARS, "", "name that it called"),
	C("calls", calls, VALUE_WHOLE, "calls", "calls, over all threads and runs"),
	C("total_ns", total_ns, VALUE_WHOLE, "ns", "time inside them"),
	C("share", share, VALUE_REAL, "", "of the time in BLAS at this thread count"),
	C("samples", samples, VALUE_REAL, "samples", "its part, by share, of the calling threads' samples in BLAS libraries"),
#undef C
};

static const struct report_column ceiling_columns[] = {
#define C(...) COLUMN(report_ceiling, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("ceiling", name, VALUE_TEXT, "", "peak of arithmetic in single or double precision, or bandwidth of L1, L2, L3 or memory"),
	C("flops_per_s", flops_per_s, VALUE_WHOLE, "flops/s", "that one call can reach, for the threads at work; empty: a bandwidth"),
	C("bytes_per_s", bytes_per_s, VALUE_WHOLE, "bytes/s", "likewise; empty: a peak"),
#undef C
};

static const struct report_column latency_columns[] = {
#define C(...) COLUMN(report_latency, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("shape", shape, VALUE_CHARS, "", "routine, transposes and dimensions"),
	C("low_ns", low_ns, VALUE_WHOLE, "ns", "the shortest time that the bucket holds"),
	C("high_ns", high_ns, VALUE_WHOLE, "ns", "the time that it no longer holds"),
	C("calls", calls, VALUE_WHOLE, "calls", "calls that took so long, over all threads and runs"),
#undef C
};

static const struct report_column function_columns[] = {
#define C(...) COLUMN(report_function, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("function", function, VALUE_TEXT, "", "function's name"),
	C("object", object, VALUE_TEXT, "", "file that holds it, or [kernel], [vdso], [anon]: code made at run time"),
	C("code", code, VALUE_TEXT, "", "blas, other or kernel"),
	C("samples", samples, VALUE_WHOLE, "samples", "samples in it, over all threads and runs"),
	C("share", share, VALUE_REAL, "", "its share of all samples at this thread count"),
	C("category", category, VALUE_CHARS, "", "what it does, by the table of patterns (--categories)"),
	C("inlined_into", inlined_into, VALUE_TEXT, "", "the function whose code it was inlined in; empty: it has its own"),
	C("file", file, VALUE_TEXT, "", "source file of the line with most of its samples; empty: not known"),
	C("line", line, VALUE_INT, "", "that line; 0: not known"),
	C("samples_workers", samples_workers, VALUE_WHOLE, "samples", "samples of it in threads that BLAS itself started"),
#undef C
};

static const struct report_column category_columns[] = {
#define C(...) COLUMN(report_category, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("category", category, VALUE_CHARS, "", "what the code does, by the table of patterns (--categories)"),
	C("samples", samples, VALUE_WHOLE, "samples", "samples in it, over all threads and runs"),
	C("share", share, VALUE_REAL, "", "its share of all samples at this thread count"),
	C("share_other", share_other, VALUE_REAL, "", "its share of those outside BLAS"),
	C("hottest", hottest, VALUE_CHARS, "", "the function with most of them"),
#undef C
};

static const struct report_column region_columns[] = {
#define C(...) COLUMN(report_region, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("region", region, VALUE_CHARS, "", "as the program marked it; time in a region inside it is that one's only"),
	C("entries", entries, VALUE_WHOLE, "", "how often a thread entered it, over all threads and runs"),
	C("share", share, VALUE_REAL, "", "of the callers' time"),
	C("f", f, VALUE_REAL, "", "BLAS share of the work inside it"),
	C("blas_ns", blas_ns, VALUE_WHOLE, "ns", "thread time inside BLAS calls"),
	C("blas_waiting_ns", blas_waiting_ns, VALUE_WHOLE, "ns", "the part of blas_ns in which the thread was blocked"),
	C("other_ns", other_ns, VALUE_WHOLE, "ns", "thread time computing outside BLAS"),
	C("waiting_ns", waiting_ns, VALUE_WHOLE, "ns", "thread time blocked outside BLAS"),
	C("preempted_ns", preempted_ns, VALUE_WHOLE, "ns", "thread time ready to run without a CPU"),
	C("calls", calls, VALUE_WHOLE, "calls", "outermost BLAS calls"),
	C("flops", flops, VALUE_WHOLE, "flops", "of these calls"),
	C("gflops", gflops, VALUE_REAL, "Gflops/s", "flops a second while inside BLAS"),
	C("mpi_ns", mpi_ns, VALUE_WHOLE, "ns", "thread time inside MPI calls"),
#undef C
};

static const struct report_column mpi_columns[] = {
#define C(...) COLUMN(report_mpi, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("routine", routine, VALUE_CHARS, "", "MPI routine, by its name in C"),
	C("calls", calls, VALUE_WHOLE, "calls", "calls, over all threads and runs"),
	C("total_ns", total_ns, VALUE_WHOLE, "ns", "time inside them"),
	C("max_ns", max_ns, VALUE_WHOLE, "ns", "the longest call"),
	C("share", share, VALUE_REAL, "", "of the callers' time"),
#undef C
};

static const struct report_column process_columns[] = {
#define C(...) COLUMN(report_process, __VA_ARGS__)
	C("rank", rank, VALUE_INT, "", "rank in an MPI job; -1: in none"),
	C("host", host, VALUE_CHARS, "", "the machine that it ran on"),
	C("process", pid, VALUE_INT64, "", "process number"),
	C("parent", parent, VALUE_INT64, "", "number of the process that started it"),
	C("command", command, VALUE_CHARS, "", "the program that ran in it"),
	C("intercepted", intercepted, VALUE_INT, "", "1: the preload library was loaded in it"),
	C("callers", callers, VALUE_WHOLE, "threads", "threads that made BLAS calls"),
	C("alive_ns", alive_ns, VALUE_WHOLE, "ns", "from its first BLAS call to its last; the times that follow are summed over its threads"),
	C("blas_ns", blas_ns, VALUE_WHOLE, "ns", "thread time inside BLAS calls"),
	C("blas_waiting_ns", blas_waiting_ns, VALUE_WHOLE, "ns", "the part of blas_ns in which the thread was blocked"),
	C("other_ns", other_ns, VALUE_WHOLE, "ns", "thread time computing outside BLAS"),
	C("mpi_ns", mpi_ns, VALUE_WHOLE, "ns", "thread time inside MPI calls"),
	C("waiting_ns", waiting_ns, VALUE_WHOLE, "ns", "thread time blocked outside BLAS"),
	C("preempted_ns", preempted_ns, VALUE_WHOLE, "ns", "thread time ready to run without a CPU"),
	C("calls", calls, VALUE_WHOLE, "calls", "outermost BLAS calls"),
	C("flops", flops, VALUE_WHOLE, "flops", "of these calls"),
	C("samples", samples, VALUE_WHOLE, "samples", "samples in it"),
	C("all_threads", threads, VALUE_WHOLE, "threads", "threads that it had, those of its libraries that made no BLAS call among them"),
	C("thread_ns", thread_ns, VALUE_WHOLE, "ns", "time of all its threads: blas_ns, other_ns, mpi_ns, waiting_ns and preempted_ns"),
	C("waiting_share", waiting_share, VALUE_REAL, "", "time blocked outside BLAS in the time of the threads that made BLAS calls; helpers of MPI and the like, which only wait, are not in it"),
#undef C
};

static const struct report_column stack_columns[] = {
#define C(...) COLUMN(report_stack, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("role", role, VALUE_TEXT, "", "caller: of threads that make BLAS calls; other: of others"),
	C("whole", whole, VALUE_INT, "", "1: begins where its thread starts; 0: the outer part was cut off"),
	C("stack", stack, VALUE_TEXT, "", "functions, outermost first, parted by semicolons, as flame graphs take them"),
	C("samples", samples, VALUE_WHOLE, "samples", "samples in just this stack, over all threads and runs"),
	C("share", share, VALUE_REAL, "", "of all stacks' samples at this thread count"),
#undef C
};

static const struct report_column wait_columns[] = {
#define C(...) COLUMN(report_wait, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("role", role, VALUE_TEXT, "", "caller: of threads that make BLAS calls; other: of others"),
	C("kind", kind, VALUE_CHARS, "", "what was waited on: barrier, mutex, condition, join, futex, sleep, I/O, child, run queue (no CPU), other; unknown: no stack was taken"),
	C("function", function, VALUE_TEXT, "", "the function that waits, as the program called it"),
	C("caller", caller, VALUE_TEXT, "", "the function that called it"),
	C("in_blas", in_blas, VALUE_INT, "", "1: inside a BLAS library"),
	C("waits", waits, VALUE_WHOLE, "", "how often, over all threads and runs"),
	C("total_ns", total_ns, VALUE_WHOLE, "ns", "thread time waited"),
	C("longest_ns", longest_ns, VALUE_WHOLE, "ns", "the longest wait"),
	C("waiting_threads", waiting_threads, VALUE_INT, "threads", "so many threads of one run waited there"),
	C("uneven_ns", uneven_ns, VALUE_WHOLE, "ns", "what one thread waited there more than another, at most; at a barrier: the imbalance"),
	C("share", share, VALUE_REAL, "", "of the callers' time; empty for others"),
	C("region", region, VALUE_CHARS, "", "the program's marked region that they were in; empty: none; ?: not known any more"),
#undef C
};

static const struct report_column counter_columns[] = {
#define C(...) COLUMN(report_counter, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N; 0: the program made no BLAS call"),
	C("event", event, VALUE_CHARS, "", "name of the event that was counted"),
	C("unit", unit, VALUE_CHARS, "", "what it is counted in; empty: a plain count"),
	C("runs", runs, VALUE_INT, "runs", "runs that are summed up"),
	C("count", count, VALUE_REAL, "unit", "over all threads, from start to end, scaled up to the whole time; empty: it was never counted"),
	C("counted", counted, VALUE_REAL, "", "share of the time on the CPU in which it was counted; under 1 where events took turns"),
	C("blas", blas, VALUE_REAL, "unit", "the part in BLAS; empty: not known, as in the following"),
	C("other", other, VALUE_REAL, "unit", "the part in other code of the program"),
	C("kernel", kernel, VALUE_REAL, "unit", "the part in the kernel"),
	C("waiting", waiting, VALUE_REAL, "unit", "the part that is split by time to waiting and no CPU (energy only)"),
	C("outside", outside, VALUE_REAL, "unit", "the part outside the region of interest"),
	C("callers", callers, VALUE_REAL, "unit", "the part of threads that make BLAS calls"),
	C("workers", workers, VALUE_REAL, "unit", "the part of threads that make none and count most in BLAS"),
	C("others", others, VALUE_REAL, "unit", "the part of other threads"),
	C("per_work", per_work, VALUE_REAL, "unit/work", "inside the region, for each unit of work"),
	C("per_cycle", per_cycle, VALUE_REAL, "", "for each cycle, where cycles were counted"),
	C("per_cycle_blas", per_cycle_blas, VALUE_REAL, "", "likewise in BLAS"),
	C("per_cycle_other", per_cycle_other, VALUE_REAL, "", "likewise in other code"),
	C("exact_blas", exact_blas, VALUE_REAL, "unit", "callers' user code in BLAS calls, read from the counter itself; empty: it was not"),
	C("exact_other", exact_other, VALUE_REAL, "unit", "callers' user code between calls, likewise"),
	C("split", split, VALUE_CHARS, "", "how blas, other and kernel were told apart: samples, time (not measured, but shared out by the threads' time), or empty"),
	C("user_only", user_only, VALUE_INT, "", "1: without the kernel's part"),
#undef C
};

static const struct report_column shape_counter_columns[] = {
#define C(...) COLUMN(report_shape_counter, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("event", event, VALUE_CHARS, "", "name of the event"),
	C("routine", routine, VALUE_CHARS, "", "name that the program called"),
	C("transa", transa, VALUE_CHARS, "", "transpose of A; empty where the routine has none"),
	C("transb", transb, VALUE_CHARS, "", "transpose of B, likewise"),
	C("m", m, VALUE_WHOLE, "", "dimension m; 0: the routine has none; empty: other shapes, gathered"),
	C("n", n, VALUE_WHOLE, "", "dimension n, likewise"),
	C("k", k, VALUE_WHOLE, "", "dimension k, likewise"),
	C("calls", calls, VALUE_WHOLE, "calls", "calls, over all threads and runs"),
	C("count", count, VALUE_REAL, "", "counted in them, in the callers' user code"),
	C("per_call", per_call, VALUE_REAL, "", "in one call, on average"),
	C("per_cycle", per_cycle, VALUE_REAL, "", "for each cycle, where cycles were counted"),
#undef C
};

static const struct report_column part_columns[] = {
#define C(...) COLUMN(report_part, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("part", part, VALUE_TEXT, "", "part of the threads' time: BLAS, other code, waiting, no CPU or MPI"),
	C("time_ns", time_ns, VALUE_WHOLE, "ns", "thread time in it, over all threads and runs"),
	C("share", share, VALUE_REAL, "", "of N x the wall time"),
	C("share_low", share_range.low, VALUE_REAL, "", "lower end of the 95 % interval; empty: too few runs for one"),
	C("share_high", share_range.high, VALUE_REAL, "", "upper end of it"),
	C("lost", lost, VALUE_REAL, "", "speed-up lost to it; less than 0: gained; all of a thread count add up to N less its speed-up"),
	C("lost_low", lost_range.low, VALUE_REAL, "", "lower end of the 95 % interval; empty: too few runs for one"),
	C("lost_high", lost_range.high, VALUE_REAL, "", "upper end of it"),
	C("what_if", what_if, VALUE_TEXT, "", "what was changed to see what would be, like units=1; empty: nothing"),
#undef C
};

static const struct report_column loss_columns[] = {
#define C(...) COLUMN(report_loss, __VA_ARGS__)
	C("threads", threads, VALUE_INT, "threads", "thread count N"),
	C("part", part, VALUE_TEXT, "", "part of the lost speed-up: BLAS, other code, waiting or no CPU"),
	C("contributor", contributor, VALUE_CHARS, "", "the shape that took longer, the function that grew, what was waited for"),
	C("lost", lost, VALUE_REAL, "", "speed-up lost to it; less than 0: gained; all of a thread count add up to N less its speed-up"),
#undef C
};

static const struct report_column run_columns[] = {
#define C(...) COLUMN(report_run, __VA_ARGS__)
	C("experiment", experiment, VALUE_TEXT, "", "the command with the thread count replaced by {}"),
	C("run", id, VALUE_INT64, "", "number of the run in the store"),
	C("started", started, VALUE_CHARS, "UTC", "when it began"),
	C("command", command, VALUE_TEXT, "", "the command"),
	C("threads", threads, VALUE_INT, "threads", "thread count N; 0: no BLAS call"),
	C("cpus_available", cpus_available, VALUE_INT, "CPUs", "CPUs that it could use"),
	C("exit_status", exit_status, VALUE_INT, "", "exit status of the command"),
	C("used", used, VALUE_INT, "", "1: part of its row in table threads"),
	C("elapsed_ns", elapsed_ns, VALUE_INT64, "ns", "wall time from start to exit"),
	C("roi_ns", roi_ns, VALUE_INT64, "ns", "wall time of the region of interest"),
	C("f_intercepted", f_intercepted, VALUE_REAL, "", "BLAS share of the work, by the clock around each call"),
	C("f_sampled", f_sampled, VALUE_REAL, "", "BLAS share of the work, by samples"),
	C("calls", calls, VALUE_WHOLE, "calls", "outermost BLAS calls"),
	C("flops", flops, VALUE_WHOLE, "flops", "of these calls"),
	C("samples", samples, VALUE_WHOLE, "samples", "samples taken"),
	C("samples_lost", samples_lost, VALUE_WHOLE, "samples", "samples that the kernel dropped"),
	C("samples_outside_roi", samples_outside_roi, VALUE_WHOLE, "samples", "samples before the first BLAS call or after the last"),
	C("samples_attributed", samples_attributed, VALUE_WHOLE, "samples", "samples in between, in known code"),
	C("samples_unknown", samples_unknown, VALUE_WHOLE, "samples", "samples in between, at unknown addresses"),
	C("throttled", throttled, VALUE_WHOLE, "", "times that the kernel throttled sampling"),
	C("own_ns", own_ns, VALUE_WHOLE, "ns", "blasprof's own cost, over all threads"),
	C("what_if", what_if, VALUE_CHARS, "", "what was changed to see what would be; empty: nothing"),
#undef C
};

static const struct report_column run_thread_columns[] = {
#define C(...) COLUMN(report_thread, __VA_ARGS__)
	C("pid", pid, VALUE_INT64, "", "process"),
	C("tid", tid, VALUE_INT64, "", "thread"),
	C("name", name, VALUE_CHARS, "", "the thread's name in the kernel"),
	C("role", role, VALUE_TEXT, "", "caller, BLAS worker or other"),
	C("alive_ns", alive_ns, VALUE_WHOLE, "ns", "its time inside the region of interest"),
	C("blas_ns", blas_ns, VALUE_WHOLE, "ns", "inside BLAS calls"),
	C("blas_waiting_ns", blas_waiting_ns, VALUE_WHOLE, "ns", "the part of blas_ns in which it was blocked"),
	C("other_ns", other_ns, VALUE_WHOLE, "ns", "computing outside BLAS"),
	C("waiting_ns", waiting_ns, VALUE_WHOLE, "ns", "blocked outside BLAS"),
	C("preempted_ns", preempted_ns, VALUE_WHOLE, "ns", "ready to run without a CPU"),
	C("calls", calls, VALUE_WHOLE, "calls", "outermost BLAS calls"),
	C("samples", samples, VALUE_WHOLE, "samples", "samples in it"),
#undef C
};

static const struct report_column warning_columns[] = {
#define C(...) COLUMN(report_warning, __VA_ARGS__)
	C("code", code, VALUE_CHARS, "", "name of the warning"),
	C("severity", severity, VALUE_SEVERITY, "", "note or warning"),
	C("text", text, VALUE_CHARS, "", "what was noticed"),
	C("remedy", remedy, VALUE_CHARS, "", "what to do about it; empty: nothing"),
	C("runs", runs, VALUE_INT, "runs", "how many runs it was noted in; 0: worked out from all of them"),
#undef C
};

static const struct report_column cell_columns[] = {
#define C(...) COLUMN(report_cell, __VA_ARGS__)
#define VALUE_WORD VALUE_CHARS
#define VALUE_LINE VALUE_CHARS
#define CELL_FIELD(name, kind, unit, doc) C(#name, cell.name, VALUE_##kind, unit, doc),
#include "store/cell.def"
	C("peak_gflops", peak_gflops, VALUE_REAL, "GFLOP/s", "the most at this precision with so many threads: the best cell of category peak"),
	C("peak_gbytes_per_s", peak_gbytes_per_s, VALUE_REAL, "GB/s", "the most with so many threads: the best cell of category copy over as many bytes or more"),
	C("share_of_peak", share_of_peak, VALUE_REAL, "", "gflops / peak_gflops or gbytes_per_s / peak_gbytes_per_s, whichever is more"),
#undef C
};
static const struct report_column fact_columns[] = {
#define C(...) COLUMN(report_fact, __VA_ARGS__)
	C("name", name, VALUE_TEXT, "", "what is told"),
	C("value", value, VALUE_TEXT, "", "as it was when the run began"),
#undef C
};

#define TABLE(name, doc, columns, rows, row)                                                       \
	{ name, doc, columns, sizeof(columns) / sizeof(columns)[0], sizeof(struct row),            \
	  offsetof(struct report, rows), offsetof(struct report, n##rows) }

const struct report_table report_tables[] = {
	TABLE("threads", "one row for each thread count", thread_columns, rows, report_row),
	TABLE("shapes", "one row for each thread count, region, routine and set of arguments", shape_columns, region_shapes, report_shape),
	TABLE("callers", "who calls BLAS: one row for each thread count, function and routine", caller_columns, callers, report_caller),
	TABLE("ceilings", "what the machine can do at most, where that was measured: one row for each thread count and ceiling", ceiling_columns, ceiling_rows, report_ceiling),
	TABLE("latencies", "how long calls took: one row for each thread count, top shape and bucket of its histogram", latency_columns, latencies, report_latency),
	TABLE("functions", "samples by function, one row for each thread count and function", function_columns, functions, report_function),
	TABLE("categories", "other code by category, one row for each thread count and category", category_columns, categories, report_category),
	TABLE("regions", "marked regions, one row for each thread count and region", region_columns, regions, report_region),
	TABLE("stacks", "samples by call stack, one row for each thread count, role and stack", stack_columns, stacks, report_stack),
	TABLE("waits", "what threads waited on, one row for each thread count, role, place and region", wait_columns, waits, report_wait),
	TABLE("counters", "counted events, one row for each thread count and event", counter_columns, counters, report_counter),
	TABLE("shape_counters", "events counted in BLAS calls, one row for each thread count, shape and event", shape_counter_columns, shape_counters, report_shape_counter),
	TABLE("mpi", "time in MPI, one row for each thread count and routine", mpi_columns, mpi, report_mpi),
	TABLE("processes", "one row for each process of the newest run", process_columns, processes, report_process),
	TABLE("parts", "where the threads' time went, and what lost speed-up: one row for each thread count and part", part_columns, parts, report_part),
	TABLE("lost", "what lost speed-up: one row for each thread count, part and contributor", loss_columns, losses, report_loss),
	TABLE("runs", "one row for each run", run_columns, runs, report_run),
	TABLE("run-threads", "one row for each thread of the newest run", run_thread_columns, threads, report_thread),
	TABLE(CELLS_TABLE, "what workloads/ceilings measured, one row for each kernel, size, threads and cache of one suite", cell_columns, cells, report_cell),
	TABLE("warnings", "doubts about the measurement, one row each", warning_columns, warnings, report_warning),
	TABLE("provenance", "what the newest run was made with and on, one row for each fact", fact_columns, facts, report_fact),
};
/* clang-format on */
const size_t report_tables_count = sizeof report_tables / sizeof report_tables[0];

const struct report_table *report_table_find(const char *name)
{
	if (!name)
		return &report_tables[0];
	for (size_t i = 0; i < report_tables_count; i++)
		if (!strcmp(report_tables[i].name, name))
			return &report_tables[i];
	return NULL;
}

int report_table_is_marked(const struct report *report, const struct report_table *table)
{
	if (!*report->what_if || !strcmp(table->name, CELLS_TABLE))
		return 0;
	for (size_t i = 0; i < table->ncolumns; i++)
		if (!strcmp(table->columns[i].name, WHAT_IF_COLUMN))
			return 0;
	return 1;
}

size_t report_table_rows(const struct report *report, const struct report_table *table)
{
	return *(const size_t *)((const char *)report + table->count);
}

const void *report_table_row(const struct report *report, const struct report_table *table,
			     size_t index)
{
	const char *rows;

	memcpy(&rows, (const char *)report + table->rows, sizeof rows);
	return index ? rows + index * table->row_size : rows;
}

int column_is_text(const struct report_column *column)
{
	return column->type == VALUE_TEXT || column->type == VALUE_CHARS ||
	       column->type == VALUE_SEVERITY;
}

const char *column_text(const struct report_column *column, const void *row)
{
	const char *field = (const char *)row + column->offset;

	if (column->type == VALUE_CHARS)
		return field;
	if (column->type == VALUE_SEVERITY)
		return severity_names[*(const enum severity *)field];
	if (column->type != VALUE_TEXT)
		return NULL;
	return *(char *const *)field ? *(char *const *)field : "";
}

double column_value(const struct report_column *column, const void *row)
{
	const char *field = (const char *)row + column->offset;

	switch (column->type) {
	case VALUE_INT:
		return *(const int *)field;
	case VALUE_INT64:
		return (double)*(const int64_t *)field;
	case VALUE_WHOLE:
		return isfinite(*(const double *)field) ? rint(*(const double *)field) : NAN;
	case VALUE_REAL:
		return isfinite(*(const double *)field) ? *(const double *)field : NAN;
	default:
		return NAN;
	}
}

static int real_text(double value, const char *format, char *text, size_t size)
{
	return isfinite(value) ? snprintf(text, size, format, value)
			       : snprintf(text, size, "%s", "");
}

int column_number(const struct report_column *column, const void *row, char *text, size_t size)
{
	const char *field = (const char *)row + column->offset;

	switch (column->type) {
	case VALUE_INT:
		return snprintf(text, size, "%d", *(const int *)field);
	case VALUE_INT64:
		return snprintf(text, size, "%" PRId64, *(const int64_t *)field);
	case VALUE_WHOLE:
		return real_text(*(const double *)field, "%.0f", text, size);
	case VALUE_REAL:
		return real_text(*(const double *)field, "%.15g", text, size);
	default:
		return snprintf(text, size, "%s", "");
	}
}
