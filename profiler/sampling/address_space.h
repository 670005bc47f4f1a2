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

#endif
