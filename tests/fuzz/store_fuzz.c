/* store_fuzz.c: feeds any bytes as a store to what opens, lists and loads it, and reports on its
 * runs. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "store/store.h"

static void load(struct store *store)
{
	struct store_experiments experiments;
	struct store_list list;
	struct run *runs;
	struct error err;
	size_t count;

	if (!store_list_runs(store, NULL, &list, &err))
		store_list_free(&list);
	if (!store_list_experiments(store, &experiments, &err))
		store_experiments_free(&experiments);
	if (store_load_experiment(store, NULL, STORE_ALL_PARTS, &runs, &count, &err))
		return;
	for (size_t i = 0; i < count; i++)
		store_load_pairs(store, &runs[i], &err);
	fuzz_report(runs, count);
	store_free_runs(&runs, &count);
}

FUZZ(store)
{
	static const enum store_mode modes[] = {STORE_READ, STORE_CREATE};
	struct store *store;
	struct error err;
	struct run run;

	for (int i = 0; i < 2; i++) {
		fuzz_write("x.db", data, size);
		if (store_open(&store, fuzz_path("x.db"), modes[i], &err))
			continue;
		run_init(&run);
		if (modes[i] == STORE_CREATE)
			store_save_run(store, &run, &err);
		run_free(&run);
		load(store);
		store_close(store);
	}
}
