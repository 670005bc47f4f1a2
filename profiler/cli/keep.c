/* keep.c: puts a run into the store. */
/* SPDX-License-Identifier: MIT */
#include "cli/keep.h"

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

enum keep_result keep_run(const char *path, struct run *run, struct error *err)
{
	struct store *store;
	int failed;

	if (!run_calls(run)) {
		error_set(err, "'blasprof doctor' says what can be seen",
			  "no BLAS call was seen in '%s', so the run is not stored", run->command);
		return KEEP_NOTHING;
	}
	if (store_open(&store, path, STORE_CREATE, err))
		return KEEP_FAILED;
	failed = store_save_run(store, run, err);
	store_close(store);
	return failed ? KEEP_FAILED : KEEP_DONE;
}
