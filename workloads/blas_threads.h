/* blas_threads.h: how many threads the BLAS library may use inside a call. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_BLAS_THREADS_H
#define WORKLOADS_BLAS_THREADS_H

/* Asks every BLAS library in the process that is known to have threads of its own (OpenBLAS, BLIS,
 * MKL). Others (Netlib) have none. */
void blas_threads_set(int threads);

#endif
