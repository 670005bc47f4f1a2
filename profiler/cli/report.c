/* report.c: `blasprof report`: prints the report on an experiment from the store. */
/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "report/columns.h"
#include "write/format.h"
#include "write/pictures.h"
#include "write/view.h"
#include "base/array.h"
#include "base/memory.h"

static struct report_settings {
	struct option_list stores;
	const char *experiment, *output;
	struct report_choice choice;
} settings = {.choice.options = REPORT_OPTIONS_DEFAULT};

static const struct option_row options[] = {
	{'i', "store", "FILE", "read the runs from FILE (default " DEFAULT_STORE ")", OPTION_LIST,
	 offsetof(struct report_settings, stores)},
	{'x', "experiment", "NAME",
	 "report on this experiment: the command with {} in place of\n"
	 "the thread count (default: the newest run's)",
	 OPTION_TEXT, offsetof(struct report_settings, experiment)},
	{'f', "format", "NAME", "print in this format (default: the first below)", OPTION_TEXT,
	 offsetof(struct report_settings, choice.format)},
	{0, "full", NULL, "in text, print all tables, where there are 24 lines else", OPTION_FLAG,
	 offsetof(struct report_settings, choice.options.full)},
	{0, "table", "NAME",
	 "print this table: in a format that holds one table\n"
	 "(default: the first below), or as text",
	 OPTION_TEXT, offsetof(struct report_settings, choice.table)},
	{0, "by", "WHAT",
	 "print one table with its most useful columns: one of those\n"
	 "below",
	 OPTION_TEXT, offsetof(struct report_settings, choice.by)},
	{'c', "columns", "LIST", "print these columns of the table, separated by commas",
	 OPTION_TEXT, offsetof(struct report_settings, choice.columns)},
	{0, "sort", "COLUMN",
	 "sort the table by this column: the largest number first,\n"
	 "texts in alphabetical order",
	 OPTION_TEXT, offsetof(struct report_settings, choice.sort)},
	{0, "picture", "NAME",
	 "draw this picture, in a format that is one\n"
	 "(default: the first below)",
	 OPTION_TEXT, offsetof(struct report_settings, choice.picture)},
	{0, "suite", "N", "show the cells of suite N (default: the newest)", OPTION_INTEGER,
	 offsetof(struct report_settings, choice.suite), 1, 1e9},
	{'m', "units", "M",
	 "predict for M matrix units that all threads share\n"
	 "(default: as fitted, as --what-if had it, or none)",
	 OPTION_NUMBER, offsetof(struct report_settings, choice.options.units), 0.01, 1e6},
	{0, "top", "N",
	 "in a table as text, and with --full, show the N top rows;\n"
	 "0: all (default 10)",
	 OPTION_INTEGER, offsetof(struct report_settings, choice.options.top), 0, 1e6},
	{0, "categories", "FILE",
	 "sort other code by the patterns in FILE before those that\n"
	 "come with blasprof",
	 OPTION_TEXT, offsetof(struct report_settings, choice.categories)},
	{'o', "output", "FILE",
	 "write to FILE instead of standard output, which - stands\n"
	 "for; a format that holds one table or picture writes all\n"
	 "of them into a folder",
	 OPTION_TEXT, offsetof(struct report_settings, output)},
};

/* A plain file is removed when writing failed, since half a report looks like a whole one. */
static int write_one(const struct experiment *experiment, const struct report_choice *choice,
		     const char *path, struct error *err)
{
	FILE *out = output_open(path, stdout, err);
	struct stat status;
	int failed;

	if (!out)
		return -1;
	failed = experiment_print(experiment->runs, experiment->count, choice, out, err);
	if (output_close(out, path, failed ? NULL : err))
		failed = -1;
	if (failed && path && !lstat(path, &status) && S_ISREG(status.st_mode))
		remove(path);
	return failed;
}

/* Writes a file of the folder --output. */
static int write_part(const struct experiment *experiment, const struct report_choice *choice,
		      const char *part, struct error *err)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s.%s", settings.output, part, choice->format);
	return write_one(experiment, choice, path, err);
}

/* A table for each category of cells, beside the one of all. */
static int write_categories(const struct experiment *experiment, struct report_choice *choice,
			    struct error *err)
{
	char part[CELL_WORD + sizeof CELLS_TABLE];

	choice->table = CELLS_TABLE;
	for (size_t i = 0; i < experiment->ncells; i++) {
		const char *category = experiment->cells[i].category;
		size_t first = 0;

		while (strcmp(experiment->cells[first].category, category) != 0)
			first++;
		if (first < i)
			continue;
		choice->options.cells_category = category;
		snprintf(part, sizeof part, CELLS_TABLE "-%s", category);
		if (write_part(experiment, choice, part, err))
			return -1;
	}
	return 0;
}

