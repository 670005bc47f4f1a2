/* picture_roofline.c: writes the gnuplot script of the roofline, with ceilings, shapes and cells.
 */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "report/build.h"
#include "write/pictures.h"
#include "write/text_line.h"

#define BOUNDS	       (BOUND_LATENCY + 1)
#define CATEGORIES_MAX 8 /* categories of cells with a colour of their own */

/* A shape or a cell, at its arithmetic intensity in flops/byte and the GFLOP/s of one call. Both
 * axes are logarithmic. */
struct point {
	double intensity, gflops;
	const char *precision; /* one of precision_names[], or "" */
	int group;
};

/* What is drawn: the shapes and ceilings of one thread count, and the cells of the nearest one. */
struct scene {
	const struct report *report;
	int threads, cell_threads; /* 0: none */
	int ceiling_threads;	   /* that of the shapes, or of the cells if it has no ceilings */
	/* The points of a group have one colour: shapes with the same bound, by its number, then
	 * cells of the same category. Those of further categories are not drawn. */
	struct {
		const char *name;
		int points;
	} groups[BOUNDS + CATEGORIES_MAX];
	int ngroups;
	struct point *points; /* owned */
	size_t npoints;
	struct interval intensity;
};

static int is_point(struct point point)
{
	return point.intensity > 0 && isfinite(point.intensity) && point.gflops > 0 &&
	       isfinite(point.gflops);
}

/* Each thread of a cell makes its own calls, so the rate is that of one thread. */
static struct point cell_point(const struct cell *cell)
{
	return (struct point){cell->flops / cell->bytes, cell->gflops / cell->threads,
			      build_cell_precision(cell), BOUNDS};
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

static void add_point(struct scene *scene, struct point point)
{
	if (!is_point(point))
		return;
	scene->intensity.low = fmin(scene->intensity.low, point.intensity);
	scene->intensity.high = fmax(scene->intensity.high, point.intensity);
	if (point.group < scene->ngroups)
		scene->groups[point.group].points++;
	memory_append(&scene->points, &scene->npoints, sizeof point, &point);
}

/* The caller frees its points. */
static struct scene make_scene(const struct report *report)
{
	struct scene scene = {.report = report, .ngroups = BOUNDS, .intensity = {.low = INFINITY}};

	scene.threads = text_threads(report);
	scene.cell_threads = scene.ceiling_threads = choose_cell_threads(report, scene.threads);
	EACH_AT(row, report, ceiling_rows, scene.threads)
		scene.ceiling_threads = scene.threads;
	for (int bound = 0; bound < BOUNDS; bound++)
		scene.groups[bound].name = bound_names[bound];
	EACH_AT(shape, report, shapes, scene.threads) {
		int has_peak = shape->precision != PRECISION_COUNT;

		add_point(&scene, (struct point){shape->sum.flops / shape->sum.bytes, shape->gflops,
						 has_peak ? precision_names[shape->precision] : "",
						 (int)shape->roofline.bound});
	}
	EACH_ROW(row, report->cells, report->ncells) {
		struct point point = cell_point(&row->cell);

		if (row->cell.threads != scene.cell_threads ||
		    !build_cell_is_seen(report, &row->cell) || !is_point(point))
			continue;
		while (point.group < scene.ngroups &&
		       strcmp(scene.groups[point.group].name, row->cell.category) != 0)
			point.group++;
		if (point.group == scene.ngroups && point.group < BOUNDS + CATEGORIES_MAX)
			scene.groups[scene.ngroups++].name = row->cell.category;
		add_point(&scene, point);
	}
	return scene;
}

int roofline_check(const struct report *report, struct error *err)
{
	struct scene scene = make_scene(report);

	free(scene.points);
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
	int has_points = ceiling->bytes_per_s > 0;

	EACH_ROW(point, scene->points, scene->npoints)
		has_points |= !strcmp(ceiling->ceiling, point->precision);
	return has_points && ceiling->threads == scene->ceiling_threads;
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
	static const struct {
		const char *colour;
		int mark;
	} looks[BOUNDS + CATEGORIES_MAX] = {[BOUND_UNKNOWN] = {"#1b6ca8", 7},
					    [BOUND_COMPUTE] = {"#1b6ca8", 7},
					    [BOUND_MEMORY] = {"#c0392b", 7},
					    [BOUND_LATENCY] = {"#27865a", 7},
					    [BOUNDS] = {"#5d8aa8", 6},
					    {"#c98b6b", 4},
					    {"#7aa874", 8},
					    {"#9b86bd", 10},
					    {"#c2a83e", 12},
					    {"#6fb3b8", 14},
					    {"#a0607f", 1},
					    {"#8a8f98", 2}};
	struct scene scene = make_scene(report);
	int threads = scene.threads ? scene.threads : scene.cell_threads;
	int has_cells = scene.ngroups > BOUNDS;
	double ridge, top = find_top(&scene, &ridge);

	picture_begin(report,
		      !has_cells      ? "Roofline: a point for each shape of call"
		      : scene.threads ? "Roofline: shapes of calls, and cells"
				      : "Roofline: a point for each cell",
		      out);
	for (int i = 0; i < scene.ngroups; i++) {
		fprintf(out, "$points%d << END\n", i);
		EACH_ROW(point, scene.points, scene.npoints)
			if (point->group == i)
				fprintf(out, "%.15g %.15g\n", point->intensity, point->gflops);
		fputs("END\n", out);
	}
	fprintf(out,
		"set logscale xy\nset samples 1000\nset xrange [%.15g:%.15g]\n"
		"set xlabel 'arithmetic intensity, flops/byte'\n"
		"set ylabel 'GFLOP/s of one call, with %s at work",
		fmin(scene.intensity.low, ridge) / 3, fmax(scene.intensity.high, ridge) * 3,
		human_noun(threads, "thread"));
	if (has_cells && scene.cell_threads != threads)
		fprintf(out, " (cells: %d)", scene.cell_threads);
	fputs("'\n", out);
	plot_ceilings(&scene, top, out);
	/* cells are small and hollow, and drawn below the shapes */
	for (int i = 0; i < scene.ngroups; i++) {
		int group = (i + BOUNDS) % scene.ngroups, is_cell = group >= BOUNDS;

		if (scene.groups[group].points || is_cell)
			fprintf(out,
				", $points%d using 1:2 with points pt %d ps %g lc rgb '%s' title "
				"'%s%s%s'",
				group, looks[group].mark, is_cell ? 0.9 : 1, looks[group].colour,
				is_cell ? "cells: " : "", scene.groups[group].name,
				is_cell			 ? ""
				: group == BOUND_UNKNOWN ? "shapes"
							 : "-bound");
	}
	fputs("\n", out);
	free(scene.points);
}
