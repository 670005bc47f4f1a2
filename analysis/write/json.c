/* json.c: writes all tables of the report as one JSON object (report.schema.json). */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "report/columns.h"
#include "write/escape.h"
#include "write/format.h"
#include "write/json.h"

/* Doubles hold every whole number up to here. */
#define WHOLE_MAX 9007199254740992.0

static json_t *text_json(const char *text)
{
	char *safe = escape_copy(text, "\t\r\n");
	json_t *json = safe ? json_string(safe) : NULL;

	free(safe);
	return json;
}

int json_text(const char *text, FILE *out)
{
	json_t *json = text_json(text);

	if (!json)
		return -1;
	json_dumpf(json, out, JSON_ENCODE_ANY);
	json_decref(json);
	return 0;
}

static json_t *number_json(const struct field *column, const void *row)
{
	double value = column_value(column, row);

	if (!isfinite(value))
		return json_null();
	if (value == trunc(value) && fabs(value) <= WHOLE_MAX)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static json_t *row_json(const struct field *columns, size_t ncolumns, const void *row)
{
	json_t *object = json_object();

	for (size_t i = 0; object && i < ncolumns; i++) {
		const struct field *column = &columns[i];
		const char *text = column_text(column, row);

		if (json_object_set_new(object, column->name,
					text ? text_json(text) : number_json(column, row))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *table_json(const struct report *report, const struct table *table)
{
	json_t *rows = json_array();

	for (size_t i = 0; rows && i < table_count(table, report); i++) {
		json_t *row = row_json(table->fields, table->nfields, table_row(table, report, i));

		if (json_array_append_new(rows, row)) {
			json_decref(rows);
			return NULL;
		}
	}
	return rows;
}

int json_write_rows(const struct field *columns, size_t ncolumns, const void *rows, size_t row_size,
		    size_t count, FILE *out)
{
	json_t *list = json_array();
	int failed = !list;

	for (size_t i = 0; !failed && i < count; i++)
		failed = json_array_append_new(
			list, row_json(columns, ncolumns, (const char *)rows + i * row_size));
	if (!failed) {
		json_dumpf(list, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
		fputc('\n', out);
	}
	json_decref(list);
	return failed ? -1 : 0;
}

static json_t *tables_json(const struct report *report)
{
	json_t *tables = json_object();

	for (size_t i = 0; tables && i < REPORT_TABLES; i++)
		if (json_object_set_new(tables, report_tables[i].name,
					table_json(report, &report_tables[i]))) {
			json_decref(tables);
			return NULL;
		}
	return tables;
}

json_t *json_report(const struct report *report)
{
	char verdict[REPORT_VERDICT_MAX];

	return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:s, s:o}", "format", "blasprof report",
			 "version", 1, "experiment", text_json(report->experiment), "command",
			 text_json(report->command), "work_unit", text_json(report->work_unit),
			 "what_if", text_json(report->what_if), "verdict",
			 report_verdict(report, verdict), "tables", tables_json(report));
}

int json_write(const struct report *report, const char *table, FILE *out, struct error *err)
{
	json_t *json = json_report(report);
	int failed;

	if (!json)
		return error_out_of_memory(err);
	failed = json_dumpf(json, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	json_decref(json);
	if (!failed)
		fputc('\n', out);
	return 0; /* what `out` did not take is found by report_write() */
}