/* Writes all tables or pictures into the folder; without runs, those of cells. */
static int write_parts(const struct experiment *experiment, enum format_holds holds,
		       struct error *err)
{
	struct report_choice choice = settings.choice;

	for (size_t i = 0; holds == HOLDS_TABLE && i < REPORT_TABLES; i++) {
		choice.table = report_tables[i].name;
		if (!experiment->count && strcmp(choice.table, CELLS_TABLE) != 0)
			continue;
		if (write_part(experiment, &choice, choice.table, err))
			return -1;
	}
	if (holds == HOLDS_TABLE)
		return write_categories(experiment, &choice, err);
	for (size_t i = 0; holds == HOLDS_PICTURE && i < pictures_count; i++) {
		if (!experiment->count && !pictures[i].takes_cells)
			continue;
		choice.picture = pictures[i].name;
		/* a picture of cells alone must be drawn */
		if (write_part(experiment, &choice, choice.picture, err) &&
		    !(pictures[i].optional && experiment->count))
			return -1;
	}
	return 0;
}

static int write_report(const struct experiment *experiment, struct error *err)
{
	const struct report_format *format = report_choice_format(&settings.choice);
	struct report_choice choice = settings.choice;
	struct stat status;
	int into_folder =
		settings.output && !stat(settings.output, &status) && S_ISDIR(status.st_mode);

	if ((format->flags & FORMAT_BINARY) && !settings.output && isatty(STDOUT_FILENO))
		return error_set(err, "name a file with --output=FILE",
				 "%s cannot be shown on a terminal", format->name);
	if (into_folder && format->holds != HOLDS_ALL && !choice.options.view && !choice.picture)
		return write_parts(experiment, format->holds, err);
	/* without runs all but the cells is empty */
	if (!experiment->count && !choice.table)
		choice.table = CELLS_TABLE;
	if (!experiment->count && !choice.picture)
		choice.picture = picture_of_cells()->name;
	return write_one(experiment, &choice, settings.output, err);
}

/* Adds the stores that are named without an option; the default where none is named at all. */
static void add_stores(char **arguments)
{
	static char default_store[] = DEFAULT_STORE;
	char *fallback[] = {settings.stores.count || *arguments ? NULL : default_store, NULL};

	for (char **word = *arguments ? arguments : fallback; *word; word++)
		memory_check(array_append(&settings.stores.items, &settings.stores.count,
					  sizeof *word, word));
}

static int load(struct experiment *experiment, struct error *err)
{
	struct report_choice *choice = &settings.choice;
	const struct option_list *stores = &settings.stores;
	const struct view *view;
	int cells_only, failed = -1;

	for (size_t i = 0; i < stores->count && failed; i++)
		failed = experiment_load_cells(stores->items[i], choice->suite, experiment,
					       i ? NULL : err);
	if (failed)
		return -1;
	choice->options.cells = experiment->cells;
	choice->options.ncells = experiment->ncells;
	/* No runs are needed for a report on cells alone, or where there is nothing else to report
	 * on, in a format that is not made for runs. */
	view = choice->options.view;
	cells_only = experiment->ncells && ((view && !strcmp(view->table.name, CELLS_TABLE)) ||
					    ((report_choice_format(choice)->flags & FORMAT_CELLS) &&
					     !settings.experiment && stores->count == 1 &&
					     experiment_is_missing(stores->items[0])));
	return cells_only ? 0
			  : experiment_load_all(stores->items, stores->count, settings.experiment,
						experiment, err);
}

static int run_report(char **arguments)
{
	struct experiment experiment = {0};
	struct error err;
	int failed;

	if (settings.output && !strcmp(settings.output, "-"))
		settings.output = NULL;
	add_stores(arguments);
	failed = report_choice_check(&settings.choice, &err);
	if (!failed && settings.stores.count == 1)
		settings.choice.options.store = experiment_store(settings.stores.items[0]);
	failed = failed || load(&experiment, &err) ||
		 experiment_load_timeline(settings.stores.items, settings.stores.count,
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
	for (size_t i = 0; i < REPORT_TABLES; i++)
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
	.about = "Print the report on an experiment, that is, on all runs of one command at\n"
		 "different thread counts, from the store. Several stores make one report: the\n"
		 "ranks of an MPI job become one run.",
	COMMAND_OPTIONS,
	.print_more = print_more,
	.operands_more = OPERANDS_ANY,
	.run = run_report,
};
