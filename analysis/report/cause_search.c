/* cause_search.c: the search for what the speed-up was lost to. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/causes.h"
#include "base/array.h"
#include "base/human.h"
#include "base/string_pool.h"
#include "report/cause_place.h"
#include "report/warnings.h"

/* Adds the loss that no cause explains, and where most of it waits, or how it is spent. */
static void add_unexplained(struct search *search, double lost)
{
	const struct report_wait *wait = find_longest(search, is_meeting);
	struct report_cause *none = add_cause(search, CAUSE_NONE, lost);
	enum category largest = CAT_BLAS;
	char command[512];

	EACH_CATEGORY(category)
		if (search->left[category] > search->left[largest])
			largest = category;
	SAY(none->sentence, "%.2f of %d threads are lost, and not explained", lost,
	    search->row->threads);
	if (!wait || search->left[CAT_WAITING] < lost / 2) {
		const char *contributor = loss_place(search, largest);

		SAY(none->sentence, ": mostly %s%s%s%s", time_categories[largest].label,
		    *contributor ? " (" : "", contributor, *contributor ? ")" : "");
		return;
	}
	none->place = wait_place(wait);
	SAY(none->sentence, ": most wait at the %s in %s, %s each time", wait->sum.kind,
	    none->place, human_time(wait_each_ns(wait)));
	report_command(search->report, "--by=wait", command, sizeof command);
	SAY(none->remedy, "see what other threads wait for meanwhile: %s", command);
}

/* Returns 1 if the threads idle for a larger part of each run than of any run with one thread, by
 * LOSS_MIN. Each run measures that by itself, so it holds if the lengths of the runs differ. */
static int idles_in_each_run(const struct search *search)
{
	double most = 0, least = INFINITY;

	EACH_ROW(run, search->report->runs, search->report->nruns) {
		double idle = idle_share(&run->account);

		if (run->used && run->threads == 1)
			most = fmax(most, idle);
		if (run->used && run->threads == search->row->threads)
			least = fmin(least, idle);
	}
	return isfinite(least) && least >= most + LOSS_MIN;
}

/* Adds a cause whose sentence is the speed-up and this text. */
static struct report_cause *add_speedup(struct search *search, enum cause cause, double lost,
					const char *text)
{
	const struct report_row *row = search->row;
	struct report_cause *added = add_cause(search, cause, lost);

	SAY(added->sentence, "%d threads give a speed-up of %.2f (%s)%s", row->threads,
	    row->speedup, report_ideal_text(search->report, row), text);
	return added;
}

/* what: "why", or the part of the loss that is meant. */
static void add_too_noisy(struct search *search, double lost, const char *what)
{
	const struct interval *range = &search->row->speedup_range;
	const char *text =
		string_printf(", but the 95 %% interval is %.2f to %.2f: too noisy to say %s",
			      fmax(range->low, 0), range->high, what);
	struct report_cause *noisy = add_speedup(search, CAUSE_TOO_NOISY, lost, text);

	SAY(noisy->remedy, "run it for longer and more often (-r 10), while nothing else runs");
}

/* CPUs in use with one thread asked for, from which on other threads do work as well. */
#define BUSY_MIN 1.5

/* Returns how many threads compute with one asked for, if they are several, being BLAS's own or
 * keeping other CPUs busy as well, and if there are hardly more of them at this thread count, so
 * that the command does not obey it; else 0. */
static int threads_regardless(const struct search *search)
{
	const struct report_row *base = search->base;
	const struct account *row = &search->row->account, *one = &base->account;
	int threads = one->participants + one->workers;
	int more = row->participants + row->workers - threads;

	if (threads < 2 || 2 * more >= row->threads - 1)
		return 0;
	if (threads > base->cpus_available) /* one after the other, if not more than CPUs at once */
		threads = (int)ceil(base->on_cpu_ns / one->wall_ns);
	return one->workers || base->on_cpu_ns - one->category_ns[CAT_SPIN] >
				       BUSY_MIN * one->wall_ns
		       ? threads
		       : 0;
}

static void add_regardless(struct search *search, double lost, int threads)
{
	const struct report *report = search->report;
	const struct report_row *row = search->row;
	struct report_cause *none = add_cause(search, CAUSE_NONE, lost);

	SAY(none->sentence,
	    "%d threads compute, whether 1 or %d are asked for: the command does not obey the "
	    "thread count",
	    threads, row->threads);
	SAY(none->remedy,
	    "pass the count on, by {} in the command or by a variable: "
	    "--threads-env=%s",
	    report_runs_openmp(report, row->threads) ? "OMP_NUM_THREADS"
	    : row->account.workers		     ? report_threads_variable(report)
						     : "NAME");
}

