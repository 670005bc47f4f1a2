/* exact.c: chooses the events that threads can count by themselves, and collects the counts. */
/* SPDX-License-Identifier: MIT */
#include "calls/exact.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls/collect_parts.h"
#include "perf/event.h"
#include "perf/perf_open.h"
#include "perf/sysfs_event.h"
#include "blas/routines.h"

/* An event on trial. */
struct trial {
	int fd;
	volatile struct perf_event_mmap_page *page;
};

/* On Arm an event says itself that users may read it, and that it wants 64 bits: the kernel's
 * format files rdpmc and long of armv8_pmuv3. */
static void allow_reading(struct perf_event_attr *attr)
{
#if defined(__aarch64__)
	attr->config1 |= 3;
#endif
	attr->pinned = 1;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

static int encode(const char *name, struct perf_event_attr *attr)
{
	struct sysfs_event event;

	if (!sysfs_event_is(name))
		return event_encode(name, attr, NULL);
	if (sysfs_event_encode("", name, &event, NULL) || *event.cpus)
		return -1;
	*attr = event.attr;
	return 0;
}

static int begin_trial(const char *name, struct trial *trial, struct exact_event *event)
{
	struct perf_event_attr attr;
	void *page;

	if (encode(name, &attr) || attr.exclude_user)
		return -1;
	allow_reading(&attr);
	trial->fd = perf_open(&attr, 0, -1);
	if (trial->fd < 0)
		return -1;
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, trial->fd, 0);
	if (page == MAP_FAILED) {
		close(trial->fd);
		return -1;
	}
	trial->page = page;
	*event = (struct exact_event){attr.type, 0, attr.config, attr.config1, attr.config2};
	return 0;
}

static void end_trial(struct trial *trial)
{
	munmap((void *)trial->page, (size_t)sysconf(_SC_PAGESIZE));
	close(trial->fd);
}

static int all_can_be_read(const struct trial *trials, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!trials[i].page->cap_user_rdpmc || !trials[i].page->index)
			return 0;
	return 1;
}

/* Each is kept if all that were kept before can still be read besides it. */
void exact_choose(const struct event_list *list, struct exact_events *exact)
{
	struct trial trials[EXACT_EVENTS];

	*exact = (struct exact_events){.count = 0};
	for (size_t i = 0; i < list->count && exact->count < EXACT_EVENTS; i++) {
		size_t at = exact->count;

		if (begin_trial(list->terms[i].name, &trials[at], &exact->events[at]))
			continue;
		if (all_can_be_read(trials, at + 1)) {
			memcpy(exact->names[at], list->terms[i].name, EVENT_NAME_BYTES);
			exact->count++;
		} else {
			end_trial(&trials[at]);
		}
	}
	for (size_t i = 0; i < exact->count; i++)
		end_trial(&trials[i]);
}

static struct run_counter *find_counter(struct run *run, const char *event)
{
	for (size_t i = 0; i < run->ncounters; i++)
		if (!strcmp(run->counters[i].event, event))
			return &run->counters[i];
	return NULL;
}

static int add_shape(const struct exact_events *exact, struct process_file *file,
		     const struct shape_record *record, struct run *run)
{
	struct run_shape shape;

	name_shape(&shape, &record->key, file);
	for (size_t i = 0; i < exact->count; i++) {
		struct run_counter *counter = find_counter(run, exact->names[i]);
		struct run_shape_counter *row =
			counter ? table_add(&run_tables[RUN_PART_SHAPE_COUNTERS], run) : NULL;

		if (!counter)
			continue;
		if (!row)
			return -1;
		counter->exact_blas += (double)record->counts[i];
		memcpy(row->event, exact->names[i], sizeof row->event);
		row->shape = shape.shape;
		row->calls = record->calls;
		row->count = (double)record->counts[i];
	}
	return 0;
}

static void add_thread(const struct exact_events *exact, const struct thread_record *record,
		       struct run *run)
{
	for (size_t i = 0; i < exact->count; i++) {
		struct run_counter *counter = find_counter(run, exact->names[i]);

		if (counter)
			counter->exact_other += (double)record->other_counts[i];
	}
}

static int add_file(const struct exact_events *exact, struct process_file *file, struct run *run)
{
	const struct thread_record *threads;
	const struct shape_record *shapes;
	size_t at = 0, count;

	while ((threads = process_file_rows(file, &at, CHUNK_THREADS, sizeof *threads, &count)))
		for (size_t i = 0; i < count; i++)
			add_thread(exact, &threads[i], run);
	at = 0;
	while ((shapes = process_file_rows(file, &at, CHUNK_SHAPES, sizeof *shapes, &count)))
		for (size_t i = 0; i < count; i++)
			if (shapes[i].calls && routine_exists(shape_routine(&shapes[i].key)) &&
			    add_shape(exact, file, &shapes[i], run))
				return -1;
	return 0;
}

static void start_sums(const struct exact_events *exact, struct run *run)
{
	for (size_t i = 0; i < exact->count; i++) {
		struct run_counter *counter = find_counter(run, exact->names[i]);

		if (counter)
			counter->exact_blas = counter->exact_other = 0;
	}
}

/* Counts of which a part is missing are worse than none. */
static void forget_sums(uint64_t missed, struct run *run)
{
	for (size_t i = 0; i < run->ncounters; i++)
		run->counters[i].exact_blas = run->counters[i].exact_other = NAN;
	run->nshape_counters = 0;
	run_add_note(run, "exact_missed", "%llu readings", (unsigned long long)missed);
}

int exact_collect(const struct exact_events *exact, const struct session_dir *session,
		  struct run *run)
{
	DIR *directory = exact->count ? session_list(session) : NULL;
	struct dirent *entry;
	uint64_t missed = 0;
	int failed = 0;

	if (!directory)
		return 0;
	start_sums(exact, run);
	while (!failed && (entry = readdir(directory))) {
		struct process_file file;

		if (strncmp(entry->d_name, "p.", 2) ||
		    process_file_open(&file, session->fd, entry->d_name))
			continue;
		missed += file.header->counts_missed;
		failed = add_file(exact, &file, run);
		process_file_close(&file);
	}
	closedir(directory);
	if (missed)
		forget_sums(missed, run);
	return failed;
}
