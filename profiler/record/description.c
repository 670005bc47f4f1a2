/* description.c: a run before it starts, kept as a store in its session directory. */
/* SPDX-License-Identifier: MIT */
#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/store.h"

#define FILE_NAME     "run.db"
/* What is no part of a run is kept as facts of these names. */
#define FACT_PREFIX   "session."
#define FACT_ARGUMENT FACT_PREFIX "argument." /* a number follows, from 0 */
#define FACT_WORK     FACT_PREFIX "work"

static void file_path(const struct session_dir *session, char *path, size_t size)
{
	snprintf(path, size, "%s/" FILE_NAME, session->path);
}

static void add_facts(const char *work, char *const argv[], struct run *run)
{
	if (work)
		run_add_fact(run, FACT_WORK, work);
	for (int i = 0; argv[i]; i++) { /* all new: to look each name up would take for ever */
		struct run_fact *fact = table_add(&run_tables[RUN_PART_FACTS], run);

		snprintf(fact->name, sizeof fact->name, FACT_ARGUMENT "%d", i);
		fact->value = memory_text(argv[i]);
	}
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
	add_facts(work, argv, run);
	failed = store_open(&store, path, STORE_CREATE, err);
	if (!failed)
		failed = store_save_run(store, run, err);
	store_close(store);
	drop_facts(run);
	run->id = 0; /* of that store */
	return failed;
}

static void take_facts(const struct run *run, struct description *description)
{
	const char *work = run_fact(run, FACT_WORK);
	size_t count = 0;

	if (work)
		description->work = memory_text(work);
	for (size_t i = 0; i < run->nfacts; i++) {
		char **word;

		if (strncmp(run->facts[i].name, FACT_ARGUMENT, strlen(FACT_ARGUMENT)))
			continue;
		word = memory_add(&description->argv, &count, sizeof *word);
		*word = memory_text(run->facts[i].value);
	}
	memory_add(&description->argv, &count, sizeof *description->argv);
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
	if (!failed)
		take_facts(run, description);
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
