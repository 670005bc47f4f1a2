/* cell.c: measures, summarises and prints one kernel at one size. */
/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cells/cell.h"

enum { COMPARED_MAX = 1024 };
#define MEMORY_SHARE	0.5 /* a cell takes at most this part of the machine's memory */
#define FREQUENCY_SHARE 0.05

static const char *const status_names[] = {
	[CELL_OK] = "ok",
	[CELL_WRONG] = "wrong",
	[CELL_LEFT_OUT] = "left out",
	[CELL_STOPPED] = "stopped",
};

__attribute__((format(printf, 3, 4))) static void
end_cell(struct cell *cell, enum cell_status status, const char *fmt, ...)
{
	va_list args;

	cell->status = status;
	va_start(args, fmt);
	vsnprintf(cell->note, sizeof(cell->note), fmt, args);
	va_end(args);
}

static int fits_memory(struct cell *cell, int threads)
{
	const double mib = 1024 * 1024;
	double needed = operands_bytes(cell->kernel, cell->size) * threads / mib;
	double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / mib;

	if (needed <= MEMORY_SHARE * have)
		return 1;
	end_cell(cell, CELL_LEFT_OUT, "needs %.0f MiB, more than half of the machine's %.0f MiB",
		 needed, have);
	return 0;
}

/* FNV-1a over 32-bit words. The last word is filled up with zeros. */
static uint64_t words_checksum(const char *bytes, size_t size)
{
	uint64_t sum = 0xcbf29ce484222325u;

	for (size_t at = 0; at < size; at += sizeof(uint32_t)) {
		uint32_t word = 0;

		memcpy(&word, bytes + at, size - at < sizeof(word) ? size - at : sizeof(word));
		sum = (sum ^ word) * 0x100000001b3u;
	}
	return sum;
}

/* Compares the result of one run on freshly filled operands. */
static struct check check_result(const struct kernel *kernel, const struct operands *operands)
{
	const enum element element = kernel_element(kernel, kernel->result);
	const void *result = operands->buffer[kernel->result];
	struct check check = {.length = kernel->length(operands->size, kernel->result)};
	size_t count = check.length < COMPARED_MAX ? check.length : COMPARED_MAX;

	for (size_t i = 0; i < count; i++) {
		/* rounding varies the rows and columns; the last element is the last compared */
		const size_t index = count == 1 ? 0
						: (size_t)((double)i * (double)(check.length - 1) /
							   (double)(count - 1));
		const struct expected expected = kernel->twin(operands->size, index);
		const double value = element_load(element, result, index);

		check.compared++;
		if (fabs(value - expected.value) <= expected.bound)
			continue;
		if (!check.wrong++) {
			check.first = index;
			check.value = value;
			check.expected = expected.value;
		}
	}
	check.checksum = words_checksum(result, check.length * element_size(element));
	return check;
}

static void check_cell(struct cell *cell, struct operands *operands, const struct check *checked)
{
	operands_fill(operands, cell->kernel);
	if (cell->kernel->command) {
		const char *failed = port_run(cell->kernel, operands, &cell->times);

		if (failed) {
			end_cell(cell, CELL_LEFT_OUT, "'%.150s': %s", cell->kernel->command,
				 failed);
			return;
		}
	} else if (checked) {
		cell->check = *checked;
		return;
	} else {
		cell->kernel->run(operands);
	}
	cell->check = check_result(cell->kernel, operands);
	if (cell->check.wrong)
		end_cell(cell, CELL_WRONG,
			 "%zu of %zu elements are wrong: element %zu is %.9g and should be %.9g",
			 cell->check.wrong, cell->check.compared, cell->check.first,
			 cell->check.value, cell->check.expected);
}

static void time_cell(struct cell *cell, struct operands *operands, const struct limits *limits)
{
	cell->mhz_before = cell->mhz_after = frequency_mhz();
	if (cell->kernel->command)
		return; /* port_run() has timed it */
	switch (measure_kernel(cell->kernel, operands, limits, &cell->times)) {
	case MEASURED:
		break;
	case MEASURED_NO_ROOM:
		end_cell(cell, CELL_LEFT_OUT, "no memory or threads for %d threads",
			 limits->threads);
		break;
	case MEASURED_STOPPED:
		end_cell(cell, CELL_STOPPED, "interrupted");
		break;
	}
	cell->mhz_after = frequency_mhz();
}

void cell_measure(struct cell *cell, const struct kernel *kernel, struct size size,
		  const struct limits *limits, const struct check *checked)
{
	const char *missing = kernel->missing ? kernel->missing() : NULL;
	struct operands operands;

	memset(cell, 0, sizeof(*cell));
	cell->kernel = kernel;
	cell->size = size;
	if (missing) {
		end_cell(cell, CELL_LEFT_OUT, "%s", missing);
		return;
	}
	if (!fits_memory(cell, limits->threads))
		return;
	if (operands_alloc(&operands, kernel, size)) {
		end_cell(cell, CELL_LEFT_OUT, "no memory for %.0f MiB",
			 operands_bytes(kernel, size) / (1024 * 1024));
		return;
	}
	check_cell(cell, &operands, checked);
	if (cell->status == CELL_OK)
		time_cell(cell, &operands, limits);
	operands_free(&operands, kernel);
}

