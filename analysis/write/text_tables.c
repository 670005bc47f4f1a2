/* text_tables.c: the tables of the report for people. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "report/build.h"
#include "report/scaling.h"
#include "write/text.h"
#include "write/text_table.h"

#define COUNT(array)	 (sizeof(array) / sizeof(array)[0])
#define COLUMNS(columns) columns, COUNT(columns)

/* What a section shows of a table of the report: the rows at the thread count that the text is on,
 * options.top of them at most. */
struct section {
	const char *table;
	const struct text_column *columns;
	size_t ncolumns;
	const char *title, *after;	  /* "TITLE at 4 threads: 10 of 12AFTER" */
	int (*is_shown)(const void *row); /* NULL: all of the thread count */
	const void *rows;		  /* NULL: those of the table */
	size_t count;
	void (*write_note)(const struct report *report, int threads, FILE *out); /* NULL: none */
};

static int row_threads(const struct table *table, const void *row)
{
	return *(const int *)((const char *)row + table->fields[0].offset);
}

static int write_section(const struct report *report, const struct section *section, FILE *out)
{
	const struct table *from = report_table_find(section->table);
	const struct report_row *focus = text_focus(report);
	size_t count = section->rows ? section->count : table_count(from, report), found = 0;
	const char *all = section->rows ? section->rows : count ? table_row(from, report, 0) : NULL;
	const void **rows = calloc(count + 1, sizeof *rows);
	struct text_table table;
	int failed = !rows;

	for (size_t i = 0; rows && focus && i < count; i++) {
		const void *row = all + i * from->row_size;

		if (row_threads(from, row) == focus->threads &&
		    (!section->is_shown || section->is_shown(row)))
			rows[found++] = row;
	}
	if (found) {
		size_t shown = text_limit(report, found);

		text_title(out, "%s at %d thread%s: %zu of %zu%s", section->title, focus->threads,
			   plural(focus->threads), shown, found, section->after);
		if (section->write_note)
			section->write_note(report, focus->threads, out);
		text_table_begin(&table, report, section->table);
		text_table_add(&table, section->columns, section->ncolumns);
		failed = text_table_print(&table, rows, shown, out);
	}
	free(rows);
	return failed ? -1 : 0;
}

/* "4", "4*" over the CPUs available, "4!" where only failed runs are there. */
TEXT_CELL(threads_text)
{
	const struct report_row *row = data;

	snprintf(text, TEXT_CELL_MAX, "%d%s%s", row->threads,
		 row->threads > row->cpus_available ? "*" : "", row->failed ? "!" : "");
}
#define THREADS                                                                                    \
	{                                                                                          \
		.heading = "threads", .text = threads_text, .is_right = 1                          \
	}

static void write_marks(const struct report *report, FILE *out)
{
	int over = 0, failed = 0;

	for (size_t i = 0; i < report->nrows; i++) {
		over |= report->rows[i].threads > report->rows[i].cpus_available;
		failed |= report->rows[i].failed;
	}
	if (over)
		fputs("* more threads than CPUs available\n", out);
	if (failed)
		fputs("! all runs at this thread count failed\n", out);
}

/* There is room for all columns where no category is added. */
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

	(void)table;
	memcpy(ns, row->account.category_ns, sizeof row->account.category_ns);
	ns[PART_STALL] = row->account.blas_waiting_ns;
	return row->threads * row->account.wall_ns;
}

TEXT_VALUE(run_wall)
{
	const struct report_row *row = data;

	return row->account.wall_ns / row->runs;
}

TEXT_VALUE(row_gflops)
{
	return ((const struct report_row *)data)->flops_per_s / 1e9;
}

static int has_repeats(const struct report *report)
{
	for (size_t i = 0; i < report->nrows; i++)
		if (report->rows[i].runs > 1)
			return 1;
	return 0;
}

/* "steps/s" */
static void rate_heading(const struct report *report, char text[32])
{
	snprintf(text, 32, "%.15s/s", report->work_unit);
}

