/* jit_map.h: reads perf map files: names of code that a program made at run time. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_JIT_MAP_H
#define RECORD_JIT_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "symbols/jit_names.h"

struct jit_map_lines {
	uint64_t good, bad; /* bad: not "START SIZE NAME" in hexadecimal, out of range, cut off */
	int cut;	    /* 1: the file is longer than JIT_MAP_MAX_BYTES, which were read */
};
#define JIT_MAP_MAX_BYTES (UINT64_C(256) << 20)

/* Names the addresses (in order) that have no name yet. Of several lines that cover one, the last
 * holds: memory is used again. Function names longer than 500 bytes are cut. -1 when memory is out.
 */
int jit_map_name(FILE *file, struct jit_address *addresses, size_t count,
		 struct jit_map_lines *lines);

#endif
