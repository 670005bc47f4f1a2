/* sample_log.c: appends entries, and merges them by slices of time when there are too many. */
/* SPDX-License-Identifier: MIT */
#include "sampling/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

enum { FIRST_SLICE_NS = 1000000 };
static const int64_t longest_slice_ns = INT64_C(1) << 62;

void sample_log_init(struct sample_log *log, size_t max)
{
	*log = (struct sample_log){.max = max};
}

void sample_log_free(struct sample_log *log)
{
	free(log->entries);
	memset(log, 0, sizeof *log);
}

/* By slice, task, address and stack. */
static int compare_slices(const void *left, const void *right, void *slice_ns)
{
	const struct log_entry *a = left, *b = right;
	int64_t slice = *(const int64_t *)slice_ns;

	return ORDER(a->time_ns / slice, b->time_ns / slice) ?: ORDER(a->task, b->task) ?:
	       ORDER(a->address, b->address) ?: ORDER(a->stack, b->stack);
}

/* Samples have the time of the first, time off the CPU that of its last end. */
static void add_entry(void *into, const void *row)
{
	struct log_entry *sum = into;
	const struct log_entry *entry = row;
	int is_later = entry->time_ns > sum->time_ns;

	if (sum->count + entry->count)
		sum->own = (float)(((double)sum->own * (double)sum->count +
				    (double)entry->own * (double)entry->count) /
				   (double)(sum->count + entry->count));
	sum->count += entry->count;
	sum->waits += entry->waits;
	if (is_later == log_is_off_cpu(sum))
		sum->time_ns = entry->time_ns;
}

static void merge_slices(struct sample_log *log, int64_t slice_ns)
{
	log->count = array_merge(log->entries, log->count, sizeof *log->entries, compare_slices,
				 add_entry, &slice_ns);
	log->slice_ns = slice_ns;
}

/* Merges by ever longer slices. Where even that is not enough, the addresses of samples in their
 * objects and their stacks are forgotten. */
static void make_room(struct sample_log *log, struct address_table *addresses)
{
	int64_t slice_ns = log->slice_ns ? log->slice_ns : FIRST_SLICE_NS / 2;

	while (log->count > log->max / 2 && slice_ns < longest_slice_ns)
		merge_slices(log, slice_ns *= 2);
	if (log->count <= log->max / 2)
		return;
	for (size_t i = 0; i < log->count; i++) {
		struct log_entry *entry = &log->entries[i];

		entry->stack = STACK_NONE;
		if (!log_is_off_cpu(entry))
			entry->address = address_table_any(
				addresses, address_object(addresses->keys[entry->address]));
	}
	merge_slices(log, slice_ns);
	if (log->count > log->max / 2)
		log->max *= 2;
}

void sample_log_add(struct sample_log *log, struct address_table *addresses,
		    const struct log_entry *entry)
{
	if (log->count >= log->max)
		make_room(log, addresses);
	memory_append(&log->entries, &log->count, sizeof *entry, entry);
}
