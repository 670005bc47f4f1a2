/* naming.h: names the code at all places: functions, inlined functions, source lines. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_NAMING_H
#define RECORD_NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/jit_files.h"
#include "symbols/places.h"
#include "symbols/symbols.h"
#include "store/run.h"

/* The frames of places. Each text in it is there once, so that equal texts are equal pointers. */
struct naming;

/* Names the places whose counts[] is not 0, by the files they lie in, by /proc/kallsyms or by the
 * perf map files of the processes (jits). Files changed after since_ns (realtime) are not trusted.
 * Notes objects_unreadable, jit_map_damaged and jit_unnamed go to the run, with counts[] for
 * weights; samples[]: those among them that time was spent at. The places may be freed before the
 * naming. NULL when memory is out. */
struct naming *naming_make(const struct places *places, const uint64_t *counts,
			   const uint64_t *samples, const struct jit_files *jits, int64_t since_ns, struct run *run);
void naming_free(struct naming *naming);

/* The frames at a place, by its number, innermost first; returns how many: at least 1. The last is
 * the function that the code belongs to as the linker knows it, those before it were inlined. Of a
 * caller's place take the return address less 1. A place that was not to be named, or whose code
 * has no name, has the one frame "[unknown]". Owned by the naming. */
size_t naming_frames(const struct naming *naming, uint32_t place,
		     const struct symbol_frame **frames);

#endif
