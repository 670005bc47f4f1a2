/* xlsx_looks.c: how the workbook's cells look: their formats, and columns as wide as what is in
 * them. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "write/escape.h"
#include "write/xlsx.h"

#define NARROWEST   8
#define BUTTON	    4	/* characters that a filter's button takes of a heading */
#define LINE_POINTS 15	/* of a line's height */
#define WIDER	    115 /* %: letters are wider in some programs than in others */
#define PROSE_LINES 8	/* longer than that is no sentence, but a stack or a bad name */

static void set_looks(const struct xlsx_book *book)
{
	format_set_bold(book->bold);
	format_set_bold(book->heading);
	format_set_align(book->heading, LXW_ALIGN_RIGHT);
	format_set_bold(book->text_heading);
	format_set_indent(book->text_heading, 1);
	format_set_bold(book->verdict);
	format_set_font_size(book->verdict, 13);
	format_set_text_wrap(book->verdict);
	format_set_align(book->verdict, LXW_ALIGN_VERTICAL_TOP);
	format_set_indent(book->text, 1); /* apart from the number on its left */
	format_set_align(book->text, LXW_ALIGN_VERTICAL_TOP);
	format_set_indent(book->prose, 1);
	format_set_text_wrap(book->prose);
	format_set_align(book->prose, LXW_ALIGN_VERTICAL_TOP);
	format_set_num_format(book->whole, "0");
	format_set_align(book->whole, LXW_ALIGN_VERTICAL_TOP);
	format_set_num_format(book->real, "0.000");
	format_set_align(book->real, LXW_ALIGN_VERTICAL_TOP);
	format_set_num_format(book->percent, "0.0%");
}

int xlsx_add_formats(struct xlsx_book *book)
{
	lxw_format **const formats[] = {&book->bold,	&book->heading, &book->text_heading,
					&book->verdict, &book->prose,	&book->text,
					&book->whole,	&book->real,	&book->percent};

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		*formats[i] = workbook_add_format(book->workbook);
		if (!*formats[i])
			return -1;
	}
	set_looks(book);
	return 0;
}

int xlsx_is_prose(const char *text)
{
	size_t length = strlen(text);

	return length > XLSX_TEXT_WIDTH && length <= PROSE_LINES * XLSX_TEXT_WIDTH &&
	       strchr(text, ' ') != NULL;
}

/* Lines that a text takes in the widest column; words are broken early. */
static size_t text_lines(const char *text)
{
	return xlsx_is_prose(text) ? text_width(text) / (XLSX_TEXT_WIDTH - 8) + 1 : 1;
}

void xlsx_set_height(const struct xlsx_book *book, lxw_worksheet *sheet,
		     const struct report_table *table, size_t row)
{
	const void *data = report_table_row(book->report, table, row);
	size_t lines = 1;

	for (size_t i = 0; i < table->ncolumns; i++) {
		const char *text = column_text(&table->columns[i], data);

		if (text && text_lines(text) > lines)
			lines = text_lines(text);
	}
	if (lines > 1)
		worksheet_set_row(sheet, (lxw_row_t)row + 1, (double)lines * LINE_POINTS, NULL);
}

/* Characters that the cell shows. */
static size_t cell_width(const struct report_column *column, const void *row)
{
	const char *text = column_text(column, row);
	double value = column_value(column, row);
	int digits;

	if (text)
		return text_width(text) * WIDER / 100 + 2;
	digits = isfinite(value)
			 ? snprintf(NULL, 0, column->type == VALUE_REAL ? "%.3f" : "%.0f", value)
			 : 0;
	return (size_t)digits * WIDER / 100 + 1;
}

size_t xlsx_column_width(const struct report *report, const struct report_table *table, size_t at)
{
	const struct report_column *column = &table->columns[at];
	size_t rows = report_table_rows(report, table), width = strlen(column->name) + BUTTON;

	for (size_t row = 0; row < rows; row++) {
		size_t wanted = cell_width(column, report_table_row(report, table, row));

		width = wanted > width ? wanted : width;
	}
	if (column_is_text(column) && width > XLSX_TEXT_WIDTH)
		return XLSX_TEXT_WIDTH;
	return width > NARROWEST ? width : NARROWEST;
}
