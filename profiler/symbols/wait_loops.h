/* wait_loops.h: tells from machine code whether a loop only waits. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_WAIT_LOOPS_H
#define SYMBOLS_WAIT_LOOPS_H

#include <stddef.h>

#include "symbols/instruction.h"

enum {
	/* A loop with a pause in it waits if it is so short that no work has room in it. */
	WAIT_LOOP_BYTES = 160,
	/* So long is the one of LLVM's OpenMP library, with task stealing and settings. */
	WAIT_LOOP_BYTES_MAX = 1024,
};

/* Of the machine that blasprof runs on. */
#if defined __x86_64__
#define INSTRUCTIONS_HERE INSTRUCTIONS_X86_64
#else
#define INSTRUCTIONS_HERE INSTRUCTIONS_AARCH64
#endif

/* 1: the instruction at code[at] is in a loop that waits for another thread, which has one of two
 * proofs. (1) The innermost loop around it, of at most `longest` bytes, pauses: tells the CPU that
 * it waits. (2) All turns of that loop do the same: nothing in it depends on the turn before, but
 * for a count of turns, it calls nothing, and writes no memory, but for fixed values into a lock,
 * and copies on its stack. It reads memory, so only a write by another thread can make it do
 * anything else. A search, a sum or a walk through memory depends on the turn before. 0: it is not,
 * or that cannot be told. */
int wait_loop_covers(enum instruction_set set, const unsigned char *code, size_t size, size_t at,
		     size_t longest);

/* 1: the instruction is of a function that reads the CPU's clock and returns it, no more. */
int clock_function_covers(enum instruction_set set, const unsigned char *code, size_t size,
			  size_t at);

#endif
