/* sampler.c: opens the events and rings of a recording, and drains the rings while the program
 * runs. */
/* SPDX-License-Identifier: MIT */
#include "sampling/sampler.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/machine_files.h"
#include "launch/launch.h"
#include "perf/event.h"
#include "wire/clock.h"

/* Each CPU has a ring of 64 pages, or fewer if all would take more than 4 MiB. With copies of the
 * stack, a ring has room for a sixteenth of a second, up to eight times that size. Buffers of root
 * do not reduce what the threads of the program may map, and are larger: they can hold what
 * thousands of threads a second leave until it is read. */
enum { GOOD_PAGES = 64, PAGES_IN_ALL = 1024, STACK_TIMES = 8, STACK_PART = 16, ROOT_TIMES = 4 };

/* Copies of the stack are not taken if a ring has no room for this many. */
enum { LEAST_SAMPLES = 4 };

/* Copying a stack takes a thread 1 to 2 us. At this pace that is at most 1 % of each CPU, averaged
 * over a span. After the pace was exceeded once, the span is shorter, so that the rings do not fill
 * up. */
enum { WAIT_STACK_PACE_NS = 150000, PACE_SPAN_NS = 100000000, PACE_SHORT_NS = 20000000 };
enum { DRAINER_NICE = -20, DRAINED_MAX = 256 << 20 };
/* Each round takes a CPU from the program, so that rounds become rare while nothing new is seen. */
enum { DRAIN_OFTEN_MS = 10, DRAIN_EVERY_MS = 100, DRAIN_SELDOM_MS = 1600 };
enum { BLIND_ROUNDS = 50, MOST_WAKES = 4 };

/* The most that starts, ends and switches of threads write to a ring. */
#define RING_BYTES_A_MS (256 << 10)

int event_fds_add(struct event_fds *events, int fd, const struct ring *ring, struct idmap *ids,
		  uint32_t number)
{
	uint64_t id;

	if (fd < 0)
		return fd;
	memory_append(&events->fds, &events->count, sizeof fd, &fd);
	if (!ring)
		return 0;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) || ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return -errno;
	idmap_put(ids, id, number);
	return 0;
}

void event_fds_close(struct event_fds *events)
{
	EACH_ROW(fd, events->fds, events->count)
		close(*fd);
	free(events->fds);
	*events = (struct event_fds){0};
}

static void close_rings(struct sampler *sampler)
{
	event_fds_close(&sampler->waits);
	event_fds_close(&sampler->probes);
	for (size_t i = 0; i < sampler->nrings; i++)
		ring_close(&sampler->rings[i]);
	free(sampler->rings);
	sampler->rings = NULL;
	sampler->nrings = 0;
}

/* Maps the rings, as large as the kernel allows. */
static int map_rings(struct sampler *sampler, int rate_hz, struct run *run, struct error *err)
{
	size_t second = (size_t)rate_hz * sampler->attr.sample_stack_user / (size_t)getpagesize();
	size_t wanted = GOOD_PAGES, pages;
	int result;

	while (!second && wanted > 1 && wanted * sampler->nrings > PAGES_IN_ALL)
		wanted /= 2;
	while (wanted < GOOD_PAGES * STACK_TIMES && wanted < second / STACK_PART)
		wanted *= 2;
	pages = geteuid() ? wanted : 2 * wanted;
	if (!geteuid() && pages < GOOD_PAGES * STACK_TIMES)
		pages = wanted * ROOT_TIMES;
	for (;; pages /= 2) {
		result = 0;
		for (size_t i = 0; i < sampler->nrings && !result; i++)
			result = ring_map(&sampler->rings[i], pages);
		for (size_t i = 0; i < sampler->nrings && result; i++)
			ring_unmap(&sampler->rings[i]);
		if ((result != -EPERM && result != -ENOMEM) || pages == 1)
			break;
	}
	if (result)
		return error_set(err, "raise the sysctl kernel.perf_event_mlock_kb, or 'ulimit -l'",
				 "cannot map a sampling buffer of %zu pages for each of %zu CPUs: "
				 "%s",
				 pages, sampler->nrings, strerror(-result));
	if (pages < wanted)
		run_add_note(run, "rings_shrunk",
			     "sampling buffers of %zu pages for each CPU in place of %zu: samples "
			     "may be lost; raise the sysctl kernel.perf_event_mlock_kb",
			     pages, wanted);
	return 0;
}

