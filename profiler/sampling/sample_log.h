/* sample_log.h: the log of samples and of time off the CPU: in order of time and bounded. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_SAMPLE_LOG_H
#define SAMPLING_SAMPLE_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/address_table.h"

/* Two kinds of entry that are no samples; `count` is then the time off the CPU in ns, that ended
 * at time_ns. */
#define LOG_WAITING   (UINT32_MAX - 1)
#define LOG_PREEMPTED (UINT32_MAX - 2)

struct log_entry {
	int64_t time_ns;
	uint32_t task;
	uint32_t address; /* number of a code address, LOG_WAITING or LOG_PREEMPTED */
	uint32_t stack;	  /* node of the stack, or STACK_NONE */
	float own; /* of LOG_PREEMPTED: the share lost to threads of the program (struct runnable)
		    */
	uint32_t waits; /* times off the CPU that it stands for */
	uint64_t count; /* samples, or ns */
};

static inline int log_is_off_cpu(const struct log_entry *entry)
{
	return entry->address == LOG_WAITING || entry->address == LOG_PREEMPTED;
}

/* When the log is full, its entries of one task, address and stack that lie in one slice of time
 * become one entry; the slices get longer with each time. The region of interest can then be cut
 * out only to within a slice. */
struct sample_log {
	struct log_entry *entries;
	size_t count, max;
	int64_t slice_ns; /* 0 while the log is exact */
};

#define LOG_MAX_ENTRIES 131072

/* An empty log of at most `max` entries, or two for each pair of a task and an object where that is
 * more. */
void sample_log_init(struct sample_log *log, size_t max);
void sample_log_free(struct sample_log *log);
/* `addresses` is used when even merging is not enough:
 * then only the objects of the samples are kept. */
void sample_log_add(struct sample_log *log, struct address_table *addresses,
		    const struct log_entry *entry);

#endif
