/* sampler.c: chooses the sampling event, and drains the rings while the program runs. */
/* SPDX-License-Identifier: MIT */
#include "sampling/sampler.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "perf/choose_event.h"
#include "sampling/crowd.h"
#include "base/machine_files.h"
#include "sampling/sampler_parts.h"

/* Each round takes a CPU from the program: while nothing new is seen they come less and less often.
 */
enum { DRAIN_EVERY_MS = 100, DRAIN_SELDOM_MS = 1600, BLIND_ROUNDS = 50, MOST_WAKES = 4 };

/* What ends and starts of threads and their switches write to a ring at most, as they come as fast
 * as they can. */
#define RING_BYTES_A_MS (256 << 10)

static int64_t clock_now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The kernel refuses rates above its limit, which it lowers by itself on slow machines. */
static int allowed_rate(int rate_hz, struct run *run)
{
	long most_hz = machine_read_long("", "/proc/sys/kernel/perf_event_max_sample_rate", -1);

	if (most_hz < 1 || rate_hz <= most_hz)
		return rate_hz > 0 ? rate_hz : 1;
	run_add_note(run, "sample_rate_lowered",
		     "%d samples a second in place of %d: raise the sysctl "
		     "kernel.perf_event_max_sample_rate",
		     (int)most_hz, rate_hz);
	return (int)most_hz;
}

static void describe_event(const struct sampler *sampler, const char *event, struct run *run)
{
	char text[32];
	long paranoid = machine_read_long("", "/proc/sys/kernel/perf_event_paranoid", -100);

	run_add_fact(run, "sampler_event", event);
	snprintf(text, sizeof text, "%ld", paranoid);
	if (paranoid != -100)
		run_add_fact(run, "perf_event_paranoid", text);
	if (sampler->attr.exclude_kernel && !strchr(event, ':'))
		run_add_note(run, "no_kernel_samples",
			     "time in the kernel is not sampled: this user may not (sysctl "
			     "kernel.perf_event_paranoid is %ld, 1 or less allows it)",
			     paranoid);
}

/* A round: what was written before the previous round began is complete by now. 1: a task started
 * or an object was mapped. */
static int drain(struct sampler *sampler)
{
	int64_t now_ns = clock_now_ns(CLOCK_MONOTONIC);
	size_t known = sampler->timeline.ntasks + sampler->timeline.addresses.nobjects;

	for (size_t i = 0; i < sampler->nrings; i++)
		if (ring_drain(&sampler->rings[i], &sampler->merge.waiting))
			sampler->timeline.failed = 1;
	if (merge_feed(&sampler->merge, &sampler->timeline, sampler->horizon_ns))
		sampler->timeline.failed = 1;
	sampler->horizon_ns = now_ns;
	if (sampler->nwait_fds && crowd_came(&sampler->timeline, sampler->nrings)) {
		sampler_close_waits(sampler);
		sampler->crowded = 1;
	}
	return known != sampler->timeline.ntasks + sampler->timeline.addresses.nobjects;
}

/* Times that this thread went to sleep. */
static long count_sleeps(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nvcsw;
}

/* What the draining thread waits for: the end, and each ring. */
struct waiter {
	struct pollfd *fds;
	size_t count;
	int every_ms;	  /* at the latest */
	int blind_ms;	  /* how long a ring has room for */
	int blind_rounds; /* to come, in which it does not wait for the rings */
	int was_blind;	  /* before this round */
};

/* Waits until a ring is half full or the time is up. 1: go on; 0: the end. A ring whose tasks are
 * all gone is always ready, and is not waited for any more. The kernel wakes who waits for a ring
 * at each end of a thread too: thousands of threads a second would each take a CPU for that. Then
 * the rings are looked at by the clock for a while. */
static int wait_for_rings(struct waiter *waiter)
{
	long sleeps = count_sleeps();

	if (waiter->blind_rounds) {
		waiter->blind_rounds--;
		poll(waiter->fds, 1, waiter->blind_ms);
		return !waiter->fds[0].revents;
	}
	poll(waiter->fds, waiter->count, waiter->was_blind ? waiter->blind_ms : waiter->every_ms);
	for (size_t i = 1; i < waiter->count; i++)
		if (waiter->fds[i].revents & (POLLHUP | POLLERR))
			waiter->fds[i].fd = -1;
	waiter->was_blind = count_sleeps() - sleeps > MOST_WAKES;
	waiter->blind_rounds = waiter->was_blind ? BLIND_ROUNDS : 0;
	return !waiter->fds[0].revents;
}

