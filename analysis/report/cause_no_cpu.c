/* cause_no_cpu.c: threads that have no CPU. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/cause_place.h"
#include "report/cause_text.h"
#include "base/array.h"
#include "base/human.h"

static void say_own_threads(const struct search *search, struct claim *found)
{
	const struct report_row *row = search->row;
	const struct report_function *loop = find_idle_loop(search);
	int fits = row->threads <= row->cpus_available;
	const char *bound = NULL;
	double spun_ns = 0; /* of all threads, participants or not */

	EACH_RUN_HERE(run, search) {
		bound = bound ?: run_fact(run->run, "bound_cpu");
		EACH_ROW(thread, run->run->threads, run->run->nthreads)
			spun_ns += fmax((double)thread->times.ns[CAT_SPIN], 0);
	}
	/* the N would all have a CPU if no others spun */
	if (loop && fits && spun_ns > row->no_cpu_ns[NO_CPU_OWN] / 2) {
		found->cause = CAUSE_SPIN;
		found->place = loop_place(search, loop);
		SAY(found->sentence, "have no CPU, while other threads of the program spin in %s",
		    found->place);
		if (!say_blas_spins(search, loop, found))
			SAY(found->remedy, "%s", REMEDY_SPIN);
		return;
	}
	found->cause = CAUSE_OVERSUBSCRIBED;
	if (fits && bound) {
		SAY(found->sentence,
		    "have no CPU: the program has bound several threads to CPU %s, which they "
		    "share",
		    bound);
		SAY(found->remedy, "let them run on all CPUs, or bind each to its own: "
				   "sched_setaffinity(), OMP_PROC_BIND, taskset");
		return;
	}
	SAY(found->sentence, "have no CPU: the program has more threads ready to run than %s",
	    human_noun(row->cpus_available, "CPU"));
	if (fits)
		SAY(found->sentence, ", counting those beyond the %d", row->threads);
	if (say_too_many_threads(search, found))
		;
	else if (!fits)
		SAY(found->remedy, "run fewer threads, at most %g",
		    fmax(floor(row->cpus_available), 1));
	else if (report_runs_openmp(search->report, row->threads))
		SAY(found->remedy, "give each of the %d a smaller OpenMP team: set OMP_NUM_THREADS",
		    row->threads);
	else
		SAY(found->remedy, "keep a CPU free for the other threads, or let those do less");
}

static const struct {
	enum cause cause;
	const char *reason, *remedy;
} no_cpu_causes[NO_CPU_COUNT] = {
	[NO_CPU_OTHERS] =
		{CAUSE_OTHER_PROGRAMS, "other programs use",
		 "end the other programs, or give them other CPUs (taskset), and record again"},
	[NO_CPU_STEAL] = {CAUSE_HOST_STEAL, "the host gave it to other machines",
			  "measure on a host that you do not share, or when it is idle"},
	[NO_CPU_QUOTA] = {CAUSE_CPU_QUOTA, "the control group's CPU quota is used up",
			  "raise the quota (cpu.max), or run fewer threads"},
};

static void say_no_cpu(const struct search *search, enum no_cpu who, struct claim *found)
{
	const char *programs = who == NO_CPU_OTHERS
				       ? report_other_programs(search->report, search->row->threads)
				       : "";

	if (who == NO_CPU_OWN) {
		say_own_threads(search, found);
		return;
	}
	found->cause = no_cpu_causes[who].cause;
	/* the loss may be that of threads that wait for one without a CPU, to a tenth or more */
	SAY(found->sentence, "have no CPU,%s because %s%s%.200s",
	    10 * sum_idle(found->lost) > found->lost[CAT_NO_CPU]
		    ? " or wait for a thread that has none,"
		    : "",
	    no_cpu_causes[who].reason, who == NO_CPU_OTHERS ? " " : "",
	    who == NO_CPU_OTHERS && !*programs ? "it" : programs);
	SAY(found->remedy, "%s",
	    strstr(programs, ": " RUN_PROFILER " ") /* the largest is first */
		    ? "sample less often (-F), or leave a CPU to the profiler"
		    : no_cpu_causes[who].remedy);
	if (found->lost[CAT_SPIN] > CAUSE_MIN * search->row->threads &&
	    report_runs_openmp(search->report, search->row->threads))
		SAY(found->remedy, "; until then, OMP_WAIT_POLICY=passive loses less");
}

/* Returns how many threads wait for others as they do with fewer threads, at a count that hardly
 * lacks CPUs: a lack of CPUs does not explain these waits. Excludes what is claimed already. */
