/* collect.c: turns the shim's record files into rows of a run. */
/* SPDX-License-Identifier: MIT */
#include "calls/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/compute_unit.h"
#include "base/human.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/string_pool.h"
#include "blas/blas_objects.h"
#include "wire/clock.h"

/* Notes the processes that could not create their records. Each left a link to "ERRNO PROGRAM". */
static void note_lost(const struct session_dir *session, struct run *run)
{
	OWN_DIR *directory = session_list(session);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		const char *pid = entry->d_name + strlen(LOST_PREFIX);
		char text[96], *program;
		ssize_t length;
		long error;

		if (strncmp(entry->d_name, LOST_PREFIX, strlen(LOST_PREFIX)))
			continue;
		length = readlinkat(session->fd, entry->d_name, text, sizeof text - 1);
		if (length <= 0)
			continue;
		text[length] = '\0';
		error = strtol(text, &program, 10);
		program += *program == ' ';
		if (error == EPROTO)
			run_add_note(run, "other_version", "process %.10s (%.63s)", pid, program);
		else
			run_add_note(run, "calls_unrecorded",
				     "all calls of process %.10s (%.63s): %s", pid, program,
				     strerror(error > 0 && error < 4096 ? (int)error : 0));
	}
}

struct run_process *collect_process(struct run *run, int64_t pid, int64_t parent, int rank,
				    const char *command)
{
	struct run_process *row = table_add(&run_tables[RUN_PART_PROCESSES], run);

	row->pid = pid;
	row->parent = parent;
	row->rank = rank;
	snprintf(row->host, sizeof row->host, "%s", run_fact_text(run, "host"));
	snprintf(row->command, sizeof row->command, "%.63s", command);
	return row;
}

/* Adds a process with its calls; its times are those of the first and the last call. */
static void add_process(struct record_file *file, const struct clock_line *line, int rank,
			struct run *run)
{
	struct run_process *row =
		collect_process(run, file->pid, file->parent, rank, file->file.header->command);
	const struct thread_record *thread;

	row->intercepted = 1;
	EACH_RECORD(thread, &file->file, CHUNK_THREADS) {
		int64_t first = clock_line_ns(line, thread->first_ticks);
		int64_t last = larger(clock_line_ns(line, thread->last_ticks), first);
		uint64_t calls = record_sums(file, thread)->calls;

		if (!calls)
			continue;
		row->start_ns = row->calls ? smaller(row->start_ns, first) : first;
		row->end_ns = row->calls ? larger(row->end_ns, last) : last;
		row->calls += calls;
	}
}

/* Notes the processes that the sampler did not see although they are in its PID namespace. */
static void note_not_sampled(const struct records *records, const struct cpu_activity *activity,
			     struct run *run)
{
	const struct record_file *first = NULL;
	size_t count = 0;

	EACH_ROW(file, records->files, records->count) {
		if (!process_space_is_own(file->file.header->pid_space) ||
		    activity_find(activity, file->pid, file->pid, 0, INT64_MAX))
			continue;
		if (!count++)
			first = file;
	}
	if (first)
		run_add_note(run, "process_not_sampled", "%zu of %zu, first process %lld (%.63s)",
			     count, records->count, (long long)first->pid,
			     first->file.header->command);
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
		{TROUBLE_NO_MEMORY, "session_no_memory"},
		{TROUBLE_FILE_LIMIT, "session_file_limit"},
		{TROUBLE_SHUT_OUT, "session_shut_out"},
		{TROUBLE_SHAPES_FULL, "shape_table_full"},
		{TROUBLE_LOOKUPS_FULL, "lookups_full"},
		{TROUBLE_UNIT_TAKEN, "unit_taken"},
		{TROUBLE_BOUND_PAST, "calls_bound_past"},
	};
	const struct process_header *header = file->header;

	for (size_t i = 0; i < COUNT(troubles); i++)
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

/* If no process has marked the region of interest, notes the nearest names of regions. */
static void note_unmarked(struct records *records, struct run *run)
{
	struct nearest nearest = {.wanted = run->roi};
	char names[NEAREST_NAMES * REGION_NAME_BYTES];

	EACH_ROW(file, records->files, records->count) {
		const struct region_name *row;

		EACH_RECORD(row, &file->file, CHUNK_NAMES) {
			char name[REGION_NAME_BYTES];

			snprintf(name, sizeof name, "%.31s", row->text);
			if (!strncmp(name, nearest.wanted, sizeof name - 1))
				return;
			nearest_offer(&nearest, name);
		}
	}
	nearest_list(&nearest, ", ", names, sizeof names);
	run_add_note(run, "roi_unmarked", "'%s'; %s%s", run->roi,
		     nearest.count ? "the nearest that are marked: " : "none is marked at all",
		     names);
}

