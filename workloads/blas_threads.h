/* blas_threads.h: how many threads the BLAS library may use inside a call. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_BLAS_THREADS_H
#define WORKLOADS_BLAS_THREADS_H

/* Sets the number of threads of every loaded BLAS library that has threads (OpenBLAS, BLIS, MKL).
 */
void blas_threads_set(int threads);

#endif
