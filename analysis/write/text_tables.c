/* text_tables.c: the tables of the text report. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "report/build.h"
#include "report/scaling.h"
#include "write/text_line.h"
#include "write/text_table.h"

#define COLUMNS(array) array, COUNT(array)
#define ALL	       SIZE_MAX

/* Defines a function that returns 1 if the condition holds for any `row` of the report's array. */
#define ANY(name, array, condition)                                                                \
	static int name(const struct report *report)                                               \
	{                                                                                          \
		EACH_ROW(row, report->array, report->n##array)                                     \
			if (condition)                                                             \
				return 1;                                                          \
		return 0;                                                                          \
	}

/* Defines a function that returns 1 if the condition holds for `row`, a struct of the given type.
 */
#define WHERE(name, type, condition)                                                               \
	static int name(const void *data)                                                          \
	{                                                                                          \
		const struct type *row = data;                                                     \
                                                                                                   \
		return condition;                                                                  \
	}

/* "4"; "4*" if that is more than the CPUs available; "4!" if all runs failed. */
TEXT_CELL(threads_text, report_row, "%d%s%s", row->threads,
	  row->threads > row->cpus_available ? "*" : "", row->failed ? "!" : "")
#define THREADS RIGHT("threads", threads_text, 0)

/* The wider columns fit only if the table has no column for an optional category. */
static int has_room(const struct report *report)
{
	for (int category = 0; category < CAT_COUNT; category++)
		if (time_categories[category].is_optional && text_has_category(report, category))
			return 0;
	return 1;
}

static double account_split(const struct text_table *table, const void *data, double ns[PARTS])
{
	const struct report_row *row = data;

	memcpy(ns, row->account.category_ns, sizeof row->account.category_ns);
	ns[PART_BLOCKED] = row->account.blas_waiting_ns;
	return row->threads * row->account.wall_ns;
}

TEXT_VALUE(run_wall, report_row, row->account.wall_ns / row->runs)
TEXT_VALUE(row_gflops, report_row, row->flops_per_s / 1e9)

static void head_accounts(const struct report *report, size_t shown, size_t count, FILE *out)
{
	int repeats = 0;

	EACH_ROW(row, report->rows, count)
		repeats |= row->runs > 1;
	text_title(out, "Where the threads' time goes, in %% of threads x wall time.");
	text_say(out, "",
		 "f int, f smp: BLAS share of the work, by interception and by samples. blocked: "
		 "the part of BLAS in which threads were blocked. waiting: blocked outside BLAS, "
		 "not yet started, or ended already. no CPU: ready to run, but without a CPU.%s",
		 repeats ? " wall: mean of the runs. calls: total of the runs." : "");
}

static const struct text_column account_columns[] = {
	THREADS,
	{"runs", "runs", AS_INT},
	NUMBER("wall", AS_TIME, run_wall),
	{"f_intercepted", "f int", AS_FRACTION},
	{"f_sampled", "f smp", AS_FRACTION},
	{.split = account_split},
	{"calls", "calls", AS_COUNT},
	NUMBER("GFLOP/s", AS_FIGURES, row_gflops, .is_shown = has_room),
	{"throughput", NULL, AS_COUNT},
};

static void write_marks(const struct report *report, FILE *out)
{
	int over = 0, failed = 0;

	EACH_ROW(row, report->rows, report->nrows) {
		over |= row->threads > row->cpus_available;
		failed |= row->failed;
	}
	if (over)
		fputs("* more threads than CPUs available\n", out);
	if (failed)
		fputs("! all runs at this thread count failed\n", out);
}

/* The mean of the runs; the row has the sum and the interval of the sum. */
TEXT_OF(wall_range_text, report_row,
	range_text(AS_TIME, row->account.wall_ns / row->runs, row->wall_range.low / row->runs,
		   row->wall_range.high / row->runs))

TEXT_OF(share_range_text, report_row,
	range_text(AS_SHARE, account_share(&row->account, (enum category)column->index),
		   row->share_range[column->index].low, row->share_range[column->index].high))

static const struct text_column rate_columns[] = {
	THREADS,
	{"runs", "runs", AS_INT},
	{"f_intercepted", "f int", AS_FRACTION, .with_range = 1},
	{"f_sampled", "f smp", AS_FRACTION, .with_range = 1},
	{"throughput", NULL, AS_COUNT, .with_range = 1},
	{"speedup", "speed-up", AS_NUMBER, .with_range = 1},
};
static const struct text_column share_columns[] = {
	THREADS,
	RIGHT("wall", wall_range_text, 0),
	{.each_category = 1, .text = share_range_text, .form = AS_RIGHT},
};

ANY(has_repeats, rows, isfinite(row->throughput_range.low) && isfinite(row->throughput_range.high))

TEXT_FUNCTION(prediction_text)
{
	const struct report_row *row = data;
	const struct interval *predicted = &row->predicted[column->index];
	const struct model *chosen = table->data;
	int has_ends = chosen == &models[column->index];

	return estimate_text(row->f_estimated, AS_NUMBER, predicted->value,
			     has_ends ? predicted->low : NAN, predicted->high);
}

TEXT_OF(error_text, report_row, human_error(row->predicted[column->index].value / row->speedup - 1))

static void write_assumptions(const struct report *report, const struct model *chosen, FILE *out)
{
	const struct scaling *scaling = &report->scaling;
	const char *check = scaling_check_text(scaling);

	text_title(out,
		   "Speed-up over one thread: measured, and predicted by each model from d = "
		   "%s%.3f, for %s. err: error of the prediction. amdahl: the published baseline, "
		   "for one unit.%s%s %s",
		   scaling->f_estimated ? "~" : "", scaling->input.d.value,
		   scaling_units_text(scaling),
		   scaling->input.has_usl ? " usl: fitted to the measured speed-ups." : "",
		   scaling->f_estimated ? " ~: estimated from the fastest calls, since there is no "
					  "run with one thread."
					: "",
		   chosen ? string_printf("%s is the model for this program.", chosen->name)
			  : "There is no model for callers whose BLAS calls use further threads.");
	text_say(out, "", "How the threads meet: %s%s%s.", scaling_meeting_text(scaling),
		 *check ? "; " : "", check);
	text_say(out, "", "Shared units: %s%s.", scaling_fit_text(scaling),
		 scaling_fit_is_doubtful(scaling)
			 ? "; most of the loss is not in BLAS, so this also stands for other "
			   "causes, and nothing is predicted from it"
			 : "");
}

static void write_speedups(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		THREADS, {"speedup", "measured", AS_NUMBER, .with_range = 1}};
	const struct model_input *input = &report->scaling.input;
	const struct model *chosen = model_chosen(input);
	struct text_table table;

	if ((report->nrows < 2 && !report->scaling.f_estimated) || !isfinite(input->d.value))
		return;
	write_assumptions(report, chosen, out);
	text_table_begin(&table, report, "threads");
	table.data = chosen;
	text_table_add(&table, COLUMNS(columns));
	for (size_t i = 0; i < MODELS; i++) {
		if (!(models[i].applies & 1 << input->meeting) ||
		    !model_is_known(&models[i], input))
			continue;
		text_table_add(&table,
			       &(struct text_column)RIGHT(models[i].name, prediction_text, i), 1);
		if (!models[i].is_limit)
			text_table_add(&table, &(struct text_column)RIGHT("err", error_text, i), 1);
	}
	text_table_print_array(&table, report->rows, sizeof *report->rows, report->nrows, out);
}

