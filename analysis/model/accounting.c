/* accounting.c: from threads' times to f, N and the split of lost speed-up. */
/* SPDX-License-Identifier: MIT */
#include "model/accounting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/memory.h"

enum {
	SAMPLES_MIN = 5,	   /* fewer do not tell what a thread does */
	WORKER_ONE_IN = 100,	   /* and 1 % of the samples of the most sampled thread */
	WORKER_CALLER_ONE_IN = 10, /* and 10 % of the BLAS samples of the caller with most */
};

/* Successive threads that were never alive together. */
struct lane {
	int64_t free_ns;  /* when its last thread ended */
	int64_t alive_ns; /* lifetime of all its threads together */
	int64_t busy_ns;  /* likewise their computing time */
	int64_t most_ns;  /* that of the one that computes most */
	uint64_t calls, samples;
	uint64_t own_samples; /* of them in code that is neither BLAS nor the kernel */
	int clock_decides;    /* the samples are too few to tell what it does */
	int pool_is_off;      /* as in struct thread_time */
};

static int64_t above_zero(int64_t ns)
{
	return MAX(ns, 0);
}

/* B + C. */
static int64_t busy_ns(const struct thread_time *thread)
{
	return above_zero(thread->times.ns[CAT_BLAS]) + above_zero(thread->times.ns[CAT_OTHER]);
}

/* A thread and its lane, by its start; the order of equal starts is that of the array. */
struct start {
	int64_t start_ns;
	size_t thread, lane;
};

COMPARE(compare_starts, struct start,
	ORDER(a->start_ns, b->start_ns) ?: ORDER(a->thread, b->thread))

/* Computing: B + C without the time in B that is blocked. */
static int64_t useful_ns(const struct thread_time *thread)
{
	return above_zero(busy_ns(thread) - above_zero(thread->times.blas_waiting_ns));
}

/* Where no call was seen, threads of the program execute BLAS's code: it counts as their own. */
static uint64_t own_code_samples(const struct thread_time *thread)
{
	return (uint64_t)above_zero((int64_t)(thread->samples_other - thread->samples_kernel)) +
	       (thread->is_unseen ? thread->samples_blas : 0);
}

/* Returns 1 if the thread's samples lie in a BLAS library and in the kernel: it belongs to the
 * library's own pool, and works there or waits for work. */
static int is_of_pool(const struct thread_time *thread)
{
	return !thread->calls && thread->samples_blas > own_code_samples(thread);
}

/* Fills starts[] with the participants in order of their start, or, if roles is NULL, with the
 * threads that may take part. Returns how many there are. */
static size_t sort_threads(const struct thread_time *threads, const enum thread_role *roles,
			   size_t count, struct start *starts)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		if (roles ? roles[i] == ROLE_PARTICIPANT
			  : threads[i].calls || (busy_ns(&threads[i]) && !is_of_pool(&threads[i])))
			starts[found++] = (struct start){threads[i].start_ns, i, 0};
	qsort(starts, found, sizeof *starts, compare_starts);
	return found;
}

/* What shows that a lane without a call works. */
enum proof {
	OWN_CODE, /* most samples in code of its own; in the kernel, as in sched_yield(), it waits
		   */
	ANY_CODE, /* samples in its own code: it may get and free memory, or contend for a lock */
	ANY_SAMPLES, /* samples, also in the kernel only, as for I/O, or to start threads */
	SOME_TIME,   /* any computing */
};

static int lane_works(const struct lane *lane, enum proof proof)
{
	if (lane->calls || lane->clock_decides || proof == SOME_TIME)
		return 1;
	if (proof == ANY_SAMPLES)
		return lane->samples >= SAMPLES_MIN;
	return lane->own_samples >= SAMPLES_MIN &&
	       (proof == ANY_CODE || 2 * lane->own_samples > lane->samples);
}

/* Accepts less proof if fewer than `wanted` lanes would work otherwise. Only with BLAS calls,
 * threads with few samples, or most of them in the kernel, may belong to BLAS's pool. */