int text_accounts(const struct report *report, FILE *out)
{
	char rate[32];
	const struct text_column columns[] = {
		THREADS,
		{"runs", "runs", AS_INT},
		{.heading = "wall", .form = AS_TIME, .value = run_wall},
		{"f_intercepted", "f int", AS_FRACTION},
		{"f_sampled", "f smp", AS_FRACTION},
		{.split = account_split},
		{"calls", "calls", AS_COUNT},
		{.heading = "GFLOP/s",
		 .form = AS_FIGURES,
		 .value = row_gflops,
		 .is_shown = has_room},
		{"throughput", rate, AS_COUNT},
	};
	struct text_table table;

	if (!report->nrows)
		return 0;
	text_title(out, "Where the threads' time goes, in %% of threads x wall time.");
	text_wrap("",
		  has_repeats(report)
			  ? "f: BLAS share of the work, by interception and by samples; stall: "
			    "the part of BLAS spent blocked; waiting: blocked outside BLAS, or not "
			    "yet or no longer there. wall: of one run, on average; calls: of all "
			    "runs."
			  : "f: BLAS share of the work, by interception and by samples; stall: "
			    "the part of BLAS spent blocked; waiting: blocked outside BLAS, or not "
			    "yet or no longer there.",
		  out);
	rate_heading(report, rate);
	text_table_begin(&table, report, "threads");
	text_table_add(&table, COLUMNS(columns));
	if (text_table_print_array(&table, report->rows, sizeof *report->rows, report->nrows, out))
		return -1;
	write_marks(report, out);
	return 0;
}

/* Of one run, where the interval is of the sum. */
TEXT_CELL(wall_range_text)
{
	const struct report_row *row = data;

	range_text(AS_TIME, row->account.wall_ns / row->runs, row->wall_range.low / row->runs,
		   row->wall_range.high / row->runs, text);
}

TEXT_CELL(share_range_text)
{
	const struct report_row *row = data;
	const struct report_range *range = &row->share_range[column->index];
	double all_ns = row->account.threads * row->account.wall_ns;

	range_text(AS_SHARE, row->account.category_ns[column->index] / all_ns, range->low,
		   range->high, text);
}

/* A column for each category that is shown. */
static void add_categories(struct text_table *table,
			   void (*cell)(const struct text_table *table,
					const struct text_column *column, const void *row,
					char text[TEXT_CELL_MAX]))
{
	for (size_t i = 0; i < CAT_COUNT; i++)
		if (text_has_category(table->report, (int)i))
			table->columns[table->ncolumns++] =
				(struct text_column){.heading = time_categories[i].label,
						     .text = cell,
						     .is_right = 1,
						     .index = i};
}

int text_repeats(const struct report *report, FILE *out)
{
	char rate[32];
	const struct text_column rates[] = {
		THREADS,
		{"runs", "runs", AS_INT},
		{"f_intercepted", "f int", AS_FRACTION, .with_range = 1},
		{"f_sampled", "f smp", AS_FRACTION, .with_range = 1},
		{"throughput", rate, AS_COUNT, .with_range = 1},
		{"speedup", "speed-up", AS_NUMBER, .with_range = 1},
	};
	static const struct text_column shares[] = {
		THREADS, {.heading = "wall", .text = wall_range_text, .is_right = 1}};
	struct text_table table;
	size_t shown = 0;

	for (size_t i = 0; i < report->nrows; i++)
		shown += isfinite(report->rows[i].throughput_range.low) &&
			 isfinite(report->rows[i].throughput_range.high);
	if (!shown)
		return 0;
	text_title(out, "Repeated runs. ±: half the width of the 95 %% interval; 95 of 100 such "
			"intervals hold the true value.");
	rate_heading(report, rate);
	text_table_begin(&table, report, "threads");
	text_table_add(&table, COLUMNS(rates));
	if (text_table_print_array(&table, report->rows, sizeof *report->rows, report->nrows, out))
		return -1;
	text_title(out, "Likewise, of one run, the parts in %%:");
	table.ncolumns = 0;
	text_table_add(&table, COLUMNS(shares));
	add_categories(&table, share_range_text);
	return text_table_print_array(&table, report->rows, sizeof *report->rows, report->nrows,
				      out);
}

TEXT_CELL(prediction_text)
{
	const struct report_row *row = data;
	const struct report_range *range = &row->predicted_range[column->index];
	const struct model *chosen = table->data;
	double value = row->predicted[column->index];
	int has_ends = chosen == &models[column->index] && row->threads > 1;
	char number[RANGE_TEXT_MAX];

	snprintf(text, TEXT_CELL_MAX, "%s%s", row->f_estimated && isfinite(value) ? "~" : "",
		 range_text(AS_NUMBER, value, has_ends ? range->low : NAN, range->high, number));
}

TEXT_CELL(error_text)
{
	const struct report_row *row = data;

	human_error(row->predicted[column->index] / row->speedup - 1, text);
}