/* Looks for the causes of the loss; if it is smaller than the noise, only for those for which
 * threads idle. */
static void explain_loss(struct search *search, double lost, int is_noisy)
{
	const struct report_row *row = search->row;
	struct report *report = search->report;
	size_t before = report->ncauses;
	double largest = 0, left = 0, unclear = 0;

	split_loss(search);
	EACH_CATEGORY(category)
		if (is_noisy && !is_idle(category)) {
			unclear += search->left[category];
			search->left[category] = 0;
		}
#define FIND(name) find_##name(search);
	CAUSE_FINDERS(FIND)
#undef FIND
	EACH_HERE(cause, search, causes) {
		const char *rest = string_pooled(cause->sentence);

		snprintf(cause->sentence, sizeof cause->sentence, "%.2f of %d threads %s",
			 cause->lost, row->threads, rest);
		largest = fmax(largest, cause->share);
	}
	if (is_noisy && largest < LOSS_MIN) {
		report->ncauses = before;
		add_too_noisy(search, lost, "why");
		return;
	}
	if (is_noisy)
		add_too_noisy(search, unclear, "why calls and other code lose the rest");
	if (largest < LOSS_MIN && lost <= 2 * LOSS_MIN * row->lost.ideal) {
		report->ncauses = before;
		add_speedup(
			search, CAUSE_NONE, lost,
			string_printf(": no single cause loses more than %.0f %%", 100 * LOSS_MIN));
		return;
	}
	/* without a run of one thread, only time without a CPU is known to be lost */
	EACH_CATEGORY(category)
		if (isfinite(row->speedup) || category == CAT_NO_CPU)
			left += search->left[category];
	if (left >= LOSS_MIN * row->threads)
		add_unexplained(search, left);
	if (isfinite(row->speedup))
		return;
	if (largest < LOSS_MIN && left < LOSS_MIN * row->threads)
		report->ncauses = before;
	add_prospect(search);
}

static void find_causes(struct search *search)
{
	const struct report_row *row = search->row;
	double ideal = row->lost.ideal, lost = ideal - row->speedup;
	int is_noisy = row->speedup_range.high >= ideal;
	int regardless = threads_regardless(search);

	if (row->threads == 1) {
		if (search->report->nrows == 1)
			add_prospect(search);
	} else if (lost <= LOSS_MIN * ideal) {
		add_speedup(search, CAUSE_NONE, fmax(lost, 0),
			    lost < -LOSS_MIN * ideal ? ": more than threads alone can give"
						     : ": next to nothing is lost");
	} else if (regardless) {
		add_regardless(search, lost, regardless);
	} else if (is_noisy && !idles_in_each_run(search)) {
		add_too_noisy(search, lost, "why");
	} else {
		explain_loss(search, lost, is_noisy);
	}
}

COMPARE(compare_causes, struct report_cause,
	ORDER(b->threads, a->threads) ?: ORDER(isnan(a->lost), isnan(b->lost)) ?:
	ORDER(b->lost, a->lost))

void build_causes(struct report *report)
{
	const struct report_row *base = report_find_row(report, 1);
	const struct scaling *scaling = &report->scaling;
	struct report_row estimate = {.threads = 1, .account.work = 1};
	struct run loaded = {0};

	estimate.account.category_ns[CAT_BLAS] = scaling->base.blas_per_work;
	estimate.account.category_ns[CAT_OTHER] = scaling->base.other_per_work;
	EACH_ROW(row, report->rows, report->nrows) {
		struct search search = {.report = report,
					.row = row,
					.base = base ?: &estimate,
					.is_measured = base != NULL,
					.raised = 1,
					.loaded = &loaded};

		if (!isfinite(scaling->base.other_per_work)) {
			/* the same computing, by a thread that never waits and has a CPU */
			estimate.account.category_ns[CAT_BLAS] =
				account_per_work(&row->account, CAT_BLAS);
			estimate.account.category_ns[CAT_OTHER] =
				account_per_work(&row->account, CAT_OTHER);
		}
		row->blas_place = find_blas_place(&search);
		row->other_place = find_other_place(&search);
		find_causes(&search);
	}
	forget_stacks(&loaded);
	SORT(report->causes, report->ncauses, compare_causes);
}
