/* compare_write.c: writes a comparison of runs as text or as rows. */
/* SPDX-License-Identifier: MIT */
#include "report/compare.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "report/columns.h"
#include "write/format.h"
#include "base/human.h"
#include "write/text_line.h"
#include "write/text_table.h"

#define FIELD_CHARS(size) FIELD_CHARS
#define COLUMN(name, type, unit, doc)                                                              \
	REPORT_COLUMN(comparison_row, #name, name, FIELD_##type, unit, doc),
static const struct field columns[] = {COMPARISON_COLUMNS(COLUMN)};

/* "3 runs of ./train {}, OpenBLAS 0.3.21 on lab" */
static void write_side(const char *label, const struct comparison_side *side, FILE *out)
{
	const struct report *report = &side->report;
	const char *blas = report_fact(report, "blas"), *host = report_fact(report, "host");
	const char *version = report_fact(report, "blas_version");
	int failed = 0;

	EACH_ROW(row, report->rows, report->nrows)
		failed |= row->failed;
	text_say(out, label, "%.200s: %s%s of %.1000s, %.100s %.100s on %.200s", side->name,
		 failed ? "the command failed; " : "", human_noun(report->nruns, "run"),
		 report->nruns == 1 ? report->command : report->experiment, blas ? blas : "BLAS",
		 version ? version : "of unknown version", host ? host : "an unknown host");
}

static const char *work_unit(const struct comparison *comparison)
{
	return comparison->sides[0].report.work_unit;
}

/* How much work b, c, o and p are shown for. The time for one flop is too short to read. */
static double work_shown(const struct comparison *comparison)
{
	return strcmp(work_unit(comparison), "flops") ? 1 : 1e9;
}

static const char *number_text(const struct comparison *comparison,
			       const struct comparison_row *row, double value)
{
	if (!strcmp(row->unit, "ns") || !isfinite(value))
		return human_time(value);
	if (!strcmp(row->unit, "ns/work"))
		return human_time(value * work_shown(comparison));
	if (!strcmp(row->unit, "work/s") || !strcmp(row->unit, "calls"))
		return human_count(value);
	return string_printf("%.3g", value);
}

TEXT_CELL(figure_text, comparison_row, "%s%s%s", row->figure, *row->shape ? " " : "", row->shape)

/* The figure whose offset in the row is column->index. */
TEXT_FUNCTION(value_text)
{
	return number_text(table->data, data,
			   *(const double *)((const char *)data + column->index));
}

TEXT_OF(interval_text, comparison_row,
	isfinite(row->low) ? string_printf("%s to %s", number_text(table->data, row, row->low),
					   number_text(table->data, row, row->high))
			   : "-")

TEXT_FUNCTION(verdict_text)
{
	const struct comparison_row *row = data;

	if (isnan(row->difference))
		return "-";
	if (row->significant == SIGNIFICANCE_UNKNOWN)
		return "?";
	if (row->significant == SIGNIFICANCE_NO)
		return row->difference != 0 ? "chance" : "equal";
	if (!row->better)
		return "differs";
	return row->better * row->difference > 0 ? "better" : "worse";
}

#define FIGURE(heading, member) RIGHT(heading, value_text, offsetof(struct comparison_row, member))

/* Writes the rows from `first` on that have the same thread counts. Returns how many. */
static size_t write_pair(const struct comparison *comparison, size_t first, FILE *out)
{
	static const struct text_column shown[] = {
		TEXT("figure", 0, figure_text),
		FIGURE("before", before),
		FIGURE("after", after),
		FIGURE("difference", difference),
		RIGHT("95 % interval", interval_text, 0),
		{"change", "change", AS_CHANGE},
		TEXT("verdict", 0, verdict_text),
	};
	const struct comparison_row *row = &comparison->rows[first];
	int before = row->threads_before, after = row->threads_after;
	struct text_table table = {.from = columns, .nfrom = COUNT(columns), .data = comparison};
	size_t count = 0;

	fprintf(out, "\n%s", human_noun(before, "thread"));
	if (after != before)
		fprintf(out, " before, %d after", after);
	fprintf(out, " (runs: %d before, %d after)\n", row->runs_before, row->runs_after);
	while (first + count < comparison->nrows && row[count].threads_before == before)
		count++;
	text_table_add(&table, shown, COUNT(shown));
	text_table_print_array(&table, row, sizeof *row, count, out);
	return count;
}

static void write_text(const void *data, FILE *out)
{
	const struct comparison *comparison = data;
	const char *before = comparison->sides[0].report.what_if;
	const char *after = comparison->sides[1].report.what_if;

	write_side("before   ", &comparison->sides[0], out);
	write_side("after    ", &comparison->sides[1], out);
	if (strcmp(before, after) != 0)
		text_say(out, "what-if  ",
			 "before: %s, after: %s; this change is part of the difference",
			 *before ? before : "real runs", *after ? after : "real runs");
	else if (*before)
		text_say(out, "what-if  ", "both sides ran under %s: neither is real", before);
	for (size_t i = 0; i < comparison->nrows;)
		i += write_pair(comparison, i, out);
	fputc('\n', out);
	text_say(out, "",
		 "throughput: %.200s/s. b, c, o, p, s, mpi: thread time in BLAS, in other code, "
		 "waiting, without a CPU, spinning and in MPI, per %s.",
		 work_unit(comparison), work_shown(comparison) > 1 ? "GFLOP" : "unit of work");
	text_wrap("",
		  "verdict: better, worse or differs if the change is significant, that is, if its "
		  "95 % interval excludes 0; chance if it is not; ? if a side has one run only, so "
		  "that there is no interval.",
		  out);
}

const struct table comparison_table = {
	"compare", "one row for each thread count and figure, or shape", columns, COUNT(columns),
	TABLE_ROWS(comparison, rows, nrows)};

void comparison_write(const void *data, enum table_format format, FILE *out)
{
	table_write(&comparison_table, write_text, data, format, out);
}
