/* counters.c: merges the counted events of many runs into one row for each thread count. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/build.h"
#include "report/counters.h"
#include "base/array.h"

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	const struct run_counter *x = a->row, *y = b->row;
	int result = order_numbers(a->threads, b->threads);

	result = result ? result : strcmp(x->event, y->event);
	return result ? result : strcmp(x->unit, y->unit);
}

/* Sums, from the first run on: a part that one run does not know is not known of all. */
static void add_counter(const struct run_counter *from, struct report_counter *row)
{
	const double counted = isfinite(from->counted) ? from->counted : 0;

	row->runs++;
	row->count += from->count;
	row->blas += from->blas;
	row->other += from->other;
	row->kernel += from->kernel;
	row->outside += from->outside;
	row->exact_blas += from->exact_blas;
	row->exact_other += from->exact_other;
	row->counted = fmin(row->counted, counted);
	row->user_only |= from->user_only != 0;
	if (row->runs == 1)
		memcpy(row->split, from->split, sizeof row->split);
	else if (strcmp(row->split, from->split) != 0)
		row->split[0] = '\0';
}

static size_t merge_counter(const struct items *all, size_t first, struct report_counter *row)
{
	const struct run_counter *counter = all->items[first].row;
	size_t i = first;

	row->threads = all->items[first].threads;
	row->counted = 1;
	row->flops_each = counter->flops_each;
	memcpy(row->event, counter->event, sizeof row->event);
	memcpy(row->unit, counter->unit, sizeof row->unit);
	while (i < all->count && !compare_items(&all->items[first], &all->items[i]))
		add_counter(all->items[i++].row, row);
	return i - first;
}

/* A program without BLAS calls has no thread count; the counters of its newest run are shown. */
static int gather(const struct run *runs, const struct report *report, struct items *all)
{
	const struct run *newest = report->nruns ? &runs[report->nruns - 1] : NULL;

	if (report->nrows || !newest)
		return gather_items(runs, report, RUN_PART_COUNTERS, compare_items, all);
	for (size_t i = 0; i < newest->ncounters; i++) {
		struct item *item = array_add(&all->items, &all->count, sizeof *item);

		if (!item)
			return -1;
		*item = (struct item){0, &newest->counters[i]};
	}
	return 0;
}

/* A thread that makes calls is a caller; one that makes none and counts most in BLAS is its worker.
 */
static double *role_of(const struct run *run, const struct run_thread_counter *part,
		       struct report_counter *row)
{
	for (size_t i = 0; i < run->nthreads; i++)
		if (run->threads[i].pid == part->pid && run->threads[i].tid == part->tid &&
		    run->threads[i].calls)
			return &row->callers;
	return part->blas > part->other + part->kernel ? &row->workers : &row->others;
}

static void add_threads(const struct run *runs, const struct report *report,
			struct report_counter *row)
{
	for (size_t i = 0; i < report->nruns; i++)
		for (size_t j = 0;
		     report->runs[i].used && report->runs[i].threads == row->threads &&
		     j < runs[i].nthread_counters;
		     j++) {
			const struct run_thread_counter *part = &runs[i].thread_counters[j];

			if (!strcmp(part->event, row->event))
				*role_of(&runs[i], part, row) +=
					part->blas + part->other + part->kernel;
		}
	if (row->callers + row->workers + row->others > 0)
		return;
	row->callers = row->workers = row->others = NAN;
}

/* Energy is the whole machine's: its part in the region goes by the clock, and is split by what the
 * threads spent their time on. */
static void split_by_time(const struct report *report, struct report_counter *row)
{
	const struct report_row *point = report_find_row(report, row->threads);
	double roi_ns = 0, elapsed_ns = 0, all_ns, inside;

	for (size_t i = 0; i < report->nruns; i++)
		if (report->runs[i].used && report->runs[i].threads == row->threads) {
			roi_ns += (double)report->runs[i].roi_ns;
			elapsed_ns += (double)report->runs[i].elapsed_ns;
		}
	if (!point || !(elapsed_ns > 0))
		return;
	all_ns = point->threads * point->account.wall_ns;
	inside = row->count * fmin(roi_ns / elapsed_ns, 1);
	row->blas = inside * point->account.category_ns[CAT_BLAS] / all_ns;
	row->other = inside * point->account.category_ns[CAT_OTHER] / all_ns;
	row->waiting = inside - row->blas - row->other;
	row->outside = row->count - inside;
	strcpy(row->split, "time");
}

int report_counter_is_energy(const struct report_counter *row)
{
	return !strcasecmp(row->unit, "Joules");
}

const struct report_counter *report_find_counter(const struct report *report, int threads,
						 const char *event)
{
	size_t length = strlen(event);

	for (size_t i = 0; i < report->ncounters; i++) {
		const struct report_counter *row = &report->counters[i];

		if (row->threads == threads && !strncasecmp(row->event, event, length) &&
		    (!row->event[length] || row->event[length] == ':'))
			return row;
	}
	return NULL;
}

/* What it comes to in each cycle and each unit of work. */
static void set_ratios(const struct report *report, struct report_counter *row)
{
	const struct report_counter *cycles = report_find_counter(report, row->threads, "cycles");
	const struct report_row *point = report_find_row(report, row->threads);

	row->per_work = point && point->account.work > 0
				? (row->count - (isfinite(row->outside) ? row->outside : 0)) /
					  point->account.work
				: NAN;
	row->per_cycle = row->per_cycle_blas = row->per_cycle_other = NAN;
	if (!cycles || cycles == row || *row->unit)
		return;
	row->per_cycle = cycles->count > 0 ? row->count / cycles->count : NAN;
	row->per_cycle_blas = cycles->blas > 0 ? row->blas / cycles->blas : NAN;
	row->per_cycle_other = cycles->other > 0 ? row->other / cycles->other : NAN;
}

/* The order in which the newest run that has it was told to count. */
static size_t asked_place(const struct run *runs, const struct report *report, const char *event)
{
	for (size_t i = report->nruns; i--;)
		for (size_t j = 0; j < runs[i].ncounters; j++)
			if (!strcmp(runs[i].counters[j].event, event))
				return j;
	return 0;
}

static int compare_counters(const void *left, const void *right)
{
	const struct report_counter *a = left, *b = right;
	int result = order_numbers(a->threads, b->threads);

	return result ? result : order_numbers((int64_t)a->place, (int64_t)b->place);
}

int build_counters(const struct run *runs, struct report *report)
{
	struct items all = {0};
	int result = gather(runs, report, &all);

	for (size_t i = 0; i < all.count && !result;) {
		struct report_counter *row =
			array_add(&report->counters, &report->ncounters, sizeof *row);

		if (!row) {
			result = -1;
			break;
		}
		i += merge_counter(&all, i, row);
		row->waiting = NAN;
		row->place = asked_place(runs, report, row->event);
		add_threads(runs, report, row);
		if (report_counter_is_energy(row))
			split_by_time(report, row);
	}
	free(all.items);
	if (report->ncounters)
		qsort(report->counters, report->ncounters, sizeof *report->counters,
		      compare_counters);
	for (size_t i = 0; i < report->ncounters; i++)
		set_ratios(report, &report->counters[i]);
	return result;
}
