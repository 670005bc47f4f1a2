/* instruction.c: decodes an instruction by libcapstone into the properties that loops.h needs. */
/* SPDX-License-Identifier: MIT
 *
 * Works around errors of libcapstone 4.0.2 (Debian 12): it does not have the registers that lock
 * cmpxchg writes, and it treats the first operand of AArch64's comparisons as written.
 */
#include "symbols/loops.h"

#include <capstone.h>
#include <limits.h>
#include <string.h>

#include "base/array.h"

enum {
	TILES = 32,	/* number of the first tile among vector registers */
	FLAGS = 32,	/* number of the flags among registers: see REGISTER_FLAGS */
	NOT_KNOWN = 63, /* number of vector registers and others */
};

/* The number of a register; its parts have the same number. */
static int number_x86_64(unsigned reg)
{
	static const unsigned char families[][5] = {
		{X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
		{X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
		{X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
		{X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
		{X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL},
		{X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL},
		{X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL},
		{X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL},
	};

	for (int i = 0; i < 8; i++)
		if (reg <= UCHAR_MAX && memchr(families[i], (int)reg, sizeof families[i]))
			return i;
	if (reg >= X86_REG_R8 && reg <= X86_REG_R15)
		return (int)(reg - X86_REG_R8) + 8;
	if (reg >= X86_REG_R8B && reg <= X86_REG_R15W) /* R8B to R15B, R8D to R15D, R8W to R15W */
		return (int)(reg - X86_REG_R8B) % 8 + 8;
	return reg == X86_REG_EFLAGS ? FLAGS : NOT_KNOWN;
}

static int number_aarch64(unsigned reg)
{
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (int)(reg - ARM64_REG_W0);
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (int)(reg - ARM64_REG_X0);
	if (reg == ARM64_REG_X29 || reg == ARM64_REG_X30)
		return (int)(reg - ARM64_REG_X29) + 29;
	return reg == ARM64_REG_NZCV ? FLAGS : NOT_KNOWN;
}

/* The bit of a register, or 0 for registers that no short loop changes: the instruction pointer,
 * segments, AArch64's zero register and stack pointer. */
static uint64_t bit(enum instruction_set set, unsigned reg)
{
	static const unsigned fixed[2][6] = {
		{0, X86_REG_RIP, X86_REG_FS, X86_REG_GS, X86_REG_DS, X86_REG_SS},
		{0, ARM64_REG_WZR, ARM64_REG_XZR, ARM64_REG_WSP, ARM64_REG_SP},
	};

	for (size_t i = 0; i < COUNT(*fixed); i++)
		if (reg == fixed[set][i])
			return 0;
	return UINT64_C(1) << (set == INSTRUCTIONS_X86_64 ? number_x86_64(reg)
							  : number_aarch64(reg));
}

/* Whether `id` is in `ids`, which end with 0. */
static int is_one_of(unsigned id, const unsigned short *ids)
{
	while (*ids && *ids != id)
		ids++;
	return *ids != 0;
}

/* Adds the effects of the operands that are memory or parts of registers. */
static void explain_operands_x86_64(const cs_insn *insn, struct instruction *result)
{
	enum { RSP = 4, RBP = 5 };
	const cs_x86 *x86 = &insn->detail->x86;

	for (const cs_x86_op *op = x86->operands; op < x86->operands + x86->op_count; op++) {
		int is_written = op->access & CS_AC_WRITE;
		uint64_t address;

		if (op->type == X86_OP_REG && is_written && op->size < 4)
			result->partly |= bit(INSTRUCTIONS_X86_64, op->reg);
		if (op->type != X86_OP_MEM)
			continue;
		address = bit(INSTRUCTIONS_X86_64, op->mem.base) |
			  bit(INSTRUCTIONS_X86_64, op->mem.index);
		result->address |= address;
		result->is_load |= (op->access & CS_AC_READ) != 0;
		result->slot = op->mem.disp;
		result->slot_bytes = op->size;
		/* Local variables are at fixed offsets from RSP or RBP. The distance between these
		 * is not known, so their slots are kept apart. */
		result->has_slot = address == 1 << RSP || address == 1 << RBP;
		if (address == 1 << RSP)
			result->slot += INT64_C(1) << 40;
		if (insn->id == X86_INS_XCHG)
			result->is_swap = 1; /* atomic even without a lock prefix */
		else if (insn->id == X86_INS_CMPXCHG)
			result->is_swap = result->is_known = x86->prefix[0] == X86_PREFIX_LOCK;
		else if (insn->id == X86_INS_MOV && is_written)
			result->is_spill = result->is_known = result->has_slot;
		else if (is_written)
			result->is_known = 0;
	}
}

static void explain_x86_64(const cs_insn *insn, struct instruction *result)
{
	static const unsigned short plain[] = {
		X86_INS_MOVABS, X86_INS_MOVSX,	X86_INS_MOVSXD, X86_INS_MOVZX,	 X86_INS_AND,
		X86_INS_ADC,	X86_INS_SBB,	X86_INS_NEG,	X86_INS_NOT,	 X86_INS_SHL,
		X86_INS_SHR,	X86_INS_SAR,	X86_INS_XCHG,	X86_INS_ENDBR64, X86_INS_LFENCE,
		X86_INS_MFENCE, X86_INS_SFENCE, X86_INS_CDQE,	X86_INS_CWDE,	 0};
	const cs_x86_op *operands = insn->detail->x86.operands;
	int is_register = operands[0].type == X86_OP_REG,
	    is_constant = operands[1].type == X86_OP_IMM;

	result->is_known = 1;
	switch (insn->id) {
	case X86_INS_LEA:
		result->is_step = !(result->reads & (result->reads - 1));
		return; /* does not access memory */
	case X86_INS_NOP:
		result->reads = 0;
		return;
	case X86_INS_PAUSE:
		result->kind = INSTRUCTION_PAUSE;
		return;
	case X86_INS_RDTSC:
		result->kind = INSTRUCTION_CLOCK;
		result->is_load = 1;
		return;
	case X86_INS_OR:
		/* "lock or $0", which compilers use as a full barrier */
		if (insn->detail->x86.prefix[0] == X86_PREFIX_LOCK && is_constant &&
		    !operands[1].imm)
			return;
		break;
	case X86_INS_SUB:
	case X86_INS_XOR:
		if (is_register && operands[1].type == X86_OP_REG &&
		    operands[0].reg == operands[1].reg)
			result->reads = 0; /* sets it to 0 */
		result->is_step = insn->id == X86_INS_SUB && is_register && is_constant;
		break;
	case X86_INS_ADD:
		result->is_step = is_register && is_constant;
		break;
	case X86_INS_INC:
	case X86_INS_DEC:
		result->is_step = is_register;
		break;
	case X86_INS_MOV:
		result->is_step = is_register && operands[1].type == X86_OP_REG;
		break;
	case X86_INS_CMP:
	case X86_INS_TEST:
		result->is_check = 1;
		break;
	case X86_INS_BT: /* a number in a register may search for a bit */
		result->is_check = is_constant;
		break;
	case X86_INS_CMPXCHG:
		result->writes |= REGISTER_FLAGS | bit(INSTRUCTIONS_X86_64, X86_REG_RAX);
		break;
	case X86_INS_RET:
	case X86_INS_INT3:
	case X86_INS_HLT:
	case X86_INS_UD2:
		result->kind = INSTRUCTION_END;
		return;
	default:
		result->is_known = is_one_of(insn->id, plain) ||
				   (insn->id >= X86_INS_SETAE && insn->id <= X86_INS_SETS);
		for (int i = 0; i < insn->detail->groups_count; i++)
			result->is_known |= insn->detail->groups[i] == X86_GRP_CMOV;
	}
	if (result->is_known)
		explain_operands_x86_64(insn, result);
}

static void explain_aarch64(const cs_insn *insn, struct instruction *result)
{
	static const unsigned short loads[] = {ARM64_INS_LDR,	 ARM64_INS_LDRB,
					       ARM64_INS_LDRH,	 ARM64_INS_LDRSB,
					       ARM64_INS_LDRSH,	 ARM64_INS_LDRSW,
					       ARM64_INS_LDUR,	 ARM64_INS_LDURB,
					       ARM64_INS_LDURH,	 ARM64_INS_LDURSB,
					       ARM64_INS_LDURSH, ARM64_INS_LDURSW,
					       ARM64_INS_LDAR,	 ARM64_INS_LDARB,
					       ARM64_INS_LDARH,	 ARM64_INS_LDXR,
					       ARM64_INS_LDXRB,	 ARM64_INS_LDXRH,
					       ARM64_INS_LDAXR,	 ARM64_INS_LDAXRB,
					       ARM64_INS_LDAXRH, 0};
	static const unsigned short plain[] = {ARM64_INS_AND,  ARM64_INS_ORR,	ARM64_INS_EOR,
					       ARM64_INS_MOVK, ARM64_INS_ADR,	ARM64_INS_ADRP,
					       ARM64_INS_NOP,  ARM64_INS_HINT,	ARM64_INS_DMB,
					       ARM64_INS_DSB,  ARM64_INS_CLREX, 0};
	const cs_arm64 *arm64 = &insn->detail->arm64;
	const cs_arm64_op *operands = arm64->operands;
	uint64_t first =
		operands[0].type == ARM64_OP_REG ? bit(INSTRUCTIONS_AARCH64, operands[0].reg) : 0;

	result->is_known = 1;
	switch (insn->id) {
	case ARM64_INS_YIELD:
	case ARM64_INS_WFE:
	case ARM64_INS_ISB:
		result->kind = INSTRUCTION_PAUSE;
		break;
	case ARM64_INS_RET:
	case ARM64_INS_BRK:
		result->kind = INSTRUCTION_END;
		break;
	case ARM64_INS_MRS:
		result->is_known = result->is_load = strstr(insn->op_str, "cntvct") != NULL;
		result->kind = result->is_known ? INSTRUCTION_CLOCK : INSTRUCTION_PLAIN;
		break;
	case ARM64_INS_CMP:
	case ARM64_INS_CMN:
	case ARM64_INS_TST:
		result->is_check = 1;
		result->reads |= first;
		result->writes &= ~first;
		break;
	case ARM64_INS_MOVZ:
	case ARM64_INS_MOVN:
		result->reads = 0;
		break;
	case ARM64_INS_MOV:
	case ARM64_INS_ADD:
	case ARM64_INS_SUB:
		result->writes |= first; /* libcapstone 4 forgets that of adds */
		result->is_step = operands[arm64->op_count - 1].type == ARM64_OP_IMM ||
				  insn->id == ARM64_INS_MOV;
		break;
	default:
		result->is_load = is_one_of(insn->id, loads);
		if (result->is_load)
			result->address = result->reads;
		result->is_known = result->is_load || is_one_of(insn->id, plain);
	}
}

/* Handles branches and calls of both sets. Returns 1 if the instruction is one. */
static int explain_branch(enum instruction_set set, const cs_insn *insn, struct instruction *result)
{
	int is_call = insn->id == (set == INSTRUCTIONS_X86_64 ? X86_INS_CALL : ARM64_INS_BL);
	int is_jump = 0;
	int64_t target;

	is_call |= set == INSTRUCTIONS_AARCH64 && insn->id == ARM64_INS_BLR;
	EACH_ROW(group, insn->detail->groups, insn->detail->groups_count)
		is_jump |= *group == CS_GRP_JUMP || *group == CS_GRP_BRANCH_RELATIVE;
	if (!is_jump && !is_call)
		return 0;
	if (set == INSTRUCTIONS_X86_64) {
		const cs_x86_op *op = insn->detail->x86.operands;

		target = op->type == X86_OP_IMM ? op->imm : INT64_MAX;
		result->is_certain = insn->id == X86_INS_JMP;
	} else {
		const cs_arm64 *arm64 = &insn->detail->arm64;
		const cs_arm64_op *op = &arm64->operands[arm64->op_count - 1];

		target = op->type == ARM64_OP_IMM ? op->imm : INT64_MAX;
		result->is_certain = insn->id == ARM64_INS_B && !(result->reads & REGISTER_FLAGS);
	}
	result->kind = is_call		     ? INSTRUCTION_CALL
		       : target == INT64_MAX ? INSTRUCTION_END
					     : INSTRUCTION_BRANCH;
	result->target = target;
	result->is_known = result->kind == INSTRUCTION_BRANCH && !result->writes;
	return 1;
}

/* The work of vector instructions by their names, without the leading v on x86-64. The first row
 * that fits counts. */
static const struct {
	const char *names; /* beginnings of names */
	enum vector_work work;
} vector_works[2][6] = {
	[INSTRUCTIONS_X86_64] = {{"fmaddsub", VECTOR_OTHER},
				 {"fmadd fnmadd", VECTOR_MULTIPLY_ADD},
				 {"mul pmadd pmul", VECTOR_MULTIPLY},
				 {"addp adds padd subp subss subsd", VECTOR_ADD},
				 {"mov broadcast pbroadcast perm pshuf shuf unpck punpck insert "
				  "extract pinsr pmovzx pmovsx cvtph2ps lddqu",
				  VECTOR_MOVE}},
	[INSTRUCTIONS_AARCH64] = {{"fmla fmls fmadd smlal umlal sdot udot usdot sudot bfdot bfmmla "
				   "smmla ummla usmmla fmmla fmopa bfmopa smopa",
				   VECTOR_MULTIPLY_ADD},
				  {"fmul smull umull", VECTOR_MULTIPLY},
				  {"fadd fsub add sub sadalp uadalp", VECTOR_ADD},
				  {"ld mov dup ins ext zip uzp trn fcvtl sshll ushll sxtl uxtl",
				   VECTOR_MOVE}},
};

static enum vector_work find_vector_work(enum instruction_set set, const char *name)
{
	for (size_t i = 0; vector_works[set][i].names; i++)
		for (const char *names = vector_works[set][i].names; *names;) {
			size_t length = strcspn(names, " ");

			if (!strncmp(names, name, length))
				return vector_works[set][i].work;
			names += length + (names[length] == ' ');
		}
	return VECTOR_OTHER;
}

/* Returns the number of a vector register, or -1. */
static int vector_number(enum instruction_set set, unsigned reg)
{
	static const unsigned first[2][6] = {
		{X86_REG_XMM0, X86_REG_YMM0, X86_REG_ZMM0},
		{ARM64_REG_V0, ARM64_REG_Q0, ARM64_REG_D0, ARM64_REG_S0, ARM64_REG_H0,
		 ARM64_REG_B0},
	};

	for (int i = 0; i < 6 && first[set][i]; i++)
		if (reg >= first[set][i] && reg < first[set][i] + 32)
			return (int)(reg - first[set][i]);
	return -1;
}

/* Reorders the sources of FMA132 and FMA213 like those of FMA231: two factors and the addend.
 * `last` is the last digit of the name. */
static void order_sources(int last, int sources[3])
{
	int added = last == '3', to = sources[2];

	if (last == '1')
		return;
	sources[2] = sources[added];
	sources[added] = to;
}

/* Sets the work and registers of vector instructions. libcapstone's first operand is the result. */
static void explain_vectors(enum instruction_set set, const cs_insn *insn,
			    struct instruction *result)
{
	const char *name = insn->mnemonic + (set == INSTRUCTIONS_X86_64 && *insn->mnemonic == 'v');
	const char *digits;
	const cs_x86_op *x86 = insn->detail->x86.operands;
	const cs_arm64_op *arm64 = insn->detail->arm64.operands;
	int count = set == INSTRUCTIONS_X86_64 ? insn->detail->x86.op_count
					       : insn->detail->arm64.op_count;
	int is_load = set == INSTRUCTIONS_AARCH64 && !strncmp(name, "ld", 2), found = 0, to = -1;

	if (set == INSTRUCTIONS_AARCH64 && !strncmp(name, "st", 2))
		return;
	for (int i = 0; i < count; i++) {
		int type = set == INSTRUCTIONS_X86_64 ? (int)x86[i].type : (int)arm64[i].type;
		unsigned reg = set == INSTRUCTIONS_X86_64 ? x86[i].reg : arm64[i].reg;
		int number = type == CS_OP_REG ? vector_number(set, reg) : VECTOR_MEMORY;

		if (number >= 0 && (!i || (is_load && !found))) {
			result->vectors |= UINT64_C(1) << number;
			to = number;
		} else if (!i) {
			return; /* a store of x86-64, or not a vector instruction */
		} else if (found < 3 && (type == CS_OP_MEM || number >= 0 ||
					 (type == CS_OP_REG && count == 2))) {
			result->sources[found++] = number;
		}
	}
	if (!result->vectors)
		return;
	result->vector = find_vector_work(set, name);
	/* with two operands, the result is a source as well */
	if (found == 1 && result->vector != VECTOR_MOVE)
		result->sources[1] = to;
	if (result->vector == VECTOR_MULTIPLY_ADD && found < 3)
		result->sources[2] = to;
	digits = strpbrk(name, "123");
	if (result->vector == VECTOR_MULTIPLY_ADD && set == INSTRUCTIONS_X86_64 && digits)
		order_sources(digits[2], result->sources);
}

/* Decodes vector instructions with VEX and EVEX encoding (Intel's manual, volume 2, chapter 2):
 * libcapstone 4 does not know AMX, AVX-512 VNNI, BF16 and FP16, and rejects some of AVX-512. */
static int explain_vex(const unsigned char *code, size_t size, struct instruction *result)
{
	enum { EVEX = 0x62, VEX = 0xc4, REGISTER = 3 };
	static const struct {
		unsigned char map, first, count, work; /* `count` operations from the first on */
	} works[] = {
		{1, 0x10, 1, VECTOR_MOVE},	   {1, 0x28, 1, VECTOR_MOVE},
		{1, 0x6f, 1, VECTOR_MOVE},	   {2, 0x13, 1, VECTOR_MOVE},
		{2, 0x18, 4, VECTOR_MOVE},	   {2, 0x20, 6, VECTOR_MOVE},
		{2, 0x30, 6, VECTOR_MOVE},	   {2, 0x4b, 1, VECTOR_MOVE},
		{2, 0x58, 4, VECTOR_MOVE},	   {1, 0x59, 1, VECTOR_MULTIPLY},
		{1, 0xf5, 1, VECTOR_MULTIPLY},	   {2, 0x04, 1, VECTOR_MULTIPLY},
		{1, 0x58, 1, VECTOR_ADD},	   {1, 0x5c, 1, VECTOR_ADD},
		{1, 0xfe, 1, VECTOR_ADD},	   {2, 0x50, 4, VECTOR_MULTIPLY_ADD},
		{2, 0x5c, 1, VECTOR_MULTIPLY_ADD}, {2, 0x5e, 1, VECTOR_MULTIPLY_ADD},
	};
	size_t at = *code == EVEX ? 4 : 3, sib;
	int map, mode, base, to, source, tiles = 0;

	if (size < at + 2 || (*code != VEX && *code != EVEX))
		return -1;
	map = code[1] & (*code == VEX ? 0x1f : 7);
	mode = code[at + 1] >> 6;
	base = code[at + 1] & 7;
	sib = mode != REGISTER && base == 4;
	if (size < at + 2 + sib)
		return -1;
	if (sib)
		base = code[at + 2] & 7;
	result->length = (unsigned)(at + 2 + sib);
	result->length += mode == 1 ? 1 : mode == 2 || (!mode && base == 5) ? 4 : 0;
	result->length += map == 3 || (map == 1 && memchr("\x70\x71\x72\x73\xc2\xc4\xc5\xc6",
							  code[at], 8)); /* an immediate */
	if (size < result->length)
		return -1;
	to = (code[at + 1] >> 3 & 7) | (~code[1] >> 4 & 8);
	source = ~code[2] >> 3 & 15;
	base = (code[at + 1] & 7) | (~code[1] >> 2 & 8);
	if (*code == EVEX) {
		to |= ~code[1] & 16;
		source |= code[3] & 8 ? 0 : 16;
		base |= ~code[1] >> 2 & 16;
	} else if (map == 2 && memchr("\x49\x4b\x5c\x5e", code[at], 4)) { /* of AMX */
		tiles = TILES;
	}
	result->vector = VECTOR_OTHER;
	for (size_t i = 0; i < COUNT(works); i++)
		if (works[i].map == map && code[at] - works[i].first >= 0 &&
		    code[at] - works[i].first < works[i].count)
			result->vector = works[i].work;
	result->sources[1] = mode == REGISTER ? base + tiles : VECTOR_MEMORY;
	result->sources[0] = source + tiles;
	result->sources[2] = to + tiles;
	if ((map == 2 || map == 6) && code[at] >= 0x98 && code[at] <= 0xbd &&
	    (code[at] & 0xa) == 8) {
		result->vector = VECTOR_MULTIPLY_ADD; /* FMA132, FMA213 and FMA231 */
		order_sources("231"[(code[at] >> 4) - 9], result -> sources);
	}
	if (result->vector == VECTOR_MOVE) {
		result->sources[0] = result->sources[1];
		result->sources[1] = VECTOR_ABSENT;
	}
	/* stores; in map 2, stores have the prefix f3 */
	if (mode != REGISTER && ((map == 1 && memchr("\x11\x29\x7f", code[at], 3)) ||
				 (map == 2 && (code[2] & 3) == 2 && result->vector == VECTOR_MOVE)))
		result->vector = VECTOR_NONE;
	else
		result->vectors = UINT64_C(1) << (to + tiles);
	return 0;
}

/* Decodes AArch64 instructions that libcapstone 4 does not know: the swaps of Armv8.1 and products.
 * Others only get a length. */
static int explain_unknown_aarch64(const unsigned char *code, size_t size,
				   struct instruction *result)
{
	enum { SME = 0xde000010 };
	/* sdot, udot, usdot, bfdot, bfmmla, smmla, ummla, usmmla, fmla of half precision: first of
	 * vectors, then by element; SVE's loads and products; SME's sums of outer products */
	static const struct {
		uint32_t mask, bits;
		unsigned last; /* mask of the second factor's number */
		enum vector_work work;
	} products[] = {
		{0x9fe0f400, 0x0e809400, 31, VECTOR_MULTIPLY_ADD},
		{0xbfe0fc00, 0x2e40fc00, 31, VECTOR_MULTIPLY_ADD},
		{0xdfe0f400, 0x4e80a400, 31, VECTOR_MULTIPLY_ADD},
		{0xffe0fc00, 0x6e40ec00, 31, VECTOR_MULTIPLY_ADD},
		{0xbfe0fc00, 0x0e400c00, 31, VECTOR_MULTIPLY_ADD},
		{0x9f00f400, 0x0f00e000, 31, VECTOR_MULTIPLY_ADD},
		{0xbf00f400, 0x0f00f000, 31, VECTOR_MULTIPLY_ADD},
		{0xbfc0f400, 0x0f001000, 15, VECTOR_MULTIPLY_ADD},
		{0xff20e000, 0x65200000, 31, VECTOR_MULTIPLY_ADD},
		{0xff20fc00, 0x64200000, 7, VECTOR_MULTIPLY_ADD},
		{0xff20fc00, 0x6420e400, 31, VECTOR_MULTIPLY_ADD},
		{0xff20f800, 0x44000000, 31, VECTOR_MULTIPLY_ADD},
		{0xfe000000, 0xa4000000, 0, VECTOR_MOVE},
		{0xfe000000, 0x84000000, 0, VECTOR_MOVE},
		{SME, 0x80000000, 31, VECTOR_MULTIPLY_ADD},
	};
	uint32_t word;

	if (size < sizeof word)
		return -1;
	memcpy(&word, code, sizeof word); /* little-endian, as this machine */
	if (!(word >> 16))
		return -1; /* not an instruction */
	result->length = sizeof word;
	if ((word & 0x3f20fc00) == 0x38208000) {
		result->is_known = result->is_load = result->is_swap = 1;
		result->address = UINT64_C(1) << (word >> 5 & 31);
		result->reads = result->address | UINT64_C(1) << (word >> 16 & 31);
		result->writes = UINT64_C(1) << (word & 31);
	}
	EACH_ROW(product, products, COUNT(products))
		if ((word & product->mask) == product->bits) {
			result->vector = product->work;
			result->vectors = UINT64_C(1) << (product->mask == SME ? TILES + (word & 7)
									       : word & 31);
			result->sources[0] = VECTOR_MEMORY;
			if (product->work == VECTOR_MOVE)
				break;
			result->sources[0] = (int)(word >> 5 & 31);
			result->sources[1] = (int)(word >> 16 & product->last);
			result->sources[2] = ffsll((long long)result->vectors) - 1;
			break;
		}
	return 0;
}

int instruction_decode(const struct machine_code *code, size_t at, struct instruction *result)
{
	enum instruction_set set = code->set;
	const unsigned char *bytes = code->bytes + at;
	size_t size = code->size - at;
	static struct {
		csh handle;
		cs_insn *insn;
	} decoders[2];
	csh *handle = &decoders[set].handle;
	cs_regs reads, writes;
	uint8_t nreads, nwrites;
	uint64_t address = 0;
	const cs_insn *insn;

	memset(result, 0, sizeof *result);
	result->sources[0] = result->sources[1] = result->sources[2] = VECTOR_ABSENT;
	if (!decoders[set].insn) {
		if (cs_open(set == INSTRUCTIONS_X86_64 ? CS_ARCH_X86 : CS_ARCH_ARM64,
			    set == INSTRUCTIONS_X86_64 ? CS_MODE_64 : CS_MODE_LITTLE_ENDIAN,
			    handle))
			return -1;
		cs_option(*handle, CS_OPT_DETAIL, CS_OPT_ON);
		decoders[set].insn = cs_malloc(*handle);
		if (!decoders[set].insn) {
			cs_close(handle);
			return -1;
		}
	}
	if (set == INSTRUCTIONS_X86_64 && size && *bytes == 0x62) /* EVEX */
		return explain_vex(bytes, size, result);
	insn = decoders[set].insn;
	if (!cs_disasm_iter(*handle, &bytes, &size, &address, decoders[set].insn))
		return set == INSTRUCTIONS_AARCH64 ? explain_unknown_aarch64(bytes, size, result)
						   : explain_vex(bytes, size, result);
	if (cs_regs_access(*handle, insn, reads, &nreads, writes, &nwrites))
		return -1;
	result->length = insn->size;
	while (nreads--)
		result->reads |= bit(set, reads[nreads]);
	while (nwrites--)
		result->writes |= bit(set, writes[nwrites]);
	if (explain_branch(set, insn, result))
		return 0;
	explain_vectors(set, insn, result);
	if (set == INSTRUCTIONS_X86_64)
		explain_x86_64(insn, result);
	else
		explain_aarch64(insn, result);
	if ((result->reads | result->writes) >> NOT_KNOWN)
		result->is_known = 0;
	result->partly &= result->writes;
	return 0;
}
