/* sizes.c: gathers f, matrix units and speed-up of several experiments. */
/* SPDX-License-Identifier: MIT */
#include "report/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/scaling.h"

int sizes_add(struct sizes *sizes, const char *const *values, const struct run *runs, size_t count,
	      struct error *err)
{
	static const struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct report report;

	if (report_build(runs, count, &options, &report, err))
		return -1;
	EACH_ROW(from, report.rows, report.nrows) {
		struct sizes_row *row = memory_add(&sizes->rows, &sizes->count, sizeof *row);
		const struct scaling *scaling = &report.scaling;
		const struct units_fit *fit = &scaling->fit;

		for (size_t i = 0; i < sizes->nnames; i++)
			row->values[i] = values[i];
		row->experiment = report.experiment;
		row->threads = from->threads;
		row->runs = from->runs;
		row->cpus_available = from->cpus_available;
		row->f = scaling->f;
		row->f_estimated = scaling->f_estimated;
		row->lost = scaling->lost;
		row->lost_blas = scaling->lost_blas;
		row->speedup = scaling_measured(scaling, from->threads);
		row->unit_seen = "?";
		row->units = (struct interval){NAN, NAN, NAN};
		if (scaling->has_fit && fit->result == UNITS_NONE_SEEN)
			row->unit_seen = "no";
		if (scaling->has_fit && fit->result == UNITS_FITTED) {
			row->unit_seen = "yes";
			row->units = (struct interval){fit->units, fit->low, fit->high};
		}
	}
	if (!sizes->what_if)
		sizes->what_if = report.what_if;
	report_free(&report);
	return 0;
}

void sizes_free(struct sizes *sizes)
{
	free(sizes->rows);
	memset(sizes, 0, sizeof *sizes);
}
