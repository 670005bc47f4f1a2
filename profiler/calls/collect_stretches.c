/* collect_stretches.c: in which regions threads left the CPU, from the shim's record files. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "calls/collect_parts.h"

/* A number of the file's regions to one of wait_regions; UINT32_MAX when memory is out. */
static uint32_t number_name(struct process_file *file, uint64_t region,
			    struct wait_regions *regions)
{
	char name[REGION_NAME_BYTES];

	region_name(file, region, name, sizeof name);
	return wait_regions_name(regions, name);
}

static const struct thread_record **index_threads(struct process_file *file)
{
	const struct thread_record **threads = calloc(file->nsums, sizeof *threads), *rows;
	size_t at = 0, count;

	while (threads &&
	       (rows = process_file_rows(file, &at, CHUNK_THREADS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++)
			if (rows[i].serial < file->nsums)
				threads[rows[i].serial] = &rows[i];
	return threads;
}

static int add_stretch(struct process_file *file, const struct thread_frame *frame,
		       const struct thread_record *thread, const struct region_stretch *stretch,
		       struct wait_regions *regions)
{
	struct wait_stretch row = {
		.pid = file->header->pid,
		.tid = thread->tid,
		.start_ns = clock_line_ns(&frame->line, stretch->start),
		.end_ns = stretch->end ? clock_line_ns(&frame->line, stretch->end) : INT64_MAX,
		.name = number_name(file, stretch->region, regions),
	};

	return row.name == UINT32_MAX ? -1 : wait_regions_add(regions, &row);
}

/* The regions that threads were in at their end. */
static int add_last(struct process_file *file, const struct thread_frame *frame,
		    struct wait_regions *regions)
{
	const struct thread_record *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_THREADS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++) {
			struct region_stretch last = {.region = rows[i].mark_region,
						      .start = rows[i].mark_ticks,
						      .end = rows[i].end_ticks};

			if (last.region && add_stretch(file, frame, &rows[i], &last, regions))
				return -1;
		}
	return 0;
}

static int add_file(struct process_file *file, const struct thread_frame *frame,
		    struct wait_regions *regions)
{
	const struct thread_record **threads = index_threads(file);
	const struct region_stretch *rows;
	uint64_t full = file->header->stretches_full_ticks;
	size_t at = 0, count;
	int failed = !threads || add_last(file, frame, regions);

	while (!failed &&
	       (rows = process_file_rows(file, &at, CHUNK_STRETCHES, sizeof *rows, &count)))
		for (size_t i = 0; i < count && !failed; i++)
			if (rows[i].serial && rows[i].serial < file->nsums &&
			    threads[rows[i].serial])
				failed = add_stretch(file, frame, threads[rows[i].serial], &rows[i],
						     regions);
	if (full && !failed)
		failed = wait_regions_add_gap(regions, file->header->pid,
					      clock_line_ns(&frame->line, full));
	free(threads);
	return failed ? -1 : 0;
}

int collect_stretches(struct process_file *files, size_t count, const struct thread_frame *frame,
		      struct wait_regions *regions)
{
	for (size_t i = 0; i < count; i++)
		if (add_file(&files[i], frame, regions))
			return -1;
	wait_regions_sort(regions);
	return 0;
}
