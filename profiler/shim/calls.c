/* calls.c: counts a call that returned: the thread's sums and the row of its shape. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"

#include "shim/calm.h"
#include "shim/counters.h"
#include "blas/routine_ids.h"
#include "blas/routines.h"
#include "shim/spans.h"

#define FIRST_SHAPES_ROWS 3  /* of a table: fills a page */
#define CHUNK_SHAPES_ROWS 15 /* fills five pages */
#define PAIRS_A_LINE	  4

static inline int key_equals(const struct shape_key *a, const struct shape_key *b)
{
	return key_is(a, b->head, b->m, b->n, b->k, b->caller);
}

struct chunk_header *arena_chunk(void)
{
	return session_add_chunk(CHUNK_SHAPES, FIRST_SHAPES_ROWS * sizeof(struct shape_record));
}

static struct shape_record *new_row(struct arena *arena)
{
	struct chunk_header *chunk = arena->chunk;
	struct calm calm;

	if (!chunk || chunk->used == chunk_rows(chunk, sizeof(struct shape_record))) {
		calm_begin(&calm);
		process_lock();
		chunk = chunk ? session_add_chunk(CHUNK_SHAPES,
						  CHUNK_SHAPES_ROWS * sizeof(struct shape_record))
			      : arena_chunk();
		process_unlock();
		calm_end(&calm);
		if (!chunk)
			return NULL;
		arena->chunk = chunk;
	}
	return (struct shape_record *)(chunk + 1) + chunk->used;
}

/* The slot that holds the shape, or the empty one where it belongs. Of an empty table nothing is
 * read: the kernel would give it a page for that, and another one when it is written. */
static unsigned find_slot(const struct arena *arena, const struct shape_key *key)
{
	unsigned slot = key_slot(key->head, key->m, key->n, key->k, key->caller);

	while (arena->shapes && arena->slots[slot] && !key_equals(&arena->slots[slot]->key, key))
		slot = (slot + 1) & (TABLE_SLOTS - 1);
	return slot;
}

void arena_start(struct arena *arena, struct chunk_header *chunk)
{
	arena->chunk = chunk;
	arena->nowhere.key.head = UINT64_MAX;
	arena->nowhere.min_ticks = UINT64_MAX;
}

void shape_insert(struct arena *arena, struct shape_record *row, const struct shape_key *key)
{
	row->key = *key;
	row->min_ticks = UINT64_MAX;
	if (shape_transa(key) != SHAPE_OTHER) {
		row->flops_per_call = routine_flops(shape_routine(key), (double)key->m,
						    (double)key->n, (double)key->k);
		row->bytes_per_call = routine_bytes(shape_routine(key), (double)key->m,
						    (double)key->n, (double)key->k);
	}
	arena->slots[find_slot(arena, key)] = row;
	arena->shapes++;
}

/* Adds a shape to the table. When that is nearly full, callers are not told apart any more. When
 * the table is full, the routine's "other shapes" row; NULL when there is no room in the session
 * even for that. */
static struct shape_record *add_shape(struct arena *arena, const struct shape_key *key)
{
	struct shape_key other = {.head = shape_head(shape_routine(key), SHAPE_OTHER, 0, 0)};
	struct shape_key nobody = *key;
	struct shape_record *row;

	if (arena->shapes >= CALLERS_MAX && key->caller) {
		nobody.caller = 0;
		key = &nobody;
		row = arena->slots[find_slot(arena, key)];
		if (row)
			return row;
	}
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
	if (key->caller)
		maps_note(key->caller);
	shape_insert(arena, row, key);
	__atomic_store_n(&arena->chunk->used, arena->chunk->used + 1, __ATOMIC_RELEASE);
	return row;
}

static void find_row(struct shim_thread *thread, const struct shape_key *key)
{
	struct arena *arena = thread->arena;
	struct shape_record *row = arena->shapes ? arena->slots[find_slot(arena, key)] : NULL;

	if (!row)
		row = add_shape(arena, key);
	if (!row)
		row = &arena->nowhere;
	thread->row = row;
	thread->row_is_other = shape_transa(&row->key) == SHAPE_OTHER;
	if (thread->row_is_other) {
		double m = (double)key->m, n = (double)key->n, k = (double)key->k;

		thread->other_flops = routine_flops(shape_routine(key), m, n, k);
		thread->other_bytes = routine_bytes(shape_routine(key), m, n, k);
	}
}

/* What only a row of "other shapes" needs: its calls differ in flops and bytes. */
static void add_other(struct shim_thread *thread)
{
	thread->row_is_other = 0;
	thread->row->other_flops += thread->other_flops;
	thread->row->other_bytes += thread->other_bytes;
	thread->sums->flops += thread->other_flops;
}

static inline void add_pair(struct pair_block *block, uint64_t gap, uint64_t service)
{
	uint64_t at = block->written++ & (PAIRS_MAX - 1);

	block->pairs[at].gap = gap;
	block->pairs[at].service = service;
	__builtin_prefetch(&block->pairs[(at + PAIRS_A_LINE) & (PAIRS_MAX - 1)], 1);
}

