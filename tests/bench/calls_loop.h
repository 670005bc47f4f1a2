/* calls_loop.h: calls of a product that does nothing, with m from 1 to shapes, a power of two. */
/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CALLS_LOOP_H
#define BENCH_CALLS_LOOP_H

void call_c(long times, long shapes);
void call_fortran(long times, long shapes);

#endif
