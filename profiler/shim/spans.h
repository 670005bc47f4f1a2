/* spans.h: the timeline: when each call, region and MPI call of a thread began and ended. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_SPANS_H
#define SHIM_SPANS_H

#include "shim/shim.h"

#pragma GCC visibility push(hidden)

/* Room for a thread's, which has its record; none where there is none left. Lock held. */
void spans_open(struct shim_thread *thread);
/* Where the session wants calls watched, and the thread is one of its process's first: from its
 * next call on, until spans_turn() knows better. */
void spans_start_watch(struct shim_thread *thread);
/* The thread's call that began at enter_ticks has ended at `now`, after watch_at: it begins or ends
 * to watch. */
void spans_turn(struct shim_thread *thread, uint64_t now);
/* Forgets what was recorded. */
void spans_empty(struct shim_thread *thread);
/* Each does nothing for a thread without a timeline. */
void spans_add(struct shim_thread *thread, const struct span_record *span);
/* The call that began at enter_ticks, of span_key; also of calls that are watched. */
void spans_add_call(struct shim_thread *thread, uint64_t now);
/* The open region at that depth, which ends. */
void spans_add_region(struct shim_thread *thread, unsigned depth, uint64_t now);

#pragma GCC visibility pop

#endif
