/* instruction_x86_64.c: the lengths of all x86-64 instructions, and what the simple ones do. */
/* SPDX-License-Identifier: MIT
 *
 * Opcode maps and encodings are those of Intel's Software Developer's Manual, volume 2, chapter 2
 * and appendix A.
 */
#include "symbols/instruction.h"

#include <string.h>

enum { LENGTH_MAX = 15, RAX = 0, RDX = 2, RSP = 4, RBP = 5 };
enum map { MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A };

/* How an instruction is put together. */
struct parts {
	const unsigned char *code;
	size_t size, at;	    /* at: bytes that are read so far */
	int has_66, has_67, repeat; /* repeat: F2, F3 or 0 */
	int is_locked, is_vector;   /* is_vector: VEX or EVEX */
	unsigned rex;
	enum map map;
	unsigned opcode;
	int has_modrm;
	unsigned mod, reg, rm; /* reg, rm: with the bits of REX */
	uint64_t address;      /* registers of the memory operand */
	int64_t displacement;  /* and what is added to them */
	int immediate_bytes;
	int64_t immediate;
};

static int take_byte(struct parts *parts, unsigned *byte)
{
	if (parts->at >= parts->size || parts->at >= LENGTH_MAX)
		return -1;
	*byte = parts->code[parts->at++];
	return 0;
}

/* A number of 0, 1, 2, 4 or 8 bytes with its sign. */
static int take_number(struct parts *parts, int bytes, int64_t *number)
{
	uint64_t bits = 0;
	unsigned byte;

	for (int i = 0; i < bytes; i++) {
		if (take_byte(parts, &byte))
			return -1;
		bits |= (uint64_t)byte << 8 * i;
	}
	if (bytes && bytes < 8 && bits >> (8 * bytes - 1))
		bits |= ~UINT64_C(0) << 8 * bytes;
	*number = (int64_t)bits;
	return 0;
}

/* VEX has two forms, EVEX one; the map is in their first byte, or is 0F. */
static int take_vector_prefix(struct parts *parts, unsigned first)
{
	unsigned byte = 0, more = first == 0xc5 ? 0 : first == 0xc4 ? 1 : 2;

	if (take_byte(parts, &byte))
		return -1;
	parts->is_vector = 1;
	parts->map = MAP_0F;
	if (first != 0xc5) {
		unsigned map = byte & (first == 0xc4 ? 0x1f : 7);

		if (map < 1 || map > 3)
			return -1;
		parts->map = (enum map)map;
	}
	while (more--)
		if (take_byte(parts, &byte))
			return -1;
	return take_byte(parts, &parts->opcode);
}

static int take_opcode(struct parts *parts)
{
	unsigned byte;

	for (;;) {
		if (take_byte(parts, &byte))
			return -1;
		if (byte == 0x66)
			parts->has_66 = 1;
		else if (byte == 0x67)
			parts->has_67 = 1;
		else if (byte == 0xf2 || byte == 0xf3)
			parts->repeat = (int)byte;
		else if (byte == 0xf0)
			parts->is_locked = 1;
		else if (!strchr("\x2e\x36\x3e\x26\x64\x65", (int)byte) || !byte)
			break;
	}
	if ((byte & 0xf0) == 0x40) {
		parts->rex = byte;
		if (take_byte(parts, &byte))
			return -1;
	}
	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
		return take_vector_prefix(parts, byte);
	if (byte == 0x0f) {
		parts->map = MAP_0F;
		if (take_byte(parts, &byte))
			return -1;
		if (byte == 0x38 || byte == 0x3a) {
			parts->map = byte == 0x38 ? MAP_0F38 : MAP_0F3A;
			if (take_byte(parts, &byte))
				return -1;
		}
	}
	parts->opcode = byte;
	return 0;
}

