/* jit_code.h: makes a function at run time, in memory that is no file's, and names it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_JIT_CODE_H
#define TESTS_JIT_CODE_H

#include <stdint.h>

/* A function that does what burn.h's do, in fresh memory, named `name` in /tmp/perf-PID.map. NULL
 * where memory cannot be made executable. */
uint64_t (*jit_code_make(const char *name))(uint64_t seed);

#endif
