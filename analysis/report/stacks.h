/* stacks.h: call stacks, as far as parts of the report share them. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_STACKS_H
#define REPORT_STACKS_H

#include "report/build.h"

/* NULL if there is no stack, or the store is damaged. */
const struct run_frame *find_frame(const struct run *run, const struct run_stack *stack);
const char *frame_name(const struct run *run, const struct run_stack *stack);
/* The row of the caller's stack, or NULL. Callers come before their callees; a damaged store may
 * say otherwise. */
const struct run_stack *find_parent(const struct run *run, const struct run_stack *stack);
/* Returns 1 for each stack that is in a parallel region of OpenMP; free it. */
char *find_openmp(const struct run *run);
/* 1 for a line of a script: "step (train.py:31)". */
int is_script(const struct run_frame *frame);
/* Returns "train.py:31 step()" for such a line. */
const char *script_line_place(const char *line);
/* Returns 1 if no sample is of a thread that makes BLAS calls: then all threads' samples tell. */
int lacks_callers(const struct run *run);

#endif
