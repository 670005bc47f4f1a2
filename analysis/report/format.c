/* format.c: the formats that a report can be written in. */
/* SPDX-License-Identifier: MIT */
#include "report/format.h"

#include <errno.h>
#include <string.h>

#include "report/c_locale.h"
#include "report/columns.h"
#include "report/escape.h"

static int write_text(const struct report *report, const char *table, FILE *out, struct error *err)
{
	struct safe_text safe;
	int failed;

	if (!safe_begin(&safe))
		return error_out_of_memory(err);
	failed = text_write(report, table, safe.file, err);
	return safe_end(&safe, out) ? error_out_of_memory(err) : failed;
}

const struct report_format report_formats[] = {
	{"text", "the whole report for people", 0, 0, write_text},
	{"csv", "one table with a header, comma-separated (RFC 4180)", 1, 0, csv_write},
	{"tsv", "one table with a header, tab-separated", 1, 0, tsv_write},
	{"markdown", "one table for a page in Markdown", 1, 0, markdown_write},
	{"json", "all tables in one object", 0, 0, json_write},
	{"xlsx", "a workbook: a sheet for each table, a chart, formulas", 0, 1, xlsx_write},
};
const size_t report_formats_count = sizeof report_formats / sizeof report_formats[0];

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; i < report_formats_count; i++)
		if (!strcmp(report_formats[i].name, name))
			return &report_formats[i];
	return NULL;
}

static int no_table(const char *table, struct error *err)
{
	char remedy[sizeof err->remedy] = "choose one of:";

	for (size_t i = 0; i < report_tables_count; i++)
		snprintf(remedy + strlen(remedy), sizeof remedy - strlen(remedy), "%s %s",
			 i ? "," : "", report_tables[i].name);
	return error_set(err, remedy, "there is no table '%s'", table);
}

int report_write(const struct report *report, const struct report_format *format, const char *table,
		 FILE *out, struct error *err)
{
	struct c_locale locale;
	int result;

	if (format->by_table && !report_table_find(table))
		return no_table(table, err);
	errno = 0;
	c_locale_enter(&locale);
	result = format->write(report, table, out, err);
	c_locale_leave(&locale);
	if (result)
		return result;
	if (fflush(out) || ferror(out))
		return error_set(err, "make room, or write the report to another file",
				 "cannot write the report: %s",
				 errno ? strerror(errno) : "output error");
	return 0;
}
