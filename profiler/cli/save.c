/* save.c: names a run's experiment and saves the run in the store. */
/* SPDX-License-Identifier: MIT */
#include "cli/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "cli/command.h"
#include "report/warnings.h"
#include "store/store.h"

void save_name(char *name, struct run *run)
{
	free(run->experiment);
	run->experiment = name;
	if (!*run->what_if)
		return;
	memory_check(asprintf(&run->experiment, "%s [what-if %s]", name, run->what_if) < 0);
	free(name);
}

int save_check(const char *path, struct error *err)
{
	struct store *store;

	if (store_open(&store, path, STORE_CREATE, err))
		return -1;
	store_close(store);
	return 0;
}

/* The first note of this code, or, with NULL, of what can keep every call from being seen. */
static const struct run_note *find_note(const struct run *run, const char *code)
{
	static const char *const obstacles[] = {
		"static_program", "setuid_program",   "foreign_program", "musl_program",
		"other_version",  "calls_unrecorded", "record_damaged",	 "process_not_intercepted"};

	for (size_t i = 0; i < run->nnotes; i++)
		for (size_t j = 0; j < (code ? 1 : COUNT(obstacles)); j++)
			if (!strcmp(run->notes[i].code, code ? code : obstacles[j]))
				return &run->notes[i];
	return NULL;
}

static void explain_no_calls(const struct run *run, struct error *err)
{
	const struct run_note *note = find_note(run, NULL);
	const struct warning *warning = note ? warning_find(note->code) : NULL;
	char remedy[sizeof err->remedy];

	if (warning) {
		error_set(err, warning->remedy,
			  "no BLAS call could be seen in '%s', so the run is not stored: %.*s: %s",
			  run->command, (int)(strlen(warning->text) - strlen(": {}")),
			  warning->text, note->detail);
	} else if (report_roi_is_region(run->roi)) {
		note = find_note(run, "roi_unmarked");
		snprintf(remedy, sizeof remedy,
			 "give --roi the name of a region that the program marks and that calls "
			 "BLAS%s%.300s",
			 note ? ", not " : "", note ? note->detail : "");
		error_set(err, remedy,
			  "no BLAS call was seen in '%s' inside the region '%s', so the run is not "
			  "stored",
			  run->command, run->roi);
	} else {
		error_set(err, "if it does use BLAS, blasprof-costs(7) says what hides calls",
			  "no BLAS call was seen in '%s', so the run is not stored", run->command);
	}
}

enum save_result save_run(const char *path, const struct categories *categories, struct run *run,
			  struct error *err)
{
	uint64_t calls = 0;
	struct store *store;
	int saved;

	for (size_t i = 0; i < run->nthreads; i++)
		calls += run->threads[i].calls;
	if (!calls && !(category_samples(categories, run, CATEGORY_MATRIX) > 0) &&
	    !(category_samples(categories, run, CATEGORY_NAMELESS) > 0)) {
		explain_no_calls(run, err);
		return SAVE_NOTHING;
	}
	if (store_open(&store, path, STORE_CREATE, err))
		return SAVE_FAILED;
	saved = store_save_run(store, run, err);
	store_close(store);
	return saved < 0 ? SAVE_FAILED : saved ? SAVE_FOUND : SAVE_DONE;
}
