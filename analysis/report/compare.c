/* compare.c: compares the figures of two sets of runs. */
/* SPDX-License-Identifier: MIT */
#include "report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/memory.h"
#include "model/stats.h"
#include "report/build.h"
#include "report/repeats.h"
#include "base/array.h"

#define FIGURE_THROUGHPUT "throughput"
#define FIGURE_GFLOPS	  "gflops"
static const struct figure {
	const char *name, *unit;
	int better;
	enum category optional; /* left out where neither side has such time; CAT_BLAS: never */
} figures[] = {
	{"wall", "ns", -1},
	{FIGURE_THROUGHPUT, "work/s", 1},
	{FIGURE_GFLOPS, "GFLOP/s", 1},
	{"calls", "calls", 0},
	{"f", "", 0},
	{"b", "ns/work", -1},
	{"c", "ns/work", -1},
	{"o", "ns/work", -1},
	{"p", "ns/work", -1},
	{"s", "ns/work", -1, CAT_SPIN},
	{"mpi", "ns/work", -1, CAT_MPI},
};
#define FIGURES COUNT(figures)

/* The figure of a run; the context is its index in figures[]. */
static double figure_of(const struct account *run, const void *context)
{
	const double values[FIGURES] = {
		run->wall_ns,
		account_throughput(run) * 1e9,
		run->flops / run->wall_ns * 1e9 / 1e9, /* with the rounding of report_row */
		run->calls,
		run->f_intercepted,
		account_per_work(run, CAT_BLAS),
		account_per_work(run, CAT_OTHER),
		account_per_work(run, CAT_WAITING),
		account_per_work(run, CAT_NO_CPU),
		account_per_work(run, CAT_SPIN),
		account_per_work(run, CAT_MPI),
	};

	return values[*(const size_t *)context];
}

static int is_same_shape(const struct call_shape *x, const struct call_shape *y)
{
	return x->m == y->m && x->n == y->n && x->k == y->k && x->transa == y->transa &&
	       x->transb == y->transb && (x->type == y->type || !x->type || !y->type) &&
	       !strcmp(x->routine, y->routine) && !x->other_shapes && !y->other_shapes;
}

/* Adds the median duration of the shape in the run, over all regions and variants. */
static void add_median(const struct run *run, const struct call_shape *shape,
		       struct repeats *repeats)
{
	const struct table *table = &run_tables[RUN_PART_SHAPES];
	struct run_shape sum;
	double value;
	int found = 0;

	EACH_ROW(row, run->shapes, run->nshapes) {
		if (!is_same_shape(&row->shape, shape))
			continue;
		if (!found++) {
			sum = *row;
			table_start_sum(table, &sum);
		}
		table_merge(table, &sum, row);
	}
	if (!found)
		return;
	value = shape_quantile(&sum, 0.50);
	if (isfinite(value))
		memory_append(&repeats->values, &repeats->count, sizeof value, &value);
	table_free_row(table, &sum);
}

/* The pair of thread counts being compared. */
struct comparing {
	struct comparison *comparison;
	int threads[2];
};

/* The medians of the shape in the runs of side `i`. */
static struct repeats repeat_shape(const struct comparing *now, int i,
				   const struct call_shape *shape)
{
	const struct report *report = &now->comparison->sides[i].report;
	struct repeats repeats = {0};

	EACH_RUN_AT(run, report, now->threads[i])
		add_median(run->run, shape, &repeats);
	return repeats;
}

static struct comparison_row *add_row(const struct comparing *now, const char *figure,
				      const char *unit, int better)
{
	struct comparison *comparison = now->comparison;
	struct comparison_row *row = memory_add(&comparison->rows, &comparison->nrows, sizeof *row);

	row->threads_before = now->threads[0];
	row->threads_after = now->threads[1];
	row->figure = figure;
	row->unit = unit;
	row->better = better;
	row->what_if_before = comparison->sides[0].report.what_if;
	row->what_if_after = comparison->sides[1].report.what_if;
	return row;
}