static enum proof choose_proof(const struct lane *lanes, size_t nlanes, int wanted)
{
	enum proof proof = ANY_CODE, most = SOME_TIME;

	EACH_ROW(lane, lanes, nlanes)
		if (lane->calls) {
			proof = OWN_CODE;
			most = ANY_CODE;
		}
	for (; proof < most; proof++) {
		int working = 0;

		EACH_ROW(lane, lanes, nlanes)
			working += lane_works(lane, proof);
		if (working >= MAX(wanted, 1))
			break;
	}
	return proof;
}

/* Puts each thread into the first free lane. Returns the number of lanes. As long as no thread has
 * ended no lane can be free, so none is searched. */
static size_t fill_lanes(const struct thread_time *threads, struct start *starts, size_t nstarts,
			 int64_t (*time_ns)(const struct thread_time *thread), struct lane *lanes)
{
	size_t nlanes = 0;
	int64_t earliest_ns = INT64_MAX; /* when the first lane is free */

	EACH_ROW(start, starts, nstarts) {
		const struct thread_time *thread = &threads[start->thread];
		int is_free = earliest_ns <= start->start_ns;
		struct lane *lane = lanes + (is_free ? 0 : nlanes);

		while (lane < lanes + nlanes && lane->free_ns > start->start_ns)
			lane++;
		start->lane = (size_t)(lane - lanes);
		nlanes += start->lane == nlanes;
		lane->free_ns = thread->end_ns;
		lane->alive_ns += thread->end_ns - thread->start_ns;
		lane->busy_ns += time_ns(thread);
		lane->most_ns = MAX(lane->most_ns, time_ns(thread));
		lane->calls |= thread->calls;
		lane->pool_is_off = thread->pool_is_off;
		lane->samples += thread->samples_blas + thread->samples_other;
		lane->own_samples += own_code_samples(thread);
		earliest_ns = is_free ? INT64_MAX : MIN(earliest_ns, thread->end_ns);
		EACH_ROW(other, lanes, is_free ? nlanes : 0)
			earliest_ns = MIN(earliest_ns, other->free_ns);
	}
	return nlanes;
}

/* Threads with few samples cannot be of BLAS's pool if nothing calls BLAS, or if the pool is off
 * and those that work got enough samples in that time. If N was asked for, choose_proof() has
 * checked whether they are needed. */
static void set_clock_decides(struct lane *lanes, size_t nlanes, enum proof proof, int wanted)
{
	int working = 0, pool = 0;
	uint64_t calls = 0;
	double samples = 0, time_ns = 0;

	EACH_ROW(lane, lanes, nlanes) {
		calls |= lane->calls;
		pool |= !lane->pool_is_off;
		if (lane_works(lane, proof)) {
			working = 1;
			samples += (double)lane->samples;
			time_ns += (double)lane->busy_ns;
		}
	}
	EACH_ROW(lane, lanes, nlanes)
		lane->clock_decides = working && !wanted && lane->samples < SAMPLES_MIN &&
				      (!calls || (!pool && samples * (double)lane->busy_ns >=
								   SAMPLES_MIN * time_ns));
}

COMPARE(compare_busiest, int64_t, ORDER(*b, *a))

/* Returns the computing time from which on a lane takes part. */
static int64_t least_busy_ns(const struct lane *lanes, size_t nlanes, enum proof proof, int wanted)
{
	int64_t *busy = memory_rows(MAX(nlanes, 1), sizeof *busy), least_ns, below_ns = 0;
	size_t count = 0, most;

	EACH_ROW(lane, lanes, nlanes)
		if (lane_works(lane, proof) && lane->busy_ns > 0)
			busy[count++] = lane->busy_ns;
	SORT(busy, count, compare_busiest);
	least_ns = (busy[0] + PARTICIPANT_ONE_IN - 1) / PARTICIPANT_ONE_IN;
	most = MIN(count, (size_t)MAX(wanted, 0));
	for (size_t i = 0; i < most; i++)
		if (busy[i] < least_ns)
			below_ns += busy[i];
	if (below_ns > least_ns)
		least_ns = busy[most - 1];
	free(busy);
	return least_ns;
}

