/* cause_serial.c: one thread that works while the others wait. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/cause_place.h"
#include "report/cause_text.h"
#include "base/array.h"
#include "base/human.h"

/* Returns where the serial part is, of which main_place has what is outside BLAS. */
static const char *serial_place(const struct search *search, const struct report_run *run)
{
	const struct spread *spread = &run->spread;
	int is_outside = spread->serial_is_main && *search->row->main_place;

	EACH_ROW(thread, run->run->threads, run->run->nthreads)
		if (thread->tid == spread->serial_tid)
			is_outside &= (double)thread->times.ns[CAT_OTHER] > spread->serial_ns / 2;
	return is_outside ? search->row->main_place : alone_place(search, run, spread->serial_tid);
}

/* 1 if a thread that takes no part waits for another, as for its end. */
static int waits_for_thread(const struct report_wait *wait, const struct report_row *row)
{
	const char *kind = wait->sum.kind;

	return wait->threads == row->threads && !wait->is_caller &&
	       (is_join(wait) || !strcmp(kind, "condition") || !strcmp(kind, "futex"));
}

static void say_in_turn(const struct search *search, const struct report_run *run,
			struct claim *found)
{
	const struct report_wait *wait = find_longest(search, waits_for_thread);

	SAY(found->sentence, "have nothing to do: each %s is started when the one before has ended",
	    participant_noun(run));
	say_most_in(wait ? wait_place(wait) : NULL, found);
	SAY(found->remedy, "start all before you wait for the first; what std::async() returns "
			   "waits when it is discarded");
}

static void say_serial(const struct search *search, const struct report_run *run,
		       struct claim *found)
{
	const struct spread *spread = &run->spread;
	int is_only = is_single(search);
	double first = is_only ? 0 : spread->serial_first_ns / spread->serial_ns;

	if (is_only)
		SAY(found->sentence, "have nothing to do: a single thread computes");
	else
		SAY(found->sentence, "wait while %s %d works alone", participant_noun(run),
		    spread->serial_thread);
	if (first >= CAUSE_MIN)
		SAY(found->sentence, ", %.0f %% of it before the others have started", 100 * first);
	say_most_in(serial_place(search, run), found);
	if (is_openmp_call(found->place) && !is_only) {
		found->cause = CAUSE_BARRIER;
		SAY(found->sentence, ": it starts and ends parallel regions");
		SAY(found->remedy, "make the regions larger, so that there are fewer");
	} else if (!spread->serial_is_main || !say_imports(search, 1, found)) {
		SAY(found->remedy,
		    "%sdivide that work between all threads, or let it overlap "
		    "with theirs%s",
		    is_only ? REMEDY_COUNT : "",
		    first > 0.5 ? "; if it is done only once, measure a longer run" : "");
	}
}

void find_serial(struct search *search)
{
	const struct report_run *most = find_spread(search, SPREAD_FIGURE(serial_ns));
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = LIKELY};

	if (!most)
		return;
	/* all other threads wait while it works */
	add_idle_loss(search,
		      (search->row->threads - 1) *
			      spread_work_lost(search, SPREAD_FIGURE(serial_ns)),
		      &found);
	if (most->spread.serial_tid)
		say_serial(search, most, &found);
	else
		say_in_turn(search, most, &found);
	claim(search, &found);
}

/* A thread beyond the N that they wait for, such as one that hands out the work. */
void find_extra(struct search *search)
{
	const struct report_run *most = find_spread(search, SPREAD_FIGURE(extra_ns));
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = LIKELY};

	if (!most || !most->spread.extras || !search->is_measured || lacks_cpus_for_extra(search))
		return;
	found.lost[CAT_WAITING] =
		(search->row->threads - 1) * spread_work_lost(search, SPREAD_FIGURE(extra_ns));
	add_extra_loss(search, &found);
	SAY(found.sentence, "are lost to %s %d, which works in addition to them, or wait for it",
	    participant_noun(most), most->spread.extra_thread);
	say_most_in(alone_place(search, most, most->spread.extra_tid), &found);
	if (!most->spread.extra_is_main || !say_imports(search, 1, &found))
		SAY(found.remedy, "divide that work between several threads, or do less of it");
	claim(search, &found);
}

/* If only BLAS is parallel, its threads have nothing to do while the caller computes. */
void find_inner(struct search *search)
{
	const struct report_row *row = search->row;
	double waiting_ns = row->account.category_ns[CAT_WAITING];
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = SURE};

	if (row->account.parallel != PARALLEL_INNER)
		return;
	found.lost[CAT_WAITING] =
		search->left[CAT_WAITING] * fmax(waiting_ns - row->blocked_ns, 0) / waiting_ns;
	SAY(found.sentence, "have nothing to do while the caller works outside BLAS");
	found.place = say_other_place(search, found.sentence);
	if (!say_imports(search, 1 - row->f_on_cpu, &found))
		SAY(found.remedy, "make that part parallel too, or use BLAS for more of the work");
	claim(search, &found);
}

void find_idle_inside(struct search *search)
{
	const struct report_row *row = search->row;
	double busy = busy_inside(row);
	struct claim found = {CAUSE_SERIAL_PART, LIKELY, .remedy = FEWER_BLAS_THREADS};

	if (row->account.parallel != PARALLEL_INNER)
		return;
	found.lost[CAT_BLAS] =
		time_lost(search, row->account.category_ns[CAT_BLAS]) * (1 - busy / row->threads);
	if (!search->is_measured) /* this is known without a run on one thread */
		search->left[CAT_BLAS] = fmax(search->left[CAT_BLAS], found.lost[CAT_BLAS]);
	SAY(found.sentence, "have nothing to do inside BLAS calls, which keep %.1f thread%s busy",
	    busy, plural(busy));
	say_most_in(calls_place(search), &found);
	claim(search, &found);
}
