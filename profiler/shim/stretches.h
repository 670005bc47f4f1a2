/* stretches.h: in which region a thread was when it left the CPU. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_STRETCHES_H
#define SHIM_STRETCHES_H

#include "shim/shim.h"

#pragma GCC visibility push(hidden)

/* For a new thread: it is in no region. */
void stretch_start(struct shim_thread *thread);
/* The switch counter, which is to be read before the clock that a mark takes. */
uint32_t stretch_lock(const struct shim_thread *thread);
/* A mark at `now` ends what the thread was in, which is kept where it left the CPU in there. `lock`
 * is stretch_lock() before the mark's time was taken, so that a switch around it counts on both
 * sides. */
void stretch_end(struct shim_thread *thread, uint32_t lock, uint64_t now);
/* What it is in from that mark on; 0: no region. */
void stretch_begin(struct shim_thread *thread, uint64_t region);

#pragma GCC visibility pop

#endif
