/* lists_page.c: fills a manual page's template with routines, causes, warnings, and the columns of
 * the report, of other commands and of the store. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/causes.h"
#include "report/columns.h"
#include "report/warnings.h"
#include "store/schema.h"
#include "write/format.h"
#include "blas/routines.h"

/* Prints text with its hyphens, backslashes and leading dots escaped for roff. */
static void roff_text(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++)
		if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\\')
			fputs("\\e", stdout);
		else
			putchar(*text);
}

/* Prints text, and a line break. */
static void roff_line(const char *text)
{
	roff_text(text);
	putchar('\n');
}

/* Prints a tag in bold. */
static void roff_tag(const char *name)
{
	printf(".TP\n.B ");
	roff_line(name);
}

/* Prints a paragraph that follows an arrow, unless it is empty. */
static void roff_arrow(const char *text)
{
	if (!*text)
		return;
	printf(".br\n\\(-> ");
	roff_line(text);
}

/* Prints the section of a family: its purpose, and its routines with their flops. */
static void print_family(size_t first)
{
	const struct routine_family *family = routines[first].family;
	char text[ROUTINE_COUNTS_MAX];

	printf(".SS ");
	roff_text(family->name);
	if (family->level)
		printf(" (level %d)\n", family->level);
	else
		printf(" (LAPACK)\n");
	roff_line(family->purpose);
	for (size_t i = first; i < ROUTINE_BASES; i++) {
		if (routines[i].family != family)
			continue;
		if (i > first && !strcmp(routines[i].name, routines[i - 1].name))
			continue; /* the same routine for another type */
		roff_tag(routines[i].name);
		printf("multiplications, additions: ");
		roff_line(routine_counts_text(i * VARIANT_COUNT, text));
	}
}

static void print_routines(void)
{
	for (size_t i = 0; i < ROUTINE_BASES; i++) {
		size_t first = 0;

		while (routines[first].family != routines[i].family)
			first++;
		if (first == i)
			print_family(i);
	}
}

static void print_ways(void)
{
	for (size_t i = 0; i < WAYS; i++) {
		roff_tag(ways[i].name);
		roff_text(ways[i].found);
		fputs(".\nKnown of each call: ", stdout);
		roff_text(ways[i].tells);
		fputs(".\n", stdout);
	}
}

static void print_column(const struct field *column)
{
	roff_tag(column->name);
	roff_text(column->doc);
	if (*column->unit) {
		fputs(" (", stdout);
		roff_text(column->unit);
		putchar(')');
	}
	putchar('\n');
}

static void print_table(const struct table *table)
{
	printf(".SS ");
	roff_line(table->name);
	roff_line(table->doc);
	for (size_t i = 0; i < table->nfields; i++)
		print_column(&table->fields[i]);
}

static void print_columns(void)
{
	for (size_t i = 0; i < REPORT_TABLES; i++)
		print_table(&report_tables[i]);
}

static void print_other_columns(void)
{
	print_table(&comparison_table);
	print_table(&suites_table);
	print_table(&prediction_table);
	print_table(&sizes_table);
}

static void print_stored(const struct field *column)
{
	printf(".TP\n.BR ");
	roff_text(column->name);
	printf(" \" %s", schema_sql_type(column->type));
	if (*column->unit)
		printf(", %s", column->unit);
	printf("\"\n");
	roff_line(column->doc);
}

static void print_stored_table(const struct table *table)
{
	printf(".SS ");
	roff_line(table->name);
	roff_line(table->doc);
	if (table == &run_table)
		printf(".TP\n.BR id \" INTEGER\"\nthe run's number\n");
	if (table == &schema_cells)
		printf(".TP\n.BR id \" INTEGER\"\nthe cell's number\n");
	for (size_t i = 0; i < table->nfields; i++)
		print_stored(&table->fields[i]);
}

static void print_version(void)
{
	printf("The file's application_id is %#x (\"BPRF\"); its user_version, %d, is the version "
	       "of "
	       "these tables.\n",
	       SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
}

static void print_store(void)
{
	for (size_t i = 0; i < SCHEMA_TABLES; i++)
		print_stored_table(schema_tables[i]);
	print_stored_table(&schema_cells);
}

static void print_warnings(void)
{
	for (size_t i = 0; i < warnings_count; i++) {
		printf(".TP\n.BR ");
		roff_text(warnings[i].code);
		printf(" \" (%s)\"\n", severity_names[warnings[i].severity]);
		roff_line(warnings[i].text);
		roff_arrow(warnings[i].remedy);
	}
}

static void print_causes(void)
{
	for (size_t i = 0; i < CAUSES; i++) {
		roff_tag(cause_kinds[i].name);
		roff_line(cause_kinds[i].meaning);
		roff_arrow(cause_kinds[i].evidence);
	}
}

static const struct {
	const char *mark;
	void (*print)(void);
} lists[] = {
	{"@ROUTINES@\n", print_routines}, {"@WAYS@\n", print_ways},
	{"@CAUSES@\n", print_causes},	  {"@COLUMNS@\n", print_columns},
	{"@WARNINGS@\n", print_warnings}, {"@TABLES@\n", print_store},
	{"@VERSION@\n", print_version},	  {"@OTHER_COLUMNS@\n", print_other_columns},
};

int main(int argc, char **argv)
{
	FILE *template = argc == 2 ? fopen(argv[1], "r") : NULL;
	char line[512];

	if (!template) {
		fprintf(stderr, "lists_page: cannot read the template\n");
		return EXIT_FAILURE;
	}
	while (fgets(line, sizeof line, template)) {
		size_t list = 0;

		while (list < sizeof lists / sizeof *lists && strcmp(line, lists[list].mark) != 0)
			list++;
		if (list < sizeof lists / sizeof *lists)
			lists[list].print();
		else
			fputs(line, stdout);
	}
	fclose(template);
	return ferror(stdout) || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
