/* list.c: `blasprof list`: prints the runs or experiments in the store, one per line. */
/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/array.h"
#include "base/string_pool.h"
#include "cli/command.h"
#include "cli/experiment.h"
#include "write/escape.h"
#include "store/store.h"

static struct {
	const char *store, *experiment;
	int experiments;
} settings = {.store = DEFAULT_STORE};

static const struct option_row options[] = {
	{'i', "store", "FILE", "list the runs in FILE (default " DEFAULT_STORE ")", OPTION_TEXT,
	 &settings.store},
	{'x', "experiment", "NAME", "list the runs of this experiment only", OPTION_TEXT,
	 &settings.experiment},
	{0, "experiments", NULL,
	 "list the experiments instead, the one with the newest run last, with the names for "
	 "option -x",
	 OPTION_FLAG, &settings.experiments},
};

/* "-" if nobody asked for a number and no thread called BLAS. */
static const char *threads_text(const struct store_entry *entry)
{
	return entry->threads ? string_printf("%d", entry->threads) : "-";
}

static int print_runs(struct store *store, struct error *err)
{
	OWN_LIST list;
	char started[64];

	if (store_list_runs(store, settings.experiment, &list, err))
		return -1;
	if (settings.experiment && !list.count)
		return experiment_unknown(store, settings.experiment, err);
	printf("%5s  %-20s  %7s  %4s  %9s  %12s  %s\n", "run", "started", "threads", "exit",
	       "seconds", "BLAS calls", "command");
	EACH_ROW(entry, list.entries, list.count) {
		escape_text(entry->started, 20, started, sizeof started);
		printf("%5" PRId64 "  %-20s  %7s  %4d  %9.3f  %12" PRIu64 "  ", entry->id, started,
		       threads_text(entry), entry->exit_status, (double)entry->elapsed_ns / 1e9,
		       entry->calls);
		escape_print(entry->command, "", stdout);
		if (*entry->what_if) {
			fputs(" [what-if ", stdout);
			escape_print(entry->what_if, "", stdout);
			putchar(']');
		}
		putchar('\n');
	}
	return 0;
}

COMPARE(compare_threads, struct store_entry, ORDER(a->threads, b->threads))

#define COUNTS_WIDTH 16

static int print_experiments(struct store *store, struct error *err)
{
	OWN_LIST list;

	if (store_list_experiments(store, &list, err))
		return -1;
	printf("%5s  %10s  %-*s  %s\n", "runs", "newest run", COUNTS_WIDTH, "threads",
	       "experiment");
	EACH_ROW(newest, list.entries, list.count) {
		char counts[COUNTS_WIDTH * 2] = "", shown[COUNTS_WIDTH + 8];

		OWN_LIST runs;

		if (store_list_runs(store, newest->experiment, &runs, err))
			return -1;
		/* the thread counts of its runs, like "1,2,4" */
		SORT(runs.entries, runs.count, compare_threads);
		for (size_t j = 0; j < runs.count && strlen(counts) <= COUNTS_WIDTH; j++)
			if (!j || runs.entries[j].threads != runs.entries[j - 1].threads)
				SAY(counts, "%s%s", j ? "," : "", threads_text(&runs.entries[j]));
		escape_text(counts, COUNTS_WIDTH, shown, sizeof shown);
		printf("%5zu  %10" PRId64 "  %-*s  ", newest->runs, newest->id, COUNTS_WIDTH,
		       shown);
		escape_print(newest->experiment, "", stdout);
		putchar('\n');
	}
	return 0;
}

static int run_list(char **arguments, struct error *err)
{
	OWN_STORE *store = NULL;

	if (settings.experiments && settings.experiment)
		return error_set(err, "leave out one of them",
				 "--experiments lists no runs, so -x cannot choose them");
	if (store_open(&store, settings.store, STORE_READ, err))
		return -1;
	return settings.experiments ? print_experiments(store, err) : print_runs(store, err);
}

const struct command command_list = {
	.name = "list",
	.usage = "[OPTION]...",
	.purpose = "list the runs in the store",
	.about = "List the runs in the store, one per line, the oldest first, or the experiments\n"
		 "that they form. The thread count is that of -t, or else the number of threads\n"
		 "that called BLAS (reports also count others that compute); - if none did.",
	COMMAND_OPTIONS,
	.run = run_list,
};
