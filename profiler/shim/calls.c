/* calls.c: counts a call that returned: the thread's sums and the row of its shape. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"

#include "shim/calm.h"
#include "shim/routine_ids.h"
#include "shim/routines.h"

#define CHUNK_SHAPES_ROWS 13 /* fills four pages */

/* Word by word: wider loads would wait for the words that the wrapper has just stored. */
static inline int key_is(const struct shape_key *a, const struct shape_key *b)
{
	return a->head == b->head && a->m == b->m && a->n == b->n && a->k == b->k;
}

/* Odd constants from the fractional parts of square roots; the high bits of the sum of products
 * are the slot. */
static unsigned key_slot(const struct shape_key *key)
{
	uint64_t hash = key->head * 0x6a09e667f3bcc909ull + (uint64_t)key->m * 0xbb67ae8584caa73bull +
			(uint64_t)key->n * 0x3c6ef372fe94f82bull +
			(uint64_t)key->k * 0xa54ff53a5f1d36f1ull;

	return (unsigned)((hash ^ hash >> 32) * 0x9e3779b97f4a7c15ull >> 53) & (TABLE_SLOTS - 1);
}

static struct shape_record *new_row(struct arena *arena)
{
	struct chunk_header *chunk = arena->chunk;
	struct calm calm;

	if (!chunk || chunk->used == chunk_rows(chunk, sizeof(struct shape_record))) {
		calm_begin(&calm);
		pthread_mutex_lock(&shim_process->lock);
		chunk = session_add_chunk(CHUNK_SHAPES,
					  CHUNK_SHAPES_ROWS * sizeof(struct shape_record));
		pthread_mutex_unlock(&shim_process->lock);
		calm_end(&calm);
		if (!chunk)
			return NULL;
		arena->chunk = chunk;
	}
	return (struct shape_record *)(chunk + 1) + chunk->used;
}

/* The slot that holds the shape, or the empty one where it belongs. */
static unsigned find_slot(const struct arena *arena, const struct shape_key *key)
{
	unsigned slot = key_slot(key);

	while (arena->slots[slot] && !key_is(&arena->slots[slot]->key, key))
		slot = (slot + 1) & (TABLE_SLOTS - 1);
	return slot;
}

void shape_insert(struct arena *arena, struct shape_record *row, const struct shape_key *key)
{
	row->key = *key;
	row->min_ticks = UINT64_MAX;
	if (shape_transa(key) != SHAPE_OTHER) {
		row->flops_per_call = routine_flops(shape_routine(key), (double)key->m, (double)key->n,
						    (double)key->k);
		row->bytes_per_call = routine_bytes(shape_routine(key), (double)key->m, (double)key->n,
						    (double)key->k);
	}
	arena->slots[find_slot(arena, key)] = row;
	arena->shapes++;
}

/* Adds a shape to the table. When the table is full, the routine's "other shapes" row; NULL when
 * there is no room in the session even for that. */
static struct shape_record *add_shape(struct arena *arena, const struct shape_key *key)
{
	struct shape_key other = {.head = shape_head(shape_routine(key), SHAPE_OTHER, 0, 0)};
	struct shape_record *row;

	if (arena->shapes >= SHAPES_MAX) {
		__atomic_or_fetch(&shim_process->header->troubles, TROUBLE_SHAPES_FULL,
				  __ATOMIC_RELAXED);
		key = &other;
		row = arena->slots[find_slot(arena, key)];
		if (row)
			return row;
	}
	row = new_row(arena);
	if (!row)
		return NULL;
	shape_insert(arena, row, key);
	__atomic_store_n(&arena->chunk->used, arena->chunk->used + 1, __ATOMIC_RELEASE);
	return row;
}

/* By the table. Programs repeat themselves, so the row is kept as the likely successor of the one
 * before. */
static __attribute__((noinline)) struct shape_record *search_shape(struct arena *arena,
								   const struct shape_key *key)
{
	struct shape_record *row = arena->slots[find_slot(arena, key)];

	if (!row)
		row = add_shape(arena, key);
	if (row && arena->last)
		arena->last->next = (uintptr_t)row;
	return row;
}

static inline struct shape_record *find_shape(struct arena *arena, const struct shape_key *key)
{
	struct shape_record *row = arena->last;

	row = row ? (struct shape_record *)(uintptr_t)row->next : NULL;
	if (unlikely(!row) || unlikely(!key_is(&row->key, key)))
		row = search_shape(arena, key);
	arena->last = row;
	return row;
}

/* What only a row of "other shapes" needs: its calls differ in flops and bytes. */
static __attribute__((noinline)) void add_other(struct call_sums *sums, struct shape_record *row,
						const struct shape_key *key)
{
	double m = (double)key->m, n = (double)key->n, k = (double)key->k;
	double flops = routine_flops(shape_routine(key), m, n, k);

	row->other_flops += flops;
	row->other_bytes += routine_bytes(shape_routine(key), m, n, k);
	sums->flops += flops;
}

static inline void add_pair(struct pair_block *block, uint64_t gap, uint64_t service)
{
	uint64_t at = block->written++ & (PAIRS_MAX - 1);

	block->pairs[at].gap = gap;
	block->pairs[at].service = service;
}

static inline void add_to_shape(struct shape_record *row, uint64_t ticks)
{
	row->calls++;
	row->ticks += ticks;
	if (unlikely(ticks < row->min_ticks))
		row->min_ticks = ticks;
	if (unlikely(ticks > row->max_ticks))
		row->max_ticks = ticks;
	row->histogram[histogram_bucket(ticks)]++;
}

void call_leave(struct call *call)
{
	struct shim_thread *thread = call->thread;
	struct call_sums *sums = thread->sums;
	struct shape_record *row;
	uint64_t now, ticks, service;

	if (unlikely(thread->owner != process_token()))
		return; /* the call forked: this is the child, the call is the parent's */
	if (unlikely(thread->special))
		what_if_leave(thread);
	now = call_clock(thread);
	service = ticks = now - thread->enter_ticks;
	if (call_was_switched(thread))
		now = offcpu_book(thread, now, &service, &sums->blas_waiting_ns,
				  &sums->blas_preempted_ns);
	else if (unlikely(now - thread->record->read_ticks > thread->refresh_after))
		now = offcpu_refresh(thread, now);
	sums->calls++;
	sums->blas_ticks += ticks;
	call->key.head |= thread->region << 32;
	row = find_shape(thread->arena, &call->key);
	if (likely(row != NULL)) {
		add_to_shape(row, ticks);
		sums->flops += row->flops_per_call;
		if (unlikely(shape_transa(&row->key) == SHAPE_OTHER))
			add_other(sums, row, &call->key);
	}
	if (thread->pairs)
		add_pair(thread->pairs, thread->gap_ticks, service);
	thread->gap_ticks = 0;
	thread->record->last_ticks = now;
	thread->depth = 0;
}

struct shim_thread *call_nested(struct shim_thread *thread, const void *frame)
{
	/* The stack grows down: a call made by the outer call has a lower frame. Any other frame means
	 * that the outer call is gone (longjmp, an exception). */
	if (thread->busy || thread->depth >= DEPTH_OUTSIDE || frame < thread->enter_frame)
		return NULL;
	what_if_abandon(thread);
	thread->record->last_ticks = thread->enter_ticks; /* the abandoned call counts as a gap */
	return thread;
}
