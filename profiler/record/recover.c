/* recover.c: keeps the description of a run in its session directory, finds sessions whose profiler
 * is gone, and makes runs of them. */
/* SPDX-License-Identifier: MIT */
#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "calls/collect.h"
#include "store/store.h"
#include "wire/processes.h"

#define FILE_NAME     "run.db"
/* The command and --work are no part of a run: the file keeps them as facts of these names. */
#define FACT_PREFIX   "session."
#define FACT_ARGUMENT FACT_PREFIX "argument." /* a number follows, from 0 */
#define FACT_WORK     FACT_PREFIX "work"

/* Removes these facts, which were added last. */
static void drop_facts(struct run *run)
{
	while (run->nfacts &&
	       !strncmp(run->facts[run->nfacts - 1].name, FACT_PREFIX, strlen(FACT_PREFIX)))
		run->nfacts--;
}

int description_save(const struct session_dir *session, const char *work, char *const argv[],
		     struct run *run, struct error *err)
{
	OWN_STORE *store = NULL;
	int failed;

	if (work)
		run_add_fact(run, FACT_WORK, work);
	for (int i = 0; argv[i]; i++) {
		/* run_add_fact() would look each name up, which takes too long for many words */
		struct run_fact *fact = table_add(&run_tables[RUN_PART_FACTS], run);

		fact->name = string_printf(FACT_ARGUMENT "%d", i);
		fact->value = string_pooled(argv[i]);
	}
	failed = store_open(&store, PATH("%s/" FILE_NAME, session->path), STORE_CREATE, err) ||
		 store_save_run(store, run, err);
	drop_facts(run);
	run->id = 0; /* it was the number in that store */
	return failed ? -1 : 0;
}

/* Loads what description_save() wrote. Initialises *run, which the caller frees in either case.
 * Returns the command, a fresh array that ends with NULL, and the argument of --work or NULL in
 * *work; or NULL with *err. */
static char **description_load(const struct session_dir *session, struct run *run,
			       const char **work, struct error *err)
{
	char *word, **command = NULL;
	OWN_STORE *store;
	size_t count = 0;

	run_init(run);
	if (store_open(&store, PATH("%s/" FILE_NAME, session->path), STORE_READ, err) ||
	    store_load_parts(store, 1, STORE_ALL_PARTS, run, err))
		return NULL;
	*work = run_fact(run, FACT_WORK);
	EACH_ROW(fact, run->facts, run->nfacts) {
		word = (char *)fact->value; /* of the string pool */
		if (!strncmp(fact->name, FACT_ARGUMENT, strlen(FACT_ARGUMENT)))
			memory_append(&command, &count, sizeof word, &word);
	}
	memory_add(&command, &count, sizeof word); /* NULL at the end */
	drop_facts(run);
	run->id = 0;
	return command;
}

/* Returns a process of the program that still runs, or 0. */
static pid_t find_running(const struct session_dir *session)
{
	const struct session *control = &session->control;

	if (process_space_is_own(control->pid_space) &&
	    process_still_runs(control->program, control->begun.monotonic_ns, control->started_ns))
		return control->program;
	return session_find_running(session);
}

void left_sessions_find(struct left_session **sessions, size_t *count)
{
	FREED const char **paths;
	size_t npaths;

	*sessions = NULL;
	*count = 0;
	session_paths(&paths, &npaths);
	for (size_t i = 0; i < npaths; i++) {
		struct session_dir session;
		struct left_session *left;
		const char *work;

		if (session_open(&session, paths[i], NULL))
			continue;
		if (!session_profiler_runs(&session)) {
			OWN_RUN run;
			FREED char **command = description_load(&session, &run, &work, NULL);

			left = memory_add(sessions, count, sizeof *left);
			snprintf(left->path, sizeof left->path, "%.255s", paths[i]);
			left->running = find_running(&session);
			if (command)
				memcpy(left->started, run.started, sizeof left->started);
			left->command = string_pooled(run.command);
		}
		session_close(&session);
	}
}

/* Opens a session if no process writes to it any more. */
static int open_left(const char *path, struct session_dir *session, struct error *err)
{
	pid_t running;

	if (session_open(session, path, err))
		return -1;
	running =
		session_profiler_runs(session) ? session->control.profiler : find_running(session);
	if (!running)
		return 0;
	session_close(session);
	return error_set(err, "wait until it ends, or end it",
			 "process %d still writes to the session '%s'", (int)running, path);
}

static int collect_left(const struct session_dir *session, const char *work, struct run *run,
			struct error *err)
{
	const struct session *control = &session->control;
	struct collect_roi roi = {.kind = COLLECT_CALLS, .started_ns = control->started_ns};
	struct collected calls;
	const struct thread_frame *frame = &calls.records.frame;
	int failed;

	if (control->roi == ROI_REGION)
		roi.kind = COLLECT_REGION;
	else if (!strcmp(run->roi, "process") && control->started_ns)
		roi.kind = COLLECT_PROCESS;
	run->sample_rate_hz = 0;
	failed = collect_open(session, &roi, NULL, run, &calls, err);
	if (!failed) {
		collect_run(session, &roi, NULL, NULL, run, &calls);
		collect_work(work, run);
		if (control->started_ns && frame->roi_end_ns > control->started_ns)
			run->elapsed_ns = frame->roi_end_ns - control->started_ns;
		run_add_note(run, "recovered", "%s", run->command);
	}
	collected_free(&calls);
	return failed;
}

int session_recover(const char *path, struct run *run, struct error *err)
{
	struct session_dir session;
	const char *work;
	char **command;
	int failed;

	run_init(run);
	if (open_left(path, &session, err))
		return -1;
	command = description_load(&session, run, &work, err);
	failed = !command || collect_left(&session, work, run, err);
	if (!failed)
		run->experiment = experiment_name(
			command, run->threads_requested ? run->threads_requested
							: experiment_threads(command, run));
	free(command);
	session_close(&session);
	return failed ? -1 : 0;
}

int session_discard(const char *path, struct error *err)
{
	struct session_dir session;

	if (open_left(path, &session, err))
		return -1;
	session_remove(&session);
	return 0;
}
