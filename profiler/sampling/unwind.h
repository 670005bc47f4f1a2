/* unwind.h: which object was mapped at which address of a process, and the code addresses of a
 * sample's call stack. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_UNWIND_H
#define SAMPLING_UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "perf/sample_record.h"
#include "symbols/address_table.h"

struct mapping {
	uint64_t start, end; /* addresses, end excluded */
	uint64_t offset;     /* of `start` in the object file, bytes */
	uint32_t object;     /* its number in the address table */
};

/* Executable mappings in order of address, without overlaps. */
struct address_space {
	struct mapping *maps; /* owned */
	size_t count;
};

/* A fresh one with the same mappings; of NULL: with none. */
struct address_space *address_space_copy(const struct address_space *space);
/* NULL is allowed. */
void address_space_free(struct address_space *space);

/* Maps over whatever was there. */
void address_space_map(struct address_space *space, const struct mapping *mapping);
/* The mapping that holds the address, or NULL. Owned by the space, valid until it changes. */
const struct mapping *address_space_find(const struct address_space *space, uint64_t address);

enum { UNWIND_DEPTH_MAX = 127 };

/* The call frame information of all objects, read and compiled to rules when it is first needed. */
struct frame_rules;

struct frame_rules *frame_rules_new(void);
void frame_rules_free(struct frame_rules *rules);

/* Where code lies, and how its callers are found. */
struct unwinder {
	struct address_table *addresses;
	const struct address_space *space;
	struct frame_rules *rules; /* NULL: by frame pointers only */
};

struct unwound {
	uint32_t addresses[UNWIND_DEPTH_MAX]; /* numbers; a caller's is that of its call, not of
						 the return address */
	size_t count;
	int whole; /* the last one is where its thread starts */
};

/* The kernel's frames; then, where the sample has a copy of the stack, those that unwinding finds
 * in it; then those beyond it that the kernel found by frame pointers. It ends at the first address
 * that is no known code. Count is 0 where the sample has neither. */
void unwind_sample(const struct unwinder *unwinder, const struct sample_record *sample,
		   struct unwound *unwound);

#endif
