/* cause_evidence.c: what samples, waits and the spread of the work say of the causes. */
/* SPDX-License-Identifier: MIT */
#include "report/cause_evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "store/store.h"

double own_samples(const struct report_function *function)
{
	return (double)function->sum.samples - (double)function->sum.samples_workers;
}

/* The samples in threads that BLAS itself started, or that only spin. */
static double idle_samples(const struct report_function *function)
{
	return (double)function->sum.samples_workers;
}

double all_samples(const struct report_function *function)
{
	return (double)function->sum.samples;
}

double waits_share(const struct search *search, double waits)
{
	double all = 0;

	EACH_HERE(wait, search, waits)
		all += wait_is_waiting(wait, search->row) ? (double)wait->sum.waits : 0;
	return all > 0 ? waits / all : 0;
}

/* The part of the row's waits for which participants were blocked, by the clocks. In the table of
 * waits, each ends when the thread runs again; by the clocks, when it is ready to, which is much
 * earlier if other programs have the CPUs. */
static double blocked_part(const struct search *search, const struct report_row *row)
{
	double sum_ns = 0, ready_ns;

	EACH_ROW(wait, search->report->waits, search->report->nwaits)
		sum_ns += wait_is_waiting(wait, row) ? (double)wait->sum.total_ns : 0;
	ready_ns = fmin(sum_ns - row->blocked_ns, row->account.category_ns[CAT_NO_CPU]);
	return sum_ns > 0 ? 1 - fmax(ready_ns, 0) / sum_ns : 1;
}

double wait_lost(const struct search *search, const struct report_wait *wait)
{
	struct table_order keys = table_order_by(&run_tables[RUN_PART_WAITS], WAIT_KEYS);
	double one_ns = 0;

	EACH_AT(other, search->report, waits, 1)
		if (other->is_caller && !table_compare(&keys, &wait->sum, &other->sum))
			one_ns += (double)other->sum.total_ns * blocked_part(search, search->base);
	return more_lost(search, (double)wait->sum.total_ns * blocked_part(search, search->row),
			 one_ns);
}

/* The time in code of a category, or in all code of the kernel (NULL), in ns for a unit of work:
 * inside BLAS calls (CAT_BLAS), or in other code and in the kernel (CAT_OTHER). */
static double code_per_work(const struct search *search, const struct report_row *row,
			    enum category where, const char *category)
{
	double in = 0, all = 0;

	EACH_AT(function, search->report, functions, row->threads) {
		const struct code_location *at = &function->sum.location;
		const char *found = function->category;
		int is_blas = function->sum.code == RUN_CODE_BLAS;

		if (is_blas != (where == CAT_BLAS) || function->sum.code == RUN_CODE_SPIN)
			continue;
		if (is_blas) /* as for code that BLAS does not call */
			found = category_find(search->report->options.categories, at->object,
					      RUN_CODE_OTHER, at->function, at->inlined_into);
		all += own_samples(function);
		if (category ? !strcmp(found, category) : !strcmp(at->object, "[kernel]"))
			in += own_samples(function);
	}
	return in / all * account_per_work(&row->account, where);
}

double code_lost(const struct search *search, enum category where, const char *category)
{
	return threads_lost(search, code_per_work(search, search->row, where, category),
			    code_per_work(search, search->base, where, category));
}

void forget_stacks(struct run *loaded)
{
	table_free(&run_tables[RUN_PART_FRAMES], loaded);
	table_free(&run_tables[RUN_PART_STACKS], loaded);
}

const struct run *with_stacks(const struct search *search, const struct report_run *run)
{
	struct store *store = search->report->options.stacks;
	struct run *loaded = search->loaded;

	if (!store)
		return run->run;
	if (loaded->id != run->id) {
		forget_stacks(loaded);
		*loaded = *run->run;
		store_load_more(store, STORE_STACKS, loaded, 1, NULL);
	}
	return loaded;
}

const struct run *newest_run(const struct search *search)
{
	const struct report_run *newest = NULL;

	EACH_RUN_HERE(run, search)
		newest = run;
	return with_stacks(search, newest);
}

double entered_lost(const struct search *search, enum category where, const char *category)
{
	double lost = code_lost(search, where, category);
	double in_kernel = code_lost(search, where, CATEGORY_KERNEL);

	if (in_kernel > 0)
		lost += in_kernel * build_entered(newest_run(search),
						  search->report->options.categories, category);
	return lost;
}

