/* cause_evidence.h: what samples, waits and the spread of the work say of the causes. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CAUSE_EVIDENCE_H
#define REPORT_CAUSE_EVIDENCE_H

#include "report/cause_claim.h"

/* By samples. */

/* The samples in threads that are not BLAS's own. */
double own_samples(const struct report_function *function);
double all_samples(const struct report_function *function);
/* What is lost to code of a category, or to all code of the kernel (NULL), inside BLAS calls
 * (CAT_BLAS) or in other code and the kernel (CAT_OTHER). */
double code_lost(const struct search *search, enum category where, const char *category);
/* The same for a category, also with what it does in the kernel, as far as stacks show that. */
double entered_lost(const struct search *search, enum category where, const char *category);
/* What is lost to code that hands out work, locks and wakes threads, and that no cause has claimed.
 */
double unclaimed_locking(const struct search *search);
void forget_stacks(struct run *loaded);
/* Returns the run with its stacks, which it may have only in the store. */
const struct run *with_stacks(const struct search *search, const struct report_run *run);
/* Returns the row's newest run with its stacks; each row has one. */
const struct run *newest_run(const struct search *search);

/* By waits. */

/* The longest wait for which the question is true, or NULL. Waits are sorted, the longest first. */
const struct report_wait *find_longest(const struct search *search,
				       int (*is)(const struct report_wait *wait,
						 const struct report_row *row));
int is_meeting(const struct report_wait *wait, const struct report_row *row);
/* 1 if a thread sleeps: it may look again and again whether it has got work, or a lock. */
int is_polling(const struct report_wait *wait, const struct report_row *row);
/* 1 if a thread waits for the end of another thread or process. */
int is_join(const struct report_wait *wait);
/* How long threads waited there each time. */
double wait_each_ns(const struct report_wait *wait);
/* Returns the threads lost at this place: its time for a unit of work beyond what one thread waits
 * there. */
double wait_lost(const struct search *search, const struct report_wait *wait);
/* Returns this number of waits as a share of all waits of participants. */
double waits_share(const struct search *search, double waits);
/* To lock, to block and to be woken takes CPU time too. If that time has grown, these waits get
 * their part of the growth, at most SWITCH_NS each. Those for locks also get what it takes to lock
 * without a wait, as far as functions and stacks show that. */
double switching_lost(const struct search *search, double waits, int are_for_locks);

/* By the spread of the work (spread.h). */

/* A figure of struct spread, in ns, by its offset. */
#define SPREAD_FIGURE(member) offsetof(struct spread, member)
/* The sum of the figure over the row's runs, as threads lost. */
double spread_lost(const struct search *search, size_t figure);
/* The same for computing time: one thread needs as much longer for it if it lacks a CPU. */
double spread_work_lost(const struct search *search, size_t figure);
/* The run of the row with the largest figure, or NULL. */
const struct report_run *find_spread(const struct search *search, size_t figure);
/* 1 if a single thread computes in each run of the row, and no other does even for a moment. */
int is_single(const struct search *search);
/* 1 if the row has threads beyond the N, such as the N threads' own teams or the other stages of a
 * pipeline, which a single thread has as well, and they lack CPUs because of each other. */
int lacks_cpus_for_extra(const struct search *search);
/* Adds what threads beyond the N compute, which no account has if there is one thread. */
void add_extra_loss(const struct search *search, struct claim *found);

/* By what spins, and by the threads of BLAS and OpenMP. */

/* The loop in which participants spin most, or else the one of other threads; NULL for none. In the
 * library that it is in, a function with a name is preferred, since it tells more, and the
 * library's own threads wait for the same. The kernel's code of sched_yield() is returned only if
 * nothing else spins. */
const struct report_function *find_loop(const struct search *search, int in_lock);
/* The same for what is no lock, but of BLAS's own threads first, and of those that only spin. */
const struct report_function *find_idle_loop(const struct search *search);
/* 1 if the function spins for a lock or, without in_lock, for anything else. */
int is_spinning(const struct report_function *function, int in_lock);
/* 1 for functions whose names say lock: spin locks, and locks that spin before they block. */
int is_lock(const char *function);
/* 1 for functions that wait for a GPU by spinning. */
int is_gpu_wait(const struct code_location *location);
/* 1 for functions of OpenMP's library that compiled code calls, with or without underscores. */
int is_openmp_call(const char *function);
/* The name of code in OpenMP's library without symbols, such as "libgomp.so.1.0.0+0x1cd39". */
int is_nameless_openmp(const char *name);
/* 1 if the loop is in a library that also does BLAS work. It may lie in another file than the
 * routines that the program calls. */
int is_in_blas(const struct search *search, const struct report_function *loop);
/* 1 if callers spend most of their calls in the C library and the kernel, where they wait for the
 * BLAS library's own threads. */
int calls_wait(const struct search *search);
/* If several threads call a BLAS library that has threads of its own, which work, spin or are
 * waited for, returns how many it has, or else 0. */
int threads_of_blas(const struct search *search);
/* 1 if these and the threads that call the library are more than the CPUs. */
int has_too_many_threads(const struct search *search);
/* The average number of threads that compute inside the calls of a single caller. The caller
 * computes all the time, so the samples in BLAS code of the caller and of the other threads tell.
 * Returns all threads if there are too few samples to tell. */
double busy_inside(const struct report_row *row);

#endif
