/* spans.c: the timeline: when each call, region and MPI call of a thread began and ended. */
/* SPDX-License-Identifier: MIT
 *
 * Only where the session asks for it: then calls take the long way (call.h).
 */
#include "shim/spans.h"

void spans_open(struct shim_thread *thread)
{
	uint64_t room = shim_session.spans;
	struct chunk_header *chunk;

	thread->spans = NULL;
	if (!room || room > SPANS_MAX || shim_process->threads_made > SPANS_THREADS)
		return;
	chunk = session_add_chunk(CHUNK_SPANS, (room + 1) * sizeof(union span_row));
	if (!chunk)
		return;
	thread->spans = (union span_row *)(chunk + 1);
	thread->spans->head.serial = thread->record->serial;
	thread->spans->head.room = room;
	thread->spans->head.keeps_first = shim_session.spans_first;
	chunk->used = (uint32_t)(room + 1);
}

void spans_empty(struct shim_thread *thread)
{
	if (thread->spans)
		__atomic_store_n(&thread->spans->head.written, 0, __ATOMIC_RELEASE);
}

void spans_add(struct shim_thread *thread, const struct span_record *span)
{
	union span_row *rows = thread->spans;
	uint64_t written;

	if (!rows)
		return;
	written = rows->head.written;
	if (written < rows->head.room || !rows->head.keeps_first)
		rows[1 + written % rows->head.room].span = *span;
	__atomic_store_n(&rows->head.written, written + 1, __ATOMIC_RELEASE);
}

void spans_add_call(struct shim_thread *thread, uint64_t now)
{
	if (thread->spans)
		spans_add(thread, &(struct span_record){thread->enter_ticks, now, SPAN_CALL, 0,
							thread->span_key});
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
