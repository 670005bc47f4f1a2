/* text_counters.c: the section of the text report on counted events. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/array.h"
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

static int is_count(const void *row)
{
	return !report_counter_is_energy(row);
}

static void head_counts(const struct report *report, size_t shown, size_t count, FILE *out)
{
	const struct report_counter *first = NULL;
	int took_turns = 0;

	EACH_AT(row, report, counters, text_threads(report)) {
		if (!is_count(row))
			continue;
		first = first && *first->sum.split ? first : row;
		took_turns |= row->sum.counted < 0.9995;
	}
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

static void write_energy(const struct report *report, const struct report_counter *row, FILE *out)
{
	const char *work = "";

	if (strcmp(report->work_unit, "flops"))
		work = string_printf("; %s J per unit of work (%s)", human_figures(row->per_work),
				     report->work_unit);
	else if (isfinite(row->per_work))
		work = string_printf("; %s J per GFLOP", human_figures(row->per_work * 1e9));
	text_say(out, "energy   ",
		 "%s: %s J for the whole machine, divided by time: BLAS %s J, other code %s J, "
		 "the rest %s J%s",
		 row->sum.event, human_figures(row->sum.count), human_figures(row->sum.blas),
		 human_figures(row->sum.other), human_figures(row->waiting), work);
}

void text_counters(const struct report *report, FILE *out)
{
	static const struct text_section counts = {"counters",		 count_columns,
						   COUNT(count_columns), .write_head = head_counts,
						   .is_shown = is_count, .most = SIZE_MAX};
	static const struct text_section shape_counts = {
		"shape_counters", shape_columns, COUNT(shape_columns), .write_head = head_shapes};
	int threads = text_threads(report);

	text_section_write(report, &counts, out);
	write_sums(report, threads, out);
	text_section_write(report, &shape_counts, out);
	EACH_AT(counter, report, counters, threads)
		if (report_counter_is_energy(counter) && counter->sum.count > 0) /* not in a VM */
			write_energy(report, counter, out);
}
