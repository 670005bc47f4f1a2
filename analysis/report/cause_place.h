/* cause_place.h: the place in the program that a cause names. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CAUSE_PLACE_H
#define REPORT_CAUSE_PLACE_H

#include "report/cause_evidence.h"

/* Returns the name of a function, of less than `size` bytes; a long one without its template
 * arguments, which may have hundreds of characters. */
const char *short_name(const char *function, size_t size);
/* Returns "train.c:120 step()", as far as it is known. */
const char *location_place(const struct code_location *location);
/* Sets the place, and appends ", most in PLACE" if it is known. */
void say_most_in(const char *place, struct claim *found);
/* Returns the routine with most time in BLAS calls, and its shape if that has most of this. */
const char *calls_place(const struct search *search);
/* Returns where the program calls the MPI routine with most time, or NULL if there is none. Samples
 * that spin there tell, or else waits. All are sorted, the largest first. Fortran's names are in
 * lower case. */
const char *mpi_place(const struct search *search);
/* Returns the function that this thread of the run, and no other, ran most, or the calls with most
 * time if it did so in BLAS. Without its stacks, the samples of functions tell. */
const char *alone_place(const struct search *search, const struct report_run *run, int64_t tid);
/* Returns from where the program calls code of the category most, in the newest run. */
const char *calling_place(const struct search *search, const char *category);
/* A function of a standard library tells nothing of the program, but its caller does. */
const char *loop_place(const struct search *search, const struct report_function *loop);
/* Returns the contributor to more than half of the category's loss; "" if there is none. Where the
 * kernel switches interrupts on again, a timer's delayed interrupt takes the samples of all that it
 * did before, so that such a function tells nothing. */
const char *loss_place(const struct search *search, enum category category);
/* Returns the place of the function of this name, or of the program's own that is inlined into it,
 * with the line that has most samples, if any has. */
const char *named_place(const struct search *search, const char *name);
/* 1 for code of a library, or of a standard library that is compiled into the program: not this,
 * but what calls it tells where in the program it is. */
int is_called(const char *object, const char *function);
/* Returns which function of the program calls the library, or the function of a standard library,
 * that calls BLAS most; "" if that is not known, or only main(). */
const char *find_blas_place(const struct search *search);
/* Returns where participants compute most outside BLAS, and appends it: ", most in train.py:31
 * step() (add_kernel)", or in the program's function that calls others; or the object if its
 * samples are in many functions, as in an interpreter. The place is "" if that is not known. A
 * function of the interpreter itself is left out after a line of the script. */
const char *say_other_place(const struct search *search, char sentence[CAUSE_SENTENCE_MAX]);
/* The same place if most is in a script or a library; else "", as the function itself tells. */
const char *find_other_place(const struct search *search);
/* Appends where the participants do most of their work: ", most in train.py:31 step()". BLAS calls
 * have the place of the caller with most time in them. Returns the place. */
const char *say_work_place(const struct search *search, char sentence[CAUSE_SENTENCE_MAX]);

#endif
