/* collect.c: turns the shim's record files into the run's threads, shapes and processes. */
/* SPDX-License-Identifier: MIT */
#include "record/collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/process_file.h"
#include "record/thread_times.h"
#include "shim/routines.h"

struct files {
	struct process_file *items;
	size_t count;
};

static int out_of_memory(struct error *err)
{
	return error_set(err, "free some memory", "out of memory while reading the record");
}

static void close_files(struct files *files)
{
	for (size_t i = 0; i < files->count; i++)
		process_file_close(&files->items[i]);
	free(files->items);
}

static int open_files(struct files *files, const char *path, struct error *err)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	if (!directory)
		return error_set(err, "keep other programs from cleaning that directory",
				 "cannot read the session directory '%s': %s", path, strerror(errno));
	while ((entry = readdir(directory))) {
		struct process_file file, *grown;

		if (strncmp(entry->d_name, "p.", 2) ||
		    process_file_open(&file, dirfd(directory), entry->d_name))
			continue;
		grown = reallocarray(files->items, files->count + 1, sizeof file);
		if (!grown) {
			process_file_close(&file);
			closedir(directory);
			return out_of_memory(err);
		}
		files->items = grown;
		files->items[files->count++] = file;
	}
	closedir(directory);
	return 0;
}

/* From the first call's enter to the last call's leave in one file; 0 and 0 where there was none. */
static void find_span(struct process_file *file, const struct clock_line *line, int64_t *start,
		      int64_t *end, uint64_t *calls)
{
	const struct thread_record *rows;
	size_t at = 0, count;

	*start = *end = 0;
	*calls = 0;
	while ((rows = process_file_rows(file, &at, CHUNK_THREADS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++) {
			int64_t first = clock_line_ns(line, rows[i].first_ticks);
			int64_t last = clock_line_ns(line, rows[i].last_ticks);

			if (!rows[i].calls)
				continue;
			*start = *calls && *start < first ? *start : first;
			*end = *calls && *end > last ? *end : last;
			*calls += rows[i].calls;
		}
}

static int add_process(struct process_file *file, const struct clock_line *line, struct run *run,
		       struct collected *collected)
{
	struct run_process *row = run_add_process(run);

	if (!row)
		return -1;
	row->pid = file->header->pid;
	row->parent = file->header->parent;
	row->intercepted = 1;
	snprintf(row->command, sizeof row->command, "%.63s", file->header->command);
	find_span(file, line, &row->start_ns, &row->end_ns, &row->calls);
	if (!row->calls)
		return 0;
	if (!collected->roi_end_ns || row->start_ns < collected->roi_start_ns)
		collected->roi_start_ns = row->start_ns;
	if (row->end_ns > collected->roi_end_ns)
		collected->roi_end_ns = row->end_ns;
	return 0;
}

static const struct task_start *find_task(struct process_file *file, int64_t tid)
{
	const struct task_start *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_TASKS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++)
			if (rows[i].tid == tid)
				return &rows[i];
	return NULL;
}

static int add_threads(struct process_file *file, const struct thread_frame *frame, struct run *run)
{
	const struct thread_record *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_THREADS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++) {
			struct run_thread *thread = rows[i].calls ? run_add_thread(run) : NULL;

			if (!rows[i].calls)
				continue;
			if (!thread)
				return -1;
			thread->pid = file->header->pid;
			thread->tid = rows[i].tid;
			snprintf(thread->name, sizeof thread->name, "%.15s", rows[i].name);
			thread->calls = rows[i].calls;
			thread->flops = rows[i].flops;
			thread_times(frame, &rows[i], find_task(file, rows[i].tid), thread);
		}
	return 0;
}

/* The bucket in ns for a bucket in ticks: where the middle of its logarithm falls, own cost taken
 * out. */
static int bucket_in_ns(unsigned bucket, const struct thread_frame *frame)
{
	double low = (double)histogram_low(bucket), high = (double)histogram_low(bucket + 1);

	return run_bucket(sqrt(low * high) * frame->line.ns_per_tick - frame->call_inside_ns);
}

static int64_t call_ns(uint64_t ticks, uint64_t calls, const struct thread_frame *frame)
{
	double ns = (double)ticks * frame->line.ns_per_tick - (double)calls * frame->call_inside_ns;

	return ns > 0 ? (int64_t)ns : 0;
}