static void write_assumptions(const struct report *report, const struct model *chosen, FILE *out)
{
	const struct scaling *scaling = &report->scaling;
	char model[96] = "No model is made for callers with BLAS workers.";
	char units[320], fit[128];

	if (chosen)
		snprintf(model, sizeof model, "%s is the model for this program.", chosen->name);
	text_title(out,
		   "Speed-up over one thread: measured, and what each model predicts from f = "
		   "%s%.3f (err: against measured), for %g matrix unit%s that all threads share."
		   "%s%s %s",
		   scaling->f_estimated ? "~" : "", scaling->f, report->options.units,
		   report->options.units == 1 ? "" : "s",
		   scaling->has_usl ? " usl is fitted to the measured." : "",
		   scaling->f_estimated ? " ~: there is no run with one thread; f is estimated "
					  "from the fastest calls."
					: "",
		   model);
	snprintf(units, sizeof units, "Shared units: %s%s.",
		 scaling_fit_text(scaling, fit, sizeof fit),
		 scaling_fit_is_doubtful(scaling)
			 ? ", but most of the loss is not in BLAS, so that it stands for other "
			   "causes too"
			 : "");
	text_wrap("", units, out);
}

int text_speedups(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		THREADS, {"speedup", "measured", AS_NUMBER, .with_range = 1}};
	struct model_input input = scaling_input(&report->scaling);
	const struct model *chosen = model_chosen(&input);
	struct text_table table;

	if ((report->nrows < 2 && !report->scaling.f_estimated) || !isfinite(report->scaling.f))
		return 0;
	write_assumptions(report, chosen, out);
	text_table_begin(&table, report, "threads");
	table.data = chosen;
	text_table_add(&table, COLUMNS(columns));
	for (size_t i = 0; i < MODELS; i++) {
		if (!(models[i].applies & 1 << input.parallel) ||
		    !model_is_known(&models[i], &input))
			continue;
		table.columns[table.ncolumns++] = (struct text_column){.heading = models[i].name,
								       .text = prediction_text,
								       .is_right = 1,
								       .index = i};
		if (!models[i].is_limit)
			table.columns[table.ncolumns++] = (struct text_column){
				.heading = "err", .text = error_text, .is_right = 1, .index = i};
	}
	return text_table_print_array(&table, report->rows, sizeof *report->rows, report->nrows,
				      out);
}

TEXT_VALUE(ideal)
{
	return ((const struct report_row *)data)->lost.ideal;
}

TEXT_CELL(loss_text)
{
	const struct report_row *row = data;
	double lost = row->lost.ideal - row->speedup;

	range_text(AS_NUMBER, lost, row->speedup_range.low, row->speedup_range.high, text);
}

TEXT_CELL(category_loss_text)
{
	const struct report_row *row = data;
	const struct report_range *range = &row->lost_range[column->index];

	range_text(AS_NUMBER, row->lost.lost[column->index], range->low, range->high, text);
}

int text_losses(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		THREADS,
		{.heading = "ideal", .form = AS_NUMBER, .value = ideal},
		{"speedup", "measured", AS_NUMBER},
		{.heading = "lost", .text = loss_text, .is_right = 1},
	};
	const void **rows = calloc(report->nrows + 1, sizeof *rows);
	struct text_table table;
	size_t count = 0;
	int failed = !rows;

	for (size_t i = 0; rows && i < report->nrows; i++)
		if (report->rows[i].threads > 1 && isfinite(report->rows[i].speedup))
			rows[count++] = &report->rows[i];
	if (count) {
		text_title(out, "Where the rest of the speed-up went: the parts add up to lost; "
				"less than 0 is a gain.");
		text_table_begin(&table, report, "threads");
		text_table_add(&table, COLUMNS(columns));
		add_categories(&table, category_loss_text);
		failed = text_table_print(&table, rows, count, out);
	}
	free(rows);
	return failed ? -1 : 0;
}

#define LOSS_SHOWN_MIN 0.005

static int compare_losses(const void *left, const void *right)
{
	double a = fabs((*(const struct report_loss *const *)left)->lost);
	double b = fabs((*(const struct report_loss *const *)right)->lost);

	return (a < b) - (a > b);
}

int text_contributors(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{"lost", "lost", AS_NUMBER}, {"part", "part"}, {"contributor", "to", AS_TEXT, 72}};
	const struct report_row *focus = text_focus(report);
	int threads = report->nlosses ? report->losses[report->nlosses - 1].threads : 0;
	const void **rows = calloc(report->nlosses + 1, sizeof *rows);
	struct text_table table;
	size_t count = 0;
	int failed = !rows;

	if (focus && focus->threads > 1 && isfinite(focus->speedup))
		threads = focus->threads;
	for (size_t i = 0; rows && i < report->nlosses; i++)
		if (report->losses[i].threads == threads &&
		    fabs(report->losses[i].lost) >= LOSS_SHOWN_MIN)
			rows[count++] = &report->losses[i];
	if (count) {
		qsort(rows, count, sizeof *rows, compare_losses);
		text_title(out, "The largest contributors at %d threads: %zu of %zu", threads,
			   text_limit(report, count), count);
		text_table_begin(&table, report, "lost");
		text_table_add(&table, COLUMNS(columns));
		failed = text_table_print(&table, rows, text_limit(report, count), out);
	}
	free(rows);
	return failed ? -1 : 0;
}

