/* calls.c: calls of BLAS and MPI routines: shapes, rooflines, durations and callers. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/human.h"
#include "base/compute_unit.h"
#include "base/array.h"
#include "base/idmap.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "model/roofline.h"
#include "model/stats.h"
#include "report/build.h"
#include "report/sums.h"

#define SHARE_SAMPLES_MIN 10 /* fewer do not tell a share */

struct shown_shape shape_shown(const struct call_shape *shape)
{
	struct shown_shape shown = {{shape->transa}, {shape->transb}, shape->m, shape->n, shape->k};

	if (shape->transa == '-')
		*shown.transa = '\0';
	if (shape->transb == '-')
		*shown.transb = '\0';
	if (shape->other_shapes)
		shown.m = shown.n = shown.k = NAN;
	return shown;
}

const char *shape_name(const struct call_shape *shape)
{
	const struct shown_shape shown = shape_shown(shape);
	const double sizes[] = {shown.m, shown.n, shown.k};
	int has_transposes = *shown.transa || *shown.transb;
	char text[128] = "";

	SAY(text, "%.31s%s%s%s%s", shape->routine, has_transposes ? " " : "", shown.transa,
	    shown.transb, shape->other_shapes ? " other shapes" : "");
	for (size_t i = 0, shown_sizes = 0; i < 3; i++)
		if (isfinite(sizes[i]) && sizes[i] > 0)
			SAY(text, "%s%.0f", shown_sizes++ ? " x " : " ", sizes[i]);
	return string_pooled(text);
}

double shape_quantile(const struct run_shape *shape, double share)
{
	uint64_t calls[RUN_HISTOGRAM_BUCKETS];

	return stats_histogram_quantile(histogram_calls(shape->histogram, calls),
					RUN_HISTOGRAM_BUCKETS, run_bucket_low_ns,
					(double)shape->min_ns, (double)shape->max_ns, share);
}

/* Types of numbers by their letter in call_shape.type. */
static const struct {
	char type;
	const char *numbers;
	enum precision ceiling;
} number_types[] = {
	{'s', "fp32", PRECISION_SINGLE},	 {'d', "fp64", PRECISION_DOUBLE},
	{'c', "complex fp32", PRECISION_SINGLE}, {'z', "complex fp64", PRECISION_DOUBLE},
	{'b', "bf16", PRECISION_COUNT},		 {'h', "fp16", PRECISION_COUNT},
	{'i', "int8", PRECISION_COUNT},		 {'w', "int16", PRECISION_COUNT},
};

static void set_figures(struct report_shape *row)
{
	const struct run_shape *sum = &row->sum;
	double total_ns = (double)sum->total_ns;
	double samples = (double)sum->samples_callers + (double)sum->samples_workers;
	char type = sum->shape.type == 'u' ? sum->kernel_type : sum->shape.type;

	row->shown = shape_shown(&sum->shape);
	row->numbers = "";
	row->precision = PRECISION_SINGLE;
	EACH_ROW(kind, number_types, COUNT(number_types))
		if (type == kind->type) {
			row->numbers = kind->numbers;
			row->precision = kind->ceiling;
		}
	row->unit_name = compute_unit_name(sum->unit);
	if (!*sum->shape.way)
		row->sum.shape.way = "blas";
	row->p50_ns = shape_quantile(sum, 0.50);
	row->p95_ns = shape_quantile(sum, 0.95);
	row->wall_ns = sum->wall_ns > 0 ? (double)sum->wall_ns : NAN;
	if (!call_shape_has_flops(&sum->shape))
		total_ns = 0;
	row->gflops = total_ns > 0 ? sum->flops / total_ns : NAN;
	row->gbytes_per_s = total_ns > 0 ? sum->bytes / total_ns : NAN;
	row->worker_share =
		samples >= SHARE_SAMPLES_MIN ? (double)sum->samples_workers / samples : NAN;
}

static void finish_shapes(const struct table *table, struct report *report)
{
	for (size_t i = 0; i < table_count(table, report); i++)
		set_figures(table_row(table, report, i));
	table_sort(table, report, "threads -total_ns");
	sums_share(table, report, "total_ns", offsetof(struct report_shape, share));
}

#define SHAPE_KEYS "transa transb m n k other_shapes routine type variant"

void build_region_shapes(struct report *report)
{
	const struct table *by_region = &report_tables[REPORT_SHAPES];

	sums_build(report, RUN_PART_SHAPES, SHAPE_KEYS " region", by_region);
	finish_shapes(by_region, report);
}

void build_shapes(struct report *report)
{
	struct table all_regions = report_tables[REPORT_SHAPES];

	all_regions.rows = offsetof(struct report, shapes);
	all_regions.count = offsetof(struct report, nshapes);
	sums_build(report, RUN_PART_SHAPES, SHAPE_KEYS, &all_regions);
	finish_shapes(&all_regions, report);
	EACH_ROW(shape, report->shapes, report->nshapes)
		shape->sum.shape.region = "";
	/* a thread count has no rate of flops if the flops of too many calls are not known */
	EACH_ROW(row, report->rows, report->nrows) {
		double all_ns = 0, unknown_ns = 0;

		EACH_AT(shape, report, shapes, row->threads) {
			double ns = (double)shape->sum.total_ns;

			all_ns += ns;
			unknown_ns += call_shape_has_flops(&shape->sum.shape) ? 0 : ns;
		}
		if (unknown_ns > UNKNOWN_FLOPS_MAX * all_ns)
			row->flops_per_s = NAN;
	}
}

