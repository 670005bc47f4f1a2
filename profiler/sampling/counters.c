/* counters.c: opens events to be counted in the program, alone and in groups, reads the sums, and
 * shares them out to BLAS, other code and threads by samples. */
/* SPDX-License-Identifier: MIT */
#include "sampling/counters.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/machine_files.h"
#include "perf/event.h"
#include "perf/perf_open.h"
#include "perf/event_list.h"

struct counter {
	char name[EVENT_NAME_BYTES];
	struct perf_event_attr attr;
	double scale;
	char unit[16];
	char cpus[128]; /* as in struct energy_event; "": it counts tasks */
	int flops;	/* of one count; 0: not known, or none */
	int group;	/* that it is counted in; 0: none */
	int sampled, alone, user_only;
	int by_clock; /* 1: the sampling event is a clock as well, whose samples share it out */
	int *fds;     /* one for each ring, or one, or one for each of the unit's CPUs */
	size_t nfds;
};

struct counters {
	struct counter *items;
	size_t count;
	int clock; /* the event that is enabled while the program runs; -1: none */
};

/* How a counter is opened; the first way that the kernel takes is taken. */
struct way {
	int sampled, grouped;
};
static const struct way ways[] = {{1, 1}, {0, 1}, {1, 0}, {0, 0}};

static void close_all(struct counter *counter)
{
	for (size_t i = 0; i < counter->nfds; i++)
		close(counter->fds[i]);
	free(counter->fds);
	counter->fds = NULL;
	counter->nfds = 0;
}

/* Takes the descriptor that perf_open() returned. 0 or minus the errno. */
static int add_fd(struct counter *counter, int fd)
{
	if (fd < 0)
		return fd;
	if (!array_append(&counter->fds, &counter->nfds, sizeof fd, &fd))
		return 0;
	close(fd);
	return -ENOMEM;
}

/* On the CPUs of a unit that counts no tasks. */
static int open_on_cpus(struct counter *counter)
{
	struct perf_event_attr attr = counter->attr;
	struct cpu_list cpus = {0};
	int result = cpu_list_parse(&cpus, counter->cpus) ? -ENOMEM : 0;

	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	for (size_t i = 0; i < cpus.count && !result; i++)
		result = add_fd(counter, perf_open(&attr, -1, cpus.cpu[i]));
	free(cpus.cpu);
	return result ? result : counter->nfds ? 0 : -ENODEV;
}

/* On each ring's CPU, or without rings on all. Samples of it go to the ring, and the timeline knows
 * them by the kernel's id. */
static int open_with(const struct counters *counters, struct counter *counter,
		     const struct counters_target *target, const struct counter *leader,
		     struct perf_event_attr *attr)
{
	size_t count = target->nrings ? target->nrings : 1;
	int result = 0;

	for (size_t i = 0; i < count && !result; i++) {
		int cpu = target->nrings ? target->rings[i].cpu : -1;
		int group = leader ? leader->fds[i] : -1;
		uint64_t id;

		result = add_fd(counter, perf_open_in_group(attr, target->child, cpu, group));
		if (result || !attr->sample_type)
			continue;
		if (ioctl(counter->fds[i], PERF_EVENT_IOC_SET_OUTPUT, target->rings[i].fd) ||
		    ioctl(counter->fds[i], PERF_EVENT_IOC_ID, &id))
			result = -errno;
		else if (timeline_count(target->timeline, id, (uint32_t)counters->count - 1))
			result = -ENOMEM;
	}
	if (result)
		close_all(counter);
	return result;
}

/* One way, without the kernel's part where the user may not have it. */
static int open_way(const struct counters *counters, struct counter *counter,
		    const struct counters_target *target, const struct counter *leader, int rate_hz)
{
	struct perf_event_attr attr = counter->attr;
	int kernels_own = attr.type == PERF_TYPE_SOFTWARE && /* without its part there is none */
			  (attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
			   attr.config == PERF_COUNT_SW_CPU_MIGRATIONS);
	int result;

	event_set_counting(&attr, rate_hz, leader != NULL);
	result = open_with(counters, counter, target, leader, &attr);
	if (attr.exclude_kernel || kernels_own || (result != -EACCES && result != -EPERM))
		return result;
	attr.exclude_kernel = 1;
	if (!open_with(counters, counter, target, leader, &attr)) {
		counter->user_only = 1;
		return 0;
	}
	return result;
}

/* A clock is not sampled again where a clock is sampled anyway, of the same code: that would cost
 * twice. */
static int goes_by_clock(const struct counter *counter, const struct counters_target *target)
{
	const struct perf_event_attr *attr = &counter->attr, *sampled = target->sampled;

	return sampled && target->nrings && event_is_clock(attr) && event_is_clock(sampled) &&
	       !attr->sample_period && attr->exclude_user == sampled->exclude_user &&
	       attr->exclude_kernel <= sampled->exclude_kernel;
}