static int may_be_worker(const struct thread_time *thread)
{
	return is_of_pool(thread) && !thread->pool_is_off;
}

/* Returns how many threads have at least this many samples in BLAS, without a call. */
static int assign_workers(const struct thread_time *threads, size_t count, int64_t least,
			  enum thread_role *roles)
{
	int workers = 0;

	EACH_ROW(thread, threads, count)
		if (may_be_worker(thread) && (int64_t)thread->samples_blas >= least) {
			roles[thread - threads] = ROLE_BLAS_WORKER;
			workers++;
		}
	return workers;
}

/* 1 if another thread of the lane computes much more, and this one hardly does while it is alive:
 * it waits for others, as a process does at the end of a pipe. */
static int only_waits(const struct thread_time *thread, const struct lane *lane)
{
	int64_t busy = busy_ns(thread) * PARTICIPANT_ONE_IN;

	return busy < lane->most_ns && busy < thread->end_ns - thread->start_ns;
}

/* Stray calls tell of no lane that the others may be of BLAS's pool. */
static void forget_stray_calls(struct lane *lanes, size_t nlanes, const struct thread_time *threads,
			       size_t count)
{
	int64_t blas_ns = 0, all_ns = 0;

	EACH_ROW(thread, threads, count) {
		blas_ns += above_zero(thread->times.ns[CAT_BLAS]);
		all_ns += busy_ns(thread);
	}
	if (blas_ns && (double)blas_ns < STRAY_CALLS_MAX * (double)all_ns)
		EACH_ROW(lane, lanes, nlanes)
			lane->calls = 0;
}

void roles_assign(const struct thread_time *threads, size_t count, int wanted,
		  enum thread_role *roles)
{
	struct start *starts = memory_rows(count, sizeof *starts);
	struct lane *lanes = memory_rows(count, sizeof *lanes);
	size_t nstarts = sort_threads(threads, NULL, count, starts);
	size_t nlanes = fill_lanes(threads, starts, nstarts, busy_ns, lanes);
	int64_t most = 0, callers_most = 0, pool = 0, least_ns, least;
	enum proof proof;

	forget_stray_calls(lanes, nlanes, threads, count);
	proof = choose_proof(lanes, nlanes, wanted);
	set_clock_decides(lanes, nlanes, proof, wanted);
	least_ns = least_busy_ns(lanes, nlanes, proof, wanted);

	memset(roles, 0, count * sizeof *roles); /* ROLE_IDLE */
	EACH_ROW(start, starts, nstarts)
		if (lane_works(&lanes[start->lane], proof) &&
		    lanes[start->lane].busy_ns >= least_ns &&
		    !only_waits(&threads[start->thread], &lanes[start->lane]))
			roles[start->thread] = ROLE_PARTICIPANT;
	free(starts);
	free(lanes);
	EACH_ROW(thread, threads, count) {
		most = MAX(most, (int64_t)(thread->samples_blas + thread->samples_other));
		if (thread->calls)
			callers_most = MAX(callers_most, (int64_t)thread->samples_blas);
		pool += may_be_worker(thread) ? (int64_t)thread->samples_blas : 0;
	}
	least = MAX(MAX(SAMPLES_MIN, most / WORKER_ONE_IN), callers_most / WORKER_CALLER_ONE_IN);
	if (!assign_workers(threads, count, least, roles) && pool >= least)
		assign_workers(threads, count, 1, roles);
}

/* At the same moment ends come before starts. */
COMPARE(compare_edges, struct edge, ORDER(a->when_ns, b->when_ns) ?: ORDER(a->change, b->change))