/* Opens the sampling event for `child` on each CPU, and maps the rings. */
static int open_rings(struct sampler *sampler, const char *event, int rate_hz, pid_t child,
		      struct run *run, struct error *err)
{
	int result = -ENODEV;
	struct cpu_list cpus;

	machine_cpus_online("", &cpus);
	sampler->rings = memory_rows(cpus.count, sizeof *sampler->rings);
	EACH_CPU(cpu, &cpus)
	{
		int fd = perf_open(&sampler->attr, child, cpu);

		if (fd == -ENODEV && sampler->nrings)
			continue; /* this CPU has just gone offline */
		result = fd;
		if (fd < 0)
			break;
		sampler->rings[sampler->nrings++] = (struct ring){.fd = fd, .cpu = cpu};
	}
	if (result < 0)
		return perf_open_error(err, -result, event);
	return map_rings(sampler, rate_hz, run, err);
}

/* Opens the events that tell where threads leave the CPU, into the same rings. If that fails, the
 * run gets a note, and waits have no stacks. */
static void open_waits(struct sampler *sampler, pid_t child, struct run *run)
{
	struct perf_event_attr attr;
	int result = 0;

	event_set_waits(&attr);
	sampler->timeline.wait_sample_type = attr.sample_type;
	for (size_t i = 0; i < sampler->nrings && !result; i++)
		result = event_fds_add(&sampler->waits,
				       perf_open(&attr, child, sampler->rings[i].cpu),
				       &sampler->rings[i], &sampler->timeline.wait_ids, 0);
	if (!result)
		return;
	event_fds_close(&sampler->waits);
	run_add_note(run, "no_wait_stacks", "%s",
		     result == -EACCES || result == -EPERM
			     ? "this user may not see the kernel's switches"
			     : strerror(-result));
}

/* Probes the BLAS routines of the file, into the same rings. Each CPU has an event for every
 * process that runs the file: an event that threads inherit would be set up again for each thread.
 * The entry of a routine has an even number, its return the next one. */
static int open_probes(struct sampler *sampler, const char *path, struct error *err)
{
	struct probe_calls *calls = &sampler->timeline.probe_calls;

	if (blas_symbols_read(path, &sampler->probed, &sampler->nprobed, err))
		return -1;
	if (!sampler->nprobed)
		return error_set(err, "", "'%s' has no BLAS routine with a known name", path);
	if (probe_cost_measure(&sampler->probe_cost, err))
		return -1;
	probe_calls_init(calls, sampler->nprobed);
	for (size_t i = 0; i < sampler->nprobed; i++)
		calls->rows[i].id = sampler->probed[i].id;
	calls->inside_ns = sampler->probe_cost.inside_ns;
	for (uint32_t number = 0; number < 2 * sampler->nprobed; number++) {
		struct perf_event_attr attr;

		if (probe_set(&attr, path, sampler->probed[number / 2].offset, number & 1, err))
			return -1;
		EACH_ROW(ring, sampler->rings, sampler->nrings) {
			int fd = probe_open(&attr, -1, ring->cpu, err), result;

			if (fd < 0)
				return -1;
			result = event_fds_add(&sampler->probes, fd, ring,
					       &sampler->timeline.probe_ids, number);
			if (result)
				return error_set(err, "", "cannot read the samples of uprobes: %s",
						 strerror(-result));
		}
	}
	return 0;
}

/* Reads on which CPUs the threads that have run lately, or are ready to, may run; the first time,
 * of the child alone, which still waits for its exec. `taskset` and OpenMP change this while the
 * program runs. */
static void read_masks(struct sampler *sampler)
{
	struct timeline *timeline = &sampler->timeline;
	cpu_set_t masks[8], mask[8]; /* for 8,192 CPUs */

	CPU_ZERO_S(sizeof masks, masks);
	EACH_ROW(task, timeline->tasks, timeline->ntasks) {
		int cpu = -1;

		if (task->end_ns || !task_was_active(task))
			continue;
		CPU_ZERO_S(sizeof mask, mask);
		if (sched_getaffinity((pid_t)task->tid, sizeof mask, mask))
			continue;
		CPU_OR_S(sizeof masks, masks, masks, mask);
		if (CPU_COUNT_S(sizeof mask, mask) == 1)
			for (cpu = 0; !CPU_ISSET_S((size_t)cpu, sizeof mask, mask); cpu++)
				;
		timeline_pin(timeline, task, cpu);
	}
	if (CPU_COUNT_S(sizeof masks, masks))
		timeline->runnable.cpus = CPU_COUNT_S(sizeof masks, masks);
}

