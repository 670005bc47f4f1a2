/* instruction_aarch64.c: AArch64 instructions that loops branch, wait and poll with. */
/* SPDX-License-Identifier: MIT
 *
 * Encodings are those of the Arm Architecture Reference Manual for A-profile, chapter C4.
 */
#include "symbols/instruction.h"

#include <string.h>

enum { ZERO_REGISTER = 31 };

/* `bits` of the word from `low` on, with their sign. */
static int64_t take_signed(uint32_t word, unsigned low, unsigned bits)
{
	int64_t value = word >> low & ((UINT32_C(1) << bits) - 1);

	return value >> (bits - 1) ? value - (INT64_C(1) << bits) : value;
}

/* Register 31 is zero, or the stack pointer, which no short loop moves. */
static uint64_t bit(uint32_t word, unsigned low)
{
	unsigned number = word >> low & 31;

	return number == ZERO_REGISTER ? 0 : UINT64_C(1) << number;
}

static int is_branch(uint32_t word, struct instruction *result)
{
	if ((word & 0xfc000000) == 0x14000000) { /* b */
		result->target = 4 * take_signed(word, 0, 26);
		result->is_certain = 1;
	} else if ((word & 0xff000000) == 0x54000000) { /* b.cond, bc.cond */
		result->target = 4 * take_signed(word, 5, 19);
		result->reads = REGISTER_FLAGS;
	} else if ((word & 0x7e000000) == 0x34000000) { /* cbz, cbnz */
		result->target = 4 * take_signed(word, 5, 19);
		result->reads = bit(word, 0);
	} else if ((word & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
		result->target = 4 * take_signed(word, 5, 14);
		result->reads = bit(word, 0);
	} else {
		return 0;
	}
	result->kind = INSTRUCTION_BRANCH;
	result->is_known = 1;
	return 1;
}

/* Loads of one general register without a change of their base. */
static int is_load(uint32_t word)
{
	return (word & 0x3f400000) == 0x39400000 || /* ldr, unsigned offset; ldrs: */
	       (word & 0x3f800000) == 0x39800000 || (word & 0x3fe00c00) == 0x38400000 || /* ldur */
	       (word & 0x3fa00c00) == 0x38800000 ||
	       (word & 0x3fe00c00) == 0x38600800 || /* ldr, register offset */
	       (word & 0x3ffffc00) == 0x08dffc00 || /* ldar */
	       (word & 0x3ffffc00) == 0x38bfc000 || /* ldapr */
	       (word & 0x3fff7c00) == 0x085f7c00;   /* ldxr, ldaxr */
}

/* Swaps of a general register with memory: swp, swpa, swpl, swpal. */
static int is_swap(uint32_t word)
{
	return (word & 0x3f20fc00) == 0x38208000;
}

/* add, sub, adds, subs; and, orr, eor, ands of registers; mov. */
static int is_arithmetic(uint32_t word, struct instruction *result)
{
	uint64_t to = bit(word, 0), from = bit(word, 5);

	if ((word & 0x1f800000) == 0x11000000) { /* add, sub with an immediate operand */
		result->reads = from;
		result->is_step = 1;
	} else if ((word & 0x1f800000) == 0x12000000) { /* logical, immediate */
		result->reads = from;
	} else if ((word & 0x1f000000) == 0x0b000000 || (word & 0x1f000000) == 0x0a000000) {
		result->reads = from | bit(word, 16);
		result->is_step = (word & 0xffe0ffe0) == 0x2a0003e0 ||
				  (word & 0xffe0ffe0) == 0xaa0003e0; /* mov */
	} else if ((word & 0x1f800000) == 0x12800000) {		     /* movn, movz, movk */
		result->reads = (word & 0x60000000) == 0x60000000 ? to : 0;
		result->writes = to;
		return 1;
	} else if ((word & 0x1f000000) == 0x10000000) { /* adr, adrp */
		result->writes = to;
		return 1;
	} else {
		return 0;
	}
	result->writes = to;
	if ((word & 0x1f000000) == 0x11000000 || (word & 0x1f000000) == 0x0b000000
		    ? word & 0x20000000
		    : (word & 0x60000000) == 0x60000000) {
		result->writes |= REGISTER_FLAGS;
		result->is_check = !to;
	}
	return 1;
}

int instruction_decode_aarch64(const unsigned char *code, size_t size, struct instruction *result)
{
	uint32_t word;

	memset(result, 0, sizeof *result);
	if (size < 4)
		return -1;
	word = code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
	result->length = 4;
	if (!(word >> 16)) { /* udf, and what is no code */
		return -1;
	} else if (word == 0xd503203f || word == 0xd503205f || (word & 0xfffff0ff) == 0xd50330df ||
		   (word & 0xffffffc0) == 0xd5031000) {
		result->kind = INSTRUCTION_PAUSE; /* yield, wfe, isb, wfet and wfit */
		result->is_known = 1;
	} else if ((word & 0xfffff01f) == 0xd503201f ||
		   (word & 0xfffff01f) == 0xd503301f) { /* hints; barriers, clrex */
		result->is_known = 1;
	} else if ((word & 0xffffffe0) == 0xd53be040) { /* mrs of CNTVCT_EL0 */
		result->kind = INSTRUCTION_CLOCK;
		result->is_known = result->is_load = 1;
		result->writes = bit(word, 0);
	} else if ((word & 0xfc000000) == 0x94000000 || (word & 0xfffffc1f) == 0xd63f0000) {
		result->kind = INSTRUCTION_CALL; /* bl, blr */
	} else if ((word & 0xfe000000) == 0xd6000000 || (word & 0xffe0001f) == 0xd4200000) {
		result->kind = INSTRUCTION_END; /* br, ret, eret, brk */
	} else if (is_branch(word, result)) {
		;
	} else if (is_load(word)) {
		result->is_known = result->is_load = 1;
		result->address = bit(word, 5);
		if ((word & 0x3fe00c00) == 0x38600800)
			result->address |= bit(word, 16);
		result->reads = result->address;
		result->writes = bit(word, 0);
	} else if (is_swap(word)) {
		result->is_known = result->is_load = result->is_swap = 1;
		result->address = bit(word, 5);
		result->reads = result->address | bit(word, 16);
		result->writes = bit(word, 0);
	} else if (is_arithmetic(word, result)) {
		result->is_known = 1;
	}
	return 0;
}
