/* spans.h: the timeline: when each call, region and MPI call of a thread began and ended. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_SPANS_H
#define SHIM_SPANS_H

#include "shim/shim.h"

#pragma GCC visibility push(hidden)

/* Room for a thread's, which has its record; none where there is none left. Lock held. */
void spans_open(struct shim_thread *thread);
/* Forgets what was recorded. */
void spans_empty(struct shim_thread *thread);
/* Each does nothing for a thread without a timeline. */
void spans_add(struct shim_thread *thread, const struct span_record *span);
/* The call that began at enter_ticks, of span_key. */
void spans_add_call(struct shim_thread *thread, uint64_t now);
/* The open region at that depth, which ends. */
void spans_add_region(struct shim_thread *thread, unsigned depth, uint64_t now);

#pragma GCC visibility pop

#endif
