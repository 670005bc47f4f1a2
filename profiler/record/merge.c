/* merge.c: sorts waiting perf records by time. */
/* SPDX-License-Identifier: MIT */
#include "record/merge.h"

#include <stdlib.h>
#include <string.h>

struct merge_entry {
	int64_t time_ns;
	size_t at; /* in the buffer of waiting records */
};

static const struct perf_event_header *record_at(const struct ring_buffer *buffer, size_t at)
{
	return (const struct perf_event_header *)(buffer->bytes + at);
}

static int compare_entries(const void *left, const void *right)
{
	const struct merge_entry *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* The next record's place, or the end: what is no record cannot be followed by others. */
static size_t next_record(const struct ring_buffer *buffer, size_t at)
{
	return at + record_at(buffer, at)->size;
}

static size_t end_of_records(const struct ring_buffer *buffer)
{
	size_t at = 0, size = 1;

	while (size) {
		size = timeline_record_size(record_at(buffer, at), buffer->used - at);
		at += size;
	}
	return at;
}

static size_t count_records(const struct ring_buffer *buffer)
{
	size_t count = 0;

	for (size_t at = 0; at < buffer->used; at = next_record(buffer, at))
		count++;
	return count;
}

/* What is given up when memory is out counts as lost. */
static int give_up(struct merge *merge, struct timeline *timeline)
{
	for (size_t at = 0; at < merge->waiting.used; at = next_record(&merge->waiting, at))
		timeline->lost += record_at(&merge->waiting, at)->type == PERF_RECORD_SAMPLE;
	merge->waiting.used = 0;
	return -1;
}

static int reserve_order(struct merge *merge, size_t count)
{
	struct merge_entry *grown;

	if (count <= merge->order_room)
		return 0;
	grown = reallocarray(merge->order, count, sizeof *grown);
	if (!grown)
		return -1;
	merge->order = grown;
	merge->order_room = count;
	return 0;
}

/* Lists the records before the horizon and moves the others to `later`. Returns how many. */
static size_t split(struct merge *merge, int64_t horizon_ns)
{
	const struct ring_buffer *waiting = &merge->waiting;
	struct ring_buffer *later = &merge->later;
	size_t count = 0;

	later->used = 0;
	for (size_t at = 0; at < waiting->used; at = next_record(waiting, at)) {
		const struct perf_event_header *record = record_at(waiting, at);
		int64_t time_ns = timeline_record_time(record);

		if (time_ns < horizon_ns) {
			merge->order[count++] = (struct merge_entry){time_ns, at};
			continue;
		}
		memcpy(later->bytes + later->used, record, record->size);
		later->used += record->size;
	}
	return count;
}

static int reserve_later(struct merge *merge)
{
	char *grown;

	if (merge->later.room >= merge->waiting.room)
		return 0;
	grown = realloc(merge->later.bytes, merge->waiting.room);
	if (!grown)
		return -1;
	merge->later.bytes = grown;
	merge->later.room = merge->waiting.room;
	return 0;
}

int merge_feed(struct merge *merge, struct timeline *timeline, int64_t horizon_ns)
{
	struct ring_buffer done;
	size_t count;

	merge->waiting.used = end_of_records(&merge->waiting);
	if (!merge->waiting.used)
		return 0;
	if (reserve_later(merge) || reserve_order(merge, count_records(&merge->waiting)))
		return give_up(merge, timeline);
	count = split(merge, horizon_ns);
	if (count)
		qsort(merge->order, count, sizeof *merge->order, compare_entries);
	for (size_t i = 0; i < count; i++)
		timeline_feed(timeline, record_at(&merge->waiting, merge->order[i].at));
	done = merge->waiting;
	merge->waiting = merge->later;
	merge->later = done;
	return 0;
}

void merge_free(struct merge *merge)
{
	free(merge->waiting.bytes);
	free(merge->later.bytes);
	free(merge->order);
	memset(merge, 0, sizeof *merge);
}
