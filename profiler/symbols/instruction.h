/* instruction.h: says of one machine instruction what it takes to tell what a short loop does. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_INSTRUCTION_H
#define SYMBOLS_INSTRUCTION_H

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

#endif
