/* view.c: one table with the columns and the order of rows that the user chose. */
/* SPDX-License-Identifier: MIT */
#include "write/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "write/text_line.h"
#include "write/text_table.h"

/* The columns of the categories that are time on the CPU. */
#define COLUMN_AND_COMMA(id, column, ...) #column ","
#define ON_CPU_COLUMNS                                                                             \
	CATEGORIES_BLAS(COLUMN_AND_COMMA)                                                          \
	CATEGORIES_COMPUTING(COLUMN_AND_COMMA)                                                     \
	CATEGORIES_ADDED(COLUMN_AND_COMMA) CATEGORIES_NEW(COLUMN_AND_COMMA)

const struct view_by view_bys[] = {
	{"thread", "run-threads",
	 "tid,name,role,alive_ns,blas_ns,blas_waiting_ns,other_ns,waiting_ns,preempted_ns,calls",
	 NULL, "the threads of the newest run"},
	{"shape", "shapes",
	 "threads,routine,transa,transb,m,n,k,calls,total_ns,p50_ns,p95_ns,gflops", "total_ns",
	 "routines with their arguments"},
	{"caller", "callers", "threads,function,object,file,line,routine,calls,total_ns,share",
	 "total_ns", "the functions that call BLAS"},
	{"cell", CELLS_TABLE,
	 "category,kernel,m,n,k,threads,cache,median_ns,gflops,gbytes_per_s,share_of_peak", NULL,
	 "what workloads/ceilings measured"},
	{"region", "regions",
	 "threads,region,entries,share,f,blas_ns,other_ns,waiting_ns,preempted_ns,calls,gflops",
	 "share", "what the program marked"},
	{"wait", "waits", "threads,region,kind,function,caller,waits,total_ns,longest_ns,share",
	 "share", "what threads waited on, and in which region"},
	{"process", "processes",
	 "process,command,callers,alive_ns," ON_CPU_COLUMNS "waiting_share,preempted_ns,calls",
	 NULL, "the processes of the newest run"},
	{"rank", "processes",
	 "rank,host,process,alive_ns," ON_CPU_COLUMNS "waiting_share,preempted_ns,calls", NULL,
	 "the same as ranks of an MPI job"},
};
const size_t view_bys_count = COUNT(view_bys);

/* Finds the column called by the first `length` bytes of `name`. */
static const struct field *find_column(const struct table *table, const char *name, size_t length,
				       struct error *err)
{
	char wanted[NEAREST_NAME_BYTES], what[80];

	snprintf(wanted, sizeof wanted, "%.*s", (int)(length < 100 ? length : 100), name);
	snprintf(what, sizeof what, "column in table %s called", table->name);
	return nearest_find(table->fields, table->nfields, sizeof *table->fields, wanted, what,
			    err);
}

static int choose_columns(struct view *view, const struct table *table, const char *list,
			  struct error *err)
{
	size_t count = 0;

	for (const char *name = list; name; name = *name ? name + 1 : NULL) {
		size_t length = strcspn(name, ",");
		const struct field *column = find_column(table, name, length, err);

		if (!column)
			return -1;
		if (count == VIEW_COLUMNS)
			return error_set(err, "name each of them once",
					 "more than %d columns are wanted", VIEW_COLUMNS);
		view->columns[count++] = *column;
		name += length;
	}
	view->table.fields = view->columns;
	view->table.nfields = count;
	view->chosen = 1;
	return 0;
}

int view_make(struct view *view, const struct view_choice *wanted, struct error *err)
{
	const struct view_by *by =
		wanted->by ? nearest_find(view_bys, view_bys_count, sizeof *view_bys, wanted->by,
					  "kind of row", err)
			   : NULL;
	const char *columns = wanted->columns ? wanted->columns : by ? by->columns : NULL;
	const char *sort = wanted->sort ? wanted->sort : by ? by->sort : NULL;
	const struct table *table;

	if (wanted->by && !by)
		return report_table_find(wanted->by)
			       ? error_set(err,
					   string_printf("print it with --table=%s", wanted->by),
					   "--by has no '%s', which is a table", wanted->by)
			       : -1;
	table = nearest_find(report_tables, REPORT_TABLES, sizeof *report_tables,
			     by ? by->table : wanted->table, "table", err);
	if (!table)
		return -1;
	memset(view, 0, sizeof *view);
	view->table = *table;
	if (columns && choose_columns(view, table, columns, err))
		return -1;
	view->sort = sort ? find_column(table, sort, strlen(sort), err) : NULL;
	return sort && !view->sort ? -1 : 0;
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct field *column = data;
	const char *text = column_text(column, left);
	double a, b;

	if (text)
		return strcmp(text, column_text(column, right));
	a = column_value(column, left);
	b = column_value(column, right);
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

void view_sort(struct report *report)
{
	const struct view *view = report->options.view;
	size_t count = view && view->sort ? table_count(&view->table, report) : 0;

	if (count)
		qsort_r(table_row(&view->table, report, 0), count, view->table.row_size,
			compare_rows, (void *)(uintptr_t)view->sort);
}

static int has_value(const struct report *report, const struct table *table,
		     const struct field *column)
{
	for (size_t i = 0; i < table_count(table, report); i++) {
		const void *row = table_row(table, report, i);
		const char *text = column_text(column, row);

		if (text ? *text : isfinite(column_value(column, row)))
			return 1;
	}
	return 0;
}

/* A path without its directories. */
TEXT_FUNCTION(path_text)
{
	return object_name(column_text(&table->from[column->index], data));
}

/* The value as in the other formats, with whole numbers rounded. */
static double plain_value(const struct text_table *table, const struct text_column *column,
			  const void *data)
{
	return column_value(&table->from[column->index], data);
}

static enum form column_form(const struct field *column)
{
	if (column_is_text(column))
		return AS_NAME;
	if (!strcmp(column->unit, "ns"))
		return AS_TIME;
	if (column->type == FIELD_INT || column->type == FIELD_INT64)
		return AS_INT;
	return column->type == FIELD_WHOLE || column->type == FIELD_COUNT || *column->unit
		       ? AS_COUNT
		       : AS_FRACTION;
}

void text_view(const struct report *report, FILE *out)
{
	const struct view *view = report->options.view;
	const struct table *from = &view->table;
	size_t count = table_count(from, report), shown = text_limit(report, count);
	struct text_table table = {.from = from->fields, .nfrom = from->nfields, .report = report};

	if (report_table_is_marked(report, from))
		text_what_if(report->what_if, out);
	text_say(out, "", "Table %s: %s: %zu of %zu rows%s", from->name, from->doc, shown, count,
		 shown < count ? " (all: --top=0)" : "");
	for (size_t i = 0; i < from->nfields && table.ncolumns < VIEW_COLUMNS; i++) {
		const struct field *column = &from->fields[i];
		int is_path = !strcmp(column->name, "object") || !strcmp(column->name, "file");

		if (view->chosen || has_value(report, from, column))
			table.columns[table.ncolumns++] = (struct text_column){
				column->name,
				column->name,
				column_form(column),
				.index = i,
				.text = is_path ? path_text : NULL,
				.value = column_is_text(column) ? NULL : plain_value};
	}
	if (shown && table.ncolumns)
		text_table_print_array(&table, table_row(from, report, 0), from->row_size, shown,
				       out);
}
