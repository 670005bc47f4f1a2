/* text_counters.c: the section of the text report on counted events. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"
#include "base/human.h"
#include "write/text_line.h"
#include "write/text_table.h"

/* The share of the count in the member whose offset is column->index. */
TEXT_VALUE(part_of_count, report_counter,
	   row->sum.count > 0
		   ? *(const double *)((const char *)data + column->index) / row->sum.count
		   : NAN)

#define PART(heading_, part)                                                                       \
	{                                                                                          \
		.heading = heading_, .form = AS_SHARE, .value = part_of_count,                     \
		.index = offsetof(struct report_counter, part)                                     \
	}

static const struct text_column count_columns[] = {
	{"event", "event", AS_TEXT, 30}, {"count", "count", AS_COUNT},
	PART("BLAS", sum.blas),		 PART("other", sum.other),
	PART("kernel", sum.kernel),	 PART("outside", sum.outside),
	PART("callers", callers),	 PART("workers", workers),
	PART("others", others),		 {"counted", "counted", AS_SHARE},
};

static void write_heading(const struct report_counter *first, int took_turns, FILE *out)
{
	fputs("\n", out);
	if (first->threads)
		text_say(out, "", "Events counted at %s, in %s%s.",
			 human_noun(first->threads, "thread"), human_noun(first->runs, "run"),
			 first->sum.user_only ? ", in user code only" : "");
	else
		text_wrap("", "Events counted in the whole program.", out);
	if (*first->sum.split || took_turns)
		text_say(out, "", "%s%s%s",
			 *first->sum.split
				 ? "BLAS to outside: % of the count by code, outside being outside "
				   "the region of interest. callers to others: % of the count by "
				   "thread. Both are estimated from samples of the event."
				 : "",
			 *first->sum.split && took_turns ? " " : "",
			 took_turns ? "counted: % of the time in which the event was counted, "
				      "since events took turns; the counts are scaled up."
				    : "");
}

/* Writes the instructions per cycle; the counts that the threads read themselves at the start and
 * the end of each call; and the floating-point operations that the hardware counted, to compare
 * with the flops of the calls. */
static void write_sums(const struct report *report, int threads, FILE *out)
{
	const struct report_counter *ipc = report_find_counter(report, threads, "instructions");
	double flops = 0, flops_blas = 0;

	if (ipc && isfinite(ipc->per_cycle))
		fprintf(out, "instructions per cycle: %s; in BLAS %s, in other code %s\n",
			human_number(ipc->per_cycle), human_number(ipc->per_cycle_blas),
			human_number(ipc->per_cycle_other));
	EACH_AT(row, report, counters, threads) {
		if (isfinite(row->sum.exact_blas))
			text_say(out, "exact    ",
				 "%s in the callers' user code: %s in BLAS calls, %s between calls",
				 row->sum.event, human_count(row->sum.exact_blas),
				 human_count(row->sum.exact_other));
		if (row->sum.flops_each && isfinite(row->sum.count)) {
			flops += row->sum.flops_each * row->sum.count;
			flops_blas += row->sum.flops_each * row->sum.blas;
		}
	}
	if (flops > 0)
		fprintf(out, "floating-point operations counted by the hardware: %s; in BLAS %s\n",
			human_count(flops), human_count(flops_blas));
}

TEXT_OF(shape_text, report_shape_counter, shape_name(&row->sum.shape))

static void head_shapes(const struct report *report, size_t shown, size_t count, FILE *out)
{
	text_title(out, "Exact counts in BLAS calls, by shape: %zu of %zu", shown, count);
}

static const struct text_column shape_columns[] = {
	{.heading = "shape", .width = 44, .text = shape_text},
	{"event", "event", AS_TEXT, 24},
	{"count", "count", AS_COUNT},
	{"per_call", "per call", AS_COUNT},
	{"per_cycle", "per cycle", AS_FIGURES},
};
static const struct text_section section_shape_counters = {
	"shape_counters", shape_columns, COUNT(shape_columns), .write_head = head_shapes};

static void write_energy(const struct report *report, const struct report_counter *row, FILE *out)
{
	const char *work = "";

	if (strcmp(report->work_unit, "flops"))
		work = string_printf("; %s J per unit of work (%s)", human_figures(row->per_work),
				     report->work_unit);
	else if (isfinite(row->per_work))
		work = string_printf("; %s J per Gflop", human_figures(row->per_work * 1e9));
	text_say(out, "energy   ",
		 "%s: %s J for the whole machine, divided by time: BLAS %s J, other code %s J, "
		 "waiting or no CPU %s J%s",
		 row->sum.event, human_figures(row->sum.count), human_figures(row->sum.blas),
		 human_figures(row->sum.other), human_figures(row->waiting), work);
}

static void write_counts(const struct report *report, int threads, FILE *out)
{
	const void **rows = memory_rows(report->ncounters, sizeof *rows);
	const struct report_counter *first = NULL;
	struct text_table table;
	int took_turns = 0;
	size_t count = 0;

	EACH_AT(row, report, counters, threads) {
		if (report_counter_is_energy(row))
			continue;
		first = first && *first->sum.split ? first : row;
		took_turns |= row->sum.counted < 0.9995;
		rows[count++] = row;
	}
	if (count) {
		write_heading(first, took_turns, out);
		text_table_begin(&table, report, "counters");
		text_table_add(&table, count_columns, COUNT(count_columns));
		text_table_print(&table, rows, count, out);
		write_sums(report, threads, out);
		text_section_write(report, &section_shape_counters, out);
	}
	free(rows);
}

void text_counters(const struct report *report, FILE *out)
{
	const struct report_row *focus = text_focus(report);
	int threads = focus ? focus->threads : 0;

	write_counts(report, threads, out);
	EACH_AT(counter, report, counters, threads)
		if (report_counter_is_energy(counter))
			write_energy(report, counter, out);
}