static int open_counter(const struct counters *counters, struct counter *counter,
			const struct counters_target *target, const struct counter *leader)
{
	int result = -EINVAL;

	if (*counter->cpus)
		return open_on_cpus(counter);
	counter->by_clock = goes_by_clock(counter, target);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (result != -EINVAL && result != -EOPNOTSUPP && result != -ENOSPC)
			break; /* no other way will do */
		if (ways[i].sampled &&
		    (!target->nrings || target->rate_hz <= 0 || counter->by_clock))
			continue;
		if (!ways[i].grouped && !leader)
			continue;
		counter->sampled = ways[i].sampled;
		counter->alone = !ways[i].grouped;
		result = open_way(counters, counter, target, ways[i].grouped ? leader : NULL,
				  ways[i].sampled ? target->rate_hz : 0);
	}
	return result;
}

static int encode(struct counter *counter, const char *root, const char *name, struct error *err)
{
	struct energy_event event;

	counter->scale = 1;
	if (!energy_is(name))
		return event_encode(name, &counter->attr, err);
	if (energy_encode(root, name, &event))
		return error_set(err, "", "this machine has no energy counter '%s'", name);
	counter->attr = event.attr;
	counter->scale = event.joules;
	snprintf(counter->unit, sizeof counter->unit, ENERGY_UNIT);
	memcpy(counter->cpus, event.cpus, sizeof counter->cpus);
	return 0;
}

/* errnum 0: the name is not known. What of a set is there is counted: see note_empty_sets(). */
static void note_refusal(const struct event_term *term, int errnum, const struct error *why,
			 struct run *run)
{
	int refused = errnum == EACCES || errnum == EPERM || errnum == ENOSYS || errnum == EMFILE;

	if (!term->set && !term->quiet)
		run_add_note(run,
			     !errnum   ? "counter_unknown"
			     : refused ? "counter_refused"
				       : "counter_missing",
			     "%s%s%s", why->what, why->remedy[0] ? "; " : "", why->remedy);
}

/* Tries one name. 0: it is counted. */
static int try_name(struct counters *counters, const struct event_term *term, const char *name,
		    const struct counters_target *target, struct run *run)
{
	struct counter *counter = array_add(&counters->items, &counters->count, sizeof *counter);
	const struct counter *leader = NULL;
	struct error why;
	int unknown, result;

	if (!counter)
		return -1;
	for (size_t i = 0; term->group && i + 1 < counters->count && !leader; i++)
		if (counters->items[i].group == term->group && !*counters->items[i].cpus)
			leader = &counters->items[i];
	snprintf(counter->name, sizeof counter->name, "%s", name);
	unknown = encode(counter, target->root, name, &why);
	result = unknown ? -ENOENT : open_counter(counters, counter, target, leader);
	if (!result) {
		counter->group = counter->alone ? 0 : term->group;
		counter->flops = term->choice ? term->choice->flops : 0;
		return 0;
	}
	close_all(counter);
	counters->count--;
	if (!unknown)
		error_set(&why, "", "%s: %s", name, perf_open_cause(-result));
	note_refusal(term, unknown ? 0 : -result, &why, run);
	return -1;
}

/* A set of which nothing is counted. */
static void note_empty_sets(const struct counters *counters, const struct event_list *list,
			    struct run *run)
{
	const char *noted = NULL;

	for (size_t i = 0; i < list->count; i++) {
		const char *set = list->terms[i].set;
		int found = 0;

		if (!set || set == noted)
			continue;
		for (size_t j = 0; j < counters->count && !found; j++)
			for (size_t k = 0; k < list->count && !found; k++)
				found = list->terms[k].set == set &&
					event_choice_has(list->terms[k].choice,
							 counters->items[j].name);
		if (!found)
			run_add_note(run, "counter_missing",
				     "this machine counts no event of the set '%s'", set);
		noted = set;
	}
}

struct counters *counters_open(const struct event_list *list, const struct counters_target *target,
			       struct run *run)
{
	struct counters *counters = list->count ? calloc(1, sizeof *counters) : NULL;
	struct perf_event_attr clock = {
		.size = sizeof clock,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};

	if (!counters)
		return NULL;
	/* runs whenever the program does: events that take turns are counted for a part of it */
	event_set_counting(&clock, 0, 0);
	counters->clock = perf_open(&clock, target->child, -1);
	for (size_t i = 0; i < list->count; i++) {
		const struct event_term *term = &list->terms[i];
		const char *only[] = {term->name, NULL};
		const char *const *names = term->choice ? term->choice->names : only;

		while (*names && try_name(counters, term, *names, target, run))
			names++;
		if (*names && counters->items[counters->count - 1].alone)
			run_add_note(run, "counter_group", "%s", *names);
	}
	note_empty_sets(counters, list, run);
	if (counters->count)
		return counters;
	counters_free(counters);
	return NULL;
}

