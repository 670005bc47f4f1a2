/* db_page.c: makes blasprof-db(5) from its template: describes every table and column of the
 * schema. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roff.h"
#include "store/schema.h"

static void print_column(const struct field *column)
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

static void print_table(const struct table *table)
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
		print_column(&table->fields[i]);
}

int main(int argc, char **argv)
{
	FILE *template = argc == 2 ? fopen(argv[1], "r") : NULL;
	char line[512];

	if (!template) {
		fprintf(stderr, "db_page: cannot read the template\n");
		return EXIT_FAILURE;
	}
	while (fgets(line, sizeof line, template)) {
		if (strcmp(line, "@TABLES@\n")) {
			fputs(line, stdout);
			continue;
		}
		for (size_t i = 0; i < SCHEMA_TABLES; i++)
			print_table(schema_tables[i]);
		print_table(&schema_cells);
	}
	fclose(template);
	return ferror(stdout) || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
