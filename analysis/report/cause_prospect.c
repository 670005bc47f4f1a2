/* cause_prospect.c: what one thread count alone tells. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/cause_place.h"
#include "report/cause_text.h"
#include "base/human.h"

/* A smaller share is printed as 0 %; numpy's import alone makes a call. */
#define BLAS_MIN 0.005

/* Says so if threads wait for most of the time, since f, a share of the work, matters little then.
 */
static void say_idle(const struct search *search, struct report_cause *none)
{
	const struct account *account = &search->row->account;
	double spins = account_share(account, CAT_SPIN);
	double idle = spins + account_share(account, CAT_WAITING);
	const struct report_function *loop = find_loop(search, 0);
	const struct report_wait *wait = find_longest(search, wait_is_waiting);
	const char *place = "";

	if (account->parallel != PARALLEL_CALLERS || !(idle > 0.5))
		return;
	SAY(none->sentence, "; %.0f %% of the time %s", 100 * idle,
	    account->threads == 1 ? "it waits" : "they wait");
	if (spins > idle / 2) {
		if (loop)
			place = loop_place(search, loop);
		SAY(none->sentence, "%s, spinning",
		    loop && is_gpu_wait(&loop->sum.location) ? " for a GPU" : "");
		wait = NULL;
	}
	for (size_t i = 0; i < wait_causes_count && wait; i++)
		if (!strcmp(wait->sum.kind, wait_causes[i].kind)) {
			SAY(none->sentence, " for %s", wait_what(&wait_causes[i], wait));
			place = wait_place(wait);
		}
	if (*place) {
		none->place = place;
		SAY(none->sentence, ", most in %s", place);
	}
}

/* Says how much of the work is in BLAS, or else done by matrix code of other names. */
static void say_blas_share(const struct search *search, struct report_cause *none)
{
	const struct report_row *row = search->row;
	const struct account *account = &row->account;
	const struct report_way *samples =
		report_matrix_share(row) >= LOSS_MIN
			? report_way_samples(search->report, row->threads)
			: NULL;

	if (samples) {
		SAY(none->sentence,
		    "%.0f %% of the work is matrix work, by samples: %.0f %% in BLAS calls, %.0f "
		    "%% by other names, most in %s",
		    100 * account->f_sampled, 100 * account->f_intercepted,
		    100 * report_matrix_share(row), samples->hottest);
		none->cause = cause_kinds[CAUSE_OUTSIDE_BLAS].name;
		none->place = samples->hottest;
		return;
	}
	if (!isfinite(account->f_intercepted))
		SAY(none->sentence, "nothing computes for long enough to be measured");
	else if (account->calls > 0)
		SAY(none->sentence, "%.0f %% of the work is in BLAS", 100 * account->f_intercepted);
	else
		SAY(none->sentence, "no BLAS call was seen");
	if (account->f_intercepted <= 0 && !(account->calls > 0) && account->f_sampled >= LOSS_MIN)
		SAY(none->sentence, ", but %.0f %% of the work is in BLAS, by samples",
		    100 * account->f_sampled);
	if (search->report->scaling.f_estimated &&
	    isfinite(row->throughput / search->report->scaling.base.throughput))
		SAY(none->sentence,
		    "; they give about %.2f of %d, estimated from their fastest calls",
		    row->throughput / search->report->scaling.base.throughput, row->threads);
}

/* Says what to do to learn more, or to get faster. */
static void say_next(const struct search *search, struct report_cause *none)
{
	const struct report_row *row = search->row;
	const struct report *report = search->report;
	char command[CAUSE_SENTENCE_MAX];

	if (report_little_blas(report)) {
		if (row->account.f_intercepted >= BLAS_MIN)
			SAY(none->sentence,
			    ": BLAS's threads can make it at most %.2f times as fast",
			    1 / (1 - row->account.category_ns[CAT_BLAS] / row->account.wall_ns));
		SAY(none->remedy, "look at the other code");
		say_other_place(search, none->remedy);
		SAY(none->remedy, "%s", row->main_imports > (1 - row->f_on_cpu) / 2 ? IMPORTS : "");
	} else if (report_next_command(report, command, sizeof command)) {
		SAY(none->remedy, "%s: %s", report_next_intro(command), command);
	} else if (!(row->account.work > 0)) {
		SAY(none->remedy, "for the speed-up, say what counts as work: --work");
	} else if (report_idle_pool(report) > 0 && !report_fact(report, "mpi.rank")) {
		SAY(none->remedy,
		    "BLAS has %d threads, but its calls keep only one busy: give it larger "
		    "matrices, or call it from several threads",
		    report_idle_pool(report) + 1);
	}
}

void add_prospect(struct search *search)
{
	const struct report *report = search->report;
	const struct account *account = &search->row->account;
	int threads = search->row->threads;
	double share, no_cpu = account_share(account, CAT_NO_CPU);
	const struct report_function *nameless = report_nameless(report, threads, &share);
	int is_blas_loaded = !report_loads_no_blas(report);
	int is_other = account->f_intercepted < BLAS_MIN && !(account->f_sampled >= LOSS_MIN);
	/* else a cause says what took the CPUs */
	int is_only = !report->ncauses || report->causes[report->ncauses - 1].threads != threads;
	struct report_cause *none = add_cause(search, CAUSE_NONE, NAN);

	SAY(none->sentence, "%s", human_noun(threads, "thread"));
	if (account->taking_turns > threads && !strstr(report->experiment, "{}"))
		SAY(none->sentence, " at a time, of %d that take turns", account->taking_turns);
	SAY(none->sentence, ": ");
	if (!is_other || is_blas_loaded)
		say_blas_share(search, none);
	if (is_other && !(is_blas_loaded && nameless)) {
		SAY(none->sentence, "%sthe work is other code", is_blas_loaded ? "; " : "");
		none->place = nameless ? "" : say_other_place(search, none->sentence);
	}
	if (is_only && no_cpu > 0.5)
		SAY(none->sentence, "; %.0f %% of the time %s no CPU", 100 * no_cpu,
		    threads == 1 ? "it has" : "they have");
	if (nameless)
		SAY(none->sentence,
		    "; %.0f %% is in %s, which has no symbols, so matrix work in it cannot be "
		    "identified",
		    100 * share, object_name(nameless->sum.location.object));
	say_next(search, none);
	if (!*none->place || is_other)
		say_idle(search, none);
}
