/* symbols.h: names of the functions at given offsets of an object file. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_SYMBOLS_H
#define RECORD_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* The symbols of one object file: its own, or those of its separate debug file. */
struct symbols;

/* Opens the object of this path as the kernel names it ("[vdso]" is this process's own). A file
 * that is gone, was replaced (another inode, when `inode` is not 0, since `since_ns`, realtime)
 * or is no object gives symbols without a name in them. NULL when memory is out. */
struct symbols *symbols_open(const char *path, uint64_t inode, int64_t since_ns);
void symbols_close(struct symbols *symbols);

/* One frame of the code at an address. Inlined frames, and source lines, are to be further ones. */
struct symbol_frame {
	const char *function; /* owned by the symbols */
};

/* Writes the frames at this offset in the file, innermost first, at most `max` (at least 1) and
 * returns how many: always 1 now. Where no symbol covers the offset, the function is
 * "libx.so+0x1234", with the address at which the function starts where the unwind tables
 * tell it, else the address itself. NULL names only when memory is out. */
size_t symbols_frames(struct symbols *symbols, uint64_t offset, struct symbol_frame *frames,
		      size_t max);

#endif
