/* counters.c: counts events in the program, and divides the counts by samples. */
/* SPDX-License-Identifier: MIT */
#include "sampling/sampler.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/machine_files.h"
#include "perf/event.h"
#include "perf/event_list.h"
#include "wire/files.h"

struct counter {
	char name[EVENT_NAME_BYTES];
	struct perf_event_attr attr;
	double scale;
	char unit[16];
	char cpus[128]; /* as in struct energy_event; "" if the event counts tasks */
	int flops;	/* floating-point operations of one count, or 0 */
	int group;	/* number of its group, or 0 */
	int alone, user_only;
	int by_clock; /* 1 if the samples of the sampling event, which is a clock too, divide its
		       * count */
	struct event_fds
		events; /* one for each ring, a single one, or one for each CPU of the unit */
};

struct counters {
	struct counter *items;
	size_t count;
	int clock; /* an event that is enabled while the program runs, or -1 */
};

/* How a counter can be opened. The first way that the kernel accepts is used. */
static const struct {
	int sampled, grouped;
} ways[] = {{1, 1}, {0, 1}, {1, 0}, {0, 0}};

/* Opens the counter in one way: on the CPU of each ring, or without rings on all CPUs, and without
 * the kernel's part if the user may not count that. Its samples go to the ring, where the timeline
 * knows them by the event id of the kernel. Returns 0 or minus the errno. */
static int open_way(const struct counters *counters, struct counter *counter,
		    const struct counters_target *target, const struct counter *leader, int rate_hz)
{
	struct perf_event_attr attr = counter->attr;
	int is_kernel_only =
		attr.type == PERF_TYPE_SOFTWARE && /* events that occur in the kernel only */
		(attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		 attr.config == PERF_COUNT_SW_CPU_MIGRATIONS);
	size_t count = target->nrings ? target->nrings : 1;
	int result = 0, first_cpu = target->nrings ? target->rings[0].cpu : -1;
	struct idmap *ids = target->timeline ? &target->timeline->counted_ids : NULL;

	if (!is_kernel_only) /* sets attr.exclude_kernel if it must */
		file_close(perf_open_allowed(&attr, target->child, first_cpu));
	counter->user_only = attr.exclude_kernel > counter->attr.exclude_kernel;
	event_set_counting(&attr, rate_hz, leader != NULL);
	for (size_t i = 0; i < count && !result; i++) {
		int cpu = target->nrings ? target->rings[i].cpu : -1;
		int group = leader ? leader->events.fds[i] : -1;

		result = event_fds_add(&counter->events,
				       perf_open_in_group(&attr, target->child, cpu, group),
				       attr.sample_type ? &target->rings[i] : NULL, ids,
				       (uint32_t)counters->count - 1);
	}
	if (result)
		event_fds_close(&counter->events);
	return result;
}

/* Opens the counter. Returns 0 or minus the errno. A clock is not sampled if a clock with the same
 * code is sampled anyway, because that would cost twice. */
static int open_counter(const struct counters *counters, struct counter *counter,
			const struct counters_target *target, const struct counter *leader)
{
	struct perf_event_attr attr = counter->attr;
	const struct perf_event_attr *sampled = target->sampled;
	int result = -EINVAL;

	if (*counter->cpus) { /* a unit that counts by CPU, not by task */
		struct cpu_list cpus = {0};

		result = 0;
		cpu_list_parse(&cpus, counter->cpus);
		attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		EACH_CPU(cpu, &cpus)
		if (!result)
			result = event_fds_add(&counter->events, perf_open(&attr, -1, cpu), NULL,
					       NULL, 0);
		return result ? result : counter->events.count ? 0 : -ENODEV;
	}
	counter->by_clock = sampled && target->nrings && event_is_clock(&attr) &&
			    event_is_clock(sampled) && !attr.sample_period &&
			    attr.exclude_user == sampled->exclude_user &&
			    attr.exclude_kernel <= sampled->exclude_kernel;
	EACH_ROW(way, ways, COUNT(ways)) {
		if (result != -EINVAL && result != -EOPNOTSUPP && result != -ENOSPC)
			break; /* no other way will do */
		if (way->sampled && (!target->nrings || target->rate_hz <= 0 || counter->by_clock))
			continue;
		if (!way->grouped && !leader)
			continue;
		counter->alone = !way->grouped;
		result = open_way(counters, counter, target, way->grouped ? leader : NULL,
				  way->sampled ? target->rate_hz : 0);
	}
	return result;
}

/* Tries to count the event of this name. Returns -1, with a note of the run, if that fails. For a
 * member of a set there is no such note: counters_open() adds one if no member is counted. */
