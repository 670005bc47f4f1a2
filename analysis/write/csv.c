/* csv.c: writes one table as comma-separated values (RFC 4180), tab-separated values or Markdown.
 */
/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "write/escape.h"
#include "write/format.h"
#include "write/view.h"

struct dialect {
	const char *begin, *between, *end; /* of a row */
	const char *rule;		   /* below the heading of each column; NULL: none */
	const char *quoted;		   /* a text with one of these is quoted */
	const char *kept;		   /* control characters that are not escaped */
	const char *marks;		   /* characters that need a backslash */
	int guards;			   /* 1: no text may look like a formula */
};

static const struct dialect csv = {"", ",", "\r\n", NULL, ",\"\r\n", "\t\r\n", "", 1};
static const struct dialect tsv = {"", "\t", "\n", NULL, "", "", "", 1};
static const struct dialect markdown = {"| ", " | ", " |\n", "---", "", "", "|<&`*_~$[\\", 0};

static void write_text(const char *text, const struct dialect *dialect, FILE *out)
{
	int quoted = strpbrk(text, dialect->quoted) != NULL;
	char one[ESCAPE_MAX];

	if (quoted)
		fputc('"', out);
	/* spreadsheets take such a cell for a formula, unless it begins with an apostrophe */
	if (dialect->guards && *text && strchr("=+-@\t\r", *text))
		fputc('\'', out);
	while (*text) {
		if (strchr(dialect->marks, *text))
			fputc('\\', out);
		text += escape_character(text, dialect->kept, one);
		fputs(one, out);
		if (quoted && *one == '"')
			fputc('"', out);
	}
	if (quoted)
		fputc('"', out);
}

static void write_number(const struct field *column, const void *row, FILE *out)
{
	const void *field = (const char *)row + column->offset;
	double value = column_value(column, row);

	if (column->type == FIELD_INT64)
		fprintf(out, "%" PRId64, *(const int64_t *)field);
	else if (column->type == FIELD_COUNT)
		fprintf(out, "%" PRIu64, *(const uint64_t *)field);
	else if (isfinite(value))
		fprintf(out, column->type == FIELD_REAL ? "%.15g" : "%.0f", value);
}

/* Writes the rows. If what_if is not NULL, it is the text of a last column, WHAT_IF_COLUMN. */
static void write_rows(const struct dialect *dialect, const struct table *table, const void *data,
		       const char *what_if, FILE *out)
{
	const struct field *columns = table->fields;
	size_t ncolumns = table->nfields, all = ncolumns + (what_if != NULL);

	for (size_t i = 0; i < all; i++)
		fprintf(out, "%s%s", i ? dialect->between : dialect->begin,
			i < ncolumns ? columns[i].name : WHAT_IF_COLUMN);
	fputs(dialect->end, out);
	for (size_t i = 0; dialect->rule && i < all; i++)
		fprintf(out, "%s%s%s%s", i ? dialect->between : dialect->begin, dialect->rule,
			i < ncolumns && !column_is_text(&columns[i]) ? ":" : "",
			i + 1 < all ? "" : dialect->end);
	for (size_t at = 0; at < table_count(table, data) && !ferror(out); at++) {
		const void *row = table_row(table, data, at);

		for (size_t i = 0; i < all; i++) {
			const char *text = i < ncolumns ? column_text(&columns[i], row) : what_if;

			fputs(i ? dialect->between : dialect->begin, out);
			if (text)
				write_text(text, dialect, out);
			else
				write_number(&columns[i], row, out);
		}
		fputs(dialect->end, out);
	}
}

void csv_write_rows(const struct table *table, const void *data, FILE *out)
{
	write_rows(&csv, table, data, NULL, out);
}

static int write_table(const struct report *report, const char *name, const struct dialect *dialect,
		       FILE *out)
{
	const struct view *view = report->options.view;
	const struct table *table = view ? &view->table : report_table_find(name);

	write_rows(dialect, table, report,
		   report_table_is_marked(report, table) ? report->what_if : NULL, out);
	return 0;
}

int csv_write(const struct report *report, const char *table, FILE *out, struct error *err)
{
	return write_table(report, table, &csv, out);
}

int tsv_write(const struct report *report, const char *table, FILE *out, struct error *err)
{
	return write_table(report, table, &tsv, out);
}

int markdown_write(const struct report *report, const char *table, FILE *out, struct error *err)
{
	return write_table(report, table, &markdown, out);
}
