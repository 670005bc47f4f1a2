/* collect_spans.c: the timeline: calls, regions and MPI calls from the shim's record files. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "calls/collect_parts.h"
#include "blas/mpi_ids.h"
#include "blas/routines.h"
#include "base/array.h"

static const char *const mpi_names[MPI_IDS] = {
#define MPI_CALL(name, fortran, words) "MPI_" #name,
#include "blas/mpi.def"
};

/* Of a head that the shim may still change: each number is read once. */
struct block {
	uint64_t room, written;
	int keeps_first, is_watched;
	int64_t tid;
	const union span_row *rows;
};

static int64_t find_tid(struct process_file *file, uint64_t serial)
{
	const struct thread_record *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_THREADS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++)
			if (rows[i].serial == serial)
				return rows[i].tid;
	return 0;
}

static struct block read_block(struct process_file *file, const union span_row *rows, size_t count)
{
	struct block block = {
		.room = rows->head.room < count - 1 ? rows->head.room : count - 1,
		.written = __atomic_load_n(&rows->head.written, __ATOMIC_ACQUIRE),
		.keeps_first = rows->head.keeps_first != 0,
		.is_watched = rows->head.is_watched != 0,
		.tid = find_tid(file, rows->head.serial),
		.rows = rows + 1,
	};

	return block;
}

/* 0: what the record says can be none. */
static int name_span(struct process_file *file, const struct span_record *record,
		     struct run_span *span)
{
	struct run_shape shape;

	snprintf(span->kind, sizeof span->kind, "%s",
		 record->kind == SPAN_CALL  ? "blas"
		 : record->kind == SPAN_MPI ? "mpi"
					    : "region");
	switch (record->kind) {
	case SPAN_CALL:
		if (!routine_exists(shape_routine(&record->key)))
			return 0;
		name_shape(&shape, &record->key, file);
		memcpy(span->name, shape.shape.routine, sizeof span->name);
		span->transa = shape.shape.transa;
		span->transb = shape.shape.transb;
		span->m = shape.shape.m;
		span->n = shape.shape.n;
		span->k = shape.shape.k;
		return 1;
	case SPAN_REGION:
		region_name(file, record->number, span->name, sizeof span->name);
		return 1;
	case SPAN_MPI:
		if (record->number < MPI_IDS)
			snprintf(span->name, sizeof span->name, "%s", mpi_names[record->number]);
		return record->number < MPI_IDS;
	default:
		return 0;
	}
}

/* Where what the threads recorded goes. */
struct target {
	const struct thread_frame *frame;
	struct run *run;
	struct collected *collected;
};

static struct run_span *new_span(const struct target *target, int is_watched)
{
	struct collected *collected = target->collected;

	return is_watched ? array_add(&collected->watched, &collected->nwatched,
				      sizeof(struct run_span))
			  : table_add(&run_tables[RUN_PART_SPANS], target->run);
}

/* A call's own cost comes off its end, but never so much that it ends before it begins. */
static int add_span(struct process_file *file, const struct span_record *record,
		    const struct block *block, const struct target *target)
{
	const struct thread_frame *frame = target->frame;
	int64_t own_ns = record->kind == SPAN_CALL ? (int64_t)frame->call_inside_ns : 0;
	int64_t start_ns = clock_line_ns(&frame->line, record->start);
	int64_t end_ns = clock_line_ns(&frame->line, record->end) - own_ns;
	struct run_span named = {.pid = file->header->pid, .tid = block->tid}, *span;

	if (!name_span(file, record, &named))
		return 0;
	span = new_span(target, block->is_watched);
	if (!span)
		return -1;
	*span = named;
	span->start_ns = start_ns - frame->roi_start_ns;
	span->end_ns = (end_ns > start_ns ? end_ns : start_ns) - frame->roi_start_ns;
	return 0;
}

/* Oldest first. */
static int add_block(struct process_file *file, const struct block *block,
		     const struct target *target)
{
	uint64_t count = block->written < block->room ? block->written : block->room;
	uint64_t first = block->keeps_first ? 0 : block->written - count;

	for (uint64_t i = 0; i < count; i++)
		if (add_span(file, &block->rows[(first + i) % block->room].span, block, target))
			return -1;
	return 0;
}

/* Says how much of the run's calls is not in it. */
static void note_missing(struct run *run)
{
	uint64_t calls = 0, kept = 0;

	for (size_t i = 0; i < run->nthreads; i++)
		calls += run->threads[i].calls;
	for (size_t i = 0; i < run->nspans; i++)
		kept += !strcmp(run->spans[i].kind, "blas");
	if (kept < calls)
		run_add_note(run, "timeline_cut", "%llu of %llu calls", (unsigned long long)kept,
			     (unsigned long long)calls);
}

int collect_spans(struct process_file *files, size_t count, const struct thread_frame *frame,
		  struct run *run, struct collected *collected)
{
	struct target target = {frame, run, collected};
	int any = 0;

	for (size_t i = 0; i < count; i++) {
		const union span_row *rows;
		size_t at = 0, nrows;

		while ((rows = process_file_rows(&files[i], &at, CHUNK_SPANS, sizeof *rows,
						 &nrows))) {
			struct block block;

			if (nrows < 2)
				continue;
			block = read_block(&files[i], rows, nrows);
			any |= !block.is_watched;
			if (add_block(&files[i], &block, &target))
				return -1;
		}
	}
	if (any)
		note_missing(run);
	return 0;
}
