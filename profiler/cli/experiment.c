/* experiment.c: saves runs in the store, loads the runs of an experiment, and prints the report. */
/* SPDX-License-Identifier: MIT */
#include "cli/experiment.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "cli/command.h"
#include "machine/measure.h"
#include "report/columns.h"
#include "report/warnings.h"
#include "write/format.h"
#include "write/pictures.h"
#include "write/view.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "base/installed.h"
#include "base/nearest.h"

int experiment_unknown(struct store *store, const char *key, struct error *err)
{
	struct nearest nearest = {.wanted = key};
	char names[2 * NEAREST_NAMES * NEAREST_NAME_BYTES] = "";
	const char *remedy;
	OWN_LIST list;

	if (store_list_experiments(store, &list, err))
		return -1;
	EACH_ROW(entry, list.entries, list.count)
		nearest_offer(&nearest, entry->experiment);
	for (int i = 0; i < nearest.count; i++)
		SAY(names, "%s%s",
		    i			? ", "
		    : nearest.count > 1 ? "; the nearest are "
					: "; the nearest is ",
		    human_word(nearest.names[i]));
	remedy = string_printf("list them with: blasprof list --experiments -i '%s'%s",
			       store_path(store), names);
	return error_set(err, remedy, "there is no experiment '%s' in the store", key);
}

int experiment_load(const char *path, const char *key, unsigned int parts,
		    struct experiment *experiment, struct error *err)
{
	struct store *store;
	int failed = 0, needs_stacks, run;

	memset(experiment, 0, sizeof *experiment);
	if (store_open(&store, path, STORE_READ, err))
		return -1;
	if (!key)
		key = store_newest_experiment(store, err);
	failed = !key || store_load_experiment(store, key, parts, &experiment->runs,
					       &experiment->count, err);
	if (!failed && !experiment->count)
		failed = experiment_unknown(store, key, err);
	runs_count_alike(experiment->runs, experiment->count);
	if (!failed && (parts | STORE_STACKS) == STORE_FEW_PARTS) {
		/* lines of scripts are found in stacks, and ranks are merged with them */
		needs_stacks = parts != STORE_FEW_PARTS && store_has_scripts(store, key);
		EACH_ROW(one, experiment->runs, experiment->count)
			needs_stacks |= run_fact(one, "mpi.rank") != NULL;
		if (parts != STORE_FEW_PARTS && needs_stacks)
			failed = store_load_more(store, STORE_STACKS, experiment->runs,
						 experiment->count, err);
		else if (parts != STORE_FEW_PARTS)
			experiment->store = store;
		cache_add_facts(&experiment->runs[experiment->count - 1]);
		/* Recorded sequences of calls are large, and the report needs only one. */
		run = report_pairs_run(experiment->runs, experiment->count);
		if (run >= 0 && !failed)
			failed = store_load_pairs(store, &experiment->runs[run], err);
	}
	if (!experiment->store)
		store_close(store);
	return failed ? -1 : 0;
}

/* Returns 0 for copies of the same recording: a store or its copy may be named twice. */
static int compare_recordings(const void *left, const void *right, void *order)
{
	const struct run *a = left, *b = right;

	return table_compare(order, a, b)
		       ?: strcmp(run_fact_text(a, "session"), run_fact_text(b, "session"));
}

/* Sorts the runs by time, the newest last, and keeps one of several copies of the same recording.
 */
static void sort_runs(struct experiment *experiment)
{
	struct table_order order =
		table_order_by(&run_table, "started roi_started_ns elapsed_ns roi_ns");
	struct run *runs = experiment->runs;
	size_t left = 0;

	qsort_r(runs, experiment->count, sizeof *runs, compare_recordings, &order);
	for (size_t i = 0; i < experiment->count; i++) {
		if (left && !compare_recordings(&runs[left - 1], &runs[i], &order))
			run_free(&runs[i]);
		else
			runs[left++] = runs[i];
	}
	experiment->count = left;
}

/* If a rank of a job made no BLAS call or its store is lost, the report covers the others. So an
 * error is returned only if no store has a run, and then it is the first one. */
