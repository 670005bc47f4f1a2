/* columns.c: the tables of a report and their columns. */
/* SPDX-License-Identifier: MIT */
#include "report/columns.h"

#include <math.h>
#include <string.h>

#include "base/array.h"

#define FIELD_CHARS(size)	     FIELD_CHARS
#define FIELD_WORD		     FIELD_CHARS()
#define FIELD_LINE		     FIELD_CHARS()

#define TABLE(array, id, name, doc)  static const struct field array##_columns[] = {
#define FIELD(name, type, unit, doc) COLUMN(#name, name, type, unit, doc)
#define MERGED(name, type, unit, merge, doc)                                                       \
	TABLE_FIELD(ROW, #name, name, FIELD_##type, MERGE_##merge, unit, doc, 0),
#define COLUMN(name, member, type, unit, doc)                                                      \
	TABLE_FIELD(ROW, name, member, FIELD_##type, MERGE_FIRST, unit, doc, 0),
#define END                                                                                        \
	}                                                                                          \
	;
#include "report/report_tables.def"

const struct table report_tables[REPORT_TABLES] = {
#define TABLE(array, id, name, doc)                                                                \
	{name, doc, array##_columns, COUNT(array##_columns), TABLE_ROWS(report, array, n##array)},
#include "report/report_tables.def"
};

const struct table *report_table_find(const char *name)
{
	EACH_ROW(table, report_tables, REPORT_TABLES)
		if (!name || !strcmp(table->name, name))
			return table;
	return NULL;
}

int report_table_is_marked(const struct report *report, const struct table *table)
{
	if (!*report->what_if || !strcmp(table->name, report_tables[REPORT_CELLS].name))
		return 0;
	EACH_ROW(field, table->fields, table->nfields)
		if (!strcmp(field->name, WHAT_IF_COLUMN))
			return 0;
	return 1;
}

int column_is_text(const struct field *column)
{
	return column->type == FIELD_STRING || column->type == FIELD_CHARS ||
	       column->type == FIELD_CODE || column->type == FIELD_SEVERITY;
}

const char *column_text(const struct field *column, const void *row)
{
	const char *field = (const char *)row + column->offset;
	unsigned int code;

	switch (column->type) {
	case FIELD_CHARS:
		return field;
	case FIELD_SEVERITY:
		return severity_names[*(const enum severity *)field];
	case FIELD_CODE:
		code = *(const enum run_code *)field;
		return run_code_names[code < RUN_CODE_COUNT ? code : RUN_CODE_OTHER];
	case FIELD_STRING:
		return *(char *const *)field ? *(char *const *)field : "";
	default:
		return NULL;
	}
}

double column_value(const struct field *column, const void *row)
{
	const char *field = (const char *)row + column->offset;

	switch (column->type) {
	case FIELD_INT:
		return *(const int *)field;
	case FIELD_INT64:
		return (double)*(const int64_t *)field;
	case FIELD_COUNT:
		return (double)*(const uint64_t *)field;
	case FIELD_WHOLE:
		return isfinite(*(const double *)field) ? rint(*(const double *)field) : NAN;
	case FIELD_REAL:
		return isfinite(*(const double *)field) ? *(const double *)field : NAN;
	default:
		return NAN;
	}
}
