/* list.c: `blasprof list`: the runs in the store, one a line. */
/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "store/store.h"

static struct list_settings {
	const char *store, *experiment;
} settings = {.store = DEFAULT_STORE};

static const struct option_row options[] = {
	{'i', "store", "FILE", "list the runs in FILE (default " DEFAULT_STORE ")", OPTION_TEXT,
	 offsetof(struct list_settings, store)},
	{'e', "experiment", "NAME", "list the runs of this experiment only", OPTION_TEXT,
	 offsetof(struct list_settings, experiment)},
};

static void print_entry(const struct store_entry *entry)
{
	printf("%5" PRId64 "  %-20s  %4d  %9.3f  %12" PRIu64 "  %s", entry->id, entry->started,
	       entry->exit_status, (double)entry->elapsed_ns / 1e9, entry->calls, entry->command);
	if (*entry->what_if)
		printf(" [what-if %s]", entry->what_if);
	putchar('\n');
}

static int run_list(char **arguments)
{
	struct store *store;
	struct store_list list;
	struct error err;
	int failed;

	(void)arguments;
	if (store_open(&store, settings.store, STORE_READ, &err))
		return output_failure(&err);
	failed = store_list_runs(store, settings.experiment, &list, &err);
	store_close(store);
	if (failed)
		return output_failure(&err);
	printf("%5s  %-20s  %4s  %9s  %12s  %s\n", "run", "started", "exit", "seconds",
	       "BLAS calls", "command");
	for (size_t i = 0; i < list.count; i++)
		print_entry(&list.entries[i]);
	store_list_free(&list);
	return output_finish();
}

const struct command command_list = {
	.name = "list",
	.usage = "[OPTION]...",
	.purpose = "list the runs in the store",
	.about = "List the runs in the store, one a line, the oldest first.",
	.options = options,
	.options_count = COUNT(options),
	.settings = &settings,
	.run = run_list,
};
