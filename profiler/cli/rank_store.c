/* rank_store.c: the names of the ranks' stores. */
/* SPDX-License-Identifier: MIT */
#include "cli/rank_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/ranks.h"

/* Where the number goes: before the ending of the file's name. */
static int stem_length(const char *store)
{
	const char *slash = strrchr(store, '/'), *name = slash ? slash + 1 : store;
	const char *dot = strrchr(name, '.');

	return (int)(dot && dot > name ? dot - store : (long)strlen(store));
}

int rank_store_name(const char **store, struct error *err)
{
	int stem = stem_length(*store);
	struct rank rank;
	char *named;

	if (!rank_find(&rank))
		return 0;
	if (asprintf(&named, "%.*s.%d%s", stem, *store, rank.number, *store + stem) < 0)
		return error_out_of_memory(err);
	*store = named;
	return 1;
}

void rank_store_say(const char *store)
{
	int whole = (int)strlen(store), stem = stem_length(store);
	struct rank rank;

	if (!rank_find(&rank) || rank.number)
		return;
	while (stem > 0 && store[stem - 1] != '.') /* the rank's number */
		stem--;
	fprintf(stderr,
		"blasprof: each rank's run is in a store of its own; report on all of them: "
		"blasprof report %.*s*%.*s\n",
		stem, store, whole - stem - 1, store + stem + 1);
}
