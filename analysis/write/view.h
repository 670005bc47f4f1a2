/* view.h: one table as a user wants it: which columns, in which order of rows. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "report/columns.h"

#define VIEW_COLUMNS 64

/* What `--by NAME` shows. */
struct view_by {
	const char *name;    /* "thread" */
	const char *table;   /* "run-threads" */
	const char *columns; /* separated by commas */
	const char *sort;    /* NULL: as the table is */
	const char *doc;     /* one line */
};
extern const struct view_by view_bys[];
extern const size_t view_bys_count;

struct view {
	struct table table; /* its columns are those below, or all of them */
	struct field columns[VIEW_COLUMNS];
	const struct field *sort; /* NULL: as the table is */
	int chosen;		  /* 1: the columns were chosen; else empty ones may go */
};

/* What is wanted; NULL: nothing said. */
struct view_choice {
	const char *by, *table, *columns, *sort;
};

/* 0, or -1 with *err, whose remedy has the nearest names: no such table, column or kind. */
int view_make(struct view *view, const struct view_choice *wanted, struct error *err);
/* Sorts the report's rows as options.view wants them: numbers with the largest first, texts by
 * their bytes, what does not exist last. */
void view_sort(struct report *report);
/* The table of options.view, else the one of that name (report_table_find()). */
const struct table *view_table(const struct report *report, const char *name);

/* Writes the table of options.view for people. */
void text_view(const struct report *report, FILE *out);

#endif
