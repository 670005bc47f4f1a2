/* places.h: object files and the code addresses in them, each known by a small number. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_PLACES_H
#define RECORD_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

/* Two objects that are always there. */
enum { OBJECT_KERNEL, OBJECT_UNKNOWN, OBJECTS_FIXED };

/* An object file as it was mapped. */
struct object {
	char *path;	/* as the kernel names it: "/usr/lib/libx.so", "[vdso]", "[anon]" */
	uint64_t inode; /* 0 where it is not a file */
	uint32_t pid;	/* of the process, where it is memory of one; offsets are addresses then */
};

/* A place is an object and the offset in its file, packed in 64 bits so that places sort by object,
 * then by offset. In OBJECT_KERNEL and OBJECT_UNKNOWN the offset is the low bits of the address. */
#define PLACE_OFFSET_BITS 48
#define PLACE_OFFSET_ANY  ((UINT64_C(1) << PLACE_OFFSET_BITS) - 1)
#define PLACES_MAX	  131072

struct places {
	struct object *objects;
	size_t nobjects;
	uint64_t *keys;
	size_t nkeys, keys_room;
	struct idmap index;
};

static inline uint32_t place_object(uint64_t key)
{
	return (uint32_t)(key >> PLACE_OFFSET_BITS);
}
static inline uint64_t place_offset(uint64_t key)
{
	return key & PLACE_OFFSET_ANY;
}

/* Fails (-1) only when memory is out; then there is nothing to free. */
int places_init(struct places *places);
void places_free(struct places *places);

/* The number of the object of this path and inode, new where it must be; OBJECT_UNKNOWN when there
 * are too many of them or memory is out. */
uint32_t places_object(struct places *places, const char *path, uint64_t inode);

/* Likewise of memory of a process that is no file's: "[anon]". */
uint32_t places_memory(struct places *places, const char *path, uint32_t pid);

/* The number of the place (below nkeys). Beyond PLACES_MAX, all new places of an object share
 * one number with the offset PLACE_OFFSET_ANY. IDMAP_NONE when memory is out. */
uint32_t places_number(struct places *places, uint32_t object, uint64_t offset);
/* The number of the object's place of offset PLACE_OFFSET_ANY. */
uint32_t places_any(struct places *places, uint32_t object);

#endif
