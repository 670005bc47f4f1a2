/* calls.c: counts a call that returned: the thread's sums and the row of its shape. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"

#include <string.h>

#include "shim/routine_ids.h"
#include "shim/routines.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "call_head() packs struct shape_key");

#define CHUNK_SHAPES_ROWS 13 /* fills four pages */

static uint64_t key_head(const struct shape_key *key)
{
	uint64_t head;

	memcpy(&head, key, sizeof head);
	return head;
}

static int key_is(const struct shape_key *key, uint64_t head, int64_t m, int64_t n, int64_t k)
{
	return key_head(key) == head && key->m == m && key->n == n && key->k == k;
}

/* Odd constants from the fractional parts of square roots; the high bits of the sum of products
 * are the slot. */
static unsigned key_slot(uint64_t head, int64_t m, int64_t n, int64_t k)
{
	uint64_t hash = head * 0x6a09e667f3bcc909ull + (uint64_t)m * 0xbb67ae8584caa73bull +
			(uint64_t)n * 0x3c6ef372fe94f82bull + (uint64_t)k * 0xa54ff53a5f1d36f1ull;

	return (unsigned)((hash ^ hash >> 32) * 0x9e3779b97f4a7c15ull >> 53) & (TABLE_SLOTS - 1);
}

static struct shape_record *new_row(struct arena *arena)
{
	struct chunk_header *chunk = arena->chunk;

	if (!chunk || chunk->used == chunk_rows(chunk, sizeof(struct shape_record))) {
		pthread_mutex_lock(&shim_process->lock);
		chunk = session_add_chunk(CHUNK_SHAPES, CHUNK_SHAPES_ROWS * sizeof(struct shape_record));
		pthread_mutex_unlock(&shim_process->lock);
		if (!chunk)
			return NULL;
		arena->chunk = chunk;
	}
	return (struct shape_record *)(chunk + 1) + chunk->used;
}

/* The slot that holds the shape, or the empty one where it belongs. */
static inline unsigned find_slot(const struct arena *arena, uint64_t head, int64_t m, int64_t n,
				 int64_t k)
{
	unsigned slot = key_slot(head, m, n, k);

	while (arena->slots[slot] && !key_is(&arena->slots[slot]->key, head, m, n, k))
		slot = (slot + 1) & (TABLE_SLOTS - 1);
	return slot;
}

void shape_insert(struct arena *arena, struct shape_record *row, uint64_t head, int64_t m, int64_t n,
		  int64_t k)
{
	memcpy(&row->key, &head, sizeof head);
	row->key.m = m;
	row->key.n = n;
	row->key.k = k;
	row->min_ticks = UINT64_MAX;
	if (row->key.transa != SHAPE_OTHER) {
		row->flops_per_call = routine_flops(row->key.routine, (double)m, (double)n, (double)k);
		row->bytes_per_call = routine_bytes(row->key.routine, (double)m, (double)n, (double)k);
	}
	arena->slots[find_slot(arena, head, m, n, k)] = row;
	arena->shapes++;
}

/* Adds a shape to the table. When the table is full, the routine's "other shapes" row; NULL when
 * there is no room in the session even for that. */
static __attribute__((noinline)) struct shape_record *
add_shape(struct shim_thread *thread, uint64_t head, int64_t m, int64_t n, int64_t k)
{
	struct arena *arena = thread->arena;
	struct shape_record *row;

	if (arena->shapes >= SHAPES_MAX) {
		__atomic_or_fetch(&shim_process->header->troubles, TROUBLE_SHAPES_FULL,
				  __ATOMIC_RELAXED);
		head = call_head(head & 0xffff, SHAPE_OTHER, 0);
		m = n = k = 0;
		row = arena->slots[find_slot(arena, head, 0, 0, 0)];
		if (row)
			return row;
	}
	row = new_row(arena);
	if (!row)
		return NULL;
	shape_insert(arena, row, head, m, n, k);
	__atomic_store_n(&arena->chunk->used, arena->chunk->used + 1, __ATOMIC_RELEASE);
	return row;
}

static inline struct shape_record *find_shape(struct shim_thread *thread, uint64_t head, int64_t m,
					      int64_t n, int64_t k)
{
	struct shape_record *row = thread->arena->slots[find_slot(thread->arena, head, m, n, k)];

	return likely(row != NULL) ? row : add_shape(thread, head, m, n, k);
}

/* What only a row of "other shapes" needs: its calls differ in flops and bytes. */
static __attribute__((noinline)) void add_other(struct thread_record *record,
						struct shape_record *row, int64_t m, int64_t n,
						int64_t k)
{
	double flops = routine_flops(row->key.routine, (double)m, (double)n, (double)k);

	row->other_flops += flops;
	row->other_bytes += routine_bytes(row->key.routine, (double)m, (double)n, (double)k);
	record->flops += flops;
}

void call_leave(struct shim_thread *thread, uint64_t head, int64_t m, int64_t n, int64_t k)
{
	struct thread_record *record = thread->record;
	uint64_t now = clock_ticks(shim_session.clock), ticks = now - thread->enter_ticks;
	struct shape_record *row;

	if (unlikely(thread->owner != shim_process->token))
		return; /* the call forked: this is the child, the call is the parent's */
	if (call_was_switched(thread, ticks))
		now = offcpu_book(thread, now, ticks, &record->blas_waiting_ns,
				  &record->blas_preempted_ns);
	record->calls++;
	record->blas_ticks += ticks;
	row = find_shape(thread, head, m, n, k);
	if (likely(row != NULL)) {
		row->calls++;
		row->ticks += ticks;
		if (unlikely(ticks < row->min_ticks))
			row->min_ticks = ticks;
		if (unlikely(ticks > row->max_ticks))
			row->max_ticks = ticks;
		row->histogram[histogram_bucket(ticks)]++;
		record->flops += row->flops_per_call;
		if (unlikely(row->key.transa == SHAPE_OTHER))
			add_other(record, row, m, n, k);
	}
	record->last_ticks = now;
	thread->depth = 0;
}

struct shim_thread *call_nested(struct shim_thread *thread, const void *frame)
{
	/* The stack grows down: a call made by the outer call has a lower frame. Any other frame means
	 * that the outer call is gone (longjmp, an exception). */
	if (thread->busy || frame < thread->enter_frame)
		return NULL;
	return thread;
}