static int take_modrm(struct parts *parts)
{
	unsigned byte, sib, base;
	int displacement = 0;

	if (take_byte(parts, &byte))
		return -1;
	parts->mod = byte >> 6;
	parts->reg = (byte >> 3 & 7) | (parts->rex & 4 ? 8 : 0);
	parts->rm = (byte & 7) | (parts->rex & 1 ? 8 : 0);
	if (parts->mod == 3)
		return 0;
	displacement = parts->mod == 1 ? 1 : parts->mod == 2 ? 4 : 0;
	base = byte & 7;
	if (base == 4) {
		if (take_byte(parts, &sib))
			return -1;
		base = sib & 7;
		if ((sib >> 3 & 7) != 4 || parts->rex & 2)
			parts->address |= UINT64_C(1)
					  << ((sib >> 3 & 7) | (parts->rex & 2 ? 8 : 0));
		if (base == 5 && !parts->mod)
			displacement = 4;
		else
			parts->address |= UINT64_C(1) << (base | (parts->rex & 1 ? 8 : 0));
	} else if (base == 5 && !parts->mod) {
		displacement = 4; /* from the next instruction on */
	} else {
		parts->address |= UINT64_C(1) << parts->rm;
	}
	return take_number(parts, displacement, &parts->displacement);
}

/* Bytes of an immediate operand that is as wide as operands are, but for 64 bits. */
static int wide_bytes(const struct parts *parts)
{
	return parts->has_66 && !(parts->rex & 8) ? 2 : 4;
}

/* Sets what follows the opcode. -1: there is no such instruction in 64-bit mode. */
static int describe_one(struct parts *parts)
{
	unsigned op = parts->opcode;

	if (op < 0x40) {
		if ((op & 7) > 5)
			return -1;
		parts->has_modrm = (op & 7) < 4;
		parts->immediate_bytes = (op & 7) == 4 ? 1 : (op & 7) == 5 ? wide_bytes(parts) : 0;
		return 0;
	}
	if (op < 0x60 || (op >= 0x6c && op < 0x70) || (op >= 0x90 && op < 0xa0))
		return op == 0x9a ? -1 : 0;
	if ((op >= 0x70 && op < 0x80) || (op >= 0xb0 && op < 0xb8)) {
		parts->immediate_bytes = 1;
		return 0;
	}
	if (op >= 0xb8 && op < 0xc0) {
		parts->immediate_bytes = parts->rex & 8 ? 8 : wide_bytes(parts);
		return 0;
	}
	if ((op >= 0x84 && op < 0x90) || (op >= 0xd0 && op < 0xd4) || (op >= 0xd8 && op < 0xe0)) {
		parts->has_modrm = 1;
		return 0;
	}
	switch (op) {
	case 0x63:
	case 0xfe:
	case 0xff:
	case 0xf6: /* with an immediate operand for test, see take_operands() */
	case 0xf7:
		parts->has_modrm = 1;
		return 0;
	case 0x69:
	case 0x81:
	case 0xc7:
		parts->has_modrm = 1;
		parts->immediate_bytes = wide_bytes(parts);
		return 0;
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xc0:
	case 0xc1:
	case 0xc6:
		parts->has_modrm = 1;
		parts->immediate_bytes = 1;
		return 0;
	case 0x68:
	case 0xa9:
		parts->immediate_bytes = wide_bytes(parts);
		return 0;
	case 0x6a:
	case 0xa8:
	case 0xcd:
	case 0xeb:
		parts->immediate_bytes = 1;
		return 0;
	case 0xa0:
	case 0xa1:
	case 0xa2:
	case 0xa3:
		parts->immediate_bytes = parts->has_67 ? 4 : 8;
		return 0;
	case 0xc2:
	case 0xca:
		parts->immediate_bytes = 2;
		return 0;
	case 0xe8: /* calls of __tls_get_addr() have 66 before them, to no effect */
	case 0xe9:
		parts->immediate_bytes = 4;
		return 0;
	case 0xa4:
	case 0xa5:
	case 0xa6:
	case 0xa7:
	case 0xaa:
	case 0xab:
	case 0xac:
	case 0xad:
	case 0xae:
	case 0xaf:
	case 0xc3:
	case 0xc9:
	case 0xcb:
	case 0xcc:
	case 0xcf:
	case 0xd7:
		return 0;
	}
	if (op >= 0xe0 && op < 0xe8) {
		parts->immediate_bytes = 1;
		return 0;
	}
	return op >= 0xec && op != 0xf0 && op != 0xf2 && op != 0xf3 ? 0 : -1;
}

