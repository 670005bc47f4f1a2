/* report.c: `blasprof report`: prints the report on an experiment from the store. */
/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/experiment.h"
#include "report/columns.h"
#include "write/format.h"
#include "write/pictures.h"
#include "write/view.h"
#include "base/memory.h"
#include "base/string_pool.h"

static struct {
	struct option_list stores;
	const char *experiment, *output;
	struct report_choice choice;
} settings = {.choice.options = REPORT_OPTIONS_DEFAULT};

static const struct option_row options[] = {
	{'i', "store", "FILE", "read the runs from FILE (default " DEFAULT_STORE ")", OPTION_LIST,
	 &settings.stores},
	{'x', "experiment", "NAME",
	 "report on this experiment, named by the command with {} in place of the thread count "
	 "(default: the experiment of the newest run)",
	 OPTION_TEXT, &settings.experiment},
	{'f', "format", "NAME",
	 "print in this format (default: by the ending of -o FILE, as in -o page.html, or else the "
	 "first below)",
	 OPTION_TEXT, &settings.choice.format},
	{0, "full", NULL, "as text, print all tables instead of a summary of 24 lines", OPTION_FLAG,
	 &settings.choice.options.full},
	{0, "table", "NAME",
	 "print this table, as text or in a format that holds one table (default: the first below)",
	 OPTION_TEXT, &settings.choice.table},
	{0, "by", "WHAT",
	 "print the table for this kind of row (see below) with its most useful columns",
	 OPTION_TEXT, &settings.choice.by},
	{'c', "columns", "LIST", "print these columns of the table, separated by commas",
	 OPTION_TEXT, &settings.choice.columns},
	{0, "sort", "COLUMN",
	 "sort the table by this column, with the largest number first, or text in alphabetical "
	 "order",
	 OPTION_TEXT, &settings.choice.sort},
	{0, "picture", "NAME",
	 "draw this picture, if the format is a picture (default: the first below)", OPTION_TEXT,
	 &settings.choice.picture},
	{0, "suite", "N", "show the cells of suite N (default: the newest)", OPTION_INTEGER,
	 &settings.choice.suite, 1, 1e9},
	{'m', "units", "M",
	 "predict for M matrix units that all threads share (default: the fitted number, that of "
	 "--what-if, or none)",
	 OPTION_NUMBER, &settings.choice.options.units, 0.01, 1e6},
	{0, "top", "N",
	 "show the N top rows in text tables, also with --full (default 10); 0 shows all",
	 OPTION_INTEGER, &settings.choice.options.top, 0, 1e6},
	{0, "categories", "FILE",
	 "put other code into categories by the patterns in FILE, then by those that come with "
	 "blasprof",
	 OPTION_TEXT, &settings.choice.categories},
	{'o', "output", "FILE",
	 "write to FILE instead of standard output (-); if FILE is a directory, formats that hold "
	 "one table or picture write all tables or pictures into it",
	 OPTION_TEXT, &settings.output},
};

/* Removes a regular file if writing failed, because half a report looks like a whole one. */
static int write_one(const struct experiment *experiment, const struct report_choice *choice,
		     const char *path, struct error *err)
{
	FILE *out = output_open(path, stdout, err);
	struct stat status;
	int failed, is_own;

	if (!out)
		return -1;
	is_own = !output_is_standard(out);
	failed = experiment_print(experiment->runs, experiment->count, choice, out, err);
	if (output_close(out, path, failed ? NULL : err))
		failed = -1;
	if (failed && is_own && !lstat(path, &status) && S_ISREG(status.st_mode))
		remove(path);
	return failed;
}

static int write_part(const struct experiment *experiment, const struct report_choice *choice,
		      const char *part, struct error *err)
{
	return write_one(experiment, choice,
			 string_printf("%s/%s.%s", settings.output, part, choice->format), err);
}

/* Writes all tables into the directory, and the cells once more by category. If there are no runs,
 * writes only the cells. */
static int write_tables(const struct experiment *experiment, struct error *err)
{
	struct report_choice choice = settings.choice;

	for (size_t i = 0; i < REPORT_TABLES; i++) {
		choice.table = report_tables[i].name;
		if (!experiment->count && strcmp(choice.table, CELLS_TABLE) != 0)
			continue;
		if (write_part(experiment, &choice, choice.table, err))
			return -1;
	}
	choice.table = CELLS_TABLE;
	for (size_t i = 0; i < experiment->ncells; i++) {
		const char *category = experiment->cells[i].category;
		size_t first = 0;

		while (strcmp(experiment->cells[first].category, category) != 0)
			first++;
		if (first < i)
			continue;
		choice.options.cells_category = category;
		if (write_part(experiment, &choice, string_printf(CELLS_TABLE "-%s", category),
			       err))
			return -1;
	}
	return 0;
}

