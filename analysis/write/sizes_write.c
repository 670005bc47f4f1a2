/* sizes_write.c: writes f, matrix units and speed-up of several experiments as one table. */
/* SPDX-License-Identifier: MIT */
#include "report/sizes.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "report/columns.h"
#include "write/grid.h"
#include "write/table_format.h"
#include "write/text_line.h"

#define SPEEDUPS_MAX 5 /* thread counts that the text has room for */
#define VALUE_WIDTH  24

#define C(...)	     REPORT_COLUMN(sizes_row, __VA_ARGS__)
static const struct field columns[] = {
	C("threads", threads, FIELD_INT, "threads", "thread count N"),
	C("runs", runs, FIELD_INT, "runs", "runs at this thread count"),
	C("cpus_available", cpus_available, FIELD_REAL, "CPUs", "CPUs that the runs could use"),
	C("f", f, FIELD_REAL, "", "BLAS share of the work at one thread"),
	C("f_low", f_range.low, FIELD_REAL, "", "lower end of its 95 % interval"),
	C("f_high", f_range.high, FIELD_REAL, "", "upper end"),
	C("f_estimated", f_estimated, FIELD_INT, "threads",
	  "not 0: f and the speed-up are estimates from runs at this thread count"),
	C("unit_seen", unit_seen, FIELD_TEXT, "",
	  "yes: threads share matrix units; no: none is seen; ?: cannot be told"),
	C("units", units, FIELD_REAL, "units",
	  "matrix units that the machine behaves as if it had"),
	C("units_low", units_range.low, FIELD_REAL, "units", "lower end of its 95 % interval"),
	C("units_high", units_range.high, FIELD_REAL, "units", "upper end"),
	C("lost", lost, FIELD_REAL, "", "speed-up lost at the most threads"),
	C("lost_blas", lost_blas, FIELD_REAL, "", "of it, to BLAS calls that got slower"),
	C("speedup", speedup, FIELD_REAL, "", "measured speed-up over one thread"),
	C("speedup_low", speedup_range.low, FIELD_REAL, "", "lower end of its 95 % interval"),
	C("speedup_high", speedup_range.high, FIELD_REAL, "", "upper end"),
	C("experiment", experiment, FIELD_TEXT, "",
	  "the command with the thread count replaced by {}"),
};
#undef C
#define COLUMNS COUNT(columns)

static void write_rows(const void *data, rows_writer *write, FILE *out)
{
	const struct sizes *sizes = data;
	struct field all[SIZES_PARAMETERS_MAX + COLUMNS];
	size_t count = 0;

	for (size_t i = 0; i < sizes->nnames; i++)
		all[count++] = (struct field)REPORT_COLUMN(sizes_row, sizes->names[i], values[i],
							   FIELD_TEXT, "", "");
	memcpy(&all[count], columns, sizeof columns);
	write(all, count + COLUMNS, sizes->rows, sizeof *sizes->rows, sizes->count, out);
}

/* The largest thread counts of all rows that the text has room for, in order. Returns how many. */
static size_t choose_threads(const struct sizes *sizes, int threads[SPEEDUPS_MAX])
{
	size_t count = 0;

	for (int below = INT32_MAX; count < SPEEDUPS_MAX;) {
		int most = 1;

		for (size_t i = 0; i < sizes->count; i++)
			if (sizes->rows[i].threads > most && sizes->rows[i].threads < below)
				most = sizes->rows[i].threads;
		if (most == 1)
			break;
		memmove(&threads[1], threads, count++ * sizeof *threads);
		threads[0] = below = most;
	}
	return count;
}

static int same_values(const struct sizes *sizes, const struct sizes_row *a,
		       const struct sizes_row *b)
{
	for (size_t i = 0; i < sizes->nnames; i++)
		if (strcmp(a->values[i], b->values[i]))
			return 0;
	return 1;
}

/* The units stand for other causes, too, where less than half is lost in BLAS. */
static int is_doubtful(const struct sizes_row *row)
{
	return isfinite(row->units) && row->lost_blas < row->lost / 2;
}

static void add_units(struct grid *grid, const struct sizes_row *row)
{
	const char *mark = is_doubtful(row) ? "?" : "";

	if (isnan(row->units))
		grid_add(grid, "%s", strcmp(row->unit_seen, "no") ? "-" : "none seen");
	else if (isnan(row->units_range.low))
		grid_add(grid, "%.1f%s", row->units, mark);
	else if (isfinite(row->units_range.high))
		grid_add(grid, "%.1f%s (%.1f to %.1f)", row->units, mark, row->units_range.low,
			 row->units_range.high);
	else
		grid_add(grid, "%.1f%s (%.1f or more)", row->units, mark, row->units_range.low);
}