/* Reads a byte of each page beyond the end of a stack's copy, where a page is not there. The read
 * maps pages of zeros, so that later copies do not end there. The preload library does so at once,
 * but only in threads that make calls. */
static void show_stacks(struct sampler *sampler)
{
	enum { PAGE = 4096, PAGES = 16 };
	char bytes[PAGES];
	struct iovec here = {bytes, sizeof bytes}, there[PAGES];

	EACH_ROW(task, sampler->timeline.tasks, sampler->timeline.ntasks) {
		uintptr_t page = task->stack_end & -(uint64_t)PAGE;

		if (!task->stack_end || task->end_ns)
			continue;
		for (int i = 0; i < PAGES; i++)
			there[i] = (struct iovec){(void *)(page + (uintptr_t)i * PAGE), 1};
		process_vm_readv((pid_t)task->tid, &here, 1, there, PAGES, 0);
		task->stack_end = 0;
	}
}

static void switch_waits(struct sampler *sampler, unsigned long request)
{
	EACH_ROW(fd, sampler->waits.fds, sampler->waits.count)
		ioctl(*fd, request, 0);
}

/* Reads the numbers of a new task in its own PID namespace, as that of a container, while it is
 * alive: the preload library knows only these. Threads are skipped until some process is found in
 * another namespace. The record of a process may come after those of its threads, from the ring of
 * another CPU, so a process's threads are read with it. */
static void find_number(struct sampler *sampler, uint32_t pid, uint32_t tid)
{
	struct outer_task inner = {.outer_pid = pid, .outer_tid = tid};
	const char *status = PATH("/proc/%u/status", tid);
	const struct dirent *entry;
	OWN_DIR *threads = NULL;

	if (tid != pid && !sampler->ninner)
		return;
	inner.space = process_space((pid_t)pid);
	if (!inner.space || inner.space == sampler->pid_space)
		return;
	inner.pid = machine_read_last(status, "NStgid");
	inner.tid = machine_read_last(status, "NSpid");
	if (inner.tid)
		memory_append(&sampler->inner, &sampler->ninner, sizeof inner, &inner);
	if (tid == pid)
		threads = opendir(PATH("/proc/%u/task", pid));
	while (threads && (entry = readdir(threads))) {
		tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		if (tid && tid != pid)
			find_number(sampler, pid, tid);
	}
}

/* Looks at the records from `at` on: finds the numbers of the tasks that start, and returns how
 * many switch samples there are. */
static int64_t look_through(struct sampler *sampler, size_t at)
{
	const struct ring_buffer *drained = &sampler->drained;
	int64_t waits = 0;

	while (at + sizeof(struct perf_event_header) <= drained->used) {
		const struct perf_event_header *record = (const void *)(drained->bytes + at);
		const struct sample_head *sample = (const void *)record;
		uint32_t pid, tid;

		if (record->size < sizeof *record)
			break;
		tid = timeline_started(record, &pid);
		if (tid)
			find_number(sampler, pid, tid);
		waits += record->type == PERF_RECORD_SAMPLE &&
			 idmap_find(&sampler->timeline.wait_ids, sample->id) != IDMAP_NONE;
		at += record->size;
	}
	return waits;
}

/* If threads leave the CPU so often that sampling it would slow them down, they are sampled in
 * short spans only, as many as keep the pace. The lengths of the pauses vary, so that they do not
 * synchronize with the program. */
static void keep_pace(struct sampler *sampler, int64_t waits, int64_t now_ns)
{
	struct wait_pace *pace = &sampler->pace;
	int64_t elapsed_ns = now_ns - pace->since_ns, ahead_ns;
	int64_t span_ns = pace->was_off ? PACE_SHORT_NS : PACE_SPAN_NS;

	pace->worth_ns += waits * WAIT_STACK_PACE_NS / (int64_t)sampler->nrings;
	ahead_ns = pace->worth_ns - elapsed_ns;
	if (pace->until_ns && now_ns >= pace->until_ns) {
		switch_waits(sampler, PERF_EVENT_IOC_ENABLE);
		*pace = (struct wait_pace){.since_ns = now_ns, .was_off = 1};
	} else if (!pace->until_ns && ahead_ns > span_ns) {
		switch_waits(sampler, PERF_EVENT_IOC_DISABLE);
		pace->until_ns = now_ns + ahead_ns / 2 + now_ns / 8 % ahead_ns;
		pace->was_off = 1;
	} else if (!pace->until_ns && elapsed_ns > span_ns) {
		*pace = (struct wait_pace){.since_ns = now_ns, .was_off = pace->was_off};
	}
}

