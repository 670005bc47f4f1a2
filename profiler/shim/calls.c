/* calls.c: counts calls, in the thread's sums and in the row of the call's shape. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"

#include <sys/mman.h>

#include "shim/signal_guard.h"
#include "blas/routines.h"

#define FIRST_SHAPES_ROWS 3  /* the first rows of a table fill a page */
#define CHUNK_SHAPES_ROWS 15 /* fills five pages */
#define LARGE_CHUNK_ROWS  63 /* fills 21 pages */

/* Compares word by word, since the caller has the words in registers. */
static inline int key_is(const struct shape_key *key, uint64_t head, int64_t m, int64_t n,
			 int64_t k, uint64_t caller)
{
	return key->head == head && key->m == m && key->n == n && key->k == k &&
	       key->caller == caller;
}

/* Returns the slot where the search for the shape begins: high bits of a sum of products with odd
 * constants (fractional parts of square roots). */
static inline unsigned key_slot(uint64_t head, int64_t m, int64_t n, int64_t k, uint64_t caller)
{
	uint64_t hash = head * 0x6a09e667f3bcc909ull + (uint64_t)m * 0xbb67ae8584caa73bull +
			(uint64_t)n * 0x3c6ef372fe94f82bull + (uint64_t)k * 0xa54ff53a5f1d36f1ull +
			caller * 0x510e527fade682d1ull;

	return (unsigned)((hash ^ hash >> 32) * 0x9e3779b97f4a7c15ull >> 51) & (TABLE_SLOTS - 1);
}

struct chunk_header *arena_chunk(void)
{
	return session_add_chunk(CHUNK_SHAPES, FIRST_SHAPES_ROWS * sizeof(struct shape_record));
}

/* Returns a new row, or NULL if there is no room. Rows of small chunks all start in the same sets
 * of a cache; those of a large chunk start once in each of 64 sets. With 64 shapes in small chunks,
 * an L1 cache of 32 KiB missed three lines in two calls. */
static struct shape_record *new_row(struct arena *arena)
{
	unsigned rows = arena->shapes < CHUNK_SHAPES_ROWS ? CHUNK_SHAPES_ROWS : LARGE_CHUNK_ROWS;
	struct chunk_header *chunk = arena->chunk;

	if (!chunk || chunk->used == chunk_rows(chunk, sizeof(struct shape_record))) {
		LOCK_PROCESS;
		chunk = chunk ? session_add_chunk(CHUNK_SHAPES, rows * sizeof(struct shape_record))
			      : arena_chunk();
		if (!chunk)
			return NULL;
		arena->chunk = chunk;
	}
	return (struct shape_record *)(chunk + 1) + chunk->used;
}

/* Returns the slot that holds the shape, or the empty one where it belongs. Does not read an empty
 * table: the read would map a zero page, and the first write would then fault again. */
static unsigned find_slot(const struct arena *arena, const struct shape_key *key)
{
	unsigned slot = key_slot(key->head, key->m, key->n, key->k, key->caller);

	while (arena->shapes && arena->slots[slot] &&
	       !key_is(&arena->slots[slot]->key, key->head, key->m, key->n, key->k, key->caller))
		slot = (slot + 1) & (TABLE_SLOTS - 1);
	return slot;
}

/* Starts a row of zeros. Until another call follows one of this shape, the next one is expected to
 * have it, too. */
static void start_row(struct shape_record *row, const struct shape_key *key)
{
	row->key = *key;
	row->min_ticks = UINT64_MAX;
	row->last_bucket = HISTOGRAM_BUCKETS;
	row->successor = (uintptr_t)row;
}

void arena_start(struct arena *arena, struct chunk_header *chunk)
{
	arena->chunk = chunk;
	start_row(&arena->nowhere, &(struct shape_key){.head = UINT64_MAX});
}

void shape_insert(struct arena *arena, struct shape_record *row, const struct shape_key *key)
{
	start_row(row, key);
	if (shape_transa(key) != SHAPE_OTHER) {
		row->flops_per_call = (uint64_t)whole_flops(routine_flops(
			shape_routine(key), (double)key->m, (double)key->n, (double)key->k));
		row->bytes_per_call = routine_bytes(shape_routine(key), (double)key->m,
						    (double)key->n, (double)key->k);
	}
	arena->slots[find_slot(arena, key)] = row;
	arena->shapes++;
}

/* Maps pages of zeros below the stack pointer where there are none, up to the end of the stack,
 * where this fails. A sample's copy of the stack ends at the first page that is not there, and
 * kernels of OpenBLAS have buffers in their frames of which they often write only a part. */
