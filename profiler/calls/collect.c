/* collect.c: turns the shim's record files into the run's threads, shapes and processes. */
/* SPDX-License-Identifier: MIT */
#include "calls/collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls/collect_parts.h"
#include "wire/clock.h"

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

/* What a process says that could not make its record: "ERRNO PROGRAM". */
static void note_lost(int directory, const char *name, struct run *run)
{
	char text[96], *program;
	ssize_t length = readlinkat(directory, name, text, sizeof text - 1);
	long error;

	if (length <= 0)
		return;
	text[length] = '\0';
	error = strtol(text, &program, 10);
	run_add_note(run, "calls_unrecorded", "all calls of process %.10s (%.63s): %s",
		     name + strlen(LOST_PREFIX), *program ? program + 1 : "",
		     strerror(error > 0 && error < 4096 ? (int)error : 0));
}

static void note_all_lost(const struct session_dir *session, struct run *run)
{
	DIR *directory = session_list(session);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (!strncmp(entry->d_name, LOST_PREFIX, strlen(LOST_PREFIX)))
			note_lost(dirfd(directory), entry->d_name, run);
	if (directory)
		closedir(directory);
}

/* A file that was cut off so far that nothing can be read of it. */
static void note_cut(const struct process_file *file, const char *name, struct run *run)
{
	if (file->cut)
		run_add_note(run, "record_damaged", "nothing is left of the file '%s'", name);
}

/* Who removes the control file has removed records too. */
static void note_removed(const struct session_dir *session, struct run *run)
{
	if (faccessat(session->fd, SESSION_FILE, F_OK, 0) && errno == ENOENT)
		run_add_note(run, "record_damaged",
			     "files were removed from the session directory '%s' meanwhile",
			     session->path);
}

static int open_files(struct files *files, const struct session_dir *session, struct run *run,
		      struct error *err)
{
	DIR *directory = session_list(session);
	struct dirent *entry;

	if (!directory)
		return error_set(err, "keep other programs from cleaning that directory",
				 "cannot read the session directory '%s': %s", session->path,
				 strerror(errno));
	while ((entry = readdir(directory))) {
		struct process_file file, *grown;

		if (strncmp(entry->d_name, "p.", 2))
			continue;
		if (process_file_open(&file, dirfd(directory), entry->d_name)) {
			note_cut(&file, entry->d_name, run);
			continue;
		}
		if (collect_sums(&file)) {
			process_file_close(&file);
			closedir(directory);
			return out_of_memory(err);
		}
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

/* From the first call's enter to the last call's leave in one file; 0 and 0 where there was none.
 */
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

			uint64_t made = thread_sums(file, &rows[i]).calls;

			last = last > first ? last : first;
			if (!made)
				continue;
			*start = *calls && *start < first ? *start : first;
			*end = *calls && *end > last ? *end : last;
			*calls += made;
		}
}

static int add_process(struct process_file *file, const struct clock_line *line, struct run *run,
		       struct collected *collected)
{
	struct run_process *row = run_add_process(run);
	const char *host = run_fact(run, "host");

