/* accounting.c: from threads' times to f, N and the split of lost speed-up. */
/* SPDX-License-Identifier: MIT */
#include "model/accounting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/roles.h"

/* What the threads of one run add up to, before N is known. */
struct totals {
	int64_t category_ns[CAT_COUNT]; /* of participants; waiting is not added up */
	int64_t own_ns;
	int participants_at_once, workers_at_once;
};

static double share(double part, double rest)
{
	return part + rest > 0 ? part / (part + rest) : NAN;
}

static void add_participant(const struct thread_time *thread, struct totals *totals,
			    struct account *account)
{
	for (int category = 0; category < CAT_COUNT; category++)
		if (category != CAT_WAITING && thread->times.ns[category] > 0)
			totals->category_ns[category] += thread->times.ns[category];
	if (thread->own_ns > 0)
		totals->own_ns += thread->own_ns;
	if (thread->times.blas_waiting_ns > 0)
		account->blas_waiting_ns += (double)thread->times.blas_waiting_ns;
	account->samples_blas += (double)thread->samples_blas;
	account->samples_other += (double)thread->samples_other;
	account->participants++;
}

static void add_threads(const struct thread_time *threads, const enum thread_role *roles,
			size_t count, struct totals *totals, struct account *account)
{
	for (size_t i = 0; i < count; i++) {
		account->calls += (double)threads[i].calls;
		account->flops += threads[i].flops;
		if (roles[i] == ROLE_PARTICIPANT)
			add_participant(&threads[i], totals, account);
		if (roles[i] == ROLE_BLAS_WORKER) {
			account->workers++;
			account->worker_samples +=
				(double)(threads[i].samples_blas + threads[i].samples_other);
		}
	}
}

static void set_shares(struct account *account)
{
	account->f_intercepted = share(account->caller_blas_ns, account->caller_other_ns);
	account->f_sampled = share(account->samples_blas, account->samples_other);
}

static enum parallel_case find_case(const struct totals *totals)
{
	if (!totals->workers_at_once)
		return PARALLEL_CALLERS;
	return totals->participants_at_once == 1 ? PARALLEL_INNER : PARALLEL_BOTH;
}

/* How many thread-ns one caller-ns of the category stands for; see account_run(). */
static int64_t category_weight(const struct account *account, int category)
{
	int stops_all = category == CAT_BLAS || category == CAT_NO_CPU;

	return account->parallel == PARALLEL_INNER && stops_all ? account->threads : 1;
}

/* Thread-ns of all categories but waiting. */
static int64_t claimed_ns(const struct account *account, const struct totals *totals)
{
	int64_t sum_ns = 0;

	for (int category = 0; category < CAT_COUNT; category++)
		sum_ns += totals->category_ns[category] * category_weight(account, category);
	return sum_ns;
}

/* N * T in whole ns, before the threads' claims are looked at. */
static int64_t available_ns(const struct account *account, const struct totals *totals,
			    int64_t roi_ns)
{
	int spread = totals->participants_at_once;

	if (spread > account->threads)
		spread = account->threads;
	return account->threads * (roi_ns - totals->own_ns / spread) -
	       totals->own_ns % spread * account->threads / spread;
}

static void set_threads(struct account *account, const struct totals *totals, int requested,
			int64_t roi_ns)
{
	int seen = totals->participants_at_once;

	if (account->parallel == PARALLEL_INNER)
		seen += totals->workers_at_once;
	account->threads = requested > 0 ? requested : seen;
	if (account->threads < seen &&
	    claimed_ns(account, totals) > available_ns(account, totals, roi_ns))
		account->threads = seen;
}

/* Splits N * T into its categories; waiting is the remainder. */
static void set_categories(struct account *account, const struct totals *totals, int64_t roi_ns)
{
	int64_t claimed = claimed_ns(account, totals);
	int64_t available = available_ns(account, totals, roi_ns);

	if (available < claimed)
		available = claimed;
	for (int category = 0; category < CAT_COUNT; category++)
		account->category_ns[category] = (double)(totals->category_ns[category] *
							  category_weight(account, category));
	account->category_ns[CAT_WAITING] = (double)(available - claimed);
	account->wall_ns = (double)available / account->threads;
	account->caller_blas_ns = (double)totals->category_ns[CAT_BLAS];
	account->caller_other_ns = (double)totals->category_ns[CAT_OTHER];
	account->own_ns = (double)totals->own_ns;
}

