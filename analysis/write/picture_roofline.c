/* picture_roofline.c: writes the gnuplot script of the roofline, with ceilings, shapes and cells.
 */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "report/build.h"
#include "write/pictures.h"
#include "write/text_line.h"

#define CATEGORIES_MAX 8 /* categories of cells with a colour of their own */

/* What is drawn: the shapes and ceilings of one thread count, and the cells of the nearest one. */
struct scene {
	const struct report *report;
	int threads, cell_threads; /* 0: none */
	int ceiling_threads;	   /* that of the shapes, or of the cells if it has no ceilings */
	const char *categories[CATEGORIES_MAX];
	size_t ncategories;
	struct interval intensity;
};

/* The position of a shape or a cell, in flops/byte and GFLOP/s of one call. Both axes are
 * logarithmic. */
struct point {
	double intensity, gflops;
};

static int is_point(struct point point)
{
	return point.intensity > 0 && isfinite(point.intensity) && point.gflops > 0 &&
	       isfinite(point.gflops);
}

static struct point shape_point(const struct report_shape *shape)
{
	return (struct point){shape->sum.flops / shape->sum.bytes, shape->gflops};
}

/* Each thread of a cell makes its own calls, so the rate is that of one thread. */
static struct point cell_point(const struct cell *cell)
{
	return (struct point){cell->flops / cell->bytes, cell->gflops / cell->threads};
}

static int has_shape(const struct scene *scene, const struct report_shape *shape)
{
	return shape->threads == scene->threads && is_point(shape_point(shape));
}

static int has_cell(const struct scene *scene, const struct cell *cell)
{
	return cell->threads == scene->cell_threads && build_cell_is_seen(scene->report, cell) &&
	       is_point(cell_point(cell));
}

/* Returns the largest thread count of cells up to that of the shapes; if there is none, the
 * smallest. Without shapes, returns the largest. */
static int choose_cell_threads(const struct report *report, int wanted)
{
	int largest = 0, smallest = 0;

	EACH_ROW(row, report->cells, report->ncells) {
		int threads = row->cell.threads;

		if (!build_cell_is_seen(report, &row->cell) || !is_point(cell_point(&row->cell)))
			continue;
		if ((!wanted || threads <= wanted) && threads > largest)
			largest = threads;
		if (!smallest || threads < smallest)
			smallest = threads;
	}
	return largest ? largest : smallest;
}

static void add_category(struct scene *scene, const char *category)
{
	for (size_t i = 0; i < scene->ncategories; i++)
		if (!strcmp(scene->categories[i], category))
			return;
	if (scene->ncategories < CATEGORIES_MAX)
		scene->categories[scene->ncategories++] = category;
}

static void extend_axis(struct scene *scene, struct point point)
{
	scene->intensity.low = fmin(scene->intensity.low, point.intensity);
	scene->intensity.high = fmax(scene->intensity.high, point.intensity);
}

static struct scene make_scene(const struct report *report)
{
	const struct report_row *focus = text_focus(report);
	struct scene scene = {.report = report, .intensity = {.low = INFINITY}};

	scene.threads = focus ? focus->threads : 0;
	scene.cell_threads = scene.ceiling_threads = choose_cell_threads(report, scene.threads);
	EACH_AT(row, report, ceiling_rows, scene.threads)
		scene.ceiling_threads = scene.threads;
	EACH_ROW(shape, report->shapes, report->nshapes)
		if (has_shape(&scene, shape))
			extend_axis(&scene, shape_point(shape));
	EACH_ROW(cell, report->cells, report->ncells)
		if (has_cell(&scene, &cell->cell)) {
			add_category(&scene, cell->cell.category);
			extend_axis(&scene, cell_point(&cell->cell));
		}
	return scene;
}

int roofline_check(const struct report *report, struct error *err)
{
	struct scene scene = make_scene(report);

	if (!report->nshapes && !report->ncells)
		return error_set(
			err, "record a program that calls BLAS: blasprof -- command",
			"there is nothing to draw: no BLAS call in the region of interest");
	if (!report->nceiling_rows)
		return error_set(err, "run 'blasprof doctor --measure', then the report again",
				 "there is no roofline to draw: this machine's peak and bandwidth "
				 "are not measured");
	if (scene.intensity.high > 0)
		return 0;
	return error_set(err, "record a program that makes other calls",
			 "there is no roofline to draw: no call has flops and bytes");
}

/* Returns 1 for a bandwidth, and for a peak whose precision a call or a cell has. */
static int is_drawn(const struct scene *scene, const struct report_ceiling *ceiling)
{
	const struct report *report = scene->report;

	if (ceiling->threads != scene->ceiling_threads)
		return 0;
	if (ceiling->bytes_per_s > 0)
		return 1;
	EACH_ROW(shape, report->shapes, report->nshapes)
		if (has_shape(scene, shape) && shape->precision != PRECISION_COUNT &&
		    !strcmp(ceiling->ceiling, precision_names[shape->precision]))
			return 1;
	EACH_ROW(row, report->cells, report->ncells)
		if (has_cell(scene, &row->cell) &&
		    !strcmp(ceiling->ceiling, build_cell_precision(&row->cell)))
			return 1;
	return 0;
}