static int try_name(struct counters *counters, const struct event_term *term, const char *name,
		    const struct counters_target *target, struct run *run)
{
	struct counter *counter = memory_add(&counters->items, &counters->count, sizeof *counter);
	const struct counter *leader = NULL;
	struct energy_event energy;
	struct error why;
	int unknown, result;

	for (size_t i = 0; term->group && i + 1 < counters->count && !leader; i++)
		if (counters->items[i].group == term->group && !*counters->items[i].cpus)
			leader = &counters->items[i];
	snprintf(counter->name, sizeof counter->name, "%s", name);
	counter->scale = 1;
	if (!energy_is(name)) {
		unknown = event_encode(name, &counter->attr, &why);
	} else if (energy_encode(target->root, name, &energy)) {
		unknown = error_set(&why, "", "this machine has no energy counter '%s'", name);
	} else {
		unknown = 0;
		counter->attr = energy.attr;
		counter->scale = energy.joules;
		snprintf(counter->unit, sizeof counter->unit, ENERGY_UNIT);
		memcpy(counter->cpus, energy.cpus, sizeof counter->cpus);
	}
	result = unknown ? -ENOENT : open_counter(counters, counter, target, leader);
	if (!result) {
		counter->group = counter->alone ? 0 : term->group;
		counter->flops = term->choice ? term->choice->flops : 0;
		return 0;
	}
	event_fds_close(&counter->events);
	counters->count--;
	if (!unknown)
		error_set(&why, "", "%s: %s", name, perf_open_cause(-result));
	if (!term->choice)
		run_add_note(run,
			     unknown ? "counter_unknown"
			     : result == -EACCES || result == -EPERM || result == -ENOSYS ||
					     result == -EMFILE
				     ? "counter_refused"
				     : "counter_missing",
			     "%s%s%s", why.what, why.remedy[0] ? "; " : "", why.remedy);
	return -1;
}

struct counters *counters_open(const struct event_list *list, const struct counters_target *target,
			       struct run *run)
{
	struct counters *counters = list->count ? memory_rows(1, sizeof *counters) : NULL;
	struct perf_event_attr clock = {
		.size = sizeof clock,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};
	const char *set = NULL; /* of the term before */
	int of_set = 0;		/* events of the set that are counted */

	if (!counters)
		return NULL;
	/* it runs whenever the program does, but events that take turns run a part of that time
	 * only */
	event_set_counting(&clock, 0, 0);
	counters->clock = perf_open(&clock, target->child, -1);
	EACH_ROW(term, list->terms, list->count) {
		const char *only[] = {term->name, NULL};
		const char *const *names = term->choice ? term->choice->names : only;

		while (*names && try_name(counters, term, *names, target, run))
			names++;
		if (*names && counters->items[counters->count - 1].alone)
			run_add_note(run, "counter_group", "%s", *names);
		of_set = (term->set == set ? of_set : 0) + (*names != NULL);
		set = term->set;
		if (set && !of_set && (term + 1 == list->terms + list->count || term[1].set != set))
			run_add_note(run, "counter_missing",
				     "this user can count no event of the set '%s' here", set);
	}
	if (counters->count)
		return counters;
	counters_free(counters);
	return NULL;
}

/* What read() returns with the format of event_set_counting(). */
struct reading {
	uint64_t count, enabled_ns, running_ns;
};

/* Adds the sums. An event that takes turns with others is scaled up. An event opened on each CPU is
 * enabled on all of them, and runs where the task is; counters->clock tells how long that was. */
void counters_read(const struct counters *counters, struct run *run)
{
	EACH_ROW(counter, counters->items, counters->count) {
		struct run_counter *row = table_add(&run_tables[RUN_PART_COUNTERS], run);
		struct reading sum = {0}, one;
		uint64_t whole_ns;

		EACH_ROW(fd, counter->events.fds, counter->events.count)
			if (read(*fd, &one, sizeof one) == sizeof one) {
				sum.count += one.count;
				sum.enabled_ns += one.enabled_ns;
				sum.running_ns += one.running_ns;
			}
		whole_ns = sum.enabled_ns;
		if (!*counter->cpus && counters->clock >= 0 &&
		    read(counters->clock, &one, sizeof one) == sizeof one)
			whole_ns = one.enabled_ns;
		memcpy(row->event, counter->name, sizeof row->event);
		memcpy(row->unit, counter->unit, sizeof row->unit);
		row->flops_each = counter->flops;
		row->user_only = counter->user_only;
		row->counted = !whole_ns || sum.running_ns >= whole_ns
				       ? 1
				       : (double)sum.running_ns / (double)whole_ns;
		row->count =
			row->counted > 0 ? (double)sum.count * counter->scale / row->counted : NAN;
		row->blas = row->other = row->kernel = row->outside = NAN;
		row->exact_blas = row->exact_other = NAN;
	}
}

/* Divides the count by the samples of its event, of which by_task[] has those in the region. Adds
 * rows for the threads that have any. The samples cover a part of the count; a factor makes it
 * whole. */
static void add_shares(double (*by_task)[RUN_CODE_COUNT], double outside, double samples,
		       const struct timeline *timeline, struct run_counter *counter,
		       struct run *run)
{
	double factor = counter->count / samples;

	if (!(samples > 0) || !isfinite(factor))
		return;
	snprintf(counter->split, sizeof counter->split, "samples");
	counter->blas = counter->other = counter->kernel = 0;
	counter->outside = factor * outside;
	for (size_t i = 0; i < timeline->ntasks; i++) {
		const double *parts = by_task[i];
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
		double(*by_task)[RUN_CODE_COUNT], outside = 0, samples = 0;

		if (!log)
			continue;
		by_task = memory_rows(timeline->ntasks, sizeof *by_task);
		EACH_ROW(entry, log->entries, log->count) {
			double count = (double)entry->count;

			if (log_is_off_cpu(entry))
				continue;
			samples += count;
			if (entry->time_ns < start_ns || entry->time_ns > end_ns)
				outside += count;
			else
				by_task[entry->task][code[entry->address]] += count;
		}
		add_shares(by_task, outside, samples, timeline, &run->counters[first + i], run);
		free(by_task);
	}
}

void counters_free(struct counters *counters)
{
	if (!counters)
		return;
	for (size_t i = 0; i < counters->count; i++)
		event_fds_close(&counters->items[i].events);
	if (counters->clock >= 0)
		close(counters->clock);
	free(counters->items);
	free(counters);
}
