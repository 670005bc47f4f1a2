/* cause_meeting.c: threads that wait for each other where they meet, start or end. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/cause_place.h"
#include "report/cause_text.h"
#include "base/human.h"

/* An idle thread of OpenMP has no caller in the program: it waits for what others call. Returns the
 * longest wait of this kind in a call of OpenMP, or the wait itself. */
static const struct report_wait *find_named_wait(const struct search *search,
						 const struct report_wait *wait)
{
	if (!is_nameless_openmp(*wait->sum.caller ? wait->sum.caller : wait->sum.function))
		return wait;
	EACH_HERE(other, search, waits)
		if (other->sum.line > 0 && wait_is_waiting(other, search->row) &&
		    !strcmp(other->sum.kind, wait->sum.kind) && is_openmp_call(other->sum.function))
			return other;
	return wait;
}

/* Says where the threads wait for each other: " at the barrier in step()", or ", spinning in f()"
 * if most of them spin. Says nothing if neither is half of the loss, as when threads end early. */
static void say_meeting(const struct search *search, const struct report_wait *wait, double lost,
			struct claim *found)
{
	const struct report_function *loop = find_loop(search, 0);
	double waited = wait ? wait_lost(search, wait) : 0, spun = search->left[CAT_SPIN];
	double in_mpi = search->left[CAT_MPI];

	if (fmax(fmax(waited, spun), in_mpi) < lost / 2)
		return;
	if (in_mpi > fmax(waited, spun)) {
		say_most_in(mpi_place(search), found);
	} else if (loop && spun > waited) {
		found->place = is_nameless_openmp(loop->sum.location.function)
				       ? calling_place(search, CATEGORY_LOCKS)
				       : loop_place(search, loop);
		SAY(found->sentence, ", spinning%s%s", *found->place ? " in " : "", found->place);
	} else if (wait && !python_is_library(wait->sum.file)) {
		found->place = wait_place(find_named_wait(search, wait));
		if (!*found->place)
			found->place = NULL;
		else if (is_nameless_openmp(found->place))
			found->place = calling_place(search, CATEGORY_LOCKS);
		if (found->place && *found->place)
			SAY(found->sentence, " %s %s in %s",
			    is_polling(wait, search->row) ? "in a" : "at the", wait->sum.kind,
			    found->place);
	}
}

void find_imbalance(struct search *search)
{
	const struct report_run *most = find_spread(search, SPREAD_FIGURE(uneven_ns));
	struct claim found = {.cause = CAUSE_IMBALANCE, .sure = SURE, .sentence = "wait"};
	const struct spread *spread;
	const struct report_wait *meeting = find_longest(search, is_meeting);
	const struct report_wait *polling = find_longest(search, is_polling);
	const char *own = "";
	double lost;
	int is_few;

	if (!most)
		return;
	spread = &most->spread;
	if (spread->busiest_own_tid)
		own = alone_place(search, most, spread->busiest_own_tid);
	/* most of the loss is what those do not do that compute nothing */
	is_few = !spread->follow &&
		 (search->row->threads - spread->participants) * spread->busiest_ns >
			 spread->uneven_ns / 2;
	lost = fmin(spread_work_lost(search, SPREAD_FIGURE(uneven_ns)), sum_idle(search->left));
	if (polling && (wait_lost(search, polling) < lost / 2 ||
			(meeting && meeting->sum.total_ns > polling->sum.total_ns)))
		polling = NULL;
	/* without a run of one thread, these may sleep for their own reasons, and not for others */
	if (polling && !search->is_measured)
		return;
	add_idle_loss(search, lost, &found);
	say_meeting(search, polling ? polling : meeting, lost, &found);
	if (spread->follow)
		SAY(found.sentence, " for the last of the %s that were started with them",
		    spread->are_processes ? "processes" : "threads");
	else if (is_few)
		SAY(found.sentence, ": only %d of them compute%s", spread->participants,
		    spread->participants == 1 ? "s" : "");
	else
		SAY(found.sentence, ", because %s %d computes %.0f %% longer than the average%s%s",
		    participant_noun(most), spread->busiest_thread,
		    100 * (spread->busiest_ns / spread->mean_ns - 1), *own ? ", in " : "", own);
	if (!found.place)
		found.place = *own ? own : say_work_place(search, found.sentence);
	if (is_few)
		SAY(found.remedy, REMEDY_COUNT);
	SAY(found.remedy,
	    "divide the work more evenly,%s or hand it out in smaller pieces to free threads%s",
	    also_single(search),
	    polling ? "; if they poll for a lock, hold it for a shorter time" : "");
	claim(search, &found);
}

static int is_barrier(const struct report_wait *wait)
{
	return !strcmp(wait->sum.kind, "barrier");
}

/* How often threads met at this wait: all but the last one wait. */
static double meetings_at(const struct search *search, const struct report_wait *wait)
{
	return (double)wait->sum.waits / (search->row->threads - 1);
}

/* 1 if threads wait here for longer than a wake-up takes, so that one of them is late each time.
 * Nobody waits for more than all the work between two meetings. */
static int is_late_each_time(const struct search *search, const struct report_wait *wait)
{
	return wait_each_ns(wait) > WAKE_NS &&
	       wait_each_ns(wait) < work_ns(&search->row->account) / meetings_at(search, wait);
}

