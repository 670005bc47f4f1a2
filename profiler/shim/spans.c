/* spans.c: the timeline: when each call, region and MPI call of a thread began and ended. */
/* SPDX-License-Identifier: MIT
 *
 * Recorded only if the session asks for it. Then calls take the slow path (calls.c). If BLAS has
 * threads of its own, their work belongs to the call in progress. To find out which call that was,
 * the first threads then record ("watch") their calls for at most a quarter of the time, without
 * being asked.
 */
#include "shim/shim.h"

#include "shim/signal_guard.h"
#include "wire/clock.h"

#define WATCH_THREADS	4 /* only the first threads of a process are watched */
#define WATCH_NS	16000000
#define PAUSE_NS	48000000

/* A watched call costs some 100 ns more. The pause after many of them is so long that this adds up
 * to half a percent of the time. */
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
	add(thread,
	    &(struct span_record){thread->enter_ticks, now, SPAN_CALL, 0, thread->span_key});
}

void spans_start_watch(struct shim_thread *thread)
{
	if (!shim_session.watched || shim_session.spans || thread->record->serial > WATCH_THREADS)
		return;
	thread->watch_at = 0;
	thread->state |= STATE_SPECIAL;
}

static void watch(struct shim_thread *thread, uint64_t now)
{
	thread->state |= STATE_SPECIAL;
	thread->watched_before = thread->spans->head.written;
	thread->watch_at = now + ticks_of(WATCH_NS);
}

/* The BLAS library is known only after the thread's first call, which gets here without spans. */
void spans_turn(struct shim_thread *thread, uint64_t now)
{
	const struct process_header *header = shim_process->header;
	int has_threads = 0;
	uint64_t after;
	double pause_ns;

	if (thread->spans && thread->state & STATE_SPECIAL) {
		pause_ns = (double)(thread->spans->head.written - thread->watched_before) *
			   PAUSE_A_CALL_NS;
		pause_ns = pause_ns > PAUSE_NS ? pause_ns : PAUSE_NS;
		thread->state &= ~(uint32_t)STATE_SPECIAL;
		thread->watch_at = now + ticks_of(pause_ns);
		return;
	}
	if (thread->spans) {
		watch(thread, now);
		return;
	}
	for (int i = 0; i < PROVIDERS_MAX && header->providers[i][0]; i++)
		has_threads |= header->libraries[i].threads > 1;
	if (has_threads) {
		{
			LOCK_PROCESS;
			thread->spans = add_rows(thread, shim_session.watched);
		}
		spans_add_call(thread, now);
		after = clock_ticks(shim_session.clock);
		thread->record->own_ticks += after - now;
		thread->record->last_ticks = after;
	}
	thread->watch_at = UINT64_MAX;
	if (shim_session.clock != CLOCK_TICKS || thread->ncounts)
		return; /* STATE_SPECIAL stays set */
	if (thread->spans)
		watch(thread, now);
	else
		thread->state &= ~(uint32_t)STATE_SPECIAL;
}

void spans_add_region(struct shim_thread *thread, unsigned depth, uint64_t now)
{
	const struct open_region *open = &thread->open[depth];

	if (open->record)
		spans_add(thread, &(struct span_record){.start = open->since,
							.end = now,
							.kind = SPAN_REGION,
							.number = (uint32_t)open->record->region});
}
