/* cause_text.h: how causes are said: their places in the program, and what several of them have in
 * common. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CAUSE_TEXT_H
#define REPORT_CAUSE_TEXT_H

#include "report/cause_evidence.h"

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

/* Kinds of waits that are causes by themselves. Unevenness is looked for before these: a thread
 * that would have to wait for other threads' work anyway loses nothing to a lock, a pipe or a
 * sleep, and some waits that look like locks are queues. */
extern const struct wait_cause {
	const char *kind;
	enum cause cause;
	const char *what, *remedy;
	int polls; /* 1 if it may be a wait for what a thread beyond the N hands out */
} wait_causes[];
extern const size_t wait_causes_count;

/* Returns the name of a function, of less than `size` bytes; a long one without its template
 * arguments, which may have hundreds of characters. */
const char *short_name(const char *function, size_t size);
/* Returns "train.c:120 step()", as far as it is known. */
const char *code_place(const char *file, int line, const char *function);
const char *wait_place(const struct report_wait *wait);
const char *function_place(const struct report_function *function);
/* Sets the place, and appends ", most in PLACE" if it is known. */
void say_most_in(const char *place, struct claim *found);
/* Returns the routine with most time in BLAS calls, and its shape if that has most of this. */
const char *calls_place(const struct search *search);
/* Returns where the program calls the MPI routine with most time, or NULL if there is none. Samples
 * that spin there tell, or else waits. All are sorted, the largest first. Fortran's names are in
 * lower case. */
const char *mpi_place(const struct search *search);
/* Returns the place of the function of this name, or of what is inlined into it, with the line that
 * has most samples, if any has. */
const char *named_place(const struct search *search, const char *name);
/* Returns the function that this thread of the run, and no other, ran most, or the calls with most
 * time if it did so in BLAS. Without its stacks, the samples of functions tell. */
const char *alone_place(const struct search *search, const struct report_run *run, int64_t tid);
/* Returns from where the program calls code of the category most, in the newest run. */
const char *calling_place(const struct search *search, const char *category);
/* Returns where the program calls this function, or any of its object; "" if that is not known. */
const char *caller_place(const struct search *search, const struct report_function *function,
			 int any);
/* A function of a standard library tells nothing of the program, but its caller does. */
const char *loop_place(const struct search *search, const struct report_function *loop);
/* Returns the contributor to more than half of the category's loss; "" if there is none. Where the
 * kernel switches interrupts on again, a timer's delayed interrupt takes the samples of all that it
 * did before, so that such a function tells nothing. */
const char *loss_place(const struct search *search, enum category category);
/* Returns which function of the program calls the library, or the function of a standard library,
 * that calls BLAS most; "" if that is not known, or only main(). */
const char *find_blas_place(const struct search *search);
/* Returns where participants compute most outside BLAS, and appends it: ", most in train.py:31
 * step() (add_kernel)", or in the program's function that calls others; or the object if its
 * samples are in many functions, as in an interpreter. The place is "" if that is not known. A
 * function of the interpreter itself is left out after a line of the script. */
const char *say_other_place(const struct search *search, char sentence[CAUSE_SENTENCE_MAX]);
/* Appends where the participants do most of their work: ", most in train.py:31 step()". BLAS calls
 * have the place of the caller with most time in them. Returns the place. */
const char *say_work_place(const struct search *search, char sentence[CAUSE_SENTENCE_MAX]);
const char *participant_noun(const struct report_run *run);
/* If several threads call a BLAS library that has threads of its own, says what to do about it. */
int say_threads_of_blas(const struct search *search, struct claim *found);
/* The same if all together are more than the CPUs, which comes first, whatever else is wrong. */
int say_too_many_threads(const struct search *search, struct claim *found);
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
