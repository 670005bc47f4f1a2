/* roofline.c: sets the shapes beside the machine's ceilings. */
/* SPDX-License-Identifier: MIT */
#include "model/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "util/array.h"

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
	for (size_t i = 0; i < leasts->count; i++)
		if (leasts->rows[i].threads == shape->threads &&
		    !strcmp(leasts->rows[i].routine, shape->routine))
			return &leasts->rows[i];
	return NULL;
}

static int gather_leasts(const struct report *report, struct leasts *leasts)
{
	for (size_t i = 0; i < report->nshapes; i++) {
		const struct report_shape *shape = &report->shapes[i];
		struct least *least = find_least(leasts, shape);

		if (!least) {
			least = array_add(&leasts->rows, &leasts->count, sizeof *least);
			if (!least)
				return -1;
			*least = (struct least){shape->threads, shape->routine, shape->min_ns};
		}
		least->ns = fmin(least->ns, shape->min_ns);
	}
	return 0;
}

static void set_roofline(const struct report *report, const struct leasts *leasts,
			 struct report_shape *shape)
{
	const struct report_row *row = report_find_row(report, shape->threads);
	const struct least *least = find_least(leasts, shape);
	double callers = row && row->account.parallel != PARALLEL_INNER ? row->threads : 1;
	const struct roofline_call call = {
		.precision = shape->precision,
		.flops = shape->flops / shape->calls,
		.bytes = shape->bytes / shape->calls,
		.mean_ns = shape->total_ns / shape->calls,
		.least_ns = least ? least->ns : shape->min_ns,
		.callers = callers,
		.each = 1 + (row ? row->workers_at_once / callers : 0),
	};

	shape->roofline = roofline_call(&report->ceilings, &call);
	shape->bound = bound_names[shape->roofline.bound];
	shape->level = *shape->bound ? level_names[shape->roofline.level] : "";
}

int build_roofline(struct report *report)
{
	const char *text = report_fact(report, "ceilings");
	struct leasts leasts = {0};
	int failed = gather_leasts(report, &leasts);

	ceilings_parse(text ? text : "", &report->ceilings);
	for (size_t i = 0; i < report->nshapes && !failed; i++)
		set_roofline(report, &leasts, &report->shapes[i]);
	for (size_t i = 0; i < report->nregion_shapes && !failed; i++)
		set_roofline(report, &leasts, &report->region_shapes[i]);
	free(leasts.rows);
	return failed;
}