/* What a read() gives with event_set_counting()'s format. */
struct reading {
	uint64_t count, enabled_ns, running_ns;
};

/* An event that is opened on each CPU is enabled on all of them, and runs on the one where the task
 * is: the clock knows how long that was. */
static double counted_share(const struct counters *counters, const struct counter *counter,
			    const struct reading *sum)
{
	uint64_t whole_ns = sum->enabled_ns;
	struct reading clock;

	if (!*counter->cpus && counters->clock >= 0 &&
	    read(counters->clock, &clock, sizeof clock) == sizeof clock)
		whole_ns = clock.enabled_ns;
	if (!whole_ns || sum->running_ns >= whole_ns)
		return 1;
	return (double)sum->running_ns / (double)whole_ns;
}

void counters_read(const struct counters *counters, struct run *run)
{
	for (size_t i = 0; i < counters->count; i++) {
		const struct counter *counter = &counters->items[i];
		struct run_counter *row = table_add(&run_tables[RUN_PART_COUNTERS], run);
		struct reading sum = {0}, one;

		for (size_t j = 0; j < counter->nfds; j++)
			if (read(counter->fds[j], &one, sizeof one) == sizeof one) {
				sum.count += one.count;
				sum.enabled_ns += one.enabled_ns;
				sum.running_ns += one.running_ns;
			}
		memcpy(row->event, counter->name, sizeof row->event);
		memcpy(row->unit, counter->unit, sizeof row->unit);
		row->flops_each = counter->flops;
		row->user_only = counter->user_only;
		row->counted = counted_share(counters, counter, &sum);
		row->count =
			row->counted > 0 ? (double)sum.count * counter->scale / row->counted : NAN;
		row->blas = row->other = row->kernel = row->outside = NAN;
		row->exact_blas = row->exact_other = NAN;
	}
}

/* What the samples of one event say, by task and code; in the region, out of it and in all. */
struct shares {
	double (*by_task)[RUN_CODE_COUNT];
	double outside, all;
};

/* Adds the parts of the counter and rows of the threads that have any. The samples are a part of
 * the count: a factor makes it whole. */
static void add_shares(const struct shares *shares, const struct timeline *timeline,
		       struct run_counter *counter, struct run *run)
{
	double factor = counter->count / shares->all;

	if (!(shares->all > 0) || !isfinite(factor))
		return;
	snprintf(counter->split, sizeof counter->split, "samples");
	counter->blas = counter->other = counter->kernel = 0;
	counter->outside = factor * shares->outside;
	for (size_t i = 0; i < timeline->ntasks; i++) {
		const double *parts = shares->by_task[i];
		struct run_thread_counter *row;

		if (!(parts[RUN_CODE_BLAS] + parts[RUN_CODE_OTHER] + parts[RUN_CODE_KERNEL] > 0))
			continue;
		row = table_add(&run_tables[RUN_PART_THREAD_COUNTERS], run);
		row->pid = timeline->tasks[i].pid;
		row->tid = timeline->tasks[i].tid;
		snprintf(row->event, sizeof row->event, "%s", counter->event);
		counter->blas += row->blas = factor * parts[RUN_CODE_BLAS];
		counter->other += row->other = factor * parts[RUN_CODE_OTHER];
		counter->kernel += row->kernel = factor * parts[RUN_CODE_KERNEL];
	}
}

void counters_share(const struct counters *counters, const struct timeline *timeline,
		    const enum run_code *code, int64_t start_ns, int64_t end_ns, struct run *run)
{
	size_t first = run->ncounters - counters->count;

	for (size_t i = 0; i < counters->count; i++) {
		const struct sample_log *log = counters->items[i].by_clock ? &timeline->log
					       : i < timeline->ncounted ? &timeline->counted_logs[i]
									: NULL;
		struct shares shares = {memory_rows(timeline->ntasks, sizeof *shares.by_task), 0,
					0};

		for (size_t j = 0; log && j < log->count; j++) {
			const struct log_entry *entry = &log->entries[j];
			double count = (double)entry->count;

			if (log_is_off_cpu(entry))
				continue;
			shares.all += count;
			if (entry->time_ns < start_ns || entry->time_ns > end_ns)
				shares.outside += count;
			else
				shares.by_task[entry->task][code[entry->address]] += count;
		}
		if (log)
			add_shares(&shares, timeline, &run->counters[first + i], run);
		free(shares.by_task);
	}
}

void counters_free(struct counters *counters)
{
	if (!counters)
		return;
	for (size_t i = 0; i < counters->count; i++)
		close_all(&counters->items[i]);
	if (counters->clock >= 0)
		close(counters->clock);
	free(counters->items);
	free(counters);
}