int experiment_load_all(const char *const paths[], size_t count, const char *key,
			unsigned int parts, struct experiment *experiment, struct error *err)
{
	struct error first = {0}, next;
	char missing[sizeof((struct run_note *)0)->detail] = "";
	const char *newest = NULL;
	struct experiment more;
	struct run *last;

	for (size_t i = 0; i < count; i++) {
		if (experiment_load(paths[i], key ? key : newest,
				    count > 1 ? STORE_FEW_PARTS : parts, &more, &next)) {
			first = *missing ? first : next;
			SAY(missing, "%s%s: %.150s", *missing ? "; " : "", paths[i], next.what);
			experiment_free(&more);
			continue;
		}
		if (!newest)
			newest = more.runs[more.count - 1].experiment;
		EACH_ROW(run, more.runs, more.count) {
			memory_append(&experiment->runs, &experiment->count, sizeof *run, run);
			run_init(run); /* its contents have moved */
		}
		experiment->store = more.store;
		more.store = NULL;
		experiment_free(&more);
	}
	if (!experiment->count) {
		*err = first;
		return -1;
	}
	if (count > 1)
		sort_runs(experiment);
	runs_count_alike(experiment->runs, experiment->count);
	job_merge(experiment->runs, &experiment->count);
	last = &experiment->runs[experiment->count - 1];
	cache_add_facts(last); /* the merge may have changed which is the last */
	if (*missing)
		memory_need(run_add_note(last, "stores_left_out", "%s", missing));
	return 0;
}

int experiment_load_run(const char *path, int64_t id, unsigned int parts,
			struct experiment *experiment, struct error *err)
{
	OWN_STORE *store = NULL;

	memset(experiment, 0, sizeof *experiment);
	if (store_open(&store, path, STORE_READ, err))
		return -1;
	memory_add(&experiment->runs, &experiment->count, sizeof *experiment->runs);
	return store_load_parts(store, id, parts, experiment->runs, err) ? -1 : 0;
}

int experiment_load_cells(const char *path, int64_t suite, struct experiment *experiment,
			  struct error *err)
{
	OWN_STORE *store;
	int failed = store_open(&store, path, STORE_READ, err) ||
		     store_load_cells(store, suite, &experiment->cells, &experiment->ncells, err);

	if (!failed && suite && !experiment->ncells) {
		struct cell *newest;
		size_t count;

		if (!store_load_cells(store, 0, &newest, &count, err)) {
			error_set(
				err,
				count ? string_printf("the newest is suite %" PRId64, newest->suite)
				      : "import one: blasprof import",
				"there is no suite %" PRId64 " of cells in '%s'", suite, path);
			free(newest);
		}
		failed = -1;
	}
	return failed ? -1 : 0;
}

int experiment_store_is_empty(const char *path)
{
	OWN_STORE *store;

	return !store_open(&store, path, STORE_READ, NULL) && !store_newest_experiment(store, NULL);
}

void experiment_free(struct experiment *experiment)
{
	free(experiment->cells);
	store_close(experiment->store);
	store_free_runs(&experiment->runs, &experiment->count);
	*experiment = (struct experiment){0};
}

const struct report_format *report_choice_format(const struct report_choice *choice)
{
	return choice->format ? report_format_find(choice->format) : &report_formats[0];
}

int experiment_load_timeline(const char *const paths[], size_t count,
			     const struct report_choice *choice, struct experiment *experiment,
			     struct error *err)
{
	OWN_STORE *store = NULL;
	int failed = 0;

	if (!(report_choice_format(choice)->flags & FORMAT_TIMELINE))
		return 0;
	if (count != 1)
		return error_set(err, "name one store, such as that of one rank",
				 "a timeline covers a single store, but %zu are named", count);
	failed = store_open(&store, paths[0], STORE_READ, err);
	for (size_t i = experiment->count; i-- && !failed && !experiment->runs[i].nspans;)
		failed = store_load_more(store, STORE_PART(RUN_PART_SPANS), &experiment->runs[i], 1,
					 err);
	return failed ? -1 : 0;
}

