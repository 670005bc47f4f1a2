/* symbols.h: names of the functions, inlined ones too, and the source lines at given offsets of an
 * object file. */
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
	const char *file; /* of the source, as it was compiled; NULL: not known */
	int line;	  /* in it; 0: not known */
	int inlined;	  /* 1: the function was inlined into that of the next frame */
	/* the function of another object that the call ending here is of; NULL: not known */
	const char *called;
};

/* Looks for the module's DWARF, in the object or in a separate file, as libdwfl does; in .dwo files
 * of this user, of root and of the owner. NULL where there is none, or when memory is out. The
 * module must outlive it. */
struct debug_info *debug_info_open(Dwfl_Module *module, uid_t owner);
void debug_info_close(struct debug_info *info);

/* The frames at an address (libdwfl's) as of symbols_frames(), but for the function of the last,
 * which may be NULL. 0 where nothing is known of the address. Strings are owned by the module. */
size_t debug_info_frames(struct debug_info *info, uint64_t address, struct symbol_frame *frames,
			 size_t max);

/* After how many seconds a server of debug information is given up, where the user has said
 * nothing. */
#define SERVERS_TIMEOUT_S "10"

/* Opens the object's file to read it. A file of another build-id is not the one that ran; where
 * none is known, one of another inode (where that is known) that was put there since since_ns
 * (realtime), or at any time where the object is foreign. Returns a descriptor, which the caller
 * closes, or -1. *complaint says what is wrong, also with what can be opened ("it is truncated");
 * NULL: nothing. */
int object_open(const struct object *object, int64_t since_ns, const char **complaint);

/* The address in the object file of what lies at this offset of it; the offset itself where that is
 * not known. */
uint64_t elf_offset_address(Elf *elf, uint64_t offset);

/* The image of the kernel's own shared object, which lies in every process, this one as well, and
 * its size. NULL where there is none. */
char *vdso_image(size_t *size);

/* The symbols of one object file: its own, or those of its separate debug file. */
struct symbols;

/* How much an object is worth; bits. */
enum symbols_how {
	/* It takes part of the time: servers are asked, where the user has set DEBUGINFOD_URLS, and
	 * the code of functions without a name is looked at. */
	SYMBOLS_MATTER = 1,
	/* Source lines and inlined functions only where the object has them itself: to unpack those
	 * of a system library takes a tenth of a second. */
	SYMBOLS_NEAR_LINES = 2,
};

/* Opens the object ("[vdso]" is this process's own). Separate debug files are looked for here and,
 * with SYMBOLS_MATTER, on servers; here only regular files of this user, of root or of the
 * object's owner count. To read them all takes at most 256 MiB and 16 times their size of memory:
 * what needs more has no names. A file that object_open() refuses gives symbols without a name in
 * them. */
struct symbols *symbols_open(const struct object *object, int64_t since_ns, unsigned how);
void symbols_close(struct symbols *symbols);

/* Why names may be missing: "it is truncated"; NULL where nothing is wrong with the file. */
const char *symbols_complaint(const struct symbols *symbols);

#define SYMBOL_FRAMES_MAX  64
/* The end of the made-up name of a loop that multiplies matrices. */
#define SYMBOL_MATRIX_LOOP "[matmul]"
/* Writes the frames at this offset in the file, innermost first, at most `max` (at least 1) and
 * returns how many: at least 1. All but the last are of inlined functions (those that the compiler
 * made itself, as for intrinsics, are left out). The last is that of the symbol; where no symbol
 * covers the offset, its function is "libx.so+0x1234", with the address at which the function
 * starts where the unwind tables know it, else the address itself; in a loop that multiplies
 * matrices (symbols/matrix_loops.h) it ends in SYMBOL_MATRIX_LOOP. Where the offset is the last
 * byte of a call (x86-64), the innermost says what is called. All strings are owned by the symbols.
 */
size_t symbols_frames(struct symbols *symbols, uint64_t offset, struct symbol_frame *frames,
		      size_t max);

#endif