static void drop_column(struct text_table *table, const char *heading)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->ncolumns; i++)
		if (strcmp(table->columns[i].heading, heading) != 0)
			table->columns[kept++] = table->columns[i];
	table->ncolumns = kept;
}

/* Returns 1 if the table fits the terminal with one line for each row. */
static int fits_terminal(const struct text_table *table, const void *const *rows, size_t count)
{
	struct memory_file memory;
	int lines;

	text_table_print(table, rows, count, memory_file_begin(&memory));
	lines = text_lines(&memory);
	memory_file_end(&memory);
	free(memory.text);
	return lines <= (int)count + 1;
}

/* Samples found matrix work outside BLAS calls, so that f alone is not all of it. */
static int has_matrix_samples(const struct report *report)
{
	return report_way_samples(report, text_threads(report)) != NULL;
}

#define SHARE_SHOWN_MIN 0.0005 /* a smaller f is printed as 0.000 */

/* The columns that are dropped, in this order, until the table fits. */
static const char *const dispensable_columns[] = {"blocked", "f",     "predicted",
						  "no CPU",  "f smp", "spin"};

void text_brief_table(const struct report *report, const void *const *rows, size_t count, FILE *out)
{
	static const struct text_column columns[] = {
		THREADS,
		{"f_intercepted", "f", AS_FRACTION},
		{"f_sampled", "f smp", AS_FRACTION, .is_shown = has_matrix_samples},
		{.split = account_split},
		{"speedup", "speed-up", AS_NUMBER, .with_range = 1},
	};
	const struct model *chosen = model_chosen(&report->scaling.input);
	struct text_table table;

	text_table_begin(&table, report, "threads");
	table.data = chosen;
	text_table_add(&table, COLUMNS(columns));
	/* if no time is in BLAS, the prediction is the ideal */
	if (chosen && report->scaling.input.d.value >= SHARE_SHOWN_MIN)
		text_table_add(&table,
			       &(struct text_column)RIGHT("predicted", prediction_text,
							  (size_t)(chosen - models)),
			       1);
	for (size_t i = 0; i < COUNT(dispensable_columns) && !fits_terminal(&table, rows, count);
	     i++)
		drop_column(&table, dispensable_columns[i]);
	text_table_print(&table, rows, count, out);
}

