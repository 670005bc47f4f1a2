/* sums.c: sums up the rows of one table of the runs in use, by thread count and keys. */
/* SPDX-License-Identifier: MIT */
#include "report/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/memory.h"

/* The offset of `sum` in every row that has one. */
#define SUM_OFFSET sizeof(int64_t)
#define TABLE(...)
#define SUMS(row)                                                                                  \
	_Static_assert(offsetof(struct ROW, sum) == SUM_OFFSET && !offsetof(struct ROW, threads),  \
		       "`sum` comes after `int threads`");
#include "report/report_tables.def"

struct sums sums_find(const struct report *report, enum run_part part, const char *keys)
{
	struct sums sums = {.table = &run_tables[part],
			    .keys = table_order_by(&run_tables[part], keys)};

	EACH_ROW(run, report->runs, report->nruns) {
		size_t rows = run->used ? table_count(sums.table, run->run) : 0;

		for (size_t i = 0; i < rows; i++) {
			struct sum_item item = {.threads = run->threads,
						.run = (uint32_t)(run - report->runs),
						.row = table_row(sums.table, run->run, i)};

			memory_append(&sums.items, &sums.count, sizeof item, &item);
		}
	}
	return sums;
}

static int compare_groups(const struct sum_item *a, const struct sum_item *b,
			  const struct table_order *keys)
{
	return ORDER(a->threads, b->threads) ?: ORDER(a->group, b->group) ?:
	       table_compare(keys, a->row, b->row);
}

static int compare_firsts(const void *left, const void *right, void *context)
{
	const struct sums *sums = context;

	return compare_groups(&sums->items[((const struct sum_group *)left)->first],
			      &sums->items[((const struct sum_group *)right)->first], &sums->keys);
}

/* Sets the item's group: that of an earlier item with the same keys, or a new one. */
static void find_group(struct sums *sums, struct idmap *known, size_t at)
{
	struct sum_item *item = &sums->items[at];
	uint64_t hash = table_hash(&sums->keys, item->row) + (uint64_t)item->threads * 2 +
			(uint64_t)item->group;
	struct sum_group *group;

	while ((item->number = idmap_find(known, hash)) != IDMAP_NONE &&
	       compare_groups(&sums->items[sums->groups[item->number].first], item, &sums->keys))
		hash++;
	if (item->number == IDMAP_NONE) {
		item->number = (uint32_t)sums->ngroups;
		group = memory_add(&sums->groups, &sums->ngroups, sizeof *group);
		idmap_put(known, hash, item->number);
		group->first = at;
	}
	sums->groups[item->number].end++; /* its number of items so far */
}

/* Most runs have the same rows, so it is enough to sort the groups. */
void sums_sort(struct sums *sums)
{
	struct sum_item *sorted = memory_rows(sums->count, sizeof *sorted);
	struct idmap known = {0};
	size_t start = 0;

	for (size_t i = 0; i < sums->count; i++)
		find_group(sums, &known, i);
	idmap_free(&known);
	EACH_ROW(group, sums->groups, sums->ngroups) {
		group->first = start;
		start += group->end;
		group->end = group->first;
	}
	for (size_t i = 0; i < sums->count; i++)
		sorted[sums->groups[sums->items[i].number].end++] = sums->items[i];
	free(sums->items);
	sums->items = sorted;
	if (sums->ngroups)
		qsort_r(sums->groups, sums->ngroups, sizeof *sums->groups, compare_firsts, sums);
}

void sums_free(struct sums *sums)
{
	free(sums->items);
	free(sums->groups);
}

void *sums_add(const struct sums *sums, const struct sum_group *group, const struct table *into,
	       struct report *report)
{
	const struct field *most = table_most(sums->table);
	struct table_order by_most = {.by = {most}, .count = most != NULL};
	const struct sum_item *from = &sums->items[group->first];
	char *row = table_add(into, report);

	for (size_t i = group->first; i < group->end; i++)
		if (table_compare(&by_most, sums->items[i].row, from->row) > 0)
			from = &sums->items[i];
	*(int *)row = from->threads;
	memcpy(row + SUM_OFFSET, from->row, sums->table->row_size);
	table_start_sum(sums->table, row + SUM_OFFSET);
	for (size_t i = group->first; i < group->end; i++)
		table_merge(sums->table, row + SUM_OFFSET, sums->items[i].row);
	return row;
}

void sums_build(struct report *report, enum run_part part, const char *keys,
		const struct table *into)
{
	struct sums sums = sums_find(report, part, keys);

	sums_sort(&sums);
	EACH_ROW(group, sums.groups, sums.ngroups)
		sums_add(&sums, group, into, report);
	sums_free(&sums);
}

void sums_share(const struct table *table, struct report *report, const char *column,
		size_t share_offset)
{
	const struct field *field = table_order_by(table, column).by[0];
	size_t count = table_count(table, report);

	for (size_t first = 0, next; first < count; first = next) {
		int threads = *(const int *)table_row(table, report, first);
		double sum = 0;

		for (next = first;
		     next < count && *(const int *)table_row(table, report, next) == threads;
		     next++)
			sum += column_value(field, table_row(table, report, next));
		for (size_t i = first; i < next; i++) {
			char *row = table_row(table, report, i);

			*(double *)(row + share_offset) =
				sum > 0 ? column_value(field, row) / sum : NAN;
		}
	}
}
