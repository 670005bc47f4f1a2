/* wrapped.h: counts what the workload's own code calls, by the linker's --wrap. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WORKLOADS_WRAPPED_H
#define TESTS_WORKLOADS_WRAPPED_H

/* Counts since the program's start, over all threads. Only calls from the archive libmoe.a and the
 * test itself are seen, not those inside BLAS or libc. */
struct wrapped_counts {
	int sgemm;	   /* cblas_sgemm */
	int sgemm_of_head; /* those with a dimension of `vocabulary` */
	int allocations;   /* malloc, calloc, realloc, aligned_alloc */
};
struct wrapped_counts wrapped_now(void);

/* The vocabulary that tells the output head's calls from the blocks'. */
extern int wrapped_vocabulary;

#endif
