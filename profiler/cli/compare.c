/* compare.c: `blasprof compare`: two runs, experiments or stores, before and after. */
/* SPDX-License-Identifier: MIT */
#include "report/compare_cells.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/human.h"
#include "base/string_pool.h"
#include "cli/command.h"
#include "cli/experiment.h"
#include "write/format.h"

/* Exit status when --fail-above found a difference above the limit. */
#define STATUS_WORSE 1

static struct {
	const char *store, *format;
	double fail_above; /* percent; NAN if not given */
	struct comparison_options options;
} settings = {.store = DEFAULT_STORE, .fail_above = NAN, .options.top = 5};

static const struct option_row options[] = {
	{'i', "store", "FILE", "look up runs and experiments in FILE (default " DEFAULT_STORE ")",
	 OPTION_TEXT, &settings.store},
	{0, "fail-above", "PERCENT",
	 "exit with status 1 if the throughput at any thread count is lower by more than PERCENT "
	 "and the runs do not show that it is chance; for suites, if a cell takes that much longer",
	 OPTION_PERCENT, &settings.fail_above, 0, 100},
	{0, "force", NULL, "compare different programs", OPTION_FLAG, &settings.options.force},
	{0, "top", "N", "compare the N top shapes (default 5); 0 compares all", OPTION_INTEGER,
	 &settings.options.top, 0, 1e6},
	{'f', "format", "NAME", "print in this format (default: the first below)", OPTION_TEXT,
	 &settings.format},
};

static enum table_format format; /* what settings.format names */

static int is_file(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* Returns 1 and the number if the word is a number. */
static int read_number(const char *word, int64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)*word))
		return 0;
	errno = 0;
	*number = strtoll(word, &end, 10);
	return !*end && !errno;
}

/* Splits FILE:WORD if the file exists. Returns 1 with *file and *word, otherwise 0. */
static int split_file(const char *name, const char **file, const char **word)
{
	for (const char *colon = strchr(name, ':'); colon; colon = strchr(colon + 1, ':')) {
		*file = string_printf("%.*s", (int)(colon - name), name);
		*word = colon + 1;
		if (is_file(*file))
			return 1;
	}
	return 0;
}

static int is_experiment(const char *name)
{
	OWN_STORE *store = NULL;
	OWN_LIST list = {0};

	return is_file(settings.store) && !store_open(&store, settings.store, STORE_READ, NULL) &&
	       !store_list_runs(store, name, &list, NULL) && list.count;
}

/* Loads the runs that `name` stands for, by the rules in the help. */
static int load_runs(const char *name, struct experiment *experiment, struct error *err)
{
	const char *word = name, *store = settings.store;
	int64_t number;

	if (!read_number(name, &number) && !is_experiment(name)) {
		if (is_file(name)) {
			store = name;
			word = "";
		} else if (!split_file(name, &store, &word)) {
			return error_set(err,
					 "give a run or experiment from 'blasprof list', or FILE, "
					 "FILE:RUN or FILE:EXPERIMENT with the file of a store",
					 "there is no run, experiment or store '%s'", name);
		}
	}
	if (read_number(word, &number))
		return experiment_load_run(store, number, COMPARISON_PARTS, experiment, err);
	return experiment_load(store, *word ? word : NULL, COMPARISON_PARTS, experiment, err);
}

/* Parses "suite" or "suite:N". Returns 1 with the number, which is 0 for the newest; otherwise 0.
 */
static int read_suite(const char *word, int64_t *suite)
{
	*suite = 0;
	if (strncmp(word, "suite", 5))
		return 0;
	return !word[5] || (word[5] == ':' && read_number(word + 6, suite));
}

/* Loads the cells that `name` stands for. Returns 1, 0 if it does not name a suite, or -1 with
 * *err.
 */
static int load_suite(const char *name, struct experiment *experiment, struct error *err)
{
	int holds_no_run = is_file(name) && experiment_store_is_empty(name), failed;
	const char *word, *path = holds_no_run ? name : settings.store;
	int64_t suite = 0;

	if (!holds_no_run && !read_suite(name, &suite) &&
	    (!split_file(name, &path, &word) || !read_suite(word, &suite)))
		return 0;
	failed = experiment_load_cells(path, suite, experiment, err);
	if (!failed && !experiment->ncells)
		failed = error_set(
			err,
			holds_no_run ? "record a run first: blasprof -- command"
				     : "import the output of workloads/ceilings: blasprof import",
			"there are no %scells in '%s'", holds_no_run ? "runs and no " : "", path);
	return failed ? -1 : 1;
}

