/* spans.c: the timeline: when each call, region and MPI call of a thread began and ended. */
/* SPDX-License-Identifier: MIT
 *
 * Only where the session asks for it: then calls take the slow path (calls.c). Where BLAS has
 * threads of its own, what these do is part of the call in progress: to tell which calls that was,
 * each caller keeps the calls of a quarter of its time, at most, without being asked.
 */
#include "shim/spans.h"

#include <errno.h>

#include "shim/signal_guard.h"
#include "wire/clock.h"

#define WATCH_THREADS	4 /* of a process whose calls are watched: its first ones */
#define WATCH_NS	16000000
#define PAUSE_NS	48000000

/* A call that is watched costs some 100 ns more: after many of them the pause is so long that this
 * is half a percent of the time. */
#define PAUSE_A_CALL_NS 20000

static union span_row *add_rows(const struct shim_thread *thread, uint64_t room)
{
	struct chunk_header *chunk =
		session_add_chunk(CHUNK_SPANS, (room + 1) * sizeof(union span_row));
	union span_row *rows;

	if (!chunk)
		return NULL;
	rows = (union span_row *)(chunk + 1);
	rows->head.serial = thread->record->serial;
	rows->head.room = room;
	rows->head.is_watched = !shim_session.spans;
	chunk->used = (uint32_t)(room + 1);
	return rows;
}

void spans_open(struct shim_thread *thread)
{
	uint64_t room = shim_session.spans;

	thread->spans = NULL;
	if (room && room <= SPANS_MAX && shim_process->threads_made <= SPANS_THREADS)
		thread->spans = add_rows(thread, room);
}

void spans_empty(struct shim_thread *thread)
{
	if (thread->spans)
		__atomic_store_n(&thread->spans->head.written, 0, __ATOMIC_RELEASE);
}

static void add(struct shim_thread *thread, const struct span_record *span)
{
	union span_row *rows = thread->spans;
	uint64_t written;

	if (!rows)
		return;
	written = rows->head.written;
	rows[1 + written % rows->head.room].span = *span;
	__atomic_store_n(&rows->head.written, written + 1, __ATOMIC_RELEASE);
}

void spans_add(struct shim_thread *thread, const struct span_record *span)
{
	if (shim_session.spans)
		add(thread, span);
}

void spans_add_call(struct shim_thread *thread, uint64_t now)
{
	if (thread->spans)
		add(thread, &(struct span_record){thread->enter_ticks, now, SPAN_CALL, 0,
						  thread->span_key});
}

void spans_start_watch(struct shim_thread *thread)
{
	thread->always_special = (thread->state & STATE_SPECIAL) != 0;
	if (!shim_session.watched || shim_session.spans || thread->record->serial > WATCH_THREADS)
		return;
	thread->watch_at = 0;
	thread->state |= STATE_SPECIAL;
}

static int blas_has_threads(void)
{
	const struct process_header *header = shim_process->header;

	for (int i = 0; i < PROVIDERS_MAX && header->providers[i][0]; i++)
		if (header->libraries[i].threads > 1)
			return 1;
	return 0;
}

static void start_rows(struct shim_thread *thread, uint64_t now)
{
	int saved = errno;
	struct signal_guard guard;
	uint64_t after;

	signal_guard_begin(&guard);
	process_lock();
	thread->spans = add_rows(thread, shim_session.watched);
	process_unlock();
	signal_guard_end(&guard);
	spans_add_call(thread, now);
	after = clock_ticks(shim_session.clock);
	thread->record->own_ticks += after - now;
	thread->record->last_ticks = after;
	errno = saved;
}

static void watch(struct shim_thread *thread, uint64_t now)
{
	thread->state |= STATE_SPECIAL;
	thread->watched_before = thread->spans->head.written;
	thread->watch_at = now + (uint64_t)(WATCH_NS / shim_session.ns_per_tick);
}

static void pause_watch(struct shim_thread *thread, uint64_t now)
{
	uint64_t calls = thread->spans->head.written - thread->watched_before;
	double ns = (double)calls * PAUSE_A_CALL_NS;

	thread->state &= ~(uint32_t)STATE_SPECIAL;
	ns = ns > PAUSE_NS ? ns : PAUSE_NS;
	thread->watch_at = now + (uint64_t)(ns / shim_session.ns_per_tick);
}

/* After the thread's first call it is known what the BLAS library is. */
void spans_turn(struct shim_thread *thread, uint64_t now)
{
	if (thread->spans && thread->state & STATE_SPECIAL) {
		pause_watch(thread, now);
		return;
	}
	if (thread->spans) {
		watch(thread, now);
		return;
	}
	if (blas_has_threads())
		start_rows(thread, now);
	thread->watch_at = UINT64_MAX;
	if (thread->always_special)
		return;
	if (thread->spans)
		watch(thread, now);
	else
		thread->state &= ~(uint32_t)STATE_SPECIAL;
}

void spans_add_region(struct shim_thread *thread, unsigned depth, uint64_t now)
{
	const struct region_record *region = thread->regions[depth];

	if (thread->spans && region)
		spans_add(thread, &(struct span_record){.start = thread->region_since[depth],
							.end = now,
							.kind = SPAN_REGION,
							.number = (uint32_t)region->region});
}