static void show_stack(struct shim_thread *thread)
{
	enum { SHOWN = 64 << 10, PAGE = 4096, POPULATE_READ = 22 /* since Linux 5.14 */ };
	uintptr_t at = (uintptr_t)__builtin_frame_address(0) & -(uintptr_t)PAGE;
	uintptr_t end = at - SHOWN;
	KEEP_ERRNO;

	if (end - thread->stack_shown <= SHOWN)
		return;
	thread->stack_shown = end;
	if (madvise((void *)end, SHOWN, POPULATE_READ))
		while (at > end && !madvise((void *)(at - PAGE), PAGE, POPULATE_READ))
			at -= PAGE;
}

static uint64_t other_head(const struct shape_key *key)
{
	return shape_head(shape_routine(key), SHAPE_OTHER, 0, 0);
}

/* Adds a shape to the table. If that is full, returns the "other shapes" row of the routine and its
 * caller, while there is room for callers, else that of the routine. Returns NULL if the session
 * has no room even for that. */
static struct shape_record *add_shape(struct shim_thread *thread, const struct shape_key *key)
{
	struct arena *arena = thread->arena;
	struct shape_key other = {.head = other_head(key), .caller = key->caller};
	struct shape_record *row;

	if (arena->shapes >= SHAPES_MAX) {
		key = &other;
		row = arena->slots[find_slot(arena, key)];
		if (!row && arena->shapes >= SHAPES_MAX + OTHERS_MAX) {
			other.caller = 0;
			row = arena->slots[find_slot(arena, key)];
		}
		if (row)
			return row;
		__atomic_or_fetch(&shim_process->header->troubles, TROUBLE_SHAPES_FULL,
				  __ATOMIC_RELAXED);
	}
	show_stack(thread);
	row = new_row(arena);
	if (!row)
		return NULL;
	if (key->caller && !(thread->state & STATE_PYTHON && call_site_note(key->caller)))
		maps_note(key->caller);
	shape_insert(arena, row, key);
	__atomic_store_n(&arena->chunk->used, arena->chunk->used + 1, __ATOMIC_RELEASE);
	return row;
}

/* Keeps the flops and bytes of a call that belongs to an "other shapes" row. */
static void keep_work(struct shim_thread *thread, const struct shape_key *key)
{
	double m = (double)key->m, n = (double)key->n, k = (double)key->k;

	thread->other_flops = routine_flops(shape_routine(key), m, n, k);
	thread->other_bytes = routine_bytes(shape_routine(key), m, n, k);
}

static __attribute__((noinline)) void find_row(struct shim_thread *thread,
					       const struct shape_key *key)
{
	struct arena *arena = thread->arena;
	struct shape_record *row = arena->shapes ? arena->slots[find_slot(arena, key)] : NULL;

	if (!row)
		row = add_shape(thread, key);
	if (!row)
		row = &arena->nowhere;
	thread->row = row;
	if (shape_transa(&row->key) == SHAPE_OTHER) {
		thread->state |= STATE_OTHER;
		keep_work(thread, key);
	}
}

/* Puts the previous call into the histogram: the CPU does not read the clock again before it knows
 * the address of each store, and this call's bucket depends on its time. */
static inline void add_to_shape(struct shape_record *row, uint64_t ticks)
{
	row->histogram[row->last_bucket]++;
	row->last_bucket = histogram_bucket(ticks);
	row->ticks += ticks;
	if (unlikely(ticks < row->min_ticks))
		row->min_ticks = ticks;
	if (unlikely(ticks > row->max_ticks))
		row->max_ticks = ticks;
}

/* Books a call of `ticks` that ended at `now`; `service` excludes waiting for a CPU. Programs
 * repeat the same calls in the same order, so the row that followed this one last time is expected
 * next and is prefetched, since the program's own data may have evicted it. The end is stored
 * first, so that a thread that is cancelled here does not count the call twice. */
static inline __attribute__((always_inline)) void
book_call(struct shim_thread *thread, uint64_t now, uint64_t ticks, uint64_t service)
{
	struct call_sums *sums = thread->sums;
	struct shape_record *row = thread->row, *expected;
	struct call_times *block;

	thread->record->last_ticks = now;
	__asm__ volatile("" : : : "memory");
	sums->calls++;
	sums->in[IN_BLAS].ticks += ticks;
	sums->flops += row->flops_per_call;
	add_to_shape(row, service);
	expected = (struct shape_record *)(uintptr_t)row->successor;
	thread->expected = expected;
	__builtin_prefetch(&expected->key);
	__builtin_prefetch(&expected->min_ticks, 1);
	block = thread->call_times;
	if (block) {
		uint64_t at = block->written++ & (CALL_TIMES_MAX - 1);

		block->calls[at].think = short_ticks(thread->gap_ticks);
		block->calls[at].service = short_ticks(service);
	}
	thread->gap_ticks = 0;
	__asm__ volatile("" : : : "memory");
	thread->enter_frame = NULL;
}

