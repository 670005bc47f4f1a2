/* ring.c: maps perf ring buffers, and copies and parses records without trusting their lengths. */
/* SPDX-License-Identifier: MIT */
#include "perf/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

int ring_map(struct ring *ring, size_t pages)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *mapped = mmap(NULL, (pages + 1) * page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			    ring->fd, 0);

	if (mapped == MAP_FAILED)
		return -errno;
	ring->page = mapped;
	ring->page_bytes = page_bytes;
	ring->data_bytes = pages * page_bytes;
	return 0;
}

void ring_unmap(struct ring *ring)
{
	if (ring->page)
		munmap(ring->page, ring->page_bytes + ring->data_bytes);
	ring->page = NULL;
}

void ring_close(struct ring *ring)
{
	ring_unmap(ring);
	if (ring->fd >= 0)
		close(ring->fd);
	ring->fd = -1;
}

void ring_buffer_add(struct ring_buffer *buffer, const void *bytes, size_t count)
{
	size_t room = buffer->room ? buffer->room : 65536;

	while (room < buffer->used + count)
		room *= 2;
	if (room != buffer->room)
		buffer->bytes = memory_need(realloc(buffer->bytes, room));
	buffer->room = room;
	memcpy(buffer->bytes + buffer->used, bytes, count);
	buffer->used += count;
}

void ring_drain(struct ring *ring, struct ring_buffer *buffer)
{
	const char *data = (const char *)ring->page + ring->page_bytes;
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	size_t count = (size_t)(head - tail);
	size_t start = tail & (ring->data_bytes - 1);
	size_t first = ring->data_bytes - start < count ? ring->data_bytes - start : count;

	ring_buffer_add(buffer, data + start, first);
	ring_buffer_add(buffer, data, count - first);
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

/* The rest of a record, in words. */
struct words {
	const uint64_t *next;
	size_t left;
};

static const uint64_t *next_words(struct words *words, uint64_t count)
{
	const uint64_t *start = words->next;

	if (count > words->left)
		return NULL;
	words->next += count;
	words->left -= count;
	return start;
}

/* The kernel writes a part for each bit of sample_type, in the order of the bits. */
int sample_record_read(const struct perf_event_header *record, uint64_t sample_type,
		       struct sample_record *sample)
{
	struct words words = {(const uint64_t *)record, record->size / sizeof(uint64_t)};
	size_t nregs = sample_type == PROBE_ENTRY_TYPE ? PROBE_ENTRY_REGS : SAMPLE_REGS;
	const uint64_t *word;

	*sample = (struct sample_record){.head = (const struct sample_head *)record};
	if (!next_words(&words, sizeof *sample->head / sizeof(uint64_t)))
		return -1;
	if (sample_type & PERF_SAMPLE_PERIOD) {
		if (!(word = next_words(&words, 1)))
			return -1;
		sample->period = *word;
	}
	if (sample_type & PERF_SAMPLE_CALLCHAIN) {
		if (!(word = next_words(&words, 1)) || !(sample->chain = next_words(&words, *word)))
			return -1;
		sample->nchain = *word;
	}
	if (sample_type & PERF_SAMPLE_REGS_USER) {
		/* there are no registers if the ABI is 0, as in a thread of the kernel */
		if (!(word = next_words(&words, 1)) ||
		    (*word && !(sample->regs = next_words(&words, nregs))))
			return -1;
		if (*word == PERF_SAMPLE_REGS_ABI_32)
			sample->regs = NULL;
	}
	if (sample_type & PERF_SAMPLE_STACK_USER) {
		/* the size asked for, that many bytes and, if it is not 0, how many of them were
		 * copied */
		const uint64_t *asked = next_words(&words, 1), *bytes;

		if (!asked)
			return -1;
		if (!*asked)
			return 0;
		bytes = next_words(&words, *asked / sizeof *bytes);
		word = bytes ? next_words(&words, 1) : NULL;
		if (!word || *word > *asked)
			return -1;
		sample->stack = (const char *)bytes;
		sample->stack_bytes = *word;
		sample->is_short = *word < *asked;
	}
	return 0;
}
