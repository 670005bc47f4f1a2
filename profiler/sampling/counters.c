/* counters.c: opens events to be counted in the program, alone and in groups, and reads the sums.
 */
/* SPDX-License-Identifier: MIT */
#include "sampling/counters.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sampling/counters_parts.h"
#include "perf/event.h"
#include "perf/event_sets.h"
#include "base/machine_files.h"
#include "perf/perf_open.h"
#include "perf/sysfs_event.h"
#include "base/array.h"

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

/* Its samples go to the ring of its CPU, and the time line knows them by the kernel's id. */
static int redirect(const struct counters *counters, const struct counters_target *target, int fd,
		    int ring_fd)
{
	uint64_t id;

	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd) || ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return -errno;
	return timeline_count(target->timeline, id, (uint32_t)counters->count - 1) ? -ENOMEM : 0;
}

static int keep_fd(struct counter *counter, int fd)
{
	int *place = fd < 0 ? NULL : array_add(&counter->fds, &counter->nfds, sizeof *place);

	if (fd < 0)
		return fd;
	if (!place) {
		close(fd);
		return -ENOMEM;
	}
	*place = fd;
	return 0;
}

/* On the CPUs of a unit that counts no tasks. */
static int open_on_cpus(struct counter *counter)
{
	struct perf_event_attr attr = counter->attr;
	struct cpu_list cpus = {0};
	int result = cpu_list_parse(&cpus, counter->cpus) ? -ENOMEM : 0;

	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	for (size_t i = 0; i < cpus.count && !result; i++)
		result = keep_fd(counter, perf_open(&attr, -1, cpus.cpu[i]));
	free(cpus.cpu);
	return result ? result : counter->nfds ? 0 : -ENODEV;
}

static int open_with(const struct counters *counters, struct counter *counter,
		     const struct counters_target *target, const struct counter *leader,
		     struct perf_event_attr *attr)
{
	size_t places = target->nrings ? target->nrings : 1;
	int result = 0;

	for (size_t i = 0; i < places && !result; i++) {
		int cpu = target->nrings ? target->rings[i].cpu : -1;
		int group = leader ? leader->fds[i] : -1;

		result = keep_fd(counter, perf_open_in_group(attr, target->child, cpu, group));
		if (!result && attr->sample_type)
			result = redirect(counters, target, counter->fds[i], target->rings[i].fd);
	}
	if (result)
		close_all(counter);
	return result;
}

/* Happens in the kernel alone: without its part there is none. */
static int is_kernels(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		attr->config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

/* One way, without the kernel's part where the user may not have it. */
static int open_way(const struct counters *counters, struct counter *counter,
		    const struct counters_target *target, const struct counter *leader, int rate_hz)
{
	struct perf_event_attr attr = counter->attr;
	int result;

	event_set_counting(&attr, rate_hz, leader != NULL);
	result = open_with(counters, counter, target, leader, &attr);
	if (attr.exclude_kernel || is_kernels(&attr) || (result != -EACCES && result != -EPERM))
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

/* Does the errno leave hope for another way? */
static int may_go_otherwise(int result)
{
	return result == -EINVAL || result == -EOPNOTSUPP || result == -ENOSPC;
}

static int open_counter(const struct counters *counters, struct counter *counter,
			const struct counters_target *target, const struct counter *leader)
{
	int result = -EINVAL;

	if (*counter->cpus)
		return open_on_cpus(counter);
	counter->by_clock = goes_by_clock(counter, target);
	for (size_t i = 0; i < sizeof ways / sizeof *ways && may_go_otherwise(result); i++) {
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
	struct sysfs_event event;

	counter->scale = 1;
	if (!sysfs_event_is(name))
		return event_encode(name, &counter->attr, err);
	if (sysfs_event_encode(root, name, &event, err))
		return -1;
	counter->attr = event.attr;
	counter->scale = event.scale;
	memcpy(counter->unit, event.unit, sizeof counter->unit);
	memcpy(counter->cpus, event.cpus, sizeof counter->cpus);
	return 0;
}

/* Is it this user or process that may not count, whatever the event? */
static int is_refused(int errnum)
{
	return errnum == EACCES || errnum == EPERM || errnum == ENOSYS || errnum == EMFILE;
}

/* errnum 0: the name is not known. */
static void note_refusal(const struct event_term *term, int errnum, const struct error *why,
			 struct run *run)
{
	const char *code = !errnum		? "counter_unknown"
			   : is_refused(errnum) ? "counter_refused"
						: "counter_missing";

	if (term->set || term->quiet)
		return; /* what of a set is there is counted: note_empty_sets() */
	run_add_note(run, code, "%s%s%s", why->what, why->remedy[0] ? "; " : "", why->remedy);
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

static void add_term(struct counters *counters, const struct event_term *term,
		     const struct counters_target *target, struct run *run)
{
	const char *only[] = {term->name, NULL};
	const char *const *names = term->choice ? term->choice->names : only;

	while (*names && try_name(counters, term, *names, target, run))
		names++;
	if (*names && counters->items[counters->count - 1].alone)
		run_add_note(run, "counter_group", "%s", *names);
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

/* Runs whenever the program does: what an event that took turns was counted for is a part of it. */
static int open_clock(pid_t child)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};

	event_set_counting(&attr, 0, 0);
	return perf_open(&attr, child, -1);
}

struct counters *counters_open(const struct event_list *list, const struct counters_target *target,
			       struct run *run)
{
	struct counters *counters = list->count ? calloc(1, sizeof *counters) : NULL;

	if (!counters)
		return NULL;
	counters->clock = open_clock(target->child);
	for (size_t i = 0; i < list->count; i++)
		add_term(counters, &list->terms[i], target, run);
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

static void read_counter(const struct counter *counter, struct reading *sum)
{
	struct reading one;

	*sum = (struct reading){0};
	for (size_t i = 0; i < counter->nfds; i++)
		if (read(counter->fds[i], &one, sizeof one) == sizeof one) {
			sum->count += one.count;
			sum->enabled_ns += one.enabled_ns;
			sum->running_ns += one.running_ns;
		}
}

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

int counters_read(const struct counters *counters, struct run *run)
{
	for (size_t i = 0; i < counters->count; i++) {
		const struct counter *counter = &counters->items[i];
		struct run_counter *row = table_add(&run_tables[RUN_PART_COUNTERS], run);
		struct reading sum;

		if (!row)
			return -1;
		read_counter(counter, &sum);
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
	return 0;
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
