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
	struct shape_key key;
	struct shim_thread *thread; /* NULL: this call goes through uncounted */
};

/* 1 when the thread may have been off the CPU in the segment that ends now. Without a page the word
 * never equals last_lock: then offcpu_book() decides by the segment's length. */
static inline int call_was_switched(const struct shim_thread *thread)
{
	return unlikely(*thread->lock != thread->last_lock);
}

/* The clock, with one look at whether anything is out of the ordinary. */
static inline uint64_t call_clock(const struct shim_thread *thread)
{
	return likely(!thread->special) ? clock_counter() : clock_ticks(shim_session.clock);
}

/* Ends the gap since the last call or mark: books it and returns the clock afterwards. */
static inline uint64_t call_end_gap(struct shim_thread *thread)
{
	struct call_sums *sums = thread->sums;
	uint64_t now = call_clock(thread), gap = now - thread->record->last_ticks;
	int64_t waited_ns = sums->gap_waiting_ns;

	sums->gap_ticks += gap;
	if (call_was_switched(thread))
		now = offcpu_book(thread, now, &gap, &sums->gap_waiting_ns, &sums->gap_preempted_ns);
	else if (unlikely(now - thread->record->read_ticks > thread->refresh_after))
		now = offcpu_refresh(thread, now);
	thread->gap_ticks += gap;
	if (unlikely(thread->special))
		now = what_if_gap(thread, now, gap, sums->gap_waiting_ns - waited_ns);
	return now;
}

static inline __attribute__((always_inline)) struct shim_thread *call_enter(void)
{
	struct shim_thread *thread = &shim_self;
	const void *frame = __builtin_frame_address(0);

	if (unlikely(thread->owner != process_token()) && thread_attach())
		return NULL;
	if (unlikely(thread->depth))
		if (!call_nested(thread, frame))
			return NULL;
	thread->depth = 1;
	thread->enter_frame = frame;
	thread->enter_ticks = call_end_gap(thread);
	if (unlikely(thread->special))
		what_if_enter(thread);
	return thread;
}

static inline __attribute__((always_inline)) void call_cleanup(struct call *call)
{
	if (likely(call->thread != NULL))
		call_leave(call);
}

#endif
