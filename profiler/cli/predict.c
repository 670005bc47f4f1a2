/* predict.c: `blasprof predict`: speed-ups at thread and unit counts that were not measured. */
/* SPDX-License-Identifier: MIT */
#include "report/predict.h"
#include "write/format.h"

#include <math.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/experiment.h"
#include "base/ranges.h"

static struct {
	const char *store, *experiment, *threads, *units, *format;
	double f;
} settings = {.threads = "1-8", .f = NAN};

static const struct option_row options[] = {
	{'i', "store", "FILE", "read the runs from FILE (default " DEFAULT_STORE ")", OPTION_TEXT,
	 &settings.store},
	{'x', "experiment", "NAME",
	 "predict for this experiment, named by the command with {} in place of the thread count "
	 "(default: the experiment of the newest run)",
	 OPTION_TEXT, &settings.experiment},
	{0, "f", "SHARE", "predict for this BLAS share at one thread, without any recorded run",
	 OPTION_NUMBER, &settings.f, 0, 1},
	{'t', "threads", "LIST", "thread counts, " RANGES_SYNTAX " (default 1-8)", OPTION_TEXT,
	 &settings.threads},
	{'m', "units", "LIST",
	 "numbers of matrix units that all threads share, in the same form (default: the fitted "
	 "number, that of --what-if, or none; with --f: 1,2,4)",
	 OPTION_TEXT, &settings.units},
	{'f', "format", "NAME", "print in this format (default: the first below)", OPTION_TEXT,
	 &settings.format},
};

static int make_prediction(struct prediction *prediction, struct error *err)
{
	OWN_EXPERIMENT experiment = {0};

	if (!isnan(settings.f)) {
		prediction_from_f(settings.f, prediction);
		return 0;
	}
	return experiment_load(settings.store ? settings.store : DEFAULT_STORE, settings.experiment,
			       STORE_FEW_PARTS, &experiment, err) ||
	       prediction_from_runs(experiment.runs, experiment.count, prediction, err);
}

static int run_predict(char **arguments, struct error *err)
{
	struct prediction prediction = {0};
	struct prediction_grid grid = {0};
	enum table_format format;
	const char *units = settings.units || isnan(settings.f) ? settings.units : "1,2,4";
	int failed;

	if (!isnan(settings.f) && (settings.store || settings.experiment))
		return error_set(err, "leave out one of them", "--f cannot be combined with --%s",
				 settings.store ? "store" : "experiment");
	failed = table_format_find(settings.format, &format, err) ||
		 ranges_parse(settings.threads, &grid.threads, &grid.nthreads, err) ||
		 (units && ranges_parse(units, &grid.units, &grid.nunits, err)) ||
		 make_prediction(&prediction, err) ||
		 prediction_build_rows(&prediction, &grid, err);
	if (!failed)
		prediction_write(&prediction, format, stdout);
	prediction_free(&prediction);
	free(grid.threads);
	free(grid.units);
	return failed ? -1 : 0;
}

const struct command command_predict = {
	.name = "predict",
	.usage = "[OPTION]...",
	.purpose = "predict the speed-up at other thread and unit counts",
	.about = "Predict the speed-up of a recorded experiment, or of a program with a given\n"
		 "BLAS share, for any number of threads that share any number of matrix units.\n"
		 "Also estimate how many shared units the machine behaves as if it had.",
	COMMAND_OPTIONS,
	.print_more = help_print_table_formats,
	.run = run_predict,
};
