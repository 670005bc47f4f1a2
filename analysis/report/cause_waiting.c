/* cause_waiting.c: locks, I/O, sleep, GPUs and MPI, for which threads are blocked. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/cause_place.h"
#include "report/cause_text.h"
#include "base/array.h"
#include "base/human.h"

/* The threads lost while others met them, had ended or took no part, or that spin. A thread that
 * joins others has come to its end. */
static double met_lost(const struct search *search)
{
	const struct account *account = &search->row->account;
	double ns = account->absent_ns + account->late_ns + account->ended_ns;

	EACH_HERE(wait, search, waits)
		if (is_meeting(wait, search->row) ||
		    (is_join(wait) && wait_is_waiting(wait, search->row)))
			ns += (double)wait->sum.total_ns;
	return time_lost(search, ns) + search->left[CAT_SPIN];
}

/* Returns the time in which nobody computed while a thread that takes no part, such as a main
 * thread that writes files between two steps, waited for a device. Functions that wait until
 * something can be read may wait for the other threads. */
static double apart_ns(const struct report_wait *wait, const struct report_row *row)
{
	static const char *const devices[] = {"fsync",	"fdatasync", "rename", "unlink",  "open",
					      "open64", "openat",    "close",  "pread",	  "pread64",
					      "write",	"writev",    "pwrite", "pwrite64"};

	if (wait->threads != row->threads || wait->is_caller || strcmp(wait->sum.kind, "I/O") != 0)
		return 0;
	EACH_ROW(device, devices, COUNT(devices))
		if (!strcmp(wait->sum.function, *device))
			return (double)wait->sum.alone_ns;
	return 0;
}

/* What is lost at the place of the wait, if it is of this kind; else NAN. Waits for locks count
 * also of a thread that computes next to nothing. */
static double place_lost(const struct search *search, const struct report_wait *wait,
			 const char *kind)
{
	double apart = apart_ns(wait, search->row);

	if (strcmp(wait->sum.kind, kind) != 0 ||
	    !(wait_is_waiting(wait, search->row) || wait_is_lock(&wait->sum) || apart > 0))
		return NAN;
	return wait->is_caller ? wait_lost(search, wait)
			       : search->row->threads * time_lost(search, apart);
}

/* 2 if the wait's place is the program's, 1 if Python's library, where the idle threads of a pool
 * wait, and 0 if it is not known, as some stacks end before the program's code. */
static int place_rank(const struct report_wait *wait)
{
	return !*wait->sum.caller ? 0 : 2 - python_is_library(wait->sum.file);
}

/* Places with a smaller part of the loss at the place with the largest do not tell. */
#define PLACE_MIN 0.1

/* The wait of this kind whose place tells most, and of these the one with the largest loss. NULL if
 * there is none. */
static const struct report_wait *find_place(const struct search *search, const char *kind,
					    double largest)
{
	const struct report_wait *best = NULL;
	double best_lost = 0;

	EACH_HERE(wait, search, waits) {
		double lost = place_lost(search, wait, kind);
		int better = best ? place_rank(wait) - place_rank(best) : 1;

		if (lost >= PLACE_MIN * largest && (better > 0 || (!better && lost > best_lost))) {
			best = wait;
			best_lost = lost;
		}
	}
	return best;
}

/* The share of its time that a single thread waits in this way. */
static double usual_share(const struct search *search, const char *kind)
{
	const struct report_row *base = search->base;
	double waited_ns = 0;

	EACH_AT(wait, search->report, waits, 1)
		if (wait_is_waiting(wait, base) && !strcmp(wait->sum.kind, kind))
			waited_ns += (double)wait->sum.total_ns;
	return fmin(waited_ns / base->account.wall_ns, account_share(&base->account, CAT_WAITING));
}

static const char *wait_remedy(const struct wait_cause *cause, const struct report_wait *wait)
{
	const char *function = wait->sum.function;

	if (cause->cause == CAUSE_SLEEP && strstr(wait_place(wait), ".so"))
		return "if the library does so only at its start, give the program more work, so "
		       "that this counts less; otherwise see its settings";
	if (!strcmp(cause->kind, "mutex") &&
	    (strstr(function, "alloc") || strstr(function, "free")))
		return "allocate and free memory less often, and free it in the thread that "
		       "allocated it; or use an allocator with a pool for each thread, such as "
		       "jemalloc";
	if (is_ordered(wait))
		return "do less in the section, or keep the results, and use them in order after "
		       "the loop";
	if ((cause->cause == CAUSE_GIL || cause->cause == CAUSE_IO) &&
	    strstr(wait->sum.file, "/multiprocessing/"))
		return "send less between the processes: let each make or read its own data, or "
		       "share it (multiprocessing.shared_memory)";
	return cause->remedy;
}