static inline void add_to_shape(struct shape_record *row, uint64_t ticks)
{
	unsigned bucket = histogram_bucket(ticks);

	row->calls++;
	row->ticks += ticks;
	if (unlikely(ticks < row->min_ticks))
		row->min_ticks = ticks;
	if (unlikely(ticks > row->max_ticks))
		row->max_ticks = ticks;
	row->last_bucket = bucket;
	row->histogram[bucket]++;
}

/* A program that trains or iterates makes the same calls in the same order again and again. Where
 * the call was the expected one, the thread is one further in the sequence as it was; else it is
 * where the shape was last. What followed there is expected next, and brought into the cache: the
 * program fills that with its own meanwhile. */
static inline void expect_next(struct shim_thread *thread)
{
	struct arena *arena = thread->arena;
	struct shape_record *row = thread->row, *next;
	uint32_t place = row == thread->expected ? thread->place + 1u : row->place;

	arena->sequence[thread->written & (SEQUENCE_MAX - 1)] = row;
	row->place = thread->written++;
	next = arena->sequence[(place + 1) & (SEQUENCE_MAX - 1)];
	if (!next)
		next = row;
	__builtin_prefetch(&next->key);
	__builtin_prefetch(&next->min_ticks, 1);
	thread->place = (uint16_t)place;
	thread->expected = next;
}

/* Books a call of so many ticks that ended at `now`. service: without waiting for a CPU. */
static inline __attribute__((always_inline)) void
book_call(struct shim_thread *thread, uint64_t now, uint64_t ticks, uint64_t service)
{
	struct call_sums *sums = thread->sums;

	sums->calls++;
	sums->blas_ticks += ticks;
	sums->flops += thread->row->flops_per_call;
	add_to_shape(thread->row, ticks);
	expect_next(thread);
	if (thread->pairs)
		add_pair(thread->pairs, thread->gap_ticks, service);
	thread->gap_ticks = 0;
	thread->record->last_ticks = now;
	thread->state &= ~(unsigned)STATE_INSIDE;
}

static __attribute__((noinline)) void leave_rarely(struct shim_thread *thread, uint64_t now)
{
	struct call_sums *sums = thread->sums;
	uint64_t ticks = now - thread->enter_ticks, service = ticks;

	now = offcpu_book(thread, now, &service, &sums->blas_waiting_ns, &sums->blas_preempted_ns);
	if (thread->row_is_other)
		add_other(thread);
	book_call(thread, now, ticks, service);
	if (unlikely(now > thread->watch_at))
		spans_turn(thread, now);
}

static __attribute__((noinline, cold)) void leave_aside(struct shim_thread *thread, uint64_t now,
							const void *frame)
{
	if (call_come_back(thread, frame))
		leave_rarely(thread, now);
}

void call_leave(const void *frame)
{
	uint64_t now = clock_counter(), ticks;
	struct shim_thread *thread = &shim_self;

	if (unlikely(thread->owner != process_token()))
		return; /* the call forked: this is the child, the call is the parent's */
	if (unlikely(thread->enter_frame != frame)) {
		leave_aside(thread, now, frame);
		return;
	}
	ticks = now - thread->enter_ticks;
	if (unlikely(call_is_rare(thread, now, ticks))) {
		leave_rarely(thread, now);
		return;
	}
	book_call(thread, now, ticks, ticks);
}

void call_leave_special(const void *frame)
{
	struct shim_thread *thread = &shim_self;
	uint64_t now;

	if (thread->owner != process_token())
		return;
	if (thread->enter_frame != frame) {
		leave_aside(thread, clock_ticks(shim_session.clock), frame);
		return;
	}
	if (thread->state & STATE_SPECIAL)
		counters_leave(thread);
	if (thread->state & STATE_WHAT_IF)
		what_if_leave(thread);
	now = clock_ticks(shim_session.clock);
	if (thread->state & STATE_SPECIAL)
		spans_add_call(thread, now);
	leave_rarely(thread, now);
}

uint64_t call_end_gap(struct shim_thread *thread)
{
	struct call_sums *sums = thread->sums;
	uint64_t now = clock_ticks(shim_session.clock), gap = now - thread->record->last_ticks;
	int64_t waited_ns = sums->gap_waiting_ns;

	sums->gap_ticks += gap;
	now = offcpu_book(thread, now, &gap, &sums->gap_waiting_ns, &sums->gap_preempted_ns);
	thread->gap_ticks += gap;
	if (thread->state & STATE_WHAT_IF)
		now = what_if_gap(thread, now, gap, sums->gap_waiting_ns - waited_ns);
	return now;
}

int call_enter(const struct shape_key *key, const void *frame)
{
	struct shim_thread *thread = &shim_self;
	struct shape_key whole = *key;

	if (thread->owner != process_token() && thread_attach())
		return 0;
	if (thread->state & STATE_OUTSIDE)
		return 0;
	if (call_is_nested(thread, frame))
		return 0;
	go_inside(thread, thread->state, frame);
	whole.head |= thread->region_bits;
	find_row(thread, &whole);
	thread->enter_ticks = call_end_gap(thread);
	if (thread->state & STATE_WHAT_IF)
		what_if_enter(thread);
	if (thread->state & STATE_SPECIAL) {
		thread->span_key = whole;
		counters_enter(thread);
	}
	return 1;
}
