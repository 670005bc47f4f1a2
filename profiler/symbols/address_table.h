/* address_table.h: object files and the code addresses in them, numbered. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_ADDRESS_TABLE_H
#define SYMBOLS_ADDRESS_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"

/* Two objects that are always there. */
enum { OBJECT_KERNEL, OBJECT_UNKNOWN, OBJECTS_FIXED };

#define BUILD_ID_BYTES 20 /* at most */

/* An object file as it was mapped. */
struct object {
	char *path;		/* as the kernel names it: "/usr/lib/libx.so", "[vdso]", "[anon]" */
	uint64_t device, inode; /* 0 where it is not a file, or not known */
	uint32_t pid; /* of the process whose memory it is; 0: a file. Offsets are addresses then */
	int fd;	      /* > 0: the file itself, which the path does not lead to from here */
	int is_script;	/* 1: a file of Python code; its offsets are the numbers of places[] */
	int is_foreign; /* 1: the path may lead to another file from here: only the inode tells */
	size_t build_id_size; /* 0: not known */
	unsigned char build_id[BUILD_ID_BYTES];
};

/* A code address is an object and an offset in its file, packed in 64 bits so that they sort by
 * object, then by offset. In OBJECT_KERNEL and OBJECT_UNKNOWN the offset is the low bits of the
 * address. */
#define ADDRESS_OFFSET_BITS 48
#define ADDRESS_OFFSET_ANY  ((UINT64_C(1) << ADDRESS_OFFSET_BITS) - 1)
#define ADDRESSES_MAX	    131072

/* A line of a function, in a language that has no code addresses. */
struct script_place {
	char *function;
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

void address_table_init(struct address_table *table);
void address_table_free(struct address_table *table);

/* The number of the object of this path, device and inode, added where it is new; OBJECT_UNKNOWN
 * when there are too many of them. pid: of a process that has it mapped, and is
 * asked while it lives which file that is: it may have another root or mount namespace. 0: there is
 * none to be asked. */
uint32_t address_table_object(struct address_table *table, const char *path, uint64_t device,
			      uint64_t inode, uint32_t pid);
/* The same for memory of a process that is no file's: "[anon]". */
uint32_t address_table_memory(struct address_table *table, const char *path, uint32_t pid);
/* It was mapped with this build-id. An object that was mapped with two of them has one of no file.
 */
void address_table_build_id(struct address_table *table, uint32_t object, const unsigned char *id,
			    size_t size);
/* Takes over where the files are that the other table, whose processes were asked, has as well. */
void address_table_locate(struct address_table *table, const struct address_table *other);

/* The number of the address (below nkeys). Beyond ADDRESSES_MAX, all new addresses of an object
 * share one number with the offset ADDRESS_OFFSET_ANY. */
uint32_t address_table_number(struct address_table *table, uint32_t object, uint64_t offset);
/* The number of a new address for this place of a script. */
uint32_t address_table_place(struct address_table *table, const char *file, const char *function,
			     int line);
/* The number of the object's address of offset ADDRESS_OFFSET_ANY. */
uint32_t address_table_any(struct address_table *table, uint32_t object);

/* An address, in order of objects. */
struct address_spot {
	uint64_t key;
	uint32_t address; /* its number */
};
/* The addresses whose counts[] is not 0, in order; a fresh array. */
struct address_spot *address_table_list(const struct address_table *table, const uint64_t *counts,
					size_t *count);
/* How many of these, at least one, are of the same object as the first. */
size_t address_spots_alike(const struct address_spot *spots, size_t count);

struct stat;
/* Opens a regular file to read it, without a look into what is none: FIFOs block, devices act. A
 * symbolic link in the end is not followed. -1 with errno, which is 0 where it is no regular file.
 */
int open_regular(const char *path, struct stat *status);
/* Is it a regular file that nobody has laid there but this user, root or that owner? */
int is_trusted(const struct stat *status, uid_t owner);

#endif
