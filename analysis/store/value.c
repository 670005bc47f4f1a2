/* value.c: converts fields of structs to and from SQLite values. */
/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "store/db.h"
#include "base/utf8.h"

#define HISTOGRAM_TEXT_MAX (RUN_HISTOGRAM_BUCKETS * 25)

static int bind_bytes(sqlite3_stmt *stmt, int parameter, const char *text, size_t length)
{
	if (!length)
		return sqlite3_bind_text(stmt, parameter, "", 0, SQLITE_STATIC);
	if (!utf8_valid(text, length))
		return sqlite3_bind_blob64(stmt, parameter, text, length, SQLITE_TRANSIENT);
	return sqlite3_bind_text64(stmt, parameter, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int value_bind_text(sqlite3_stmt *stmt, int parameter, const char *text)
{
	return bind_bytes(stmt, parameter, text, text ? strlen(text) : 0);
}

static int bind_histogram(sqlite3_stmt *stmt, int parameter, const struct histogram *histogram)
{
	uint64_t calls[RUN_HISTOGRAM_BUCKETS];
	char text[HISTOGRAM_TEXT_MAX + 1] = "";
	int length = 0;

	histogram_calls(histogram, calls);
	for (int i = 0; i < RUN_HISTOGRAM_BUCKETS; i++)
		if (calls[i])
			length += snprintf(text + length, sizeof text - length, "%s%d:%" PRIu64,
					   length ? " " : "", i, calls[i]);
	return sqlite3_bind_text(stmt, parameter, text, length, SQLITE_TRANSIENT);
}

/* Packed numbers (LEB128): 7 bits per byte, the lowest first; bit 7 is set if a byte follows. */
#define BYTES_MAX 5 /* of a packed 32-bit number */

static unsigned char *pack(uint32_t value, unsigned char *to)
{
	while (value >= 0x80) {
		*to++ = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	*to++ = (unsigned char)value;
	return to;
}

/* Drops bits beyond 32. Returns the end of the number, or NULL if it is cut off. */
static const unsigned char *unpack(const unsigned char *from, const unsigned char *end,
				   uint32_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; from < end; shift += 7) {
		if (shift < 32)
			*value |= (uint32_t)(*from & 0x7f) << shift;
		if (!(*from++ & 0x80))
			return from;
	}
	return NULL;
}

/* Binds the run's last pairs as a BLOB; returns a SQLite result code. */
static int bind_pairs(sqlite3_stmt *stmt, int parameter, const struct run *run)
{
	size_t count = run->npairs < RUN_PAIRS_MAX ? run->npairs : RUN_PAIRS_MAX;
	const struct run_pair *pairs = run->pairs + (run->npairs - count);
	unsigned char *bytes = memory_bytes(count * 2 * BYTES_MAX + 1), *to = bytes;

	EACH_ROW(pair, pairs, count)
		to = pack(pair->service_ns, pack(pair->gap_ns, to));
	return sqlite3_bind_blob64(stmt, parameter, bytes, (sqlite3_uint64)(to - bytes), free);
}

/* Reads the pairs of a BLOB; ignores an incomplete one at the end. */
static void read_pairs(sqlite3_stmt *stmt, int result, struct run *run)
{
	const unsigned char *from = sqlite3_column_blob(stmt, result);
	const unsigned char *end = from + (from ? sqlite3_column_bytes(stmt, result) : 0);
	size_t most = (size_t)(end - from) / 2;

	free(run->pairs);
	run->npairs = 0;
	most = most < RUN_PAIRS_MAX ? most : RUN_PAIRS_MAX;
	run->pairs = memory_rows(most, sizeof *run->pairs);
	while (from && run->npairs < most) {
		struct run_pair *pair = &run->pairs[run->npairs];

		from = unpack(from, end, &pair->gap_ns);
		from = from ? unpack(from, end, &pair->service_ns) : NULL;
		run->npairs += from != NULL;
	}
}

/* Binds a field of `row` to the statement's parameter; returns a SQLite result code. */
static int bind_value(sqlite3_stmt *stmt, int parameter, const struct field *column,
		      const void *row)
{
	const void *field = (const char *)row + column->offset;
	unsigned int code;
	double real;

	switch (column->type) {
	case FIELD_INT:
		return sqlite3_bind_int(stmt, parameter, *(const int *)field);
	case FIELD_INT64:
		return sqlite3_bind_int64(stmt, parameter, *(const int64_t *)field);
	case FIELD_COUNT:
		return sqlite3_bind_int64(stmt, parameter, (int64_t) * (const uint64_t *)field);
	case FIELD_REAL:
		real = *(const double *)field;
		return isnan(real) ? sqlite3_bind_null(stmt, parameter)
				   : sqlite3_bind_double(stmt, parameter, real);
	case FIELD_CHAR:
	case FIELD_CHARS:
		return bind_bytes(stmt, parameter, field, strnlen(field, column->size));
	case FIELD_STRING:
		return value_bind_text(stmt, parameter, *(char *const *)field);
	case FIELD_CODE:
		code = *(const enum run_code *)field;
		return value_bind_text(
			stmt, parameter,
			run_code_names[code < RUN_CODE_COUNT ? code : RUN_CODE_OTHER]);
	case FIELD_PAIRS:
		return bind_pairs(stmt, parameter, row);
	case FIELD_HISTOGRAM:
		return bind_histogram(stmt, parameter, *(struct histogram *const *)field);
	default:
		return SQLITE_MISUSE;
	}
}

/* Returns the bytes of a text or BLOB as a string, owned by the statement. */
static const char *read_bytes(sqlite3_stmt *stmt, int result)
{
	const char *bytes = (const char *)sqlite3_column_text(stmt, result);

	return bytes ? bytes : "";
}

const char *value_read_text(sqlite3_stmt *stmt, int result)
{
	return string_pooled(read_bytes(stmt, result));
}

/* Reads "bucket:calls ..."; ignores words that are something else. */
static struct histogram *read_histogram(const char *text)
{
	uint64_t calls[RUN_HISTOGRAM_BUCKETS] = {0};

	while (*text) {
		const char *start = text;
		unsigned int bucket = 0;
		uint64_t number = 0;

		while (isdigit((unsigned char)*text) && bucket < RUN_HISTOGRAM_BUCKETS)
			bucket = bucket * 10 + (unsigned int)(*text++ - '0');
		if (text > start && *text == ':' && bucket < RUN_HISTOGRAM_BUCKETS) {
			while (isdigit((unsigned char)*++text))
				number = number * 10 + (uint64_t)(*text - '0');
			calls[bucket] += number;
		}
		while (*text && *text++ != ' ')
			;
	}
	return histogram_of(calls);
}

static void read_value(sqlite3_stmt *stmt, int result, const struct field *column, void *row)
{
	void *field = (char *)row + column->offset;
	const char *text;
	int64_t whole;

	switch (column->type) {
	case FIELD_INT:
		whole = sqlite3_column_int64(stmt, result);
		*(int *)field = whole < INT_MIN ? INT_MIN : whole > INT_MAX ? INT_MAX : (int)whole;
		break;
	case FIELD_INT64:
		*(int64_t *)field = sqlite3_column_int64(stmt, result);
		break;
	case FIELD_COUNT:
		*(uint64_t *)field = (uint64_t)sqlite3_column_int64(stmt, result);
		break;
	case FIELD_REAL:
		*(double *)field = sqlite3_column_type(stmt, result) == SQLITE_NULL
					   ? NAN
					   : sqlite3_column_double(stmt, result);
		break;
	case FIELD_CHAR:
		*(char *)field = *read_bytes(stmt, result);
		break;
	case FIELD_CHARS:
		strncpy(field, read_bytes(stmt, result), column->size);
		((char *)field)[column->size - 1] = '\0';
		break;
	case FIELD_STRING:
		*(const char **)field = value_read_text(stmt, result);
		break;
	case FIELD_PAIRS:
		read_pairs(stmt, result, row);
		break;
	case FIELD_CODE:
		*(enum run_code *)field = RUN_CODE_OTHER;
		text = read_bytes(stmt, result);
		for (int code = 0; code < RUN_CODE_COUNT; code++)
			if (!strcmp(run_code_names[code], text))
				*(enum run_code *)field = code;
		break;
	case FIELD_HISTOGRAM:
		free(*(struct histogram **)field);
		*(struct histogram **)field = read_histogram(read_bytes(stmt, result));
		break;
	default:
		break;
	}
}

int row_insert(sqlite3_stmt *stmt, int at, const struct table *table, const void *row)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; i < table->nfields && !rc; i++)
		rc = bind_value(stmt, at++, &table->fields[i], row);
	rc = rc ? rc : sqlite3_step(stmt);
	sqlite3_reset(stmt);
	return rc == SQLITE_DONE ? 0 : -1;
}

void row_read(sqlite3_stmt *stmt, const struct table *table, void *row)
{
	for (size_t i = 0; i < table->nfields; i++)
		read_value(stmt, (int)i, &table->fields[i], row);
}
