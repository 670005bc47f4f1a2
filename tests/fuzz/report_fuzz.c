/* report_fuzz.c: takes sound runs, changes fields of them as the bytes say, and has all that
 * reports on runs at them. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tests/report/fixture.h"
#include "fuzz.h"
#include "report/compare.h"
#include "report/predict.h"
#include "write/format.h"
#include "store/schema.h"

enum { RUNS = 4 };

/* In the layout of a sound field: text ends, a code is one of those there are. */
static void change_field(struct fuzz_bytes *bytes, const struct field *column, void *row)
{
	char *field = (char *)row + column->offset, text[300];
	uint64_t value;

	switch (column->type) {
	case FIELD_CHARS:
		fuzz_text(bytes, field, column->size);
		return;
	case FIELD_STRING:
		fuzz_text(bytes, text, sizeof text);
		free(*(char **)field);
		*(char **)field = strdup(text);
		return;
	case FIELD_CODE:
		*(enum run_code *)field = fuzz_number(bytes, 1) % RUN_CODE_COUNT;
		return;
	case FIELD_PAIRS:
		return;
	case FIELD_HISTOGRAM:
		value = fuzz_number(bytes, 1) % RUN_HISTOGRAM_BUCKETS;
		histogram_add((struct histogram **)field, (int)value, fuzz_number(bytes, 8));
		return;
	default:
		break;
	}
	value = fuzz_number(bytes, 8);
	memcpy(field, &value, column->size);
}

/* As it is loaded from a store: no text is NULL. */
static void add_row(struct run *run, const struct table *table)
{
	char *row = table_add(table, run);

	for (size_t i = 0; row && i < table->nfields; i++)
		if (table->fields[i].type == FIELD_STRING)
			*(char **)(row + table->fields[i].offset) = strdup("");
}

static void change(struct fuzz_bytes *bytes, struct run *runs)
{
	struct run *run = &runs[fuzz_number(bytes, 1) % RUNS];
	const struct table *table = schema_tables[fuzz_number(bytes, 1) % SCHEMA_PAIRS];
	const struct field *column = &table->fields[fuzz_number(bytes, 1) % table->nfields];
	size_t row = fuzz_number(bytes, 1);

	if (table == &run_table)
		change_field(bytes, column, run);
	else if (row < table_count(table, run))
		change_field(bytes, column, table_row(table, run, row));
	else if (row < 200)
		add_row(run, table);
}

static void write_table(table_writer *write, const void *data)
{
	for (int format = 0; format < TABLE_FORMATS; format++) {
		char *text = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		if (!out)
			abort();
		write(data, (enum table_format)format, out);
		fclose(out);
		fuzz_check_text(text, size);
		free(text);
	}
}

static void predict(const struct run *runs)
{
	int threads[] = {1, 2, 64}, units[] = {1, 3};
	const struct prediction_grid grid = {threads, units, 3, 2};
	struct prediction prediction = {0};
	struct error err;

	if (!prediction_from_runs(runs, RUNS, &prediction, &err) &&
	    !prediction_build_rows(&prediction, &grid, &err))
		write_table(prediction_write, &prediction);
	prediction_free(&prediction);
}

static void compare(const struct run *runs)
{
	const struct comparison_options options = {.top = 5, .force = 1};
	struct comparison comparison = {.sides = {{.name = "before", .runs = runs, .count = 2},
						  {.name = "after", .runs = runs + 2, .count = 2}}};
	struct error err;

	if (!comparison_build(&options, &comparison, &err)) {
		comparison_worst(&comparison, 0.05);
		write_table(comparison_write, &comparison);
	}
	comparison_free(&comparison);
}

FUZZ(report)
{
	struct fuzz_bytes bytes = {data, size < 4096 ? size : 4096};
	struct run runs[RUNS];

	for (int i = 0; i < RUNS; i++)
		fixture_run(&runs[i], 1 + i % 2, 1000000000 + i, 0.4, 0.5);
	while (bytes.left)
		change(&bytes, runs);
	fuzz_report(runs, RUNS);
	predict(runs);
	compare(runs);
	for (int i = 0; i < RUNS; i++)
		run_free(&runs[i]);
}
