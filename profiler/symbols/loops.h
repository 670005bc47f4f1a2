/* loops.h: recognises loops that only wait, and loops that multiply matrices, in machine code. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_LOOPS_H
#define SYMBOLS_LOOPS_H

#include <stddef.h>
#include <stdint.h>

enum instruction_kind {
	INSTRUCTION_PLAIN,
	INSTRUCTION_PAUSE,  /* a hint that a loop waits: pause, yield, wfe, isb */
	INSTRUCTION_CLOCK,  /* reads a clock */
	INSTRUCTION_BRANCH, /* to target, conditional or not */
	INSTRUCTION_CALL,
	INSTRUCTION_END, /* does not continue at the next one: a return, an indirect jump, a trap */
};

/* What an instruction does with vector registers. */
enum vector_work {
	VECTOR_NONE,
	VECTOR_MOVE, /* loads, copies, broadcasts, permutes or widens */
	VECTOR_MULTIPLY,
	VECTOR_ADD,	     /* or subtracts */
	VECTOR_MULTIPLY_ADD, /* the product of two sources, plus the third */
	VECTOR_OTHER,
};

enum {
	VECTORS_MAX = 48,   /* number of vector registers; the tiles of matrix units follow at 32 */
	VECTOR_MEMORY = -1, /* the source is memory, or a general register */
	VECTOR_ABSENT = -2, /* there is no such source */
};

/* Sets of general registers have a bit for each number. */
#define REGISTER_FLAGS (UINT64_C(1) << 32)

struct instruction {
	enum instruction_kind kind;
	unsigned length; /* bytes */
	int64_t target;	 /* of a branch, relative to the start of the instruction */
	int is_certain;	 /* of a branch: it is unconditional */
	/* 1: the members below are all of its effects; 0: it may do anything else, too */
	int is_known;
	uint64_t reads, writes; /* registers */
	uint64_t partly;	/* part of writes: only the lower 8 or 16 bits are written */
	uint64_t address;	/* part of reads: only used in the address of its memory operand */
	int is_load;		/* reads memory, or a clock */
	int is_spill;		/* writes a register to its function's stack frame */
	int has_slot;		/* 1: the spill or load is in the stack frame, at offset slot */
	int64_t slot, slot_bytes;
	int is_swap;  /* atomic write of the registers read; of a lock if these are constant */
	int is_step;  /* writes a register plus a constant, which may be 0 */
	int is_check; /* a comparison, which writes only the flags */
	enum vector_work vector;
	uint64_t vectors; /* set of the vector registers that it writes */
	int sources[3];	  /* numbers of the vector registers that it reads, or as above */
};

enum instruction_set { INSTRUCTIONS_X86_64, INSTRUCTIONS_AARCH64 };

struct machine_code {
	enum instruction_set set;
	const unsigned char *bytes;
	size_t size;
	/* Of each byte: 1 if a call that gives up the CPU ends with it; NULL if there is none. */
	const char *yields;
	const uint64_t *samples; /* of each byte; NULL if they do not tell */
};

/* Decodes the instruction at bytes[at]. Returns 0, or -1 if it is invalid or unknown, ends beyond
 * the code, or memory is out. Memory barriers count as doing nothing. Not thread-safe. */
int instruction_decode(const struct machine_code *code, size_t at, struct instruction *result);

enum {
	/* A loop with a pause waits if it is too short for work. */
	WAIT_LOOP_BYTES = 160,
	/* The size of the loop of LLVM's OpenMP library, which includes task stealing. */
	WAIT_LOOP_BYTES_MAX = 1024,
};

/* The machine that blasprof runs on. */
#if defined __x86_64__
#define INSTRUCTIONS_HERE INSTRUCTIONS_X86_64
#else
#define INSTRUCTIONS_HERE INSTRUCTIONS_AARCH64
#endif

#define WAITS_FOR_LOCK 2

/* Returns 1 if the instruction at bytes[at] is in a loop that waits for another thread,
 * WAITS_FOR_LOCK if that loop tries to take a lock, else 0. The innermost loop around it, of at
 * most `longest` bytes, is such a loop in two cases. (1) It has a pause instruction that takes a
 * part of its time, or a call that gives up the CPU. (2) It has no pause, and all its iterations
 * are the same: nothing but an iteration count depends on the previous iteration, it makes no
 * calls, and writes no memory except constants to a lock and copies on its stack. As it reads
 * memory, only a write by another thread can change what it does. A search, a sum or a walk through
 * memory depends on the previous iteration. */
int wait_loop_covers(const struct machine_code *code, size_t at, size_t longest);

/* Returns 1 if the instruction belongs to a function that only reads and returns the CPU's clock.
 */
int clock_function_covers(const struct machine_code *code, size_t at);

/* The loops of the code that was read so far; a zeroed struct is empty. */
struct matrix_loops {
	size_t start, end; /* of the code that was read */
	struct matrix_loop *rows;
	size_t count;
};

/* Returns 1 and the start of the loop in *start if the innermost loop around the instruction at
 * bytes[at] multiplies matrices or convolves, or contains such a loop and has at most 4 KiB; else
 * 0. A loop multiplies if it has at least four multiply-adds of two different numbers that it
 * loaded, if their sums stay in registers between iterations and nothing else changes them, and if
 * there are at most three loads for two multiply-adds, so that numbers are used more than once.
 * This excludes loops that compute a factor first (n-body, variances), sums that start anew in each
 * iteration (polynomials, stencils, FFT) and dot products. Asking for addresses in ascending order
 * reads the code only once. */
int matrix_loop_covers(struct matrix_loops *loops, const struct machine_code *code, size_t at,
		       size_t *start);
void matrix_loops_free(struct matrix_loops *loops);

#endif