/* Returns the highest peak, in GFLOP/s, and in *ridge the intensity from which the fastest memory
 * can sustain it. */
static double find_top(const struct scene *scene, double *ridge)
{
	double top = 0, fastest = 0;

	EACH_ROW(row, scene->report->ceiling_rows, scene->report->nceiling_rows) {
		if (!is_drawn(scene, row))
			continue;
		top = fmax(top, row->flops_per_s / 1e9);
		fastest = fmax(fastest, row->bytes_per_s / 1e9);
	}
	*ridge = fastest > 0 ? top / fastest : INFINITY;
	return top;
}

/* Draws a peak as a level line, and a bandwidth as a line that rises to the highest peak. */
static void plot_ceilings(const struct scene *scene, double top, FILE *out)
{
	static const char *const colours[] = {"#34495e", "#d68910", "#8e44ad",
					      "#148f97", "#b03a6b", "#7f8c8d"};
	size_t shown = 0;

	EACH_ROW(row, scene->report->ceiling_rows, scene->report->nceiling_rows) {
		int is_peak = row->flops_per_s > 0;
		double giga = (is_peak ? row->flops_per_s : row->bytes_per_s) / 1e9;

		if (!is_drawn(scene, row))
			continue;
		fputs(shown ? ", " : "plot ", out);
		if (is_peak)
			fprintf(out, "%.15g", giga);
		else
			fprintf(out, "x * %.15g < %.15g ? x * %.15g : NaN", giga, top, giga);
		fprintf(out, " with lines lw 1.5 lc rgb '%s' title '%s: %.4g %s'",
			colours[shown++ % COUNT(colours)], row->ceiling, giga,
			is_peak ? "GFLOP/s" : "GB/s");
	}
}

void roofline_script(const struct report *report, FILE *out)
{
	static const char *const shape_colours[] = {[BOUND_UNKNOWN] = "#1b6ca8",
						    [BOUND_COMPUTE] = "#1b6ca8",
						    [BOUND_MEMORY] = "#c0392b",
						    [BOUND_LATENCY] = "#27865a"};
	static const char *const cell_colours[CATEGORIES_MAX] = {"#5d8aa8", "#c98b6b", "#7aa874",
								 "#9b86bd", "#c2a83e", "#6fb3b8",
								 "#a0607f", "#8a8f98"};
	static const int cell_marks[CATEGORIES_MAX] = {6, 4, 8, 10, 12, 14, 1, 2};
	struct scene scene = make_scene(report);
	int threads = scene.threads ? scene.threads : scene.cell_threads;
	int drawn[BOUND_LATENCY + 1] = {0};
	double ridge, top = find_top(&scene, &ridge);

	picture_begin(report,
		      !scene.ncategories ? "Roofline: a point for each shape of call"
		      : scene.threads	 ? "Roofline: shapes of calls, and cells"
					 : "Roofline: a point for each cell",
		      out);
	/* a data block for each bound, since each has its own colour */
	for (int bound = BOUND_UNKNOWN; bound <= BOUND_LATENCY; bound++) {
		fprintf(out, "$shapes%d << END\n", bound);
		EACH_ROW(shape, report->shapes, report->nshapes)
			if (has_shape(&scene, shape) && (int)shape->roofline.bound == bound) {
				struct point point = shape_point(shape);

				fprintf(out, "%.15g %.15g\n", point.intensity, point.gflops);
				drawn[bound] = 1;
			}
		fputs("END\n", out);
	}
	for (size_t i = 0; i < scene.ncategories; i++) {
		fprintf(out, "$cells%zu << END\n", i);
		EACH_ROW(row, report->cells, report->ncells)
			if (has_cell(&scene, &row->cell) &&
			    !strcmp(row->cell.category, scene.categories[i])) {
				struct point point = cell_point(&row->cell);

				fprintf(out, "%.15g %.15g\n", point.intensity, point.gflops);
			}
		fputs("END\n", out);
	}
	fprintf(out,
		"set logscale xy\nset samples 1000\nset xrange [%.15g:%.15g]\n"
		"set xlabel 'arithmetic intensity, flops/byte'\n"
		"set ylabel 'GFLOP/s of one call, with %s at work",
		fmin(scene.intensity.low, ridge) / 3, fmax(scene.intensity.high, ridge) * 3,
		human_noun(threads, "thread"));
	if (scene.ncategories && scene.cell_threads != threads)
		fprintf(out, " (cells: %d)", scene.cell_threads);
	fputs("'\n", out);
	plot_ceilings(&scene, top, out);
	/* cells are small and hollow, and drawn below the shapes */
	for (size_t i = 0; i < scene.ncategories; i++)
		fprintf(out,
			", $cells%zu using 1:2 with points pt %d ps 0.9 lc rgb '%s' title "
			"'cells: %s'",
			i, cell_marks[i], cell_colours[i], scene.categories[i]);
	for (int bound = BOUND_UNKNOWN; bound <= BOUND_LATENCY; bound++)
		if (drawn[bound])
			fprintf(out,
				", $shapes%d using 1:2 with points pt 7 ps 1 lc rgb '%s' "
				"title '%s%s'",
				bound, shape_colours[bound], bound_names[bound],
				bound == BOUND_UNKNOWN ? "shapes" : "-bound");
	fputs("\n", out);
}
