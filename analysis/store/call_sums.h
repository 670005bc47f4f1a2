/* call_sums.h: the sums over a thread's calls that the preload library counts, by region. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_CALL_SUMS_H
#define STORE_CALL_SUMS_H

/* X(name, COUNT or REAL, unit, how two rows merge, documentation of the column, ...).
 * A sum needs a row here and the code in profiler/shim that counts it. The row makes the members of
 * the shim's records and of the structs of threads and regions, and their columns in the store.
 * Add new rows to CALL_SUMS_NEW: their columns come last in the report's tables, so that existing
 * columns keep their places. */
#define CALL_SUMS_FIRST(X, ...)                                                                    \
	X(calls, COUNT, "calls", SUM, "outermost BLAS calls that returned", ##__VA_ARGS__)         \
	X(flops, REAL, "flops", SUM, "flops of these calls", ##__VA_ARGS__)
#define CALL_SUMS_NEW(X, ...)

#define CALL_SUMS(X, ...)                                                                          \
	CALL_SUMS_FIRST(X, ##__VA_ARGS__)                                                          \
	CALL_SUMS_NEW(X, ##__VA_ARGS__)

#endif
