/* debug_info.h: inlined functions and source lines at an address, from an object's DWARF. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_DEBUG_INFO_H
#define SYMBOLS_DEBUG_INFO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

#endif
