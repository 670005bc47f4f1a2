/* table.c: compares, merges and frees rows by the descriptions of their fields. */
/* SPDX-License-Identifier: MIT */
#include "store/table.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"

static struct histogram *make_histogram(size_t count)
{
	struct histogram *histogram =
		memory_bytes(sizeof *histogram + count * (sizeof *histogram->calls + 1));

	histogram->count = count;
	histogram->numbers = (unsigned char *)&histogram->calls[count];
	return histogram;
}

struct histogram *histogram_of(const uint64_t calls[RUN_HISTOGRAM_BUCKETS])
{
	unsigned char numbers[RUN_HISTOGRAM_BUCKETS];
	struct histogram *histogram;
	size_t count = 0;

	for (int i = 0; i < RUN_HISTOGRAM_BUCKETS; i++)
		if (calls[i])
			numbers[count++] = (unsigned char)i;
	histogram = make_histogram(count);
	memcpy(histogram->numbers, numbers, count);
	for (size_t i = 0; i < count; i++)
		histogram->calls[i] = calls[numbers[i]];
	return histogram;
}

const uint64_t *histogram_calls(const struct histogram *histogram,
				uint64_t calls[RUN_HISTOGRAM_BUCKETS])
{
	memset(calls, 0, RUN_HISTOGRAM_BUCKETS * sizeof *calls);
	for (size_t i = 0; histogram && i < histogram->count; i++)
		calls[histogram->numbers[i]] = histogram->calls[i];
	return calls;
}

/* Adds to a histogram. It has all buckets once a second one is added. */
static void add_histogram(struct histogram **sum, const struct histogram *added)
{
	struct histogram *old = *sum;

	if (!old) {
		*sum = make_histogram(added->count);
		memcpy((*sum)->calls, added->calls, added->count * sizeof *added->calls);
		memcpy((*sum)->numbers, added->numbers, added->count);
		return;
	}
	if (old->count < RUN_HISTOGRAM_BUCKETS) {
		*sum = make_histogram(RUN_HISTOGRAM_BUCKETS);
		histogram_calls(old, (*sum)->calls);
		for (int i = 0; i < RUN_HISTOGRAM_BUCKETS; i++)
			(*sum)->numbers[i] = (unsigned char)i;
		free(old);
	}
	for (size_t i = 0; i < added->count; i++)
		(*sum)->calls[added->numbers[i]] += added->calls[i];
}

static const char *text_of(const struct field *field, const char *at)
{
	const char *text = field->type == FIELD_STRING ? *(char *const *)at : at;

	return text ? text : "";
}

#define ORDER_OF(type, a, b) ORDER(*(const type *)(a), *(const type *)(b))

static int compare_field(const struct field *field, const char *a, const char *b)
{
	switch (field->type) {
	case FIELD_INT:
		return ORDER_OF(int, a, b);
	case FIELD_CODE:
	case FIELD_SEVERITY:
		return ORDER_OF(unsigned int, a, b);
	case FIELD_INT64:
		return ORDER_OF(int64_t, a, b);
	case FIELD_COUNT:
		return ORDER_OF(uint64_t, a, b);
	case FIELD_REAL:
	case FIELD_WHOLE:
		return ORDER_OF(double, a, b);
	case FIELD_CHAR:
		return ORDER_OF(unsigned char, a, b);
	case FIELD_CHARS:
		return strncmp(a, b, field->size);
	case FIELD_STRING:
		if (*(char *const *)a == *(char *const *)b)
			return 0;
		return strcmp(text_of(field, a), text_of(field, b));
	default:
		return 0;
	}
}

struct table_order table_order_by(const struct table *table, const char *names)
{
	struct table_order order = {0};

	for (size_t i = 0; !names && i < table->nfields; i++)
		if (table->fields[i].merge == MERGE_KEY && order.count < TABLE_ORDER_MAX)
			order.by[order.count++] = &table->fields[i];
	while (names && *names && order.count < TABLE_ORDER_MAX) {
		size_t length;

		order.descending[order.count] = *names == '-';
		names += *names == '-';
		length = strcspn(names, " ");
		for (size_t i = 0; i < table->nfields && !order.by[order.count]; i++)
			if (!strncmp(table->fields[i].name, names, length) &&
			    !table->fields[i].name[length])
				order.by[order.count] = &table->fields[i];
		assert(order.by[order.count]);
		order.count++;
		names += length + (names[length] == ' ');
	}
	return order;
}

int table_compare(const struct table_order *order, const void *a, const void *b)
{
	int result = 0;

	for (size_t i = 0; i < order->count && !result; i++) {
		size_t offset = order->by[i]->offset;

		result = compare_field(order->by[i], (const char *)a + offset,
				       (const char *)b + offset);
		result = order->descending[i] ? -result : result;
	}
	return result;
}

