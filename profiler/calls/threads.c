/* threads.c: adds the threads to the run, with their regions, MPI calls, sequences of calls and
 * timelines. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "blas/mpi_ids.h"
#include "blas/routines.h"
#include "calls/records.h"

#define COPY_SUM(name, type, unit, merge, doc, row, sums) (row)->name = AS_##type((sums).name);

/* 1 if the files, which are neighbours, are of programs that the same process executed. */
static int is_same_process(const struct record_file *a, const struct record_file *b)
{
	return a->pid == b->pid && a->file.header->pid_space == b->file.header->pid_space;
}

static int64_t file_first_ns(const struct records *records, const struct record_file *file)
{
	return clock_line_ns(&records->frame.line, file->file.header->first_ticks);
}

struct thread_source record_source(const struct records *records, const struct record_file *file,
				   const struct thread_record *record)
{
	static const struct gap_record none; /* 0 may be added to its address, unlike to NULL */
	size_t gap = ARRAY_BOUND(file->ngaps, i, file->gaps[i].serial < record->serial);
	size_t at = ARRAY_BOUND(file->ntasks, i, file->tasks[i].tid < record->tid);
	int is_known = at < file->ntasks && file->tasks[at].tid == record->tid;
	struct thread_source source = {
		.frame = &records->frame,
		.record = record,
		.sums = record_sums(file, record),
		.task = is_known ? &file->tasks[at] : NULL,
		.gaps = file->ngaps ? file->gaps + gap : &none,
		.pid = file->pid,
		.tid = record_tid(file, record->tid),
		.process_ns = file_first_ns(records, file),
	};

	if (file > records->files && is_same_process(file - 1, file))
		source.program_ns = source.process_ns;
	if (file + 1 < records->files + records->count && is_same_process(file, file + 1))
		source.next_ns = file_first_ns(records, file + 1);
	while (gap < file->ngaps && file->gaps[gap++].serial == record->serial)
		source.ngaps++;
	return source;
}

/* Adds the thread if it made calls, and its progress. */
static void add_thread(const struct records *records, struct record_file *file, int process,
		       const struct thread_record *record, struct run *run)
{
	struct thread_source source = record_source(records, file, record);
	struct run_thread *thread;

	run->work += valid_amount(record->progress);
	if (!source.sums->calls)
		return;
	thread = run_add_thread(run);
	thread->pid = file->pid;
	thread->tid = source.tid;
	thread->process = process;
	snprintf(thread->name, sizeof thread->name, "%.15s", record->name);
	CALL_SUMS(COPY_SUM, thread, *source.sums)
	thread_times(&source, thread);
}

static void add_region(const struct records *records, struct record_file *file,
		       const struct region_record *record, struct run *run)
{
	const struct thread_record *thread = record_thread(file, record->serial);
	struct thread_source source;
	struct run_region *region;

	if (!record->entries || !thread)
		return;
	source = record_source(records, file, thread);
	region = table_add(&run_tables[RUN_PART_REGIONS], run);
	snprintf(region->name, sizeof region->name, "%s", record_region(file, record->region));
	region->entries = record->entries;
	region->times = region_times(&source, record);
	CALL_SUMS(COPY_SUM, region, record->sums)
}

/* Adds the MPI calls. There is one record for each routine. */
static void add_mpi(struct record_file *file, const struct clock_line *line, struct run *run)
{
	const struct mpi_record *record;
	unsigned id = 0;

	EACH_RECORD(record, &file->file, CHUNK_MPI) {
		const char *routine = mpi_name(id++);
		struct run_mpi *row;

		if (!record->calls || !routine)
			continue;
		row = table_add(&run_tables[RUN_PART_MPI], run);
		snprintf(row->routine, sizeof row->routine, "%s", routine);
		row->calls = record->calls;
		row->total_ns = clock_line_span_ns(line, record->ticks);
		row->max_ns = clock_line_span_ns(line, record->max_ticks);
	}
}

