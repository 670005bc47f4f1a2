/* keep.c: puts a run into the store. */
/* SPDX-License-Identifier: MIT */
#include "cli/keep.h"

#include <string.h>

#include "report/report.h"
#include "report/warnings.h"
#include "store/store.h"

int keep_check(const char *path, struct error *err)
{
	struct store *store;

	if (store_open(&store, path, STORE_CREATE, err))
		return -1;
	store_close(store);
	return 0;
}

static uint64_t run_calls(const struct run *run)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < run->nthreads; i++)
		calls += run->threads[i].calls;
	return calls;
}

/* What was noted of the program that rules out that any call is seen; NULL for nothing. */
static const struct run_note *find_obstacle(const struct run *run)
{
	static const char *const codes[] = {
		"static_program",   "setuid_program", "foreign_program",	"musl_program",
		"calls_unrecorded", "record_damaged", "process_not_intercepted"};

	for (size_t i = 0; i < run->nnotes; i++)
		for (size_t j = 0; j < sizeof codes / sizeof codes[0]; j++)
			if (!strcmp(run->notes[i].code, codes[j]))
				return &run->notes[i];
	return NULL;
}

/* The detail of a note; NULL where there is none. */
static const char *find_note(const struct run *run, const char *code)
{
	for (size_t i = 0; i < run->nnotes; i++)
		if (!strcmp(run->notes[i].code, code))
			return run->notes[i].detail;
	return NULL;
}

static void explain_no_region(const struct run *run, struct error *err)
{
	const char *unmarked = find_note(run, "roi_unmarked");
	char remedy[sizeof err->remedy];

	snprintf(remedy, sizeof remedy,
		 "give --roi the name of a region that the program marks and that calls "
		 "BLAS%s%.300s",
		 unmarked ? ", not " : "", unmarked ? unmarked : "");
	error_set(err, remedy,
		  "no BLAS call was seen in '%s' inside the region '%s', so the run is not stored",
		  run->command, run->roi);
}

static void explain_no_calls(const struct run *run, struct error *err)
{
	static const char template_end[] = ": {}";
	const struct run_note *note = find_obstacle(run);
	const struct warning *obstacle = note ? warning_find(note->code) : NULL;

	if (obstacle)
		error_set(err, obstacle->remedy,
			  "no BLAS call could be seen in '%s', so the run is not stored: %.*s: %s",
			  run->command, (int)(strlen(obstacle->text) - strlen(template_end)),
			  obstacle->text, note->detail);
	else if (report_roi_is_region(run->roi))
		explain_no_region(run, err);
	else
		error_set(err,
			  "a static or setuid program, RTLD_DEEPBIND, an environment without "
			  "LD_PRELOAD, another "
			  "user than blasprof's, a container or sandbox, or LAPACK inside OpenBLAS "
			  "keep "
			  "calls from being seen",
			  "no BLAS call was seen in '%s', so the run is not stored", run->command);
}

enum keep_result keep_run(const char *path, struct run *run, struct error *err)
{
	struct store *store;
	int saved;

	if (!run_calls(run)) {
		explain_no_calls(run, err);
		return KEEP_NOTHING;
	}
	if (store_open(&store, path, STORE_CREATE, err))
		return KEEP_FAILED;
	saved = store_save_run(store, run, err);
	store_close(store);
	return saved < 0 ? KEEP_FAILED : saved ? KEEP_FOUND : KEEP_DONE;
}