/* If a call was blocked this long, the whole program may have been stopped. The check takes a
 * thousandth of this time. */
#define STOPPED_NS 10000000

/* Moves the time for which the command was stopped from the call to the gap before it. Returns that
 * time in ticks. The profiler notes a stop late: after the last thread has stopped, and when the
 * profiler gets a CPU. So if the call was blocked only once, it was stopped for all of that time.
 */
static uint64_t take_stop(struct shim_thread *thread, uint64_t ticks, int64_t blocked_ns,
			  int was_blocked_once)
{
	struct call_sums *sums = thread->sums;
	double scale = shim_session.ns_per_tick;
	uint64_t since = clock_ticks(shim_session.clock) - thread->enter_ticks, stopped;
	int64_t from_ns = clock_ns(CLOCK_MONOTONIC) - (int64_t)((double)since * scale);
	int64_t stopped_ns = session_stopped(from_ns, from_ns + (int64_t)((double)ticks * scale));

	if (stopped_ns > blocked_ns || (stopped_ns && was_blocked_once))
		stopped_ns = blocked_ns;
	stopped = (uint64_t)((double)stopped_ns / scale);
	sums->in[IN_BLAS].waiting_ns -= stopped_ns;
	sums->in[IN_OTHER].waiting_ns += stopped_ns;
	sums->in[IN_OTHER].ticks += stopped;
	return stopped;
}

static __attribute__((noinline)) void leave_rarely(struct shim_thread *thread, uint64_t now)
{
	struct call_sums *sums = thread->sums;
	uint64_t ticks = now - thread->enter_ticks, service = ticks, stopped;
	int64_t blocked_ns = -sums->in[IN_BLAS].waiting_ns;
	uint64_t fastest = thread->row->min_ticks;
	long voluntary = thread->voluntary;

	now = offcpu_book(thread, now, &service, &sums->in[IN_BLAS].waiting_ns,
			  &sums->in[IN_BLAS].preempted_ns);
	blocked_ns += sums->in[IN_BLAS].waiting_ns;
	if (blocked_ns >= STOPPED_NS) {
		stopped = take_stop(thread, ticks, blocked_ns, thread->voluntary - voluntary == 1);
		stopped = stopped < service ? stopped : service;
		service -= stopped;
		ticks -= stopped;
	}
	if (thread->state & STATE_OTHER) { /* these differ between calls of the row */
		thread->row->other_flops += thread->other_flops;
		thread->row->other_bytes += thread->other_bytes;
		sums->flops += (uint64_t)whole_flops(thread->other_flops);
	}
	thread->state &= ~(unsigned)STATE_OTHER;
	thread->row->no_cpu_ticks += ticks - service;
	book_call(thread, now, ticks, service);
	/* its time off the CPU is not known well enough to call it the fastest */
	if (service < ticks)
		thread->row->min_ticks = fastest;
	if (unlikely(now > thread->watch_at))
		spans_turn(thread, now);
}

uint64_t call_end_gap(struct shim_thread *thread)
{
	struct call_sums *sums = thread->sums;
	uint64_t now = clock_ticks(shim_session.clock), start = thread->record->last_ticks;
	uint64_t gap = now - start;
	int64_t waited_ns = sums->in[IN_OTHER].waiting_ns;
	int64_t preempted_ns = sums->in[IN_OTHER].preempted_ns;

	sums->in[IN_OTHER].ticks += gap;
	now = offcpu_book(thread, now, &gap, &sums->in[IN_OTHER].waiting_ns,
			  &sums->in[IN_OTHER].preempted_ns);
	thread->gap_ticks += gap;
	waited_ns = sums->in[IN_OTHER].waiting_ns - waited_ns;
	if (thread->state & STATE_WHAT_IF)
		now = what_if_gap(thread, now, gap, waited_ns);
	if (unlikely(now - start > thread->gap_after)) {
		struct gap_record row = {
			.start = start,
			.end = now,
			.region = thread->record->mark_region,
			.waiting_ns = waited_ns,
			.preempted_ns = sums->in[IN_OTHER].preempted_ns - preempted_ns,
		};

		gaps_note(thread, &row);
	}
	return now;
}