int threads_awake(struct edge *edges, size_t count)
{
	FREED double *ns = memory_rows(count + 2, sizeof *ns); /* with at least so many awake */
	int64_t awake = 0, doing_io = 0;
	int threads = 0;

	SORT(edges, count, compare_edges);
	for (size_t i = 0; i + 1 < count; i++) {
		awake += edges[i].change;
		doing_io += edges[i].doing_io;
		ns[above_zero(awake > 0 ? awake : doing_io)] +=
			(double)(edges[i + 1].when_ns - edges[i].when_ns);
	}
	for (size_t i = count; i > 0; i--)
		ns[i] += ns[i + 1];
	while (ns[threads + 1] > 0 &&
	       ns[threads + 1] >= fmax(ns[1] / PARTICIPANT_ONE_IN, ns[2] / AT_ONCE_ONE_IN))
		threads++;
	return threads;
}

int roles_at_once(const struct thread_time *threads, const enum thread_role *roles, size_t count,
		  enum thread_role role)
{
	struct edge *edges = memory_rows(2 * count, sizeof *edges);
	size_t nedges = 0, members = 0;
	int alive = 0, most = 0;

	for (size_t i = 0; i < count; i++) {
		if (roles[i] != role)
			continue;
		members++;
		edges[nedges++] = (struct edge){.when_ns = threads[i].start_ns, .change = 1};
		edges[nedges++] = (struct edge){.when_ns = threads[i].end_ns, .change = -1};
	}
	qsort(edges, nedges, sizeof *edges, compare_edges);
	EACH_ROW(edge, edges, nedges) {
		alive += edge->change;
		most = MAX(most, alive);
	}
	free(edges);
	return members && !most ? 1 : most;
}

/* Sums over the threads of one run, before N is known. */
struct totals {
	int64_t category_ns[CAT_COUNT]; /* of participants; waiting is not added up */
	int64_t own_ns, pool_other_ns;
	int64_t longest_blas_ns; /* of one thread */
	int participants_at_once, workers_at_once;
};

/* Sets the longest computing time of a participants' lane, and the time for which lanes were empty.
 */
static void add_lanes(const struct thread_time *threads, const enum thread_role *roles,
		      size_t count, int64_t roi_ns, struct account *account)
{
	struct start *starts = memory_rows(count, sizeof *starts);
	struct lane *lanes = memory_rows(count, sizeof *lanes);
	size_t nlanes = fill_lanes(threads, starts, sort_threads(threads, roles, count, starts),
				   useful_ns, lanes);

	EACH_ROW(lane, lanes, nlanes) {
		account->longest_ns = fmax(account->longest_ns, (double)lane->busy_ns);
		account->late_ns += (double)(lane->free_ns - lane->alive_ns);
		account->ended_ns += (double)above_zero(roi_ns - lane->free_ns);
	}
	account->absent_ns = (double)above_zero(account->threads - (int)nlanes) * (double)roi_ns;
	if (account->parallel == PARALLEL_INNER)
		account->late_ns = account->ended_ns = account->absent_ns = 0;
	free(starts);
	free(lanes);
}

static double share(double part, double rest)
{
	return part / (part + rest);
}

/* The part of the thread's B + C that this number of its samples stands for. */
static int64_t busy_part_ns(const struct thread_time *thread, uint64_t samples)
{
	uint64_t all = thread->samples_blas + thread->samples_other;

	return (int64_t)((double)busy_ns(thread) * (double)samples / (double)all);
}

static void add_participant(const struct thread_time *thread, struct totals *totals,
			    struct account *account)
{
	int64_t inside_ns = 0;

