/* symbols.h: names of the functions at given offsets of an object file. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_SYMBOLS_H
#define RECORD_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* After how many seconds a server of debug information is given up, where the user has said nothing. */
#define SERVERS_TIMEOUT_S "10"

/* The symbols of one object file: its own, or those of its separate debug file. */
struct symbols;

/* How much an object is worth; bits. */
enum symbols_how {
	SYMBOLS_ASK_SERVERS = 1, /* where the user has set DEBUGINFOD_URLS */
	SYMBOLS_NEAR_LINES =
		2, /* source lines and inlined functions only where the object has them itself:
		      unpacking those of a system library takes a tenth of a second */
};

/* Opens the object of this path as the kernel names it ("[vdso]" is this process's own). Separate
 * debug files are looked for here and, where it is worth that, on servers. A file that is gone, was
 * replaced (another inode, when `inode` is not 0, since `since_ns`, realtime) or is no object gives
 * symbols without a name in them. NULL when memory is out. */
struct symbols *symbols_open(const char *path, uint64_t inode, int64_t since_ns, unsigned how);
void symbols_close(struct symbols *symbols);

/* Why names may be missing: "it is cut off"; NULL where nothing is wrong with the file. */
const char *symbols_complaint(const struct symbols *symbols);

/* One frame of the code at an address. */
struct symbol_frame {
	const char *function; /* never NULL but when memory is out */
	const char *file;     /* of the source, as it was compiled; NULL: not known */
	int line;	      /* in it; 0: not known */
	int inlined;	      /* 1: the function was inlined into that of the next frame */
};
#define SYMBOL_FRAMES_MAX 64

/* Writes the frames at this offset in the file, innermost first, at most `max` (at least 1) and
 * returns how many: at least 1. All but the last are of inlined functions (those that the compiler
 * made itself, as for intrinsics, are left out). The last is that of the symbol; where no symbol
 * covers the offset, its function is "libx.so+0x1234", with the address at which the function
 * starts where the unwind tables tell it, else the address itself. All texts are owned by the
 * symbols. */
size_t symbols_frames(struct symbols *symbols, uint64_t offset, struct symbol_frame *frames,
		      size_t max);

#endif
