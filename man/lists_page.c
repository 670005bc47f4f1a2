/* lists_page.c: makes a page from its template: routines, causes, columns of the report and
 * warnings come from their tables. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/causes.h"
#include "report/columns.h"
#include "report/warnings.h"
#include "roff.h"
#include "blas/routines.h"

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
	{"@WARNINGS@\n", print_warnings},
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
