/* wrapped.h: counts calls of the workload's own code, by the linker's --wrap. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WORKLOADS_WRAPPED_H
#define TESTS_WORKLOADS_WRAPPED_H

/* Counts of all threads since the start of the program. They include calls from the archive
 * libmoe.a and from the test itself, but not those inside BLAS or libc. */
struct wrapped_counts {
	int sgemm;	   /* cblas_sgemm */
	int sgemm_of_head; /* those with a dimension of wrapped_vocabulary */
	int allocations;   /* malloc, calloc, realloc, aligned_alloc */
};
struct wrapped_counts wrapped_now(void);

/* Set by the test; distinguishes the calls of the output head from those of the blocks. */
extern int wrapped_vocabulary;

#endif