/* Writes all pictures into the directory, or those of cells if there are no runs. */
static int write_pictures(const struct experiment *experiment, struct error *err)
{
	struct report_choice choice = settings.choice;

	for (size_t i = 0; i < pictures_count; i++) {
		if (!experiment->count && !pictures[i].takes_cells)
			continue;
		choice.picture = pictures[i].name;
		/* without runs, a picture of cells is not optional */
		if (write_part(experiment, &choice, choice.picture, err) &&
		    !(pictures[i].optional && experiment->count))
			return -1;
	}
	return 0;
}

static int is_directory(const char *path)
{
	struct stat status;

	return path && !stat(path, &status) && S_ISDIR(status.st_mode);
}

static int write_report(const struct experiment *experiment, struct error *err)
{
	const struct report_format *format = report_choice_format(&settings.choice);
	struct report_choice choice = settings.choice;

	if ((format->flags & (FORMAT_BINARY | FORMAT_LONG)) && !settings.output &&
	    isatty(STDOUT_FILENO))
		return error_set(err, "name a file with --output=FILE",
				 "%s cannot be shown on a terminal", format->name);
	if (is_directory(settings.output) && format->holds != HOLDS_ALL && !choice.options.view &&
	    !choice.picture)
		return format->holds == HOLDS_TABLE ? write_tables(experiment, err)
						    : write_pictures(experiment, err);
	/* without runs, everything but the cells is empty */
	if (!experiment->count && !choice.table)
		choice.table = CELLS_TABLE;
	if (!experiment->count && !choice.picture)
		choice.picture = picture_of_cells()->name;
	return write_one(experiment, &choice, settings.output, err);
}

static int load(struct experiment *experiment, struct error *err)
{
	struct report_choice *choice = &settings.choice;
	const struct option_list *stores = &settings.stores;
	const struct view *view;
	int cells_only, no_runs, failed = -1;

	for (size_t i = 0; i < stores->count && failed; i++)
		failed = experiment_load_cells(stores->items[i], choice->suite, experiment,
					       i ? NULL : err);
	if (failed)
		return -1;
	choice->options.cells = experiment->cells;
	choice->options.ncells = experiment->ncells;
	/* No runs are needed for the table of cells, or if the store has cells only and the format
	 * can show them alone. */
	view = choice->options.view;
	no_runs = experiment->ncells && !settings.experiment && stores->count == 1 &&
		  experiment_store_is_empty(stores->items[0]);
	cells_only = experiment->ncells &&
		     ((view && !strcmp(view->table.name, CELLS_TABLE)) ||
		      (no_runs && (report_choice_format(choice)->flags & FORMAT_CELLS)));
	if (cells_only ||
	    !experiment_load_all(stores->items, stores->count, settings.experiment,
				 report_choice_parts(choice, is_directory(settings.output)),
				 experiment, err))
		return 0;
	if (no_runs)
		snprintf(err->remedy, sizeof err->remedy,
			 "print its cells with --by=cell, or record a run");
	return -1;
}

static int run_report(char **arguments, struct error *err)
{
	static const char *const fallback = DEFAULT_STORE;
	struct option_list *stores = &settings.stores;
	OWN_EXPERIMENT experiment = {0};

	if (settings.output && !strcmp(settings.output, "-"))
		settings.output = NULL;
	for (char **word = arguments; *word; word++)
		memory_append(&stores->items, &stores->count, sizeof *word, word);
	if (!stores->count)
		memory_append(&stores->items, &stores->count, sizeof fallback, &fallback);
	if (report_choice_check(&settings.choice, settings.output, err))
		return -1;
	if (stores->count == 1)
		settings.choice.options.store = experiment_store(stores->items[0]);
	settings.choice.options.experiment = settings.experiment;
	if (load(&experiment, err) || experiment_load_timeline(stores->items, stores->count,
							       &settings.choice, &experiment, err))
		return -1;
	settings.choice.options.stacks = experiment.store;
	return write_report(&experiment, err) ? -1 : 0;
}

static void print_more(void)
{
	help_print_formats();
	printf("\nTables:\n");
	for (size_t i = 0; i < REPORT_TABLES; i++)
		help_print_row(report_tables[i].name, report_tables[i].doc);
	printf("\nTables by:\n");
	for (size_t i = 0; i < view_bys_count; i++)
		help_print_row(view_bys[i].name, view_bys[i].doc);
	printf("\nPictures:\n");
	for (size_t i = 0; i < pictures_count; i++)
		help_print_row(pictures[i].name, pictures[i].says);
}

const struct command command_report = {
	.name = "report",
	.usage = "[OPTION]... [STORE]...",
	.purpose = "print the report on recorded runs",
	.about = "Print the report on an experiment, that is, on all recorded runs of a command\n"
		 "at different thread counts. The runs of several stores are reported together;\n"
		 "the ranks of an MPI job become one run.",
	COMMAND_OPTIONS,
	.print_more = print_more,
	.operands_more = OPERANDS_ANY,
	.run = run_report,
};