/* The user's patterns come first. If the installed table is missing, the report says so. */
static int read_categories(struct report_choice *choice, struct error *err)
{
	static const char *const paths[] = {"categories.txt", "../share/blasprof/categories.txt",
					    PKGDATADIR "/categories.txt", NULL};
	static struct categories categories;
	char path[PATH_MAX + 64];

	categories_free(&categories);
	choice->options.categories = &categories;
	if (choice->categories && categories_read(&categories, choice->categories, err))
		return -1;
	categories.missing = installed_find(paths, path, sizeof path) != 0;
	return categories.missing ? 0 : categories_read(&categories, path, err);
}

static int choose_view(struct report_choice *choice, struct error *err)
{
	static struct view view;
	const struct view_choice wanted = {choice->by, choice->table, choice->columns,
					   choice->sort};
	const struct report_format *format = report_choice_format(choice);

	if (choice->by && choice->table)
		return error_set(err, "leave out one of them",
				 "--by and --table both name a table");
	if (!choice->by && !choice->table && !choice->columns && !choice->sort)
		return 0;
	if (view_make(&view, &wanted, err))
		return -1;
	if (format != &report_formats[0] && format->holds != HOLDS_TABLE)
		return error_set(err, "choose the format text, csv, tsv or markdown",
				 "--by, --table, --columns and --sort are not for the format %s",
				 format->name);
	choice->options.view = &view;
	return 0;
}

/* Returns the name of the format that the ending of the file's name stands for, or NULL. */
static const char *format_of_file(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;
	const struct report_format *format = NULL;

	if (dot)
		format = report_format_find(strcmp(dot, ".md") ? dot + 1 : "markdown");
	return format ? format->name : NULL;
}

int report_choice_check(struct report_choice *choice, const char *output, struct error *err)
{
	const struct report_format *format;

	choice->format = choice->format ?: format_of_file(output);
	format = nearest_find(report_formats, report_formats_count, sizeof *report_formats,
			      choice->format, "format", err);
	if (!format || !nearest_find(pictures, pictures_count, sizeof *pictures, choice->picture,
				     "picture", err))
		return -1;
	if (choice->picture && format->holds != HOLDS_PICTURE)
		return error_set(err, "choose the format svg or png",
				 "--picture is not for the format %s", format->name);
	return choose_view(choice, err) ? -1 : read_categories(choice, err);
}

const char *experiment_store(const char *path)
{
	return strcmp(path, DEFAULT_STORE) ? path : "";
}

unsigned int report_choice_parts(const struct report_choice *choice, int in_tables)
{
	const struct report_format *format = report_choice_format(choice);
	const struct view *view = choice->options.view;
	int shown = format->holds == HOLDS_ALL;

	if (view)
		shown = !strcmp(view->table.name, report_tables[REPORT_STACKS].name);
	else if (format == &report_formats[0])
		shown = choice->options.full;
	return STORE_FEW_PARTS & ~(shown || in_tables ? 0 : STORE_STACKS);
}

int experiment_print(const struct run *runs, size_t count, const struct report_choice *choice,
		     FILE *out, struct error *err)
{
	const struct report_format *format = report_choice_format(choice);
	const char *part = format->holds == HOLDS_PICTURE ? choice->picture : choice->table;
	struct report report;
	int failed;

	if (report_build(runs, count, &choice->options, &report, err))
		return -1;
	view_sort(&report);
	failed = report_write(&report, format, part, out, err);
	report_free(&report);
	return failed ? -1 : 0;
}

int experiment_report(const char *path, const char *key, const struct report_choice *choice,
		      FILE *out, struct error *err)
{
	struct report_choice its = *choice;
	OWN_EXPERIMENT experiment;

	its.options.store = experiment_store(path);
	if (experiment_load(path, key, report_choice_parts(&its, 0), &experiment, err) ||
	    experiment_load_timeline(&path, 1, &its, &experiment, err))
		return -1;
	its.options.stacks = experiment.store;
	return experiment_print(experiment.runs, experiment.count, &its, out, err);
}