	if (!row)
		return -1;
	row->pid = file->header->pid;
	row->parent = file->header->parent;
	row->intercepted = 1;
	row->rank = collected->rank;
	snprintf(row->host, sizeof row->host, "%s", host ? host : "");
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

static void note_troubles(struct process_file *file, struct run *run)
{
	static const struct {
		uint32_t bit;
		const char *code;
	} troubles[] = {
		{TROUBLE_NO_PAGE, "no_offcpu_page"},	{TROUBLE_NO_SCHEDSTAT, "no_schedstat"},
		{TROUBLE_NO_ROOM, "session_disk_full"}, {TROUBLE_FILE_LIMIT, "session_file_limit"},
		{TROUBLE_SHUT_OUT, "session_shut_out"}, {TROUBLE_SHAPES_FULL, "shape_table_full"},
		{TROUBLE_LOOKUPS_FULL, "lookups_full"}, {TROUBLE_UNIT_TAKEN, "unit_taken"},
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
	if (process_file_is_damaged(file))
		run_add_note(run, "record_damaged", "process %d (%.63s)", header->pid,
			     header->command);
}

/* The cost per call is the machine's, not the process's: of several calibrations the least was
 * disturbed least. */
static void least_cost(const struct files *files, struct thread_frame *frame)
{
	double scale = frame->line.ns_per_tick;

	for (size_t i = 0; i < files->count; i++) {
		const struct process_header *header = files->items[i].header;
		double whole = (header->call_inside_ticks + header->call_outside_ticks) * scale;

		if (!(header->call_inside_ticks >= 0 && header->call_outside_ticks >= 0) ||
		    !(whole > 0 && isfinite(whole)) ||
		    (frame->call_inside_ns + frame->call_outside_ns > 0 &&
		     whole >= frame->call_inside_ns + frame->call_outside_ns))
			continue;
		frame->call_inside_ns = header->call_inside_ticks * scale;
		frame->call_outside_ns = header->call_outside_ticks * scale;
	}
}

/* In a region no thread's time is clipped to a common span: the longest inside is the ROI's length.
 */
static int64_t longest_thread(const struct run *run)
{
	int64_t longest = 0;

	for (size_t i = 0; i < run->nthreads; i++)
		if (run->threads[i].end_ns > longest)
			longest = run->threads[i].end_ns;
	return longest;
}

static int collect_files(struct files *files, struct thread_frame *frame, struct run *run,
			 struct collected *collected)
{
	size_t first = run->nprocesses;

	for (size_t i = 0; i < files->count; i++)
		if (add_process(&files->items[i], &frame->line, run, collected))
			return -1;
	if (frame->roi_start_ns && collected->roi_end_ns) { /* the whole process */
		collected->roi_start_ns = frame->roi_start_ns;
		if (frame->roi_end_ns)
			collected->roi_end_ns = frame->roi_end_ns;
	}
	frame->roi_start_ns = collected->roi_start_ns;
	frame->roi_end_ns = collected->roi_end_ns;
	least_cost(files, frame);
	for (size_t i = 0; i < files->count; i++)
		if (collect_threads(&files->items[i], (int)(first + i), frame, run) ||
		    collect_regions(&files->items[i], frame, run) ||
		    collect_shapes(&files->items[i], frame, run) ||
		    collect_mpi(&files->items[i], frame, run) ||
		    collect_blas(files->items[i].header, run, collected))
			return -1;
	if (frame->region && collect_roi_names(files->items, files->count, run))
		return -1;
	for (size_t i = 0; i < files->count; i++)
		note_troubles(&files->items[i], run);
	for (size_t i = 0; i < run->nprocesses; i++)
		if (run->processes[i].calls) {
			run->processes[i].start_ns -= frame->roi_start_ns;
			run->processes[i].end_ns -= frame->roi_start_ns;
		}
	table_merge_rows(&run_tables[RUN_PART_SHAPES], run);
	if (frame->roi_start_ns)
		run->roi_started_ns =
			frame->roi_start_ns + clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	run->roi_ns = frame->region ? longest_thread(run) : frame->roi_end_ns - frame->roi_start_ns;
	run->call_inside_ns = frame->call_inside_ns;
	run->call_outside_ns = frame->call_outside_ns;
	return 0;
}

int collect_run(const struct session_dir *session, const struct collect_roi *roi, struct run *run,
		struct collected *collected, struct error *err)
{
	struct thread_frame frame = {
		.line = session_clock_line(session),
		.region = roi->region,
		.roi_start_ns = roi->start_ns,
		.roi_end_ns = roi->end_ns,
	};
	struct files files = {0};
	int result;

	*collected = (struct collected){
		.rank = run_fact(run, "mpi.rank") ? atoi(run_fact(run, "mpi.rank")) : -1};
	note_removed(session, run);
	result = open_files(&files, session, run, err);
	if (!result && (collect_files(&files, &frame, run, collected) ||
			collect_pairs(files.items, files.count, &frame, run) ||
			collect_callers(files.items, files.count, &frame, run) ||
			collect_spans(files.items, files.count, &frame, run, collected) ||
			collect_stretches(files.items, files.count, &frame, &collected->regions)))
		result = out_of_memory(err);
	run_add_fact(run, "clock", session->clock == CLOCK_TICKS ? "CPU counter" : "clock_gettime");
	note_all_lost(session, run);
	close_files(&files);
	return result;
}

void collected_free(struct collected *collected)
{
	for (size_t i = 0; i < collected->nblas_objects; i++)
		free(collected->blas_objects[i]);
	free(collected->blas_objects);
	free(collected->watched);
	wait_regions_free(&collected->regions);
	memset(collected, 0, sizeof *collected);
}
