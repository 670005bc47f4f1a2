/* row.c: writes a cell as comma-separated values, a row of one table of columns. */
/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "cells/cell.h"

static const char *const status_names[] = {
	[CELL_OK] = "ok",
	[CELL_WRONG] = "wrong",
	[CELL_LEFT_OUT] = "left out",
	[CELL_STOPPED] = "stopped",
};

struct row {
	const struct cell *cell;
	const struct limits *limits;
	const struct provenance *p;
	double flops, bytes; /* of a run, all threads together */
};

static int is_timed(const struct row *row)
{
	return row->cell->status == CELL_OK;
}

/* Quoted where it needs to be. */
static void put_text(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\n")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void put_number(double number, FILE *out)
{
	if (number)
		fprintf(out, "%.9g", number);
}

static void put_date(FILE *out)
{
	time_t now = time(NULL);
	struct tm utc;
	char text[32];

	gmtime_r(&now, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	fputs(text, out);
}

/* COLUMN(name, what it prints), of `row` to `out`; a time is empty where nothing was timed. */
#define TEXT(text)     put_text(text, out)
#define NUMBER(number) put_number((double)(number), out)
#define TIMED(number)  put_number(is_timed(row) ? (double)(number) : 0, out)
#define COLUMNS(COLUMN)                                                                            \
	COLUMN(category, TEXT(row->cell->kernel->category))                                        \
	COLUMN(kernel, TEXT(row->cell->kernel->name))                                              \
	COLUMN(element_bytes, NUMBER(row->cell->kernel->element_bytes))                            \
	COLUMN(m, NUMBER(row->cell->size.m))                                                       \
	COLUMN(n, NUMBER(row->cell->size.n))                                                       \
	COLUMN(k, NUMBER(row->cell->size.k))                                                       \
	COLUMN(offset_bytes, fprintf(out, "%d", row->cell->size.offset_bytes))                     \
	COLUMN(threads, NUMBER(row->limits->threads))                                              \
	COLUMN(cache, TEXT(row->limits->cold ? "cold" : "warm"))                                   \
	COLUMN(status, TEXT(status_names[row->cell->status]))                                      \
	COLUMN(note, TEXT(row->cell->note))                                                        \
	COLUMN(median_ns, TIMED(row->cell->times.median))                                          \
	COLUMN(low_ns, TIMED(row->cell->times.low))                                                \
	COLUMN(high_ns, TIMED(row->cell->times.high))                                              \
	COLUMN(min_ns, TIMED(row->cell->times.min))                                                \
	COLUMN(max_ns, TIMED(row->cell->times.max))                                                \
	COLUMN(samples, TIMED(row->cell->times.samples))                                           \
	COLUMN(runs, TIMED(row->cell->times.runs))                                                 \
	COLUMN(clock_ns, TIMED(row->cell->times.clock_ns))                                         \
	COLUMN(flops, NUMBER(row->flops))                                                          \
	COLUMN(bytes, NUMBER(row->bytes))                                                          \
	COLUMN(gflops, TIMED(row->flops / row->cell->times.median))                                \
	COLUMN(gbytes_per_s, TIMED(row->bytes / row->cell->times.median))                          \
	COLUMN(bytes_per_flop, NUMBER(row->flops ? row->bytes / row->flops : 0))                   \
	COLUMN(joules, TIMED(row->cell->times.joules))                                             \
	COLUMN(elements, NUMBER(row->cell->check.length))                                          \
	COLUMN(checked, NUMBER(row->cell->check.compared))                                         \
	COLUMN(checksum, fprintf(out, "%016" PRIx64, row->cell->check.checksum))                   \
	COLUMN(mhz, NUMBER(row->cell->mhz_after))                                                  \
	COLUMN(host, TEXT(row->p->host))                                                           \
	COLUMN(cpu, TEXT(row->p->cpu))                                                             \
	COLUMN(system, TEXT(row->p->system))                                                       \
	COLUMN(blas, TEXT(row->p->blas))                                                           \
	COLUMN(blas_threads, NUMBER(row->p->blas_threads))                                         \
	COLUMN(compiler, TEXT(row->p->compiler))                                                   \
	COLUMN(flags, TEXT(row->p->flags))                                                         \
	COLUMN(revision, TEXT(row->p->revision))                                                   \
	COLUMN(date, put_date(out))                                                                \
	COLUMN(seed, fprintf(out, "%" PRIu64, input_seed))

#define PRINT_NAME(name, print)	 fputs(&","[first], out), fputs(#name, out), first = 0;
#define PRINT_VALUE(name, print) fputs(&","[first], out), print, first = 0;

void cell_print_header(FILE *out)
{
	int first = 1;

	COLUMNS(PRINT_NAME)
	putc('\n', out);
	fflush(out);
}

void cell_print(const struct cell *cell, const struct limits *limits, const struct provenance *p,
		FILE *out)
{
	const struct row values = {
		.cell = cell,
		.limits = limits,
		.p = p,
		.flops =
			cell->kernel->flops ? cell->kernel->flops(cell->size) * limits->threads : 0,
		.bytes = cell->kernel->bytes(cell->size) * limits->threads,
	};
	const struct row *row = &values;
	int first = 1;

	COLUMNS(PRINT_VALUE)
	putc('\n', out);
	fflush(out);
}