/* Returns all categories together. */
static double split_times(const struct time_split *times, double ns[PARTS])
{
	for (int i = 0; i < CAT_COUNT; i++)
		ns[i] = (double)times->ns[i];
	ns[PART_STALL] = (double)times->blas_waiting_ns;
	return (double)time_split_total(times);
}

static double region_split(const struct text_table *table, const void *data, double ns[PARTS])
{
	(void)table;
	return split_times(&((const struct report_region *)data)->sum.times, ns);
}

TEXT_CELL(region_threads)
{
	const struct report_region *region = data;

	threads_text(table, column, report_find_row(table->report, region->threads), text);
}

int text_regions(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{.heading = "threads", .text = region_threads, .is_right = 1},
		{"region", "region", AS_TEXT, 20},
		{"entries", "entries", AS_COUNT},
		{"share", "share", AS_SHARE},
		{"f", "f", AS_FRACTION},
		{.split = region_split},
		{"calls", "calls", AS_COUNT},
		{"gflops", "GFLOP/s", AS_FIGURES, .is_shown = has_room},
	};
	const void **rows = calloc(report->nregions + 1, sizeof *rows);
	struct text_table table;
	size_t count = 0;
	int failed = !rows;

	for (size_t row = 0; rows && row < report->nrows; row++)
		for (size_t i = 0, shown = 0; i < report->nregions; i++)
			if (report->regions[i].threads == report->rows[row].threads &&
			    shown++ < text_limit(report, report->nregions))
				rows[count++] = &report->regions[i];
	if (rows && report->nregions) {
		text_title(out,
			   "Regions that the program marked. share: %% of the callers' time; "
			   "f: BLAS share of the work in the region; BLAS to no CPU: %% of the "
			   "region's time; GFLOP/s: while in BLAS.");
		text_table_begin(&table, report, "regions");
		text_table_add(&table, COLUMNS(columns));
		failed = text_table_print(&table, rows, count, out);
	}
	free(rows);
	return failed ? -1 : 0;
}

TEXT_VALUE(mpi_mean)
{
	const struct report_mpi *row = data;

	return (double)row->sum.total_ns / (double)row->sum.calls;
}

int text_mpi(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{"routine", "routine", AS_TEXT, 28},
		{"calls", "calls", AS_COUNT},
		{"total_ns", "total", AS_TIME},
		{.heading = "mean", .form = AS_TIME, .value = mpi_mean},
		{"max_ns", "max", AS_TIME},
		{"share", "share", AS_SHARE},
	};
	static const struct section section = {"mpi", COLUMNS(columns), "MPI calls",
					       ", by total time (share: % of the callers' time)"};

	return write_section(report, &section, out);
}

TEXT_CELL(transposes)
{
	const struct report_shape *shape = data;

	snprintf(text, TEXT_CELL_MAX, "%s%s", shape->shown.transa, shape->shown.transb);
}

TEXT_VALUE(dimension)
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
	{"routine", "routine", AS_TEXT, 32},                                                       \
		{.heading = "op", .form = AS_NAME, .width = 8, .text = transposes}, DIMENSION(m),  \
		DIMENSION(n), DIMENSION(k)

/* Some of the names that were called are not the common ones. */
static int has_variants(const struct report *report)
{
	for (size_t i = 0; i < report->nshapes; i++)
		if (*report->shapes[i].sum.shape.variant)
			return 1;
	return 0;
}

/* BLAS's own threads took part in some call. */
static int has_workers(const struct report *report)
{
	const struct report_row *focus = text_focus(report);

	for (size_t i = 0; i < report->nshapes && focus; i++)
		if (report->shapes[i].threads == focus->threads &&
		    report->shapes[i].sum.samples_workers > 0)
			return 1;
	return 0;
}

TEXT_CELL(called_as)
{
	const struct report_shape *shape = data;

	snprintf(text, TEXT_CELL_MAX, "%s",
		 *shape->sum.shape.variant ? shape->sum.shape.variant : "X");
}

TEXT_VALUE(shape_mean)
{
	const struct report_shape *shape = data;

	return (double)shape->sum.total_ns / (double)shape->sum.calls;
}

TEXT_VALUE(shape_share)
{
	return ((const struct report_shape *)data)->share;
}