	/* A thread without calls computes inside the calls of other threads, as a member of their
	 * pool: by its share of samples in BLAS, at most the longest time of one thread in calls.
	 */
	if (!thread->calls && !thread->pool_is_off && thread->samples_blas >= SAMPLES_MIN)
		inside_ns =
			MIN(busy_part_ns(thread, thread->samples_blas), totals->longest_blas_ns);
	EACH_CATEGORY(category)
		if (category != CAT_WAITING)
			totals->category_ns[category] += above_zero(thread->times.ns[category]);
	totals->category_ns[CAT_BLAS] += inside_ns;
	totals->category_ns[CAT_OTHER] -= inside_ns;
	totals->own_ns += above_zero(thread->own_ns);
	account->blas_waiting_ns += (double)above_zero(thread->times.blas_waiting_ns);
	account->samples_blas += (double)thread->samples_blas;
	account->samples_other += (double)thread->samples_other;
	account->participants++;
}

static void add_threads(const struct thread_time *threads, const enum thread_role *roles,
			size_t count, struct totals *totals, struct account *account)
{
	EACH_ROW(thread, threads, count)
		totals->longest_blas_ns = MAX(totals->longest_blas_ns, thread->times.ns[CAT_BLAS]);
	for (size_t i = 0; i < count; i++) {
		const struct thread_time *thread = &threads[i];
		uint64_t samples = thread->samples_blas + thread->samples_other;

		account->calls += (double)thread->calls;
		account->flops += thread->flops;
		if (roles[i] == ROLE_PARTICIPANT)
			add_participant(thread, totals, account);
		else if (!thread->calls && samples >= SAMPLES_MIN)
			totals->pool_other_ns += busy_part_ns(thread, own_code_samples(thread));
		if (roles[i] == ROLE_BLAS_WORKER) {
			account->workers++;
			account->worker_samples += (double)(samples - own_code_samples(thread));
		}
	}
}

static void set_shares(struct account *account)
{
	account->f_intercepted = share(account->caller_blas_ns, account->caller_other_ns);
	account->f_sampled = share(account->samples_blas + account->samples_matrix,
				   account->samples_other - account->samples_matrix);
}

/* How many thread-ns one caller-ns of the category stands for; see account_run(). */
static int64_t category_weight(const struct account *account, int category)
{
	int stops_all = category == CAT_BLAS || category == CAT_NO_CPU;

	return account->parallel == PARALLEL_INNER && stops_all ? account->threads : 1;
}

/* The most threads that computed at once; 1 if none had enough samples to take part. */
static int threads_seen(const struct account *account, const struct totals *totals)
{
	int workers = account->parallel == PARALLEL_INNER ? totals->workers_at_once : 0;

	return MAX(1, totals->participants_at_once + workers);
}

/* Splits N * T, in whole ns, into its categories; waiting is the remainder. If the threads claim
 * more time than all threads that were seen can have, their clocks disagree with the ROI's, and T
 * is what they claim. Where more threads computed than N, they may have used more than there is:
 * then each category has its share of N * T. */
static void set_categories(struct account *account, const struct totals *totals, int64_t roi_ns)
{
	__int128 threads = account->threads;
	int64_t claimed = totals->pool_other_ns, available, left; /* claimed: all but waiting */
	int64_t spread = MIN(MAX(1, totals->participants_at_once), account->threads);
	int most = CAT_BLAS;
	double scale;

	EACH_CATEGORY(category)
		claimed += totals->category_ns[category] * category_weight(account, category);
	available = MAX(threads * roi_ns - threads * totals->own_ns / spread,
			threads * claimed / MAX(account->threads, threads_seen(account, totals)));
	left = available;
	scale = fmin((double)available / (double)claimed, 1);
	EACH_CATEGORY(category) {
		int64_t ns = totals->category_ns[category] * category_weight(account, category);

		ns += category == CAT_OTHER ? totals->pool_other_ns : 0;
		ns = (int64_t)((double)ns * scale);
		account->category_ns[category] = (double)ns;
		left -= ns;
		if (account->category_ns[category] > account->category_ns[most])
			most = category;
	}
	account->category_ns[scale < 1 ? most : CAT_WAITING] += (double)left;
	account->blas_waiting_ns *= scale;
	account->claimed_ns = (double)claimed;
	account->wall_ns = (double)available / account->threads;
	account->caller_blas_ns = (double)totals->category_ns[CAT_BLAS];
	account->caller_other_ns = (double)totals->category_ns[CAT_OTHER];
	account->pool_other_ns = (double)totals->pool_other_ns;
	account->own_ns = (double)totals->own_ns;
}

