/* chain.h: whether a frame is one of those that a function was called through. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_CHAIN_H
#define SHIM_CHAIN_H

#pragma GCC visibility push(hidden)

enum chain_answer { CHAIN_UNKNOWN, CHAIN_HOLDS, CHAIN_ENDS_WITHOUT };

/* Both frames are of functions that keep a frame pointer: `frame` of one that runs, `sought` of one
 * that may have been left long ago. Goes through signal handlers, too. Takes some microseconds, no
 * lock and no memory. Unknown where some code has no tables for exceptions, or unusual ones, and on
 * other machines than x86-64. */
enum chain_answer chain_holds(const void *frame, const void *sought);

/* 1 where the memory can be read: it may be a stack that is not there any more. `near` is on one
 * that is. */
int chain_can_read(uintptr_t address, uintptr_t near);

#pragma GCC visibility pop

#endif