int text_shapes(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{.heading = "called as", .width = 24, .text = called_as, .is_shown = has_variants},
		SHAPE_NAME,
		{"calls", "calls", AS_COUNT},
		{"total_ns", "total", AS_TIME},
		{.heading = "mean", .form = AS_TIME, .value = shape_mean},
		{"p50_ns", "p50", AS_TIME},
		{"p95_ns", "p95", AS_TIME},
		{"gflops", "GFLOP/s", AS_FIGURES},
		{.heading = "share", .form = AS_SHARE, .value = shape_share},
		{"worker_share", "workers", AS_SHARE, .is_shown = has_workers},
	};
	const struct section section = {
		"shapes",
		COLUMNS(columns),
		"BLAS calls by shape",
		has_workers(report) ? ", by total time (share: % of it; workers: % of the calls' "
				      "samples that lie in BLAS's own threads)"
				    : ", by total time (share: % of it)",
		.rows = report->shapes,
		.count = report->nshapes};

	return write_section(report, &section, out);
}

#define UNMEASURED                                                                                 \
	"Roofline: this machine's peak and bandwidth are not measured: run 'blasprof doctor "      \
	"--measure', then 'blasprof report'."

TEXT_VALUE(ceiling_gflops)
{
	return ((const struct report_shape *)data)->roofline.ceiling_flops_per_s / 1e9;
}

int text_roofline(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		SHAPE_NAME,
		{"intensity", "flops/byte", AS_FIGURES},
		{"level", "from"},
		{"gflops", "GFLOP/s", AS_FIGURES},
		{.heading = "ceiling", .form = AS_FIGURES, .value = ceiling_gflops},
		{"ceiling_share", "share", AS_SHARE},
		{"bound", "bound"},
	};
	const struct ceilings *ceilings = &report->ceilings;
	const char *measured = report_fact(report, "ceilings_measured");
	const struct report_row *focus = text_focus(report);
	const void **rows = calloc(report->nshapes + 1, sizeof *rows);
	size_t shown = 0, most = text_limit(report, report->nshapes);
	char single[HUMAN_MAX], dual[HUMAN_MAX], memory[HUMAN_MAX];
	struct text_table table;
	int failed = !rows;

	if (focus && report->nshapes && !(ceilings->cpus > 0))
		text_title(out, UNMEASURED);
	for (size_t i = 0; rows && focus && ceilings->cpus > 0 && i < report->nshapes; i++)
		if (report->shapes[i].threads == focus->threads && shown < most)
			rows[shown++] = &report->shapes[i];
	if (rows && focus && report->nshapes && ceilings->cpus > 0) {
		text_title(
			out,
			"Roofline at %d thread%s. share: %% of the ceiling, min(peak, flops/byte x "
			"bandwidth) of one call; from: the nearest memory that the operands fit "
			"in; "
			"bound: what holds it back. With %.0f CPU%s: %s GFLOP/s single, %s double, "
			"%s GB/s memory (measured %s).",
			focus->threads, plural(focus->threads), ceilings->cpus,
			ceilings->cpus > 1 ? "s" : "",
			human_figures(ceilings->flops_per_s[PRECISION_SINGLE].all / 1e9, single),
			human_figures(ceilings->flops_per_s[PRECISION_DOUBLE].all / 1e9, dual),
			human_figures(ceilings->bytes_per_s[LEVEL_MEMORY].all / 1e9, memory),
			measured ? measured : "at an unknown time");
		text_table_begin(&table, report, "shapes");
		text_table_add(&table, COLUMNS(columns));
		failed = text_table_print(&table, rows, shown, out);
	}
	free(rows);
	return failed ? -1 : 0;
}

TEXT_CELL(caller_place)
{
	const struct report_caller *caller = data;
	const char *path = *caller->sum.location.file ? caller->sum.location.file
						      : caller->sum.location.object;
	const char *slash = strrchr(path, '/');

	snprintf(text, TEXT_CELL_MAX, caller->sum.location.line ? "%.200s:%d" : "%.200s",
		 slash && slash[1] ? slash + 1 : path, caller->sum.location.line);
}

int text_callers(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{"share", "share", AS_SHARE},
		{"total_ns", "total", AS_TIME},
		{"calls", "calls", AS_COUNT},
		{"routine", "routine", AS_TEXT, 16},
		{"function", "caller", AS_TEXT, 24},
		{"inlined_into", "inlined into", AS_NAME, 20},
		{.heading = "at", .width = 20, .text = caller_place},
	};
	static const struct section section = {"callers", COLUMNS(columns), "Who calls BLAS",
					       ", by total time inside (share: % of it)"};

	return write_section(report, &section, out);
}

static int is_shown_wait(const void *row)
{
	return ((const struct report_wait *)row)->is_caller;
}

