/* parts.c: the parts of the threads' time and of the lost speed-up, with intervals. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "model/stats.h"
#include "report/build.h"
#include "report/repeats.h"
#include "base/array.h"
#include "base/memory.h"

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

	return run->category_ns[of->category] / (run->threads * run->wall_ns);
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
static struct report_range wall_range(const struct report *report, const struct report_row *row)
{
	struct repeats repeats = repeats_gather(report, row->threads, 0, wall_of, NULL);
	struct interval interval = stats_mean_interval(repeats.values, repeats.count);

	free(repeats.values);
	interval.low *= row->runs;
	interval.high *= row->runs;
	return repeats_range(row->account.wall_ns, interval, repeats.count);
}

static struct report_range loss_range(const struct report *report, const struct report_row *base,
				      const struct report_row *row, enum category category)
{
	struct context of = {category, base, account_all_per_work(&row->account),
			     row->lost.lost[category], row->lost.ideal};
	struct repeats from = repeats_gather(report, base->threads, 0, moved_by_base, &of), to;
	struct welch welch;

	of.row = row;
	to = repeats_gather(report, row->threads, 0, moved_by_point, &of);
	welch = stats_welch(from.values, from.count, to.values, to.count);
	free(from.values);
	free(to.values);
	return repeats_range(of.lost, welch.difference,
			     from.count < to.count ? from.count : to.count);
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
						 : (struct report_range){NAN, NAN};
			row->share_range[category] = part->share_range;
			row->lost_range[category] = part->lost_range;
		}
	}
}