static void say_wait(const struct search *search, const struct wait_cause *cause,
		     const struct report_wait *wait, const char *where, struct claim *found)
{
	const char *script = search->row->script_place;
	double usual = usual_share(search, cause->kind);

	found->place = wait_place(wait);
	SAY(found->sentence, "wait for %s%s",
	    found->sure == LIKELY ? "a thread that waits for " : "", wait_what(cause, wait));
	if (*found->place)
		SAY(found->sentence, ", %s %s", where, found->place);
	/* what the script runs meanwhile usually holds the lock, so that is the place to look at */
	if (cause->cause == CAUSE_GIL && *script && strcmp(found->place, script) != 0) {
		found->place = script;
		SAY(found->sentence, ", while others run %s", script);
	}
	if (usual > 0.5) {
		SAY(found->sentence, ", as a single thread does for %.0f %% of its time",
		    100 * usual);
		if (cause->cause == CAUSE_IO)
			SAY(found->remedy,
			    "if there is no more work, one thread is enough; otherwise ");
	}
	SAY(found->remedy, "%s", wait_remedy(cause, wait));
}

/* What the others lose while they wait for a thread that is late because of a lock of this kind. */
static double locked_lost(const struct search *search, const char *kind)
{
	double kind_ns = 0, all_ns = 0;

	EACH_HERE(wait, search, waits) {
		double ns = wait_is_lock(&wait->sum) ? (double)wait->sum.total_ns : 0;

		all_ns += ns;
		kind_ns += strcmp(wait->sum.kind, kind) != 0 ? 0 : ns;
	}
	return fmin(spread_lost(search, SPREAD_FIGURE(locked_ns)), met_lost(search)) *
	       (kind_ns / all_ns);
}

/* What the others lose while threads wait for these alone_ns and nobody computes: those who are not
 * in such a wait wait for its end. */
static double alone_lost(const struct search *search, double alone_ns, int is_io)
{
	int threads = search->row->threads;
	double lost = (threads - 1) * time_lost(search, alone_ns), apart = 0, usual_apart = 0;

	EACH_ROW(wait, search->report->waits, is_io ? search->report->nwaits : 0) {
		apart += threads * apart_ns(wait, search->row);
		usual_apart += apart_ns(wait, search->base);
	}
	return fmin(lost + more_lost(search, apart, usual_apart), met_lost(search));
}

/* All waits of one kind are one loss; its place is where most of it is. */
static void find_waits(struct search *search, const struct wait_cause *cause)
{
	const struct report_row *row = search->row;
	struct claim found = {.cause = cause->cause, .sure = SURE};
	const struct report_wait *wait;
	double waits = 0, alone_ns = 0, largest = 0, held;
	int places = 0, is_lock;

	EACH_HERE(each, search, waits) {
		double lost = place_lost(search, each, cause->kind);

		if (isnan(lost))
			continue;
		places++;
		largest = fmax(largest, lost);
		if (each->is_caller) {
			found.lost[CAT_WAITING] += lost;
			alone_ns += (double)each->sum.alone_ns;
			waits += (double)each->sum.waits;
		}
	}
	wait = find_place(search, cause->kind, largest);
	if (!wait)
		return;
	is_lock = wait_is_lock(&wait->sum);
	held = is_lock ? locked_lost(search, cause->kind)
		       : alone_lost(search, alone_ns, cause->cause == CAUSE_IO);
	if (!is_lock && held > found.lost[CAT_WAITING])
		found.sure = LIKELY;
	add_idle_loss(search, held, &found);
	is_lock &= found.lost[CAT_WAITING] > CAUSE_MIN * row->threads;
	found.lost[CAT_OTHER] = switching_lost(search, waits, is_lock);
	/* the delay until a thread that was woken runs */
	found.lost[CAT_NO_CPU] =
		waits_share(search, waits) *
		more_lost(search, unknown_no_cpu_ns(row), unknown_no_cpu_ns(search->base));
	say_wait(search, cause, wait,
		 place_lost(search, wait, cause->kind) < largest ? "for example in"
		 : places > 1					 ? "most in"
								 : "in",
		 &found);
	claim(search, &found);
}

void find_mpi(struct search *search)
{
	/* some may wait there for one without a CPU */
	int lack_cpus = account_share(&search->row->account, CAT_NO_CPU) > LOSS_MIN;
	struct claim found = {CAUSE_MPI, lack_cpus ? LIKELY : SURE, .sentence = "are in MPI",
			      .remedy = REMEDY_MPI};

	found.lost[CAT_MPI] = search->left[CAT_MPI];
	say_most_in(mpi_place(search), &found);
	claim(search, &found);
}

void find_locks(struct search *search)
{
	EACH_ROW(cause, wait_causes, wait_causes_count)
		if (!cause->polls)
			find_waits(search, cause);
}

void find_polls(struct search *search)
{
	EACH_ROW(cause, wait_causes, wait_causes_count)
		if (cause->polls)
			find_waits(search, cause);
}
