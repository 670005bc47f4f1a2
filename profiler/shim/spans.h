/* spans.h: the timeline: when each call, region and MPI call of a thread began and ended. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_SPANS_H
#define SHIM_SPANS_H

#include "shim/shim.h"

#pragma GCC visibility push(hidden)

/* Gets room for the timeline of a thread that has its record, if there is any. Lock held. */
void spans_open(struct shim_thread *thread);
/* If the session wants calls watched, and the thread is one of the first of its process, watches it
 * from its next call on. spans_turn() ends that if BLAS has no threads of its own. */
void spans_start_watch(struct shim_thread *thread);
/* Starts or stops watching a thread whose call has ended at `now`, after watch_at. */
void spans_turn(struct shim_thread *thread, uint64_t now);
/* Discards what was recorded. */
void spans_empty(struct shim_thread *thread);
/* These add a span, and do nothing for a thread without a timeline. */
void spans_add(struct shim_thread *thread, const struct span_record *span);
/* Adds the call of span_key that began at enter_ticks. Also for watched calls. */
void spans_add_call(struct shim_thread *thread, uint64_t now);
/* Adds the open region at that depth, which ends now. */
void spans_add_region(struct shim_thread *thread, unsigned depth, uint64_t now);

#pragma GCC visibility pop

#endif
