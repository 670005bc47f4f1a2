/* loops.h: tells from machine code whether a loop only waits, or multiplies matrices. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_LOOPS_H
#define SYMBOLS_LOOPS_H

#include <stddef.h>
#include <stdint.h>

enum instruction_kind {
	INSTRUCTION_PLAIN,
	INSTRUCTION_PAUSE,  /* tells the CPU that a loop waits: pause, yield, wfe, isb */
	INSTRUCTION_CLOCK,  /* reads a clock */
	INSTRUCTION_BRANCH, /* to target, with or without a condition */
	INSTRUCTION_CALL,
	INSTRUCTION_END, /* what follows is not run next: a return, an indirect jump, a trap */
};

/* What an instruction does with the numbers in vector registers. */
enum vector_work {
	VECTOR_NONE,
	VECTOR_MOVE, /* loads, copies, repeats, reorders or widens them */
	VECTOR_MULTIPLY,
	VECTOR_ADD,	     /* or subtracts */
	VECTOR_MULTIPLY_ADD, /* the product of two sources, and the third */
	VECTOR_OTHER,
};

enum {
	VECTORS_MAX = 48,   /* vector registers, from 32 on the tiles of matrix units */
	VECTOR_MEMORY = -1, /* a source: memory, or a general register */
	VECTOR_ABSENT = -2, /* there is none */
};

/* General registers are bits by their number. */
#define REGISTER_FLAGS (UINT64_C(1) << 32)

struct instruction {
	enum instruction_kind kind;
	unsigned length; /* bytes */
	int64_t target;	 /* of a branch, from the instruction's own start */
	int is_certain;	 /* of a branch: it has no condition */
	/* 1: what follows says all that it does; 0: it may write memory, or do anything else */
	int is_known;
	uint64_t reads, writes; /* registers */
	uint64_t partly;	/* those of writes of which it writes the lower 8 or 16 bits only */
	uint64_t address; /* those of reads that only say where in memory it reads or writes */
	int is_load;	  /* reads memory, or a clock */
	int is_spill;	  /* writes a register into its function's own memory on the stack */
	int has_slot;	  /* 1: that, or a load, is at this offset of the frame: */
	int64_t slot, slot_bytes; /* and so long */
	int is_swap;  /* an atomic write of the registers read: of a lock, where they are fixed */
	int is_step;  /* writes a register plus a constant, which may be 0 */
	int is_check; /* compares, and writes the flags only */
	enum vector_work vector;
	uint64_t vectors; /* vector registers that it writes, bits by their number */
	int sources[3];	  /* the numbers of those that it reads, or as above */
};

enum instruction_set { INSTRUCTIONS_X86_64, INSTRUCTIONS_AARCH64 };

/* Decodes the instruction that starts at code[0], by libcapstone. 0, or -1 where it is none, or one
 * that is not known, or does not end within `size` bytes, or memory is out. Memory order
 * instructions count as doing nothing. Not for several threads at once. */
int instruction_decode(enum instruction_set set, const unsigned char *code, size_t size,
		       struct instruction *result);

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

/* The loops of some code, as far as it was read; a zeroed one is empty. */
struct matrix_loops {
	size_t start, end; /* what was read */
	struct matrix_loop *rows;
	size_t count;
};

/* 1: the innermost loop around the instruction at code[at] multiplies matrices, or convolves, or is
 * one around such a loop, of at most 4 KiB: it sets and stores the sums. Such a loop has at least
 * four multiply-adds of two different numbers that were loaded in it, onto sums that stay in
 * registers from turn to turn and that nothing else changes, and at most three loads for two of
 * them, so that numbers are used more than once. What computes a factor first (n-body, variances),
 * sums that begin anew in each turn (polynomials, stencils, FFT) and the product of two vectors are
 * none. *start is where that loop begins. 0: it is none, or that cannot be told. To ask for
 * addresses in ascending order reads all code once. */
int matrix_loop_covers(struct matrix_loops *loops, enum instruction_set set,
		       const unsigned char *code, size_t size, size_t at, size_t *start);
void matrix_loops_free(struct matrix_loops *loops);

#endif
