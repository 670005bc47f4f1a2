/* ring.c: maps perf ring buffers and copies the records out of them. */
/* SPDX-License-Identifier: MIT */
#include "perf/ring.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

static int reserve(struct ring_buffer *buffer, size_t more)
{
	size_t room = buffer->room ? buffer->room : 65536;
	char *grown;

	while (room < buffer->used + more)
		room *= 2;
	if (room == buffer->room)
		return 0;
	grown = realloc(buffer->bytes, room);
	if (!grown)
		return -1;
	buffer->bytes = grown;
	buffer->room = room;
	return 0;
}

int ring_buffer_add(struct ring_buffer *buffer, const void *bytes, size_t count)
{
	if (reserve(buffer, count))
		return -1;
	memcpy(buffer->bytes + buffer->used, bytes, count);
	buffer->used += count;
	return 0;
}

int ring_drain(struct ring *ring, struct ring_buffer *buffer)
{
	const char *data = (const char *)ring->page + ring->page_bytes;
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	size_t count = (size_t)(head - tail);
	size_t start = tail & (ring->data_bytes - 1);
	size_t first = ring->data_bytes - start < count ? ring->data_bytes - start : count;
	int result = reserve(buffer, count);

	if (!result && count) {
		memcpy(buffer->bytes + buffer->used, data + start, first);
		memcpy(buffer->bytes + buffer->used + first, data, count - first);
		buffer->used += count;
	}
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
	return result;
}