void collect_threads(struct records *records, struct run *run)
{
	for (size_t i = 0; i < records->count; i++) {
		struct record_file *file = &records->files[i];
		const struct thread_record *thread;
		const struct region_record *region;

		EACH_RECORD(thread, &file->file, CHUNK_THREADS)
			add_thread(records, file, (int)i, thread, run);
		EACH_RECORD(region, &file->file, CHUNK_REGIONS)
			add_region(records, file, region, run);
		add_mpi(file, &records->frame.line, run);
		table_merge_rows(&run_tables[RUN_PART_REGIONS], run);
		table_merge_rows(&run_tables[RUN_PART_MPI], run);
	}
}

/* Converts to ns and subtracts the shim's own cost, but the result is never negative. */
static uint32_t pair_ns(double ticks, double own_ns, const struct thread_frame *frame)
{
	double ns = ticks * frame->line.ns_per_tick;

	ns = ns > own_ns ? ns - own_ns : 0;
	return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

void collect_pairs(struct records *records, struct run *run)
{
	const struct thread_frame *frame = &records->frame;
	const struct call_times *block = NULL;
	uint64_t written = 0, count;

	for (size_t i = 0; i < records->count && run->nthreads == 1 && written < 2; i++) {
		struct row_cursor at = {0};

		while (written < 2 && (block = process_file_next(&records->files[i].file, &at,
								 CHUNK_CALL_TIMES, sizeof *block)))
			written = block->written;
	}
	if (written < 2)
		return;
	/* The oldest call is left out, because the start of its gap was not recorded. */
	count = written < CALL_TIMES_MAX ? written : CALL_TIMES_MAX;
	run->pairs = memory_rows(count - 1, sizeof *run->pairs);
	for (uint64_t i = 1; i < count; i++) {
		uint64_t at = (written - count + i) % CALL_TIMES_MAX;
		struct run_pair *pair = &run->pairs[run->npairs++];

		pair->gap_ns = pair_ns((double)long_ticks(block->calls[at].think),
				       frame->call_outside_ns, frame);
		pair->service_ns = pair_ns((double)long_ticks(block->calls[at].service),
					   frame->call_inside_ns, frame);
	}
}

/* Sets kind, name and shape. Returns 0 if the record is invalid. */
static int describe_span(struct record_file *file, const struct span_record *record,
			 struct run_span *span)
{
	static const char *const kinds[] = {
		[SPAN_CALL] = "blas", [SPAN_REGION] = "region", [SPAN_MPI] = "mpi"};
	struct call_shape shape;

	if (record->kind >= COUNT(kinds))
		return 0;
	snprintf(span->kind, sizeof span->kind, "%s", kinds[record->kind]);
	if (record->kind == SPAN_REGION) {
		snprintf(span->name, sizeof span->name, "%s", record_region(file, record->number));
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
	snprintf(span->name, sizeof span->name, "%s", shape.routine);
	span->type = shape.type;
	span->transa = shape.transa;
	span->transb = shape.transb;
	span->m = shape.m;
	span->n = shape.n;
	span->k = shape.k;
	return 1;
}

/* Adds a thread's spans, the oldest first. Subtracts the shim's own cost from the end of a call,
 * but not beyond its start. */
static void add_spans(struct record_file *file, const union span_row *rows, size_t count,
		      const struct thread_frame *frame, struct run *run, struct run_span **watched,
		      size_t *nwatched)
{
	uint64_t room = rows->head.room < count - 1 ? rows->head.room : count - 1;
	uint64_t written = rows->head.written, kept = written < room ? written : room;
	uint64_t first = written - kept;
	int is_watched = rows->head.is_watched != 0;
	struct run_span row = {.pid = file->pid};
	const struct thread_record *thread = record_thread(file, rows->head.serial);

	if (thread)
		row.tid = record_tid(file, thread->tid);
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

	EACH_ROW(file, records->files, records->count) {
		const union span_row *rows;
		size_t at = 0, count;

		while ((rows = process_file_rows(&file->file, &at, CHUNK_SPANS, sizeof *rows,
						 &count))) {
			if (count < 2)
				continue;
			any |= !rows->head.is_watched;
			add_spans(file, rows, count, &records->frame, run, watched, nwatched);
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
