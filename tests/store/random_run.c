/* random_run.c: runs with random content in every field of the store. */
/* SPDX-License-Identifier: MIT */
#include "base/string_pool.h"
#include "random_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/schema.h"

static uint64_t random_bits(unsigned int *seed)
{
	uint64_t bits = 0;

	for (int i = 0; i < 5; i++)
		bits = bits << 15 ^ (uint64_t)rand_r(seed);
	return bits >> (rand_r(seed) % 64);
}

static void random_text(char *text, size_t size, unsigned int *seed)
{
	static const char *const samples[] = {
		"",	"a,b",	    "say \"x\"",	 "line\nfeed\r\n",
		"=1+2", "train {}", "\xc3\xa9t\xc3\xa9", "\xff\xfe\x80"};
	size_t length = (size_t)rand_r(seed) % size;

	memset(text, 0, size);
	if (rand_r(seed) % 2) {
		strncpy(text, samples[rand_r(seed) % 8], size - 1);
		return;
	}
	for (size_t i = 0; i < length; i++)
		text[i] = (char)(1 + rand_r(seed) % 255);
}

static void random_field(void *field, const struct field *column, unsigned int *seed)
{
	uint64_t calls[RUN_HISTOGRAM_BUCKETS];
	char text[40];
	double real;

	switch (column->type) {
	case FIELD_INT:
		*(int *)field = (int)random_bits(seed);
		break;
	case FIELD_INT64:
	case FIELD_COUNT:
		*(uint64_t *)field = random_bits(seed);
		break;
	case FIELD_REAL:
		real = ldexp((double)random_bits(seed), rand_r(seed) % 100 - 50);
		*(double *)field = rand_r(seed) % 8 ? real : -real;
		break;
	case FIELD_CHAR:
		*(char *)field = (char)(rand_r(seed) % 256);
		break;
	case FIELD_CHARS:
		random_text(field, column->size, seed);
		break;
	case FIELD_STRING:
		random_text(text, sizeof text, seed);
		*(const char **)field = string_pooled(text);
		break;
	case FIELD_CODE:
		*(enum run_code *)field = rand_r(seed) % RUN_CODE_COUNT;
		break;
	case FIELD_HISTOGRAM:
		for (int i = 0; i < RUN_HISTOGRAM_BUCKETS; i++)
			calls[i] = rand_r(seed) % 4 ? 0 : random_bits(seed);
		*(struct histogram **)field = histogram_of(calls);
		break;
	default: /* random_run() makes the pairs */
		break;
	}
}

static void random_row(void *row, const struct table *table, unsigned int *seed)
{
	for (size_t i = 0; i < table->nfields; i++)
		random_field((char *)row + table->fields[i].offset, &table->fields[i], seed);
}

void random_run(struct run *run, unsigned int seed, size_t max_rows)
{
	size_t npairs;

	run_init(run);
	random_row(run, schema_tables[SCHEMA_RUNS], &seed);
	for (size_t i = 1; i < SCHEMA_PAIRS; i++)
		for (size_t rows = (size_t)rand_r(&seed) % (max_rows + 1); rows; rows--)
			random_row(table_add(&run_tables[(enum run_part)(i - 1)], run),
				   schema_tables[i], &seed);
	npairs = (size_t)rand_r(&seed) % 50;
	run->pairs = calloc(npairs + 1, sizeof *run->pairs);
	for (run->npairs = 0; run->npairs < npairs; run->npairs++) {
		run->pairs[run->npairs].gap_ns = (uint32_t)random_bits(&seed);
		run->pairs[run->npairs].service_ns = (uint32_t)random_bits(&seed);
	}
}
