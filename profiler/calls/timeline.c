/* timeline.c: the timeline: calls and regions of each thread, from the shim's record files. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "blas/mpi_ids.h"
#include "blas/routines.h"
#include "calls/records.h"

static int64_t find_tid(struct record_file *file, uint64_t serial)
{
	const struct thread_record *thread;
	struct row_cursor at = {0};

	while ((thread = process_file_next(&file->file, &at, CHUNK_THREADS, sizeof *thread)))
		if (thread->serial == serial)
			return record_tid(file, thread->tid);
	return 0;
}

/* Kind, name and shape; 0: what the record says can be none. */
static int describe_span(struct record_file *file, const struct span_record *record,
			 struct run_span *span)
{
	static const char *const kinds[] = {
		[SPAN_CALL] = "blas", [SPAN_REGION] = "region", [SPAN_MPI] = "mpi"};
	struct call_shape shape;

	if (record->kind >= sizeof kinds / sizeof *kinds)
		return 0;
	snprintf(span->kind, sizeof span->kind, "%s", kinds[record->kind]);
	if (record->kind == SPAN_REGION) {
		record_region(file, record->number, span->name);
		return 1;
	}
	if (record->kind == SPAN_MPI) {
		const char *name = mpi_name(record->number);

		snprintf(span->name, sizeof span->name, "%s", name ? name : "");
		return name != NULL;
	}
	if (!routine_exists(shape_routine(&record->key)))
		return 0;
	shape = shape_of(file, &record->key);
	memcpy(span->name, shape.routine, sizeof span->name);
	span->type = shape.type;
	span->transa = shape.transa;
	span->transb = shape.transb;
	span->m = shape.m;
	span->n = shape.n;
	span->k = shape.k;
	return 1;
}

/* A thread's spans, oldest first. Of a head that the shim may still change each number is read
 * once. A call's own cost comes off its end, but never so much that it ends before it begins. */
static void add_thread(struct record_file *file, const union span_row *rows, size_t count,
		       const struct thread_frame *frame, struct run *run, struct run_span **watched,
		       size_t *nwatched)
{
	uint64_t room = rows->head.room < count - 1 ? rows->head.room : count - 1;
	uint64_t written = __atomic_load_n(&rows->head.written, __ATOMIC_ACQUIRE);
	uint64_t kept = written < room ? written : room;
	uint64_t first = written - kept;
	int is_watched = rows->head.is_watched != 0;
	struct run_span row = {.pid = file->pid, .tid = find_tid(file, rows->head.serial)};

	for (uint64_t i = 0; i < kept; i++) {
		const struct span_record *record = &rows[1 + (first + i) % room].span;
		struct run_span named = row, *span;
		int64_t end_ns;

		if (!describe_span(file, record, &named))
			continue;
		named.start_ns = clock_line_ns(&frame->line, record->start) - frame->roi_start_ns;
		end_ns = clock_line_ns(&frame->line, record->end) - frame->roi_start_ns;
		if (record->kind == SPAN_CALL)
			end_ns -= (int64_t)frame->call_inside_ns;
		named.end_ns = end_ns > named.start_ns ? end_ns : named.start_ns;
		span = is_watched ? memory_add(watched, nwatched, sizeof *span)
				  : table_add(&run_tables[RUN_PART_SPANS], run);
		*span = named;
	}
}

void collect_timeline(struct records *records, struct run *run, struct run_span **watched,
		      size_t *nwatched)
{
	uint64_t calls = 0, kept = 0;
	int any = 0;

	for (size_t i = 0; i < records->count; i++) {
		struct record_file *file = &records->files[i];
		const union span_row *rows;
		size_t at = 0, count;

		while ((rows = process_file_rows(&file->file, &at, CHUNK_SPANS, sizeof *rows,
						 &count))) {
			if (count < 2)
				continue;
			any |= !rows->head.is_watched;
			add_thread(file, rows, count, &records->frame, run, watched, nwatched);
		}
	}
	for (size_t i = 0; i < run->nthreads; i++)
		calls += run->threads[i].calls;
	for (size_t i = 0; i < run->nspans; i++)
		kept += !strcmp(run->spans[i].kind, "blas");
	if (any && kept < calls)
		run_add_note(run, "timeline_cut", "%llu of %llu calls", (unsigned long long)kept,
			     (unsigned long long)calls);
}