struct cell rounds_sum(const struct rounds *rounds)
{
	struct cell sum = rounds->cells[0];
	struct times *times = &sum.times, of_medians = {.samples = rounds->count};
	double least = sum.mhz_before, most = sum.mhz_before, medians[ROUNDS_MAX];
	const int n = rounds->count;

	for (int i = 0; i < n; i++) {
		const struct cell *cell = &rounds->cells[i];

		if (cell->status != CELL_OK)
			return *cell;
		least = fmin(least, fmin(cell->mhz_before, cell->mhz_after));
		most = fmax(most, fmax(cell->mhz_before, cell->mhz_after));
		sum.mhz_after = cell->mhz_after;
		medians[i] = cell->times.median;
		if (i) {
			times->samples += cell->times.samples;
			times->min = fmin(times->min, cell->times.min);
			times->max = fmax(times->max, cell->times.max);
			times->low = fmin(times->low, cell->times.low);
			times->high = fmax(times->high, cell->times.high);
			times->joules += cell->times.joules;
		}
	}
	times->joules /= n;
	times_summarise(medians, &of_medians);
	times->median = of_medians.median;
	if (n >= ROUNDS_FOR_INTERVAL) {
		times->low = of_medians.min;
		times->high = of_medians.max;
	}
	if (most - least > FREQUENCY_SHARE * most)
		end_cell(&sum, sum.status, "the CPU's frequency changed, from %.0f to %.0f MHz",
			 least, most);
	return sum;
}

/* Prints a field, in quotes if needed. */
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

/* COLUMN(name, statement that prints the value to `out`). Times are empty if nothing was timed, and
 * numbers if they are 0 (unknown). */
#define TEXT(text)     put_text(text, out)
#define NUMBER(number) put_number((double)(number), out)
#define TIMED(number)  put_number(cell->status == CELL_OK ? (double)(number) : 0, out)
#define COLUMNS(COLUMN)                                                                            \
	COLUMN(category, TEXT(cell->kernel->category))                                             \
	COLUMN(kernel, TEXT(cell->kernel->name))                                                   \
	COLUMN(element_bytes, NUMBER(cell->kernel->element_bytes))                                 \
	COLUMN(m, NUMBER(cell->size.m))                                                            \
	COLUMN(n, NUMBER(cell->size.n))                                                            \
	COLUMN(k, NUMBER(cell->size.k))                                                            \
	COLUMN(offset_bytes, fprintf(out, "%d", cell->size.offset_bytes))                          \
	COLUMN(threads, NUMBER(limits->threads))                                                   \
	COLUMN(cache, TEXT(limits->cold ? "cold" : "warm"))                                        \
	COLUMN(status, TEXT(status_names[cell->status]))                                           \
	COLUMN(note, TEXT(cell->note))                                                             \
	COLUMN(median_ns, TIMED(cell->times.median))                                               \
	COLUMN(low_ns, TIMED(cell->times.low))                                                     \
	COLUMN(high_ns, TIMED(cell->times.high))                                                   \
	COLUMN(min_ns, TIMED(cell->times.min))                                                     \
	COLUMN(max_ns, TIMED(cell->times.max))                                                     \
	COLUMN(samples, TIMED(cell->times.samples))                                                \
	COLUMN(runs, TIMED(cell->times.runs))                                                      \
	COLUMN(clock_ns, TIMED(cell->times.clock_ns))                                              \
	COLUMN(flops, NUMBER(flops))                                                               \
	COLUMN(bytes, NUMBER(bytes))                                                               \
	COLUMN(gflops, TIMED(flops / cell->times.median))                                          \
	COLUMN(gbytes_per_s, TIMED(bytes / cell->times.median))                                    \
	COLUMN(bytes_per_flop, NUMBER(flops ? bytes / flops : 0))                                  \
	COLUMN(joules, TIMED(cell->times.joules))                                                  \
	COLUMN(elements, NUMBER(cell->check.length))                                               \
	COLUMN(checked, NUMBER(cell->check.compared))                                              \
	COLUMN(checksum, fprintf(out, "%016" PRIx64, cell->check.checksum))                        \
	COLUMN(mhz, NUMBER(cell->mhz_after))                                                       \
	COLUMN(host, TEXT(p->host))                                                                \
	COLUMN(cpu, TEXT(p->cpu))                                                                  \
	COLUMN(system, TEXT(p->system))                                                            \
	COLUMN(blas, TEXT(p->blas))                                                                \
	COLUMN(blas_threads, NUMBER(p->blas_threads))                                              \
	COLUMN(compiler, TEXT(p->compiler))                                                        \
	COLUMN(flags, TEXT(p->flags))                                                              \
	COLUMN(revision, TEXT(p->revision))                                                        \
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
	/* of a run, all threads together */
	const double flops = kernel_flops(cell->kernel, cell->size) * limits->threads;
	const double bytes = kernel_bytes(cell->kernel, cell->size) * limits->threads;
	int first = 1;

	COLUMNS(PRINT_VALUE)
	putc('\n', out);
	fflush(out);
}