/* A figure with half the width of its interval, marked where it is an estimate. */
static void add_figure(struct grid *grid, const struct sizes_row *row, double value,
		       struct report_range range, int digits)
{
	const char *estimated = row->f_estimated ? "~" : "";

	if (isnan(value))
		grid_add(grid, "-");
	else if (isfinite(range.high - range.low))
		grid_add(grid, "%s%.*f ± %.*f", estimated, digits, value, digits,
			 (range.high - range.low) / 2);
	else
		grid_add(grid, "%s%.*f", estimated, digits, value);
}

/* One line for the rows from `first` on that have its values. Returns the row after them. */
static size_t add_line(const struct sizes *sizes, size_t first, const int *threads, size_t nthreads,
		       struct grid *grid)
{
	const struct sizes_row *rows = sizes->rows;
	size_t end = first + 1;

	while (end < sizes->count && same_values(sizes, &rows[first], &rows[end]))
		end++;
	for (size_t i = 0; i < sizes->nnames; i++)
		grid_add_text(grid, rows[first].values[i], VALUE_WIDTH);
	add_figure(grid, &rows[first], rows[first].f, rows[first].f_range, 3);
	add_units(grid, &rows[first]);
	for (size_t t = 0; t < nthreads; t++) {
		size_t at = first;

		while (at < end && rows[at].threads != threads[t])
			at++;
		if (at < end)
			add_figure(grid, &rows[at], rows[at].speedup, rows[at].speedup_range, 2);
		else
			grid_add(grid, "-");
	}
	return end;
}

static void add_headings(const struct sizes *sizes, const int *threads, size_t nthreads, int cpus,
			 struct grid *grid)
{
	for (size_t i = 0; i < sizes->nnames; i++)
		grid_add_text(grid, sizes->names[i], VALUE_WIDTH);
	grid_add(grid, "f");
	grid_add(grid, "units");
	for (size_t i = 0; i < nthreads; i++)
		grid_add(grid, "S(%d)%s", threads[i], threads[i] > cpus ? "*" : "");
}

static void write_legend(const struct sizes *sizes, int over, int cpus, FILE *out)
{
	int estimated = 0, intervals = 0, doubtful = 0;

	for (size_t i = 0; i < sizes->count; i++) {
		const struct sizes_row *row = &sizes->rows[i];

		estimated |= row->f_estimated > 0;
		intervals |= isfinite(row->f_range.high) || isfinite(row->speedup_range.high);
		doubtful |= is_doubtful(row);
	}
	fputs("\nf: BLAS share of the work at one thread; units: matrix units that threads seem to "
	      "share;\nS(N): measured speed-up of N threads over one\n",
	      out);
	if (intervals)
		fputs("± half the width of the 95 % interval\n", out);
	if (doubtful)
		fputs("? most speed-up is lost outside BLAS: the units stand for other causes "
		      "too\n",
		      out);
	if (estimated)
		fputs("~ an estimate from the fastest calls, as there is no run with one thread\n",
		      out);
	if (over)
		fprintf(out, "* more threads than the %d CPUs available to the runs\n", cpus);
}

static void write_title(const struct sizes *sizes, FILE *out)
{
	text_wrap("sizes    ", sizes->title, out);
	if (sizes->what_if && *sizes->what_if)
		text_say(out, "what-if  ", "these runs are not real ones: what-if %s",
			 sizes->what_if);
	fputc('\n', out);
}

static void write_text(const void *data, FILE *out)
{
	const struct sizes *sizes = data;
	int threads[SPEEDUPS_MAX];
	double cpus = INFINITY;
	size_t nthreads = choose_threads(sizes, threads), columns_used;
	char align[GRID_COLUMNS + 1] = "";
	struct grid grid = {.align = align};

	columns_used = sizes->nnames + 2 + nthreads;
	memset(align, 'r', columns_used);
	for (size_t i = 0; i < sizes->count; i++)
		if (sizes->rows[i].cpus_available < cpus)
			cpus = sizes->rows[i].cpus_available;
	write_title(sizes, out);
	add_headings(sizes, threads, nthreads, cpus, &grid);
	for (size_t i = 0; i < sizes->count;)
		i = add_line(sizes, i, threads, nthreads, &grid);
	grid_print(&grid, out);
	write_legend(sizes, nthreads && threads[nthreads - 1] > cpus, cpus, out);
}

const struct table_writers sizes_writers = {write_text, write_rows};
