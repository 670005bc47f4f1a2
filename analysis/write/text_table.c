/* text_table.c: tables of text, whose columns are described by rows. */
/* SPDX-License-Identifier: MIT */
#include "write/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "write/text_line.h"

int text_has_category(const struct report *report, int category)
{
	if (!time_categories[category].is_optional)
		return 1;
	EACH_ROW(row, report->rows, report->nrows)
		if (row->account.category_ns[category] > 0)
			return 1;
	return 0;
}

static const char *number_text(enum form form, double value)
{
	switch (form) {
	case AS_SHARE:
		return human_share(value);
	case AS_TIME:
		return human_time(value);
	case AS_COUNT:
		return human_count(value);
	case AS_FIGURES:
		return human_figures(value);
	case AS_NUMBER:
		return human_number(value);
	default:
		if (form == AS_CHANGE && value > 9.995)
			return string_printf("x%.3g", 1 + value);
		if (!isfinite(value))
			return "-";
		return form == AS_CHANGE
			       ? string_printf("%+.1f%%", 100 * value)
			       : string_printf("%.*f", form == AS_FRACTION ? 3 : 0, value);
	}
}

const char *range_text(enum form form, double value, double low, double high)
{
	const char *number = number_text(form, value);

	return isfinite(low) && isfinite(high)
		       ? string_printf("%s ± %s", number, number_text(form, (high - low) / 2))
		       : number;
}

const char *estimate_text(int is_estimate, enum form form, double value, double low, double high)
{
	const char *text = range_text(form, value, low, high);

	return is_estimate && isfinite(value) ? string_printf("~%s", text) : text;
}

void text_table_begin(struct text_table *table, const struct report *report, const char *name)
{
	const struct table *from = report_table_find(name);

	table->from = from->fields;
	table->nfrom = from->nfields;
	table->report = report;
	table->data = report;
	table->ncolumns = 0;
	snprintf(table->work_rate, sizeof table->work_rate, "%.15s/s", report->work_unit);
}

static double part_share(const struct text_table *table, const struct text_column *column,
			 const void *row)
{
	double ns[PARTS], all_ns = column->split(table, row, ns);

	return ns[column->index] / all_ns;
}

static void add_part(struct text_table *table, const struct text_column *column, size_t part)
{
	table->columns[table->ncolumns++] = (struct text_column){
		.heading = part == PART_BLOCKED ? "blocked" : time_categories[part].heading,
		.form = AS_SHARE,
		.value = part_share,
		.split = column->split,
		.index = part,
	};
}

/* Adds BLAS and its blocked part, the other categories on the CPU, then those off the CPU. */
static void add_parts(struct text_table *table, const struct text_column *column)
{
	for (int off_cpu = 0; off_cpu < 2; off_cpu++)
		for (int category = 0; category < CAT_COUNT; category++) {
			if (time_categories[category].is_off_cpu != off_cpu ||
			    !text_has_category(table->report, category))
				continue;
			add_part(table, column, (size_t)category);
			if (category == CAT_BLAS)
				add_part(table, column, PART_BLOCKED);
		}
}

void text_table_add(struct text_table *table, const struct text_column *columns, size_t count)
{
	EACH_ROW(column, columns, count) {
		if (column->is_shown && !column->is_shown(table->report))
			continue;
		if (column->split)
			add_parts(table, column);
		for (size_t i = 0; column->each_category && i < CAT_COUNT; i++)
			if (text_has_category(table->report, (int)i)) {
				table->columns[table->ncolumns] = *column;
				table->columns[table->ncolumns].heading = time_categories[i].label;
				table->columns[table->ncolumns++].index = i;
			}
		if (!column->split && !column->each_category)
			table->columns[table->ncolumns++] = *column;
	}
}

static const struct field *find_column(const struct text_table *table, const char *name,
				       const char *end)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < table->nfrom; i++)
		if (!strncmp(table->from[i].name, name, length) &&
		    !strcmp(table->from[i].name + length, end))
			return &table->from[i];
	return NULL;
}

