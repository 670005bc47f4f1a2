/* xlsx.h: the parts of the workbook. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_XLSX_H
#define REPORT_XLSX_H

#include <xlsxwriter.h>

#include "report/columns.h"

struct xlsx_book {
	lxw_workbook *workbook;
	lxw_format *bold, *heading /* of numbers */, *text_heading, *verdict;
	lxw_format *text, *prose /* on several lines */, *whole, *real, *percent;
	const struct report *report;
};

/* Room for a sheet's name, or for the place of one cell in another sheet. */
#define XLSX_NAME_MAX	48

/* Characters: the widest column of texts, and what can be read on one page when it is printed. */
#define XLSX_TEXT_WIDTH 60
#define XLSX_PAGE_WIDTH 165

/* The name of the sheet that holds a table: "Thread counts" for "threads"; returns name[]. */
const char *xlsx_sheet_name(const struct report_table *table, char name[XLSX_NAME_MAX]);
/* Where the sheet of a table has a column's figure for row `row`, from 0: "'Thread counts'!$D$2";
 * returns place[]. */
const char *xlsx_place(const char *table, const char *column, size_t row,
		       char place[XLSX_NAME_MAX]);
/* Prints lengthways, as wide as a page. */
void xlsx_set_page(lxw_worksheet *sheet);
/* A number, or an empty cell for NAN. */
void xlsx_number(lxw_worksheet *sheet, size_t row, size_t column, double value, lxw_format *format);

/* xlsx_looks.c: the formats of the book; 0, or -1 when memory is out. */
int xlsx_add_formats(struct xlsx_book *book);
/* A sentence that does not fit a column: it goes on on the next line of its cell. */
int xlsx_is_prose(const char *text);
/* Makes row `row`, from 0, of a table as high as its longest text: not every program does so by
 * itself. */
void xlsx_set_height(const struct xlsx_book *book, lxw_worksheet *sheet,
		     const struct report_table *table, size_t row);
/* Characters that a table's column needs, with its heading. */
size_t xlsx_column_width(const struct report *report, const struct report_table *table, size_t at);

/* xlsx_chart.c: the sheet of measured and predicted speed-ups, with its chart. Does nothing without
 * a thread count. */
void xlsx_speedup(const struct xlsx_book *book);

#endif
