/* accounting.h: from threads' times to f, N and the split of lost speed-up: pure functions. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_ACCOUNTING_H
#define MODEL_ACCOUNTING_H

#include <stddef.h>
#include <stdint.h>

#include "model/category.h"

/* One thread inside the ROI; times in ns. */
struct thread_time {
	int64_t start_ns, end_ns; /* alive inside the ROI, counted from its start */
	struct time_split times;
	int64_t own_ns; /* the profiler's own cost: in end - start, in no category */
	uint64_t calls;
	double flops;
	uint64_t samples_blas, samples_other; /* other includes the kernel */
	uint64_t samples_kernel; /* the part of samples_other in the kernel; 0: not told */
	int pool_is_off; /* 1: BLAS is set to one thread: a thread of its pool has no work */
	int is_unseen; /* 1: no call of its process was seen, so it is not known to be of a pool */
};

/* Calls with less than this share of the CPU time are stray ones, such as the check of a BLAS
 * library during an import. They do not tell where the work is, or how much. */
#define STRAY_CALLS_MAX	   1e-3

/* Threads that are never alive together make a lane: the first free lane takes each thread as it
 * starts. A program that starts its threads anew each step has as many lanes as threads at once. */
#define PARTICIPANT_ONE_IN 20 /* a lane takes part from 5 % of the busiest lane's B + C */
/* Threads work at once if so many are awake for a tenth of the time in which several are, and for 5
 * % of all time in which one is. */
#define AT_ONCE_ONE_IN	   10
enum thread_role {
	ROLE_IDLE, /* neither of the others */
	/* Its lane's B + C is at least 5 % of the busiest lane's; or it is one of the N busiest, if
	 * N was asked for, and those with less have more than that together. It is not of a BLAS
	 * library's pool: without a call, and with more samples in BLAS than in other code outside
	 * the kernel. A lane without a call has at least 5 samples, most of them, in such other
	 * code: what is in the kernel, as by sched_yield(), waits, unless fewer than N, or
	 * none, would take part. If N was asked for and nothing calls BLAS, any B + C is then
	 * enough, as that of threads that do I/O. If N was not asked for, nothing calls BLAS and
	 * another lane takes part, a lane with fewer than 5 samples needs none of them, or if BLAS
	 * has no pool, and that lane got as many in this time. A thread that computes for less than
	 * 5 % of its life and of what another thread of its lane computes takes no part: it waits,
	 * as a process does at the end of a pipe. Stray calls do not count as calls. */
	ROLE_PARTICIPANT,
	/* One of a pool with samples in BLAS: at least 5, 1 % of any one thread's samples and 10 %
	 * of any caller's in BLAS; or the pool's threads have as many together, if none has alone.
	 * A stray sample makes no worker, nor does a while of spinning. */
	ROLE_BLAS_WORKER,
};
enum parallel_case {
	PARALLEL_CALLERS, /* (a): N participants, BLAS on the caller's core */
	PARALLEL_INNER,	  /* (b): one participant at a time, BLAS runs on N = 1 + workers threads */
	PARALLEL_BOTH,	  /* N participants and BLAS workers besides: oversubscription is likely */
};