/* The value without the rounding to whole numbers that column_value() does. */
static double exact_value(const struct field *column, const void *row)
{
	if (column->type == FIELD_WHOLE || column->type == FIELD_REAL)
		return *(const double *)((const char *)row + column->offset);
	return column_value(column, row);
}

/* An end of the column's interval: that of NAME is in NAME_low and NAME_high. */
static double range_end(const struct text_table *table, const struct text_column *column,
			const char *end, const void *row)
{
	return column->with_range ? exact_value(find_column(table, column->column, end), row) : NAN;
}

static void add_cell(const struct text_table *table, const struct text_column *column,
		     const void *row, struct grid *grid)
{
	const struct field *field = column->column ? find_column(table, column->column, "") : NULL;
	const char *text = column->text ? column->text(table, column, row)
			   : field	? column_text(field, row)
					: NULL;

	if (!text) {
		double value =
			column->value ? column->value(table, column, row) : exact_value(field, row);
		int is_estimate = column->with_mark &&
				  column_value(find_column(table, "f_estimated", ""), row) != 0;

		text = estimate_text(is_estimate, column->form, value,
				     range_end(table, column, "_low", row),
				     range_end(table, column, "_high", row));
	}
	grid_add(grid, column->form == AS_NAME && !*text ? "-" : text, (size_t)column->width);
}

void text_table_print(const struct text_table *table, const void *const *rows, size_t count,
		      FILE *out)
{
	char align[GRID_COLUMNS + 1] = "";
	struct grid grid = {.align = align};

	for (size_t i = 0; i < table->ncolumns; i++) {
		const struct text_column *column = &table->columns[i];

		align[i] = column->form <= AS_NAME ? 'l' : 'r';
		grid_add(&grid, column->heading ? column->heading : table->work_rate, 0);
	}
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < table->ncolumns; j++)
			add_cell(table, &table->columns[j], rows[i], &grid);
	grid_print(&grid, out);
}

void text_table_print_array(const struct text_table *table, const void *rows, size_t row_size,
			    size_t count, FILE *out)
{
	const void **pointers = memory_rows(count, sizeof *pointers);

	for (size_t i = 0; i < count; i++)
		pointers[i] = (const char *)rows + i * row_size;
	text_table_print(table, pointers, count, out);
	free(pointers);
}

/* The thread count of a row: the first column of every table that has one. */
static int row_threads(const struct table *table, const void *row)
{
	return *(const int *)((const char *)row + table->fields[0].offset);
}

void text_section_write(const struct report *report, const struct text_section *section, FILE *out)
{
	struct table from = *report_table_find(section->table);
	int threads = text_threads(report);
	size_t count, found = 0, shown, same = 0; /* earlier rows at the same thread count */
	struct text_table table;
	const void **rows;

	if (section->applies && !section->applies(report))
		return;
	if (section->count) {
		from.rows = section->rows;
		from.count = section->count;
	}
	count = table_count(&from, report);
	rows = memory_rows(count, sizeof *rows);
	for (size_t i = 0; i < count; i++) {
		const void *row = table_row(&from, report, i);

		same = i && row_threads(&from, row) ==
					       row_threads(&from, table_row(&from, report, i - 1))
			       ? same + 1
			       : 0;
		if (section->most_each && same >= text_limit(report, count))
			continue;
		if ((section->all_threads || row_threads(&from, row) == threads) &&
		    (!section->is_shown || section->is_shown(row)))
			rows[found++] = row;
	}
	shown = section->most ? section->most : text_limit(report, found);
	shown = shown < found ? shown : found;
	if (found) {
		if (section->title)
			text_title(out, "%s at %s: %zu of %zu%s", section->title,
				   human_noun(threads, "thread"), shown, found, section->after);
		if (section->says && !section->title)
			fputs("\n", out);
		if (section->says)
			text_wrap("", section->says, out);
		if (section->write_head)
			section->write_head(report, shown, found, out);
		text_table_begin(&table, report, section->table);
		text_table_add(&table, section->columns, section->ncolumns);
		text_table_print(&table, rows, shown, out);
	}
	free(rows);
}
