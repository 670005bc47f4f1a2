/* described_run.c: runs and their changes in words, for the tests of the report. */
/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_pool.h"
#include "described_run.h"
#include "fixture.h"
#include "report/columns.h"

enum { WORD_MAX = 256, CHANGES_MAX = 4096 };

/* The rows that a statement changes. */
struct rows {
	struct run *run;
	const struct table *table; /* NULL: the run itself */
	size_t first, end;
};

/* Reads a word up to a space or the end of the statement. Returns 0 if there is none. */
static int next_word(const char **at, char word[WORD_MAX])
{
	size_t length = 0;
	int quoted = 0;

	*at += strspn(*at, " ");
	for (; **at && (quoted || !strchr(" ;", **at)); ++*at) {
		ck_assert_uint_lt(length, WORD_MAX - 1);
		if (**at == '\'')
			quoted = !quoted;
		else
			word[length++] = **at;
	}
	word[length] = '\0';
	return length > 0;
}

static const struct field *find_field(const struct rows *rows, const char *name, size_t length)
{
	const struct table *table = rows->table ? rows->table : &run_table;

	for (size_t i = 0; i < table->nfields; i++)
		if (strlen(table->fields[i].name) == length &&
		    !strncmp(table->fields[i].name, name, length))
			return &table->fields[i];
	ck_abort_msg("no field '%s'", name);
}

static void set_number(const struct field *field, char *row, double value)
{
	char *at = row + field->offset;

	if (field->type == FIELD_INT)
		*(int *)at = (int)value;
	else if (field->type == FIELD_REAL)
		*(double *)at = value;
	else
		*(int64_t *)at = llrint(value);
}

static double read_number(const struct rows *rows, const char *row, const char *text)
{
	char *unit;
	double value = strtod(text, &unit);

	if (unit == text)
		return column_value(find_field(rows, text, strlen(text)), row);
	if (!strcmp(unit, "%"))
		return value / 100 * (double)rows->run->roi_ns;
	if (!strcmp(unit, "s"))
		return value * 1e9;
	if (!strcmp(unit, "ms"))
		return value * 1e6;
	ck_assert_str_eq(unit, "");
	return value;
}

/* The assignment is "field=value"; or +=, -=, *= for numbers. */
static void assign(const struct rows *rows, char *row, const char *assignment)
{
	size_t length = strcspn(assignment, "+-*=");
	const struct field *field = find_field(rows, assignment, length);
	const char *value = assignment + length + strcspn(assignment + length, "=") + 1;
	char *at = row + field->offset;
	double number;

	switch (field->type) {
	case FIELD_CHAR:
		*at = *value;
		return;
	case FIELD_CHARS:
		ck_assert_uint_lt(strlen(value), field->size);
		strcpy(at, value);
		return;
	case FIELD_STRING:
		*(const char **)at = string_pooled(value);
		return;
	case FIELD_CODE:
		for (enum run_code code = 0; code < RUN_CODE_COUNT; code++)
			if (!strcmp(run_code_names[code], value)) {
				*(enum run_code *)at = code;
				return;
			}
		ck_abort_msg("no code '%s'", value);
	default:
		number = read_number(rows, row, value);
	}
	if (assignment[length] == '+')
		number = column_value(field, row) + number;
	if (assignment[length] == '-')
		number = column_value(field, row) - number;
	if (assignment[length] == '*')
		number = column_value(field, row) * number;
	set_number(field, row, number);
}

/* A new row has what most of the tests want. */
static void add_row(struct run *run, enum run_part part, int64_t tid)
{
	struct run_thread *thread;
	struct run_stack *stack;
	struct run_frame *frame;

	switch (part) {
	case RUN_PART_THREADS:
		thread = run_add_thread(run);
		thread->pid = 100;
		thread->tid = 99 + (int64_t)run->nthreads;
		thread->end_ns = run->roi_ns;
		break;
	case RUN_PART_FUNCTIONS:
		fixture_function(run, "", "/home/u/train")->code = RUN_CODE_OTHER;
		break;
	case RUN_PART_FRAMES:
		frame = table_add(&run_tables[part], run);
		frame->object = "/home/u/train";
		frame->code = RUN_CODE_OTHER;
		break;
	case RUN_PART_STACKS:
		stack = table_add(&run_tables[part], run);
		stack->parent = -1;
		stack->frame = (int64_t)run->nframes - 1;
		stack->whole = 1;
		break;
	case RUN_PART_WAITS:
		fixture_wait(run, tid, "", 0);
		break;
	default:
		table_add(&run_tables[part], run);
	}
}

/* Finds the rows that the first word of a statement names, and adds new ones. */
static struct rows find_rows(struct run *run, const char *name, int each)
{
	struct rows rows = {.run = run};
	int is_new = *name == '+';
	size_t length = strcspn(name += is_new, "["), count = each ? run->nthreads : 1;
	enum run_part part = 0;

	while (strlen(run_tables[part].name) != length ||
	       strncmp(run_tables[part].name, name, length) != 0)
		ck_assert_msg(++part < RUN_PART_COUNT, "no table '%s'", name);
	rows.table = &run_tables[part];
	rows.end = table_count(rows.table, run);
	if (is_new) {
		rows.first = rows.end;
		for (size_t i = 0; i < count; i++)
			add_row(run, part, run->threads[i].tid);
		rows.end += count;
	} else if (name[length]) {
		rows.first = strtoul(name + length + 1, NULL, 10);
		ck_assert_uint_lt(rows.first, rows.end);
		rows.end = rows.first + 1;
	}
	return rows;
}

static void change(struct run *run, const char **at)
{
	struct rows rows = {.run = run, .end = 1};
	const char *start = *at;
	char word[WORD_MAX];

	if (next_word(at, word) && strchr(word, '=')) {
		*at = start;
	} else if (*word) {
		const char *after = *at + strspn(*at, " ");
		int each = !strncmp(after, "each ", 5);

		*at = each ? after + 5 : after;
		rows = find_rows(run, word, each);
	}
	while (next_word(at, word)) {
		char *value = strchr(word, '=');
		struct run_fact *fact;

		ck_assert_msg(value != NULL, "'%s' in '%s'", word, start);
		if (rows.table == &run_tables[RUN_PART_FACTS]) {
			*value = '\0';
			fact = run_add_fact(run, word, value + 1);
			if (!value[1])
				fact->name = "";
			continue;
		}
		for (size_t i = rows.first; i < rows.end; i++)
			assign(&rows, rows.table ? table_row(rows.table, run, i) : (char *)run,
			       word);
	}
}

void change_run(struct run *run, const char *format, ...)
{
	char text[CHANGES_MAX];
	const char *at = text;
	va_list args;

	va_start(args, format);
	ck_assert_int_lt(vsnprintf(text, sizeof text, format, args), CHANGES_MAX);
	va_end(args);
	while (*(at += strspn(at, "; ")))
		change(run, &at);
}

void describe_run(struct run *run, const char *description)
{
	double seconds, blas, other;
	int threads, length;

	ck_assert_int_eq(
		sscanf(description, "%d %lf %lf %lf%n", &threads, &seconds, &blas, &other, &length),
		4);
	fixture_run(run, threads, llrint(seconds * 1e9), blas, other);
	change_run(run, "%s", description + length);
}

void report_on(const char *const *descriptions)
{
	struct run runs[8];
	size_t count = 0;

	for (; descriptions[count]; count++)
		describe_run(&runs[count], descriptions[count]);
	fixture_report(runs, count);
}
