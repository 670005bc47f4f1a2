/* sampler_probes.c: probes the BLAS routines that the program holds itself, into the sampler's
 * rings. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sampling/sampler_parts.h"
#include "base/array.h"

void sampler_close_probes(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->nprobe_fds; i++)
		close(sampler->probe_fds[i]);
	free(sampler->probe_fds);
	sampler->probe_fds = NULL;
	sampler->nprobe_fds = 0;
}

/* On one CPU, for all that runs the file: an event that threads inherit would be set up anew for
 * each of them. */
static int open_one(struct sampler *sampler, const struct perf_event_attr *attr,
		    const struct ring *ring, uint32_t number, struct error *err)
{
	int *fd = array_add(&sampler->probe_fds, &sampler->nprobe_fds, sizeof *fd);
	uint64_t id;

	if (!fd)
		return error_out_of_memory(err);
	*fd = probe_open(attr, -1, ring->cpu, err);
	if (*fd < 0) {
		sampler->nprobe_fds--;
		return -1;
	}
	if (ioctl(*fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) || ioctl(*fd, PERF_EVENT_IOC_ID, &id))
		return error_set(err, "", "cannot take what uprobes see: %s", strerror(errno));
	return idmap_put(&sampler->timeline.probe_ids, id, number) ? error_out_of_memory(err) : 0;
}

/* The routine's entry has an even number, its return the next. */
static int open_routine(struct sampler *sampler, const char *path, size_t routine,
			struct error *err)
{
	for (uint32_t at_return = 0; at_return < 2; at_return++) {
		struct perf_event_attr attr;

		if (probe_set(&attr, path, sampler->probed[routine].offset, (int)at_return, err))
			return -1;
		for (size_t i = 0; i < sampler->nrings; i++)
			if (open_one(sampler, &attr, &sampler->rings[i],
				     (uint32_t)routine * 2 + at_return, err))
				return -1;
	}
	return 0;
}

static int open_all(struct sampler *sampler, const char *path, struct error *err)
{
	if (blas_symbols_read(path, &sampler->probed, &sampler->nprobed, err))
		return -1;
	if (!sampler->nprobed)
		return error_set(err, "", "'%s' holds no BLAS routine of a known name", path);
	if (probe_cost_measure(&sampler->probe_cost, err))
		return -1;
	if (probe_calls_init(&sampler->timeline.probe_calls, sampler->nprobed))
		return error_out_of_memory(err);
	for (size_t i = 0; i < sampler->nprobed; i++)
		sampler->timeline.probe_calls.routines[i].id = sampler->probed[i].id;
	sampler->timeline.probe_calls.inside_ns = sampler->probe_cost.inside_ns;
	for (size_t i = 0; i < sampler->nprobed; i++)
		if (open_routine(sampler, path, i, err))
			return -1;
	return 0;
}

void sampler_open_probes(struct sampler *sampler, const char *path, struct run *run)
{
	struct error why;

	if (!open_all(sampler, path, &why))
		return;
	sampler_close_probes(sampler);
	sampler->nprobed = 0;
	run_add_note(run, "no_uprobes", "%s%s%s", why.what, why.remedy[0] ? "; " : "", why.remedy);
}
