/* sums.h: sums up the rows of one table of the runs in use, by thread count and keys. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SUMS_H
#define REPORT_SUMS_H

#include "report/columns.h"

/* A row of a run, with the thread count that it counts for. */
struct sum_item {
	int threads;
	int group; /* for the caller: what else tells rows apart, before the keys */
	uint32_t run;
	uint32_t number; /* of its sum_group, before they are sorted */
	const void *row;
};
struct sums {
	const struct table *table; /* the run's */
	struct table_order keys;
	struct sum_item *items;
	size_t count;
	struct sum_group {
		size_t first, end;
	} * groups; /* the items that belong together, in the order of their keys */
	size_t ngroups;
};

/* Finds the part's rows in the runs in use; `keys` as for table_order_by(). */
struct sums sums_find(const struct run *runs, const struct report *report, enum run_part part,
		      const char *keys);
/* Brings what belongs together together, in the order of the runs. */
void sums_sort(struct sums *sums);
void sums_free(struct sums *sums);
/* Adds to the report's table the sum of the group's items; its rows begin with `int threads`, and
 * then have `sum`, a row of the run's table. */
void *sums_add(const struct sums *sums, const struct sum_group *group, const struct table *into,
	       struct report *report);

/* All of these: sums up the part into the table's rows. */
void sums_build(const struct run *runs, struct report *report, enum run_part part, const char *keys,
		const struct table *into);
/* The same of the sums in another table of the report, by fewer keys. */
void sums_build_again(const struct table *from, struct report *report, enum run_part part,
		      const char *keys, const struct table *into);
/* Sets each row's share of the column's sum at its thread count; the rows are sorted by thread
 * count. */
void sums_share(const struct table *table, struct report *report, const char *column,
		size_t share_offset);

#endif
