/* rings.c: opens one event and ring for each CPU, as large as the kernel allows. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/machine_files.h"
#include "perf/perf_open.h"
#include "sampling/sampler_parts.h"

enum { GOOD_PAGES = 64, PAGES_IN_ALL = 1024, STACK_TIMES = 8, ROOT_TIMES = 4 };

/* 64 pages for each CPU, fewer where there are so many CPUs that it would be over 4 MiB; eight
 * times as much where each sample brings a piece of the stack. */
static size_t wanted_pages(const struct sampler *sampler)
{
	size_t times = sampler->attr.sample_stack_user ? STACK_TIMES : 1;
	size_t pages = GOOD_PAGES * times;

	while (pages > 1 && pages * sampler->nrings > PAGES_IN_ALL * times)
		pages /= 2;
	return pages;
}

static int open_events(struct sampler *sampler, const struct cpu_list *cpus, pid_t child)
{
	sampler->rings = calloc(cpus->count ? cpus->count : 1, sizeof *sampler->rings);
	if (!sampler->rings)
		return -ENOMEM;
	for (size_t i = 0; i < cpus->count; i++) {
		int fd = perf_open(&sampler->attr, child, cpus->cpu[i]);

		if (fd == -ENODEV && sampler->nrings)
			continue; /* this CPU went offline just now */
		if (fd < 0)
			return fd;
		sampler->rings[sampler->nrings++] = (struct ring){.fd = fd, .cpu = cpus->cpu[i]};
	}
	return sampler->nrings ? 0 : -ENODEV;
}

static int map_all(struct sampler *sampler, size_t pages)
{
	int result = 0;

	for (size_t i = 0; i < sampler->nrings && !result; i++)
		result = ring_map(&sampler->rings[i], pages);
	for (size_t i = 0; i < sampler->nrings && result; i++)
		ring_unmap(&sampler->rings[i]);
	return result;
}

/* Root's buffers take from no budget that the threads of the program need for theirs: larger ones
 * hold what thousands of threads a second leave until it is read. */
static int map_rings(struct sampler *sampler, struct run *run, struct error *err)
{
	size_t wanted = wanted_pages(sampler);
	size_t pages = geteuid() || sampler->attr.sample_stack_user ? wanted : wanted * ROOT_TIMES;
	int result = map_all(sampler, pages);

	while ((result == -EPERM || result == -ENOMEM) && pages > 1)
		result = map_all(sampler, pages /= 2);
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

int sampler_open_rings(struct sampler *sampler, const char *event, pid_t child, struct run *run,
		       struct error *err)
{
	struct cpu_list cpus;
	int result;

	if (machine_cpus_online("", &cpus))
		return error_set(err, "", "cannot list the CPUs: memory is out");
	result = open_events(sampler, &cpus, child);
	free(cpus.cpu);
	if (result)
		perf_open_error(err, -result, event);
	else
		result = map_rings(sampler, run, err);
	if (result)
		sampler_close_rings(sampler);
	return result ? -1 : 0;
}

void sampler_close_waits(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->nwait_fds; i++)
		close(sampler->wait_fds[i]);
	free(sampler->wait_fds);
	sampler->wait_fds = NULL;
	sampler->nwait_fds = 0;
}

/* Opens the event of one ring's CPU and directs it into the ring. 0 or minus the errno. */
static int open_wait(struct sampler *sampler, const struct perf_event_attr *attr, size_t ring,
		     pid_t child)
{
	int fd = perf_open(attr, child, sampler->rings[ring].cpu);
	uint64_t id;

	if (fd < 0)
		return fd;
	sampler->wait_fds[sampler->nwait_fds++] = fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, sampler->rings[ring].fd) ||
	    ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return -errno;
	return idmap_put(&sampler->timeline.wait_ids, id, 0) ? -ENOMEM : 0;
}

void sampler_open_waits(struct sampler *sampler, pid_t child, struct run *run)
{
	struct perf_event_attr attr;
	int result = 0;

	call_graph_set_waits(&attr);
	sampler->timeline.wait_sample_type = attr.sample_type;
	sampler->wait_fds = calloc(sampler->nrings, sizeof *sampler->wait_fds);
	if (!sampler->wait_fds)
		result = -ENOMEM;
	for (size_t i = 0; i < sampler->nrings && !result; i++)
		result = open_wait(sampler, &attr, i, child);
	if (!result)
		return;
	sampler_close_waits(sampler);
	run_add_note(run, "no_wait_stacks", "%s",
		     result == -EACCES || result == -EPERM
			     ? "this user may not see the kernel's switches"
			     : strerror(-result));
}

void sampler_close_rings(struct sampler *sampler)
{
	sampler_close_waits(sampler);
	sampler_close_probes(sampler);
	for (size_t i = 0; i < sampler->nrings; i++)
		ring_close(&sampler->rings[i]);
	free(sampler->rings);
	sampler->rings = NULL;
	sampler->nrings = 0;
}
