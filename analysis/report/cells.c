/* cells.c: measured kernels, compared with the most that the machine was seen to do, and the cells
 * of two suites. */
/* SPDX-License-Identifier: MIT */
#include "report/compare_cells.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/human.h"
#include "report/build.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"

/* Was it timed, with these threads, on operands that were used just before? */
static int is_ceiling(const struct cell *cell, const char *category, int threads)
{
	return !strcmp(cell->category, category) && !strcmp(cell->status, "ok") &&
	       !strcmp(cell->cache, "warm") && cell->threads == threads;
}

/* The best of category peak at the cell's precision and threads; NAN: there is none. */
static double peak_gflops(const struct report_options *options, const struct cell *cell)
{
	double best = NAN;

	EACH_ROW(other, options->cells, options->ncells)
		if (is_ceiling(other, "peak", cell->threads) &&
		    other->element_bytes == cell->element_bytes)
			best = fmax(best, other->gflops);
	return best;
}

/* The best cell of category copy over at least as many bytes, or over the most bytes that there
 * are. NAN if there is none. */
static double peak_gbytes_per_s(const struct report_options *options, const struct cell *cell)
{
	double best = NAN, most_bytes = 0;

	EACH_ROW(other, options->cells, options->ncells)
		if (is_ceiling(other, "copy", cell->threads))
			most_bytes = fmax(most_bytes, other->bytes);
	EACH_ROW(other, options->cells, options->ncells)
		if (is_ceiling(other, "copy", cell->threads) &&
		    other->bytes >= fmin(cell->bytes, most_bytes))
			best = fmax(best, other->gbytes_per_s);
	return best;
}

const char *build_cell_precision(const struct cell *cell)
{
	return cell->element_bytes == 4	  ? precision_names[PRECISION_SINGLE]
	       : cell->element_bytes == 8 ? precision_names[PRECISION_DOUBLE]
					  : "";
}

/* A store may also hold cells of other machines, which tell nothing about these runs. */
static int is_of_machine(const struct report *report, const struct cell *cell)
{
	const char *cpu = report_fact(report, "cpu");

	return !cpu || !strcmp(cpu, cell->cpu);
}

int build_cell_is_seen(const struct report *report, const struct cell *cell)
{
	return !strcmp(cell->status, "ok") && strcmp(cell->category, "peak") != 0 &&
	       cell->threads > 0 && is_of_machine(report, cell);
}

/* Adds what each of the threads can copy: by the fastest copy, which fits a cache, and by the
 * largest. */
static void add_copies(struct report *report, int threads)
{
	const struct report_options *options = &report->options;
	double fastest = NAN, largest = NAN, most = 0;

	EACH_ROW(cell, options->cells, options->ncells) {
		if (!is_ceiling(cell, "copy", threads))
			continue;
		fastest = fmax(fastest, cell->gbytes_per_s);
		if (cell->bytes > most) {
			most = cell->bytes;
			largest = NAN;
		}
		if (cell->bytes >= most)
			largest = fmax(largest, cell->gbytes_per_s);
	}
	if (isnan(fastest))
		return;
	build_add_ceiling(report, threads, "fastest copy", NAN, fastest * 1e9 / threads);
	build_add_ceiling(report, threads, "largest copy", NAN, largest * 1e9 / threads);
}

static int has_ceilings(const struct report *report, int threads, const char *name)
{
	EACH_AT(row, report, ceiling_rows, threads)
		if (!name || !strcmp(row->ceiling, name))
			return 1;
	return 0;
}

/* Adds the peak of each precision and thread count, followed by its copies. */
static void add_ceilings(struct report *report)
{
	const struct report_options *options = &report->options;

	EACH_ROW(cell, options->cells, options->ncells) {
		const char *name = build_cell_precision(cell);
		int is_new = !has_ceilings(report, cell->threads, NULL);

		if (!is_ceiling(cell, "peak", cell->threads) || !is_of_machine(report, cell) ||
		    cell->threads <= 0 || !*name || has_ceilings(report, cell->threads, name))
			continue;
		build_add_ceiling(report, cell->threads, name,
				  peak_gflops(options, cell) * 1e9 / cell->threads, NAN);
		if (is_new)
			add_copies(report, cell->threads);
	}
}

