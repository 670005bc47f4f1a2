/* counters.c: counted events, in total and inside the calls of each shape. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/build.h"
#include "report/sums.h"
#include "base/array.h"
#include "base/memory.h"

/* Sums up the threads by role: one that makes BLAS calls is a caller; another that counts most in
 * BLAS code is a worker. */
static void add_threads(const struct report *report, struct report_counter *row)
{
	EACH_RUN_AT(run, report, row->threads)
		EACH_ROW(part, run->run->thread_counters, run->run->nthread_counters) {
			double *sum = part->blas > part->other + part->kernel ? &row->workers
									      : &row->others;

			if (strcmp(part->event, row->sum.event) != 0)
				continue;
			EACH_ROW(thread, run->run->threads, run->run->nthreads)
				if (thread->pid == part->pid && thread->tid == part->tid &&
				    thread->calls)
					sum = &row->callers;
			*sum += part->blas + part->other + part->kernel;
		}
	if (row->callers + row->workers + row->others > 0)
		return;
	row->callers = row->workers = row->others = NAN;
}

/* Energy is counted for the whole machine. The region of interest gets a part in proportion to its
 * wall time, which is divided by how the threads spent their time. */
static void split_by_time(const struct report *report, struct report_counter *row)
{
	const struct report_row *point = report_find_row(report, row->threads);
	double roi_ns = 0, elapsed_ns = 0, all_ns, inside;

	EACH_RUN_AT(run, report, row->threads) {
		roi_ns += (double)run->roi_ns;
		elapsed_ns += (double)run->elapsed_ns;
	}
	if (!point || !(elapsed_ns > 0))
		return;
	all_ns = point->threads * point->account.wall_ns;
	inside = row->sum.count * fmin(roi_ns / elapsed_ns, 1);
	row->sum.blas = inside * point->account.category_ns[CAT_BLAS] / all_ns;
	row->sum.other = inside * point->account.category_ns[CAT_OTHER] / all_ns;
	row->waiting = inside - row->sum.blas - row->sum.other;
	row->sum.outside = row->sum.count - inside;
	strcpy(row->sum.split, "time");
}

int report_counter_is_energy(const struct report_counter *row)
{
	return !strcasecmp(row->sum.unit, "Joules");
}

/* 1 if it is the event of that name, with any modifiers. */
static int is_event(const char *event, const char *name)
{
	size_t length = strlen(name);

	return !strncasecmp(event, name, length) && (!event[length] || event[length] == ':');
}

const struct report_counter *report_find_counter(const struct report *report, int threads,
						 const char *event)
{
	EACH_AT(row, report, counters, threads)
		if (is_event(row->sum.event, event))
			return row;
	return NULL;
}

/* Sets the counts for each cycle and each unit of work. */
static void set_ratios(const struct report *report, struct report_counter *row)
{
	const struct report_counter *cycles = report_find_counter(report, row->threads, "cycles");
	const struct report_row *point = report_find_row(report, row->threads);

	row->per_work =
		point && point->account.work > 0
			? (row->sum.count - (isfinite(row->sum.outside) ? row->sum.outside : 0)) /
				  point->account.work
			: NAN;
	row->per_cycle = row->per_cycle_blas = row->per_cycle_other = NAN;
	if (!cycles || cycles == row || *row->sum.unit)
		return;
	row->per_cycle = cycles->sum.count > 0 ? row->sum.count / cycles->sum.count : NAN;
	row->per_cycle_blas = cycles->sum.blas > 0 ? row->sum.blas / cycles->sum.blas : NAN;
	row->per_cycle_other = cycles->sum.other > 0 ? row->sum.other / cycles->sum.other : NAN;
}

/* The index of the event in the list of events of the newest run that has it. */
static size_t place_asked(const struct report *report, const char *event)
{
	for (size_t i = report->nruns; i--;) {
		const struct run *run = report->runs[i].run;

		EACH_ROW(counter, run->counters, run->ncounters)
			if (!strcmp(counter->event, event))
				return (size_t)(counter - run->counters);
	}
	return 0;
}

