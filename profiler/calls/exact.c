/* exact.c: chooses the events that threads can count themselves, and collects the counts. */
/* SPDX-License-Identifier: MIT */
#include "calls/collect.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "perf/event.h"

/* Opens and maps the event. Returns its page, or NULL if this user cannot count it. */
static volatile struct perf_event_mmap_page *begin_trial(const char *name,
							 struct exact_event *event)
{
	struct perf_event_attr attr;
	void *page;
	int fd;

	if (energy_is(name) || event_encode(name, &attr, NULL) || attr.exclude_user)
		return NULL;
#if defined(__aarch64__)
	attr.config1 |= 3; /* armv8_pmuv3: rdpmc (user access) and long (64 bits) */
#endif
	attr.pinned = 1;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	fd = perf_open(&attr, 0, -1);
	if (fd < 0)
		return NULL;
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	close(fd); /* the mapping keeps the event */
	*event = (struct exact_event){attr.type, 0, attr.config, attr.config1, attr.config2};
	return page == MAP_FAILED ? NULL : page;
}

/* Keeps an event if it and all that were kept before can be read at the same time. */
void exact_choose(const struct event_list *list, struct exact_events *exact)
{
	volatile struct perf_event_mmap_page *pages[EXACT_EVENTS];
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	*exact = (struct exact_events){.count = 0};
	for (size_t i = 0; i < list->count && exact->count < EXACT_EVENTS; i++) {
		size_t at = exact->count;
		int readable = 1;

		pages[at] = begin_trial(list->terms[i].name, &exact->events[at]);
		if (!pages[at])
			continue;
		for (size_t j = 0; j <= at; j++)
			readable &= pages[j]->cap_user_rdpmc && pages[j]->index;
		if (readable) {
			memcpy(exact->names[at], list->terms[i].name, EVENT_NAME_BYTES);
			exact->count++;
		} else {
			munmap((void *)pages[at], page_bytes);
		}
	}
	for (size_t i = 0; i < exact->count; i++)
		munmap((void *)pages[i], page_bytes);
}

void exact_collect(const struct exact_events *exact, struct records *records, struct run *run)
{
	uint64_t missed = 0;

	EACH_ROW(file, records->files, exact->count ? records->count : 0)
		missed += file->file.header->counts_missed;
	if (missed) { /* incomplete counts are worse than none */
		run_add_note(run, "exact_missed", "%llu readings", (unsigned long long)missed);
		return;
	}
	for (size_t i = 0; i < exact->count; i++) {
		struct run_counter *counter = NULL;

		EACH_ROW(row, run->counters, run->ncounters)
			if (!strcmp(row->event, exact->names[i]))
				counter = row;
		if (!counter)
			continue;
		counter->exact_blas = counter->exact_other = 0;
		EACH_ROW(file, records->files, records->count) {
			const struct thread_record *thread;

			EACH_RECORD(thread, &file->file, CHUNK_THREADS)
				counter->exact_other += (double)thread->other_counts[i];
			for (size_t k = 0; k < file->nshapes; k++) {
				const struct shape_record *record = file->shapes[k];
				struct run_shape_counter *row =
					table_add(&run_tables[RUN_PART_SHAPE_COUNTERS], run);

				counter->exact_blas += (double)record->counts[i];
				memcpy(row->event, exact->names[i], sizeof row->event);
				row->shape = shape_of(file, &record->key);
				row->calls = shape_calls(record);
				row->count = (double)record->counts[i];
			}
		}
	}
	table_merge_rows(&run_tables[RUN_PART_SHAPE_COUNTERS], run);
}
