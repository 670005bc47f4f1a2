/* symbols.h: finds the functions, also inlined ones, and the source lines at offsets in an object
 * file. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "symbols/address_table.h"

typedef struct Dwfl_Module Dwfl_Module; /* of libdwfl */
struct debug_info;

/* One frame of the code at an address. */
struct symbol_frame {
	const char *function;
	const char *file; /* source file, as it was compiled; NULL: not known */
	int line;	  /* 0: not known */
	int inlined;	  /* 1: the function was inlined into that of the next frame */
	/* the function of another object that the call ending here calls; NULL: not known */
	const char *called;
};

/* Opens the module's DWARF, in the object or in a separate file that libdwfl finds, but no .dwo
 * files. Returns NULL if there is none or memory is out. The module must outlive the result. */
struct debug_info *debug_info_open(Dwfl_Module *module);
void debug_info_close(struct debug_info *info);

/* Writes the frames at an address of libdwfl, as symbols_frames() does, but the function of the
 * last frame may be NULL. Returns their number, 0 if nothing is known. The module owns the strings.
 */
size_t debug_info_frames(struct debug_info *info, uint64_t address, struct symbol_frame *frames,
			 size_t max);

/* Seconds to wait for a server of debug information, unless the user has set DEBUGINFOD_TIMEOUT. */
#define SERVERS_TIMEOUT_S "10"

/* Opens the object's file for reading. Refuses a file that is not the one that ran: one with
 * another build-id; or, if no build-id is known, one that was written since since_ns (realtime; 0:
 * it runs now), or has another inode and has changed since then, or at any time if the object is
 * foreign. Returns a descriptor, which the caller closes, or -1. Sets *complaint to what is wrong
 * ("it is truncated"), which it may be even if the file was opened, or to NULL. */
int object_open(const struct object *object, int64_t since_ns, const char **complaint);

/* Converts an offset in the object file to an address; returns the offset if that is not possible.
 */
uint64_t elf_offset_address(Elf *elf, uint64_t offset);

/* Returns this process's image of the vDSO and sets *size, or returns NULL if there is none. */
char *vdso_image(size_t *size);

/* The symbols of one object file, from itself or from its separate debug file. */
struct symbols;

/* How much effort an object is worth; bits. */
enum symbols_how {
	/* The object takes a part of the time: ask the servers in DEBUGINFOD_URLS, and inspect the
	 * code of functions without a name. */
	SYMBOLS_MATTER = 1,
	/* Use only debug information in the object itself: to unpack that of a system library takes
	 * a tenth of a second. */
	SYMBOLS_NEAR_LINES = 2,
};

/* Opens the object ("[vdso]" is this process's own). Separate debug files are searched locally and,
 * with SYMBOLS_MATTER, on servers; local ones must belong to this user, root or the object's owner.
 * Memory is limited to 256 MiB and 16 times the size of the files; files that need more give no
 * names. A file that object_open() refuses gives symbols without names. */
struct symbols *symbols_open(const struct object *object, int64_t since_ns, unsigned how);
void symbols_close(struct symbols *symbols);

/* Returns why names may be missing, like "it is truncated", or NULL. */
const char *symbols_complaint(const struct symbols *symbols);

#define SYMBOL_FRAMES_MAX  64
/* Ends the generated name of a loop that multiplies matrices. */
#define SYMBOL_MATRIX_LOOP "[matmul]"
/* Writes the frames at this offset in the file, innermost first, at most `max` (at least 1).
 * Returns their number, at least 1. All but the last are inlined functions, without those that the
 * compiler generated, as for intrinsics. The last is the function of the symbol. If no symbol
 * covers the offset, its name is "libx.so+0x1234", with the start of the function if the unwind
 * tables have it, else the address; in a loop that multiplies matrices (symbols/loops.h) the name
 * ends in SYMBOL_MATRIX_LOOP. If the offset is the last byte of a call (x86-64), the innermost
 * frame has the called function. The strings live as long as the symbols. */
size_t symbols_frames(struct symbols *symbols, uint64_t offset, struct symbol_frame *frames,
		      size_t max);

#endif
