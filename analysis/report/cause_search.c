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
#include "report/cause_text.h"
#include "report/warnings.h"

/* Says so if threads wait for most of the time, since f, a share of the work, matters little then.
 */
static void say_idle(const struct search *search, struct report_cause *none)
{
	const struct account *account = &search->row->account;
	double all_ns = account->threads * account->wall_ns,
	       spun_ns = account->category_ns[CAT_SPIN];
	double idle_ns = spun_ns + account->category_ns[CAT_WAITING];
	const struct report_function *loop = find_loop(search, 0);
	const struct report_wait *wait = find_longest(search, wait_is_waiting);

	if (account->parallel != PARALLEL_CALLERS || !(idle_ns > all_ns / 2))
		return;
	SAY(none->sentence, "; %.0f %% of the time %s", 100 * idle_ns / all_ns,
	    account->threads == 1 ? "it waits" : "they wait");
	if (spun_ns > idle_ns / 2) {
		if (loop)
			none->place = loop_place(search, loop);
		SAY(none->sentence, "%s, spinning",
		    loop && is_gpu_wait(&loop->sum.location) ? " for a GPU" : "");
		wait = NULL;
	}
	for (size_t i = 0; i < wait_causes_count && wait; i++)
		if (!strcmp(wait->sum.kind, wait_causes[i].kind)) {
			SAY(none->sentence, " for %s", wait_causes[i].what);
			none->place = wait_place(wait);
		}
	if (*none->place)
		SAY(none->sentence, ", most in %s", none->place);
}

/* Says what one thread count alone tells, and the command that would tell more. */
static void add_prospect(struct search *search)
{
	const struct report_row *row = search->row;
	const struct report *report = search->report;
	double share, estimate = report->scaling.f_estimated
					 ? row->throughput / report->scaling.base.throughput
					 : NAN;
	const struct report_way *samples = report_matrix_share(row) >= LOSS_MIN
						   ? report_way_samples(report, row->threads)
						   : NULL;
	const struct report_function *nameless = report_nameless(report, row->threads, &share);
	char command[CAUSE_SENTENCE_MAX];
	struct report_cause *none = add_cause(search, CAUSE_NONE, NAN);

	SAY(none->sentence, "%s: ", human_noun(row->threads, "thread"));
	if (samples) {
		SAY(none->sentence,
		    "%.0f %% of the work is matrix work, by samples: %.0f %% in BLAS calls, %.0f "
		    "%% by other names, most in %s",
		    100 * row->account.f_sampled, 100 * row->account.f_intercepted,
		    100 * report_matrix_share(row), samples->hottest);
		none->cause = cause_kinds[CAUSE_OUTSIDE_BLAS].name;
		none->place = samples->hottest;
	} else {
		if (isfinite(row->account.f_intercepted) && row->account.calls > 0)
			SAY(none->sentence, "%.0f %% of the work is in BLAS",
			    100 * row->account.f_intercepted);
		else if (isfinite(row->account.f_intercepted))
			SAY(none->sentence, "no BLAS call was seen");
		else
			SAY(none->sentence, "nothing computes for long enough to be measured");
		if (row->account.f_intercepted <= 0 && !(row->account.calls > 0) &&
		    row->account.f_sampled >= LOSS_MIN)
			SAY(none->sentence, ", but %.0f %% of the work is in BLAS, by samples",
			    100 * row->account.f_sampled);
		if (isfinite(estimate))
			SAY(none->sentence,
			    "; they give about %.2f of %d, estimated from their fastest calls",
			    estimate, row->threads);
	}
	if (nameless)
		SAY(none->sentence,
		    "; %.0f %% is in %s, which has no symbols, so matrix work in it cannot be "
		    "identified",
		    100 * share, object_name(nameless->sum.location.object));
	if (report_little_blas(report)) {
		SAY(none->sentence, ": BLAS's threads can make it at most %.2f times as fast",
		    1 / (1 - row->account.category_ns[CAT_BLAS] / row->account.wall_ns));
		SAY(none->remedy, "look at the other code");
		say_other_place(search, none->remedy);
		SAY(none->remedy, "%s", row->main_imports > (1 - row->f_on_cpu) / 2 ? IMPORTS : "");
	} else if (report_next_command(report, command, sizeof command)) {
		SAY(none->remedy, "for the speed-up, run: %s", command);
	} else if (!(row->account.work > 0)) {
		SAY(none->remedy, "for the speed-up, say what counts as work: --work");
	} else if (report_idle_pool(report) > 0 && !report_fact(report, "mpi.rank")) {
		SAY(none->remedy,
		    "BLAS has %d threads, but its calls keep only one busy: give it larger "
		    "matrices, or call it from several threads",
		    report_idle_pool(report) + 1);
	}
	if (!*none->place)
		say_idle(search, none);
}

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
	if (!isfinite(row->speedup))
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

		row->blas_place = find_blas_place(&search);
		find_causes(&search);
	}
	forget_stacks(&loaded);
	SORT(report->causes, report->ncauses, compare_causes);
}
