/* jit_dump.h: reads jitdump files, in which Julia, Node and LLVM name the code that they made. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_JIT_DUMP_H
#define RECORD_JIT_DUMP_H

#include <stdio.h>

#include "symbols/jit_names.h"

/* Names those of the addresses (in order) that have no name yet. The format is that of Linux's
 * tools/perf/Documentation/jitdump-specification.txt, version 1; code that was moved has its name
 * at its new place. *why becomes what is wrong with the file, or NULL: what was read before still
 * holds. -1 when memory is out. */
int jit_dump_name(FILE *file, struct jit_address *addresses, size_t count, const char **why);

#endif