TEXT_VALUE(ideal, report_row, row->lost.ideal)

TEXT_OF(loss_text, report_row,
	range_text(AS_NUMBER, row->lost.ideal - row->speedup, row->speedup_range.low,
		   row->speedup_range.high))
TEXT_OF(category_loss_text, report_row,
	range_text(AS_NUMBER, row->lost.lost[column->index], row->lost_range[column->index].low,
		   row->lost_range[column->index].high))

WHERE(has_loss, report_row, row->threads > 1 && isfinite(row->speedup))

static const struct text_column loss_columns[] = {
	THREADS,
	NUMBER("ideal", AS_NUMBER, ideal),
	{"speedup", "measured", AS_NUMBER},
	RIGHT("lost", loss_text, 0),
	{.each_category = 1, .text = category_loss_text, .form = AS_RIGHT},
};

WHERE(has_efficiency, report_row, isfinite(row->efficiency.global))

static const struct text_column efficiency_columns[] = {
	THREADS,
	{"global_efficiency", "global", AS_FRACTION},
	{"parallel_efficiency", "parallel", AS_FRACTION},
	{"load_balance", "balance", AS_FRACTION},
	{"communication_efficiency", "communication", AS_FRACTION},
	{"computation_efficiency", "computation", AS_FRACTION},
	{"instruction_scaling", "instructions", AS_FRACTION},
	{"ipc_scaling", "IPC", AS_FRACTION},
	{"frequency_scaling", "frequency", AS_FRACTION},
};

#define LOSS_SHOWN_MIN 0.005

COMPARE(compare_losses, struct report_loss *const, ORDER(fabs((*b)->lost), fabs((*a)->lost)))