static int has_wait_regions(const struct report *report)
{
	const struct report_row *focus = text_focus(report);

	for (size_t i = 0; i < report->nwaits && focus; i++)
		if (report->waits[i].threads == focus->threads &&
		    is_shown_wait(&report->waits[i]) && *report->waits[i].sum.region)
			return 1;
	return 0;
}

TEXT_CELL(wait_kind)
{
	const struct report_wait *wait = data;

	snprintf(text, TEXT_CELL_MAX, "%s%s", wait->sum.kind, wait->sum.in_blas ? " (BLAS)" : "");
}

TEXT_VALUE(wait_uneven)
{
	const struct report_wait *wait = data;

	return strcmp(wait->sum.kind, "barrier") ? NAN : wait->uneven_ns;
}

static void explain_waits(const struct report *report, int threads, FILE *out)
{
	(void)report;
	(void)threads;
	text_wrap("",
		  "share: % of the callers' time; uneven: how much longer one thread waited at the "
		  "barrier than another; run queue: ready, without a CPU; (BLAS): inside a call.",
		  out);
}

int text_waits(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{"share", "share", AS_SHARE},
		{"total_ns", "total", AS_TIME},
		{"waits", "waits", AS_COUNT},
		{"longest_ns", "longest", AS_TIME},
		{.heading = "uneven", .form = AS_TIME, .value = wait_uneven},
		{.heading = "waits on", .width = 17, .text = wait_kind},
		{"function", "in", AS_NAME, 24},
		{"caller", "called by", AS_NAME, 20},
		{"region", "region", AS_NAME, 12, .is_shown = has_wait_regions},
	};
	static const struct section section = {
		"waits", COLUMNS(columns), "What the callers waited on",
		"",	 is_shown_wait,	   .write_note = explain_waits};

	return write_section(report, &section, out);
}

enum { PATH_WIDTH = 84 };

/* "leaf < its caller < ...": as many whole names as fit, for the innermost tell most. */
TEXT_CELL(innermost)
{
	const char *stack = ((const struct report_stack *)data)->stack;
	const char *end = stack + strlen(stack);
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
}

static void write_cut(const struct report *report, int threads, FILE *out)
{
	double sum = 0, cut = 0;
	char text[256], share[HUMAN_MAX];

	for (size_t i = 0; i < report->nstacks; i++)
		if (report->stacks[i].threads == threads) {
			sum += report->stacks[i].samples;
			cut += report->stacks[i].whole ? 0 : report->stacks[i].samples;
		}
	snprintf(text, sizeof text,
		 "Innermost function first, its callers after <. %s %% of the stacks came out cut, "
		 "and end before their thread's start%s.",
		 human_share(cut / sum, share),
		 cut > sum / 10 ? ": code without frame pointers takes --call-graph=dwarf" : "");
	text_wrap("", text, out);
}

int text_stacks(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{"share", "share", AS_SHARE},
		{"samples", "samples", AS_COUNT},
		{.heading = "stack", .width = PATH_WIDTH, .text = innermost},
	};
	static const struct section section = {"stacks", COLUMNS(columns),
					       "Call stacks with most samples", "",
					       .write_note = write_cut};

	return write_section(report, &section, out);
}

int text_categories(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{"share", "share", AS_SHARE},
		{"share_other", "of other", AS_SHARE},
		{"samples", "samples", AS_COUNT},
		{"category", "category", AS_TEXT, 26},
		{"hottest", "most of it in", AS_TEXT, 46},
	};
	const struct report_row *focus = text_focus(report);
	const struct report_category *first = report->categories;
	struct text_table table;
	size_t count = 0;

	for (size_t i = 0; i < report->ncategories && focus; i++)
		if (report->categories[i].threads == focus->threads && !count++)
			first = &report->categories[i];
	if (!count)
		return 0;
	text_title(
		out,
		"Other code by category at %d thread%s (share: %% of all samples; of other: %% of "
		"those outside BLAS)",
		focus->threads, plural(focus->threads));
	text_table_begin(&table, report, "categories");
	text_table_add(&table, COLUMNS(columns));
	return text_table_print_array(&table, first, sizeof *first, count, out);
}

#define INLINED_SHOWN 3	   /* of a function, at most */
#define INLINED_SHARE 0.02 /* of all samples, at least */

/* A line of the functions: a function as the linker knows it, with the samples of what was inlined
 * into it, or one that was inlined. */
struct function_line {
	const struct report_function *function;
	const char *name;
	double samples, share;
	int is_inlined;
	size_t first, count; /* its functions, in a list by name */
};

