/* view.h: one table with the columns and the order of rows that the user chose. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_VIEW_H
#define WRITE_VIEW_H

#include "report/columns.h"

#define VIEW_COLUMNS 64

/* What `--by NAME` shows. */
struct view_by {
	const char *name;    /* "thread" */
	const char *table;   /* "run-threads" */
	const char *columns; /* separated by commas */
	const char *sort;    /* NULL: the table's own order */
	const char *doc;     /* one line */
};
extern const struct view_by view_bys[];
extern const size_t view_bys_count;

struct view {
	struct table table; /* its fields are `columns', or all fields of the report's table */
	struct field columns[VIEW_COLUMNS];
	const struct field *sort; /* NULL: the table's own order */
	int chosen;		  /* 1: the user chose the columns; 0: empty ones are left out */
};

/* The user's options; NULL: not given. */
struct view_choice {
	const char *by, *table, *columns, *sort;
};

/* Returns 0, or -1 with *err if there is no such table, column or kind of row; the remedy suggests
 * the nearest names. */
int view_make(struct view *view, const struct view_choice *wanted, struct error *err);
/* Sorts the report's rows by the column of options.view: the largest numbers first, texts by their
 * bytes, unknown figures last. */
void view_sort(struct report *report);

/* Writes the table of options.view as text. */
void text_view(const struct report *report, FILE *out);

#endif
