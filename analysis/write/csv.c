/* csv.c: writes one table as comma-separated values (RFC 4180). */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/columns.h"
#include "write/csv.h"
#include "write/escape.h"
#include "write/format.h"
#include "write/view.h"

int csv_looks_like_formula(const char *text)
{
	return *text && strchr("=+-@\t\r", *text);
}

static void write_text(const char *text, FILE *out)
{
	int formula = csv_looks_like_formula(text);
	int quoted = strpbrk(text, ",\"\r\n") != NULL;
	char one[ESCAPE_MAX];

	if (quoted)
		fputc('"', out);
	if (formula)
		fputc('\'', out);
	while (*text) {
		text += escape_character(text, "\t\r\n", one);
		fputs(one, out);
		if (*one == '"')
			fputc('"', out);
	}
	if (quoted)
		fputc('"', out);
}

static void write_value(const struct report_column *column, const void *row, FILE *out)
{
	const char *text = column_text(column, row);
	char number[512];

	if (text) {
		write_text(text, out);
		return;
	}
	column_number(column, row, number, sizeof number);
	fputs(number, out);
}

static void write_heading(const struct report_column *columns, size_t ncolumns, FILE *out)
{
	for (size_t i = 0; i < ncolumns; i++)
		fprintf(out, "%s%s", i ? "," : "", columns[i].name);
}

static void write_row(const struct report_column *columns, size_t ncolumns, const void *row,
		      FILE *out)
{
	for (size_t i = 0; i < ncolumns; i++) {
		if (i)
			fputc(',', out);
		write_value(&columns[i], row, out);
	}
}

int csv_write_rows(const struct report_column *columns, size_t ncolumns, const void *rows,
		   size_t row_size, size_t count, FILE *out)
{
	write_heading(columns, ncolumns, out);
	fputs("\r\n", out);
	for (size_t row = 0; row < count && !ferror(out); row++) {
		write_row(columns, ncolumns, (const char *)rows + row * row_size, out);
		fputs("\r\n", out);
	}
	return 0;
}

/* A table of runs under a what-if has the mark in a column of its own. */
static void write_marked(const struct report *report, const struct report_table *table, FILE *out)
{
	write_heading(table->columns, table->ncolumns, out);
	fputs("," WHAT_IF_COLUMN "\r\n", out);
	for (size_t row = 0; row < report_table_rows(report, table) && !ferror(out); row++) {
		write_row(table->columns, table->ncolumns, report_table_row(report, table, row),
			  out);
		fputc(',', out);
		write_text(report->what_if, out);
		fputs("\r\n", out);
	}
}

int csv_write(const struct report *report, const char *table_name, FILE *out, struct error *err)
{
	const struct report_table *table = view_table(report, table_name);

	(void)err;
	if (report_table_is_marked(report, table))
		write_marked(report, table, out);
	else
		csv_write_rows(table->columns, table->ncolumns, report_table_row(report, table, 0),
			       table->row_size, report_table_rows(report, table), out);
	return 0;
}
