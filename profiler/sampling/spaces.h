/* spaces.h: which object file lay at which address of a process. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_SPACES_H
#define RECORD_SPACES_H

#include <stddef.h>
#include <stdint.h>

struct mapping {
	uint64_t start, end; /* addresses, end excluded */
	uint64_t offset;     /* of `start` in the object file, bytes */
	uint32_t object;
};

/* An address space: executable mappings in order of address, without overlaps. After a fork, two
 * processes share one until either of them maps something. */
struct space;

/* An empty space with one holder; NULL when memory is out. */
struct space *space_new(void);
/* One more holder: what a fork does. Returns the space. */
struct space *space_share(struct space *space);
/* One holder less; the last one frees it. NULL is allowed. */
void space_release(struct space *space);

/* Maps over whatever was there. *space is replaced by a copy when it is shared. -1 when memory is
 * out. */
int space_map(struct space **space, const struct mapping *mapping);
/* The mapping that holds the address, or NULL. Owned by the space, valid until it changes. */
const struct mapping *space_find(const struct space *space, uint64_t address);

#endif
