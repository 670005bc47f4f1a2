/* losses.c: the parts of the threads' time and of the lost speed-up, with intervals, and what
 * contributed to each part. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "report/build.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "report/repeats.h"

void tally_add(struct tally *tally, int side, const char *name, double amount)
{
	struct tally_entry *entry;

	if (!(amount > 0))
		return;
	entry = memory_add(&tally->entries, &tally->count, sizeof *entry);
	entry->name = name;
	entry->amounts[side] = amount;
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

void tally_merge(struct tally *tally)
{
	tally->count = array_merge(tally->entries, tally->count, sizeof *tally->entries,
				   compare_entries, add_entry, NULL);
}

/* The thread count and category whose time is being tallied. */
struct place {
	const struct report *report;
	const struct report_row *row;
	enum category category;
	int side; /* of the tally: 0 for the base, 1 for the thread count compared with it */
};

static void tally_shapes(const struct place *place, struct tally *tally)
{
	EACH_AT(shape, place->report, shapes, place->row->threads)
		tally_add(tally, place->side, shape_name(&shape->sum.shape),
			  (double)shape->sum.total_ns);
}

const char *function_contributor(const struct report_function *function)
{
	return string_printf("%.90s (%.30s)", outer_function(function),
			     object_name(function->sum.location.object));
}

static void tally_code(const struct place *place, struct tally *tally)
{
	EACH_AT(function, place->report, functions, place->row->threads) {
		const char *object = object_name(function->sum.location.object);

		if (function->sum.code == RUN_CODE_BLAS ||
		    (function->sum.code == RUN_CODE_SPIN) != (place->category == CAT_SPIN) ||
		    !strcmp(object, "libblasprof.so")) /* what-ifs queue there, inside BLAS */
			continue;
		tally_add(tally, place->side, function_contributor(function),
			  (double)function->sum.samples);
	}
}

/* Tallies blocked time by the locks, barriers and so on that threads waited on, as the sampler saw
 * them; without waits of other threads than callers, for a CPU, in BLAS or MPI, and of which
 * nothing is known. */
static void tally_waits(const struct place *place, struct tally *tally)
{
	EACH_AT(wait, place->report, waits, place->row->threads) {
		if (!wait_is_waiting(wait, place->row) || !*wait->sum.function ||
		    !strcmp(wait->sum.kind, "unknown"))
			continue;
		tally_add(tally, place->side,
			  string_printf("%s: %.50s%s%.45s", wait->sum.kind, wait->sum.function,
					*wait->sum.caller ? ", called by " : "", wait->sum.caller),
			  (double)wait->sum.total_ns);
	}
}

static void tally_names(const struct place *place, struct tally *tally)
{
	EACH_RUN_AT(run, place->report, place->row->threads)
		EACH_ROW(thread, run->run->threads, run->run->nthreads)
			if (thread->calls)
				tally_add(tally, place->side,
					  string_printf("blocked: thread %.15s", thread->name),
					  (double)thread->times.ns[CAT_WAITING]);
}

/* Multiplies the amounts from this entry on by a factor, so that they add up to what was blocked by
 * the other clock; if they may be less, only if they are more. Returns their sum; if that is 0,
 * drops the entries. */
static double scale_from(const struct place *place, struct tally *tally, size_t first,
			 double blocked_ns, int may_be_less)
{
	double sum = 0, scale;

	for (size_t i = first; i < tally->count; i++)
		sum += tally->entries[i].amounts[place->side];
	scale = may_be_less ? fmin(blocked_ns / sum, 1) : blocked_ns / sum;
	for (size_t i = first; i < tally->count; i++)
		tally->entries[i].amounts[place->side] *= scale;
	if (!(scale > 0))
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
	named_ns = scale_from(place, tally, first, blocked_ns, 1);
	if (named_ns > 0) {
		tally_add(tally, place->side, "(blocked elsewhere)", blocked_ns - named_ns);
	} else {
		tally_names(place, tally);
		scale_from(place, tally, first, blocked_ns, 0);
	}
	if (row->account.parallel == PARALLEL_INNER) {
		tally_add(tally, place->side, "BLAS workers while the caller computes", rest_ns);
		return;
	}
	EACH_ROW(part, parts, COUNT(parts))
		sum_ns += part->ns;
	EACH_ROW(part, parts, COUNT(parts))
		tally_add(tally, place->side, part->name, rest_ns * part->ns / sum_ns);
	if (!(sum_ns > 0))
		tally_add(tally, place->side, "(not told apart)", rest_ns);
}

static void tally_no_cpu(const struct place *place, struct tally *tally)
{
	double left_ns = unknown_no_cpu_ns(place->row);

	EACH_ROW(ns, place->row->no_cpu_ns, NO_CPU_COUNT)
		tally_add(tally, place->side, no_cpu_names[ns - place->row->no_cpu_ns], *ns);
	/* ignore rounding errors */
	if (left_ns > 1e-6 * place->row->account.category_ns[CAT_NO_CPU])
		tally_add(tally, place->side, "(not told apart)", left_ns);
}