static void write_contributors(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{"lost", "lost", AS_NUMBER}, {"part", "part"}, {"contributor", "to", AS_TEXT, 72}};
	const struct report_row *focus = text_focus(report);
	int threads = report->nlosses ? report->losses[report->nlosses - 1].threads : 0;
	const void **rows = memory_rows(report->nlosses, sizeof *rows);
	struct text_table table;
	size_t count = 0;

	if (focus && focus->threads > 1 && isfinite(focus->speedup))
		threads = focus->threads;
	EACH_AT(loss, report, losses, threads)
		if (fabs(loss->lost) >= LOSS_SHOWN_MIN)
			rows[count++] = loss;
	if (count) {
		qsort(rows, count, sizeof *rows, compare_losses);
		text_title(out, "The largest contributors at %d threads: %zu of %zu", threads,
			   text_limit(report, count), count);
		text_table_begin(&table, report, "lost");
		text_table_add(&table, COLUMNS(columns));
		text_table_print(&table, rows, text_limit(report, count), out);
	}
	free(rows);
}

/* Defines a function that splits the time of `row`, a struct of the given type with this struct
 * time_split. */
#define SPLIT(name, type, times, whole)                                                            \
	static double name(const struct text_table *table, const void *data, double ns[PARTS])     \
	{                                                                                          \
		const struct type *row = data;                                                     \
                                                                                                   \
		EACH_CATEGORY(category)                                                            \
			ns[category] = (double)row->times.ns[category];                            \
		ns[PART_BLOCKED] = (double)row->times.blas_waiting_ns;                             \
		return whole;                                                                      \
	}

SPLIT(region_split, report_region, sum.times, (double)time_split_total(&row->sum.times))

TEXT_OF(region_threads, report_region,
	threads_text(table, column, report_find_row(table->report, row->threads)))

static const struct text_column region_columns[] = {
	RIGHT("threads", region_threads, 0),
	{"region", "region", AS_TEXT, 20},
	{"entries", "entries", AS_COUNT},
	{"share", "share", AS_SHARE},
	{"f", "f", AS_FRACTION},
	{.split = region_split},
	{"calls", "calls", AS_COUNT},
	{"gflops", "GFLOP/s", AS_FIGURES, .is_shown = has_room},
};

TEXT_VALUE(mpi_mean, report_mpi, (double)row->sum.total_ns / (double)row->sum.calls)

static const struct text_column mpi_columns[] = {
	{"routine", "routine", AS_TEXT, 28}, {"calls", "calls", AS_COUNT},
	{"total_ns", "total", AS_TIME},	     NUMBER("mean", AS_TIME, mpi_mean),
	{"max_ns", "max", AS_TIME},	     {"share", "share", AS_SHARE},
};

TEXT_CELL(transposes, report_shape, "%s%s", row->shown.transa, row->shown.transb)

/* The dimension whose offset in the row is column->index; NAN if the shape has none. */
static double dimension(const struct text_table *table, const struct text_column *column,
			const void *data)
{
	double size = *(const double *)((const char *)data + column->index);

	return size > 0 ? size : NAN;
}

#define DIMENSION(name)                                                                            \
	{                                                                                          \
		.heading = #name, .form = AS_INT, .value = dimension,                              \
		.index = offsetof(struct report_shape, shown.name)                                 \
	}
#define SHAPE_NAME                                                                                 \
	{"routine", "routine", AS_TEXT, 32}, TEXT("op", 8, transposes, .form = AS_NAME),           \
		DIMENSION(m), DIMENSION(n), DIMENSION(k)

/* A routine was called by a name other than its common one. */
ANY(has_variants, shapes, *row->sum.shape.variant)
/* Calls were found in more than one way. */
ANY(has_ways, shapes, strcmp(row->sum.shape.way, report->shapes[0].sum.shape.way) != 0)
/* The routine's name does not tell the precision. */
ANY(has_precisions, shapes, strcmp(row->sum.shape.way, "blas") != 0)
ANY(has_units, shapes, *row->unit_name)
/* Calls were without a CPU for some time, so that their wall time exceeds the total. */
ANY(lacked_cpus, shapes, row->wall_ns > 1.01 * (double)row->sum.total_ns)
/* BLAS's own threads took part in some call. */
ANY(has_workers, shapes, row->threads == text_threads(report) && row->sum.samples_workers > 0)