uint64_t table_hash(const struct table_order *order, const void *row)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < order->count; i++) {
		const struct field *field = order->by[i];
		const char *at = (const char *)row + field->offset;
		size_t length = field->size;

		if (field->type == FIELD_STRING) {
			at = text_of(field, at);
			length = strlen(at);
		} else if (field->type == FIELD_CHARS) {
			length = strnlen(at, field->size);
		}
		hash = (hash ^ string_hash(at, length)) * UINT64_C(0x100000001b3);
	}
	return hash;
}

static int compare_rows(const void *a, const void *b, void *order)
{
	return table_compare(order, a, b);
}

static void sort(const struct table *table, void *holder, struct table_order *order)
{
	if (table_count(table, holder))
		qsort_r(table_row(table, holder, 0), table_count(table, holder), table->row_size,
			compare_rows, order);
}

void table_sort(const struct table *table, void *holder, const char *names)
{
	struct table_order order = table_order_by(table, names);

	sort(table, holder, &order);
}

const struct field *table_most(const struct table *table)
{
	EACH_ROW(field, table->fields, table->nfields)
		if (field->merge == MERGE_MOST)
			return field;
	return NULL;
}

#define ADD(type, sum, from, most)                                                                 \
	do {                                                                                       \
		type *to = (type *)(sum), added = *(const type *)(from);                           \
		if (__builtin_add_overflow(*to, added, to))                                        \
			*to = most;                                                                \
	} while (0)

/* Adds a field to a sum. A damaged store may hold any number: sums saturate, and negative times are
 * ignored. */
static void add_field(const struct field *field, char *sum, const char *from)
{
	switch (field->type) {
	case FIELD_INT:
		ADD(int, sum, from, INT_MAX);
		break;
	case FIELD_INT64:
		if (*(const int64_t *)from > 0)
			ADD(int64_t, sum, from, INT64_MAX);
		break;
	case FIELD_COUNT:
		ADD(uint64_t, sum, from, UINT64_MAX);
		break;
	case FIELD_REAL:
	case FIELD_WHOLE:
		if (field->merge == MERGE_KNOWN)
			*(double *)sum += *(const double *)from;
		else if (isfinite(*(const double *)from))
			*(double *)sum = *(const double *)from +
					 (isfinite(*(double *)sum) ? *(double *)sum : 0);
		break;
	case FIELD_HISTOGRAM:
		if (*(struct histogram *const *)from)
			add_histogram((struct histogram **)sum, *(struct histogram *const *)from);
		break;
	default:
		break;
	}
}

static int adds_up(const struct field *field)
{
	return field->merge == MERGE_SUM || field->merge == MERGE_KNOWN ||
	       field->merge == MERGE_MOST;
}

void table_merge(const struct table *table, void *row, const void *from)
{
	EACH_ROW(field, table->fields, table->nfields) {
		char *to = (char *)row + field->offset;
		const char *other = (const char *)from + field->offset;
		int order;

		if (adds_up(field))
			add_field(field, to, other);
		if (field->merge != MERGE_SAME && field->merge != MERGE_MIN &&
		    field->merge != MERGE_MAX)
			continue;
		order = compare_field(field, other, to);
		if (field->merge == MERGE_SAME && order)
			memset(to, 0, field->size);
		else if ((field->merge == MERGE_MIN && order < 0) ||
			 (field->merge == MERGE_MAX && order > 0))
			memcpy(to, other, field->size);
	}
}

void table_merge_rows(const struct table *table, void *holder)
{
	struct table_order keys = table_order_by(table, NULL), order = keys;
	size_t *count = (size_t *)((char *)holder + table->count), merged = 0;

	if (!*count)
		return;
	order.by[order.count] = table_most(table);
	order.descending[order.count] = 1;
	order.count += order.by[order.count] != NULL;
	sort(table, holder, &order);
	for (size_t i = 1; i < *count; i++) {
		void *into = table_row(table, holder, merged), *row = table_row(table, holder, i);

		if (!table_compare(&keys, into, row)) {
			table_merge(table, into, row);
			table_free_row(table, row);
		} else if (++merged < i) {
			memcpy(table_row(table, holder, merged), row, table->row_size);
		}
	}
	*count = merged + 1;
}

void table_start_sum(const struct table *table, void *row)
{
	EACH_ROW(field, table->fields, table->nfields) {
		char *at = (char *)row + field->offset;

		if (adds_up(field))
			memset(at, 0, field->size);
		if (field->type == FIELD_STRING)
			*(const char **)at = text_of(field, at);
	}
}

void table_free_row(const struct table *table, void *row)
{
	EACH_ROW(field, table->fields, table->nfields)
		if (field->type == FIELD_HISTOGRAM)
			free(*(struct histogram **)((char *)row + field->offset));
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
	return memory_add((char *)holder + table->rows, (size_t *)((char *)holder + table->count),
			  table->row_size);
}

void table_free(const struct table *table, void *holder)
{
	for (size_t i = 0; i < table_count(table, holder); i++)
		table_free_row(table, table_row(table, holder, i));
	array_free((char *)holder + table->rows, (size_t *)((char *)holder + table->count));
}
