/* call.h: enter and leave of an intercepted call: the path that every BLAS call takes. */
/* SPDX-License-Identifier: MIT
 *
 * No lock, no allocation, no system call, no cache line that two threads write. Only the outermost
 * call of a thread counts.
 */
#ifndef SHIM_CALL_H
#define SHIM_CALL_H

#include "shim/clock.h"
#include "shim/shim.h"

struct call {
	struct shim_thread *thread; /* NULL: this call goes through uncounted */
	uint64_t head;              /* struct shape_key's first 8 bytes */
	int64_t m, n, k;
};

/* 1 when the thread may have been off the CPU in the segment that ends now. */
static inline int call_was_switched(const struct shim_thread *thread, uint64_t segment_ticks)
{
	return unlikely(*thread->lock != thread->last_lock) ||
	       unlikely(segment_ticks > thread->slow_after);
}

static inline struct shim_thread *call_enter(void)
{
	struct shim_thread *thread = &shim_self;
	const void *frame = __builtin_frame_address(0);
	struct thread_record *record;
	uint64_t now;

	if (unlikely(thread->owner != shim_process->token) && thread_attach())
		return NULL;
	if (unlikely(thread->depth))
		if (!call_nested(thread, frame))
			return NULL;
	thread->depth = 1;
	thread->enter_frame = frame;
	record = thread->record;
	now = clock_ticks(shim_session.clock);
	if (call_was_switched(thread, now - record->last_ticks))
		now = offcpu_book(thread, now, now - record->last_ticks, &record->gap_waiting_ns,
				  &record->gap_preempted_ns);
	thread->enter_ticks = now;
	return thread;
}

static inline void call_cleanup(struct call *call)
{
	if (likely(call->thread != NULL))
		call_leave(call->thread, call->head, call->m, call->n, call->k);
}

static inline uint64_t call_head(unsigned routine, unsigned transa, unsigned transb)
{
	return routine | (uint64_t)(transa & 0xff) << 16 | (uint64_t)(transb & 0xff) << 24;
}

#endif