static int describe_0f(struct parts *parts)
{
	unsigned op = parts->opcode;

	if (op >= 0x80 && op < 0x90 && !parts->is_vector) {
		parts->immediate_bytes = 4;
		return 0;
	}
	if (op == 0x77 ||
	    (!parts->is_vector &&
	     (strchr("\x05\x06\x07\x08\x09\x0b\x0e", (int)op) || (op >= 0x30 && op < 0x38) ||
	      (op >= 0xc8 && op < 0xd0) || (op >= 0xa0 && op < 0xa3) || (op >= 0xa8 && op < 0xab))))
		return op ? 0 : -1;
	if (!parts->is_vector &&
	    (op == 0x04 || op == 0x0a || op == 0x0c || op == 0x0f || (op >= 0x24 && op < 0x28)))
		return -1;
	parts->has_modrm = 1;
	parts->immediate_bytes =
		strchr("\x70\x71\x72\x73\xa4\xac\xba\xc2\xc4\xc5\xc6", (int)op) && op ? 1 : 0;
	return 0;
}

static int take_operands(struct parts *parts)
{
	int known = parts->map == MAP_ONE  ? describe_one(parts)
		    : parts->map == MAP_0F ? describe_0f(parts)
					   : 0;

	if (known)
		return -1;
	if (parts->map == MAP_0F38 || parts->map == MAP_0F3A) {
		parts->has_modrm = 1;
		parts->immediate_bytes = parts->map == MAP_0F3A;
	}
	if (parts->has_modrm && take_modrm(parts))
		return -1;
	if (parts->map == MAP_ONE && (parts->opcode & 0xfe) == 0xf6 && (parts->reg & 7) < 2)
		parts->immediate_bytes = parts->opcode == 0xf6 ? 1 : wide_bytes(parts);
	if (take_number(parts, parts->immediate_bytes, &parts->immediate))
		return -1;
	if (parts->map == MAP_ONE && parts->opcode == 0xc8) /* enter has one more byte */
		return -1;
	return 0;
}

/* The bit of a register; of 8 bits without REX, numbers 4 to 7 are the second byte of 0 to 3. */
static uint64_t bit(const struct parts *parts, unsigned number, int is_byte)
{
	return UINT64_C(1) << (is_byte && !parts->rex && number >= 4 && number < 8 ? number - 4
										   : number);
}

/* Functions keep their variables at fixed places from one of two registers. */
static void find_slot(const struct parts *parts, struct instruction *result)
{
	result->has_slot = parts->address == 1 << RSP || parts->address == 1 << RBP;
	result->slot_bytes = parts->rex & 8 ? 8 : 4;
	/* far from each other, for it is not known how far they are */
	result->slot = parts->displacement + (parts->address == 1 << RSP ? INT64_C(1) << 40 : 0);
}

static void read_rm(const struct parts *parts, int is_byte, struct instruction *result)
{
	if (parts->mod == 3) {
		result->reads |= bit(parts, parts->rm, is_byte);
	} else {
		result->reads |= parts->address;
		result->address |= parts->address;
		result->is_load = 1;
		find_slot(parts, result);
	}
}

static void write_register(const struct parts *parts, unsigned number, int is_byte,
			   struct instruction *result)
{
	uint64_t written = bit(parts, number, is_byte);

	result->writes |= written;
	if (is_byte || (parts->has_66 && !(parts->rex & 8)))
		result->partly |= written;
}

/* add, or, adc, sbb, and, sub, xor, cmp between a register and a register or memory. */
static void explain_arithmetic(const struct parts *parts, struct instruction *result)
{
	unsigned operation = parts->opcode >> 3 & 7;
	int is_byte = !(parts->opcode & 1), to_reg = parts->opcode & 2;

	if (parts->opcode & 4) { /* al, ax, eax or rax and an immediate operand */
		result->is_known = 1;
		result->reads |= 1 << RAX;
		if (operation != 7)
			write_register(parts, RAX, is_byte, result);
		result->is_step = operation == 0 || operation == 5;
	} else if (parts->mod == 3 || to_reg || operation == 7) {
		result->is_known = !parts->is_locked;
		read_rm(parts, is_byte, result);
		result->reads |= bit(parts, parts->reg, is_byte);
		if (operation != 7)
			write_register(parts, to_reg ? parts->reg : parts->rm, is_byte, result);
		if (parts->mod == 3 && parts->reg == parts->rm &&
		    (operation == 6 || operation == 5))
			result->reads = 0; /* sets it to 0 */
	}
	result->is_check = operation == 7;
	if (operation == 2 || operation == 3) /* adc, sbb */
		result->reads |= REGISTER_FLAGS;
	result->writes |= REGISTER_FLAGS;
}

