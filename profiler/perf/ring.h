/* ring.h: the ring buffer that the kernel writes one CPU's records into. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_RING_H
#define PERF_RING_H

#include <linux/perf_event.h>
#include <stddef.h>

struct ring {
	int fd;
	int cpu; /* that its event counts on */
	struct perf_event_mmap_page *page;
	size_t data_bytes, page_bytes;
};

/* Maps `pages` pages (a power of two) of the event; returns 0 or minus the errno. The ring takes
 * the descriptor over in neither case: ring_close() closes it. */
int ring_map(struct ring *ring, size_t pages);
void ring_unmap(struct ring *ring);
/* Unmaps the ring and closes the event; a ring of fd -1 and page NULL is allowed. */
void ring_close(struct ring *ring);

/* Appends the records that are in the ring now to the bytes at *buffer, which grows, and
 * gives their room back to the kernel. Each record starts at a multiple of 8 bytes. -1 when
 * memory is out; the records are dropped then. */
struct ring_buffer {
	char *bytes;
	size_t used, room;
};
int ring_drain(struct ring *ring, struct ring_buffer *buffer);
/* Appends the bytes; -1 when memory is out. */
int ring_buffer_add(struct ring_buffer *buffer, const void *bytes, size_t count);

#endif
