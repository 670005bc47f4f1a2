/* import.c: `blasprof import`: stores the cells that workloads/ceilings has measured. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "store/cell.h"
#include "store/store.h"

static struct {
	const char *store;
} settings = {.store = DEFAULT_STORE};

static const struct option_row options[] = {
	{'i', "store", "FILE", "add the cells to those in FILE (default " DEFAULT_STORE ")",
	 OPTION_TEXT, &settings.store},
};

static int read_cells(const char *path, struct cell **cells, size_t *count, struct error *err)
{
	FILE *file = path ? fopen(path, "r") : stdin;
	int result;

	if (!file)
		return error_set(err, "give a file that exists and that you may read",
				 "cannot open '%s': %s", path, strerror(errno));
	result = cells_read(file, path ? path : "standard input", cells, count, err);
	if (path)
		fclose(file);
	if (!result && !*count)
		result = error_set(err, "give the output of workloads/ceilings",
				   "'%s' has no cells", path ? path : "standard input");
	return result;
}

static int run_import(char **arguments, struct error *err)
{
	size_t count, ok = 0, wrong = 0;
	FREED struct cell *cells = NULL;
	OWN_STORE *store = NULL;
	int64_t suite = 0;

	if (read_cells(*arguments, &cells, &count, err))
		return -1;
	for (size_t i = 0; i < count; i++) {
		ok += !strcmp(cells[i].status, "ok");
		wrong += !strcmp(cells[i].status, "wrong");
	}
	if (store_open(&store, settings.store, STORE_CREATE, err) ||
	    store_save_cells(store, cells, count, &suite, err))
		return -1;
	printf("suite %" PRId64 " in '%s': %zu cells, %zu measured, %zu wrong, %zu left out\n",
	       suite, settings.store, count, ok, wrong, count - ok - wrong);
	return 0;
}

const struct command command_import = {
	.name = "import",
	.usage = "[OPTION]... [FILE]",
	.purpose = "store the measurements of workloads/ceilings",
	.about = "Store the rows that workloads/ceilings printed as a suite of cells, in the\n"
		 "same store as the runs. Read them from FILE or standard input. An incomplete\n"
		 "last row is left out.",
	COMMAND_OPTIONS,
	.operands_more = 1,
	.run = run_import,
};