static void set_difference(struct comparison_row *row, struct interval difference)
{
	row->difference = difference.value;
	row->low = difference.low;
	row->high = difference.high;
	row->change = row->before != 0 ? difference.value / row->before : NAN;
	row->significant = isnan(difference.low)		       ? SIGNIFICANCE_UNKNOWN
			   : difference.low > 0 || difference.high < 0 ? SIGNIFICANCE_YES
								       : SIGNIFICANCE_NO;
}

/* Fills the row with the means and their difference; frees the repeats. */
static void set_row(struct comparison_row *row, struct repeats a, struct repeats b)
{
	row->runs_before = (int)a.count;
	row->runs_after = (int)b.count;
	row->before = stats_mean(a.values, a.count);
	row->after = stats_mean(b.values, b.count);
	set_difference(row, stats_difference_interval(b.values, b.count, a.values, a.count));
	free(a.values);
	free(b.values);
}

/* The width of the difference's interval is the root of the sum of squares of the widths of both
 * speed-ups' intervals. That is slightly too wide, since each of these has fewer degrees of freedom
 * than both together. */
static void add_speedup(struct comparing *now)
{
	struct interval speedups[2];
	size_t runs[2], base_runs;
	double half;
	struct comparison_row *row;

	for (int i = 0; i < 2; i++)
		speedups[i] = repeats_speedup(&now->comparison->sides[i].report, now->threads[i],
					      &runs[i], &base_runs);
	if (now->threads[0] == 1 || isnan(speedups[0].value) || isnan(speedups[1].value))
		return;
	row = add_row(now, "speedup", "", 1);
	half = hypot(speedups[0].high - speedups[0].value, speedups[1].high - speedups[1].value);
	row->runs_before = (int)runs[0];
	row->runs_after = (int)runs[1];
	row->before = speedups[0].value;
	row->after = speedups[1].value;
	set_difference(row, interval_around(row->after - row->before, half));
}

/* 1 if the report has the shape in an earlier row, of another variant. */
static int is_repeated(const struct report *report, const struct report_shape *shape)
{
	EACH_AT(other, report, shapes, shape->threads)
		if (is_same_shape(&other->sum.shape, &shape->sum.shape))
			return other != shape;
	return 0;
}

/* Adds the shapes with most time; the report has them sorted by thread count and time. */
static void add_shapes(struct comparing *now, int top)
{
	const struct report *before = &now->comparison->sides[0].report;
	int added = 0;

	EACH_AT(shape, before, shapes, now->threads[0]) {
		struct comparison_row *row;

		if ((top && added == top) || shape->sum.shape.other_shapes ||
		    is_repeated(before, shape))
			continue;
		row = add_row(now, "p50", "ns", -1);
		snprintf(row->shape, sizeof row->shape, "%s", shape_name(&shape->sum.shape));
		set_row(row, repeat_shape(now, 0, &shape->sum.shape),
			repeat_shape(now, 1, &shape->sum.shape));
		added++;
	}
}

static void add_pairs(struct comparing *now, int top)
{
	const struct report *before = &now->comparison->sides[0].report;
	const struct report *after = &now->comparison->sides[1].report;
	int single = before->nrows == 1 && after->nrows == 1;

	EACH_ROW(row, before->rows, before->nrows) {
		const struct report_row *other;

		now->threads[0] = row->threads;
		now->threads[1] = single ? after->rows[0].threads : now->threads[0];
		other = report_find_row(after, now->threads[1]);
		if (!other)
			continue;
		for (size_t j = 0; j < FIGURES; j++) {
			enum category optional = figures[j].optional;

			if (optional && !(row->account.category_ns[optional] > 0) &&
			    !(other->account.category_ns[optional] > 0))
				continue;
			/* there is no rate if the flops of too many calls are not known */
			if (!strcmp(figures[j].name, FIGURE_GFLOPS) &&
			    isnan(row->flops_per_s + other->flops_per_s))
				continue;
			set_row(add_row(now, figures[j].name, figures[j].unit, figures[j].better),
				repeats_gather(before, now->threads[0], 0, figure_of, &j),
				repeats_gather(after, now->threads[1], 0, figure_of, &j));
		}
		add_speedup(now);
		add_shapes(now, top);
	}
}

