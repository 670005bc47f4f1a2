/* cause_spin.c: threads that spin: for a lock, for a GPU, or because pools compete. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/cause_place.h"
#include "report/cause_text.h"
#include "base/array.h"
#include "base/human.h"
#include "report/warnings.h"

void find_spin_locks(struct search *search)
{
	const struct report_function *loop = find_loop(search, 1);
	struct claim found = {.cause = CAUSE_LOCK, .sure = LIKELY, .remedy = REMEDY_LOCK};
	const struct account *account = &search->row->account;
	double no_cpu_ns = account->category_ns[CAT_NO_CPU];
	double busy_ns = work_ns(account) + no_cpu_ns + account->category_ns[CAT_SPIN];
	double in_locks = 0, elsewhere = 0;

	if (!loop)
		return;
	EACH_HERE(function, search, functions) {
		in_locks += is_spinning(function, 1) ? all_samples(function) : 0;
		elsewhere += is_spinning(function, 0) ? all_samples(function) : 0;
	}
	found.lost[CAT_SPIN] = search->left[CAT_SPIN] * in_locks / (in_locks + elsewhere);
	/* the thread that holds it lacks a CPU as often as any that does not wait */
	search->spun_unserved = busy_ns > 0 ? found.lost[CAT_SPIN] * no_cpu_ns / busy_ns : 0;
	found.lost[CAT_SPIN] -= search->spun_unserved;
	found.place = loop_place(search, loop);
	SAY(found.sentence, "spin for a lock that another thread holds, in %s", found.place);
	claim(search, &found);
}

/* By chance, the sample after one that spins spins as often as any other of its thread. Threads
 * that spin for longer than the time between two samples do so more often than that. */
#define AGAIN_MIN 0.25

/* Returns 1 if threads spin for long each time, not for as long as it takes them to meet. */
static int spins_last(const struct search *search)
{
	double again = 0, most = 0;

	EACH_RUN_HERE(run, search)
		EACH_ROW(thread, run->run->threads, run->run->nthreads) {
			double spins = (double)thread->samples_spin;
			double chance = spins * spins /
					fmax(spins + (double)thread->samples_blas +
						     (double)thread->samples_other +
						     (double)thread->samples_kernel,
					     1);

			again += (double)thread->samples_spin_again - chance;
			most += spins - chance;
		}
	return again > AGAIN_MIN * most;
}

void find_gpu(struct search *search)
{
	const struct report_row *row = search->row;
	const struct report_function *loop = find_loop(search, 0);
	struct claim found = {.cause = CAUSE_GPU, .sure = SURE, .remedy = REMEDY_GPU};
	int is_alone = is_single(search);

	if (!loop || !is_gpu_wait(&loop->sum.location))
		return;
	found.lost[CAT_SPIN] = search->left[CAT_SPIN];
	if (is_alone)
		found.lost[CAT_WAITING] =
			(row->threads - 1) * row->threads * account_share(&row->account, CAT_SPIN);
	found.place = loop_place(search, loop);
	SAY(found.sentence, "%s for a GPU, spinning in %s",
	    is_alone ? "have nothing to do while a single thread waits" : "wait", found.place);
	claim(search, &found);
}

/* Spinning that no difference between the threads' work explains. */
void find_spin(struct search *search)
{
	const struct report_function *loop = find_loop(search, 0);
	struct claim found = {.cause = CAUSE_SPIN, .sure = LIKELY, .sentence = "spin"};
	int is_openmp;

	if (!loop)
		return;
	is_openmp = object_runs_openmp(loop->sum.location.object);
	found.lost[CAT_SPIN] = search->left[CAT_SPIN];
	say_most_in(loop_place(search, loop), &found);
	if (!say_blas_spins(search, loop, &found) &&
	    search->row->threads > search->row->cpus_available)
		SAY(found.remedy, REMEDY_SPIN);
	if (!*found.remedy && !say_small_tasks(loop->sum.location.function, &found)) {
		if (is_openmp && spins_last(search)) {
			found.cause = CAUSE_IMBALANCE;
			SAY(found.sentence,
			    ", for long each time: it is not always the same thread that comes "
			    "last");
		} else if (is_openmp) {
			/* to meet takes more than to spin */
			found.lost[CAT_OTHER] = unclaimed_locking(search);
			SAY(found.sentence,
			    ": one of them comes late each time, or they meet too often");
		}
		SAY(found.remedy,
		    "divide the work between two meetings more evenly,%s and let threads meet less "
		    "often; if it is a lock, hold it for a shorter time",
		    also_single(search));
	}
	claim(search, &found);
}

/* The time in which threads, participants or not, had no CPU because others of the program ran; all
 * of the row's time if that is not known. */
static double own_no_cpu_ns(const struct search *search)
{
	double sum_ns = 0;

	EACH_RUN_HERE(run, search)
		EACH_ROW(thread, run->run->threads, run->run->nthreads)
			sum_ns += thread->switch_own_ns < 0 ? search->row->account.wall_ns
							    : (double)thread->switch_own_ns;
	return sum_ns;
}

/* Two pools, of OpenMP and of a BLAS library that does not use OpenMP, have more threads than there
 * are CPUs: spinning threads of one take the CPUs of the other, whose calls take longer. */
void find_pools(struct search *search)
{
	struct claim found = {.cause = CAUSE_POOLS_COMPETE, .sure = LIKELY};
	const struct report_row *row = search->row;
	const char *blas = report_fact(search->report, "blas");
	const char *layer = report_fact(search->report, "blas_layer");
	const char *pool = report_fact(search->report, "blas_threads");
	const struct report_function *loop = find_loop(search, 0);

	if (!row->workers_at_once || row->threads + row->workers_at_once <= row->cpus_available ||
	    (layer && !strcmp(layer, "OpenMP")) ||
	    !report_runs_openmp(search->report, row->threads) ||
	    report_pool_is_openmp(search->report, row->threads))
		return;
	found.lost[CAT_NO_CPU] = no_cpu_lost(search, NO_CPU_OWN);
	found.lost[CAT_SPIN] = search->left[CAT_SPIN];
	/* a pool that sleeps takes no CPU from the other */
	if (found.lost[CAT_NO_CPU] + found.lost[CAT_SPIN] < CAUSE_MIN ||
	    time_lost(search, own_no_cpu_ns(search)) < CAUSE_MIN * row->threads)
		return;
	search->pools_no_cpu = found.lost[CAT_NO_CPU];
	found.lost[CAT_BLAS] = search->left[CAT_BLAS];
	SAY(found.sentence, "lack a CPU or spin: OpenMP's %d threads and %s's %d compete for %s",
	    row->threads, blas ? blas : "BLAS", pool ? atoi(pool) : row->workers_at_once + 1,
	    human_noun(row->cpus_available, "CPU"));
	if (loop)
		found.place = loop_place(search, loop);
	if (!say_blas_spins(search, loop, &found))
		SAY(found.remedy, "set OMP_WAIT_POLICY=passive, or %s=1",
		    report_threads_variable(search->report));
	claim(search, &found);
}
