/* losses.c: splits each part of the lost speed-up into what contributed to it. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "report/build.h"
#include "base/array.h"
#include "base/memory.h"

/* A contributor's amount of a category's time at the base (0) and at the thread count (1) that are
 * compared. The unit does not matter, since only shares of the sum are used. */
struct tally_entry {
	char name[128];
	double amounts[2];
};
struct tally {
	struct tally_entry *entries;
	size_t count;
	int side; /* that amounts are added to */
};

static void tally_add(struct tally *tally, const char *name, double amount)
{
	struct tally_entry *entry;

	if (!(amount > 0))
		return;
	entry = memory_add(&tally->entries, &tally->count, sizeof *entry);
	snprintf(entry->name, sizeof entry->name, "%.127s", name);
	entry->amounts[tally->side] = amount;
}

static int compare_entries(const void *left, const void *right, void *context)
{
	return strcmp(((const struct tally_entry *)left)->name,
		      ((const struct tally_entry *)right)->name);
}

static void add_entry(void *into, const void *row)
{
	struct tally_entry *sum = into;
	const struct tally_entry *entry = row;

	sum->amounts[0] += entry->amounts[0];
	sum->amounts[1] += entry->amounts[1];
}

/* The thread count and category whose time is being tallied. */
struct place {
	const struct run *runs;
	const struct report *report;
	const struct report_row *row;
	enum category category;
};

static void tally_shapes(const struct place *place, struct tally *tally)
{
	char name[SHAPE_NAME_MAX];

	EACH_ROW(shape, place->report->shapes, place->report->nshapes)
		if (shape->threads == place->row->threads)
			tally_add(tally, shape_name(&shape->sum.shape, name),
				  (double)shape->sum.total_ns);
}

static void tally_code(const struct place *place, struct tally *tally)
{
	char name[512];

	EACH_ROW(function, place->report->functions, place->report->nfunctions) {
		const char *object = object_name(function->sum.location.object);

		if (function->threads != place->row->threads ||
		    function->sum.code == RUN_CODE_BLAS ||
		    (function->sum.code == RUN_CODE_SPIN) != (place->category == CAT_SPIN) ||
		    !strcmp(object, "libblasprof.so")) /* what-ifs queue there, inside BLAS */
			continue;
		snprintf(name, sizeof name, "%.90s (%.30s)", outer_function(function), object);
		tally_add(tally, name, (double)function->sum.samples);
	}
}

/* Tallies blocked time by the locks, barriers and so on that threads waited on, as the sampler saw
 * them; without waits of other threads than callers, for a CPU, inside BLAS, and of which nothing
 * is known. */
static void tally_waits(const struct place *place, struct tally *tally)
{
	char name[128];

	EACH_ROW(wait, place->report->waits, place->report->nwaits) {
		if (wait->threads != place->row->threads || !wait->is_caller || wait->sum.in_blas ||
		    !*wait->sum.function || !strcmp(wait->sum.kind, "run queue") ||
		    !strcmp(wait->sum.kind, "unknown"))
			continue;
		snprintf(name, sizeof name, "%s: %.50s", wait->sum.kind, wait->sum.function);
		if (*wait->sum.caller)
			SAY(name, ", called by %.45s", wait->sum.caller);
		tally_add(tally, name, (double)wait->sum.total_ns);
	}
}

/* Tallies blocked time by the region it was in. */
static void tally_regions(const struct place *place, struct tally *tally)
{
	char name[64];

	EACH_ROW(region, place->report->regions, place->report->nregions) {
		snprintf(name, sizeof name, "blocked in region %s", region->sum.name);
		if (region->threads == place->row->threads)
			tally_add(tally, name, (double)region->sum.times.ns[CAT_WAITING]);
	}
}

/* Tallies blocked time by the names of the calling threads. */
static void tally_names(const struct place *place, struct tally *tally)
{
	char name[64];

	EACH_ROW(row, place->report->runs, place->report->nruns) {
		const struct run *run = &place->runs[row - place->report->runs];

		if (!row->used || row->threads != place->row->threads)
			continue;
		EACH_ROW(thread, run->threads, run->nthreads) {
			snprintf(name, sizeof name, "blocked: thread %.15s", thread->name);
			if (thread->calls)
				tally_add(tally, name, (double)thread->times.ns[CAT_WAITING]);
		}
	}
}

/* Multiplies the amounts from this entry on by a factor, so that they add up to what was blocked by
 * the other clock; if they may be less, only if they are more. Returns their sum; if that is 0,
 * drops the entries. */
static double scale_from(struct tally *tally, size_t first, double blocked_ns, int may_be_less)
{
	double sum = 0, scale;

	for (size_t i = first; i < tally->count; i++)
		sum += tally->entries[i].amounts[tally->side];
	scale = may_be_less ? fmin(blocked_ns / sum, 1) : blocked_ns / sum;
	for (size_t i = first; i < tally->count; i++)
		tally->entries[i].amounts[tally->side] *= scale;
	if (!(scale * sum > 0))
		tally->count = first;
	return scale * sum;
}

/* Splits waiting into the time in which threads were blocked and the rest: the time in which some
 * of the N threads did not exist or, if only BLAS is parallel, its workers had nothing to do. The
 * profiler's own cost reduces all parts of that rest by the same factor. */
