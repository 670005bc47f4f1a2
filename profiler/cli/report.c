/* report.c: `blasprof report`: prints the report on an experiment from the store. */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "report/columns.h"

static struct report_settings {
	const char *store, *experiment, *output;
	struct report_choice choice;
} settings = {.store = DEFAULT_STORE, .choice.options = REPORT_OPTIONS_DEFAULT};

static const struct option_row options[] = {
	{'i', "store", "FILE", "read the runs from FILE (default " DEFAULT_STORE ")", OPTION_TEXT,
	 offsetof(struct report_settings, store)},
	{'e', "experiment", "NAME",
	 "report on this experiment: the command with {} in place of\n"
	 "the thread count (default: the newest run's)",
	 OPTION_TEXT, offsetof(struct report_settings, experiment)},
	{'f', "format", "NAME", "print in this format (default: the first below)", OPTION_TEXT,
	 offsetof(struct report_settings, choice.format)},
	{'t', "table", "NAME",
	 "which table to print, in a format that holds one table\n"
	 "(default: the first below)",
	 OPTION_TEXT, offsetof(struct report_settings, choice.table)},
	{'m', "units", "M", "predict for M matrix units that all threads share\n(default 1)",
	 OPTION_NUMBER, offsetof(struct report_settings, choice.options.units), 0.01, 1e6},
	{'n', "top", "N", "show the N top shapes and functions; 0: all (default 10)",
	 OPTION_INTEGER, offsetof(struct report_settings, choice.options.top), 0, 1e6},
	{0, "categories", "FILE",
	 "sort other code by the patterns in FILE before those that\n"
	 "come with blasprof",
	 OPTION_TEXT, offsetof(struct report_settings, choice.categories)},
	{'o', "output", "FILE", "write to FILE instead of standard output", OPTION_TEXT,
	 offsetof(struct report_settings, output)},
};

static int write_report(const struct experiment *experiment, struct error *err)
{
	FILE *out = output_open(settings.output, stdout, err);
	int failed;

	if (!out)
		return -1;
	failed = experiment_print(experiment->runs, experiment->count, &settings.choice, out, err);
	if (!failed)
		return output_close(out, settings.output, err);
	output_close(out, settings.output, NULL);
	return failed;
}

static int run_report(char **arguments)
{
	struct experiment experiment = {0};
	struct error err;
	int failed;

	(void)arguments;
	failed = report_choice_check(&settings.choice, &err) ||
		 experiment_load(settings.store, settings.experiment, &experiment, &err) ||
		 write_report(&experiment, &err);
	experiment_free(&experiment);
	return failed ? output_failure(&err) : 0;
}

static void print_more(FILE *out)
{
	fputs("\nFormats:\n", out);
	for (size_t i = 0; i < report_formats_count; i++)
		help_print_row(report_formats[i].name, report_formats[i].says, out);
	fputs("\nTables:\n", out);
	for (size_t i = 0; i < report_tables_count; i++)
		help_print_row(report_tables[i].name, report_tables[i].doc, out);
}

const struct command command_report = {
	.name = "report",
	.usage = "[OPTION]...",
	.purpose = "print the report on recorded runs again",
	.about = "Print the report on an experiment, that is on all runs of one command at "
		 "different\n"
		 "thread counts, from the store.",
	.options = options,
	.options_count = COUNT(options),
	.settings = &settings,
	.print_more = print_more,
	.run = run_report,
};
