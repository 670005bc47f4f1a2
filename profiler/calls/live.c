/* live.c: what the threads of a session do while they run, from records that they still write. */
/* SPDX-License-Identifier: MIT */
#include "calls/live.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls/collect_parts.h"
#include "wire/running.h"
#include "wire/clock.h"
#include "base/array.h"

int live_goes_on(const struct session *control)
{
	return process_still_runs(control->profiler, control->begun_ns);
}

/* Has that process made a record in the session? */
static int has_process(const struct session_dir *session, pid_t pid)
{
	DIR *directory = session_list(session);
	struct dirent *entry;
	int number, found = 0;

	while (directory && !found && (entry = readdir(directory)))
		found = sscanf(entry->d_name, "p.%d.", &number) == 1 && number == pid;
	if (directory)
		closedir(directory);
	return found;
}

/* Before the program has started there is nothing to look at. */
static int is_wanted(const struct session_dir *session, const struct session *control, pid_t pid)
{
	return live_goes_on(control) && control->program &&
	       (!pid || control->profiler == pid || control->program == pid ||
		has_process(session, pid));
}

/* Keeps the newer of the two sessions in *session, and closes the other. */
static void try_path(const char *path, pid_t pid, struct session_dir *session,
		     struct session *control)
{
	struct session_dir other;
	struct session its;

	if (session_open(&other, path, &its, NULL))
		return;
	if (!is_wanted(&other, &its, pid) ||
	    (session->fd >= 0 && its.begun_ns <= control->begun_ns)) {
		session_close(&other);
		return;
	}
	session_close(session);
	*session = other;
	*control = its;
}

static void try_place(const char *place, pid_t pid, struct session_dir *session,
		      struct session *control)
{
	DIR *directory = opendir(place);
	struct dirent *entry;
	char path[512];

	while (directory && (entry = readdir(directory))) {
		if (strncmp(entry->d_name, SESSION_PREFIX, strlen(SESSION_PREFIX)))
			continue;
		snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
		try_path(path, pid, session, control);
	}
	if (directory)
		closedir(directory);
}

int live_find(pid_t pid, struct session_dir *session, struct session *control)
{
	const char *const *places = session_places();

	*session = (struct session_dir){.fd = -1};
	for (size_t i = 0; places[i]; i++)
		try_place(places[i], pid, session, control);
	return session->fd < 0 ? -1 : 0;
}

static double positive(double value)
{
	return value > 0 ? value : 0;
}

static int add_thread(struct process_file *file, const struct clock_line *line,
		      const struct thread_record *record, struct live *live)
{
	struct call_sums sums = thread_sums(file, record);
	double blas_ns = (double)clock_line_span_ns(line, sums.blas_ticks);
	double gap_ns = (double)clock_line_span_ns(line, sums.gap_ticks);
	struct live_thread *thread;

	if (!sums.calls)
		return 0;
	thread = array_add(&live->threads, &live->count, sizeof *thread);
	if (!thread)
		return -1;
	*thread = (struct live_thread){
		.pid = file->header->pid,
		.tid = record->tid,
		.serial = record->serial,
		.calls = sums.calls,
		.flops = sums.flops,
		.blas_ns = positive(blas_ns - (double)sums.blas_preempted_ns),
		.other_ns = positive(gap_ns - (double)sums.gap_preempted_ns -
				     (double)sums.gap_waiting_ns),
		.stalled_ns = (double)sums.blas_waiting_ns,
		.waiting_ns = (double)sums.gap_waiting_ns,
		.preempted_ns = (double)sums.blas_preempted_ns + (double)sums.gap_preempted_ns,
		.ended = record->end_ticks != 0,
	};
	snprintf(thread->name, sizeof thread->name, "%.15s", record->name);
	return 0;
}

static int add_file(int directory, const char *name, const struct clock_line *line,
		    struct live *live)
{
	const struct thread_record *rows;
	struct process_file file;
	size_t at = 0, count;
	int failed = 0;

	if (process_file_open(&file, directory, name))
		return 0;
	failed = collect_sums(&file);
	while (!failed &&
	       (rows = process_file_rows(&file, &at, CHUNK_THREADS, sizeof *rows, &count)))
		for (size_t i = 0; i < count && !failed; i++)
			failed = add_thread(&file, line, &rows[i], live);
	process_file_close(&file);
	return failed;
}

int live_read(const struct session_dir *session, struct live *live, struct error *err)
{
	struct clock_line line = session_clock_line(session);
	DIR *directory = session_list(session);
	struct dirent *entry;
	int failed = 0;

	*live = (struct live){.at_ns = clock_ns(CLOCK_MONOTONIC)};
	if (!directory)
		return error_set(err, "see those that run: blasprof top",
				 "cannot read the session directory '%s': %s", session->path,
				 strerror(errno));
	while (!failed && (entry = readdir(directory)))
		if (!strncmp(entry->d_name, "p.", 2))
			failed = add_file(dirfd(directory), entry->d_name, &line, live);
	closedir(directory);
	return failed ? error_out_of_memory(err) : 0;
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

static struct live_rates make_rates(const struct live_thread *before, const struct live_thread *now,
				    double seconds)
{
	double blas_ns = positive(now->blas_ns - before->blas_ns);
	double other_ns = positive(now->other_ns - before->other_ns);
	double waiting_ns = positive(now->waiting_ns - before->waiting_ns);
	double preempted_ns = positive(now->preempted_ns - before->preempted_ns);
	double all_ns = blas_ns + other_ns + waiting_ns + preempted_ns;

	return (struct live_rates){
		.f = blas_ns / (blas_ns + other_ns),
		.blas = blas_ns / all_ns,
		.stalled = positive(now->stalled_ns - before->stalled_ns) / all_ns,
		.other = other_ns / all_ns,
		.waiting = waiting_ns / all_ns,
		.preempted = preempted_ns / all_ns,
		.calls_per_s =
			seconds > 0 ? positive((double)now->calls - (double)before->calls) / seconds
				    : NAN,
		.flops_per_s = seconds > 0 ? positive(now->flops - before->flops) / seconds : NAN,
	};
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
		const struct live_thread *thread = &live->threads[i];

		all.calls += thread->calls;
		all.flops += thread->flops;
		all.blas_ns += thread->blas_ns;
		all.stalled_ns += thread->stalled_ns;
		all.other_ns += thread->other_ns;
		all.waiting_ns += thread->waiting_ns;
		all.preempted_ns += thread->preempted_ns;
	}
	return all;
}

struct live_rates live_sum_rates(const struct live *before, const struct live *now)
{
	struct live_thread then = sum(before), all = sum(now);

	return make_rates(&then, &all, (double)(now->at_ns - before->at_ns) / 1e9);
}
