/* cause_text.h: what is said of several causes. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CAUSE_TEXT_H
#define REPORT_CAUSE_TEXT_H

#include "report/cause_evidence.h"

#define REMEDY_GIL                                                                                 \
	"use processes instead of threads, or calls that release the lock and run for longer"
#define REMEDY_LOCK                                                                                \
	"hold the lock for a shorter time, or give each thread its own part of the data that it "  \
	"guards"
#define REMEDY_SPIN                                                                                \
	"let them block while they wait: OMP_WAIT_POLICY=passive, or a condition variable "        \
	"instead of the loop"
#define REMEDY_COUNT                                                                               \
	"see that the program gets its thread count, as an argument or in a variable "             \
	"(--threads-env); if it does, "
#define IMPORTS		   ", which imports modules"
#define FEWER_BLAS_THREADS "give BLAS fewer threads, or larger matrices"
#define REMEDY_GPU	   "queue work for it ahead, and fetch the results later"
#define REMEDY_MPI	   "balance the work of the ranks, or send less often and earlier"

/* Kinds of waits that are causes by themselves. */
extern const struct wait_cause {
	const char *kind;
	enum cause cause;
	const char *what, *remedy;
	int polls; /* 1 if it may be a wait for what a thread beyond the N hands out */
} wait_causes[];
extern const size_t wait_causes_count;
/* 1 for a wait for one's turn in an ordered section of OpenMP. */
int is_ordered(const struct report_wait *wait);
/* What the wait of this kind is for. */
const char *wait_what(const struct wait_cause *cause, const struct report_wait *wait);

const char *participant_noun(const struct report_run *run);
/* For several threads that call a BLAS library that has threads of its own. */
const char *one_thread_remedy(const struct report *report);
/* If the loop is in the BLAS library, says how to keep its threads from spinning and returns 1. */
int say_blas_spins(const struct search *search, const struct report_function *loop,
		   struct claim *found);
/* What one thread does alone in a parallel region of OpenMP cannot be told from its part of the
 * work if it runs the same functions. */
const char *also_single(const struct search *search);
/* If the function waits for OpenMP's tasks, says what is wrong with these and returns 1. */
int say_small_tasks(const char *function, struct claim *found);
/* If imports have most of this part of the main thread's work, says so, and what to do about it.
 * Returns 1 then. */
int say_imports(const struct search *search, double part, struct claim *found);

#endif