static void fill_shape(struct run_shape *shape, const struct shape_record *record,
		       const struct thread_frame *frame)
{
	const struct shape_key *key = &record->key;
	double calls = (double)record->calls;

	memset(shape, 0, sizeof *shape);
	snprintf(shape->routine, sizeof shape->routine, "%s", routines[key->routine].name);
	shape->other_shapes = key->transa == SHAPE_OTHER;
	shape->transa = shape->other_shapes ? '-' : routine_transpose(key->routine, key->transa);
	shape->transb = routine_transpose(key->routine, key->transb);
	shape->m = key->m;
	shape->n = key->n;
	shape->k = key->k;
	shape->calls = record->calls;
	shape->total_ns = call_ns(record->ticks, record->calls, frame);
	shape->min_ns = call_ns(record->min_ticks, 1, frame);
	shape->max_ns = call_ns(record->max_ticks, 1, frame);
	shape->flops = record->flops_per_call * calls + record->other_flops;
	shape->bytes = record->bytes_per_call * calls + record->other_bytes;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		if (record->histogram[i])
			shape->histogram[bucket_in_ns(i, frame)] += record->histogram[i];
}

static int add_shapes(struct process_file *file, const struct thread_frame *frame, struct run *run)
{
	const struct shape_record *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_SHAPES, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++) {
			struct run_shape *shape;

			if (!rows[i].calls || rows[i].key.routine >= routines_count)
				continue;
			shape = run_add_shape(run);
			if (!shape)
				return -1;
			fill_shape(shape, &rows[i], frame);
		}
	return 0;
}

static int compare_shapes(const void *a, const void *b)
{
	const struct run_shape *x = a, *y = b;
	int order = strcmp(x->routine, y->routine);

	if (!order)
		order = strcmp(x->region, y->region);
	if (!order)
		order = x->other_shapes - y->other_shapes;
	if (!order)
		order = x->transa != y->transa ? x->transa - y->transa : x->transb - y->transb;
	if (!order)
		order = x->m != y->m ? (x->m > y->m) - (x->m < y->m) : (x->n > y->n) - (x->n < y->n);
	return order ? order : (x->k > y->k) - (x->k < y->k);
}

static void merge_shape(struct run_shape *into, const struct run_shape *from)
{
	into->calls += from->calls;
	into->total_ns += from->total_ns;
	into->min_ns = from->min_ns < into->min_ns ? from->min_ns : into->min_ns;
	into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
	into->flops += from->flops;
	into->bytes += from->bytes;
	for (int i = 0; i < RUN_HISTOGRAM_BUCKETS; i++)
		into->histogram[i] += from->histogram[i];
}

/* Rows of different threads and processes with equal keys become one. */
static void merge_shapes(struct run *run)
{
	size_t kept = 0;

	if (!run->nshapes)
		return;
	qsort(run->shapes, run->nshapes, sizeof *run->shapes, compare_shapes);
	for (size_t i = 1; i < run->nshapes; i++) {
		if (!compare_shapes(&run->shapes[kept], &run->shapes[i]))
			merge_shape(&run->shapes[kept], &run->shapes[i]);
		else
			run->shapes[++kept] = run->shapes[i];
	}
	run->nshapes = kept + 1;
}

static void note_troubles(struct process_file *file, struct run *run)
{
	static const struct {
		uint32_t bit;
		const char *code;
	} troubles[] = {
		{TROUBLE_NO_PAGE, "no_offcpu_page"},
		{TROUBLE_NO_SCHEDSTAT, "no_schedstat"},
		{TROUBLE_NO_ROOM, "session_disk_full"},
		{TROUBLE_SHAPES_FULL, "shape_table_full"},
	};
	const struct process_header *header = file->header;

	for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++)
		if (header->troubles & troubles[i].bit)
			run_add_note(run, troubles[i].code, "process %d (%.63s)", header->pid,
				     header->command);
	if (header->unrecorded_calls)
		run_add_note(run, "calls_unrecorded", "%llu calls of process %d (%.63s)",
			     (unsigned long long)header->unrecorded_calls, header->pid,
			     header->command);
	if (file->cut)
		run_add_note(run, "record_damaged", "process %d (%.63s)", header->pid,
			     header->command);
}

static int add_provider(struct collected *collected, const char *path)
{
	char **grown;

	for (size_t i = 0; i < collected->nblas_objects; i++)
		if (!strcmp(collected->blas_objects[i], path))
			return 0;
	grown = reallocarray(collected->blas_objects, collected->nblas_objects + 1, sizeof *grown);
	if (!grown)
		return -1;
	collected->blas_objects = grown;
	grown[collected->nblas_objects] = strdup(path);
	if (!grown[collected->nblas_objects])
		return -1;
	collected->nblas_objects++;
	return 0;
}