/* One run's account, or the sum of several runs of one thread count. */
struct account {
	int threads;	  /* N */
	int taking_turns; /* the threads that take turns to be these N; 0: there are N */
	int participants; /* threads in the role, over the run's whole life; the most of any run */
	int workers;	  /* likewise */
	enum parallel_case parallel;
	int runs;
	double wall_ns;		       /* T, net of the profiler's own cost; summed over runs */
	double category_ns[CAT_COUNT]; /* thread-ns, summed; add up to threads * wall_ns exactly */
	double claimed_ns; /* what the threads used; over threads * wall_ns: more than N computed */
	/* B and C of the participants alone. Of one without a call, B is the share of its samples
	 * in BLAS, no longer than the longest B of a caller. In PARALLEL_CALLERS they are CAT_BLAS
	 * and CAT_OTHER; in PARALLEL_INNER CAT_BLAS is N * B. */
	double caller_blas_ns, caller_other_ns;
	double blas_waiting_ns;
	double longest_ns; /* what the lane that computes most computes; see struct efficiency */
	/* Parts of the waiting, by lanes: of the N threads some never were there; others came late,
	 * or were at an end before the last one. 0 in PARALLEL_INNER. */
	double absent_ns, late_ns, ended_ns;
	double own_ns;
	double calls, flops;		    /* of all threads */
	double work;			    /* W, summed over runs */
	double f_intercepted;		    /* B / (B + C); NAN where there was neither */
	double f_sampled;		    /* NAN where there were no samples */
	double samples_blas, samples_other; /* of participants */
	double samples_matrix;		    /* of samples_other: matrix work outside BLAS calls */
	double worker_samples; /* of BLAS workers, all but those in other code than BLAS's */
	double pool_other_ns;  /* PARALLEL_INNER: what other threads than callers compute outside
				  BLAS; part of CAT_OTHER */
};

/* Accounts one run of roi_ns. `threads_requested` > 0 is N; else N is the largest number of
 * participants alive at once (in PARALLEL_INNER: 1 + the largest number of workers). In
 * PARALLEL_CALLERS it is no more than `threads_awake`, if that is known (> 0). `work` <= 0 or not a
 * number: flops are the work. roles[] gets each thread's role.
 *
 * T = ROI - own / A, where A is the largest number of participants alive at once, or N if that is
 * less: the profiler's cost is spread over them. Negative times count as 0. If the threads claim
 * more than all that were alive at once can have (clocks that disagree), T is what they claim. If
 * more than N were, and used more than N * T, each category has its share of it.
 *
 * Waiting is what N * T leaves over, also before a participant starts and after it ends. In
 * PARALLEL_INNER the workers are inside BLAS, or without a CPU, while their caller is. A pool that
 * BLAS shares with the program computes outside BLAS too: D is what threads without a call compute,
 * by the share of their samples in other code, at most (N - 1) C. Else they wait: BLAS = N * B,
 * other = C + D, no CPU = N * P, MPI = M, f = B / (B + C).
 *
 * Returns 0, or -1 on a ROI of no length or without a thread. */
int account_run(const struct thread_time *threads, size_t count, int64_t roi_ns,
		int threads_requested, int threads_awake, double work, struct account *account,
		enum thread_role *roles);

/* A thread starts or wakes up (+1), or ends or falls asleep (-1), which may be to do I/O. */
struct edge {
	int64_t when_ns;
	int change, doing_io;
};

/* Sorts the edges, and returns how many threads work at once. Those that take turns, as one that
 * waits while others do what it has prepared, are then not counted as several. While none is awake,
 * those that do I/O work. */
int threads_awake(struct edge *edges, size_t count);

/* Sets how many of the participants' samples are in matrix work outside BLAS calls, and counts them
 * in f_sampled. */
void account_set_matrix(struct account *account, double samples);

/* Gives each thread its role as enum thread_role says. `wanted` is the N that was asked for, or 0.
 */
void roles_assign(const struct thread_time *threads, size_t count, int wanted,
		  enum thread_role *roles);
/* The largest number of threads in the role that are alive at once; at least 1 where any thread has
 * the role, 0 where none has. A thread that ends when another starts is not alive together with it.
 */
int roles_at_once(const struct thread_time *threads, const enum thread_role *roles, size_t count,
		  enum thread_role role);

/* Adds one run's account to the sum for its thread count (zero *sum first). Should N differ between
 * the runs, the sum has the largest, and the threads that a run lacks count as waiting in it. If
 * BLAS's threads were seen in one, they count as there in all that have one participant. */
void account_add(struct account *sum, const struct account *run);