COMPARE(compare_counters, struct report_counter,
	ORDER(a->threads, b->threads) ?: ORDER(a->asked, b->asked))

/* A program without BLAS calls has no thread count; then the newest run's counters are used. */
static struct sums find_items(const struct report *report)
{
	const struct run *newest = report->runs[report->nruns - 1].run;
	struct sums sums = sums_find(report, RUN_PART_COUNTERS, "event unit");

	EACH_ROW(counter, newest->counters, report->nrows ? 0 : newest->ncounters)
		memory_append(&sums.items, &sums.count, sizeof *sums.items,
			      &(struct sum_item){.row = counter});
	return sums;
}

/* The count over all threads in the region of interest, for a unit of work. */
static double inside_per_work(const struct report *report, const struct report_row *row,
			      const char *event)
{
	const struct report_counter *counter = report_find_counter(report, row->threads, event);

	if (!counter)
		return NAN;
	return (counter->sum.blas + counter->sum.other + counter->sum.kernel) / row->account.work;
}

void build_counters(struct report *report)
{
	const struct report_row *base = report_find_row(report, 1);
	struct sums sums = find_items(report);

	sums_sort(&sums);
	EACH_ROW(group, sums.groups, sums.ngroups) {
		struct report_counter *row =
			sums_add(&sums, group, &report_tables[REPORT_COUNTERS], report);

		row->runs = (int)(group->end - group->first);
		if (!isfinite(row->sum.counted))
			row->sum.counted = 0;
		row->waiting = NAN;
		row->asked = place_asked(report, row->sum.event);
		add_threads(report, row);
		if (report_counter_is_energy(row))
			split_by_time(report, row);
	}
	sums_free(&sums);
	SORT(report->counters, report->ncounters, compare_counters);
	/* the three factors of the computation efficiency */
	EACH_ROW(row, report->rows, base ? report->nrows : 0) {
		double cycles = inside_per_work(report, row, "cycles");
		double base_cycles = inside_per_work(report, base, "cycles");

		row->instruction_scaling = inside_per_work(report, base, "instructions") /
					   inside_per_work(report, row, "instructions");
		row->ipc_scaling = base_cycles / cycles / row->instruction_scaling;
		row->frequency_scaling = row->efficiency.computation * cycles / base_cycles;
	}
	EACH_ROW(counter, report->counters, report->ncounters)
		set_ratios(report, counter);
}

/* The rows of one shape, which differ by event, follow one another. */
void build_shape_counters(struct report *report)
{
	static const char shape[] = "transa transb m n k other_shapes routine";
	struct table_order order = table_order_by(&run_tables[RUN_PART_SHAPE_COUNTERS], shape);
	struct report_shape_counter *rows;

	sums_build(report, RUN_PART_SHAPE_COUNTERS,
		   "transa transb m n k other_shapes routine event",
		   &report_tables[REPORT_SHAPE_COUNTERS]);
	rows = report->shape_counters;
	for (size_t first = 0, next; first < report->nshape_counters; first = next) {
		double cycles = NAN;

		for (next = first;
		     next < report->nshape_counters && rows[next].threads == rows[first].threads &&
		     !table_compare(&order, &rows[first].sum, &rows[next].sum);
		     next++)
			if (is_event(rows[next].sum.event, "cycles"))
				cycles = rows[next].sum.count;
		for (size_t i = first; i < next; i++) {
			struct report_shape_counter *row = &rows[i];

			row->shown = shape_shown(&row->sum.shape);
			row->per_call =
				row->sum.calls ? row->sum.count / (double)row->sum.calls : NAN;
			row->per_cycle = cycles > 0 && !is_event(row->sum.event, "cycles")
						 ? row->sum.count / cycles
						 : NAN;
		}
	}
}
