/* cells.c: measured kernels, compared with the most that the machine was seen to do. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"
#include "base/memory.h"

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

	for (size_t i = 0; i < options->ncells; i++)
		if (is_ceiling(&options->cells[i], "copy", cell->threads))
			most_bytes = fmax(most_bytes, options->cells[i].bytes);
	EACH_ROW(other, options->cells, options->ncells)
		if (is_ceiling(other, "copy", cell->threads) &&
		    other->bytes >= fmin(cell->bytes, most_bytes))
			best = fmax(best, other->gbytes_per_s);
	return best;
}

const char *build_cell_precision(const struct cell *cell)
{
	switch (cell->element_bytes) {
	case 4:
		return precision_names[PRECISION_SINGLE];
	case 8:
		return precision_names[PRECISION_DOUBLE];
	}
	return "";
}

/* A store may also hold cells of other machines, which tell nothing about these runs. */
static int is_of_machine(const struct report *report, const struct cell *cell)
{
	const char *cpu = report_fact(report, "cpu");

	return !report->nruns || !cpu || !strcmp(cpu, cell->cpu);
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
	double fastest = NAN, most = 0;
	const struct cell *largest = NULL;

	EACH_ROW(cell, options->cells, options->ncells) {
		if (!is_ceiling(cell, "copy", threads))
			continue;
		fastest = fmax(fastest, cell->gbytes_per_s);
		if (cell->bytes > most ||
		    (cell->bytes >= most && largest && cell->gbytes_per_s > largest->gbytes_per_s))
			largest = cell;
		most = fmax(most, cell->bytes);
	}
	if (!largest)
		return;
	build_add_ceiling(report, threads, "fastest copy", NAN, fastest * 1e9 / threads);
	build_add_ceiling(report, threads, "largest copy", NAN,
			  largest->gbytes_per_s * 1e9 / threads);
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
		struct report_cell *row = memory_add(&report->cells, &report->ncells, sizeof *row);

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
