/* predict.c: predicts speed-ups at any thread and unit counts. */
/* SPDX-License-Identifier: MIT */
#include "report/predict.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/scaling.h"

void prediction_free(struct prediction *prediction)
{
	report_free(&prediction->report);
	free(prediction->rows);
	*prediction = (struct prediction){0};
}

void prediction_from_f(double f, struct prediction *prediction)
{
	*prediction = (struct prediction){.report = {.experiment = "", .what_if = ""}};
	scaling_free(&prediction->report.scaling);
	prediction->report.scaling.f.value = prediction->report.scaling.input.d.value = f;
}

int prediction_from_runs(const struct run *runs, size_t count, struct prediction *prediction,
			 struct error *err)
{
	static const struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct report *report = &prediction->report;

	*prediction = (struct prediction){0};
	if (report_build(runs, count, &options, report, err))
		return -1;
	if (!report->nrows ||
	    (!(report->rows[0].account.calls > 0) && !(report->rows[0].account.samples_matrix > 0)))
		return error_set(err, "record a program that calls BLAS, or give f with --f",
				 "no run of '%s' has a BLAS call", report->experiment);
	if (isnan(report->scaling.f.value))
		return error_set(err, "record a run with one thread, or give f with --f",
				 "the runs of '%s' do not tell f at one thread",
				 report->experiment);
	return 0;
}

int prediction_build_rows(struct prediction *prediction, const struct prediction_grid *grid,
			  struct error *err)
{
	const struct report *report = &prediction->report;
	const struct scaling *scaling = &report->scaling;
	int fitted = grid->nunits ? scaling->has_fit && scaling->fit.result == UNITS_FITTED
				  : scaling->units_from == UNITS_FROM_SPEEDUPS;
	size_t columns = grid->nunits ? grid->nunits + (size_t)fitted : 1;

	if (grid->nthreads * columns > PREDICTION_ROWS_MAX)
		return error_set(err, "ask for fewer thread counts or units",
				 "%zu thread counts with %zu units make more than %d predictions",
				 grid->nthreads, columns, PREDICTION_ROWS_MAX);
	prediction->rows = memory_rows(grid->nthreads * columns, sizeof *prediction->rows);
	for (size_t i = 0; i < columns; i++)
		for (size_t j = 0; j < grid->nthreads; j++) {
			const struct units_fit *fit = &scaling->fit;
			int threads = grid->threads[j], is_last = i == grid->nunits;
			struct interval units =
				!grid->nunits ? scaling_units(scaling, threads)
				: !is_last    ? (struct interval){grid->units[i], NAN, NAN}
				: threads > 1
					? (struct interval){fit->units, fit->own_low, fit->own_high}
					: (struct interval){INFINITY, NAN, NAN};
			struct prediction_row *row = &prediction->rows[prediction->nrows++];

			*row = (struct prediction_row){
				.experiment = report->experiment,
				.threads = threads,
				.cpus_available =
					report->nrows
						? report->rows[report->nrows - 1].cpus_available
						: 0,
				.units = units,
				/* one thread shares none */
				.units_fitted = fitted && is_last && isfinite(units.value),
				.f = scaling->f,
				.d = scaling->input.d,
				.f_estimated = scaling->f_estimated,
				.measured = scaling_measured(scaling, threads),
			};
			for (size_t k = 0; k < MODELS; k++)
				row->predicted[k] =
					model_solve(&models[k], &scaling->input, threads, units);
			if (row->units_fitted) /* the interval that the text shows */
				row->units = (struct interval){fit->units, fit->low, fit->high};
		}
	return 0;
}