/* The file name of the program in a command; it is not terminated. */
static const char *program_name(const char *command, size_t *length)
{
	size_t end = *command == '\'' ? 1 + strcspn(command + 1, "'") : strcspn(command, " ");
	size_t begin = end;

	while (begin && command[begin - 1] != '/' && command[begin - 1] != '\'')
		begin--;
	*length = end - begin;
	return command + begin;
}

static int check_alike(const struct comparison_side *sides, int force, struct error *err)
{
	const struct report *a = &sides[0].report, *b = &sides[1].report;
	size_t length_a, length_b;
	const char *name_a = program_name(a->command, &length_a);
	const char *name_b = program_name(b->command, &length_b);

	if (strcmp(a->work_unit, b->work_unit))
		return error_set(err, "record both with the same --work",
				 "the work of '%s' is counted in %s, that of '%s' in %s",
				 sides[0].name, a->work_unit, sides[1].name, b->work_unit);
	if (force || (length_a == length_b && !memcmp(name_a, name_b, length_a)))
		return 0;
	return error_set(err, "compare runs of one program, or use --force",
			 "'%s' and '%s' are different programs: %.*s and %.*s", sides[0].name,
			 sides[1].name, (int)length_a, name_a, (int)length_b, name_b);
}

int comparison_build(const struct comparison_options *options, struct comparison *comparison,
		     struct error *err)
{
	struct comparing now = {.comparison = comparison};
	static const struct report_options plain = REPORT_OPTIONS_DEFAULT;
	char counts[2][128] = {"", ""};
	double calls[2] = {0};
	int failed = 0;

	for (int i = 0; i < 2 && !failed; i++) {
		struct comparison_side *side = &comparison->sides[i];

		failed = report_begin(side->runs, side->count, &plain, &side->report, err);
		if (failed)
			break;
		build_rows(&side->report);
		EACH_ROW(row, side->report.rows, side->report.nrows) {
			SAY(counts[i], "%s%d", *counts[i] ? ", " : "", row->threads);
			calls[i] += row->account.calls;
		}
	}
	if (!failed && (calls[0] > 0) != (calls[1] > 0))
		failed = error_set(err, "record a program that calls BLAS",
				   "no run of '%s' has a BLAS call",
				   comparison->sides[calls[0] > 0].name);
	if (!failed)
		failed = check_alike(comparison->sides, options->force, err);
	if (!failed) {
		build_shapes(&comparison->sides[0].report);
		build_shapes(&comparison->sides[1].report);
		add_pairs(&now, options->top);
	}
	if (!failed && !comparison->nrows)
		failed = error_set(
			err, "record both with the same thread counts, or name two single runs",
			"no thread count in common: %s before, %s after", counts[0], counts[1]);
	return failed ? -1 : 0;
}

void comparison_free(struct comparison *comparison)
{
	EACH_ROW(side, comparison->sides, COUNT(comparison->sides))
		if (side->report.nruns)
			report_free(&side->report);
	free(comparison->rows);
	memset(comparison, 0, sizeof *comparison);
}

static int is_throughput(const struct comparison_row *row)
{
	return !strcmp(row->figure, FIGURE_THROUGHPUT) && isfinite(row->change);
}

int comparison_has_throughput(const struct comparison *comparison)
{
	EACH_ROW(row, comparison->rows, comparison->nrows)
		if (is_throughput(row))
			return 1;
	return 0;
}

const struct comparison_row *comparison_worst(const struct comparison *comparison, double limit)
{
	const struct comparison_row *worst = NULL;

	EACH_ROW(row, comparison->rows, comparison->nrows) {
		if (is_throughput(row) && row->change < -limit &&
		    row->significant != SIGNIFICANCE_NO && (!worst || row->change < worst->change))
			worst = row;
	}
	return worst;
}