/* The account once every thread's role is known. */
static int account_roles(const struct thread_time *threads, const enum thread_role *roles,
			 size_t count, int64_t roi_ns, int requested, struct account *account)
{
	struct totals totals = {0};

	totals.participants_at_once = roles_at_once(threads, roles, count, ROLE_PARTICIPANT);
	totals.workers_at_once = roles_at_once(threads, roles, count, ROLE_BLAS_WORKER);
	if (totals.participants_at_once < 0 || totals.workers_at_once < 0)
		return -1;
	add_threads(threads, roles, count, &totals, account);
	account->parallel = find_case(&totals);
	set_threads(account, &totals, requested, roi_ns);
	set_categories(account, &totals, roi_ns);
	set_shares(account);
	return 0;
}

int account_check(const struct thread_time *threads, size_t count, int64_t roi_ns,
		  struct error *err)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < count; i++)
		calls |= threads[i].calls;
	if (!calls)
		return error_set(err,
				 "check with 'blasprof doctor' that its calls can be intercepted",
				 "no thread made a BLAS call");
	if (roi_ns <= 0)
		return error_set(err,
				 "let the program run longer: it has to make several BLAS calls",
				 "the region of interest has no length");
	return 0;
}

int account_run(const struct thread_time *threads, size_t count, int64_t roi_ns,
		int threads_requested, double work, struct account *account,
		enum thread_role *roles, struct error *err)
{
	enum thread_role *own_roles;
	int result;

	memset(account, 0, sizeof *account);
	if (account_check(threads, count, roi_ns, err))
		return -1;
	own_roles = roles ? NULL : calloc(count, sizeof *own_roles);
	if (!roles)
		roles = own_roles;
	result = roles ? roles_assign(threads, count, roles) : -1;
	if (!result)
		result = account_roles(threads, roles, count, roi_ns, threads_requested, account);
	free(own_roles);
	if (result)
		return error_set(err, "free some memory", "out of memory for %zu threads", count);
	account->runs = 1;
	account->work = isfinite(work) && work > 0 ? work : account->flops;
	return 0;
}

/* Makes the account one of `threads`: those that it lacks wait. */
static void widen(struct account *account, int threads)
{
	if (account->threads >= threads)
		return;
	account->category_ns[CAT_WAITING] += (threads - account->threads) * account->wall_ns;
	account->threads = threads;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

void account_add(struct account *sum, const struct account *run)
{
	struct account other = *run;

	widen(sum, other.threads);
	widen(&other, sum->threads);
	for (int category = 0; category < CAT_COUNT; category++)
		sum->category_ns[category] += other.category_ns[category];
	sum->participants = larger(sum->participants, other.participants);
	sum->workers = larger(sum->workers, other.workers);
	sum->parallel = (enum parallel_case)larger((int)sum->parallel, (int)other.parallel);
	sum->runs += other.runs;
	sum->wall_ns += other.wall_ns;
	sum->caller_blas_ns += other.caller_blas_ns;
	sum->caller_other_ns += other.caller_other_ns;
	sum->blas_waiting_ns += other.blas_waiting_ns;
	sum->own_ns += other.own_ns;
	sum->calls += other.calls;
	sum->flops += other.flops;
	sum->work += other.work;
	sum->samples_blas += other.samples_blas;
	sum->samples_other += other.samples_other;
	sum->worker_samples += other.worker_samples;
	set_shares(sum);
}

double account_per_work(const struct account *account, enum category category)
{
	return account->work > 0 ? account->category_ns[category] / account->work : NAN;
}

double account_throughput(const struct account *account)
{
	return account->wall_ns > 0 ? account->work / account->wall_ns : NAN;
}

static int check_comparable(const struct account *account, struct error *err)
{
	if (!(account->wall_ns > 0))
		return error_set(err, "record a longer run", "a run of %d threads has no wall time",
				 account->threads);
	if (!(account->work > 0))
		return error_set(err, "say what counts as work, or record a run that does some",
				 "a run of %d threads did no work that can be counted",
				 account->threads);
	return 0;
}

int decompose(const struct account *base, const struct account *point, struct decomposition *result,
	      struct error *err)
{
	double sum_per_work = 0;

	memset(result, 0, sizeof *result);
	if (check_comparable(base, err) || check_comparable(point, err))
		return -1;
	for (int category = 0; category < CAT_COUNT; category++)
		sum_per_work += account_per_work(point, (enum category)category);
	result->ideal = (double)point->threads / base->threads;
	result->speedup = account_throughput(point) / account_throughput(base);
	/* + 0.0 makes a plain zero of a negative one */
	for (int category = 0; category < CAT_COUNT; category++)
		result->lost[category] = result->ideal / sum_per_work *
						 (account_per_work(point, (enum category)category) -
						  account_per_work(base, (enum category)category)) +
					 0.0;
	return 0;
}