int account_run(const struct thread_time *threads, size_t count, int64_t roi_ns,
		int threads_requested, int threads_awake, double work, struct account *account,
		enum thread_role *roles)
{
	struct totals totals = {0};
	int seen;

	memset(account, 0, sizeof *account);
	if (!count || roi_ns <= 0)
		return -1;
	roles_assign(threads, count, threads_requested, roles);
	totals.participants_at_once = roles_at_once(threads, roles, count, ROLE_PARTICIPANT);
	totals.workers_at_once = roles_at_once(threads, roles, count, ROLE_BLAS_WORKER);
	add_threads(threads, roles, count, &totals, account);
	account->parallel = !totals.workers_at_once	       ? PARALLEL_CALLERS
			    : totals.participants_at_once == 1 ? PARALLEL_INNER
							       : PARALLEL_BOTH;
	seen = threads_seen(account, &totals);
	account->threads = threads_requested > 0 ? threads_requested : seen;
	if (threads_requested <= 0 && threads_awake > 0 && threads_awake < seen &&
	    account->parallel == PARALLEL_CALLERS) {
		account->threads = threads_awake;
		account->taking_turns = seen;
	}
	totals.pool_other_ns = account->parallel == PARALLEL_INNER
				       ? MIN(totals.pool_other_ns,
					     (account->threads - 1) * totals.category_ns[CAT_OTHER])
				       : 0;
	set_categories(account, &totals, roi_ns);
	set_shares(account);
	add_lanes(threads, roles, count, roi_ns, account);
	account->runs = 1;
	account->work = isfinite(work) && work > 0 ? work : account->flops;
	return 0;
}

void account_set_matrix(struct account *account, double samples)
{
	account->samples_matrix = fmin(samples, account->samples_other);
	set_shares(account);
}

/* Raises the account's N to `threads`; the added threads count as waiting. */
static void widen(struct account *account, int threads)
{
	double absent_ns = (double)above_zero(threads - account->threads) * account->wall_ns;

	account->category_ns[CAT_WAITING] += absent_ns;
	account->absent_ns += absent_ns;
	account->threads = MAX(account->threads, threads);
}

/* In another run BLAS's threads had enough samples to be seen: its single caller's time in BLAS is
 * theirs as well, as if they had been seen in this one, too. */
static void set_inner(struct account *account)
{
	if (account->parallel != PARALLEL_CALLERS || account->participants != 1)
		return;
	account->parallel = PARALLEL_INNER;
	EACH_CATEGORY(category) {
		int more = category_weight(account, category) - 1;
		double ns = fmin(more * account->category_ns[category],
				 account->category_ns[CAT_WAITING]);

		account->category_ns[category] += ns;
		account->category_ns[CAT_WAITING] -= ns;
	}
	account->absent_ns = account->late_ns = account->ended_ns = 0;
}

void account_add(struct account *sum, const struct account *run)
{
	struct account other = *run;

	widen(sum, other.threads);
	widen(&other, sum->threads);
	if (other.parallel == PARALLEL_INNER)
		set_inner(sum);
	if (sum->parallel == PARALLEL_INNER)
		set_inner(&other);
	EACH_CATEGORY(category)
		sum->category_ns[category] += other.category_ns[category];
	sum->participants = MAX(sum->participants, other.participants);
	sum->workers = MAX(sum->workers, other.workers);
	sum->taking_turns = MAX(sum->taking_turns, other.taking_turns);
	sum->parallel = MAX(sum->parallel, other.parallel);
#define ADD(name) sum->name += other.name
	ADD(runs), ADD(wall_ns), ADD(claimed_ns), ADD(absent_ns), ADD(late_ns), ADD(ended_ns);
	ADD(caller_blas_ns), ADD(caller_other_ns), ADD(blas_waiting_ns), ADD(longest_ns);
	ADD(own_ns), ADD(calls), ADD(flops), ADD(work), ADD(samples_blas), ADD(samples_other);
	ADD(samples_matrix), ADD(worker_samples), ADD(pool_other_ns);
#undef ADD
	set_shares(sum);
}

