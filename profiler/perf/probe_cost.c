/* probe_cost.c: measures what a probed call costs, on a function of this program's own. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "perf/probes.h"
#include "perf/sample_record.h"
#include "wire/clock.h"

enum { CALLS = 1000, PAGES = 64 };

/* What a probe costs depends on the instruction that it lies on. BLAS routines begin by saving
 * registers. */
#if defined __x86_64__
#define SAVED "rbx"
#else
#define SAVED "x19"
#endif
static __attribute__((noinline, used)) void probed(void)
{
	__asm__ volatile("" ::: SAVED);
}

struct place {
	uintptr_t address;
	int64_t offset; /* of it in its file; -1: not found */
};

/* The program itself comes first. */
static int find_offset(struct dl_phdr_info *object, size_t size, void *data)
{
	struct place *place = data;

	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &object->dlpi_phdr[i];
		uintptr_t start = object->dlpi_addr + header->p_vaddr;

		if (header->p_type == PT_LOAD && place->address >= start &&
		    place->address - start < header->p_filesz)
			place->offset = (int64_t)(place->address - start + header->p_offset);
	}
	return 1;
}

static int compare(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Half of the calls were disturbed less; -1 where there are none. */
static double median(int64_t *times_ns, size_t count)
{
	if (!count)
		return -1;
	qsort(times_ns, count, sizeof *times_ns, compare);
	return (double)times_ns[count / 2];
}

static double time_calls(void)
{
	int64_t times_ns[CALLS];

	for (int i = 0; i < CALLS; i++) {
		int64_t begun_ns = clock_ns(CLOCK_MONOTONIC);

		probed();
		times_ns[i] = clock_ns(CLOCK_MONOTONIC) - begun_ns;
	}
	return median(times_ns, CALLS);
}

/* The time between the two records of each call. */
static double time_inside(struct ring *ring)
{
	struct ring_buffer buffer = {0};
	int64_t times_ns[CALLS], entered_ns = 0;
	size_t records = 0;

	if (ring_drain(ring, &buffer))
		buffer.used = 0;
	for (size_t at = 0; at + sizeof(struct sample_head) <= buffer.used;) {
		const struct sample_head *head = (const struct sample_head *)(buffer.bytes + at);

		if (head->header.size < sizeof head->header)
			break;
		at += head->header.size;
		if (head->header.type != PERF_RECORD_SAMPLE || records / 2 >= CALLS)
			continue;
		if (records % 2)
			times_ns[records / 2] = (int64_t)head->time - entered_ns;
		entered_ns = (int64_t)head->time;
		records++;
	}
	free(buffer.bytes);
	return median(times_ns, records / 2);
}

static int measure(struct ring *ring, int at_return, struct probe_cost *cost, struct error *err)
{
	double whole_ns;

	if (ring_map(ring, PAGES) || ioctl(at_return, PERF_EVENT_IOC_SET_OUTPUT, ring->fd))
		return error_set(err, "raise the sysctl kernel.perf_event_mlock_kb",
				 "cannot map a buffer for uprobes: %s", strerror(errno));
	whole_ns = time_calls();
	cost->inside_ns = time_inside(ring);
	if (cost->inside_ns < 0)
		return error_set(err, "link the program dynamically",
				 "uprobes do not work on this machine: none was seen");
	cost->outside_ns = whole_ns - cost->inside_ns;
	cost->outside_ns = cost->outside_ns > 0 ? cost->outside_ns : 0;
	return 0;
}

int probe_cost_measure(struct probe_cost *cost, struct error *err)
{
	struct place place = {(uintptr_t)probed, -1};
	struct perf_event_attr attr;
	struct ring ring = {.fd = -1};
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	int at_return = -1, failed = -1;

	dl_iterate_phdr(find_offset, &place);
	if (length <= 0 || place.offset < 0)
		return error_set(err, "mount /proc", "cannot find blasprof's own file");
	path[length] = '\0';
	if (probe_set(&attr, path, (uint64_t)place.offset, 0, err))
		return -1;
	ring.fd = probe_open(&attr, 0, -1, err);
	if (ring.fd >= 0 && !probe_set(&attr, path, (uint64_t)place.offset, 1, err))
		at_return = probe_open(&attr, 0, -1, err);
	if (at_return >= 0) {
		failed = measure(&ring, at_return, cost, err);
		close(at_return);
	}
	ring_close(&ring);
	return failed;
}
