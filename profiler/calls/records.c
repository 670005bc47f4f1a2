/* records.c: opens the record files of a session, and indexes what is looked up often. */
/* SPDX-License-Identifier: MIT */
#include "calls/records.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "blas/routines.h"

double valid_amount(double amount)
{
	return amount >= 0 && amount < 1e30 ? amount : 0;
}

const struct thread_record *record_thread(const struct record_file *file, uint64_t serial)
{
	return serial < file->nsums ? file->threads[serial] : NULL;
}

const struct call_sums *record_sums(const struct record_file *file,
				    const struct thread_record *thread)
{
	return &file->sums[thread->serial < file->nsums ? thread->serial : 0];
}

COMPARE(compare_tasks, struct task_start, ORDER(a->tid, b->tid))

COMPARE(compare_gaps, struct gap_record, ORDER(a->serial, b->serial) ?: ORDER(a->end, b->end))

/* By shape, then by caller. */
static int compare_shapes(const void *left, const void *right)
{
	const struct shape_key *a = &(*(const struct shape_record *const *)left)->key;
	const struct shape_key *b = &(*(const struct shape_record *const *)right)->key;

	return ORDER(a->head, b->head) ?: ORDER(a->m, b->m) ?: ORDER(a->n, b->n) ?:
	       ORDER(a->k, b->k) ?: ORDER(a->caller, b->caller);
}

static void index_file(struct record_file *file)
{
	const struct thread_record *thread;
	const struct region_record *region;
	const struct shape_record *shape;
	const struct task_start *task;
	const struct gap_record *gap;

	file->nsums = 1; /* serials count from 1; the sums of the others stay 0 */
	EACH_RECORD(thread, &file->file, CHUNK_THREADS)
		file->nsums++;
	file->sums = memory_rows(file->nsums, sizeof *file->sums);
	file->threads = memory_rows(file->nsums, sizeof *file->threads);
	EACH_RECORD(thread, &file->file, CHUNK_THREADS)
		if (thread->serial && thread->serial < file->nsums) {
			file->threads[thread->serial] = thread;
			call_sums_add(&file->sums[thread->serial], &thread->sums);
		}
	EACH_RECORD(region, &file->file, CHUNK_REGIONS)
		if (region->serial && region->serial < file->nsums)
			call_sums_add(&file->sums[region->serial], &region->sums);
	EACH_RECORD(task, &file->file, CHUNK_TASKS)
		memory_append(&file->tasks, &file->ntasks, sizeof *task, task);
	EACH_RECORD(gap, &file->file, CHUNK_GAPS)
		if (gap->serial && gap->end >= gap->start)
			memory_append(&file->gaps, &file->ngaps, sizeof *gap, gap);
	EACH_RECORD(shape, &file->file, CHUNK_SHAPES)
		if (shape_calls(shape) && routine_exists(shape_routine(&shape->key)))
			memory_append(&file->shapes, &file->nshapes, sizeof shape, &shape);
	SORT(file->tasks, file->ntasks, compare_tasks);
	SORT(file->gaps, file->ngaps, compare_gaps);
	SORT(file->shapes, file->nshapes, compare_shapes);
}

/* Takes the cost of a call from the process that has measured it. */
static void use_cost(struct thread_frame *frame, const struct process_header *header)
{
	double inside_ns = header->call_inside_ticks * frame->line.ns_per_tick;
	double outside_ns = header->call_outside_ticks * frame->line.ns_per_tick;

	if (inside_ns >= 0 && outside_ns >= 0 && inside_ns + outside_ns > 0 &&
	    isfinite(inside_ns + outside_ns)) {
		frame->call_inside_ns = inside_ns;
		frame->call_outside_ns = outside_ns;
	}
}

COMPARE(compare_files, struct record_file,
	ORDER(a->file.header->pid_space, b->file.header->pid_space) ?: ORDER(a->pid, b->pid) ?:
	ORDER(a->file.header->first_ticks, b->file.header->first_ticks))

int records_open(struct records *records, const struct session_dir *session, struct run *run,
		 struct error *err)
{
	OWN_DIR *directory = session_list(session);
	struct dirent *entry;

	*records = (struct records){.frame.line = session_clock_line(session)};
	if (!directory)
		return error_set(err, "keep other programs from cleaning that directory",
				 "cannot read the session directory '%s': %s", session->path,
				 strerror(errno));
	while ((entry = readdir(directory))) {
		struct record_file file = {0}, *added;

		if (strncmp(entry->d_name, "p.", 2))
			continue;
		if (process_file_open(&file.file, dirfd(directory), entry->d_name)) {
			if (file.file.cut && run)
				run_add_note(run, "record_damaged",
					     "nothing is left of the file '%s'", entry->d_name);
			continue;
		}
		added = memory_add(&records->files, &records->count, sizeof *added);
		*added = file;
		added->pid = file.file.header->pid;
		added->parent = file.file.header->parent;
		index_file(added);
		use_cost(&records->frame, file.file.header);
	}
	SORT(records->files, records->count, compare_files);
	return 0;
}

COMPARE(compare_outer, struct outer_task,
	ORDER(a->space, b->space) ?: ORDER(a->pid, b->pid) ?: ORDER(a->tid, b->tid))

/* Returns the first task of the process in the file's namespace, or NULL. */
static const struct outer_task *find_process(const struct record_file *file, int64_t pid)
{
	EACH_ROW(task, file->outer, file->nouter)
		if (task->space == file->file.header->pid_space && task->pid == pid)
			return task;
	return NULL;
}

void records_number(struct records *records, struct outer_task *tasks, size_t count)
{
	SORT(tasks, count, compare_outer);
	EACH_ROW(file, records->files, records->count) {
		const struct outer_task *process, *parent;

		file->outer = tasks;
		file->nouter = count;
		process = find_process(file, file->pid);
		if (!process)
			continue;
		file->pid = process->outer_pid;
		parent = find_process(file, file->parent);
		file->parent = parent ? parent->outer_pid : 0;
	}
}

int64_t record_tid(const struct record_file *file, int64_t tid)
{
	const struct process_header *header = file->file.header;
	const struct outer_task key = {header->pid_space, header->pid, tid, 0, 0}, *found = NULL;

	if (file->nouter)
		found = bsearch(&key, file->outer, file->nouter, sizeof key, compare_outer);
	return found ? found->outer_tid : tid;
}

void records_close(struct records *records)
{
	for (size_t i = 0; i < records->count; i++) {
		process_file_close(&records->files[i].file);
		free(records->files[i].threads);
		free(records->files[i].sums);
		free(records->files[i].tasks);
		free(records->files[i].gaps);
		free(records->files[i].shapes);
	}
	free(records->files);
	*records = (struct records){0};
}

const char *record_region(struct record_file *file, uint64_t region)
{
	const struct region_name *rows;
	size_t at = 0, count;

	while (region &&
	       (rows = process_file_rows(&file->file, &at, CHUNK_NAMES, sizeof *rows, &count))) {
		if (region <= count)
			return string_printf("%.31s", rows[region - 1].text);
		region -= count;
	}
	return "";
}
