/* cause_waiting.c: locks, I/O, sleep, GPUs and MPI, for which threads are blocked. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/cause_place.h"
#include "report/cause_text.h"
#include "base/array.h"
#include "base/human.h"

/* 2 if the wait's place is the program's, 1 if Python's library, where the idle threads of a pool
 * wait, and 0 if it is not known, as some stacks end before the program's code. */
static int place_rank(const struct report_wait *wait)
{
	return !*wait->sum.caller ? 0 : 2 - python_is_library(wait->sum.file);
}
#define PLACE_RANKS 3
#define PLACE_MIN                                                                                  \
	0.1 /* of the loss at the place with the largest: places with less do not tell             \
	     */

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
	for (size_t i = 0; i < COUNT(devices); i++)
		if (!strcmp(wait->sum.function, devices[i]))
			return (double)wait->sum.alone_ns;
	return 0;
}

/* All waits of one kind are one loss; its place is where most of it is. */
static void find_waits(struct search *search, const struct wait_cause *cause)
{
	const struct report_wait *most = NULL;
	struct claim found = {.cause = cause->cause, .sure = SURE};
	const struct report_wait *by_rank[PLACE_RANKS] = {0};
	double lost_by_rank[PLACE_RANKS] = {-INFINITY, -INFINITY, -INFINITY};
	double waits = 0, most_lost = -1, largest = -1, alone_ns = 0, held = 0, locked_ns = 0,
	       all_locked_ns = 0, all_apart_ns = 0, one_apart_ns = 0;
	double idle = 0; /* on one thread */
	int places = 0;

	EACH_HERE(wait, search, waits) {
		/* even one that computes next to nothing */
		int is_locked = wait_is_lock(&wait->sum);
		double lost, apart = apart_ns(wait, search->row);

		all_locked_ns += is_locked ? (double)wait->sum.total_ns : 0;
		if (strcmp(wait->sum.kind, cause->kind) != 0 ||
		    !(wait_is_waiting(wait, search->row) || is_locked || apart > 0))
			continue;
		locked_ns += is_locked ? (double)wait->sum.total_ns : 0;
		all_apart_ns += apart;
		lost = wait->is_caller ? wait_lost(search, wait)
				       : search->row->threads * time_lost(search, apart);
		found.lost[CAT_WAITING] += wait->is_caller ? lost : 0;
		alone_ns += wait->is_caller ? (double)wait->sum.alone_ns : 0;
		waits += wait_is_waiting(wait, search->row) ? (double)wait->sum.waits : 0;
		places++;
		largest = fmax(largest, lost);
		if (lost > lost_by_rank[place_rank(wait)]) {
			by_rank[place_rank(wait)] = wait;
			lost_by_rank[place_rank(wait)] = lost;
		}
	}
	for (int rank = 0; rank < PLACE_RANKS; rank++)
		if (by_rank[rank] && lost_by_rank[rank] >= PLACE_MIN * largest) {
			most = by_rank[rank];
			most_lost = lost_by_rank[rank];
		}
	if (!most)
		return;
	EACH_AT(wait, search->report, waits, 1) {
		if (strcmp(wait->sum.kind, cause->kind) != 0)
			continue;
		one_apart_ns += apart_ns(wait, search->base);
		if (wait_is_waiting(wait, search->base))
			idle += (double)wait->sum.total_ns / search->base->account.wall_ns;
	}
	idle = fmin(idle, account_share(&search->base->account, CAT_WAITING));
	if (wait_is_lock(&most->sum)) {
		held = fmin(spread_lost(search, SPREAD_FIGURE(locked_ns)), met_lost(search)) *
		       (locked_ns / all_locked_ns);
	} else {
		/* nobody computes meanwhile: those who are not in such a wait wait for its end */
		held = fmin((search->row->threads - 1) * time_lost(search, alone_ns) +
				    more_lost(search, search->row->threads * all_apart_ns,
					      one_apart_ns),
			    met_lost(search));
		found.sure = held > found.lost[CAT_WAITING] ? LIKELY : SURE;
	}
	add_idle_loss(search, held, &found);
	found.lost[CAT_OTHER] =
		switching_lost(search, waits,
			       wait_is_lock(&most->sum) &&
				       found.lost[CAT_WAITING] > CAUSE_MIN * search->row->threads);
	/* the delay until a thread that was woken runs */
	found.lost[CAT_NO_CPU] =
		waits_share(search, waits) *
		more_lost(search, unknown_no_cpu_ns(search->row), unknown_no_cpu_ns(search->base));
	found.place = wait_place(most);
	SAY(found.sentence, "wait for %s%s", found.sure == LIKELY ? "a thread that waits for " : "",
	    cause->what);
	if (*found.place)
		SAY(found.sentence, ", %s %s",
		    most_lost < largest ? "for example in"
		    : places > 1	? "most in"
					: "in",
		    found.place);
	/* what the script runs meanwhile usually holds the lock, so that is the place to look at */
	if (cause->cause == CAUSE_GIL && *search->row->script_place &&
	    strcmp(found.place, search->row->script_place) != 0) {
		found.place = search->row->script_place;
		SAY(found.sentence, ", while others run %s", found.place);
	}
	if (idle > 0.5) {
		SAY(found.sentence, ", as a single thread does for %.0f %% of its time",
		    100 * idle);
		if (found.cause == CAUSE_IO)
			SAY(found.remedy,
			    "if there is no more work, one thread is enough; otherwise ");
	}
	if (found.cause == CAUSE_SLEEP && strstr(found.place, ".so"))
		SAY(found.remedy,
		    "if the library does so only at its start, give the program more work, so "
		    "that this counts less; otherwise see its settings");
	else if (!strcmp(cause->kind, "mutex") &&
		 (strstr(most->sum.function, "alloc") || strstr(most->sum.function, "free")))
		SAY(found.remedy,
		    "allocate and free memory less often, and free it in the thread that "
		    "allocated it; or use an allocator with a pool for each thread, such as "
		    "jemalloc");
	else if (strstr(most->sum.file, "/multiprocessing/") &&
		 (cause->cause == CAUSE_GIL || cause->cause == CAUSE_IO))
		SAY(found.remedy,
		    "send less between the processes: let each make or read its own data, or share "
		    "it (multiprocessing.shared_memory)");
	else
		SAY(found.remedy, "%s", cause->remedy);
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

static void find_kinds(struct search *search, int polls)
{
	EACH_ROW(cause, wait_causes, wait_causes_count)
		if (cause->polls == polls)
			find_waits(search, cause);
}

void find_locks(struct search *search)
{
	find_kinds(search, 0);
}

void find_polls(struct search *search)
{
	find_kinds(search, 1);
}