/* Drains the rings once. What was written before the previous round began is complete by now. If
 * the feeder is far behind, the rings are left to fill up, and the kernel counts what it drops. */
static void drain(struct sampler *sampler, int64_t *round_ns)
{
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC), waits = 0;

	pthread_mutex_lock(&sampler->lock);
	if (sampler->drained.used < DRAINED_MAX) {
		size_t before = sampler->drained.used;

		for (size_t i = 0; i < sampler->nrings; i++)
			ring_drain(&sampler->rings[i], &sampler->drained);
		waits = look_through(sampler, before);
		sampler->horizon_ns = *round_ns;
		*round_ns = now_ns;
	}
	pthread_cond_signal(&sampler->handed);
	pthread_mutex_unlock(&sampler->lock);
	if (sampler->waits.count && __atomic_load_n(&sampler->too_fast, __ATOMIC_RELAXED)) {
		event_fds_close(&sampler->waits);
		sampler->waits_ended = 1;
	} else if (sampler->waits.count) {
		keep_pace(sampler, waits, now_ns);
	}
}

static void feed(struct sampler *sampler, struct ring_buffer *records, int64_t horizon_ns)
{
	struct timeline *timeline = &sampler->timeline;
	struct ring_buffer empty = sampler->merge.waiting;
	size_t known = timeline->ntasks + timeline->addresses.nobjects;

	sampler->merge.waiting = *records; /* it is empty between the rounds */
	*records = empty;
	records->used = 0;
	read_masks(sampler); /* what the records tell happened under these masks */
	if (timeline->python)
		python_reader_take(timeline->python, &sampler->merge.waiting, &timeline->addresses,
				   &timeline->python_addresses, &timeline->npython_addresses);
	merge_feed(&sampler->merge, timeline, horizon_ns);
	show_stacks(sampler);
	if (timeline_starts_too_fast(timeline, sampler->nrings))
		__atomic_store_n(&sampler->too_fast, 1, __ATOMIC_RELAXED);
	if (timeline->npython_objects || known != timeline->ntasks + timeline->addresses.nobjects)
		__atomic_store_n(&sampler->is_new, 1, __ATOMIC_RELAXED);
}

/* The feeding thread: reads files and sorts, which can take longer than the rings last. */
static void *feed_drained(void *arg)
{
	struct sampler *sampler = arg;
	struct ring_buffer records = {0};
	int64_t horizon_ns = 0;
	int stopping;

	do {
		struct ring_buffer swapped = records;

		pthread_mutex_lock(&sampler->lock);
		/* a later horizon releases records that were drained before */
		while (!sampler->drained.used && sampler->horizon_ns == horizon_ns &&
		       !sampler->stopping)
			pthread_cond_wait(&sampler->handed, &sampler->lock);
		records = sampler->drained;
		sampler->drained = swapped;
		horizon_ns = sampler->horizon_ns;
		sampler->timeline.waits_are_sampled = sampler->pace.was_off;
		stopping = sampler->stopping;
		pthread_mutex_unlock(&sampler->lock);
		feed(sampler, &records, horizon_ns);
	} while (!stopping);
	free(records.bytes);
	return NULL;
}

/* Returns how often this thread went to sleep. */
static long count_sleeps(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nvcsw;
}

/* The draining thread: drains when a ring is half full or the time is up. A ring whose tasks have
 * all ended is always ready, and is not polled any more. The kernel also wakes the poll at each end
 * of a thread; with thousands of threads a second that would take a CPU. Then the rings are read by
 * the clock for a while, as often as their size requires. */
