/* format.c: the formats that a report can be written in. */
/* SPDX-License-Identifier: MIT */
#include "write/format.h"

#include <errno.h>
#include <string.h>

#include "base/c_locale.h"
#include "report/columns.h"
#include "write/escape.h"
#include "write/pictures.h"

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
	{"text", "the whole report for people", HOLDS_ALL, 0, 0, write_text},
	{"csv", "one table with a header, comma-separated (RFC 4180)", HOLDS_TABLE, 0, 1,
	 csv_write},
	{"tsv", "one table with a header, tab-separated", HOLDS_TABLE, 0, 1, tsv_write},
	{"markdown", "one table for a page in Markdown", HOLDS_TABLE, 0, 1, markdown_write},
	{"json", "all tables in one object", HOLDS_ALL, 0, 1, json_write},
	{"xlsx", "a workbook: a sheet for each table, a chart, formulas", HOLDS_ALL, 1, 1,
	 xlsx_write},
	{"html", "a page with charts and tables that needs nothing else", HOLDS_ALL, 0, 1,
	 html_write},
	{"folded", "call stacks for FlameGraph, inferno, speedscope", HOLDS_ALL, 0, 0,
	 folded_write},
	{"pprof", "call stacks for go tool pprof", HOLDS_ALL, 1, 0, pprof_write},
	{"firefox", "call stacks for the Firefox Profiler", HOLDS_ALL, 0, 0, firefox_write},
	{"chrome", "the timeline that was recorded, as trace events for Perfetto", HOLDS_ALL, 0, 0,
	 chrome_write, 1},
	{"svg", "a picture, drawn by gnuplot", HOLDS_PICTURE, 0, 1, svg_write},
	{"png", "likewise, in pixels", HOLDS_PICTURE, 1, 1, png_write},
};
const size_t report_formats_count = sizeof report_formats / sizeof report_formats[0];

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; i < report_formats_count; i++)
		if (!strcmp(report_formats[i].name, name))
			return &report_formats[i];
	return NULL;
}

static int no_part(const char *what, const char *part, const char *remedy, struct error *err)
{
	return error_set(err, remedy, "there is no %s '%s'", what, part);
}

static void add_choice(char *remedy, size_t size, size_t number, const char *name)
{
	size_t length = strlen(remedy);

	snprintf(remedy + length, size - length, "%s %s", number ? "," : "", name);
}

static int check_part(enum format_holds holds, const char *part, struct error *err)
{
	char remedy[sizeof err->remedy] = "choose one of:";

	if (holds == HOLDS_TABLE && !report_table_find(part)) {
		for (size_t i = 0; i < report_tables_count; i++)
			add_choice(remedy, sizeof remedy, i, report_tables[i].name);
		return no_part("table", part, remedy, err);
	}
	if (holds == HOLDS_PICTURE && !picture_find(part)) {
		for (size_t i = 0; i < pictures_count; i++)
			add_choice(remedy, sizeof remedy, i, pictures[i].name);
		return no_part("picture", part, remedy, err);
	}
	return 0;
}

int report_write(const struct report *report, const struct report_format *format, const char *part,
		 FILE *out, struct error *err)
{
	struct c_locale locale;
	int result;

	if (check_part(format->holds, part, err))
		return -1;
	errno = 0;
	c_locale_enter(&locale);
	result = format->write(report, part, out, err);
	c_locale_leave(&locale);
	if (result)
		return result;
	if (fflush(out) || ferror(out))
		return error_set(err, "make room, or write the report to another file",
				 "cannot write the report: %s",
				 errno ? strerror(errno) : "output error");
	return 0;
}
