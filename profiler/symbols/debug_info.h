/* debug_info.h: inlined functions and source lines at an address, from an object's DWARF. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_DEBUG_INFO_H
#define RECORD_DEBUG_INFO_H

#include <elfutils/libdwfl.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/symbols.h"

struct debug_info;

/* Looks for the module's DWARF, in the object or in a separate file, as libdwfl does. NULL where
 * there is none, or when memory is out. The module must outlive it. */
struct debug_info *debug_info_open(Dwfl_Module *module);
void debug_info_close(struct debug_info *info);

/* The frames at an address (as libdwfl has it) as of symbols_frames(), but for the function of the
 * last, which may be NULL. 0 where nothing is known of the address. Texts are owned by the module.
 */
size_t debug_info_frames(struct debug_info *info, uint64_t address, struct symbol_frame *frames,
			 size_t max);

#endif