static void tally_waiting(const struct place *place, struct tally *tally)
{
	const struct report_row *row = place->row;
	double waiting_ns = row->account.category_ns[CAT_WAITING];
	double blocked_ns = fmin(row->blocked_ns, waiting_ns), rest_ns = waiting_ns - blocked_ns;
	double named_ns, sum_ns = 0;
	size_t first = tally->count;
	const struct {
		const char *name;
		double ns;
	} parts[] = {
		{"threads that never were there", row->account.absent_ns},
		{"threads not yet started", row->account.late_ns},
		{"threads at an end before the slowest", row->account.ended_ns},
	};

	tally_waits(place, tally);
	named_ns = scale_from(tally, first, blocked_ns, 1);
	if (named_ns > 0) {
		tally_add(tally, "blocked elsewhere", blocked_ns - named_ns);
	} else {
		tally_regions(place, tally);
		named_ns = scale_from(tally, first, blocked_ns, 1);
		if (named_ns > 0) {
			tally_add(tally, "blocked outside of regions", blocked_ns - named_ns);
		} else {
			tally_names(place, tally);
			scale_from(tally, first, blocked_ns, 0);
		}
	}
	if (row->account.parallel == PARALLEL_INNER) {
		tally_add(tally, "BLAS workers while the caller computes", rest_ns);
		return;
	}
	EACH_ROW(part, parts, COUNT(parts))
		sum_ns += part->ns;
	EACH_ROW(part, parts, COUNT(parts))
		tally_add(tally, part->name, rest_ns * part->ns / sum_ns);
	if (!(sum_ns > 0))
		tally_add(tally, "not told apart", rest_ns);
}

static void tally_no_cpu(const struct place *place, struct tally *tally)
{
	double left_ns = place->row->account.category_ns[CAT_NO_CPU];

	EACH_ROW(ns, place->row->no_cpu_ns, NO_CPU_COUNT) {
		tally_add(tally, no_cpu_names[ns - place->row->no_cpu_ns], *ns);
		left_ns -= *ns;
	}
	/* ignore rounding errors */
	if (left_ns > 1e-6 * place->row->account.category_ns[CAT_NO_CPU])
		tally_add(tally, "(not told apart)", left_ns);
}

static void tally_mpi(const struct place *place, struct tally *tally)
{
	EACH_ROW(mpi, place->report->mpi, place->report->nmpi)
		if (mpi->threads == place->row->threads)
			tally_add(tally, mpi->sum.routine, (double)mpi->sum.total_ns);
}

/* Tallies the time of a category by contributor; NULL if its time is not told apart. */
static void (*const tallies[CAT_COUNT])(const struct place *place, struct tally *tally) = {
	[CAT_BLAS] = tally_shapes,   [CAT_OTHER] = tally_code, [CAT_WAITING] = tally_waiting,
	[CAT_NO_CPU] = tally_no_cpu, [CAT_MPI] = tally_mpi,    [CAT_SPIN] = tally_code,
};

static void add_loss(struct report *report, const struct report_row *row, enum category category,
		     const char *contributor, double lost)
{
	struct report_loss *loss = memory_add(&report->losses, &report->nlosses, sizeof *loss);

	loss->threads = row->threads;
	loss->category = category;
	loss->part = time_categories[category].label;
	snprintf(loss->contributor, sizeof loss->contributor, "%s", contributor);
	loss->lost = lost;
}

/* Adds the losses of a category by contributor. */
static void split_category(const struct run *runs, struct report *report,
			   const struct report_row *base, const struct report_row *row,
			   enum category category)
{
	const struct report_row *rows[] = {base, row};
	struct place place = {.runs = runs, .report = report, .category = category};
	struct tally tally = {0};
	double scale[2]; /* the time for a unit of work that one unit of an amount stands for */
	int is_known = 1;

	for (tally.side = 0; tally.side < 2; tally.side++) {
		place.row = rows[tally.side];
		if (tallies[category])
			tallies[category](&place, &tally);
	}
	tally.count = array_merge(tally.entries, tally.count, sizeof *tally.entries,
				  compare_entries, add_entry, NULL);
	for (int side = 0; side < 2; side++) {
		double per_work = account_per_work(&rows[side]->account, category), sum = 0;

		EACH_ROW(entry, tally.entries, tally.count)
			sum += entry->amounts[side];
		scale[side] = sum > 0 ? per_work / sum : 0;
		is_known &= sum > 0 || !(per_work > 0);
	}
	if (!is_known)
		add_loss(report, row, category, "(not told apart)", row->lost.lost[category]);
	EACH_ROW(entry, tally.entries, is_known ? tally.count : 0)
		add_loss(report, row, category, entry->name,
			 row->lost.ideal / account_all_per_work(&row->account) *
				 (entry->amounts[1] * scale[1] - entry->amounts[0] * scale[0]));
	free(tally.entries);
}

COMPARE(compare_losses, struct report_loss,
	ORDER(a->threads, b->threads) ?: ORDER(a->category, b->category) ?: ORDER(b->lost, a->lost))

void build_losses(const struct run *runs, struct report *report)
{
	const struct report_row *base = report_find_row(report, 1);

	for (size_t i = 0; i < report->nrows && base; i++) {
		const struct report_row *row = &report->rows[i];

		if (row == base || !isfinite(row->speedup))
			continue;
		EACH_CATEGORY(category)
			split_category(runs, report, base, row, category);
	}
	if (report->nlosses)
		qsort(report->losses, report->nlosses, sizeof *report->losses, compare_losses);
}
