/* call.h: enter and leave of an intercepted call: the path that every BLAS call takes. */
/* SPDX-License-Identifier: MIT
 *
 * No lock, no allocation, no system call, no cache line that two threads write. Only the outermost
 * call of a thread counts.
 *
 * A call goes the short way when its thread is attached and in nothing out of the ordinary, its
 * shape is known, and nothing was switched: call_begin(), the
 * routine, call_leave(). Every other call goes the long way: call_enter(), the routine,
 * call_leave_special().
 */
#ifndef SHIM_CALL_H
#define SHIM_CALL_H

#include "wire/clock.h"
#include "shim/shim.h"

/* 1 when the thread may have been off the CPU in the segment that ends now. Without a page the word
 * never equals last_lock: then offcpu_book() decides by the segment's length. */
static inline int call_was_switched(const struct shim_thread *thread)
{
	return *thread->lock != thread->last_lock;
}

/* 1 where offcpu_book() has something to look at in the segment of so many ticks that ends now. */
static inline __attribute__((always_inline)) int
call_is_rare(const struct shim_thread *thread, uint64_t now, uint64_t segment)
{
	return unlikely(call_was_switched(thread)) || unlikely(now > thread->refresh_at) ||
	       unlikely(segment > thread->long_after);
}

/* Word by word: the words are in registers on one side. */
static inline int key_is(const struct shape_key *key, uint64_t head, int64_t m, int64_t n,
			 int64_t k, uint64_t caller)
{
	return key->head == head && key->m == m && key->n == n && key->k == k &&
	       key->caller == caller;
}

/* Where the table has the shape, unless another one came first. Odd constants from the fractional
 * parts of square roots; the high bits of the sum of products are the slot. */
static inline unsigned key_slot(uint64_t head, int64_t m, int64_t n, int64_t k, uint64_t caller)
{
	uint64_t hash = head * 0x6a09e667f3bcc909ull + (uint64_t)m * 0xbb67ae8584caa73bull +
			(uint64_t)n * 0x3c6ef372fe94f82bull + (uint64_t)k * 0xa54ff53a5f1d36f1ull +
			caller * 0x510e527fade682d1ull;

	return (unsigned)((hash ^ hash >> 32) * 0x9e3779b97f4a7c15ull >> 52) & (TABLE_SLOTS - 1);
}

/* The shape's row: the one that followed where the thread was here last time, whose key is in the
 * cache by now, else the table's, in its slot or the one after; NULL: the long way must look. */
static inline __attribute__((always_inline)) struct shape_record *
find_known_row(const struct shim_thread *thread, uint64_t head, int64_t m, int64_t n, int64_t k,
	       uint64_t caller)
{
	struct shape_record *row = thread->expected;
	unsigned slot;

	if (likely(key_is(&row->key, head, m, n, k, caller)))
		return row;
	slot = key_slot(head, m, n, k, caller);
	row = thread->arena->slots[slot];
	if (row && key_is(&row->key, head, m, n, k, caller))
		return row;
	row = thread->arena->slots[(slot + 1) & (TABLE_SLOTS - 1)];
	return row && key_is(&row->key, head, m, n, k, caller) ? row : NULL;
}

/* Twice: a signal handler's call in between may leave its own frame there. */
static inline __attribute__((always_inline)) void
go_inside(struct shim_thread *thread, unsigned state_before, const void *frame)
{
	thread->enter_frame = frame;
	__asm__ volatile("" : : : "memory");
	thread->state = state_before | STATE_INSIDE;
	__asm__ volatile("" : : : "memory");
	thread->enter_frame = frame;
}

/* The short way in. Returns 0, with nothing changed, where the call must go the long way. Inside
 * from before the clock is read: a signal handler's call is then a nested one. */
static inline __attribute__((always_inline)) int
call_begin(uint64_t head, int64_t m, int64_t n, int64_t k, const void *caller, const void *frame)
{
	struct shim_thread *thread = &shim_self;
	struct shape_record *row;
	uint64_t now, gap;

	if (unlikely(thread->owner != process_token()) || unlikely(thread->state))
		return 0;
	row = find_known_row(thread, head | thread->region_bits, m, n, k, (uintptr_t)caller);
	if (unlikely(!row))
		return 0;
	go_inside(thread, 0, frame);
	now = clock_counter();
	gap = now - thread->record->last_ticks;
	if (unlikely(call_is_rare(thread, now, gap))) {
		thread->state = 0;
		return 0;
	}
	thread->row = row;
	/* the program may have used the caches for its own */
	__builtin_prefetch(&row->histogram[row->last_bucket], 1);
	thread->sums->gap_ticks += gap;
	thread->gap_ticks += gap;
	thread->enter_ticks = now;
	return 1;
}

/* What the long way needs to know of the wrapper that was called. */
static inline __attribute__((always_inline)) void call_note(const void *frame, const void *caller)
{
	shim_self.frame = frame;
	shim_self.caller = caller;
}

static inline __attribute__((always_inline)) void call_end(const int *counted)
{
	(void)counted;
	call_leave(__builtin_frame_address(0));
}

static inline __attribute__((always_inline)) void call_end_special(const void *const *counted)
{
	if (*counted)
		call_leave_special(*counted);
}

#endif