/* The same with an immediate operand. */
static void explain_immediate(const struct parts *parts, struct instruction *result)
{
	unsigned operation = parts->reg & 7;
	int is_byte = parts->opcode == 0x80;
	/* a lock on an or with 0 is a full barrier, as C compilers write it */
	int is_fence = operation == 1 && !parts->immediate;

	result->is_known = parts->mod == 3 || operation == 7 || is_fence;
	read_rm(parts, is_byte, result);
	if (operation != 7 && parts->mod == 3)
		write_register(parts, parts->rm, is_byte, result);
	if (is_fence && parts->mod != 3)
		result->is_load = 0;
	result->is_step = operation == 0 || operation == 5;
	result->is_check = operation == 7;
	if (operation == 2 || operation == 3)
		result->reads |= REGISTER_FLAGS;
	result->writes |= REGISTER_FLAGS;
}

static void explain_one(const struct parts *parts, struct instruction *result)
{
	unsigned op = parts->opcode, operation = parts->reg & 7;
	int is_byte = !(op & 1);

	if (op < 0x40) {
		explain_arithmetic(parts, result);
		return;
	}
	if (op >= 0xb0 && op < 0xc0) { /* mov of an immediate operand */
		result->is_known = 1;
		write_register(parts, (op & 7) | (parts->rex & 1 ? 8 : 0), op < 0xb8, result);
		return;
	}
	switch (op) {
	case 0x63: /* movsxd */
		result->is_known = 1;
		read_rm(parts, 0, result);
		write_register(parts, parts->reg, 0, result);
		break;
	case 0x80:
	case 0x81:
	case 0x83:
		explain_immediate(parts, result);
		break;
	case 0x84: /* test */
	case 0x85:
		result->is_known = result->is_check = 1;
		read_rm(parts, is_byte, result);
		result->reads |= bit(parts, parts->reg, is_byte);
		result->writes |= REGISTER_FLAGS;
		break;
	case 0x86: /* xchg, which is atomic with memory */
	case 0x87:
		result->is_known = result->is_swap = parts->mod != 3;
		read_rm(parts, is_byte, result);
		result->reads |= bit(parts, parts->reg, is_byte);
		write_register(parts, parts->reg, is_byte, result);
		break;
	case 0x88: /* mov */
	case 0x89:
		result->reads |= bit(parts, parts->reg, is_byte);
		if (parts->mod == 3) {
			result->is_known = result->is_step = 1;
			write_register(parts, parts->rm, is_byte, result);
		} else {
			find_slot(parts, result);
			result->is_known = result->is_spill = result->has_slot;
			result->reads |= parts->address;
			result->address |= parts->address;
		}
		break;
	case 0x8a:
	case 0x8b:
		result->is_known = 1;
		result->is_step = parts->mod == 3;
		read_rm(parts, is_byte, result);
		write_register(parts, parts->reg, is_byte, result);
		break;
	case 0x8d: /* lea */
		result->is_known = parts->mod != 3;
		result->reads |= parts->address;
		result->is_step = !(parts->address & (parts->address - 1));
		write_register(parts, parts->reg, 0, result);
		break;
	case 0x90: /* nop; with REX.B it is xchg */
		result->is_known = !(parts->rex & 1);
		break;
	case 0xa8: /* test */
	case 0xa9:
		result->is_known = result->is_check = 1;
		result->reads |= 1 << RAX;
		result->writes |= REGISTER_FLAGS;
		break;
	case 0xc6: /* mov of an immediate operand */
	case 0xc7:
		result->is_known = parts->mod == 3;
		write_register(parts, parts->rm, is_byte, result);
		break;
	case 0xf6:
	case 0xf7:
		result->is_known = result->is_check = operation < 2; /* test */
		read_rm(parts, is_byte, result);
		result->writes |= REGISTER_FLAGS;
		break;
	case 0xfe:
	case 0xff:
		result->is_known = result->is_step =
			parts->mod == 3 && operation < 2; /* inc, dec */
		read_rm(parts, is_byte, result);
		write_register(parts, parts->rm, is_byte, result);
		result->writes |= REGISTER_FLAGS;
		break;
	}
}