double unclaimed_locking(const struct search *search)
{
	double claimed = (search->other_lost - search->left[CAT_OTHER]) / search->raised;

	return fmax(entered_lost(search, CAT_OTHER, CATEGORY_LOCKS) - claimed, 0);
}

double switching_lost(const struct search *search, double waits, int are_for_locks)
{
	double grown = code_lost(search, CAT_OTHER, CATEGORY_LOCKS) +
		       code_lost(search, CAT_OTHER, CATEGORY_KERNEL);
	double share = waits_share(search, waits);

	return fmax(fmin(grown * share, time_lost(search, waits * SWITCH_NS)),
		    are_for_locks ? entered_lost(search, CAT_OTHER, CATEGORY_LOCKS) * share : 0);
}

static double spread_ns(const struct report_run *run, size_t figure)
{
	return *(const double *)((const char *)&run->spread + figure);
}

double spread_lost(const struct search *search, size_t figure)
{
	double sum_ns = 0;

	EACH_RUN_HERE(run, search)
		sum_ns += run->spread.known ? spread_ns(run, figure) : 0;
	return time_lost(search, sum_ns);
}

double spread_work_lost(const struct search *search, size_t figure)
{
	return spread_lost(search, figure) * (1 + search->starved);
}

const struct report_run *find_spread(const struct search *search, size_t figure)
{
	const struct report_run *most = NULL;

	EACH_RUN_HERE(run, search)
		if (run->spread.known &&
		    (!most || spread_ns(run, figure) > spread_ns(most, figure)))
			most = run;
	return most;
}

double wait_each_ns(const struct report_wait *wait)
{
	return (double)wait->sum.total_ns / (double)wait->sum.waits;
}

int is_meeting(const struct report_wait *wait, const struct report_row *row)
{
	return wait_is_waiting(wait, row) && wait_is_meeting(&wait->sum);
}

int is_polling(const struct report_wait *wait, const struct report_row *row)
{
	return wait_is_waiting(wait, row) && !strcmp(wait->sum.kind, "sleep");
}

int is_join(const struct report_wait *wait)
{
	return !strcmp(wait->sum.kind, "join") || !strcmp(wait->sum.kind, "child");
}

const struct report_wait *find_longest(const struct search *search,
				       int (*is)(const struct report_wait *wait,
						 const struct report_row *row))
{
	EACH_ROW(wait, search->report->waits, search->report->nwaits)
		if (is(wait, search->row))
			return wait;
	return NULL;
}

int is_nameless_openmp(const char *name)
{
	return object_runs_openmp(name) && strstr(name, "+0x");
}

int is_openmp_call(const char *function)
{
	return !strncmp(function, "GOMP_", 5) || !strncmp(function, "__kmpc_", 7) ||
	       !strncmp(function, "kmpc_", 5);
}

int is_lock(const char *function)
{
	static const char *const words[] = {"_lock",	"::lock",  "_unlock",  "mutex",
					    "Mutex",	"rwlock",  "pinlock",  "pinLock",
					    "critical", "ordered", " lock in "};

	EACH_ROW(word, words, COUNT(words))
		if (strstr(function, *word))
			return 1;
	return !strcmp(function, "lock");
}

int is_spinning(const struct report_function *function, int in_lock)
{
	return function->sum.code == RUN_CODE_SPIN &&
	       is_lock(function->sum.location.function) == in_lock;
}

typedef double count_samples(const struct report_function *function);

static const struct report_function *find_most_spinning(const struct search *search, int in_lock,
							count_samples *samples)
{
	const struct report_function *most = NULL, *in_kernel = NULL, *named = NULL;

	EACH_HERE(function, search, functions) {
		int is_kernel = !strcmp(function->sum.location.object, "[kernel]");
		const struct report_function **place = is_kernel ? &in_kernel : &most;

		if (is_spinning(function, in_lock) &&
		    samples(function) > (*place ? samples(*place) : 0))
			*place = function;
	}
	EACH_HERE(function, search, functions)
		if (most && is_spinning(function, in_lock) &&
		    (!strcmp(function->sum.location.object, most->sum.location.object) ||
		     (is_nameless_openmp(most->sum.location.function) &&
		      is_openmp_call(function->sum.location.function))) &&
		    !strchr(function->sum.location.function, '+') &&
		    samples(function) > (named ? samples(named) : 0))
			named = function;
	return named ? named : most ? most : in_kernel;
}

