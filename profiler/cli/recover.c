/* recover.c: `blasprof recover`: stores a run that blasprof could not store, or that it left behind
 * when it was killed. */
/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/experiment.h"
#include "record/record.h"
#include "write/escape.h"

static struct {
	const char *store;
	int quiet, keep, discard;
} settings = {.store = DEFAULT_STORE};

static const struct option_row options[] = {
	{'i', "store", "FILE", "add the run to those in FILE (default " DEFAULT_STORE ")",
	 OPTION_TEXT, &settings.store},
	{'k', "keep", NULL, "do not remove the directory", OPTION_FLAG, &settings.keep},
	{0, "discard", NULL, "remove the directory without storing the run", OPTION_FLAG,
	 &settings.discard},
	{'q', "quiet", NULL, "print no report", OPTION_FLAG, &settings.quiet},
};

static void list_sessions(void)
{
	FREED struct left_session *sessions;
	size_t count;

	left_sessions_find(&sessions, &count);
	if (!count)
		puts("There is nothing to recover.");
	for (size_t i = 0; i < count; i++) {
		if (!i)
			printf("%-28s  %-20s  %s\n", "directory", "started", "command");
		printf("%-28s  %-20s  ", sessions[i].path, sessions[i].started);
		escape_print(sessions[i].command, "", stdout);
		if (sessions[i].running)
			printf(" (process %d still runs)", (int)sessions[i].running);
		putchar('\n');
	}
	if (count)
		puts("-> store a run with blasprof recover DIRECTORY, or add --discard to remove "
		     "it");
}

/* Stores the run of the session and prints a report on it alone. If blasprof was killed after it
 * had stored the run with its samples, that run stays as it is. */
static int recover(const char *path, struct error *err)
{
	struct report_choice choice = {.options = REPORT_OPTIONS_DEFAULT};
	OWN_RUN run;
	int failed = session_recover(path, &run, err);

	if (!failed) {
		enum save_result saved;

		save_name(run.experiment, &run);
		choice.options.store = experiment_store(settings.store);
		saved = save_run(settings.store, NULL, &run, err);
		if (saved == SAVE_FAILED || saved == SAVE_NOTHING)
			failed = -1;
		else if (saved == SAVE_FOUND && !settings.quiet)
			printf("This run is in the store '%s' already, as run %lld.\n",
			       settings.store, (long long)run.id);
		else if (!settings.quiet)
			failed = experiment_print(&run, 1, &choice, stdout, err);
	}
	return failed || settings.keep ? failed : session_discard(path, err);
}

static int run_recover(char **arguments, struct error *err)
{
	if (settings.discard && settings.keep)
		return error_set(err, "leave out one of them",
				 "--keep and --discard contradict each other");
	if (*arguments)
		return settings.discard ? session_discard(*arguments, err)
					: recover(*arguments, err);
	list_sessions();
	return 0;
}

const struct command command_recover = {
	.name = "recover",
	.usage = "[OPTION]... [DIRECTORY]",
	.purpose = "store a run that was left behind or not stored",
	.about = "When blasprof itself is killed, the program continues, and its records stay in\n"
		 "a directory in BLASPROF_TMPDIR, or else in /dev/shm, TMPDIR or /tmp. The same\n"
		 "happens when a run cannot be stored because of a full disk or a limit on file\n"
		 "sizes. Store the run in DIRECTORY, report on it, and remove the directory. A\n"
		 "run that is already in FILE is not stored again. Without DIRECTORY, list the\n"
		 "directories.",
	COMMAND_OPTIONS,
	.operands_more = 1,
	.run = run_recover,
};
