/* blas.h: the BLAS whose calls have the planted cause. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CAUSES_BLAS_H
#define TESTS_CAUSES_BLAS_H

/* What its calls do: take longer the more threads there are, come one after the other, or sleep, so
 * that many take no more CPUs than few. */
extern int planted_threads, planted_queue, planted_sleep;
/* Of this thread: seconds that its calls took longer. */
extern __thread double planted_seconds;

#endif
