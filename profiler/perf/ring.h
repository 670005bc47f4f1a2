/* ring.h: the ring buffers of perf events, and the layout of sample records in them. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_RING_H
#define PERF_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

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
/* Moves the records in the ring to the end of the buffer, which grows. */
void ring_drain(struct ring *ring, struct ring_buffer *buffer);
/* Appends the bytes. */
void ring_buffer_add(struct ring_buffer *buffer, const void *bytes, size_t count);

/* The least attr->sample_type of an event for the timeline, which also needs sample_id_all. An
 * event may add PERF_SAMPLE_PERIOD, PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_REGS_USER and
 * PERF_SAMPLE_STACK_USER. */
#define TIMELINE_SAMPLE_TYPE                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU)
/* For counted events. */
#define TIMELINE_COUNTED_TYPE (TIMELINE_SAMPLE_TYPE | PERF_SAMPLE_PERIOD)
/* For probes: at the return of a routine, and at its entry, where the arguments are. */
#define PROBE_SAMPLE_TYPE     (TIMELINE_SAMPLE_TYPE | PERF_SAMPLE_REGS_USER)
#define PROBE_ENTRY_TYPE      (PROBE_SAMPLE_TYPE | PERF_SAMPLE_STACK_USER)

/* The registers that unwinding needs: attr->sample_regs_user, in the order of the bits. */
#if defined __x86_64__
enum { SAMPLE_REG_BX, SAMPLE_REG_FP, SAMPLE_REG_SP, SAMPLE_REG_IP, SAMPLE_REG_R10, SAMPLE_REGS };
#define SAMPLE_REGS_MASK                                                                           \
	(UINT64_C(1) << 1 | UINT64_C(7) << 6 | UINT64_C(1) << 18) /* bx, bp, sp, ip, r10 */
#else
enum { SAMPLE_REG_FP, SAMPLE_REG_LR, SAMPLE_REG_SP, SAMPLE_REG_IP, SAMPLE_REGS };
#define SAMPLE_REGS_MASK (UINT64_C(15) << 29) /* x29, lr, sp, pc */
#endif

/* The registers of PROBE_ENTRY_TYPE, the positions among them of the first integer and pointer
 * arguments, and how much of the stack is copied: the return address and two arguments. */
/* clang-format off */
#if defined __x86_64__
#define PROBE_ENTRY_MASK (UINT64_C(0x7f) << 2 | UINT64_C(3) << 16)
#define PROBE_ENTRY_ARGUMENTS {3, 2, 1, 0, 7, 8} /* of cx, dx, si, di, bp, sp, ip, r8, r9 */
enum { PROBE_ENTRY_SP = 5, PROBE_ENTRY_REGS = 9 };
#else
#define PROBE_ENTRY_MASK (UINT64_C(0xff) | SAMPLE_REGS_MASK)
#define PROBE_ENTRY_ARGUMENTS {0, 1, 2, 3, 4, 5, 6, 7} /* of x0 to x7, x29, lr, sp, pc */
enum { PROBE_ENTRY_SP = 10, PROBE_ENTRY_REGS = 12 };
#endif
/* clang-format on */
#define PROBE_ENTRY_STACK_BYTES 24

/* The fixed part at the start of a sample. Without the ip, it also ends every other record. */
struct sample_head {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time, cpu;
};

struct sample_record {
	const struct sample_head *head;
	uint64_t period;       /* 0 if not known */
	const uint64_t *chain; /* call chain of the kernel, with PERF_CONTEXT_ marks */
	size_t nchain;
	const uint64_t *regs; /* SAMPLE_REGS values (PROBE_ENTRY_REGS), or NULL */
	const char *stack;    /* the bytes from the stack pointer up, or NULL */
	size_t stack_bytes;
	int is_short; /* fewer than asked for: the copy ends at a page that is not there */
};

/* Finds the parts of a sample with this sample_type. Returns -1 if the record is shorter than its
 * parts. */
int sample_record_read(const struct perf_event_header *record, uint64_t sample_type,
		       struct sample_record *sample);

#endif
