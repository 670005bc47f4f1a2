/* json.c: writes all tables of the report as one JSON object (report.schema.json). */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "write/escape.h"
#include "write/format.h"

/* 2^53: a double represents every whole number up to this. */
#define WHOLE_MAX 9007199254740992.0

static json_t *text_json(const char *text)
{
	char *safe = escape_copy(text, "\t\r\n");
	json_t *json = json_string(safe);

	free(safe);
	return json;
}

void json_text(const char *text, FILE *out)
{
	json_t *json = text_json(text);

	json_dumpf(json, out, JSON_ENCODE_ANY);
	json_decref(json);
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

static json_t *rows_json(const struct table *table, const void *data, int as_lists)
{
	json_t *list = json_array();

	for (size_t i = 0; i < table_count(table, data); i++) {
		const void *from = table_row(table, data, i);
		json_t *row = as_lists ? json_array() : json_object();

		EACH_ROW(column, table->fields, table->nfields) {
			const char *text = column_text(column, from);
			json_t *value = text ? text_json(text) : number_json(column, from);

			if (as_lists)
				json_array_append_new(row, value);
			else
				json_object_set_new(row, column->name, value);
		}
		json_array_append_new(list, row);
	}
	return list;
}

static void write_json(json_t *json, FILE *out)
{
	json_dumpf(json, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	json_decref(json);
	fputc('\n', out);
}

void json_write_rows(const struct table *table, const void *data, FILE *out)
{
	write_json(rows_json(table, data, 0), out);
}

json_t *json_report(const struct report *report, int as_lists)
{
	const struct model *chosen = model_chosen(&report->scaling.input);
	json_t *tables = json_object();

	EACH_ROW(table, report_tables, REPORT_TABLES)
		json_object_set_new(tables, table->name, rows_json(table, report, as_lists));
	return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "format",
			 "blasprof report", "version", 1, "experiment",
			 text_json(report->experiment), "command", text_json(report->command),
			 "work_unit", text_json(report->work_unit), "what_if",
			 text_json(report->what_if), "verdict", text_json(report_verdict(report)),
			 "model", chosen ? chosen->name : "", "tables", tables);
}

int json_write(const struct report *report, const char *table, FILE *out, struct error *err)
{
	write_json(json_report(report, 0), out);
	return 0;
}
