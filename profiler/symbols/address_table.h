/* address_table.h: numbers object files and the code addresses in them. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_ADDRESS_TABLE_H
#define SYMBOLS_ADDRESS_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"

/* Two objects that always exist. */
enum { OBJECT_KERNEL, OBJECT_UNKNOWN, OBJECTS_FIXED };

#define BUILD_ID_BYTES 20 /* the longest */

/* What the kernel tells of a mapped file: its build-id or, without one, its device and inode. */
struct file_id {
	uint64_t device, inode; /* 0: not known */
	size_t build_id_size;	/* 0: not known */
	unsigned char build_id[BUILD_ID_BYTES];
};

/* An object file as it was mapped. */
struct object {
	const char *path; /* as the kernel names it: "/usr/lib/libx.so", "[vdso]", "[anon]" */
	struct file_id id;
	uint32_t pid;	/* 0: a file; else memory of this process, and offsets are addresses */
	int fd;		/* > 0: the file, opened because the path is of another file here */
	int is_script;	/* 1: Python code; its offsets are indices of places[] */
	int is_foreign; /* 1: the path may be another file's here; check the id */
};

/* A code address is an object and an offset in its file, packed into 64 bits that sort by object,
 * then by offset. In OBJECT_KERNEL and OBJECT_UNKNOWN the offset is the low bits of the address. */
#define ADDRESS_OFFSET_BITS 48
#define ADDRESS_OFFSET_ANY  ((UINT64_C(1) << ADDRESS_OFFSET_BITS) - 1)
#define ADDRESSES_MAX	    131072

/* A line of a function, in a language that has no code addresses. */
struct script_place {
	const char *function;
	int line; /* 0: not known */
};

struct address_table {
	struct object *objects;
	size_t nobjects, nforeign;
	struct script_place *places;
	size_t nplaces;
	uint64_t *keys; /* the packed addresses, by number */
	size_t nkeys;
	struct idmap index;
};

static inline uint64_t address_key(uint32_t object, uint64_t offset)
{
	return (uint64_t)object << ADDRESS_OFFSET_BITS | (offset & ADDRESS_OFFSET_ANY);
}
static inline uint32_t address_object(uint64_t key)
{
	return (uint32_t)(key >> ADDRESS_OFFSET_BITS);
}
static inline uint64_t address_offset(uint64_t key)
{
	return key & ADDRESS_OFFSET_ANY;
}

/* Returns the object of the address with this number. */
static inline const struct object *object_of(const struct address_table *table, uint32_t address)
{
	return &table->objects[address_object(table->keys[address])];
}

void address_table_init(struct address_table *table);
void address_table_free(struct address_table *table);

/* Returns the number of the object with this path and id, and adds it if it is new; OBJECT_UNKNOWN
 * if there are too many objects. If only one of two has a build-id, they count as the same file.
 * pid: a live process that has it mapped, or 0. The process's root or mount namespace may differ
 * from ours, so the file is opened through its /proc directory. */
uint32_t address_table_object(struct address_table *table, const char *path,
			      const struct file_id *id, uint32_t pid);
/* The same for anonymous memory of a process: "[anon]". */
uint32_t address_table_memory(struct address_table *table, const char *path, uint32_t pid);

/* Returns the number of the address (below nkeys). Beyond ADDRESSES_MAX, all new addresses of an
 * object share the number with the offset ADDRESS_OFFSET_ANY. */
uint32_t address_table_number(struct address_table *table, uint32_t object, uint64_t offset);
/* Adds a place of a script; returns the number of its address. */
uint32_t address_table_place(struct address_table *table, const char *file, const char *function,
			     int line);
/* Returns the number of the address with the offset ADDRESS_OFFSET_ANY in the same object. */
uint32_t address_table_any(struct address_table *table, uint32_t address);

/* An address, in order of objects. */
struct address_spot {
	uint64_t key;
	uint32_t address; /* its number */
};
/* Lists the addresses whose counts[] is not 0, in order, in a fresh array. */
struct address_spot *address_table_list(const struct address_table *table, const uint64_t *counts,
					size_t *count);
/* Returns how many of these, at least 1, have the same object as the first. */
size_t address_spots_alike(const struct address_spot *spots, size_t count);

struct stat;
/* Opens a regular file for reading. Does not open anything else, as FIFOs block and opening a
 * device may have effects, and does not follow a symbolic link at the end of the path. Returns -1
 * with errno, which is 0 if it is not a regular file. */
int open_regular(const char *path, struct stat *status);
/* Returns 1 for a regular file of this user, root or the owner. */
int is_trusted(const struct stat *status, uid_t owner);

#endif
