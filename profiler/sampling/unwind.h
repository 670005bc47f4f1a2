/* unwind.h: which object is mapped at which address of a process, and the code addresses of the
 * call stack of a sample. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_UNWIND_H
#define SAMPLING_UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "perf/ring.h"
#include "symbols/address_table.h"

struct mapping {
	uint64_t start, end; /* addresses; the end is excluded */
	uint64_t offset;     /* of `start` in the object file, in bytes */
	uint32_t object;     /* number in the address table */
};

/* The executable mappings of a process, in order of address, without overlaps. */
struct address_space {
	struct mapping *maps; /* owned */
	size_t count;
};

/* Returns a fresh copy; an empty address space for NULL. */
struct address_space *address_space_copy(const struct address_space *space);
/* NULL is allowed. */
void address_space_free(struct address_space *space);

/* Adds a mapping, which replaces what was mapped at its addresses. */
void address_space_map(struct address_space *space, const struct mapping *mapping);
/* Returns the mapping that holds the address, or NULL. It belongs to the address space, and is
 * valid until that changes. */
const struct mapping *address_space_find(const struct address_space *space, uint64_t address);

enum { UNWIND_DEPTH_MAX = 127 };

/* The call frame information of all objects, read and compiled to rules when it is first needed. */
struct frame_rules;

struct frame_rules *frame_rules_new(void);
void frame_rules_free(struct frame_rules *rules);

/* What unwinding needs of one process. */
struct unwinder {
	struct address_table *addresses;
	const struct address_space *space;
	struct frame_rules *rules; /* NULL to unwind by frame pointers only */
};

struct unwound {
	uint32_t addresses[UNWIND_DEPTH_MAX]; /* numbers in the address table; of a caller, that of
					       * the call and not of the return address */
	size_t count;
	int whole; /* 1 if the last one is the function that starts the thread */
};

/* Finds the frames of a sample, innermost first: those of the kernel, then those in the copy of the
 * stack, then those that the kernel found beyond the copy by frame pointers. Stops at the first
 * address where no code is known. The count is 0 if the sample has neither a call chain nor a copy.
 */
void unwind_sample(const struct unwinder *unwinder, const struct sample_record *sample,
		   struct unwound *unwound);

#endif