static void add_codes(struct record_file *file, struct collected *collected)
{
	const struct code_record *record;

	EACH_RECORD(record, &file->file, CHUNK_CODES) {
		struct jit_code *code =
			memory_add(&collected->codes, &collected->ncodes, sizeof *code);

		code->pid = (uint32_t)file->pid;
		code->start = record->start;
		code->bytes = record->bytes;
		snprintf(code->name, sizeof code->name, "%.111s", record->name);
	}
}

/* Sets type and unit of the calls whose arguments are not known, if all generated kernels that
 * multiply matrices have the same. The name of such a kernel ends with the matrices that its code
 * multiplies (shim/jit.c); kernels that copy or reorder have only a type in their names. */
static void set_kernel_types(const struct collected *collected, struct run *run)
{
	const char *kernel = NULL;

	for (size_t i = 0; i < collected->ncodes; i++) {
		const char *name = collected->codes[i].name;

		if (blas_kernel_is_simple(name) || !strchr(name, '['))
			continue;
		if (kernel && (compute_type_of(kernel) != compute_type_of(name) ||
			       compute_unit_of(kernel) != compute_unit_of(name)))
			return;
		kernel = name;
	}
	for (size_t i = 0; i < run->nshapes && kernel; i++)
		if (run->shapes[i].shape.type == 'u') {
			run->shapes[i].kernel_type = compute_type_of(kernel);
			run->shapes[i].unit = (int)compute_unit_of(kernel);
		}
}

#define LIBRARIES_MAX 9 /* that a run names */

static void add_text(struct run *run, const char *fact, int library, const char *text)
{
	if (*text)
		run_add_fact(run, run_library_fact(fact, library), text);
}

static int same_fact(const struct run *run, const char *fact, int library, const char *text)
{
	return !strcmp(run_fact_text(run, run_library_fact(fact, library)), text);
}

/* Adds a library, unless one with the same name and version is known: it may be a wrapper of it, or
 * of another process. Returns the library's number. The number of threads is the one that the
 * program has set, at the process's end if it was recorded. */
static int add_library(const struct process_header *header, int provider, struct run *run)
{
	const struct blas_facts *facts = &header->libraries[provider];
	const char *path = TEXT(header->providers[provider]), *name = TEXT(facts->name);
	const char *version = TEXT(facts->version);
	int32_t threads = header->exit_ticks ? facts->threads_end : facts->threads;
	int library = 1;

	if (!*name) /* the library does not tell its name */
		name = string_printf("%.63s", basename(path));
	for (; run_fact(run, run_library_fact("blas", library)); library++)
		if (library == LIBRARIES_MAX || (same_fact(run, "blas", library, name) &&
						 same_fact(run, "blas_version", library, version)))
			return library;
	add_text(run, "blas", library, name);
	add_text(run, "blas_path", library, path);
	add_text(run, "blas_version", library, version);
	add_text(run, "blas_core", library, TEXT(facts->core));
	add_text(run, "blas_layer", library, TEXT(facts->layer));
	if (!facts->threads && !facts->threads_end)
		return library;
	add_text(run, "blas_threads", library, string_printf("%d", threads));
	if (threads != facts->threads)
		add_text(run, "blas_threads_first", library, string_printf("%d", facts->threads));
	return library;
}

/* Adds the objects to which calls of the process were forwarded, each once, and to the run's facts
 * what these libraries report about themselves. */
static void collect_libraries(const struct process_header *header, struct collected *collected,
			      struct run *run)
{
	char list[400] = "";
	unsigned seen = 0; /* 1 << number of each library */

	for (int i = 0; i < PROVIDERS_MAX && header->providers[i][0]; i++) {
		unsigned library = 1u << add_library(header, i, run);
		const char *path = TEXT(header->providers[i]);
		size_t known = 0;

		while (known < collected->nblas_objects &&
		       strcmp(collected->blas_objects[known], path))
			known++;
		if (known == collected->nblas_objects)
			memory_append(&collected->blas_objects, &collected->nblas_objects,
				      sizeof path, &path);
		if (!(seen & library))
			SAY(list, "%s%.255s", seen ? ", " : "", header->providers[i]);
		seen |= library;
	}
	if (seen & (seen - 1))
		run_add_note(run, "several_blas", "%s", list);
}

/* Sets the length and the CPU time of a marked region. Its CPU time is that of the callers inside
 * it. Threads' times are not clipped to a common span: the longest time inside is the ROI's length.
 */
