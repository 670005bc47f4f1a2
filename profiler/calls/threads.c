/* threads.c: the threads, their regions, their sequence of calls, and their calls of MPI. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "blas/mpi_ids.h"
#include "calls/records.h"

static const struct task_start *find_task(const struct record_file *file, int64_t tid)
{
	size_t at = ARRAY_BOUND(file->ntasks, i, file->tasks[i].tid < tid);

	return at < file->ntasks && file->tasks[at].tid == tid ? &file->tasks[at] : NULL;
}

#define COPY_SUM(name, type, unit, merge, doc, row, sums) (row)->name = SOUND_##type((sums).name);

struct thread_source record_source(const struct records *records, const struct record_file *file,
				   const struct thread_record *record, const struct call_sums *sums)
{
	struct thread_source source = {
		.record = record,
		.sums = sums,
		.task = find_task(file, record->tid),
		.pid = file->pid,
		.tid = record_tid(file, record->tid),
		.process_ns = clock_line_ns(&records->frame.line, file->file.header->first_ticks),
	};

	source.gaps = record_gaps(file, record, &source.ngaps);
	return source;
}

static void add_thread(const struct records *records, struct record_file *file, int process,
		       const struct thread_record *record, struct run *run)
{
	struct call_sums sums = record_sums(file, record);
	struct thread_source source = record_source(records, file, record, &sums);
	struct run_thread *thread;

	run->work += sound_amount(record->progress);
	if (!sums.calls)
		return;
	thread = run_add_thread(run);
	thread->pid = file->pid;
	thread->tid = record_tid(file, record->tid);
	thread->process = process;
	snprintf(thread->name, sizeof thread->name, "%.15s", record->name);
	CALL_SUMS(COPY_SUM, thread, sums)
	thread_times(&records->frame, &source, thread);
}

static void add_region(struct record_file *file, const struct thread_frame *frame,
		       const struct region_record *record, struct run *run)
{
	struct run_region *region;

	if (!record->entries)
		return;
	region = run_add_region(run);
	record_region(file, record->region, region->name);
	region->entries = record->entries;
	region->times = sums_times(frame, &record->sums);
	CALL_SUMS(COPY_SUM, region, record->sums)
}

/* A chunk has one row for each routine. */
static void add_mpi(struct record_file *file, const struct clock_line *line, struct run *run)
{
	const struct mpi_record *records;
	size_t at = 0, count;

	while ((records = process_file_rows(&file->file, &at, CHUNK_MPI, sizeof *records, &count)))
		for (size_t i = 0; i < count && i < MPI_IDS; i++) {
			struct run_mpi *row;

			if (!records[i].calls)
				continue;
			row = run_add_mpi(run);
			snprintf(row->routine, sizeof row->routine, "%s", mpi_name((unsigned)i));
			row->calls = records[i].calls;
			row->total_ns = clock_line_span_ns(line, records[i].ticks);
			row->max_ns = clock_line_span_ns(line, records[i].max_ticks);
		}
}

void collect_threads(struct records *records, int process, struct run *run)
{
	for (size_t i = 0; i < records->count; i++) {
		struct record_file *file = &records->files[i];
		struct row_cursor threads = {0}, regions = {0};
		const struct thread_record *thread;
		const struct region_record *region;

		while ((thread = process_file_next(&file->file, &threads, CHUNK_THREADS,
						   sizeof *thread)))
			add_thread(records, file, process + (int)i, thread, run);
		while ((region = process_file_next(&file->file, &regions, CHUNK_REGIONS,
						   sizeof *region)))
			add_region(file, &records->frame, region, run);
		add_mpi(file, &records->frame.line, run);
		table_merge_rows(&run_tables[RUN_PART_REGIONS], run);
		table_merge_rows(&run_tables[RUN_PART_MPI], run);
	}
}

/* Own cost comes off by calibration, but never so much that nothing is left. */
static uint32_t pair_ns(double ticks, double own_ns, const struct thread_frame *frame)
{
	double ns = ticks * frame->line.ns_per_tick;

	ns = ns > own_ns ? ns - own_ns : 0;
	return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

/* Oldest first. The first of all is left out: its gap reaches back to where nothing was recorded.
 */
static void add_pairs(const struct call_times *block, const struct thread_frame *frame,
		      struct run *run)
{
	uint64_t written = block->written,
		 count = written < CALL_TIMES_MAX ? written : CALL_TIMES_MAX;

	if (count < 2)
		return;
	run->pairs = memory_rows(count - 1, sizeof *run->pairs);
	for (uint64_t i = 1; i < count; i++) {
		uint64_t at = (written - count + i) % CALL_TIMES_MAX;
		struct run_pair *pair = &run->pairs[run->npairs++];

		pair->gap_ns = pair_ns((double)block->calls[at].think, frame->call_outside_ns, frame);
		pair->service_ns = pair_ns((double)block->calls[at].service, frame->call_inside_ns, frame);
	}
}

void collect_pairs(struct records *records, struct run *run)
{
	for (size_t i = 0; i < records->count && run->nthreads == 1; i++) {
		const struct call_times *block;
		struct row_cursor at = {0};

		while ((block = process_file_next(&records->files[i].file, &at, CHUNK_CALL_TIMES,
						  sizeof *block)))
			if (block->written > 1) {
				add_pairs(block, &records->frame, run);
				return;
			}
	}
}