static int judge_runs(const struct comparison *comparison, struct error *err)
{
	const struct comparison_row *worst =
		comparison_worst(comparison, settings.fail_above / 100);

	if (!comparison_has_throughput(comparison))
		return error_set(err, "record runs whose work is counted (see --work)",
				 "--fail-above needs a throughput on both sides");
	if (!worst)
		return 0;
	error_set(err,
		  worst->significant == SIGNIFICANCE_UNKNOWN
			  ? "record more runs, because one run does not tell whether it is chance"
			  : "see which figures are significantly worse",
		  "throughput at %s is lower by %.1f %%, more than the %g %% allowed",
		  human_noun(worst->threads_after, "thread"), -100 * worst->change,
		  settings.fail_above);
	output_failure(err);
	return STATUS_WORSE;
}

static int compare_suites(char **names, const struct experiment sides[2], struct error *err)
{
	struct suite_comparison comparison = {0};
	const struct suite_row *worst = NULL;
	int status;

	for (int i = 0; i < 2; i++)
		comparison.sides[i] =
			(struct suite_side){names[i], sides[i].cells, sides[i].ncells, 0};
	status = suite_compare(&comparison, err);
	if (!status) {
		suites_write(&comparison, format, stdout);
		status = output_finish();
	}
	if (!status && !isnan(settings.fail_above))
		worst = suite_worst(&comparison, settings.fail_above / 100);
	if (worst) {
		error_set(err, "see which cells are slower",
			  "%s takes %.1f %% longer, more than the %g %% allowed",
			  cell_name(&worst->before), 100 * worst->change, settings.fail_above);
		output_failure(err);
		status = STATUS_WORSE;
	}
	free(comparison.rows);
	return status;
}

static int compare_runs(char **names, const struct experiment sides[2], struct error *err)
{
	struct comparison comparison = {0};
	int status;

	for (int i = 0; i < 2; i++) {
		comparison.sides[i].name = names[i];
		comparison.sides[i].runs = sides[i].runs;
		comparison.sides[i].count = sides[i].count;
	}
	status = comparison_build(&settings.options, &comparison, err);
	if (!status) {
		comparison_write(&comparison, format, stdout);
		status = output_finish();
	}
	if (!status && !isnan(settings.fail_above))
		status = judge_runs(&comparison, err);
	comparison_free(&comparison);
	return status;
}

static int run_compare(char **names, struct error *err)
{
	struct experiment sides[2] = {{0}};
	int status = table_format_find(settings.format, &format, err), suites = 0;

	for (int i = 0; i < 2 && !status; i++) {
		int found = load_suite(names[i], &sides[i], err);

		status = found < 0 ? -1 : 0;
		suites += found > 0;
	}
	if (!status && suites == 1)
		status = error_set(err, "name two suites, or two runs or experiments",
				   "a suite of cells and a run cannot be compared");
	for (int i = 0; i < 2 && !status && !suites; i++)
		status = load_runs(names[i], &sides[i], err);
	if (!status)
		status = suites ? compare_suites(names, sides, err)
				: compare_runs(names, sides, err);
	for (int i = 0; i < 2; i++)
		experiment_free(&sides[i]);
	return status;
}

static void print_more(void)
{
	printf("\nA and B are each the first of these that exists:\n");
	help_print_row("RUN", "the number of a run in the store");
	help_print_row("EXPERIMENT", "an experiment in the store");
	help_print_row("FILE", "the newest experiment in another store");
	help_print_row("FILE:RUN", "a run in another store");
	help_print_row("FILE:EXPERIMENT", "an experiment in another store");
	help_print_row("suite:N", "the cells of suite N in the store, or suite for the newest");
	help_print_row("FILE:suite:N", "the same in another store");
	help_print_table_formats();
}

const struct command command_compare = {
	.name = "compare",
	.usage = "[OPTION]... A B",
	.purpose = "compare two runs, experiments or suites of cells",
	.about = "Print each figure of A (before) and B (after), the difference with its 95 %\n"
		 "interval from repeated runs (Welch's test), and whether it is significant.",
	COMMAND_OPTIONS,
	.print_more = print_more,
	.operands = 2,
	.run = run_compare,
};
