/* experiment.c: loads an experiment's runs and has them reported on. */
/* SPDX-License-Identifier: MIT */
#include "cli/experiment.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "machine/cache.h"
#include "report/columns.h"
#include "write/pictures.h"
#include "write/view.h"
#include "report/job.h"
#include "base/array.h"
#include "base/installed.h"
#include "base/nearest.h"

/* A recorded sequence of calls is large: one is enough for the report. */
static int load_pairs(struct store *store, struct experiment *experiment, struct error *err)
{
	int run = report_pairs_run(experiment->runs, experiment->count);

	return run < 0 ? 0 : store_load_pairs(store, &experiment->runs[run], err);
}

int experiment_unknown(struct store *store, const char *key, struct error *err)
{
	struct nearest nearest = {.wanted = key};
	char names[NEAREST_NAMES * NEAREST_NAME_BYTES], remedy[sizeof err->remedy];
	struct store_experiments list;

	if (store_list_experiments(store, &list, err))
		return -1;
	for (size_t i = 0; i < list.count; i++)
		nearest_offer(&nearest, list.rows[i].name);
	store_experiments_free(&list);
	nearest_list(&nearest, "', '", names, sizeof names);
	snprintf(remedy, sizeof remedy, "see those there are: blasprof list --experiments%s%s%s",
		 nearest.count ? "; the nearest are '" : "", names, nearest.count ? "'" : "");
	return error_set(err, remedy, "there is no experiment '%s' in the store", key);
}

static int load_runs(struct store *store, const char *key, struct experiment *experiment,
		     struct error *err)
{
	if (store_load_experiment(store, key, STORE_FEW_PARTS, &experiment->runs,
				  &experiment->count, err))
		return -1;
	for (size_t i = 0; i < experiment->count; i++)
		cache_add_facts(&experiment->runs[i]);
	if (experiment->count)
		return load_pairs(store, experiment, err);
	return experiment_unknown(store, key, err);
}

int experiment_load(const char *path, const char *key, struct experiment *experiment,
		    struct error *err)
{
	struct store *store;
	char *newest = NULL;
	int failed = 0;

	memset(experiment, 0, sizeof *experiment);
	if (store_open(&store, path, STORE_READ, err))
		return -1;
	if (!key)
		failed = store_newest_experiment(store, &newest, err);
	if (!failed)
		failed = load_runs(store, key ? key : newest, experiment, err);
	free(newest);
	store_close(store);
	return failed;
}

/* Moves the store's runs to the end of the experiment's. */
static int append_store(const char *path, const char *key, struct experiment *experiment,
			struct error *err)
{
	struct experiment more;
	int failed = experiment_load(path, key, &more, err);

	for (size_t i = 0; i < more.count && !failed; i++) {
		struct run *run = array_add(&experiment->runs, &experiment->count, sizeof *run);

		if (run) {
			*run = more.runs[i];
			run_init(&more.runs[i]);
		} else {
			failed = error_out_of_memory(err);
		}
	}
	experiment_free(&more);
	return failed;
}

int experiment_load_all(const char *const paths[], size_t count, const char *key,
			struct experiment *experiment, struct error *err)
{
	char *newest = NULL;
	int failed = 0;

	memset(experiment, 0, sizeof *experiment);
	for (size_t i = 0; i < count && !failed; i++) {
		failed = append_store(paths[i], key ? key : newest, experiment, err);
		if (!failed && !newest)
			newest = strdup(experiment->runs[experiment->count - 1].experiment);
	}
	free(newest);
	return failed ? -1 : job_merge(experiment->runs, &experiment->count, err);
}

int experiment_load_run(const char *path, int64_t id, struct experiment *experiment,
			struct error *err)
{
	struct store *store;
	int failed;

	memset(experiment, 0, sizeof *experiment);
	if (store_open(&store, path, STORE_READ, err))
		return -1;
	experiment->runs = calloc(1, sizeof *experiment->runs);
	failed = experiment->runs
			 ? store_load_parts(store, id, STORE_FEW_PARTS, experiment->runs, err)
			 : error_out_of_memory(err);
	experiment->count = experiment->runs != NULL;
	store_close(store);
	return failed;
}

int experiment_load_cells(const char *path, int64_t suite, struct experiment *experiment,
			  struct error *err)
{
	struct store *store;
	int failed;

	if (store_open(&store, path, STORE_READ, err))
		return -1;
	failed = store_load_cells(store, suite, &experiment->cells, &experiment->ncells, err);
	store_close(store);
	if (!failed && suite && !experiment->ncells)
		return error_set(
			err, "see those there are: sqlite3 FILE 'SELECT DISTINCT suite FROM cells'",
			"there is no suite %" PRId64 " of cells in '%s'", suite, path);
	return failed;
}

