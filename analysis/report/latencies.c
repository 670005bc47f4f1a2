/* latencies.c: how long the calls of the top shapes took: their histograms as rows. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/build.h"
#include "base/array.h"

static int add_buckets(struct report *report, const struct report_shape *shape)
{
	char name[SHAPE_NAME_MAX];

	shape_name(shape, name);
	for (int i = 0; i < RUN_HISTOGRAM_BUCKETS; i++) {
		struct report_latency *row;

		if (!shape->histogram[i])
			continue;
		row = array_add(&report->latencies, &report->nlatencies, sizeof *row);
		if (!row)
			return -1;
		row->threads = shape->threads;
		memcpy(row->shape, name, sizeof row->shape);
		row->low_ns = (double)run_bucket_low_ns(i);
		row->high_ns = (double)run_bucket_low_ns(i + 1);
		row->calls = (double)shape->histogram[i];
	}
	return 0;
}

int build_latencies(struct report *report)
{
	int threads = 0, taken = 0;

	for (size_t i = 0; i < report->nshapes; i++) {
		const struct report_shape *shape = &report->shapes[i];

		taken = shape->threads == threads ? taken + 1 : 1;
		threads = shape->threads;
		if (report->options.top && taken > report->options.top)
			continue;
		if (add_buckets(report, shape))
			return -1;
	}
	return 0;
}