/* Returns the shape's row if it is in its first slot or the next one, else NULL. */
static inline struct shape_record *look_up(const struct arena *arena, uint64_t head, int64_t m,
					   int64_t n, int64_t k, uint64_t caller)
{
	unsigned slot = key_slot(head, m, n, k, caller);
	struct shape_record *row = arena->slots[slot];

	if (row && key_is(&row->key, head, m, n, k, caller))
		return row;
	row = arena->slots[(slot + 1) & (TABLE_SLOTS - 1)];
	return row && key_is(&row->key, head, m, n, k, caller) ? row : NULL;
}

/* Begins a call of this row's shape. Returns 0 and changes nothing if the call must take the slow
 * path. The frame is set before the clock is read, so that a call of a signal handler is nested. */
static inline __attribute__((always_inline)) int
begin_row(struct shim_thread *thread, struct shape_record *row, const void *frame)
{
	uint64_t now, gap;

	thread->enter_frame = frame;
	__asm__ volatile("" : : : "memory");
	now = clock_counter();
	gap = now - thread->record->last_ticks;
	if (unlikely(call_is_rare(thread, now, gap))) {
		thread->enter_frame = NULL;
		return 0;
	}
	thread->row = row;
	thread->sums->in[IN_OTHER].ticks += gap;
	thread->gap_ticks += gap;
	thread->enter_ticks = now;
	return 1;
}

/* Returns the "other shapes" row of a call without a row of its own, or NULL. */
static struct shape_record *look_up_other(struct shim_thread *thread, const struct shape_key *key,
					  const void *frame)
{
	struct shape_record *row = look_up(thread->arena, other_head(key), 0, 0, 0, key->caller);

	if (!row)
		return NULL;
	thread->enter_frame = frame; /* a call of a signal handler must not change the work */
	__asm__ volatile("" : : : "memory");
	GUARD_FLOATS;
	keep_work(thread, key);
	return row;
}

/* Begins a call if it has a row already; returns 0 otherwise. */
static inline int begin_known(struct shim_thread *thread, const struct shape_key *key,
			      const void *frame)
{
	uint64_t head = key->head | thread->region_bits;
	struct shape_record *row = thread->expected;
	int has_own = 1;

	if (!key_is(&row->key, head, key->m, key->n, key->k, key->caller)) {
		row = look_up(thread->arena, head, key->m, key->n, key->k, key->caller);
		has_own = row || thread->arena->shapes < SHAPES_MAX;
		if (!has_own)
			row = look_up_other(thread, key, frame);
		if (!row)
			return 0;
		thread->row->successor = (uintptr_t)row;
	}
	if (!begin_row(thread, row, frame))
		return 0;
	if (!has_own)
		thread->state |= STATE_OTHER;
	return 1;
}

/* The slow path: the thread has not attached or is inside a call, the shape is new, or the thread
 * was switched. */
static __attribute__((noinline)) void begin_slowly(struct shape_key key, const void *frame)
{
	struct shim_thread *thread = &shim_self;

	if (thread->owner != process_token() && thread_attach(1))
		return;
	if (thread->nasides)
		call_forget_aside(thread, frame);
	if (thread->state & STATE_OUTSIDE || call_is_nested(thread, frame))
		return;
	if (thread->state & STATE_PYTHON)
		key.caller = call_site(key.caller);
	thread->enter_frame = frame;
	key.head |= thread->region_bits;
	find_row(thread, &key);
	thread->enter_ticks = call_end_gap(thread);
	if (thread->state & STATE_WHAT_IF)
		what_if_enter(thread);
	if (thread->state & STATE_SPECIAL) {
		thread->span_key = key;
		counters_add(thread, thread->record->other_counts);
	}
}

/* Begins a call that does not have the expected shape, is made by a Python program, or takes the
 * slow path. Returns the function. */
static __attribute__((noinline)) void *begin_otherwise(void *function, uint64_t head, int64_t m,
						       int64_t n, int64_t k, const void *frame)
{
	struct shim_thread *thread = &shim_self;
	struct shape_key key = {head, m, n, k, ((const uint64_t *)frame)[1]};

	if (thread->owner == process_token() && !thread->enter_frame &&
	    !(thread->state & ~(unsigned)STATE_PYTHON)) {
		struct shape_key known = key;

		if (thread->state)
			known.caller = call_site(key.caller);
		if (begin_known(thread, &known, frame))
			return function;
	}
	GUARD_FLOATS;
	begin_slowly(key, frame);
	return function;
}

