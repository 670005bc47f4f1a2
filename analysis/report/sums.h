/* sums.h: sums up the rows of one table of the runs in use, by thread count and keys. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SUMS_H
#define REPORT_SUMS_H

#include "report/columns.h"

/* A row of a run, with the run's thread count. */
struct sum_item {
	int threads;
	int group;	 /* set by the caller to tell rows apart before the keys */
	uint32_t run;	 /* of report->runs */
	uint32_t number; /* of its sum_group, before groups are sorted */
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

/* Finds the part's rows in the runs in use; keys as for table_order_by(). */
struct sums sums_find(const struct report *report, enum run_part part, const char *keys);
/* Groups the items with equal keys; within a group they keep the order of the runs. */
void sums_sort(struct sums *sums);
void sums_free(struct sums *sums);
/* Adds the sum of the group's items to the report's table, whose rows begin with `int threads` and
 * `sum`, a row of the run's table. Returns the new row. */
void *sums_add(const struct sums *sums, const struct sum_group *group, const struct table *into,
	       struct report *report);

/* Does all of this: sums up the part into the table. */
void sums_build(struct report *report, enum run_part part, const char *keys,
		const struct table *into);
/* Sets each row's share of the column's sum at its thread count. The rows must be sorted by thread
 * count. */
void sums_share(const struct table *table, struct report *report, const char *column,
		size_t share_offset);

#endif
