/* counters.h: exact counts of events in calls and between them. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_COUNTERS_H
#define SHIM_COUNTERS_H

#include "shim/shim.h"

#pragma GCC visibility push(hidden)

/* Opens the events of the session, all or none. A failure is counted as missed. */
void counters_open(struct shim_thread *thread);
/* Discards what was counted so far. */
void counters_start(struct shim_thread *thread);
void counters_close(struct shim_thread *thread);

/* At the start of a call and after its end, on the slow path. Do nothing without open events. */
void counters_enter(struct shim_thread *thread);
void counters_leave(struct shim_thread *thread);

#pragma GCC visibility pop

#endif
