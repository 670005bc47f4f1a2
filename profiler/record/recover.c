/* recover.c: finds sessions whose profiler is gone, and makes runs of them. */
/* SPDX-License-Identifier: MIT */
#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls/collect.h"
#include "wire/processes.h"
#include "wire/session.h"
#include "base/memory.h"

/* A process of the program that still runs; 0: none. */
static pid_t find_running(const struct session_dir *session, const struct session *control)
{
	if (process_still_runs(control->program, control->begun_ns, control->started_ns))
		return control->program;
	return session_find_running(session);
}

void left_sessions_find(struct left_session **sessions, size_t *count)
{
	char **paths;
	size_t npaths;

	*sessions = NULL;
	*count = 0;
	session_paths(&paths, &npaths);
	for (size_t i = 0; i < npaths; i++) {
		struct description description = {0};
		struct session_dir session;
		struct left_session *left;
		struct session control;
		struct run run;

		if (session_open(&session, paths[i], &control, NULL))
			continue;
		if (!session_profiler_runs(&session, &control)) {
			left = memory_add(sessions, count, sizeof *left);
			snprintf(left->path, sizeof left->path, "%.255s", paths[i]);
			left->running = find_running(&session, &control);
			if (!description_load(&session, &run, &description, NULL))
				memcpy(left->started, run.started, sizeof left->started);
			left->command = memory_text(run.command);
			description_free(&description);
			run_free(&run);
		}
		session_close(&session);
	}
	session_paths_free(paths, npaths);
}

void left_sessions_free(struct left_session *sessions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(sessions[i].command);
	free(sessions);
}

/* Opens a session that nothing writes to any more. */
static int open_left(const char *path, struct session_dir *session, struct session *control,
		     struct error *err)
{
	pid_t running;

	if (session_open(session, path, control, err))
		return -1;
	running = session_profiler_runs(session, control) ? control->profiler
							  : find_running(session, control);
	if (!running)
		return 0;
	session_close(session);
	return error_set(err, "wait for its end, or end it",
			 "process %d still writes to the session '%s'", (int)running, path);
}

/* What was last seen of the program. */
static void set_end(const struct session *control, const struct collected *calls, struct run *run)
{
	if (control->started_ns && calls->roi_end_ns > control->started_ns)
		run->elapsed_ns = calls->roi_end_ns - control->started_ns;
	run_add_note(run, "recovered", "%s", run->command);
}

static int collect_left(const struct session_dir *session, const struct session *control,
			const struct description *description, struct run *run, struct error *err)
{
	struct collect_roi roi = {.kind = COLLECT_CALLS, .started_ns = control->started_ns};
	struct collected calls;

	if (control->roi == ROI_REGION)
		roi.kind = COLLECT_REGION;
	else if (!strcmp(run->roi, "process") && control->started_ns)
		roi.kind = COLLECT_PROCESS;
	run->sample_rate_hz = 0;
	if (collect_open(session, &roi, NULL, run, &calls, err) ||
	    collect_run(session, &roi, NULL, NULL, run, &calls, err)) {
		collected_free(&calls);
		return -1;
	}
	collect_work(description->work, run);
	set_end(control, &calls, run);
	collected_free(&calls);
	return 0;
}

int session_recover(const char *path, struct run *run, struct description *description,
		    struct error *err)
{
	struct session_dir session;
	struct session control;
	int failed;

	run_init(run);
	memset(description, 0, sizeof *description);
	if (open_left(path, &session, &control, err))
		return -1;
	failed = description_load(&session, run, description, err) ||
		 collect_left(&session, &control, description, run, err);
	session_close(&session);
	return failed ? -1 : 0;
}

int session_discard(const char *path, struct error *err)
{
	struct session_dir session;
	struct session control;

	if (open_left(path, &session, &control, err))
		return -1;
	session_remove(&session);
	return 0;
}
