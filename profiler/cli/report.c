/* report.c: `blasprof report`: prints the report on an experiment from the store. */
/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "report/columns.h"
#include "write/pictures.h"
#include "write/view.h"
#include "base/array.h"

static struct report_settings {
	struct option_list stores;
	const char *experiment, *output;
	struct report_choice choice;
} settings = {.choice.options = REPORT_OPTIONS_DEFAULT};

static const struct option_row options[] = {
	{'i', "store", "FILE", "read the runs from FILE (default " DEFAULT_STORE ")", OPTION_LIST,
	 offsetof(struct report_settings, stores)},
	{'e', "experiment", "NAME",
	 "report on this experiment: the command with {} in place of\n"
	 "the thread count (default: the newest run's)",
	 OPTION_TEXT, offsetof(struct report_settings, experiment)},
	{'f', "format", "NAME", "print in this format (default: the first below)", OPTION_TEXT,
	 offsetof(struct report_settings, choice.format)},
	{'t', "table", "NAME",
	 "which table to print, in a format that holds one table\n"
	 "(default: the first below), or alone as text",
	 OPTION_TEXT, offsetof(struct report_settings, choice.table)},
	{'b', "by", "WHAT",
	 "print one table, with the columns that say most: one of\n"
	 "those below",
	 OPTION_TEXT, offsetof(struct report_settings, choice.by)},
	{'c', "columns", "LIST", "print these columns of the table, parted by commas", OPTION_TEXT,
	 offsetof(struct report_settings, choice.columns)},
	{'s', "sort", "COLUMN",
	 "sort the table by this column: the largest number first,\n"
	 "texts by the alphabet",
	 OPTION_TEXT, offsetof(struct report_settings, choice.sort)},
	{'p', "picture", "NAME",
	 "which picture to draw, in a format that is one\n"
	 "(default: the first below)",
	 OPTION_TEXT, offsetof(struct report_settings, choice.picture)},
	{0, "suite", "N", "show the cells of suite N (default: the newest)", OPTION_INTEGER,
	 offsetof(struct report_settings, choice.suite), 1, 1e9},
	{'m', "units", "M", "predict for M matrix units that all threads share\n(default 1)",
	 OPTION_NUMBER, offsetof(struct report_settings, choice.options.units), 0.01, 1e6},
	{'n', "top", "N",
	 "show the N top shapes, functions and rows of a table as\n"
	 "text; 0: all (default 10)",
	 OPTION_INTEGER, offsetof(struct report_settings, choice.options.top), 0, 1e6},
	{0, "categories", "FILE",
	 "sort other code by the patterns in FILE before those that\n"
	 "come with blasprof",
	 OPTION_TEXT, offsetof(struct report_settings, choice.categories)},
	{'o', "output", "FILE",
	 "write to FILE instead of standard output; a format that\n"
	 "holds one table or picture writes all of them into a\n"
	 "folder",
	 OPTION_TEXT, offsetof(struct report_settings, output)},
};

static int write_one(const struct experiment *experiment, const struct report_choice *choice,
		     const char *path, struct error *err)
{
	FILE *out = output_open(path, stdout, err);
	int failed;

	if (!out)
		return -1;
	failed = experiment_print(experiment->runs, experiment->count, choice, out, err);
	if (output_close(out, path, failed ? NULL : err))
		failed = -1;
	if (failed)
		output_discard(path);
	return failed;
}

static int write_part(const struct experiment *experiment, const struct report_choice *choice,
		      const char *part, struct error *err)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s.%s", settings.output, part, choice->format);
	return write_one(experiment, choice, path, err);
}

/* The cells of a category into a file of their own, where its first cell is the one of that number.
 */
static int write_category(const struct experiment *experiment, size_t first,
			  struct report_choice *choice, struct error *err)
{
	const char *category = experiment->cells[first].category;
	char part[CELL_WORD + sizeof CELLS_TABLE];

	for (size_t i = 0; i < first; i++)
		if (!strcmp(experiment->cells[i].category, category))
			return 0;
	choice->table = CELLS_TABLE;
	choice->options.cells_category = category;
	snprintf(part, sizeof part, CELLS_TABLE "-%s", category);
	return write_part(experiment, choice, part, err);
}

/* Without runs there is no picture but those of cells, which must then be drawn. */
static int write_picture(const struct experiment *experiment, const struct picture *picture,
			 struct report_choice *choice, struct error *err)
{
	if (!experiment->count && !picture->takes_cells)
		return 0;
	choice->picture = picture->name;
	if (!write_part(experiment, choice, choice->picture, err))
		return 0;
	return picture->optional && experiment->count ? 0 : -1;
}

