/* merge.c: sorts perf records by time. */
/* SPDX-License-Identifier: MIT */
#include "sampling/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define RECORD_FED UINT32_MAX /* type of a record that was fed; the kernel uses no such type */

struct merge_entry {
	int64_t time_ns;
	size_t arrival;
	struct perf_event_header *record;
};

static struct perf_event_header *record_at(const struct ring_buffer *buffer, size_t at)
{
	return (struct perf_event_header *)(buffer->bytes + at);
}

COMPARE(compare_entries, struct merge_entry,
	ORDER(a->time_ns, b->time_ns) ?: ORDER(a->arrival, b->arrival))

/* Adds the records of the buffer that are earlier than the horizon to the order. Returns -1 when
 * memory is out. */
static int list_records(const struct ring_buffer *buffer, int64_t horizon_ns,
			struct merge_entry **order, size_t *count)
{
	for (size_t at = 0; at < buffer->used; at += record_at(buffer, at)->size) {
		struct perf_event_header *record = record_at(buffer, at);
		int64_t time_ns = timeline_record_time(record);
		struct merge_entry entry;

		if (record->type == RECORD_FED || time_ns >= horizon_ns)
			continue;
		entry = (struct merge_entry){time_ns, *count, record};
		if (array_append(order, count, sizeof entry, &entry))
			return -1;
	}
	return 0;
}

/* Appends the records that were not fed. Returns -1 when memory is out. */
static int copy_unfed(const struct ring_buffer *from, struct ring_buffer *to)
{
	for (size_t at = 0; at < from->used; at += record_at(from, at)->size) {
		const struct perf_event_header *record = record_at(from, at);

		if (record->type != RECORD_FED && ring_buffer_add(to, record, record->size))
			return -1;
	}
	return 0;
}

/* Moves the records of earlier rounds that were not fed to `left`; this round becomes the one
 * before. Most records of a round have to wait for the next one, so they are not copied. Returns -1
 * when memory is out. */
static int turn_round(struct merge *merge)
{
	struct ring_buffer left = {0}, empty = merge->before;

	if (copy_unfed(&merge->left, &left) || copy_unfed(&merge->before, &left)) {
		free(left.bytes);
		return -1;
	}
	free(merge->left.bytes);
	merge->left = left;
	empty.used = 0;
	merge->before = merge->waiting;
	merge->waiting = empty;
	return 0;
}

int merge_feed(struct merge *merge, struct timeline *timeline, int64_t horizon_ns)
{
	struct ring_buffer *buffers[] = {&merge->left, &merge->before, &merge->waiting};
	struct merge_entry *order = NULL;
	size_t count = 0, end = 0, size = 1;
	int failed = 0;

	/* nothing behind bytes that are no record can be read */
	while (size && end < merge->waiting.used) {
		size = timeline_record_size(record_at(&merge->waiting, end),
					    merge->waiting.used - end);
		end += size;
	}
	merge->waiting.used = end;
	for (int i = 0; i < 3 && !failed; i++)
		failed = list_records(buffers[i], horizon_ns, &order, &count);
	if (!failed) {
		if (count)
			qsort(order, count, sizeof *order, compare_entries);
		for (size_t i = 0; i < count; i++) {
			timeline_feed(timeline, order[i].record);
			order[i].record->type = RECORD_FED;
		}
		failed = turn_round(merge);
	}
	free(order);
	if (!failed)
		return 0;
	for (int i = 0; i < 3; i++) {
		for (size_t at = 0; at < buffers[i]->used; at += record_at(buffers[i], at)->size)
			timeline->lost += record_at(buffers[i], at)->type == PERF_RECORD_SAMPLE;
		buffers[i]->used = 0;
	}
	return -1;
}

void merge_free(struct merge *merge)
{
	free(merge->waiting.bytes);
	free(merge->before.bytes);
	free(merge->left.bytes);
	memset(merge, 0, sizeof *merge);
}