static void *drain_rings(void *arg)
{
	struct sampler *sampler = arg;
	struct pollfd fds[sampler->nrings + 1];
	int room_ms = (int)larger((int64_t)sampler->rings[0].data_bytes / RING_BYTES_A_MS, 1);
	int every_ms = DRAIN_OFTEN_MS, blind_rounds = 0, was_blind = 0;
	int64_t round_ns = sampler->start_ns;

	/* it does little, but must do it before the rings are full; this fails without the right to
	 */
	setpriority(PRIO_PROCESS, (id_t)gettid(), DRAINER_NICE);
	fds[0] = (struct pollfd){.fd = sampler->stop_fd, .events = POLLIN};
	for (size_t i = 0; i < sampler->nrings; i++)
		fds[i + 1] = (struct pollfd){.fd = sampler->rings[i].fd, .events = POLLIN};
	for (;;) {
		long sleeps = count_sleeps();

		poll(fds, blind_rounds ? 1 : sampler->nrings + 1,
		     blind_rounds || was_blind ? room_ms : every_ms);
		if (blind_rounds) {
			blind_rounds--;
		} else {
			for (size_t i = 1; i <= sampler->nrings; i++)
				if (fds[i].revents & (POLLHUP | POLLERR))
					fds[i].fd = -1;
			was_blind = count_sleeps() - sleeps > MOST_WAKES;
			blind_rounds = was_blind ? BLIND_ROUNDS : 0;
		}
		if (fds[0].revents)
			return NULL;
		drain(sampler, &round_ns);
		if (sampler->ninner)
			every_ms = DRAIN_OFTEN_MS;
		else if (__atomic_exchange_n(&sampler->is_new, 0, __ATOMIC_RELAXED) ||
			 sampler->pace.until_ns)
			every_ms = every_ms * 2 < DRAIN_EVERY_MS ? every_ms * 2 : DRAIN_EVERY_MS;
		else if (every_ms < DRAIN_SELDOM_MS)
			every_ms *= 2;
	}
}

static void end_feeder(struct sampler *sampler)
{
	pthread_mutex_lock(&sampler->lock);
	sampler->stopping = 1;
	pthread_cond_signal(&sampler->handed);
	pthread_mutex_unlock(&sampler->lock);
	pthread_join(sampler->feeder, NULL);
}

/* Starts both threads. They block all signals, which are for the main thread. */
static int start_threads(struct sampler *sampler, struct error *err)
{
	int result;

	sampler->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (sampler->stop_fd < 0)
		return error_set(err, "raise the limit in this shell with 'ulimit -n 4096'",
				 "cannot open an eventfd: %s", strerror(errno));
	result = launch_thread(&sampler->feeder, feed_drained, sampler);
	if (!result) {
		result = launch_thread(&sampler->drainer, drain_rings, sampler);
		if (result)
			end_feeder(sampler);
	}
	if (result)
		return error_set(err, "raise the limit of processes, 'ulimit -u'",
				 "cannot start the sampling threads: %s", strerror(result));
	sampler->running = 1;
	return 0;
}

static int start(struct sampler *sampler, const struct sampler_options *options, pid_t child,
		 struct run *run, struct error *err)
{
	/* Half of the stacks of NumPy are deeper than 8 KiB, and a frame of OpenBLAS's dgemm has up
	 * to 33 KiB. At high rates the default size of a copy decreases, so that each CPU copies no
	 * more than 16 MiB a second. */
	enum { BYTES_MOST = 65528, BYTES_LEAST = 8 << 10, BYTES_A_SECOND = 16 << 20 };
	long most_hz = machine_read_long("", "/proc/sys/kernel/perf_event_max_sample_rate", -1);
	int rate_hz = options->rate_hz > 0 ? options->rate_hz : 1;
	int stack_bytes = options->stack_bytes;
	enum call_graph call_graph = options->call_graph;
	struct perf_event_attr plain;
	const char *event;
	struct error why;

