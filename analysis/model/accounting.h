/* accounting.h: from threads' times to f, N and the split of lost speed-up: pure functions. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_ACCOUNTING_H
#define MODEL_ACCOUNTING_H

#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

/* The categories that a thread's time is split into. Adding one (MPI, GPU) is one row here and one
 * in category_names; everything else loops. */
enum category { CAT_BLAS, CAT_OTHER, CAT_WAITING, CAT_NO_CPU, CAT_COUNT };
extern const char *const category_names[CAT_COUNT]; /* "BLAS", "other code", "waiting", "no CPU" */

/* One thread inside the ROI; times in ns. */
struct thread_time {
	int64_t start_ns, end_ns; /* alive inside the ROI, counted from its start */
	int64_t category_ns[CAT_COUNT];
	int64_t blas_waiting_ns; /* the blocked part of CAT_BLAS */
	int64_t own_ns;          /* the profiler's own cost: in end - start, in no category */
	uint64_t calls;
	double flops;
	uint64_t samples_blas, samples_other; /* other includes the kernel */
};

enum thread_role {
	ROLE_IDLE,        /* neither of the others */
	ROLE_PARTICIPANT, /* B + C at least 5 % of the busiest caller's; makes BLAS calls */
	ROLE_BLAS_WORKER, /* no call; most of its samples lie in a BLAS library */
};
enum parallel_case {
	PARALLEL_CALLERS, /* (a): N participants, BLAS on the caller's core */
	PARALLEL_INNER,   /* (b): one participant, BLAS runs on N = 1 + workers threads */
	PARALLEL_BOTH,    /* N participants and BLAS workers besides: oversubscription is likely */
};

/* One run's account, or the sum of several runs of one thread count. */
struct account {
	int threads;      /* N */
	int participants; /* threads in the role, over the run's whole life; the mean of the runs */
	int workers;
	enum parallel_case parallel;
	int runs;
	double wall_ns;                 /* T, net of the profiler's own cost; summed over runs */
	double category_ns[CAT_COUNT];  /* thread-ns, summed; add up to threads * wall_ns exactly */
	double blas_waiting_ns;
	double own_ns;
	double calls, flops;
	double work;                    /* W, summed over runs */
	double f_intercepted;           /* B / (B + C); NAN where there was neither */
	double f_sampled;               /* NAN where there were no samples */
	double samples_blas, samples_other; /* of participants */
	double worker_samples;
};

/* Accounts one run of roi_ns. `threads_requested` > 0 fixes N, else N is the largest number of
 * participants alive at once (in PARALLEL_INNER: 1 + workers). `work` <= 0: flops are the work.
 * roles[], when not NULL, gets each thread's role. Waiting is what N * T leaves over, so it takes
 * in the time before a participant starts and after it ends. Fails on a ROI of no length or when
 * no thread made a call. */
int account_run(const struct thread_time *threads, size_t count, int64_t roi_ns,
		int threads_requested, double work, struct account *account,
		enum thread_role *roles, struct error *err);

/* Adds one run's account to the sum for its thread count (zero *sum first). */
void account_add(struct account *sum, const struct account *run);

/* Thread-ns of the category per unit of work: b, c, o, p. */
double account_per_work(const struct account *account, enum category category);
/* W / T: work per ns. */
double account_throughput(const struct account *account);

/* How the speed-up from `base` to `point` was lost. With base->threads = 1:
 * S(N) = N (b1+c1+o1+p1) / (bN+cN+oN+pN) and N - S(N) = sum of lost[], exactly; in general the
 * ideal is N / base->threads. */
struct decomposition {
	double speedup; /* (W/T) / (W1/T1) */
	double ideal;
	double lost[CAT_COUNT]; /* positive: lost there; negative: gained */
};
int decompose(const struct account *base, const struct account *point,
	      struct decomposition *result, struct error *err);

#endif