/* By the function that the linker knows; the most samples first. */
static int compare_functions(const void *left, const void *right)
{
	const struct report_function *a = *(const struct report_function *const *)left;
	const struct report_function *b = *(const struct report_function *const *)right;
	int order = strcmp(a->sum.location.object, b->sum.location.object);

	order = order ? order : strcmp(outer_function(a), outer_function(b));
	return order ? order
		     : (a->sum.samples < b->sum.samples) - (a->sum.samples > b->sum.samples);
}

static int compare_lines(const void *left, const void *right)
{
	const struct function_line *a = left, *b = right;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(a->name, b->name);
}

static int is_same_function(const struct report_function *a, const struct report_function *b)
{
	return !strcmp(a->sum.location.object, b->sum.location.object) &&
	       !strcmp(outer_function(a), outer_function(b));
}

/* A line for each function that the linker knows, the most samples first, from functions in their
 * order. The source line and category are those of the function itself; else of what was inlined
 * with most samples. Returns how many. */
static size_t make_lines(const struct report_function *const *functions, size_t count,
			 struct function_line *lines)
{
	size_t nlines = 0;

	for (size_t i = 0; i < count; i++) {
		struct function_line *line;

		if (!i || !is_same_function(functions[i - 1], functions[i]))
			lines[nlines++] =
				(struct function_line){.function = functions[i],
						       .name = outer_function(functions[i]),
						       .first = i};
		line = &lines[nlines - 1];
		line->count++;
		line->samples += (double)functions[i]->sum.samples;
		line->share += functions[i]->share;
		if (!*functions[i]->sum.location.inlined_into &&
		    *line->function->sum.location.inlined_into)
			line->function = functions[i];
	}
	qsort(lines, nlines, sizeof *lines, compare_lines);
	return nlines;
}

TEXT_VALUE(line_share)
{
	return ((const struct function_line *)data)->share;
}

TEXT_VALUE(line_samples)
{
	return ((const struct function_line *)data)->samples;
}

TEXT_CELL(line_name)
{
	const struct function_line *line = data;

	snprintf(text, TEXT_CELL_MAX, "%s%s", line->is_inlined ? "  inlined: " : "", line->name);
}

TEXT_CELL(line_object)
{
	const struct function_line *line = data;

	snprintf(text, TEXT_CELL_MAX, "%s",
		 line->is_inlined ? "" : object_name(line->function->sum.location.object));
}

TEXT_CELL(line_category)
{
	snprintf(text, TEXT_CELL_MAX, "%s",
		 ((const struct function_line *)data)->function->category);
}

TEXT_CELL(line_place)
{
	const struct report_function *function = ((const struct function_line *)data)->function;

	if (function->sum.location.line > 0 && *function->sum.location.file)
		snprintf(text, TEXT_CELL_MAX, "%.255s:%d", object_name(function->sum.location.file),
			 function->sum.location.line);
}

static int write_functions(const struct report *report, int threads,
			   const struct report_function **functions, struct function_line *lines,
			   struct function_line *shown, FILE *out)
{
	static const struct text_column columns[] = {
		{.heading = "share", .form = AS_SHARE, .value = line_share},
		{.heading = "samples", .form = AS_COUNT, .value = line_samples},
		{.heading = "function", .width = 29, .text = line_name},
		{.heading = "object", .width = 14, .text = line_object},
		{.heading = "category", .width = 14, .text = line_category},
		{.heading = "hottest line", .width = 21, .text = line_place},
	};
	size_t count = 0, nlines, nshown = 0;
	struct text_table table;

	for (size_t i = 0; i < report->nfunctions; i++)
		if (report->functions[i].threads == threads &&
		    !function_is_blas(&report->functions[i]))
			functions[count++] = &report->functions[i];
	if (!count)
		return 0;
	qsort(functions, count, sizeof *functions, compare_functions);
	nlines = make_lines(functions, count, lines);
	for (size_t i = 0; i < text_limit(report, nlines); i++) {
		shown[nshown++] = lines[i];
		for (size_t j = 0, inlined = 0; j < lines[i].count && inlined < INLINED_SHOWN;
		     j++) {
			const struct report_function *function = functions[lines[i].first + j];

			if (!*function->sum.location.inlined_into ||
			    function->share < INLINED_SHARE)
				continue;
			shown[nshown++] = (struct function_line){
				function, function->sum.location.function,
				(double)function->sum.samples, function->share, .is_inlined = 1};
			inlined++;
		}
	}
	text_title(
		out,
		"Functions outside BLAS at %d thread%s: %zu of %zu, by share of all samples (%%); "
		"inlined: part of the one above",
		threads, plural(threads), text_limit(report, nlines), nlines);
	text_table_begin(&table, report, "functions");
	text_table_add(&table, COLUMNS(columns));
	return text_table_print_array(&table, shown, sizeof *shown, nshown, out);
}