/* What is lost where threads that compute equally much in total meet. */
static struct claim claim_meeting(const struct search *search, const struct report_wait *wait,
				  enum cause cause)
{
	struct claim found = {.cause = cause, .sure = LIKELY, .sentence = "wait"};

	found.lost[CAT_WAITING] = wait_lost(search, wait);
	say_meeting(search, wait, found.lost[CAT_WAITING], &found);
	return found;
}

void find_meeting_costs(struct search *search)
{
	EACH_HERE(wait, search, waits) {
		double woken_ns = fmin(wait_each_ns(wait), WAKE_NS);
		struct claim found;

		if (!is_meeting(wait, search->row) || is_late_each_time(search, wait))
			continue;
		found = claim_meeting(search, wait, CAUSE_BARRIER);
		found.lost[CAT_WAITING] *= woken_ns / wait_each_ns(wait);
		found.lost[CAT_OTHER] = switching_lost(search, (double)wait->sum.waits, 0);
		SAY(found.sentence,
		    " to be woken, at most %s each time: the cost of the meeting itself",
		    human_time(woken_ns));
		SAY(found.remedy, "let threads meet less often, with more work in between%s",
		    is_barrier(wait) ? "" : "; if it is a lock, hold it for a shorter time");
		claim(search, &found);
	}
}

/* 1 if Python's interpreter lock is in use all the time: about one thread computes, and there is
 * always one that waits for the lock. What the others wait for is late because of it. */
static int is_interpreter_busy(const struct search *search)
{
	const struct account *account = &search->row->account;
	double locked_ns = 0;

	EACH_HERE(wait, search, waits)
		if (wait_is_waiting(wait, search->row) && !strcmp(wait->sum.kind, "gil"))
			locked_ns += (double)wait->sum.total_ns;
	return locked_ns >= account->wall_ns && work_ns(account) < 1.1 * account->wall_ns;
}

void find_late_threads(struct search *search)
{
	EACH_HERE(wait, search, waits) {
		const char *each = human_time(wait_each_ns(wait));
		struct claim found;

		if (!is_meeting(wait, search->row) || !is_late_each_time(search, wait))
			continue;
		found = claim_meeting(search, wait, CAUSE_IMBALANCE);
		if (!is_barrier(wait) && is_interpreter_busy(search)) {
			found.cause = CAUSE_GIL;
			found.sentence[0] = '\0';
			SAY(found.sentence, "wait for what others do one at a time, because of "
					    "Python's interpreter lock");
			say_most_in(search->row->script_place, &found);
			SAY(found.remedy, "%s", REMEDY_GIL);
		} else if (!is_barrier(wait)) {
			found.sure = POSSIBLE;
			SAY(found.sentence,
			    ", for %s each time: for other threads' results, for a lock, or for "
			    "new work",
			    each);
			SAY(found.remedy, "queue work for each thread ahead, in smaller pieces; if "
					  "it is a lock, hold it for a shorter time");
		} else if (!say_small_tasks(wait->sum.function, &found)) {
			SAY(found.sentence, ", for %s%s", each,
			    meetings_at(search, wait) > search->row->runs
				    ? " each time: it is not always the same thread that comes last"
				    : "");
			SAY(found.remedy, "divide the work between two meetings more evenly");
		}
		claim(search, &found);
	}
}

/* 1 if any thread waits for another's end. */
static int awaits_end(const struct report_wait *wait, const struct report_row *row)
{
	return wait->threads == row->threads && is_join(wait);
}

/* To start a thread and to wait for its end costs as much as a meeting, and one thread starts all
 * of them: if they compute for less than it takes to start N, all wait for that. */
void find_starts(struct search *search)
{
	const struct report_row *row = search->row;
	const struct account *account = &row->account;
	struct claim found = {.cause = CAUSE_BARRIER, .sure = LIKELY};
	const struct report_wait *wait = find_longest(search, awaits_end);
	double all = 0, starts = 0, each_ns, waiting;

	EACH_RUN_HERE(run, search) {
		all += run->spread.participants;
		if (!run->spread.are_processes)
			starts += fmax(run->spread.participants - row->threads, 0);
	}
	each_ns = work_ns(account) / all;
	waiting = fmin(fmax(row->threads * WAKE_NS / each_ns, 1), row->threads);
	found.lost[CAT_WAITING] =
		time_lost(search, fmin(starts * waiting * WAKE_NS,
				       account->absent_ns + account->late_ns + account->ended_ns));
	SAY(found.sentence,
	    "have not started or have ended: threads are started again and again, "
	    "to compute for %s each",
	    human_time(each_ns));
	found.place = wait ? wait_place(wait) : "";
	if (*found.place)
		SAY(found.sentence, ", and awaited in %s", found.place);
	if (!wait && report_runs_openmp(search->report, row->threads)) {
		EACH_HERE(function, search, functions)
			if (!*found.place && is_openmp_call(function->sum.location.function))
				say_most_in(location_place(&function->sum.location), &found);
		SAY(found.remedy,
		    "let only the outer of nested regions have several threads, by "
		    "omp_set_max_active_levels(1), and give all regions the same thread count: "
		    "OpenMP keeps such threads");
	} else {
		SAY(found.remedy,
		    "keep the threads and hand them their work, as a pool does, in larger pieces");
	}
	claim(search, &found);
}