static double usual_waits(const struct search *search)
{
	double usual = 0, all = 0;

	EACH_ROW(row, search->report->rows, search->report->nrows) {
		double waits = -(row->threads - 1) * account_share(&row->account, CAT_NO_CPU);

		EACH_CATEGORY(category)
			waits += is_idle(category) ? account_share(&row->account, category) : 0;
		if (row->threads > 1 && row->threads < search->row->threads &&
		    row->threads <= row->cpus_available)
			usual = fmax(usual, waits * search->row->threads);
	}
	EACH_CATEGORY(category)
		if (is_idle(category))
			all += search->row->threads *
			       account_share(&search->row->account, category);
	return fmax(usual - fmax(all - sum_idle(search->left), 0), 0);
}

/* Returns which part of the threads that lack a CPU would work; the others would spin, and nobody
 * waits for them. The part is that of work in work and spinning, where spinning for a thread that
 * lacks a CPU does not count: part = work / (work + spin - (N - 1) * part * no_cpu). */
static double working_part(const struct report_row *row)
{
	double work =
		account_share(&row->account, CAT_BLAS) + account_share(&row->account, CAT_OTHER);
	double busy = work + account_share(&row->account, CAT_SPIN);
	double waits = (row->threads - 1) * account_share(&row->account, CAT_NO_CPU);
	double root = busy * busy - 4 * waits * work;

	return root > 0 ? fmin(2 * work / (busy + sqrt(root)), 1) : 1;
}

/* Returns how many threads are lost because they spin until another one has a CPU again, at least:
 * two threads that meet often spin for each other when one of them has a CPU and the other has not,
 * also if that one lost its CPU while it was spinning itself. */
static double spun_for_cpu(const struct search *search)
{
	const struct account *account = &search->row->account;
	double spin = account_share(account, CAT_SPIN), no_cpu = account_share(account, CAT_NO_CPU);
	double served = account_share(account, CAT_BLAS) + account_share(account, CAT_OTHER) + spin;

	return spin > 0 ? search->left[CAT_SPIN] * fmin(served * no_cpu / spin, 1) : 0;
}

/* While one thread has no CPU, up to all others wait for it where they meet. That loss is divided
 * by who had the CPUs, without regard to who had them on one thread. */
void find_no_cpu(struct search *search)
{
	const struct report_row *row = search->row;
	int meet = find_longest(search, is_meeting) || search->left[CAT_MPI] > 0;
	int spin = find_loop(search, 0) != NULL;
	double unserved_lost = spread_lost(search, SPREAD_FIGURE(unserved_ns));
	double working = working_part(row), all_ns = 0, all_waited = 0, fits;
	double own[NO_CPU_COUNT], waited[NO_CPU_COUNT];

	EACH_ROW(ns, row->no_cpu_ns, NO_CPU_COUNT)
		all_ns += *ns;
	for (int who = 0; who < NO_CPU_COUNT; who++) {
		/* if each has a CPU, the program's own threads that take one are others than those
		 * that are waited for */
		int many = who != NO_CPU_OWN || row->threads > row->cpus_available;

		own[who] = no_cpu_lost(search, (enum no_cpu)who);
		if (who == NO_CPU_OWN)
			own[who] -= search->pools_no_cpu;
		if (who == NO_CPU_OTHERS || who == NO_CPU_STEAL)
			own[who] *= 1 - search->usual;
		waited[who] =
			fmax((unserved_lost + search->spun_unserved) * row->no_cpu_ns[who] / all_ns,
			     meet || (spin && many) ? (row->threads - 1) * own[who] * working : 0);
		if (spin && many)
			waited[who] = fmax(waited[who],
					   spun_for_cpu(search) * row->no_cpu_ns[who] / all_ns);
		all_waited += waited[who];
	}
	fits = fmax(fmin((sum_idle(search->left) - usual_waits(search)) / all_waited, 1), 0);
	for (int who = 0; who < NO_CPU_COUNT; who++) {
		struct claim found = {.sure = SURE};

		found.lost[CAT_NO_CPU] = own[who];
		add_idle_loss(search, waited[who] * fits, &found);
		if (sum_idle(found.lost) > found.lost[CAT_NO_CPU])
			found.sure = LIKELY;
		if (who == NO_CPU_OWN && lacks_cpus_for_extra(search))
			add_extra_loss(search, &found);
		say_no_cpu(search, (enum no_cpu)who, &found);
		claim(search, &found);
	}
}