/* Thread-ns of the category per unit of work: b, c, o, p. NAN where no work was done. */
double account_per_work(const struct account *account, enum category category);
/* Of all categories together. */
double account_all_per_work(const struct account *account);
/* The category's share of N * T. */
double account_share(const struct account *account, enum category category);
/* W / T: work per ns. NAN where T is 0. */
double account_throughput(const struct account *account);

/* How the speed-up from `base` to `point` was lost. With base->threads = 1:
 * S(N) = N (b1+c1+o1+p1) / (bN+cN+oN+pN) and N - S(N) = sum of lost[], exactly; in general the
 * ideal is N / base->threads. */
struct decomposition {
	double speedup; /* (W/T) / (W1/T1) */
	double ideal;
	double lost[CAT_COUNT]; /* positive: lost there; negative: gained */
};
/* Returns 0, or -1 when either account has no wall time or no work. */
int decompose(const struct account *base, const struct account *point,
	      struct decomposition *result);

/* POP's efficiencies (pop-coe.eu), each 1 where nothing is lost. Useful is computing: B without its
 * blocked time, and C. */
struct efficiency {
	double parallel;      /* useful / (N T) = balance * communication */
	double balance;	      /* mean useful time of a thread / the longest */
	double communication; /* the longest / T */
	double computation;   /* useful time for a unit of work, of the base / of the point */
	double global;	      /* parallel * computation; speed-up = N global / the base's global */
};
/* NAN where there is no time or no work. */
struct efficiency account_efficiency(const struct account *base, const struct account *point);

/* Who had the CPU; what none of them had is not told apart. X(id, column, label, documentation of
 * the column, ...). */
#define NO_CPU_ROWS(X, ...)                                                                        \
	X(OWN, no_cpu_own_ns, "own threads",                                                       \
	  "the part of preempted_ns in which more threads of the program were ready than it has "  \
	  "CPUs",                                                                                  \
	  ##__VA_ARGS__)                                                                           \
	X(OTHERS, no_cpu_others_ns, "other programs",                                              \
	  "the part of preempted_ns in which other programs had its CPUs", ##__VA_ARGS__)          \
	X(STEAL, no_cpu_steal_ns, "the host's other machines",                                     \
	  "the part of preempted_ns that the hypervisor stole", ##__VA_ARGS__)                     \
	X(QUOTA, no_cpu_quota_ns, "the control group's quota",                                     \
	  "the part of preempted_ns in which the control group had used up its quota",             \
	  ##__VA_ARGS__)

enum no_cpu {
#define NO_CPU_ID(id, ...) NO_CPU_##id,
	NO_CPU_ROWS(NO_CPU_ID)
#undef NO_CPU_ID
		NO_CPU_COUNT
};
extern const char *const no_cpu_names[NO_CPU_COUNT]; /* the labels */

/* What is known of threads that went without a CPU for some time. All ns; 0 where not known. */
struct no_cpu_evidence {
	double seen_ns;	    /* of that time, what switch records show to the moment */
	double seen_own_ns; /* the part in which more of the program's threads were ready than CPUs
			     */
	/* by how much its ready threads exceed its CPUs on average, times the wall time: what is
	 * their own at least. Used where no record shows anything. */
	double over_ns;
	/* What each can have taken at most: CPU time that others had on the program's CPUs, and the
	 * time for which its control group was stopped on them. */
	double others_ns, steal_ns, quota_ns;
};

/* Splits no_cpu_ns into parts[], none less than 0 and together no more than it.
 *
 * A hypervisor's slice is in no switch record, so it comes out of what they do not show. The rest
 * of that (what passed between waking up and running) is taken to be like what they show. While
 * more threads are ready than there are CPUs, the excess waits for the program's own threads,
 * whoever else is there. Of the rest each CPU that does not run the program keeps one thread
 * waiting, so that no cause has more than it had of the CPUs: first the quota, which stops nobody
 * else, then other programs. What is left is not explained. */
void no_cpu_split(double no_cpu_ns, const struct no_cpu_evidence *evidence,
		  double parts[NO_CPU_COUNT]);

#endif