/* A folder takes a file for each table or picture of a format that holds one. */
static int write_parts(const struct experiment *experiment, enum format_holds holds,
		       struct error *err)
{
	struct report_choice choice = settings.choice;

	for (size_t i = 0; holds == HOLDS_TABLE && i < report_tables_count; i++) {
		choice.table = report_tables[i].name;
		if (!experiment->count && strcmp(choice.table, CELLS_TABLE) != 0)
			continue;
		if (write_part(experiment, &choice, choice.table, err))
			return -1;
	}
	for (size_t i = 0; holds == HOLDS_TABLE && i < experiment->ncells; i++)
		if (write_category(experiment, i, &choice, err))
			return -1;
	for (size_t i = 0; holds == HOLDS_PICTURE && i < pictures_count; i++)
		if (write_picture(experiment, &pictures[i], &choice, err))
			return -1;
	return 0;
}

static int is_folder(const char *path)
{
	struct stat status;

	return path && !stat(path, &status) && S_ISDIR(status.st_mode);
}

static int write_report(const struct experiment *experiment, struct error *err)
{
	const struct report_format *format =
		settings.choice.format ? report_format_find(settings.choice.format) : NULL;
	struct report_choice choice = settings.choice;

	if (format && format->binary && !settings.output && isatty(STDOUT_FILENO))
		return error_set(err, "name a file with --output=FILE",
				 "%s is nothing for a terminal", format->name);
	if (format && format->holds != HOLDS_ALL && !settings.choice.options.view &&
	    !settings.choice.picture && is_folder(settings.output))
		return write_parts(experiment, format->holds, err);
	/* what is there is what is wanted: without runs all else is empty */
	if (!experiment->count && !choice.table)
		choice.table = CELLS_TABLE;
	if (!experiment->count && !choice.picture)
		choice.picture = picture_of_cells()->name;
	return write_one(experiment, &choice, settings.output, err);
}

/* Stores that are named without an option; the default where none is named at all. */
static int add_stores(char **arguments, struct error *err)
{
	static char default_store[] = DEFAULT_STORE;
	char *fallback[] = {settings.stores.count || *arguments ? NULL : default_store, NULL};

	for (char **word = *arguments ? arguments : fallback; *word; word++) {
		const char **place =
			array_add(&settings.stores.texts, &settings.stores.count, sizeof *place);

		if (!place)
			return error_out_of_memory(err);
		*place = *word;
	}
	return 0;
}

/* 1 where the report goes without runs: it is on cells alone, or there is nothing else to report
 * on, in a format that is not made for runs. */
static int goes_without_runs(void)
{
	const struct report_choice *choice = &settings.choice;
	const struct report_format *format =
		choice->format ? report_format_find(choice->format) : &report_formats[0];

	if (report_choice_is_cells(choice))
		return 1;
	return format->takes_cells && !settings.experiment && settings.stores.count == 1 &&
	       experiment_is_missing(settings.stores.texts[0]);
}

static int load(struct experiment *experiment, struct error *err)
{
	struct experiment suite = {0};
	int failed =
		experiment_load_cells(settings.stores.texts[0], settings.choice.suite, &suite, err);

	if (!failed && !(suite.ncells && goes_without_runs()))
		failed = experiment_load_all(settings.stores.texts, settings.stores.count,
					     settings.experiment, experiment, err);
	experiment->cells = suite.cells;
	experiment->ncells = suite.ncells;
	settings.choice.options.cells = suite.cells;
	settings.choice.options.ncells = suite.ncells;
	return failed;
}

static int run_report(char **arguments)
{
	struct experiment experiment = {0};
	struct error err;
	int failed;

	failed = report_choice_check(&settings.choice, &err) || add_stores(arguments, &err) ||
		 load(&experiment, &err) ||
		 experiment_load_timeline(settings.stores.texts, settings.stores.count,
					  &settings.choice, &experiment, &err) ||
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
	fputs("\nTables by:\n", out);
	for (size_t i = 0; i < view_bys_count; i++)
		help_print_row(view_bys[i].name, view_bys[i].doc, out);
	fputs("\nPictures:\n", out);
	for (size_t i = 0; i < pictures_count; i++)
		help_print_row(pictures[i].name, pictures[i].says, out);
}

const struct command command_report = {
	.name = "report",
	.usage = "[OPTION]... [STORE]...",
	.purpose = "print the report on recorded runs again",
	.about = "Print the report on an experiment, that is on all runs of one command at "
		 "different\n"
		 "thread counts, from the store. Several stores make one report: those of the "
		 "ranks of an\n"
		 "MPI job are put together as one run.",
	.options = options,
	.options_count = COUNT(options),
	.settings = &settings,
	.print_more = print_more,
	.operands_more = OPERANDS_ANY,
	.run = run_report,
};
