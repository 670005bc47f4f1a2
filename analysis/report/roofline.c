/* roofline.c: sets the shapes beside the machine's ceilings. */
/* SPDX-License-Identifier: MIT */
#include "model/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"
#include "base/memory.h"

/* The shortest call of a routine at a thread count. */
struct least {
	int threads;
	const char *routine;
	double ns;
};
struct leasts {
	struct least *rows;
	size_t count;
};

static struct least *find_least(const struct leasts *leasts, const struct report_shape *shape)
{
	EACH_ROW(row, leasts->rows, leasts->count)
		if (row->threads == shape->threads &&
		    !strcmp(row->routine, shape->sum.shape.routine))
			return row;
	return NULL;
}

static struct leasts gather_leasts(const struct report *report)
{
	struct leasts leasts = {0};

	EACH_ROW(shape, report->shapes, report->nshapes) {
		struct least *least = find_least(&leasts, shape);

		if (!least) {
			least = memory_add(&leasts.rows, &leasts.count, sizeof *least);
			*least = (struct least){shape->threads, shape->sum.shape.routine,
						(double)shape->sum.min_ns};
		}
		least->ns = fmin(least->ns, (double)shape->sum.min_ns);
	}
	return leasts;
}

/* A call at that thread count, of which only the threads at work are known. */
static struct roofline_call call_at(const struct report_row *row)
{
	double callers = row && row->account.parallel != PARALLEL_INNER ? row->threads : 1;

	return (struct roofline_call){
		.callers = callers,
		.each = 1 + (row ? row->workers_at_once / callers : 0),
	};
}

static void set_roofline(const struct report *report, const struct leasts *leasts,
			 struct report_shape *shape)
{
	struct roofline_call call = call_at(report_find_row(report, shape->threads));
	const struct least *least = find_least(leasts, shape);
	double calls = (double)shape->sum.calls;

	call.precision = shape->precision;
	call.flops = shape->sum.flops / calls;
	call.bytes = shape->sum.bytes / calls;
	call.mean_ns = (double)shape->sum.total_ns / calls;
	call.least_ns = least ? least->ns : (double)shape->sum.min_ns;
	shape->roofline = roofline_call(&report->ceilings, &call);
	shape->bound = bound_names[shape->roofline.bound];
	shape->level = *shape->bound ? level_names[shape->roofline.level] : "";
}

void build_add_ceiling(struct report *report, int threads, const char *name, double flops_per_s,
		       double bytes_per_s)
{
	struct report_ceiling *row;

	if (!(flops_per_s > 0) && !(bytes_per_s > 0))
		return;
	row = memory_add(&report->ceiling_rows, &report->nceiling_rows, sizeof *row);
	*row = (struct report_ceiling){threads, name, flops_per_s, bytes_per_s};
}

static void add_ceilings(struct report *report, const struct report_row *row)
{
	const struct ceilings *ceilings = &report->ceilings;
	const struct roofline_call call = call_at(row);

	for (int i = 0; i < PRECISION_COUNT; i++)
		build_add_ceiling(report, row->threads, precision_names[i],
				  roofline_rate(ceilings, &ceilings->flops_per_s[i], &call), NAN);
	for (int i = 0; i < LEVEL_COUNT; i++)
		build_add_ceiling(report, row->threads, level_names[i], NAN,
				  roofline_rate(ceilings, &ceilings->bytes_per_s[i], &call));
}

void build_roofline(struct report *report)
{
	const char *text = report_fact(report, "ceilings");
	struct leasts leasts = gather_leasts(report);

	ceilings_parse(text ? text : "", &report->ceilings);
	EACH_ROW(shape, report->shapes, report->nshapes)
		set_roofline(report, &leasts, shape);
	EACH_ROW(shape, report->region_shapes, report->nregion_shapes)
		set_roofline(report, &leasts, shape);
	for (size_t i = 0; i < report->nrows && report->ceilings.cpus > 0; i++)
		add_ceilings(report, &report->rows[i]);
	free(leasts.rows);
}