TEXT_CELL(called_as, report_shape, "%s", *row->sum.shape.variant ? row->sum.shape.variant : "X")

TEXT_VALUE(shape_mean, report_shape, (double)row->sum.total_ns / (double)row->sum.calls)

TEXT_VALUE(shape_share, report_shape, row->share)

static void head_shapes(const struct report *report, size_t shown, size_t count, FILE *out)
{
	int threads = text_threads(report);

	text_title(out,
		   "BLAS calls by shape at %s: %zu of %zu, by total time. share: %% of "
		   "the total time of all calls.%s%s",
		   human_noun(threads, "thread"), shown, count,
		   lacked_cpus(report) ? " wall: total, plus the time without a CPU." : "",
		   has_workers(report) ? " workers: % of the calls' samples in BLAS's own threads."
				       : "");
}

static const struct text_column shape_columns[] = {
	TEXT("called as", 24, called_as, .is_shown = has_variants),
	{"way", "way", AS_TEXT, 16, .is_shown = has_ways},
	SHAPE_NAME,
	{"precision", "precision", AS_TEXT, 16, .is_shown = has_precisions},
	{"unit", "unit", AS_TEXT, 16, .is_shown = has_units},
	{"calls", "calls", AS_COUNT},
	{"total_ns", "total", AS_TIME},
	{"wall_ns", "wall", AS_TIME, .is_shown = lacked_cpus},
	NUMBER("mean", AS_TIME, shape_mean),
	{"p50_ns", "p50", AS_TIME},
	{"p95_ns", "p95", AS_TIME},
	{"gflops", "GFLOP/s", AS_FIGURES},
	NUMBER("share", AS_SHARE, shape_share),
	{"worker_share", "workers", AS_SHARE, .is_shown = has_workers},
};
/* The shapes summed over all regions; the table `shapes' lists them by region. */
#define SUMMED_SHAPES                                                                              \
	.rows = offsetof(struct report, shapes), .count = offsetof(struct report, nshapes)

TEXT_VALUE(ceiling_gflops, report_shape, row->roofline.ceiling_flops_per_s / 1e9)

static void head_roofline(const struct report *report, size_t shown, size_t count, FILE *out)
{
	const struct ceilings *ceilings = &report->ceilings;
	const char *measured = report_fact(report, "ceilings_measured");
	int threads = text_threads(report);

	text_title(out,
		   "Roofline at %d thread%s. share: %% of the ceiling of a call, which is "
		   "min(peak, flops/byte x bandwidth). from: the nearest cache or memory that "
		   "holds the operands. bound: what limits the calls. Ceilings with %.0f CPU%s: %s "
		   "GFLOP/s single, %s GFLOP/s double, %s GB/s memory (measured %s).",
		   threads, plural(threads), ceilings->cpus, ceilings->cpus > 1 ? "s" : "",
		   human_figures(ceilings->flops_per_s[PRECISION_SINGLE].all / 1e9),
		   human_figures(ceilings->flops_per_s[PRECISION_DOUBLE].all / 1e9),
		   human_figures(ceilings->bytes_per_s[LEVEL_MEMORY].all / 1e9),
		   measured ? measured : "at an unknown time");
}

static const struct text_column roofline_columns[] = {
	SHAPE_NAME,
	{"intensity", "flops/byte", AS_FIGURES},
	{"level", "from"},
	{"gflops", "GFLOP/s", AS_FIGURES},
	NUMBER("ceiling", AS_FIGURES, ceiling_gflops),
	{"ceiling_share", "share", AS_SHARE},
	{"bound", "bound"},
};

static int has_ceilings(const struct report *report)
{
	return report->ceilings.cpus > 0;
}

static void write_no_ceilings(const struct report *report, FILE *out)
{
	if (report->nshapes && !has_ceilings(report))
		text_title(out, "Roofline: this machine's peak and bandwidth are not measured yet. "
				"Run 'blasprof doctor --measure', then 'blasprof report'.");
}