static uint64_t routine_key(const struct report_shape *shape)
{
	return (uint64_t)shape->threads << 32 | string_number(shape->sum.shape.routine);
}

/* A call at this thread count; only the number of threads at work is set. */
static struct roofline_call call_at(const struct report_row *row)
{
	double callers = row && row->account.parallel != PARALLEL_INNER ? row->threads : 1;

	return (struct roofline_call){
		.callers = callers,
		.each = 1 + (row ? row->workers_at_once / callers : 0),
	};
}

/* shortest: the shape with the shortest call, for each routine and thread count. */
static void set_roofline(const struct report *report, const struct idmap *shortest,
			 struct report_shape *shape)
{
	struct roofline_call call = call_at(report_find_row(report, shape->threads));
	uint32_t least = idmap_find(shortest, routine_key(shape));
	double calls = (double)shape->sum.calls;

	call.precision = shape->precision;
	call.flops = shape->sum.flops / calls;
	call.bytes = shape->sum.bytes / calls;
	call.mean_ns = (double)shape->sum.total_ns / calls;
	call.least_ns = (double)(least == IDMAP_NONE ? shape : &report->shapes[least])->sum.min_ns;
	shape->roofline = roofline_call(&report->ceilings, &call);
	shape->bound = bound_names[shape->roofline.bound];
	shape->level = *shape->bound ? level_names[shape->roofline.level] : "";
}

void build_add_ceiling(struct report *report, int threads, const char *name, double flops_per_s,
		       double bytes_per_s)
{
	struct report_ceiling row = {threads, name, flops_per_s, bytes_per_s};

	if (flops_per_s > 0 || bytes_per_s > 0)
		memory_append(&report->ceiling_rows, &report->nceiling_rows, sizeof row, &row);
}

void build_roofline(struct report *report)
{
	const char *text = report_fact(report, "ceilings");
	struct ceilings *ceilings = &report->ceilings;
	struct idmap shortest = {0};

	EACH_ROW(shape, report->shapes, report->nshapes) {
		uint32_t least = idmap_find(&shortest, routine_key(shape));

		if (least == IDMAP_NONE || shape->sum.min_ns < report->shapes[least].sum.min_ns)
			idmap_put(&shortest, routine_key(shape),
				  (uint32_t)(shape - report->shapes));
	}
	ceilings_parse(text ? text : "", ceilings);
	EACH_ROW(shape, report->shapes, report->nshapes)
		set_roofline(report, &shortest, shape);
	EACH_ROW(shape, report->region_shapes, report->nregion_shapes)
		set_roofline(report, &shortest, shape);
	EACH_ROW(row, report->rows, ceilings->cpus > 0 ? report->nrows : 0) {
		const struct roofline_call call = call_at(row);

		for (int i = 0; i < PRECISION_COUNT; i++)
			build_add_ceiling(report, row->threads, precision_names[i],
					  roofline_rate(ceilings, &ceilings->flops_per_s[i], &call),
					  NAN);
		for (int i = 0; i < LEVEL_COUNT; i++)
			build_add_ceiling(
				report, row->threads, level_names[i], NAN,
				roofline_rate(ceilings, &ceilings->bytes_per_s[i], &call));
	}
	idmap_free(&shortest);
}

void build_latencies(struct report *report)
{
	uint64_t calls[RUN_HISTOGRAM_BUCKETS];
	int threads = 0, seen = 0;

	EACH_ROW(shape, report->shapes, report->nshapes) {
		seen = shape->threads == threads ? seen + 1 : 1;
		threads = shape->threads;
		if (report->options.top && seen > report->options.top)
			continue;
		histogram_calls(shape->sum.histogram, calls);
		for (int bucket = 0; bucket < RUN_HISTOGRAM_BUCKETS; bucket++) {
			struct report_latency *row;

			if (!calls[bucket])
				continue;
			row = memory_add(&report->latencies, &report->nlatencies, sizeof *row);
			row->threads = shape->threads;
			row->shape = shape_name(&shape->sum.shape);
			row->low_ns = run_bucket_low_ns(bucket);
			row->high_ns = run_bucket_low_ns(bucket + 1);
			row->calls = (double)calls[bucket];
		}
	}
}

/* Frame pointers seldom lead out of a BLAS kernel, so samples there tell no caller: they are
 * divided between the callers by time. */
void build_callers(struct report *report)
{
	const struct table *table = &report_tables[REPORT_CALLERS];

	sums_build(report, RUN_PART_CALLERS, "function inlined_into object routine", table);
	table_sort(table, report, "threads -total_ns function");
	sums_share(table, report, "total_ns", offsetof(struct report_caller, share));
	EACH_ROW(row, report->callers, report->ncallers)
		row->samples =
			row->share * report_find_row(report, row->threads)->account.samples_blas;
}

double share_of_callers(const struct report *report, int threads, double ns)
{
	const struct report_row *point = report_find_row(report, threads);

	return point && point->callers_ns > 0 ? ns / point->callers_ns : NAN;
}

void build_mpi(struct report *report)
{
	const struct table *table = &report_tables[REPORT_MPI];

	sums_build(report, RUN_PART_MPI, NULL, table);
	EACH_ROW(row, report->mpi, report->nmpi)
		row->share = share_of_callers(report, row->threads, (double)row->sum.total_ns);
	table_sort(table, report, "threads -total_ns");
}