	/* the kernel refuses rates above its limit, which it lowers by itself on slow machines */
	if (most_hz > 0 && rate_hz > most_hz) {
		run_add_note(run, "sample_rate_lowered",
			     "%d samples a second in place of %d: raise the sysctl "
			     "kernel.perf_event_max_sample_rate",
			     (int)most_hz, rate_hz);
		rate_hz = (int)most_hz;
	}
	event = event_choose(&sampler->attr, options->event, rate_hz, child, err);
	plain = sampler->attr;
	if (!stack_bytes) {
		stack_bytes = (int)larger(smaller(BYTES_A_SECOND / rate_hz / 8 * 8, BYTES_MOST),
					  BYTES_LEAST);
	}
	event_set_call_graph(&sampler->attr, call_graph, stack_bytes);
	if (!event || open_rings(sampler, event, rate_hz, child, run, err))
		return -1;
	if (sampler->rings[0].data_bytes < LEAST_SAMPLES * sampler->attr.sample_stack_user) {
		close_rings(sampler);
		sampler->attr = plain;
		call_graph = CALL_GRAPH_FP;
		event_set_call_graph(&sampler->attr, call_graph, 0);
		if (open_rings(sampler, event, rate_hz, child, run, err))
			return -1;
	}
	sampler->timeline.sample_type = sampler->attr.sample_type;
	if (options->counted) {
		struct counters_target target = {
			"",	 child,		sampler->rings, sampler->nrings, &sampler->timeline,
			rate_hz, &sampler->attr};

		sampler->counters = counters_open(options->counted, &target, run);
	}
	run_add_fact(run, "sampler_event", event);
	if (sampler->attr.exclude_kernel && !strchr(event, ':'))
		run_add_note(
			run, "no_kernel_samples",
			"time in the kernel is not sampled, because this user may not sample it "
			"(sysctl kernel.perf_event_paranoid is %ld; 1 or less allows it)",
			machine_read_long("", "/proc/sys/kernel/perf_event_paranoid", 2));
	if (call_graph != CALL_GRAPH_NONE)
		open_waits(sampler, child, run);
	if (options->probed && open_probes(sampler, options->probed, &why)) {
		event_fds_close(&sampler->probes);
		sampler->nprobed = 0;
		run_add_note(run, "no_uprobes", "%s%s%s", why.what, why.remedy[0] ? "; " : "",
			     why.remedy);
		run_drop_notes(run, "static_program"); /* its remedy is --uprobes */
	}
	if (call_graph != CALL_GRAPH_NONE)
		sampler->timeline.python = python_reader_new(1000000000 / rate_hz);
	/* must come last: what the threads read does not change any more */
	if (start_threads(sampler, err))
		return -1;
	run_add_fact(run, "call_graph", call_graph_names[call_graph]);
	run->sample_rate_hz = rate_hz;
	return 0;
}

int sampler_start(struct sampler **result, const struct sampler_options *options, pid_t child,
		  struct run *run, struct error *err)
{
	struct sampler *sampler;
	char offsets[64];

	*result = NULL;
	/* seconds and nanoseconds, both 0 in the first time namespace */
	machine_read_field("", "/proc/self/timens_offsets", "monotonic", offsets, sizeof offsets);
	if (strpbrk(offsets, "123456789"))
		return error_set(err, "start blasprof outside of it",
				 "samples would have another clock than this time namespace");
	sampler = memory_rows(1, sizeof *sampler);
	sampler->stop_fd = -1;
	pthread_mutex_init(&sampler->lock, NULL);
	pthread_cond_init(&sampler->handed, NULL);
	sampler->start_ns = sampler->horizon_ns = clock_ns(CLOCK_MONOTONIC);
	sampler->pid_space = process_space(0);
	timeline_init(&sampler->timeline, child, sampler->start_ns);
	sampler->timeline.start_realtime_ns = clock_ns(CLOCK_REALTIME);
	read_masks(sampler);
	sampler->timeline.tasks[0].has_run = 1;
	if (start(sampler, options, child, run, err)) {
		sampler_free(sampler);
		return -1;
	}
	*result = sampler;
	return 0;
}

void sampler_stop(struct sampler *sampler)
{
	int64_t round_ns = 0;

	if (!sampler->running)
		return;
	eventfd_write(sampler->stop_fd, 1);
	pthread_join(sampler->drainer, NULL);
	end_feeder(sampler);
	sampler->running = 0;
	drain(sampler, &round_ns);
	feed(sampler, &sampler->drained, INT64_MAX);
	timeline_end(&sampler->timeline, clock_ns(CLOCK_MONOTONIC));
	close_rings(sampler);
}

void sampler_free(struct sampler *sampler)
{
	if (!sampler)
		return;
	sampler_stop(sampler);
	close_rings(sampler);
	if (sampler->stop_fd >= 0)
		close(sampler->stop_fd);
	free(sampler->probed);
	free(sampler->inner);
	counters_free(sampler->counters);
	merge_free(&sampler->merge);
	free(sampler->drained.bytes);
	pthread_mutex_destroy(&sampler->lock);
	pthread_cond_destroy(&sampler->handed);
	python_reader_free(sampler->timeline.python);
	timeline_free(&sampler->timeline);
	free(sampler);
}
