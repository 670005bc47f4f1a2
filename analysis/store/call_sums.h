/* call_sums.h: what the preload library sums up of a thread's calls, by region. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_CALL_SUMS_H
#define STORE_CALL_SUMS_H

/* A sum is one row here and the code in profiler/shim that counts it; the members of the shim's
 * records and of threads and regions, and their columns in the store, come from it:
 * X(name, COUNT or REAL, unit, how two rows merge, documentation of the column, ...).
 * Columns are stable: a new row goes to the last group, whose columns are at the end of the
 * report's tables of regions and of the newest run's threads. */
#define CALL_SUMS_FIRST(X, ...)                                                                    \
	X(calls, COUNT, "calls", SUM, "outermost BLAS calls that returned", ##__VA_ARGS__)         \
	X(flops, REAL, "flops", SUM, "of its calls", ##__VA_ARGS__)
#define CALL_SUMS_NEW(X, ...)

#define CALL_SUMS(X, ...)                                                                          \
	CALL_SUMS_FIRST(X, ##__VA_ARGS__)                                                          \
	CALL_SUMS_NEW(X, ##__VA_ARGS__)

#endif
