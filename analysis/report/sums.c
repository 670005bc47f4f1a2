/* sums.c: sums up the rows of one table of the runs in use, by thread count and keys. */
/* SPDX-License-Identifier: MIT */
#include "report/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Every row of a report that holds a sum has it there. */
#define SUM_OFFSET sizeof(int64_t)
#define TABLE(...)
#define FIELD(...)
#define MERGED(...)
#define COLUMN(...)
#define MEMBER(...)
#define SUMS(row)                                                                                  \
	_Static_assert(offsetof(struct ROW, sum) == SUM_OFFSET && !offsetof(struct ROW, threads),  \
		       "`sum` comes after `int threads`");
#define END
#include "report/report_tables.def"

int sums_find(const struct run *runs, const struct report *report, enum run_part part,
	      const char *keys, struct sums *sums)
{
	*sums = (struct sums){.table = &run_tables[part]};
	sums->keys = table_order_by(sums->table, keys);
	for (size_t run = 0; run < report->nruns; run++) {
		size_t rows = report->runs[run].used ? table_count(sums->table, &runs[run]) : 0;

		for (size_t i = 0; i < rows; i++) {
			struct sum_item *item = array_add(&sums->items, &sums->count, sizeof *item);

			if (!item)
				return -1;
			*item = (struct sum_item){.threads = report->runs[run].threads,
						  .run = (uint32_t)run,
						  .index = (uint32_t)sums->count,
						  .row = table_row(sums->table, &runs[run], i)};
		}
	}
	return 0;
}

static int compare_groups(const struct sum_item *a, const struct sum_item *b,
			  const struct table_order *keys)
{
	return ORDER(a->threads, b->threads) ?: ORDER(a->group, b->group) ?:
	       table_compare(keys, a->row, b->row);
}

COMPARE(compare_items, struct sum_item,
	ORDER(a->threads, b->threads) ?: ORDER(a->hash, b->hash) ?: ORDER(a->index, b->index))

static int compare_firsts(const void *left, const void *right, void *context)
{
	const struct sums *sums = context;

	return compare_groups(&sums->items[((const struct sum_group *)left)->first],
			      &sums->items[((const struct sum_group *)right)->first], &sums->keys);
}

/* Hashes bring equal rows together with few looks at texts; then only groups are compared. */
int sums_sort(struct sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		sums->items[i].hash = table_hash(&sums->keys, sums->items[i].row) +
				      (uint64_t)sums->items[i].group;
	if (sums->count)
		qsort(sums->items, sums->count, sizeof *sums->items, compare_items);
	for (size_t i = 0; i < sums->count; i++) {
		struct sum_group *group = sums->ngroups ? &sums->groups[sums->ngroups - 1] : NULL;

		if (!group ||
		    compare_groups(&sums->items[group->first], &sums->items[i], &sums->keys)) {
			group = array_add(&sums->groups, &sums->ngroups, sizeof *group);
			if (!group)
				return -1;
			group->first = i;
		}
		group->end = i + 1;
	}
	if (sums->ngroups)
		qsort_r(sums->groups, sums->ngroups, sizeof *sums->groups, compare_firsts, sums);
	return 0;
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

	if (!row)
		return NULL;
	for (size_t i = group->first; i < group->end; i++)
		if (table_compare(&by_most, sums->items[i].row, from->row) > 0)
			from = &sums->items[i];
	*(int *)row = from->threads;
	memcpy(row + SUM_OFFSET, from->row, sums->table->row_size);
	if (table_start_sum(sums->table, row + SUM_OFFSET))
		return NULL;
	for (size_t i = group->first; i < group->end; i++)
		if (table_merge(sums->table, row + SUM_OFFSET, sums->items[i].row))
			return NULL;
	return row;
}

int sums_build(const struct run *runs, struct report *report, enum run_part part, const char *keys,
	       const struct table *into)
{
	struct sums sums;
	int failed = sums_find(runs, report, part, keys, &sums) || sums_sort(&sums);

	for (size_t i = 0; i < sums.ngroups && !failed; i++)
		failed = !sums_add(&sums, &sums.groups[i], into, report);
	sums_free(&sums);
	return failed ? -1 : 0;
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