void save_name(const char *name, struct run *run)
{
	run->experiment =
		*run->what_if ? string_printf("%s [what-if %s]", name, run->what_if) : name;
}

int save_check(const char *path, struct error *err)
{
	OWN_STORE *store;

	return store_open(&store, path, STORE_CREATE, err);
}

/* A run without BLAS calls is worth a report if it computed for this long. */
#define COMPUTES_NS 100000000

/* Returns -1 with *err if a run without BLAS calls says nothing: something hid its calls, there are
 * none in the region that was asked for, or it hardly computed. */
static int explain_no_calls(const struct run *run, struct error *err)
{
	/* what else can keep every call from being seen */
	static const char *const obstacles[] = {"no_uprobes", "other_version", "calls_unrecorded",
						"record_damaged", "session_hidden"};
	int computes = run->cpu_ns >= COMPUTES_NS && !report_roi_is_region(run->roi);
	const struct run_note *note = NULL, *unmarked = NULL;
	const struct warning *warning;

	EACH_ROW(row, run->notes, run->nnotes) {
		/* samples tell that the program has no BLAS, if it computes */
		int matters = !computes && (warning_excludes_calls(row->code) ||
					    !strcmp(row->code, "process_not_intercepted"));

		EACH_ROW(obstacle, obstacles, COUNT(obstacles))
			matters |= !strcmp(row->code, *obstacle);
		if (!unmarked && !strcmp(row->code, "roi_unmarked"))
			unmarked = row;
		if (!note && matters)
			note = row;
	}
	warning = note ? warning_find(note->code) : NULL;
	if (warning)
		return error_set(err, warning->remedy,
				 "no BLAS call could be seen in '%s', so the run is not stored: "
				 "%.*s: %s",
				 run->command, (int)(strlen(warning->text) - strlen(": {}")),
				 warning->text, note->detail);
	if (report_roi_is_region(run->roi))
		return error_set(err,
				 string_printf("give --roi the name of a region that the program "
					       "marks and that calls BLAS%s%.300s",
					       unmarked ? ", not " : "",
					       unmarked ? unmarked->detail : ""),
				 "no BLAS call was seen in '%s' inside the region '%s', so the run "
				 "is not stored",
				 run->command, run->roi);
	if (run->cpu_ns >= COMPUTES_NS)
		return 0;
	if (run->exit_status)
		return error_set(
			err,
			strstr(run->command, "{}")
				? "give -t, as in -t 1,2, before the command to replace "
				  "its {}, or repair it"
				: string_printf("%slet it run until it calls BLAS; if it did, "
						"see blasprof-costs(7) for what hides calls",
						run->exit_signal == SIGINT
							? ""
							: "repair the command, or "),
			"no BLAS call was seen in '%s', which %s, so the run is not "
			"stored",
			run->command, human_ending(run->exit_status, run->exit_signal));
	return error_set(err,
			 string_printf("if it does use BLAS, see blasprof-costs(7) for what hides "
				       "calls; if not, %s",
				       run_fact(run, "sampler_event")
					       ? "let it compute for 0.1 s or longer"
					       : "take samples of it (see 'blasprof doctor')"),
			 "no BLAS call was seen in '%s', so the run is not stored", run->command);
}

enum save_result save_run(const char *path, const struct categories *categories, struct run *run,
			  struct error *err)
{
	OWN_STORE *store = NULL;
	uint64_t calls = 0;
	int saved;

	for (size_t i = 0; i < run->nthreads; i++)
		calls += run->threads[i].calls;
	if (!calls && !(category_samples(categories, run, CATEGORY_MATRIX) > 0) &&
	    !(category_samples(categories, run, CATEGORY_NAMELESS) > 0) &&
	    explain_no_calls(run, err))
		return SAVE_NOTHING;
	if (store_open(&store, path, STORE_CREATE, err))
		return SAVE_FAILED;
	saved = store_save_run(store, run, err);
	return saved < 0 ? SAVE_FAILED : saved ? SAVE_FOUND : SAVE_DONE;
}
