/* wait_regions.c: finds the region in which a thread was while it waited. */
/* SPDX-License-Identifier: MIT */
#include "calls/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"

const char region_unknown[] = "?";

/* By thread, then by start. */
COMPARE(compare, struct region_visit,
	ORDER(a->pid, b->pid) ?: ORDER(a->tid, b->tid) ?: ORDER(a->start_ns, b->start_ns))

void wait_regions_sort(struct wait_regions *regions)
{
	SORT(regions->visits, regions->nvisits, compare);
}

/* Returns the last visit that does not begin after the key, or NULL. */
static const struct region_visit *last_before(const struct wait_regions *regions,
					      const struct region_visit *key)
{
	size_t count = ARRAY_BOUND(regions->nvisits, i, compare(&regions->visits[i], key) <= 0);

	return count ? &regions->visits[count - 1] : NULL;
}

static int is_same_thread(const struct region_visit *visit, const struct region_visit *wait)
{
	return visit && visit->pid == wait->pid && visit->tid == wait->tid;
}

const char *wait_regions_find(const struct wait_regions *regions, const struct region_visit *wait,
			      int exact)
{
	const char *none = "";
	struct region_visit key = *wait;
	const struct region_visit *first, *last;

	EACH_ROW(gap, regions->gaps, regions->ngaps)
		if (gap->pid == wait->pid && wait->end_ns >= gap->start_ns)
			none = region_unknown;
	if (exact) { /* use the middle, because the clocks of switches and marks differ slightly */
		key.start_ns += (wait->end_ns - wait->start_ns) / 2;
		last = last_before(regions, &key);
		return is_same_thread(last, wait) && last->end_ns >= key.start_ns ? last->name
										  : none;
	}
	first = last_before(regions, &key);
	key.start_ns = wait->end_ns;
	last = last_before(regions, &key);
	if (!is_same_thread(last, wait) || last->end_ns < wait->start_ns)
		return none;
	return first == last && last->end_ns >= wait->end_ns ? last->name : region_unknown;
}

/* Adds the visit of a thread to the region of the record. */
static void add_visit(struct wait_regions *regions, struct record_file *file,
		      const struct clock_line *line, const struct thread_record *thread,
		      const struct blocked_region *record)
{
	struct region_visit visit = {
		.pid = file->pid,
		.tid = record_tid(file, thread->tid),
		.name = record_region(file, record->region),
		.start_ns = clock_line_ns(line, record->start),
		.end_ns = record->end ? clock_line_ns(line, record->end) : INT64_MAX,
	};

	memory_append(&regions->visits, &regions->nvisits, sizeof visit, &visit);
}

/* Adds the visits that the shim recorded, and the last region of each thread. */
void wait_regions_collect(struct wait_regions *regions, struct records *records)
{
	const struct clock_line *line = &records->frame.line;

	EACH_ROW(file, records->files, records->count) {
		uint64_t full = file->file.header->blocked_regions_full_ticks;
		const struct blocked_region *record;
		const struct thread_record *thread;

		EACH_RECORD(thread, &file->file, CHUNK_THREADS) {
			struct blocked_region last = {.region = thread->mark_region,
						      .start = thread->mark_ticks,
						      .end = thread->end_ticks};

			if (last.region)
				add_visit(regions, file, line, thread, &last);
		}
		EACH_RECORD(record, &file->file, CHUNK_BLOCKED_REGIONS) {
			thread = record_thread(file, record->serial);
			if (thread)
				add_visit(regions, file, line, thread, record);
		}
		if (full) {
			struct region_visit gap = {.pid = file->pid,
						   .start_ns = clock_line_ns(line, full)};

			memory_append(&regions->gaps, &regions->ngaps, sizeof gap, &gap);
		}
	}
	wait_regions_sort(regions);
}

void wait_regions_free(struct wait_regions *regions)
{
	free(regions->visits);
	free(regions->gaps);
	memset(regions, 0, sizeof *regions);
}