static void *drain_rings(void *arg)
{
	struct sampler *sampler = arg;
	struct pollfd fds[sampler->nrings + 1];
	int ring_ms = (int)(sampler->rings[0].data_bytes / RING_BYTES_A_MS);
	struct waiter waiter = {.fds = fds,
				.count = sampler->nrings + 1,
				.every_ms = DRAIN_EVERY_MS,
				.blind_ms = ring_ms > 1 ? ring_ms : 1};

	fds[0] = (struct pollfd){.fd = sampler->stop_fd, .events = POLLIN};
	for (size_t i = 0; i < sampler->nrings; i++)
		fds[i + 1] = (struct pollfd){.fd = sampler->rings[i].fd, .events = POLLIN};
	while (wait_for_rings(&waiter)) {
		if (drain(sampler))
			waiter.every_ms = DRAIN_EVERY_MS;
		else if (waiter.every_ms < DRAIN_SELDOM_MS)
			waiter.every_ms *= 2;
	}
	return NULL;
}

/* The thread takes no signal: they are for the profiler's main thread. */
static int start_thread(struct sampler *sampler, struct error *err)
{
	sigset_t all, before;
	int result;

	sampler->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (sampler->stop_fd < 0)
		return error_set(err, "raise the limit in this shell with 'ulimit -n 4096'",
				 "cannot open an eventfd: %s", strerror(errno));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(&sampler->thread, NULL, drain_rings, sampler);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (result)
		return error_set(err, "raise the limit of processes, 'ulimit -u'",
				 "cannot start the sampling thread: %s", strerror(result));
	sampler->running = 1;
	return 0;
}

static struct sampler *sampler_new(pid_t child)
{
	struct sampler *sampler = calloc(1, sizeof *sampler);

	if (!sampler)
		return NULL;
	sampler->stop_fd = -1;
	sampler->start_ns = sampler->horizon_ns = clock_now_ns(CLOCK_MONOTONIC);
	sampler->start_realtime_ns = clock_now_ns(CLOCK_REALTIME);
	if (!timeline_init(&sampler->timeline, child, sampler->start_ns))
		return sampler;
	free(sampler);
	return NULL;
}

static struct counters *open_counters(struct sampler *sampler, const struct event_list *list,
				      pid_t child, int rate_hz, struct run *run)
{
	struct counters_target target = {
		"",	 child,		sampler->rings, sampler->nrings, &sampler->timeline,
		rate_hz, &sampler->attr};

	return counters_open(list, &target, run);
}

int sampler_start(struct sampler **sampler, const struct sampler_options *options, pid_t child,
		  struct run *run, struct error *err)
{
	int rate_hz = allowed_rate(options->rate_hz, run);
	struct sampler *made = sampler_new(child);
	const char *event;

	*sampler = NULL;
	if (!made)
		return error_set(err, "", "cannot sample: memory is out");
	event = event_choose(&made->attr, options->event, rate_hz, child, err);
	call_graph_set(&made->attr, options->call_graph,
		       options->stack_bytes ? options->stack_bytes : CALL_GRAPH_STACK_BYTES);
	made->timeline.sample_type = made->attr.sample_type;
	if (!event || sampler_open_rings(made, event, child, run, err)) {
		sampler_free(made);
		return -1;
	}
	if (options->counted)
		made->counters = open_counters(made, options->counted, child, rate_hz, run);
	describe_event(made, event, run);
	if (options->call_graph != CALL_GRAPH_NONE)
		sampler_open_waits(made, child, run);
	if (options->probed)
		sampler_open_probes(made, options->probed, run);
	if (start_thread(made, err)) { /* the last: what it reads changes no more */
		sampler_free(made);
		return -1;
	}
	run_add_fact(run, "call_graph", call_graph_names[options->call_graph]);
	run->sample_rate_hz = rate_hz;
	*sampler = made;
	return 0;
}

void sampler_stop(struct sampler *sampler)
{
	uint64_t one = 1;

	if (!sampler->running)
		return;
	if (write(sampler->stop_fd, &one, sizeof one) != sizeof one)
		pthread_cancel(sampler->thread);
	pthread_join(sampler->thread, NULL);
	sampler->running = 0;
	sampler->horizon_ns = INT64_MAX;
	drain(sampler);
	timeline_end(&sampler->timeline, clock_now_ns(CLOCK_MONOTONIC));
	sampler_close_rings(sampler);
}

void sampler_free(struct sampler *sampler)
{
	if (!sampler)
		return;
	sampler_stop(sampler);
	sampler_close_rings(sampler);
	if (sampler->stop_fd >= 0)
		close(sampler->stop_fd);
	free(sampler->probed);
	counters_free(sampler->counters);
	merge_free(&sampler->merge);
	timeline_free(&sampler->timeline);
	free(sampler);
}