void build_cells(struct report *report)
{
	const struct report_options *options = &report->options;

	EACH_ROW(cell, options->cells, options->ncells) {
		struct report_cell *row;

		if (options->cells_category && strcmp(cell->category, options->cells_category))
			continue;
		row = memory_add(&report->cells, &report->ncells, sizeof *row);
		row->cell = *cell;
		row->peak_gflops = peak_gflops(options, cell);
		row->peak_gbytes_per_s = peak_gbytes_per_s(options, cell);
		/* NAN if both are NAN */
		row->share_of_peak = fmax(cell->gflops / row->peak_gflops,
					  cell->gbytes_per_s / row->peak_gbytes_per_s);
	}
	if (!(report->ceilings.cpus > 0))
		add_ceilings(report);
}

/* The smallest and the largest of fewer samples are no 95 % interval of the median: they miss it in
 * 2 / 2^5 = 6 % of all cases. */
#define SAMPLES_MIN 6

/* Returns the side's measurement of the same, or NULL. */
static const struct cell *find_cell(const struct suite_side *side, const struct cell *wanted)
{
	EACH_ROW(cell, side->cells, side->count)
		if (!strcmp(cell->category, wanted->category) &&
		    !strcmp(cell->kernel, wanted->kernel) && !strcmp(cell->cache, wanted->cache) &&
		    cell->m == wanted->m && cell->n == wanted->n && cell->k == wanted->k &&
		    cell->element_bytes == wanted->element_bytes &&
		    cell->offset_bytes == wanted->offset_bytes && cell->threads == wanted->threads)
			return cell;
	return NULL;
}

static int is_timed(const struct cell *cell)
{
	return !strcmp(cell->status, "ok") && cell->low_ns > 0;
}

int suite_compare(struct suite_comparison *comparison, struct error *err)
{
	struct suite_side *before = &comparison->sides[0], *after = &comparison->sides[1];

	EACH_ROW(a, before->cells, before->count) {
		const struct cell *b = find_cell(after, a);
		double difference, below, above;
		struct suite_row *row;

		if (!b)
			continue;
		row = memory_add(&comparison->rows, &comparison->nrows, sizeof *row);
		*row = (struct suite_row){*a, *b, NAN, NAN, NAN, SIGNIFICANCE_UNKNOWN, 0};
		if (!is_timed(a) || !is_timed(b))
			continue;
		row->other_result = a->seed == b->seed && strcmp(a->checksum, b->checksum) != 0;
		difference = log(b->median_ns / a->median_ns);
		row->change = expm1(difference);
		if (a->samples < SAMPLES_MIN || b->samples < SAMPLES_MIN)
			continue;
		below = hypot(log(b->median_ns / b->low_ns), log(a->high_ns / a->median_ns));
		above = hypot(log(b->high_ns / b->median_ns), log(a->median_ns / a->low_ns));
		row->low = expm1(difference - below);
		row->high = expm1(difference + above);
		row->significant =
			row->low > 0 || row->high < 0 ? SIGNIFICANCE_YES : SIGNIFICANCE_NO;
	}
	before->alone = before->count - comparison->nrows;
	after->alone = after->count > comparison->nrows ? after->count - comparison->nrows : 0;
	if (comparison->nrows)
		return 0;
	return error_set(err, "measure both with the same categories and numbers of threads",
			 "'%s' and '%s' have no cell in common", before->name, after->name);
}

const struct suite_row *suite_worst(const struct suite_comparison *comparison, double limit)
{
	const struct suite_row *worst = NULL;

	EACH_ROW(row, comparison->rows, comparison->nrows) {
		if (row->significant == SIGNIFICANCE_YES && row->change > limit &&
		    (!worst || row->change > worst->change))
			worst = row;
	}
	return worst;
}

const char *cell_name(const struct cell *cell)
{
	const char *size = cell->m ? string_printf("%" PRId64 " x %" PRId64 " x %" PRId64, cell->m,
						   cell->n, cell->k)
				   : string_printf("%" PRId64, cell->n);
	const char *offset =
		cell->offset_bytes ? string_printf(" + %d bytes", cell->offset_bytes) : "";

	return string_printf("%s %s%s, %s%s", cell->kernel, size, offset,
			     human_noun(cell->threads, "thread"),
			     strcmp(cell->cache, "cold") ? "" : ", cold");
}
