/* tiny_blas.h: the loop that the program and its BLAS execute. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_VM_TINY_BLAS_H
#define TESTS_VM_TINY_BLAS_H

#include <stdint.h>

void cblas_sscal(int n, float alpha, float *x, int stride);

/* Executes 2 * rounds instructions. */
static inline void execute_rounds(uint64_t rounds)
{
	if (rounds)
		__asm__ volatile("1: subs %0, %0, #1\n"
				 "b.ne 1b\n"
				 : "+r"(rounds)
				 :
				 : "cc");
}

#endif
