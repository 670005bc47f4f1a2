/* sample_log.c: appends entries, and folds them by slices of time when there are too many. */
/* SPDX-License-Identifier: MIT */
#include "sampling/sample_log.h"

#include <stdlib.h>
#include <string.h>

#include "sampling/stack_tree.h"

enum { FIRST_ROOM = 4096, FIRST_SLICE_NS = 1000000 };
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

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* By slice, task, address and stack. */
static int compare_slices(const void *left, const void *right, void *slice_ns)
{
	const struct log_entry *a = left, *b = right;
	int64_t slice = *(const int64_t *)slice_ns;
	int order = ORDER(a->time_ns / slice, b->time_ns / slice);

	if (!order)
		order = ORDER(a->task, b->task);
	if (!order)
		order = ORDER(a->address, b->address);
	if (!order)
		order = ORDER(a->stack, b->stack);
	return order ? order : ORDER(a->time_ns, b->time_ns);
}

static int can_merge(const struct log_entry *a, const struct log_entry *b, int64_t slice_ns)
{
	return a->task == b->task && a->address == b->address && a->stack == b->stack &&
	       a->time_ns / slice_ns == b->time_ns / slice_ns;
}

/* Makes one entry of those that are in one slice. Time off the CPU keeps its last end. */
static void fold(struct sample_log *log, int64_t slice_ns)
{
	size_t kept = 0;

	qsort_r(log->entries, log->count, sizeof *log->entries, compare_slices, &slice_ns);
	for (size_t i = 1; i < log->count; i++) {
		struct log_entry *last = &log->entries[kept];

		if (!can_merge(last, &log->entries[i], slice_ns)) {
			log->entries[++kept] = log->entries[i];
			continue;
		}
		last->count += log->entries[i].count;
		if (log_is_off_cpu(last))
			last->time_ns = log->entries[i].time_ns;
	}
	log->count = kept + 1;
	log->slice_ns = slice_ns;
}

/* Forgets where in its object each sample lay, and its stack. */
static void coarsen(struct sample_log *log, struct address_table *addresses)
{
	for (size_t i = 0; i < log->count; i++) {
		struct log_entry *entry = &log->entries[i];
		uint32_t any;

		entry->stack = STACK_NONE;
		if (log_is_off_cpu(entry))
			continue;
		any = address_table_any(addresses, address_object(addresses->keys[entry->address]));
		if (any != IDMAP_NONE)
			entry->address = any;
	}
}

static void make_room(struct sample_log *log, struct address_table *addresses)
{
	int64_t slice_ns = log->slice_ns ? log->slice_ns : FIRST_SLICE_NS / 2;

	while (log->count > log->max / 2 && slice_ns < longest_slice_ns) {
		slice_ns *= 2;
		fold(log, slice_ns);
	}
	if (log->count <= log->max / 2)
		return;
	coarsen(log, addresses);
	fold(log, slice_ns);
	if (log->count > log->max / 2)
		log->max *= 2;
}

static int grow(struct sample_log *log)
{
	size_t room = log->room ? log->room * 2 : FIRST_ROOM;
	struct log_entry *grown = reallocarray(log->entries, room, sizeof *grown);

	if (!grown)
		return -1;
	log->entries = grown;
	log->room = room;
	return 0;
}

int sample_log_add(struct sample_log *log, struct address_table *addresses,
		   const struct log_entry *entry)
{
	if (log->count >= log->max)
		make_room(log, addresses);
	if (log->count == log->room && grow(log))
		return -1;
	log->entries[log->count++] = *entry;
	return 0;
}