/* "train.c:31", or "train.c" if there is no line. */
static const char *place_text(const char *path, int line)
{
	return string_printf(line ? "%.200s:%d" : "%.200s", object_name(path), line);
}

TEXT_OF(caller_place, report_caller,
	place_text(*row->sum.location.file ? row->sum.location.file : row->sum.location.object,
		   row->sum.location.line))

TEXT_OF(called_at, report_wait,
	row->sum.line	   ? place_text(row->sum.file, row->sum.line)
	: *row->sum.caller ? row->sum.caller
			   : "-")

static const struct text_column caller_columns[] = {
	{"share", "share", AS_SHARE},	     {"total_ns", "total", AS_TIME},
	{"calls", "calls", AS_COUNT},	     {"routine", "routine", AS_TEXT, 16},
	{"function", "caller", AS_TEXT, 24}, {"inlined_into", "inlined into", AS_NAME, 20},
	TEXT("at", 20, caller_place),
};

WHERE(is_callers, report_wait, row->is_caller)

ANY(has_wait_regions, waits,
    row->threads == text_threads(report) && row->is_caller && *row->sum.region)

TEXT_CELL(wait_kind, report_wait, "%s%s", row->sum.kind, row->sum.in_blas ? " (BLAS)" : "")

TEXT_VALUE(wait_uneven, report_wait, strcmp(row->sum.kind, "barrier") ? NAN : row->uneven_ns)

static const struct text_column wait_columns[] = {
	{"share", "share", AS_SHARE},
	{"total_ns", "total", AS_TIME},
	{"waits", "waits", AS_COUNT},
	{"longest_ns", "longest", AS_TIME},
	NUMBER("uneven", AS_TIME, wait_uneven),
	TEXT("waits on", 17, wait_kind),
	{"function", "in", AS_NAME, 24},
	TEXT("called at", 24, called_at),
	{"region", "region", AS_NAME, 12, .is_shown = has_wait_regions},
};

enum { PATH_WIDTH = 84 };

/* "leaf < its caller < ...": the innermost functions, as many whole names as fit. */
TEXT_FUNCTION(innermost)
{
	const char *stack = ((const struct report_stack *)data)->stack;
	const char *end = stack + strlen(stack);
	char text[PATH_WIDTH + 1] = "";
	size_t length = 0;

	while (end > stack) {
		const char *start = end;
		size_t bytes;

		while (start > stack && start[-1] != ';')
			start--;
		bytes = (size_t)(end - start);
		if (length && length + bytes + (start > stack ? 9 : 3) > PATH_WIDTH) {
			snprintf(text + length, PATH_WIDTH + 1 - length, " < ...");
			break;
		}
		snprintf(text + length, PATH_WIDTH + 1 - length, "%s%.*s", length ? " < " : "",
			 (int)bytes, start);
		length = strlen(text);
		end = start > stack ? start - 1 : stack;
	}
	return string_pooled(text);
}

static void head_stacks(const struct report *report, size_t shown, size_t count, FILE *out)
{
	double sum = 0, cut = 0;

	EACH_AT(stack, report, stacks, text_threads(report)) {
		sum += stack->samples;
		cut += stack->whole ? 0 : stack->samples;
	}
	text_say(out, "",
		 "Each function is called by the one after it. %s %% of the samples have an "
		 "incomplete stack, which ends before the start of the thread%s.",
		 human_share(cut / sum),
		 cut > sum / 10 ? "; deep stacks need --call-graph=dwarf,65000" : "");
}

static const struct text_column stack_columns[] = {
	{"share", "share", AS_SHARE},
	{"samples", "samples", AS_COUNT},
	TEXT("stack", PATH_WIDTH, innermost),
};

static void head_categories(const struct report *report, size_t shown, size_t count, FILE *out)
{
	int threads = text_threads(report);

	text_title(out,
		   "Other code by category at %s (share: %% of all samples; of other: %% "
		   "of the samples outside BLAS)",
		   human_noun(threads, "thread"));
}

