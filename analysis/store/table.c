/* table.c: compares, merges and frees rows by the descriptions of their fields. */
/* SPDX-License-Identifier: MIT */
#include "store/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const char *text_of(const struct field *field, const char *at)
{
	const char *text = field->type == FIELD_STRING ? *(char *const *)at : at;

	return text ? text : "";
}

#define ORDER(type, a, b) ((*(const type *)(a) > *(const type *)(b)) - (*(const type *)(a) < *(const type *)(b)))

static int compare_field(const struct field *field, const char *a, const char *b)
{
	switch (field->type) {
	case FIELD_INT:
		return ORDER(int, a, b);
	case FIELD_CODE:
		return ORDER(unsigned int, a, b);
	case FIELD_INT64:
		return ORDER(int64_t, a, b);
	case FIELD_COUNT:
		return ORDER(uint64_t, a, b);
	case FIELD_REAL:
		return ORDER(double, a, b);
	case FIELD_CHAR:
		return ORDER(unsigned char, a, b);
	case FIELD_CHARS:
		return strncmp(a, b, field->size);
	case FIELD_STRING:
		return strcmp(text_of(field, a), text_of(field, b));
	default:
		return 0;
	}
}

int table_compare(const struct table *table, const void *a, const void *b, size_t but)
{
	int result = 0;

	for (size_t i = 0; i < table->nfields && !result; i++) {
		const struct field *field = &table->fields[i];

		if (field->merge == MERGE_KEY && field->offset != but)
			result = compare_field(field, (const char *)a + field->offset,
					       (const char *)b + field->offset);
	}
	return result;
}

static void add_field(const struct field *field, char *sum, const char *from)
{
	switch (field->type) {
	case FIELD_INT:
		*(int *)sum += *(const int *)from;
		break;
	case FIELD_INT64:
		*(int64_t *)sum += *(const int64_t *)from;
		break;
	case FIELD_COUNT:
		*(uint64_t *)sum += *(const uint64_t *)from;
		break;
	case FIELD_REAL:
		if (isfinite(*(const double *)from))
			*(double *)sum = *(const double *)from + (isfinite(*(double *)sum) ? *(double *)sum : 0);
		break;
	case FIELD_HISTOGRAM:
		for (size_t i = 0; i < RUN_HISTOGRAM_BUCKETS; i++)
			((uint64_t *)sum)[i] += ((const uint64_t *)from)[i];
		break;
	default:
		break;
	}
}

void table_merge(const struct table *table, void *row, const void *from)
{
	for (size_t i = 0; i < table->nfields; i++) {
		const struct field *field = &table->fields[i];
		char *to = (char *)row + field->offset;
		const char *other = (const char *)from + field->offset;

		if (field->merge == MERGE_SUM)
			add_field(field, to, other);
		else if ((field->merge == MERGE_MIN && compare_field(field, other, to) < 0) ||
			 (field->merge == MERGE_MAX && compare_field(field, other, to) > 0))
			memcpy(to, other, field->size);
	}
}

static int compare_rows(const void *a, const void *b, void *table)
{
	return table_compare(table, a, b, TABLE_ALL_KEYS);
}

void table_merge_rows(const struct table *table, void *holder)
{
	size_t *count = (size_t *)((char *)holder + table->count), merged = 0;

	if (!*count)
		return;
	qsort_r(table_row(table, holder, 0), *count, table->row_size, compare_rows, (void *)table);
	for (size_t i = 1; i < *count; i++) {
		void *into = table_row(table, holder, merged), *row = table_row(table, holder, i);

		if (!table_compare(table, into, row, TABLE_ALL_KEYS)) {
			table_merge(table, into, row);
			table_free_row(table, row);
		} else if (++merged < i) {
			memcpy(table_row(table, holder, merged), row, table->row_size);
		}
	}
	*count = merged + 1;
}

void table_free_row(const struct table *table, void *row)
{
	for (size_t i = 0; i < table->nfields; i++)
		if (table->fields[i].type == FIELD_STRING)
			free(*(char **)((char *)row + table->fields[i].offset));
}

size_t table_count(const struct table *table, const void *holder)
{
	return *(const size_t *)((const char *)holder + table->count);
}

void *table_row(const struct table *table, const void *holder, size_t index)
{
	char *rows = *(char *const *)((const char *)holder + table->rows);

	return rows ? rows + table->row_size * index : NULL;
}

void *table_add(const struct table *table, void *holder)
{
	return array_add((char *)holder + table->rows, (size_t *)((char *)holder + table->count),
			 table->row_size);
}

void table_free(const struct table *table, void *holder)
{
	for (size_t i = 0; i < table_count(table, holder); i++)
		table_free_row(table, table_row(table, holder, i));
	free(table_row(table, holder, 0));
	*(void **)((char *)holder + table->rows) = NULL;
	*(size_t *)((char *)holder + table->count) = 0;
}