/* The fast path uses so few registers that none needs saving. */
static inline __attribute__((always_inline)) void *begin(void *function, const struct entry *entry,
							 uint64_t transposes, int64_t m, int64_t n,
							 int64_t k, const void *frame)
{
	struct shim_thread *thread = &shim_self;
	struct shape_record *row = thread->expected;
	uint64_t head = entry->id | transposes;

	if (unlikely(thread->owner != process_token()) || unlikely(thread->state) ||
	    unlikely(thread->enter_frame) ||
	    unlikely(!key_is(&row->key, head | thread->region_bits, m, n, k,
			     ((const uint64_t *)frame)[1])))
		return begin_otherwise(function, head, m, n, k, frame);
	if (unlikely(!begin_row(thread, row, frame)))
		return begin_otherwise(function, row->key.head, row->key.m, row->key.n, row->key.k,
				       frame);
	return function;
}

static __attribute__((noinline)) void *begin_unresolved(struct entry *entry, uint64_t transposes,
							int64_t m, int64_t n, int64_t k,
							const void *frame)
{
	void *function = resolve_entry(entry, ((void *const *)frame)[1]);

	return begin(function, entry, transposes, m, n, k, frame);
}

/* Begins a call of a name whose function depends on the caller, if that was found before. */
static __attribute__((noinline)) void *begin_scoped(struct entry *entry, uint64_t transposes,
						    int64_t m, int64_t n, int64_t k,
						    const void *frame)
{
	uint64_t tag =
		caller_tag(entry->id | (uint64_t)entry->is_bound << 32, ((void *const *)frame)[1]);
	void *function;

	if (unlikely(!caller_is(&callers[caller_slot(tag)], tag, &function)))
		return begin_unresolved(entry, transposes, m, n, k, frame);
	return begin(function, entry, transposes, m, n, k, frame);
}

void *call_begin(struct entry *entry, uint64_t transposes, int64_t m, int64_t n, int64_t k,
		 const void *frame)
{
	void *function = __atomic_load_n(&entry->function, __ATOMIC_ACQUIRE);

	if (unlikely(!function))
		return begin_scoped(entry, transposes, m, n, k, frame);
	return begin(function, entry, transposes, m, n, k, frame);
}

void call_change(uint32_t id, int64_t m, int64_t n, int64_t k, const void *frame)
{
	struct shim_thread *thread = &shim_self;
	struct shape_key key = thread->row ? thread->row->key : (struct shape_key){0};
	struct shape_record *row;

	if (!call_counts(frame) || shape_transa(&key) == SHAPE_OTHER)
		return;
	key.head = (key.head & ~UINT64_C(0xffff)) | id;
	key.m = m;
	key.n = n;
	key.k = k;
	row = look_up(thread->arena, key.head, m, n, k, key.caller);
	if (likely(row != NULL)) {
		thread->row = row;
	} else {
		GUARD_FLOATS;
		find_row(thread, &key);
	}
	if (thread->state & STATE_SPECIAL)
		thread->span_key = key;
}

int call_counts(const void *frame)
{
	return shim_self.enter_frame == frame && shim_self.owner == process_token();
}

static __attribute__((noinline)) void leave_slowly(struct shim_thread *thread, uint64_t now)
{
	GUARD_FLOATS;

	if (thread->state & STATE_SPECIAL)
		counters_add(thread, thread->row->counts);
	if (thread->state & STATE_WHAT_IF)
		what_if_leave(thread);
	if (thread->state & (STATE_SPECIAL | STATE_WHAT_IF))
		now = clock_ticks(shim_session.clock);
	if (thread->state & STATE_SPECIAL)
		spans_add_call(thread, now);
	leave_rarely(thread, now);
}

/* Ends a nested call, a call of a thread that may not read the clock, or one that was set aside. */
static __attribute__((noinline)) void leave_other(struct shim_thread *thread, const void *frame)
{
	if (!thread->nasides || !call_resume_aside(thread, frame))
		return;
	GUARD_FLOATS;
	leave_rarely(thread, clock_ticks(shim_session.clock));
}

void call_leave(const void *frame)
{
	struct shim_thread *thread = &shim_self;
	uint64_t now, ticks;

	if (unlikely(thread->enter_frame != frame)) {
		leave_other(thread, frame);
		return;
	}
	now = clock_counter();
	if (unlikely(thread->owner != process_token()))
		return; /* the call forked; the parent counts it, not this child */
	ticks = now - thread->enter_ticks;
	if (unlikely(thread->state & ~(unsigned)STATE_PYTHON) ||
	    unlikely(call_is_rare(thread, now, ticks))) {
		leave_slowly(thread, now);
		return;
	}
	if (ticks > INT32_MAX)
		__builtin_unreachable();
	book_call(thread, now, ticks, ticks);
}
