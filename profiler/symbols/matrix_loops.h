/* matrix_loops.h: tells from machine code whether a loop multiplies matrices. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_MATRIX_LOOPS_H
#define SYMBOLS_MATRIX_LOOPS_H

#include <stddef.h>

#include "symbols/instruction.h"

/* The loops of some code, as far as it was read; a zeroed one is empty. */
struct matrix_loops {
	size_t start, end; /* what was read */
	struct matrix_loop *rows;
	size_t count;
};

/* 1: the innermost loop around the instruction at code[at] multiplies matrices, or convolves, or is
 * one around such a loop, of at most 4 KiB: it sets and stores the sums. Such a loop has at least
 * four multiply-adds of two different numbers that were loaded in it, onto sums that stay in
 * registers from turn to turn and that nothing else changes, and at most three loads for two of
 * them, so that numbers are used more than once. What computes a factor first (n-body, variances),
 * sums that begin anew in each turn (polynomials, stencils, FFT) and the product of two vectors are
 * none. *start is where that loop begins. 0: it is none, or that cannot be told. To ask for
 * addresses in ascending order reads all code once. */
int matrix_loop_covers(struct matrix_loops *loops, enum instruction_set set,
		       const unsigned char *code, size_t size, size_t at, size_t *start);
void matrix_loops_free(struct matrix_loops *loops);

#endif