const struct report_function *find_loop(const struct search *search, int in_lock)
{
	return find_most_spinning(search, in_lock, own_samples)
		       ?: find_most_spinning(search, in_lock, all_samples);
}

const struct report_function *find_idle_loop(const struct search *search)
{
	return find_most_spinning(search, 0, idle_samples)
		       ?: find_most_spinning(search, 0, all_samples);
}

int is_single(const struct search *search)
{
	EACH_RUN_HERE(run, search) {
		double most = 0, sum = 0;

		EACH_ROW(thread, run->run->threads, run->run->nthreads) {
			double ns = (double)thread->times.ns[CAT_BLAS] +
				    (double)thread->times.ns[CAT_OTHER];

			sum += fmax(ns, 0);
			most = fmax(most, ns);
		}
		if (sum - most > CAUSE_MIN * most)
			return 0;
	}
	return 1;
}

/* 1 for the kernel and the C library, which others call to wait. */
static int is_system(const struct report_function *function)
{
	const char *object = object_name(function->sum.location.object);

	return !strcmp(object, "[kernel]") || !strncmp(object, "libc.so", 7);
}

int is_in_blas(const struct search *search, const struct report_function *loop)
{
	if (!loop || is_system(loop) || object_runs_openmp(loop->sum.location.object))
		return 0;
	EACH_ROW(function, search->report->functions, search->report->nfunctions)
		if (function->sum.code == RUN_CODE_BLAS &&
		    !strcmp(function->sum.location.object, loop->sum.location.object))
			return 1;
	return 0;
}

int calls_wait(const struct search *search)
{
	double waits = 0, computes = 0;

	EACH_HERE(function, search, functions)
		if (function->sum.code == RUN_CODE_BLAS)
			*(is_system(function) ? &waits : &computes) += own_samples(function);
	return waits > computes;
}

int threads_of_blas(const struct search *search)
{
	const struct report_row *row = search->row;
	const char *pool = report_fact(search->report, "blas_threads");
	int workers = row->workers_at_once;

	if (row->account.parallel == PARALLEL_INNER ||
	    (!workers && !is_in_blas(search, find_loop(search, 0)) && !calls_wait(search)))
		return 0;
	if (pool && !report_fact(search->report, "blas_2"))
		workers = (int)fmax(workers, atoi(pool) - 1); /* not all may have been sampled */
	return workers;
}

int has_too_many_threads(const struct search *search)
{
	int workers = threads_of_blas(search);

	return workers && search->row->threads + workers > search->row->cpus_available;
}

int is_gpu_wait(const struct code_location *location)
{
	const char *object = object_name(location->object);

	return !strncmp(object, "libcuda", 7) || !strncmp(object, "libamdhip", 9) ||
	       (strstr(location->function, "Synchronize") &&
		(!strncmp(location->function, "cu", 2) || !strncmp(location->function, "hip", 3)));
}

void add_extra_loss(const struct search *search, struct claim *found)
{
	const struct account *base = &search->base->account;

	for (int category = CAT_BLAS; category <= CAT_OTHER; category++) {
		double one = account_per_work(base, category);

		found->lost[category] =
			threads_lost(search, one * base->claimed_ns / base->wall_ns, one);
	}
}

int lacks_cpus_for_extra(const struct search *search)
{
	const struct report_run *most = find_spread(search, SPREAD_FIGURE(extra_ns));
	double wall_ns = search->row->account.wall_ns;

	return search->is_measured && most && most->spread.extras && !most->spread.extra_is_apart &&
	       search->row->no_cpu_ns[NO_CPU_OWN] > LOSS_MIN * search->row->threads * wall_ns;
}

double busy_inside(const struct report_row *row)
{
	double samples = row->account.worker_samples + row->account.samples_blas;
	double share = row->worker_share, chance = 2 * sqrt(share * (1 - share) / samples);

	return share + chance < 1 - 1.0 / row->threads ? 1 / (1 - share) : row->threads;
}