static void tally_mpi(const struct place *place, struct tally *tally)
{
	EACH_AT(mpi, place->report, mpi, place->row->threads)
		tally_add(tally, place->side, string_pooled(mpi->sum.routine),
			  (double)mpi->sum.total_ns);
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
	loss->contributor = contributor;
	loss->lost = lost;
}

static void split_category(struct report *report, const struct report_row *base,
			   const struct report_row *row, enum category category)
{
	const struct report_row *rows[] = {base, row};
	struct place place = {.report = report, .category = category};
	struct tally tally = {0};
	double scale[2]; /* the time for a unit of work that one unit of an amount stands for */
	int is_known = 1;

	for (place.side = 0; place.side < 2; place.side++) {
		place.row = rows[place.side];
		if (tallies[category])
			tallies[category](&place, &tally);
	}
	tally_merge(&tally);
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

void build_losses(struct report *report)
{
	const struct report_row *base = report_find_row(report, 1);

	EACH_ROW(row, report->rows, base ? report->nrows : 0)
		if (row != base && isfinite(row->speedup))
			EACH_CATEGORY(category)
				split_category(report, base, row, category);
	SORT(report->losses, report->nlosses, compare_losses);
}

/* What the figures of one run are computed with. */
struct context {
	enum category category;
	const struct report_row *row; /* the run's row */
	double all, lost, ideal;      /* of the row that lost speed-up */
};

static double wall_of(const struct account *run, const void *context)
{
	return run->wall_ns;
}

static double share_of(const struct account *run, const void *context)
{
	const struct context *of = context;

	return account_share(run, of->category);
}

/* How much longer one run took than the row on average for as much work, in units of the work of a
 * mean run. These add up to 0 over all runs of the row. */
static double excess(const struct account *run, const struct context *of, double per_work,
		     double time_ns)
{
	const struct account *sum = &of->row->account;

	return (time_ns - per_work * run->work) / (sum->work / sum->runs);
}

/* A loss is ideal * (xN - x1) / allN, with times for a unit of work. These return how much one run
 * changes it, to the first order (the delta method). */
static double moved_by_base(const struct account *run, const void *context)
{
	const struct context *of = context;
	double per_work = account_per_work(&of->row->account, of->category);

	return of->ideal / of->all * excess(run, of, per_work, run->category_ns[of->category]);
}

static double moved_by_point(const struct account *run, const void *context)
{
	const struct context *of = context;
	double all_ns = 0;

	EACH_CATEGORY(category)
		all_ns += run->category_ns[category];
	return moved_by_base(run, of) - of->lost / of->all * excess(run, of, of->all, all_ns);
}

/* The interval of the sum of the wall times, from that of their mean. */
static struct interval wall_range(const struct report *report, const struct report_row *row)
{
	struct repeats repeats = repeats_gather(report, row->threads, 0, wall_of, NULL);
	struct interval interval = stats_mean_interval(repeats.values, repeats.count);

	free(repeats.values);
	interval.low *= row->runs;
	interval.high *= row->runs;
	return repeats_range(row->account.wall_ns, interval, repeats.count);
}

static struct interval loss_range(const struct report *report, const struct report_row *base,
				  const struct report_row *row, enum category category)
{
	struct context of = {category, base, account_all_per_work(&row->account),
			     row->lost.lost[category], row->lost.ideal};
	struct repeats from = repeats_gather(report, base->threads, 0, moved_by_base, &of), to;
	struct interval difference;

	of.row = row;
	to = repeats_gather(report, row->threads, 0, moved_by_point, &of);
	difference = stats_difference_interval(to.values, to.count, from.values, from.count);
	free(from.values);
	free(to.values);
	return repeats_range(of.lost, difference, MIN(from.count, to.count));
}

void build_parts(struct report *report)
{
	const struct report_row *base = report_find_row(report, 1);

	EACH_ROW(row, report->rows, report->nrows) {
		struct context of = {.row = row};
		int loses = base && row != base && isfinite(row->speedup);

		row->wall_range = wall_range(report, row);
		EACH_CATEGORY(category) {
			struct report_part *part =
				memory_add(&report->parts, &report->nparts, sizeof *part);

			of.category = category;
			part->threads = row->threads;
			part->what_if = row->what_if;
			part->part = time_categories[category].label;
			part->time_ns = row->account.category_ns[category];
			part->share = share_of(&row->account, &of);
			part->share_range = repeats_mean_range(report, row->threads, part->share,
							       share_of, &of);
			part->lost = loses ? row->lost.lost[category] : NAN;
			part->lost_range = loses ? loss_range(report, base, row, category)
						 : (struct interval){NAN, NAN, NAN};
			row->share_range[category] = part->share_range;
			row->lost_range[category] = part->lost_range;
		}
	}
}