static const struct text_column category_columns[] = {
	{"share", "share", AS_SHARE},
	{"share_other", "of other", AS_SHARE},
	{"samples", "samples", AS_COUNT},
	{"category", "category", AS_TEXT, 26},
	{"hottest", "most of it in", AS_TEXT, 46},
};

WHERE(is_outside_blas, report_function, !function_is_blas(row))

TEXT_OF(function_object, report_function, object_name(row->sum.location.object))

TEXT_OF(function_place, report_function,
	row->sum.location.line > 0 && *row->sum.location.file
		? place_text(row->sum.location.file, row->sum.location.line)
		: "")

static const struct text_column function_columns[] = {
	{"share", "share", AS_SHARE},
	{"samples", "samples", AS_COUNT},
	{"function", "function", AS_TEXT, 29},
	{"inlined_into", "inlined into", AS_NAME, 20},
	TEXT("object", 14, function_object),
	{"category", "category", AS_TEXT, 14},
	TEXT("hottest line", 21, function_place),
};

static int has_ranks(const struct report *report)
{
	return report->nprocesses && report->processes[report->nprocesses - 1].process.rank >= 0;
}

ANY(has_hosts, processes, strcmp(row->process.host, report->processes[0].process.host) != 0)

TEXT_VALUE(rank, report_process, row->process.rank < 0 ? NAN : row->process.rank)
TEXT_VALUE(process_callers, report_process, row->process.intercepted ? row->callers : NAN)
TEXT_VALUE(process_alive, report_process, row->callers > 0 ? row->alive_ns : NAN)
TEXT_VALUE(process_calls, report_process, row->process.intercepted ? row->calls : NAN)

SPLIT(process_split, report_process, times, row->callers > 0 ? row->thread_ns : NAN)

static void head_processes(const struct report *report, size_t shown, size_t count, FILE *out)
{
	text_title(out, "Processes of %s, in %% of their threads' time: %zu of %zu",
		   text_run(report->runs[report->threads_run].id), shown, count);
	if (isfinite(report->imbalance))
		fprintf(out, "Imbalance: the busiest rank computes %.0f %% longer than the mean.\n",
			100 * report->imbalance);
}

static const struct text_column process_columns[] = {
	NUMBER("rank", AS_INT, rank, .is_shown = has_ranks),
	{"host", "host", AS_RIGHT, 10, .is_shown = has_hosts},
	{"process", "process", AS_INT},
	{"command", "command", AS_TEXT, 12},
	NUMBER("callers", AS_COUNT, process_callers),
	NUMBER("alive", AS_TIME, process_alive),
	{.split = process_split},
	NUMBER("calls", AS_COUNT, process_calls),
	{"samples", "samples", AS_COUNT},
};

static int has_processes(const struct report *report)
{
	return report->nprocesses > 1;
}

#define THREADS_SHOWN 32

SPLIT(thread_split, report_thread, thread.times, row->thread.calls > 0 ? row->alive_ns : NAN)

WHERE(is_busy, report_thread, row->thread.calls || row->samples > 0)

static void head_threads(const struct report *report, size_t shown, size_t count, FILE *out)
{
	text_title(out, "Threads of %s, in %% of the time each was alive: %zu of %zu%s",
		   text_run(report->runs[report->threads_run].id), shown, report->nthreads,
		   shown < THREADS_SHOWN && shown < report->nthreads ? "; the others were idle"
								     : "");
}

static const struct text_column thread_columns[] = {
	{"tid", "thread", AS_INT},
	{"name", "name", AS_TEXT, 14},
	{"role", "role"},
	{"alive_ns", "alive", AS_TIME},
	{.split = thread_split},
	{"calls", "calls", AS_COUNT},
	{"samples", "samples", AS_COUNT},
};