int text_functions(const struct report *report, FILE *out)
{
	const struct report_row *focus = text_focus(report);
	const struct report_function **functions =
		calloc(report->nfunctions + 1, sizeof *functions);
	struct function_line *lines = calloc(report->nfunctions + 1, sizeof *lines);
	struct function_line *shown = calloc(2 * report->nfunctions + 1, sizeof *shown);
	int failed = functions && lines && shown ? 0 : -1;

	if (!failed && focus)
		failed = write_functions(report, focus->threads, functions, lines, shown, out);
	free(functions);
	free(lines);
	free(shown);
	return failed;
}

static int has_ranks(const struct report *report)
{
	return report->nprocesses && report->processes[report->nprocesses - 1].process.rank >= 0;
}

/* The processes ran on several machines. */
static int has_hosts(const struct report *report)
{
	for (size_t i = 1; i < report->nprocesses; i++)
		if (strcmp(report->processes[i].process.host, report->processes[0].process.host) !=
		    0)
			return 1;
	return 0;
}

TEXT_VALUE(rank)
{
	int number = ((const struct report_process *)data)->process.rank;

	return number < 0 ? NAN : number;
}

TEXT_VALUE(process_callers)
{
	const struct report_process *row = data;

	return row->process.intercepted ? row->callers : NAN;
}

TEXT_VALUE(process_alive)
{
	const struct report_process *row = data;

	return row->callers > 0 ? row->alive_ns : NAN;
}

TEXT_VALUE(process_calls)
{
	const struct report_process *row = data;

	return row->process.intercepted ? row->calls : NAN;
}

static double process_split(const struct text_table *table, const void *data, double ns[PARTS])
{
	const struct report_process *row = data;

	(void)table;
	split_times(&row->times, ns);
	return row->callers > 0 ? row->thread_ns : NAN;
}

int text_processes(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{.heading = "rank", .form = AS_INT, .value = rank, .is_shown = has_ranks},
		{"host", "host", AS_TEXT, 10, .is_right = 1, .is_shown = has_hosts},
		{"process", "process", AS_INT},
		{"command", "command", AS_TEXT, 12},
		{.heading = "callers", .form = AS_COUNT, .value = process_callers},
		{.heading = "alive", .form = AS_TIME, .value = process_alive},
		{.split = process_split},
		{.heading = "calls", .form = AS_COUNT, .value = process_calls},
		{"samples", "samples", AS_COUNT},
	};
	size_t shown = text_limit(report, report->nprocesses);
	char name[RUN_NAME_MAX];
	struct text_table table;

	if (report->nprocesses < 2)
		return 0;
	text_title(out, "Processes of %s, in %% of their threads' time: %zu of %zu",
		   text_run(report->runs[report->threads_run].id, name), shown, report->nprocesses);
	if (isfinite(report->imbalance))
		fprintf(out, "Imbalance: the busiest rank computes %.0f %% longer than the mean.\n",
			100 * report->imbalance);
	text_table_begin(&table, report, "processes");
	text_table_add(&table, COLUMNS(columns));
	return text_table_print_array(&table, report->processes, sizeof *report->processes, shown,
				      out);
}

#define THREADS_SHOWN 32

static double thread_split(const struct text_table *table, const void *data, double ns[PARTS])
{
	const struct report_thread *thread = data;

	(void)table;
	split_times(&thread->thread.times, ns);
	return thread->thread.calls > 0 ? thread->alive_ns : NAN;
}

int text_threads(const struct report *report, FILE *out)
{
	static const struct text_column columns[] = {
		{"tid", "thread", AS_INT},
		{"name", "name", AS_TEXT, 14},
		{"role", "role"},
		{"alive_ns", "alive", AS_TIME},
		{.split = thread_split},
		{"calls", "calls", AS_COUNT},
		{"samples", "samples", AS_COUNT},
	};
	const void *rows[THREADS_SHOWN];
	char name[RUN_NAME_MAX];
	struct text_table table;
	size_t shown = 0;

	for (size_t i = 0; i < report->nthreads && shown < THREADS_SHOWN; i++)
		if (report->threads[i].thread.calls || report->threads[i].samples > 0)
			rows[shown++] = &report->threads[i];
	if (!shown)
		return 0;
	text_title(out, "Threads of %s, in %% of the time each was alive: %zu of %zu%s",
		   text_run(report->runs[report->threads_run].id, name), shown, report->nthreads,
		   shown < THREADS_SHOWN && shown < report->nthreads ? ", the others were idle"
								     : "");
	text_table_begin(&table, report, "run-threads");
	text_table_add(&table, COLUMNS(columns));
	return text_table_print(&table, rows, shown, out);
}