static void measure_region(struct run *run)
{
	int64_t cpu_ns = 0;

	run->roi_ns = 0;
	EACH_ROW(thread, run->threads, run->nthreads) {
		cpu_ns += thread->times.ns[CAT_BLAS] - thread->times.blas_waiting_ns +
			  thread->times.ns[CAT_OTHER];
		run->roi_ns = larger(run->roi_ns, thread->end_ns);
	}
	run->roi_cpu_ns = smaller(cpu_ns, run->cpu_ns);
}

int collect_open(const struct session_dir *session, const struct collect_roi *roi,
		 const struct collect_seen *seen, struct run *run, struct collected *collected,
		 struct error *err)
{
	const char *rank = run_fact(run, "mpi.rank");
	struct records *records = &collected->records;

	*collected = (struct collected){.rank = rank ? atoi(rank) : -1};
	if (faccessat(session->fd, SESSION_FILE, F_OK, 0) && errno == ENOENT)
		run_add_note(run, "record_damaged",
			     "files were removed from the session directory '%s' meanwhile",
			     session->path);
	run_add_fact(run, "clock",
		     session->control.clock == CLOCK_TICKS ? "CPU counter" : "clock_gettime");
	if (records_open(records, session, run, err))
		return -1;
	if (seen)
		records_number(records, seen->tasks, seen->ntasks);
	records->frame.region = roi->kind == COLLECT_REGION;
	EACH_ROW(file, records->files, records->count) {
		add_process(file, &records->frame.line, collected->rank, run);
		add_codes(file, collected);
		collect_libraries(file->file.header, collected, run);
	}
	return 0;
}

void collect_run(const struct session_dir *session, const struct collect_roi *roi,
		 const struct collect_seen *seen, const struct cpu_activity *activity,
		 struct run *run, struct collected *collected)
{
	struct records *records = &collected->records;
	struct thread_frame *frame = &records->frame;
	struct address_table own;

	frame->activity = activity;
	roi_find(roi, records, run);
	EACH_ROW(process, run->processes, run->nprocesses)
		if (process->calls) { /* times are relative to the start of the ROI */
			process->start_ns -= frame->roi_start_ns;
			process->end_ns -= frame->roi_start_ns;
		}
	collect_threads(records, run);
	collect_shapes(records, run);
	set_kernel_types(collected, run);
	run->roi_ns = frame->roi_end_ns - frame->roi_start_ns;
	if (frame->region) {
		measure_region(run);
		if (!run->roi_ns) /* its name may lack room in the record */
			note_unmarked(records, run);
	}
	EACH_ROW(file, records->files, records->count) {
		for (int i = 0; i < CPU_WORDS; i++)
			collected->cpus[i] |= file->file.header->cpus[i];
		note_troubles(&file->file, run);
	}
	if (activity)
		note_not_sampled(records, activity, run);
	collect_pairs(records, run);
	address_table_init(&own);
	collect_callers(records, seen ? seen->addresses : &own, run);
	address_table_free(&own);
	collect_timeline(records, run, &collected->watched, &collected->nwatched);
	wait_regions_collect(&collected->regions, records);
	note_lost(session, run);
	if (frame->roi_start_ns)
		run->roi_started_ns =
			frame->roi_start_ns + clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	run->call_inside_ns = frame->call_inside_ns;
	run->call_outside_ns = frame->call_outside_ns;
}

void collect_work(const char *asked, struct run *run)
{
	double marked = run->work, all_ns = 0, unknown_ns = 0;
	uint64_t calls = 0, unknown = 0;

	run->work = 0;
	if (asked && !strcmp(asked, "steps")) {
		if (marked > 0)
			snprintf(run->work_unit, sizeof run->work_unit, "steps");
		else
			run_add_note(run, "no_progress", "%s", run->command);
		run->work = marked;
		return;
	}
	if (asked)
		run_add_fact(run, "work_asked", asked);
	EACH_ROW(row, run->shapes, run->nshapes) {
		calls += row->calls;
		all_ns += (double)row->total_ns;
		if (!call_shape_has_flops(&row->shape)) {
			unknown += row->calls;
			unknown_ns += (double)row->total_ns;
		}
	}
	if (!(unknown_ns > UNKNOWN_FLOPS_MAX * all_ns))
		return;
	run_add_note(run, "unknown_shapes", "%llu of %llu calls, %.0f %% of their time",
		     (unsigned long long)unknown, (unsigned long long)calls,
		     100 * unknown_ns / all_ns);
	if (asked)
		return;
	run->work = (double)calls;
	snprintf(run->work_unit, sizeof run->work_unit, "calls");
}

void collected_free(struct collected *collected)
{
	free(collected->blas_objects);
	free(collected->watched);
	free(collected->codes);
	wait_regions_free(&collected->regions);
	records_close(&collected->records);
	memset(collected, 0, sizeof *collected);
}