/* The verdict has only the first, and its remedy. */
static void write_causes(const struct report *report, FILE *out)
{
	int threads = 0;

	if (report->ncauses < 2)
		return;
	EACH_ROW(cause, report->causes, report->ncauses) {
		if (cause->threads != threads)
			text_title(out, "Causes of the lost speed-up at %s:",
				   human_noun(cause->threads, "thread"));
		threads = cause->threads;
		text_say(out, "", "%s: %s", cause->cause, report_cause_text(cause));
		if (*cause->remedy)
			text_wrap("      -> ", cause->remedy, out);
	}
}

/* The full report in order: tables with what follows them, and functions. */
static const struct text_section sections[] = {
	{.write = text_header},
	{.write = text_verdict},
	{.write = write_causes},
	{"threads", COLUMNS(account_columns), .write_head = head_accounts, .all_threads = 1,
	 .most = ALL, .write = write_marks},
	{"threads", COLUMNS(rate_columns),
	 .says = "Repeated runs. ± is half the width of the 95 % confidence interval.",
	 .applies = has_repeats, .all_threads = 1, .most = ALL},
	{"threads", COLUMNS(share_columns),
	 .says = "Share of each category, in % (mean of the runs):", .applies = has_repeats,
	 .all_threads = 1, .most = ALL},
	{.write = write_speedups},
	{"threads", COLUMNS(loss_columns),
	 .says = "Where the lost speed-up went: the categories add up to the column lost; a value "
		 "below 0 is a gain. A cause may lose time in several: threads without a CPU let "
		 "others wait or spin.",
	 .all_threads = 1, .is_shown = has_loss, .most = ALL, .write = write_contributors},
	{"threads", COLUMNS(efficiency_columns),
	 .says = "POP's efficiencies: global = parallel x computation; parallel = balance x "
		 "communication; speed-up = threads x global / (global at 1 thread).",
	 .all_threads = 1, .is_shown = has_efficiency, .most = ALL},
	{"waits", COLUMNS(wait_columns), "What the callers waited on", "",
	 "share: % of the callers' time. uneven: difference between the threads that waited "
	 "longest and shortest at the barrier. run queue: ready to run, but without a CPU. (BLAS): "
	 "inside a BLAS call.",
	 .is_shown = is_callers},
	{"regions", COLUMNS(region_columns),
	 .says = "Regions that the program marked. share: % of the callers' time. f: BLAS share of "
		 "the work in the region. BLAS to no CPU: % of the region's time. GFLOP/s: rate "
		 "inside BLAS.",
	 .all_threads = 1, .most_each = 1, .most = ALL},
	{"mpi", COLUMNS(mpi_columns), "MPI calls",
	 ", by total time (share: % of the callers' time)"},
	{"shapes", COLUMNS(shape_columns), .write_head = head_shapes, SUMMED_SHAPES},
	{"callers", COLUMNS(caller_columns), "Who calls BLAS",
	 ", by total time in the calls. share: % of the time in all calls."},
	{"shapes", COLUMNS(roofline_columns), .write_head = head_roofline, SUMMED_SHAPES,
	 .applies = has_ceilings, .write = write_no_ceilings},
	{.write = text_counters},
	{"categories", COLUMNS(category_columns), .write_head = head_categories, .most = ALL},
	{"functions", COLUMNS(function_columns), "Functions outside BLAS",
	 ", by share of all samples (%)", .is_shown = is_outside_blas},
	{"stacks", COLUMNS(stack_columns), "Call stacks with most samples", "",
	 .write_head = head_stacks},
	{"processes", COLUMNS(process_columns), .write_head = head_processes,
	 .applies = has_processes, .all_threads = 1},
	{"run-threads", COLUMNS(thread_columns), .write_head = head_threads, .all_threads = 1,
	 .is_shown = is_busy, .most = THREADS_SHOWN},
	{.write = text_closing},
};

void text_full(const struct report *report, FILE *out)
{
	EACH_ROW(section, sections, COUNT(sections)) {
		if (section->table)
			text_section_write(report, section, out);
		if (section->write)
			section->write(report, out);
	}
}
