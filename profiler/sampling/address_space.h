/* address_space.h: which object file was mapped at which address of a process. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_ADDRESS_SPACE_H
#define SAMPLING_ADDRESS_SPACE_H

#include <stddef.h>
#include <stdint.h>

struct mapping {
	uint64_t start, end; /* addresses, end excluded */
	uint64_t offset;     /* of `start` in the object file, bytes */
	uint32_t object;     /* its number in the address table */
};

/* Executable mappings in order of address, without overlaps. After a fork, two processes share one
 * address space until either of them maps something. */
struct address_space;

/* An empty one with one reference. */
struct address_space *address_space_new(void);
/* Takes one more reference, as a fork does. Returns the address space. */
struct address_space *address_space_share(struct address_space *space);
/* Drops a reference; with the last one it is freed. NULL is allowed. */
void address_space_release(struct address_space *space);

/* Maps over whatever was there. *space is replaced by a copy when it is shared. */
void address_space_map(struct address_space **space, const struct mapping *mapping);
/* The mapping that holds the address, or NULL. Owned by the space, valid until it changes. */
const struct mapping *address_space_find(const struct address_space *space, uint64_t address);

#endif
