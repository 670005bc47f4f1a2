/* cells.c: what was measured of kernels, beside the best that the machine was seen to do. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/build.h"
#include "util/array.h"

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

	for (size_t i = 0; i < options->ncells; i++) {
		const struct cell *other = &options->cells[i];

		if (is_ceiling(other, "peak", cell->threads) &&
		    other->element_bytes == cell->element_bytes)
			best = fmax(best, other->gflops);
	}
	return best;
}

/* The best of category copy over as many bytes or more; over the most bytes there are, where the
 * cell has more. NAN: there is none. */
static double peak_gbytes_per_s(const struct report_options *options, const struct cell *cell)
{
	double best = NAN, most_bytes = 0;

	for (size_t i = 0; i < options->ncells; i++)
		if (is_ceiling(&options->cells[i], "copy", cell->threads))
			most_bytes = fmax(most_bytes, options->cells[i].bytes);
	for (size_t i = 0; i < options->ncells; i++) {
		const struct cell *other = &options->cells[i];

		if (is_ceiling(other, "copy", cell->threads) &&
		    other->bytes >= fmin(cell->bytes, most_bytes))
			best = fmax(best, other->gbytes_per_s);
	}
	return best;
}

int build_cells(struct report *report)
{
	const struct report_options *options = &report->options;

	for (size_t i = 0; i < options->ncells; i++) {
		const struct cell *cell = &options->cells[i];
		struct report_cell *row;

		if (options->cells_category && strcmp(cell->category, options->cells_category))
			continue;
		row = array_add(&report->cells, &report->ncells, sizeof *row);
		if (!row)
			return -1;
		row->cell = *cell;
		row->peak_gflops = peak_gflops(options, cell);
		row->peak_gbytes_per_s = peak_gbytes_per_s(options, cell);
		/* NAN where both are */
		row->share_of_peak = fmax(cell->gflops / row->peak_gflops,
					  cell->gbytes_per_s / row->peak_gbytes_per_s);
	}
	return 0;
}