double account_per_work(const struct account *account, enum category category)
{
	return account->work > 0 ? account->category_ns[category] / account->work : NAN;
}

double account_share(const struct account *account, enum category category)
{
	return account->category_ns[category] / (account->threads * account->wall_ns);
}

double account_all_per_work(const struct account *account)
{
	double all = 0;

	EACH_CATEGORY(category)
		all += account_per_work(account, category);
	return all;
}

double account_throughput(const struct account *account)
{
	return account->wall_ns > 0 ? account->work / account->wall_ns : NAN;
}

static int is_comparable(const struct account *account)
{
	return account->wall_ns > 0 && account->work > 0;
}

int decompose(const struct account *base, const struct account *point, struct decomposition *result)
{
	memset(result, 0, sizeof *result);
	if (!is_comparable(base) || !is_comparable(point))
		return -1;
	result->ideal = (double)point->threads / base->threads;
	result->speedup = account_throughput(point) / account_throughput(base);
	EACH_CATEGORY(category)
		result->lost[category] =
			result->ideal / account_all_per_work(point) *
			(account_per_work(point, category) - account_per_work(base, category));
	return 0;
}

/* In PARALLEL_INNER BLAS counts for all threads, and so does what is blocked of it. */
static double useful_of(const struct account *account)
{
	int each = account->parallel == PARALLEL_INNER ? account->threads : 1;

	return account->category_ns[CAT_BLAS] - each * account->blas_waiting_ns +
	       account->category_ns[CAT_OTHER];
}

struct efficiency account_efficiency(const struct account *base, const struct account *point)
{
	struct efficiency result = {NAN, NAN, NAN, NAN, NAN};
	double useful = useful_of(point);
	/* if more than N threads computed, some of them shared the time of one; and T lacks the
	 * mean cost of the profiler, of which the busiest thread may have less */
	double longest = fmin(fmax(point->longest_ns, useful / point->threads), point->wall_ns);

	if (!is_comparable(base) || !is_comparable(point) || !(longest > 0))
		return result;
	result.balance = useful / (point->threads * longest);
	result.communication = longest / point->wall_ns;
	result.parallel = useful / (point->threads * point->wall_ns);
	result.computation = useful_of(base) / base->work / (useful / point->work);
	result.global = result.parallel * result.computation;
	return result;
}

const char *const no_cpu_names[NO_CPU_COUNT] = {
#define NO_CPU_LABEL(id, column, label, ...) label,
	NO_CPU_ROWS(NO_CPU_LABEL)};

/* Takes up to `wanted` out of *left and returns what was taken; 0 for NAN. */
static double take(double *left, double wanted)
{
	double taken = fmin(fmax(wanted, 0), *left);

	*left -= taken;
	return taken;
}

void no_cpu_split(double no_cpu_ns, const struct no_cpu_evidence *evidence,
		  double parts[NO_CPU_COUNT])
{
	double left = fmax(no_cpu_ns, 0), unseen = fmax(left - evidence->seen_ns, 0);

	parts[NO_CPU_STEAL] = take(&unseen, evidence->steal_ns);
	left -= parts[NO_CPU_STEAL];
	parts[NO_CPU_OWN] =
		take(&left, evidence->seen_ns > 0 ? left * evidence->seen_own_ns / evidence->seen_ns
						  : evidence->over_ns);
	parts[NO_CPU_QUOTA] = take(&left, evidence->quota_ns);
	parts[NO_CPU_OTHERS] = take(&left, evidence->others_ns);
}