static void explain_0f(const struct parts *parts, struct instruction *result)
{
	unsigned op = parts->opcode;

	if (op >= 0x40 && op < 0x50) { /* cmov */
		result->is_known = 1;
		read_rm(parts, 0, result);
		result->reads |= bit(parts, parts->reg, 0) | REGISTER_FLAGS;
		write_register(parts, parts->reg, 0, result);
	} else if (op >= 0x90 && op < 0xa0) { /* setcc */
		result->is_known = parts->mod == 3;
		result->reads |= REGISTER_FLAGS;
		write_register(parts, parts->rm, 1, result);
	} else if (op == 0xb6 || op == 0xb7 || op == 0xbe || op == 0xbf) { /* movzx, movsx */
		result->is_known = 1;
		read_rm(parts, !(op & 1), result);
		write_register(parts, parts->reg, 0, result);
	} else if (op == 0xb0 || op == 0xb1) { /* cmpxchg */
		result->is_known = result->is_swap = parts->mod != 3 && parts->is_locked;
		read_rm(parts, op == 0xb0, result);
		result->reads |= bit(parts, parts->reg, op == 0xb0) | 1 << RAX;
		write_register(parts, RAX, op == 0xb0, result);
		result->writes |= REGISTER_FLAGS;
	} else if (op == 0x31) { /* rdtsc */
		result->kind = INSTRUCTION_CLOCK;
		result->is_known = result->is_load = 1;
		result->writes |= 1 << RAX | 1 << RDX;
	} else if (op == 0x1f || op == 0x18 || op == 0x1e) { /* nop; endbr */
		result->is_known = 1;
	} else if (op == 0xae && parts->mod == 3 && (parts->reg & 7) >= 5) { /* fences */
		result->is_known = 1;
	}
}

static void find_kind(const struct parts *parts, struct instruction *result)
{
	unsigned op = parts->opcode, operation = parts->reg & 7;

	if (parts->map == MAP_ONE && op == 0x90 && parts->repeat == 0xf3) {
		result->kind = INSTRUCTION_PAUSE;
	} else if (parts->map == MAP_0F && op == 0xae && parts->mod == 3 && operation == 6 &&
		   (parts->repeat == 0xf2 || parts->has_66)) { /* umwait, tpause */
		result->kind = INSTRUCTION_PAUSE;
	} else if (parts->map == MAP_ONE && ((op >= 0x70 && op < 0x80) || op == 0xe9 ||
					     op == 0xeb || (op >= 0xe0 && op < 0xe4))) {
		result->kind = INSTRUCTION_BRANCH;
		result->is_certain = op == 0xe9 || op == 0xeb;
		result->is_known = op < 0xe0 || op > 0xe3; /* not loop and jrcxz */
	} else if (parts->map == MAP_0F && op >= 0x80 && op < 0x90) {
		result->kind = INSTRUCTION_BRANCH;
		result->is_known = 1;
	} else if (parts->map == MAP_ONE &&
		   (op == 0xe8 || (op == 0xff && (operation == 2 || operation == 3)))) {
		result->kind = INSTRUCTION_CALL;
		result->is_known = 0;
	} else if (parts->map == MAP_ONE && (op == 0xc2 || op == 0xc3 || op == 0xcc || op == 0xf4 ||
					     (op == 0xff && (operation == 4 || operation == 5)))) {
		result->kind = INSTRUCTION_END;
	} else if (parts->map == MAP_0F && op == 0x0b) { /* ud2 */
		result->kind = INSTRUCTION_END;
	}
	if (result->kind == INSTRUCTION_BRANCH) {
		result->target = (int64_t)parts->at + parts->immediate;
		result->reads |= result->is_certain ? 0 : REGISTER_FLAGS;
	}
}

int instruction_decode_x86_64(const unsigned char *code, size_t size, struct instruction *result)
{
	struct parts parts = {.code = code, .size = size};

	memset(result, 0, sizeof *result);
	if (take_opcode(&parts) || take_operands(&parts))
		return -1;
	result->length = (unsigned)parts.at;
	if (!parts.is_vector && parts.map == MAP_ONE)
		explain_one(&parts, result);
	else if (!parts.is_vector && parts.map == MAP_0F)
		explain_0f(&parts, result);
	if (!parts.is_vector)
		find_kind(&parts, result);
	return 0;
}