/* The first process that names its BLAS speaks for the run. */
static int add_blas_facts(const struct process_header *header, struct run *run,
			  struct collected *collected)
{
	char text[300];

	for (int i = 0; i < PROVIDERS_MAX && header->providers[i][0]; i++) {
		snprintf(text, sizeof text, "%.255s", header->providers[i]);
		if (add_provider(collected, text))
			return -1;
		if (!run_fact(run, "blas_path"))
			run_add_fact(run, "blas_path", text);
	}
	if (header->blas_version[0] && !run_fact(run, "blas_version")) {
		snprintf(text, sizeof text, "%.255s", header->blas_version);
		run_add_fact(run, "blas_version", text);
		snprintf(text, sizeof text, "%.63s", header->blas_core);
		run_add_fact(run, "blas_core", text);
		snprintf(text, sizeof text, "%d", header->blas_threads);
		run_add_fact(run, "blas_threads", text);
	}
	return 0;
}

/* "OpenBLAS" from the library's own words, else the file's name. */
static void name_blas(struct run *run)
{
	const char *version = run_fact(run, "blas_version"), *path = run_fact(run, "blas_path");
	char name[64];

	if (version)
		snprintf(name, sizeof name, "%.*s", (int)strcspn(version, " "), version);
	else if (path)
		snprintf(name, sizeof name, "%.63s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	else
		return;
	run_add_fact(run, "blas", name);
}

/* The cost per call is the machine's, not the process's: of several calibrations the least was
 * disturbed least. */
static void least_cost(const struct files *files, struct thread_frame *frame)
{
	double scale = frame->line.ns_per_tick;

	for (size_t i = 0; i < files->count; i++) {
		const struct process_header *header = files->items[i].header;
		double whole = (header->call_inside_ticks + header->call_outside_ticks) * scale;

		if (!(whole > 0) || (frame->call_inside_ns + frame->call_outside_ns > 0 &&
				     whole >= frame->call_inside_ns + frame->call_outside_ns))
			continue;
		frame->call_inside_ns = header->call_inside_ticks * scale;
		frame->call_outside_ns = header->call_outside_ticks * scale;
	}
}

static int collect_files(struct files *files, struct thread_frame *frame, struct run *run,
			 struct collected *collected)
{
	for (size_t i = 0; i < files->count; i++)
		if (add_process(&files->items[i], &frame->line, run, collected))
			return -1;
	frame->roi_start_ns = collected->roi_start_ns;
	frame->roi_end_ns = collected->roi_end_ns;
	least_cost(files, frame);
	for (size_t i = 0; i < files->count; i++)
		if (add_threads(&files->items[i], frame, run) ||
		    add_shapes(&files->items[i], frame, run) ||
		    add_blas_facts(files->items[i].header, run, collected))
			return -1;
	for (size_t i = 0; i < files->count; i++)
		note_troubles(&files->items[i], run);
	for (size_t i = 0; i < run->nprocesses; i++)
		if (run->processes[i].calls) {
			run->processes[i].start_ns -= frame->roi_start_ns;
			run->processes[i].end_ns -= frame->roi_start_ns;
		}
	merge_shapes(run);
	name_blas(run);
	run->roi_ns = frame->roi_end_ns - frame->roi_start_ns;
	run->call_inside_ns = frame->call_inside_ns;
	run->call_outside_ns = frame->call_outside_ns;
	return 0;
}

int collect_run(const struct session_dir *session, struct run *run, struct collected *collected,
		struct error *err)
{
	struct thread_frame frame = {.line = session_clock_line(session)};
	struct files files = {0};
	int result;

	memset(collected, 0, sizeof *collected);
	result = open_files(&files, session->path, err);
	if (!result) {
		result = collect_files(&files, &frame, run, collected);
		if (result)
			out_of_memory(err);
	}
	run_add_fact(run, "clock",
		     session->clock == CLOCK_TICKS ? "CPU counter" : "clock_gettime");
	close_files(&files);
	return result;
}

void collected_free(struct collected *collected)
{
	for (size_t i = 0; i < collected->nblas_objects; i++)
		free(collected->blas_objects[i]);
	free(collected->blas_objects);
	memset(collected, 0, sizeof *collected);
}
