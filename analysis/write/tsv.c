/* tsv.c: writes one table as tab-separated values and as a table of a Markdown page. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/columns.h"
#include "write/csv.h"
#include "write/escape.h"
#include "write/format.h"
#include "write/view.h"

/* How a table looks in one of the two formats. */
struct look {
	const char *begin, *between, *end; /* of a row */
	const char *rule;		   /* between the heading's ends of a column; NULL: none */
	int guard;			   /* 1: a text must not be taken for a formula */
	const char *marks;		   /* characters that take a backslash before them */
};

static void write_text(const char *text, const struct look *look, FILE *out)
{
	char one[ESCAPE_MAX];

	if (look->guard && csv_looks_like_formula(text))
		fputc('\'', out);
	while (*text) {
		if (strchr(look->marks, *text))
			fputc('\\', out);
		text += escape_character(text, "", one);
		fputs(one, out);
	}
}

static void write_cell(const struct report_column *column, const void *row, const struct look *look,
		       FILE *out)
{
	const char *text = column_text(column, row);
	char number[512];

	if (text) {
		write_text(text, look, out);
		return;
	}
	column_number(column, row, number, sizeof number);
	fputs(number, out);
}

static void write_heading(const struct report_table *table, int marked, const struct look *look,
			  FILE *out)
{
	for (size_t i = 0; i < table->ncolumns; i++)
		fprintf(out, "%s%s", i ? look->between : look->begin, table->columns[i].name);
	if (marked)
		fprintf(out, "%s" WHAT_IF_COLUMN, look->between);
	fputs(look->end, out);
	if (!look->rule)
		return;
	for (size_t i = 0; i < table->ncolumns; i++)
		fprintf(out, "%s%s%s", i ? look->between : look->begin, look->rule,
			column_is_text(&table->columns[i]) ? "" : ":");
	if (marked)
		fprintf(out, "%s%s", look->between, look->rule);
	fputs(look->end, out);
}

static int write_table(const struct report *report, const char *name, const struct look *look,
		       FILE *out)
{
	const struct report_table *table = view_table(report, name);
	int marked = report_table_is_marked(report, table);

	write_heading(table, marked, look, out);
	for (size_t row = 0; row < report_table_rows(report, table) && !ferror(out); row++) {
		for (size_t i = 0; i < table->ncolumns; i++) {
			fputs(i ? look->between : look->begin, out);
			write_cell(&table->columns[i], report_table_row(report, table, row), look,
				   out);
		}
		if (marked) {
			fputs(look->between, out);
			write_text(report->what_if, look, out);
		}
		fputs(look->end, out);
	}
	return 0;
}

int tsv_write(const struct report *report, const char *table, FILE *out, struct error *err)
{
	static const struct look look = {"", "\t", "\n", NULL, 1, ""};

	(void)err;
	return write_table(report, table, &look, out);
}

int markdown_write(const struct report *report, const char *table, FILE *out, struct error *err)
{
	static const struct look look = {"| ", " | ", " |\n", "---", 0, "|<&`*_~$[\\"};

	(void)err;
	return write_table(report, table, &look, out);
}