int experiment_is_missing(const char *path)
{
	struct store_experiments list;
	struct store *store;
	int missing = 0;

	if (store_open(&store, path, STORE_READ, NULL))
		return 0;
	if (!store_list_experiments(store, &list, NULL)) {
		missing = !list.count;
		store_experiments_free(&list);
	}
	store_close(store);
	return missing;
}

void experiment_free(struct experiment *experiment)
{
	free(experiment->cells);
	experiment->cells = NULL;
	experiment->ncells = 0;
	store_free_runs(&experiment->runs, &experiment->count);
}

static const struct report_format *chosen_format(const struct report_choice *choice)
{
	return choice->format ? report_format_find(choice->format) : &report_formats[0];
}

int experiment_load_timeline(const char *const paths[], size_t count,
			     const struct report_choice *choice, struct experiment *experiment,
			     struct error *err)
{
	struct store *store;
	int failed = 0;

	if (!chosen_format(choice)->has_timeline)
		return 0;
	if (count != 1)
		return error_set(err, "name one store, as of one rank",
				 "a timeline is of one store, and %zu are named", count);
	if (store_open(&store, paths[0], STORE_READ, err))
		return -1;
	for (size_t i = experiment->count; i-- && !failed && !experiment->runs[i].nspans;)
		failed = store_load_timeline(store, &experiment->runs[i], err);
	store_close(store);
	return failed;
}

/* The user's own patterns first. An installation without the table is no reason to refuse a report:
 * it says so. */
static int read_categories(struct report_choice *choice, struct error *err)
{
	static const char *const places[] = {"categories.txt", "../share/blasprof/categories.txt",
					     PKGDATADIR "/categories.txt", NULL};
	static struct categories categories;
	char path[PATH_MAX + 64];

	categories_free(&categories);
	choice->options.categories = &categories;
	if (choice->categories && categories_read(&categories, choice->categories, err))
		return -1;
	categories.missing = installed_find(places, path, sizeof path) != 0;
	return categories.missing ? 0 : categories_read(&categories, path, err);
}

static int refuse_format(const char *name, struct error *err)
{
	struct nearest nearest = {.wanted = name};

	for (size_t i = 0; i < report_formats_count; i++)
		nearest_offer(&nearest, report_formats[i].name);
	return view_refuse("format", &nearest, err);
}

static int refuse_picture(const char *name, struct error *err)
{
	struct nearest nearest = {.wanted = name};

	for (size_t i = 0; i < pictures_count; i++)
		nearest_offer(&nearest, pictures[i].name);
	return view_refuse("picture", &nearest, err);
}

/* The table that the user wants to see, where a format shows all unless one is named. */
static int choose_view(struct report_choice *choice, struct error *err)
{
	static struct view view;
	const struct view_wish wish = {choice->by, choice->table, choice->columns, choice->sort};
	const struct report_format *format = chosen_format(choice);
	int is_text = format == &report_formats[0];

	if (choice->by && choice->table)
		return error_set(err, "leave out one of them",
				 "--by and --table both name a table");
	if (!choice->by && !choice->table && !choice->columns && !choice->sort)
		return 0;
	if (view_make(&view, &wish, err))
		return -1;
	if (is_text || format->holds == HOLDS_TABLE)
		choice->options.view = &view;
	else
		return error_set(err, "choose the format text, csv, tsv or markdown",
				 "--by, --table, --columns and --sort are not for the format %s",
				 format->name);
	return 0;
}

int report_choice_check(struct report_choice *choice, struct error *err)
{
	if (!chosen_format(choice))
		return refuse_format(choice->format, err);
	if (!picture_find(choice->picture))
		return refuse_picture(choice->picture, err);
	if (choice->picture && chosen_format(choice)->holds != HOLDS_PICTURE)
		return error_set(err, "choose the format svg or png",
				 "--picture is not for the format %s", chosen_format(choice)->name);
	return choose_view(choice, err) ? -1 : read_categories(choice, err);
}

int report_choice_is_cells(const struct report_choice *choice)
{
	const struct view *view = choice->options.view;

	return view && !strcmp(view->table.name, CELLS_TABLE);
}

int experiment_print(const struct run *runs, size_t count, const struct report_choice *choice,
		     FILE *out, struct error *err)
{
	const struct report_format *format = chosen_format(choice);
	struct report report;
	int failed;

	if (report_build(runs, count, &choice->options, &report, err))
		return -1;
	view_sort(&report);
	failed = report_write(&report, format,
			      format->holds == HOLDS_PICTURE ? choice->picture : choice->table, out,
			      err);
	report_free(&report);
	return failed;
}
