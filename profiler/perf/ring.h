/* ring.h: the ring buffer that the kernel writes one CPU's records into. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_RING_H
#define PERF_RING_H

#include <linux/perf_event.h>
#include <stddef.h>

struct ring {
	int fd;
	int cpu; /* the CPU of its event */
	struct perf_event_mmap_page *page;
	size_t data_bytes, page_bytes;
};

/* Maps `pages` pages (a power of two) of the event. Returns 0 or minus the errno. ring_close()
 * closes the descriptor in both cases. */
int ring_map(struct ring *ring, size_t pages);
void ring_unmap(struct ring *ring);
/* Unmaps the ring and closes the event. A ring with fd -1 and page NULL is allowed. */
void ring_close(struct ring *ring);

/* Records that were read; each starts at a multiple of 8 bytes. */
struct ring_buffer {
	char *bytes;
	size_t used, room;
};
/* Moves the records in the ring to the end of the buffer, which grows. Returns -1 when memory is
 * out; then the records are dropped. */
int ring_drain(struct ring *ring, struct ring_buffer *buffer);
/* Appends the bytes. Returns -1 when memory is out. */
int ring_buffer_add(struct ring_buffer *buffer, const void *bytes, size_t count);

#endif
