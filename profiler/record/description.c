/* description.c: a run before it starts, kept as a store in its session directory. */
/* SPDX-License-Identifier: MIT */
#include "record/description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/store.h"
#include "base/array.h"

#define FILE_NAME     "run.db"
/* What is no part of a run is kept as facts of these names. */
#define FACT_PREFIX   "session."
#define FACT_ARGUMENT FACT_PREFIX "argument." /* a number follows, from 0 */
#define FACT_WORK     FACT_PREFIX "work"

static void file_path(const struct session_dir *session, char *path, size_t size)
{
	snprintf(path, size, "%s/" FILE_NAME, session->path);
}

static int add_facts(const char *work, char *const argv[], struct run *run)
{
	if (work && !run_add_fact(run, FACT_WORK, work))
		return -1;
	for (int i = 0; argv[i]; i++) { /* all new: to look each name up would take for ever */
		struct run_fact *fact = table_add(&run_tables[RUN_PART_FACTS], run);

		if (!fact)
			return -1;
		snprintf(fact->name, sizeof fact->name, FACT_ARGUMENT "%d", i);
		if (!(fact->value = strdup(argv[i])))
			return -1;
	}
	return 0;
}

/* They were added last. */
static void drop_facts(struct run *run)
{
	while (run->nfacts &&
	       !strncmp(run->facts[run->nfacts - 1].name, FACT_PREFIX, strlen(FACT_PREFIX)))
		free(run->facts[--run->nfacts].value);
}

int description_save(const struct session_dir *session, const char *work, char *const argv[],
		     struct run *run, struct error *err)
{
	char path[300];
	struct store *store = NULL;
	int failed;

	file_path(session, path, sizeof path);
	failed = add_facts(work, argv, run) ? error_out_of_memory(err)
					    : store_open(&store, path, STORE_CREATE, err);
	if (!failed)
		failed = store_save_run(store, run, err);
	store_close(store);
	drop_facts(run);
	run->id = 0; /* of that store */
	return failed;
}

static int take_facts(const struct run *run, struct description *description)
{
	const char *work = run_fact(run, FACT_WORK);
	size_t count = 0;

	if (work && !(description->work = strdup(work)))
		return -1;
	for (size_t i = 0; i < run->nfacts; i++) {
		char **word;

		if (strncmp(run->facts[i].name, FACT_ARGUMENT, strlen(FACT_ARGUMENT)))
			continue;
		word = array_add(&description->argv, &count, sizeof *word);
		if (!word || !(*word = strdup(run->facts[i].value)))
			return -1;
	}
	return array_add(&description->argv, &count, sizeof *description->argv) ? 0 : -1;
}

int description_load(const struct session_dir *session, struct run *run,
		     struct description *description, struct error *err)
{
	char path[300];
	struct store *store;
	int failed;

	run_init(run);
	memset(description, 0, sizeof *description);
	file_path(session, path, sizeof path);
	if (store_open(&store, path, STORE_READ, err))
		return -1;
	failed = store_load_run(store, 1, run, err);
	store_close(store);
	if (!failed && take_facts(run, description)) {
		description_free(description);
		failed = error_out_of_memory(err);
	}
	drop_facts(run);
	run->id = 0;
	return failed;
}

void description_free(struct description *description)
{
	for (size_t i = 0; description->argv && description->argv[i]; i++)
		free(description->argv[i]);
	free(description->argv);
	free(description->work);
	memset(description, 0, sizeof *description);
}
