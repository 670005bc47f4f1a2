/* cause_no_cpu.c: threads that have no CPU. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/cause_place.h"
#include "report/cause_text.h"
#include "base/array.h"
#include "base/human.h"
#include "base/string_pool.h"

/* The loss may be that of threads that wait for one without a CPU, to a tenth or more. */
static const char *or_waits(const struct claim *found)
{
	return 10 * sum_idle(found->lost) > found->lost[CAT_NO_CPU]
		       ? ", or wait for a thread that has none"
		       : "";
}

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
			SAY(found->remedy, REMEDY_SPIN);
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
	SAY(found->sentence, "have no CPU%s: the program has more threads ready to run than %s",
	    or_waits(found), human_noun(row->cpus_available, "CPU"));
	if (fits)
		SAY(found->sentence, ", counting those beyond the %d", row->threads);
	if (has_too_many_threads(search))
		SAY(found->remedy, "%s", one_thread_remedy(search->report));
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
		{CAUSE_OTHER_PROGRAMS, NULL,
		 "end the other programs, or give them other CPUs (taskset), and record again"},
	[NO_CPU_STEAL] = {CAUSE_HOST_STEAL, "the host gave it to other machines",
			  "measure on a host that you do not share, or when it is idle"},
	[NO_CPU_QUOTA] = {CAUSE_CPU_QUOTA, "the control group's CPU quota is used up",
			  "raise the quota (cpu.max), or run fewer threads"},
};

static void say_no_cpu(const struct search *search, enum no_cpu who, struct claim *found)
{
	const char *reason = no_cpu_causes[who].reason, *remedy = no_cpu_causes[who].remedy;

	if (who == NO_CPU_OTHERS) {
		const char *programs = report_other_programs(search->report, search->row->threads);

		reason = string_printf("other programs use %.200s", *programs ? programs : "it");
		if (strstr(programs, ": " RUN_PROFILER " ")) /* the largest is first */
			remedy = "sample less often (-F), or leave a CPU to the profiler";
	}
	found->cause = no_cpu_causes[who].cause;
	SAY(found->sentence, "have no CPU%s, because %s", or_waits(found), reason);
	SAY(found->remedy, "%s", remedy);
	if (found->lost[CAT_SPIN] > CAUSE_MIN * search->row->threads &&
	    report_runs_openmp(search->report, search->row->threads))
		SAY(found->remedy,
		    "; until then, OMP_WAIT_POLICY=passive loses less, unless threads meet many "
		    "times in a millisecond");
}

/* Returns how many threads wait for others as they do with fewer threads, at a count that hardly
 * lacks CPUs: a lack of CPUs does not explain these waits. Excludes what is claimed already. */
static double usual_waits(const struct search *search)
{
	int threads = search->row->threads;
	double usual = 0, claimed;

	EACH_ROW(row, search->report->rows, search->report->nrows) {
		double lack = (row->threads - 1) * account_share(&row->account, CAT_NO_CPU);

		if (row->threads > 1 && row->threads < threads &&
		    row->threads <= row->cpus_available)
			usual = fmax(usual, threads * (idle_share(&row->account) - lack));
	}
	claimed = threads * idle_share(&search->row->account) - sum_idle(search->left);
	return fmax(usual - fmax(claimed, 0), 0);
}

/* Returns which part of the threads that lack a CPU would work; the others would spin, and nobody
 * waits for them. The part is that of work in work and spinning, where spinning for a thread that
 * lacks a CPU does not count: part = work / (work + spin - (N - 1) * part * no_cpu). */
static double working_part(const struct report_row *row)
{
	double work = work_ns(&row->account), busy = work + row->account.category_ns[CAT_SPIN];
	double waits = (row->threads - 1) * row->account.category_ns[CAT_NO_CPU];
	double root = busy * busy - 4 * waits * work;

	return root > 0 ? fmin(2 * work / (busy + sqrt(root)), 1) : 1;
}

/* Returns how many threads are lost because they spin until another one has a CPU again, at least:
 * two threads that meet often spin for each other when one of them has a CPU and the other has not,
 * also if that one lost its CPU while it was spinning itself. */
static double spun_for_cpu(const struct search *search)
{
	const struct account *account = &search->row->account;
	double spun_ns = account->category_ns[CAT_SPIN], served_ns = work_ns(account) + spun_ns;
	double part = served_ns / spun_ns * account_share(account, CAT_NO_CPU);

	return spun_ns > 0 ? search->left[CAT_SPIN] * fmin(part, 1) : 0;
}

/* While one thread has no CPU, up to all others wait for it where they meet. That loss is divided
 * by who had the CPUs, without regard to who had them on one thread. */
void find_no_cpu(struct search *search)
{
	const struct report_row *row = search->row;
	int meet = find_longest(search, is_meeting) || search->left[CAT_MPI] > 0;
	double late = spread_lost(search, SPREAD_FIGURE(unserved_ns)) + search->spun_unserved;
	double working = working_part(row), all_ns = 0, all_waited = 0, fits;
	double own[NO_CPU_COUNT], waited[NO_CPU_COUNT];

	EACH_ROW(ns, row->no_cpu_ns, NO_CPU_COUNT)
		all_ns += *ns;
	for (int who = 0; who < NO_CPU_COUNT; who++) {
		double share = all_ns > 0 ? row->no_cpu_ns[who] / all_ns : 0;
		/* if each has a CPU, the program's own threads that take one are others than those
		 * that are waited for */
		int many = who != NO_CPU_OWN || row->threads > row->cpus_available;
		int spin = many && find_loop(search, 0);

		own[who] = no_cpu_lost(search, (enum no_cpu)who);
		waited[who] = fmax(late, spin ? spun_for_cpu(search) : 0) * share;
		if (meet || spin)
			waited[who] = fmax(waited[who], (row->threads - 1) * own[who] * working);
		all_waited += waited[who];
	}
	fits = fmax(fmin((sum_idle(search->left) - usual_waits(search)) / all_waited, 1), 0);
	for (int who = 0; who < NO_CPU_COUNT; who++) {
		struct claim found = {.sure = SURE, .lost[CAT_NO_CPU] = own[who]};

		add_idle_loss(search, waited[who] * fits, &found);
		if (sum_idle(found.lost) > own[who])
			found.sure = LIKELY;
		if (who == NO_CPU_OWN) {
			if (lacks_cpus_for_extra(search))
				add_extra_loss(search, &found);
			say_own_threads(search, &found);
		} else {
			say_no_cpu(search, (enum no_cpu)who, &found);
		}
		claim(search, &found);
	}
}
