/* live.c: what the threads of a session do while they run, from records that they still write. */
/* SPDX-License-Identifier: MIT */
#include "calls/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls/records.h"
#include "wire/process_file.h"
#include "wire/processes.h"
#include "wire/clock.h"
#include "base/array.h"

/* Has the process of that number in this PID namespace made a record in the session? */
static int has_process(const struct session_dir *session, pid_t pid, uint64_t space)
{
	DIR *directory = session_list(session);
	struct process_file file;
	struct dirent *entry;
	int number, found = 0;

	while (directory && !found && (entry = readdir(directory))) {
		if (sscanf(entry->d_name, "p.%d.", &number) != 1 || number != pid ||
		    process_file_open(&file, dirfd(directory), entry->d_name))
			continue;
		found = file.header->pid_space == space;
		process_file_close(&file);
	}
	if (directory)
		closedir(directory);
	return found;
}

/* Before the program has started there is nothing to look at. */
static int is_wanted(const struct session_dir *session, const struct session *control, pid_t pid)
{
	uint64_t space = process_space("self");

	return session_profiler_runs(session, control) && control->program &&
	       (!pid ||
		(control->pid_space == space &&
		 (control->profiler == pid || control->program == pid)) ||
		has_process(session, pid, space));
}

int live_find(pid_t pid, struct session_dir *session, struct session *control)
{
	char **paths;
	size_t count;

	*session = (struct session_dir){.fd = -1};
	if (session_paths(&paths, &count))
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct session_dir other;
		struct session its;

		if (session_open(&other, paths[i], &its, NULL))
			continue;
		if (is_wanted(&other, &its, pid) &&
		    (session->fd < 0 || its.begun_ns > control->begun_ns)) {
			session_close(session);
			*session = other;
			*control = its;
		} else {
			session_close(&other);
		}
	}
	session_paths_free(paths, count);
	return session->fd < 0 ? -1 : 0;
}

int live_read(const struct session_dir *session, struct live *live, struct error *err)
{
	struct records records;
	int failed;

	*live = (struct live){.at_ns = clock_ns(CLOCK_MONOTONIC)};
	failed = records_open(&records, session, NULL, err);
	for (size_t i = 0; i < records.count && !failed; i++) {
		struct record_file *file = &records.files[i];
		const struct thread_record *record;
		struct row_cursor at = {0};

		while (!failed && (record = process_file_next(&file->file, &at, CHUNK_THREADS,
							      sizeof *record))) {
			struct call_sums sums = record_sums(file, record);
			struct live_thread *thread;

			if (!sums.calls)
				continue;
			thread = array_add(&live->threads, &live->count, sizeof *thread);
			if (!thread) {
				failed = records_out_of_memory(err);
				continue;
			}
			*thread = (struct live_thread){
				.pid = file->file.header->pid,
				.tid = record->tid,
				.serial = record->serial,
				.calls = sums.calls,
				.flops = sums.flops,
				.times = sums_times(&records.frame, &sums),
				.ended = record->end_ticks != 0,
			};
			snprintf(thread->name, sizeof thread->name, "%.15s", record->name);
		}
	}
	records_close(&records);
	return failed;
}

void live_free(struct live *live)
{
	free(live->threads);
	*live = (struct live){0};
}

const struct live_thread *live_thread_find(const struct live *live,
					   const struct live_thread *thread)
{
	for (size_t i = 0; i < live->count; i++)
		if (live->threads[i].pid == thread->pid &&
		    live->threads[i].serial == thread->serial)
			return &live->threads[i];
	return NULL;
}

static double increase(double before, double now)
{
	return now > before ? now - before : 0;
}

static struct live_rates make_rates(const struct live_thread *before, const struct live_thread *now,
				    double seconds)
{
	struct live_rates rates = {.calls_per_s = NAN, .flops_per_s = NAN};
	double ns[CAT_COUNT], all_ns = 0;

	for (int i = 0; i < CAT_COUNT; i++) {
		ns[i] = increase((double)before->times.ns[i], (double)now->times.ns[i]);
		all_ns += ns[i];
	}
	for (int i = 0; i < CAT_COUNT; i++)
		rates.share[i] = ns[i] / all_ns;
	rates.f = ns[CAT_BLAS] / (ns[CAT_BLAS] + ns[CAT_OTHER]);
	rates.stalled = increase((double)before->times.blas_waiting_ns,
				 (double)now->times.blas_waiting_ns) /
			all_ns;
	if (seconds > 0) {
		rates.calls_per_s = increase((double)before->calls, (double)now->calls) / seconds;
		rates.flops_per_s = increase(before->flops, now->flops) / seconds;
	}
	return rates;
}

struct live_rates live_thread_rates(const struct live_thread *before, const struct live_thread *now,
				    double seconds)
{
	static const struct live_thread nothing;

	return make_rates(before ? before : &nothing, now, seconds);
}

static struct live_thread sum(const struct live *live)
{
	struct live_thread all = {0};

	for (size_t i = 0; i < live->count; i++) {
		all.calls += live->threads[i].calls;
		all.flops += live->threads[i].flops;
		time_split_add(&all.times, &live->threads[i].times);
	}
	return all;
}

struct live_rates live_sum_rates(const struct live *before, const struct live *now)
{
	struct live_thread then = sum(before), all = sum(now);

	return make_rates(&then, &all, (double)(now->at_ns - before->at_ns) / 1e9);
}
