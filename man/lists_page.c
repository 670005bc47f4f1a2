/* lists_page.c: makes a page from its template: routines, causes, columns of the report and of the
 * store, and warnings come from their tables. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/causes.h"
#include "report/columns.h"
#include "report/warnings.h"
#include "store/schema.h"
#include "blas/routines.h"

/* Prints text so that roff takes none of it for a hyphen, an escape or a request. */
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

/* One paragraph for each family: what it does, then its names with their flops. */
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
	roff_text(family->purpose);
	putchar('\n');
	for (size_t i = first; i < routines_count; i++) {
		if (routines[i].family != family)
			continue;
		if (i > first && !strcmp(routines[i].name, routines[i - 1].name))
			continue; /* the same for another type */
		printf(".TP\n.B ");
		roff_text(routines[i].name);
		putchar('\n');
		printf("multiplications, additions: ");
		roff_text(routine_counts_text(i * routine_variants_count, text));
		putchar('\n');
	}
}

static void print_routines(void)
{
	for (size_t i = 0; i < routines_count; i++) {
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
		printf(".TP\n.B ");
		roff_text(ways[i].name);
		putchar('\n');
		roff_text(ways[i].found);
		fputs(".\nOf each call: ", stdout);
		roff_text(ways[i].tells);
		fputs(".\n", stdout);
	}
}

static void print_column(const struct field *column)
{
	printf(".TP\n.B ");
	roff_text(column->name);
	putchar('\n');
	roff_text(column->doc);
	if (*column->unit) {
		fputs(" (", stdout);
		roff_text(column->unit);
		putchar(')');
	}
	putchar('\n');
}

static void print_columns(void)
{
	for (size_t i = 0; i < REPORT_TABLES; i++) {
		printf(".SS ");
		roff_text(report_tables[i].name);
		putchar('\n');
		roff_text(report_tables[i].doc);
		putchar('\n');
		for (size_t j = 0; j < report_tables[i].nfields; j++)
			print_column(&report_tables[i].fields[j]);
	}
}

static void print_stored(const struct field *column)
{
	printf(".TP\n.BR ");
	roff_text(column->name);
	printf(" \" %s", schema_sql_type(column->type));
	if (*column->unit)
		printf(", %s", column->unit);
	printf("\"\n");
	roff_text(column->doc);
	putchar('\n');
}

static void print_stored_table(const struct table *table)
{
	printf(".SS ");
	roff_text(table->name);
	putchar('\n');
	roff_text(table->doc);
	putchar('\n');
	if (table == &run_table)
		printf(".TP\n.BR id \" INTEGER\"\nthe run's number\n");
	if (table == &schema_cells)
		printf(".TP\n.BR id \" INTEGER\"\nthe cell's number\n");
	for (size_t i = 0; i < table->nfields; i++)
		print_stored(&table->fields[i]);
}

static void print_version(void)
{
	printf("The file's application_id is %#x (\"BPRF\"), its user_version is %d, the version "
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
		roff_text(warnings[i].text);
		putchar('\n');
		if (*warnings[i].remedy) {
			printf(".br\n\\(-> ");
			roff_text(warnings[i].remedy);
			putchar('\n');
		}
	}
}

static void print_causes(void)
{
	for (size_t i = 0; i < CAUSES; i++) {
		printf(".TP\n.B ");
		roff_text(cause_kinds[i].name);
		putchar('\n');
		roff_text(cause_kinds[i].meaning);
		putchar('\n');
		if (*cause_kinds[i].evidence) {
			printf(".br\n\\(-> ");
			roff_text(cause_kinds[i].evidence);
			putchar('\n');
		}
	}
}

static const struct {
	const char *mark;
	void (*print)(void);
} lists[] = {
	{"@ROUTINES@\n", print_routines}, {"@WAYS@\n", print_ways},
	{"@CAUSES@\n", print_causes},	  {"@COLUMNS@\n", print_columns},
	{"@WARNINGS@\n", print_warnings}, {"@TABLES@\n", print_store},
	{"@VERSION@\n", print_version},
};

static void print_line(const char *line)
{
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (!strcmp(line, lists[i].mark)) {
			lists[i].print();
			return;
		}
	fputs(line, stdout);
}

int main(int argc, char **argv)
{
	FILE *template = argc == 2 ? fopen(argv[1], "r") : NULL;
	char line[512];

	if (!template) {
		fprintf(stderr, "lists_page: cannot read the template\n");
		return EXIT_FAILURE;
	}
	while (fgets(line, sizeof line, template))
		print_line(line);
	fclose(template);
	return ferror(stdout) || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
