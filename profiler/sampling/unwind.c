/* unwind.c: keeps the executable mappings of a process, and unwinds call stacks by CFI. */
/* SPDX-License-Identifier: MIT
 *
 * libunwind finds the same frames but takes five times as long, because it interprets the CFI of a
 * function again for most frames. Here the CFI of each address is compiled once, to a rule of 16
 * bytes. The tests compare this file with libunwind, frame by frame.
 */
#include "sampling/timeline.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "symbols/loops.h"
#include "symbols/symbols.h"

struct address_space *address_space_copy(const struct address_space *space)
{
	struct address_space *copy = memory_rows(1, sizeof *copy);

	copy->count = space ? space->count : 0;
	copy->maps = memory_rows(copy->count, sizeof *copy->maps);
	if (copy->count)
		memcpy(copy->maps, space->maps, copy->count * sizeof *copy->maps);
	return copy;
}

void address_space_free(struct address_space *space)
{
	if (space)
		free(space->maps);
	free(space);
}

/* Returns the index of the first mapping that ends after the address. */
static size_t first_after(const struct address_space *space, uint64_t address)
{
	return ARRAY_BOUND(space->count, i, space->maps[i].end <= address);
}

void address_space_map(struct address_space *space, const struct mapping *mapping)
{
	struct mapping pieces[3]; /* what is left of the mappings before and after, and the new one
				   * between them */
	size_t first, last, count = 0;
	struct mapping *maps;

	if (mapping->start >= mapping->end)
		return;
	maps = memory_need(reallocarray(space->maps, space->count + 2, sizeof *maps));
	space->maps = maps;
	first = last = first_after(space, mapping->start);
	while (last < space->count && maps[last].start < mapping->end)
		last++;
	if (last > first && maps[first].start < mapping->start) {
		pieces[count] = maps[first];
		pieces[count++].end = mapping->start;
	}
	pieces[count++] = *mapping;
	if (last > first && maps[last - 1].end > mapping->end) {
		pieces[count] = maps[last - 1];
		pieces[count].offset += mapping->end - pieces[count].start;
		pieces[count++].start = mapping->end;
	}
	memmove(maps + first + count, maps + last, (space->count - last) * sizeof *maps);
	space->count += first + count - last;
	memcpy(maps + first, pieces, count * sizeof *maps);
}

const struct mapping *address_space_find(const struct address_space *space, uint64_t address)
{
	size_t at = first_after(space, address);

	return at < space->count && space->maps[at].start <= address ? &space->maps[at] : NULL;
}

enum { RULES_MAX = 1 << 18, RETURN_SLOT = 8 };

#if defined __x86_64__
enum { DWARF_FP = 6, DWARF_SP = 7, DWARF_R10 = 10, DWARF_RETURN = 16 };
#define CODE_ADDRESS(word) (word)
#else
enum { DWARF_FP = 29, DWARF_SP = 31, DWARF_R10 = -1, DWARF_RETURN = 30 };
#define CODE_ADDRESS(word)                                                                         \
	((word) & ((UINT64_C(1) << 48) - 1)) /* without the pointer authentication code */
#endif

/* How to find the canonical frame address (CFA, the stack pointer before the call), the return
 * address and the frame pointer of the caller. */
struct frame_rule {
	uint8_t cfa, ret, fp; /* enum cfa_kind, return_kind, saved_kind */
	int32_t cfa_offset, ret_offset, fp_offset;
};
enum cfa_kind {
	CFA_UNKNOWN, /* the file has no CFI for this address, and its prologue does not tell */
	CFA_SP,	     /* stack pointer + offset */
	CFA_FP,	     /* frame pointer + offset */
	CFA_BX,	     /* rbx + offset, in assembler code that aligns its stack */
	CFA_R10,     /* r10 + offset, in prologues that align the stack */
	CFA_AT_FP,   /* the word at frame pointer + offset, in functions that align their stack */
	CFA_AT_SP,   /* the word at stack pointer + offset, where a signal handler returns */
	CFA_PLT,     /* stack pointer + 8, or + 16 in the second half of a 16-byte PLT slot */
};
enum return_kind {
	RETURN_AT_CFA, /* the word at CFA + offset */
	RETURN_AT_SP,  /* the word at stack pointer + offset: what the signal interrupted */
	RETURN_IN_LR,  /* still in the link register */
	RETURN_NONE,   /* this frame has no caller, because the thread starts here */
};
enum saved_kind { SAVED_NOT, SAVED_AT_CFA, SAVED_AT_FP, SAVED_AT_SP };

/* The file of one object. */
struct cfi_file {
	int opened;
	int fd;
	Elf *elf;
	Dwarf_CFI *cfi;	   /* NULL if the file has none that can be read */
	GElf_Sym function; /* the last one whose prologue was read */
};

struct frame_rules {
	struct cfi_file *files; /* by object */
	size_t nfiles;
	struct frame_rule *rules;
	size_t nrules;
	struct idmap index; /* code address to rule */
};

struct frame_rules *frame_rules_new(void)
{
	elf_version(EV_CURRENT);
	return memory_rows(1, sizeof(struct frame_rules));
}

void frame_rules_free(struct frame_rules *rules)
{
	EACH_ROW(file, rules->files, rules->nfiles) {
		if (file->cfi)
			dwarf_cfi_end(file->cfi);
		elf_end(file->elf);
		if (file->opened && file->fd >= 0)
			close(file->fd);
	}
	free(rules->files);
	free(rules->rules);
	idmap_free(&rules->index);
	free(rules);
}

/* Returns the file of the object, opened on the first use. It is the file that was mapped, not one
 * that has replaced it. The vdso is that of blasprof itself, which is the same. */
static struct cfi_file *find_file(struct frame_rules *rules, const struct object *object,
				  uint32_t number)
{
	const char *complaint;
	struct cfi_file *file;

	while (rules->nfiles <= number)
		memory_add(&rules->files, &rules->nfiles, sizeof *rules->files);
	file = &rules->files[number];
	if (file->opened)
		return file;
	file->opened = 1;
	file->fd = -1;
	if (!strcmp(object->path, "[vdso]")) {
		size_t size;
		char *vdso = vdso_image(&size);

		file->elf = vdso ? elf_memory(vdso, size) : NULL;
	} else if (*object->path == '/') {
		file->fd = object_open(object, 0, &complaint);
		file->elf = complaint ? NULL : elf_begin(file->fd, ELF_C_READ, NULL);
	}
	file->cfi = file->elf ? dwarf_getcfi_elf(file->elf) : NULL;
	return file;
}

/* Stores the number as an offset. Returns 0 if it does not fit. */
static int set_offset(uint64_t number, int32_t *offset)
{
	*offset = (int32_t)number;
	return (int64_t)number == *offset;
}

/* Reads the expressions that compilers write for the CFA, and the one that the linker writes for
 * every x86 PLT: sp + 8 + ((ip & 15) >= 11) * 8. */
static void read_cfa(const Dwarf_Op *ops, size_t count, struct frame_rule *rule)
{
	if (count == 1 && ops[0].atom == DW_OP_bregx &&
	    set_offset(ops[0].number2, &rule->cfa_offset))
		rule->cfa = ops[0].number == DWARF_SP	 ? CFA_SP
			    : ops[0].number == DWARF_FP	 ? CFA_FP
			    : ops[0].number == DWARF_R10 ? CFA_R10
							 : CFA_UNKNOWN;
	else if (count == 2 && ops[0].atom == DW_OP_breg0 + DWARF_FP &&
		 ops[1].atom == DW_OP_deref && set_offset(ops[0].number, &rule->cfa_offset))
		rule->cfa = CFA_AT_FP;
	else if (DWARF_SP == 7 && count == 2 && ops[0].atom == DW_OP_breg7 &&
		 ops[1].atom == DW_OP_deref && set_offset(ops[0].number, &rule->cfa_offset))
		rule->cfa = CFA_AT_SP;
	else if (DWARF_SP == 7 && count >= 8 && ops[0].atom == DW_OP_breg7 && ops[0].number == 8 &&
		 ops[1].atom == DW_OP_breg16 && ops[2].atom == DW_OP_lit15 &&
		 ops[3].atom == DW_OP_and)
		rule->cfa = CFA_PLT;
}

/* Returns 1 if the register is saved at CFA + *offset. */
static int is_at_cfa(const Dwarf_Op *ops, size_t count, int32_t *offset)
{
	*offset = 0;
	if (!count || ops[0].atom != DW_OP_call_frame_cfa)
		return 0;
	return count == 1 || (count == 2 && ops[1].atom == DW_OP_plus_uconst &&
			      set_offset(ops[1].number, offset));
}

/* Finds the function that covers the address by the symbol tables. Returns -1 if there is none. */
static int find_function(Elf *elf, uint64_t address, GElf_Sym *function)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (address - function->st_value < function->st_size)
		return 0;
	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; gelf_getsym(data, i, function); i++)
			if (GELF_ST_TYPE(function->st_info) == STT_FUNC && function->st_shndx &&
			    address - function->st_value < function->st_size)
				return 0;
	}
	function->st_size = 0;
	return -1;
}

static int64_t read_number(const unsigned char *at, int bytes)
{
	int32_t number;

	if (bytes == 1)
		return (int8_t)*at;
	memcpy(&number, at, sizeof number);
	return number;
}

/* Makes the rule of code without CFI from the prologue of its function, before the first branch.
 * The kernels of OpenBLAS in assembler are such code. They allocate their frame, save registers,
 * and may keep the stack pointer in rbx (or rbp) and align it for a buffer. AArch64: none, since
 * such code keeps the frame pointer there. */
static struct frame_rule read_prologue(struct cfi_file *file, uint64_t offset)
{
	const struct frame_rule none = {.cfa = CFA_UNKNOWN};
	struct frame_rule rule = {.cfa = CFA_SP, .ret_offset = -RETURN_SLOT}, kept = none;
	uint64_t address = elf_offset_address(file->elf, offset);
	int64_t depth = RETURN_SLOT;	    /* CFA - stack pointer */
	unsigned char bytes[256 + 8] = {0}; /* the last instruction is compared with longer ones */
	struct machine_code code = {.set = INSTRUCTIONS_HERE, .bytes = bytes};
	struct instruction item;
	size_t size;

	if (DWARF_SP != 7 || !file->elf || find_function(file->elf, address, &file->function))
		return none;
	size = address - file->function.st_value;
	offset -= size;
	if (size > sizeof bytes - 8)
		size = sizeof bytes - 8;
	if (pread(file->fd, bytes, size, (off_t)offset) != (ssize_t)size)
		return none;
	code.size = size;
	for (size_t at = 0; at < size && !instruction_decode(&code, at, &item) &&
			    (item.kind == INSTRUCTION_PLAIN || item.kind == INSTRUCTION_PAUSE);
	     at += item.length) {
		const unsigned char *op = bytes + at;
		int constant = op[1] == 0x83 ? 1 : 4; /* bytes of a constant */

		if ((op[0] & 0xf8) == 0x50 || (op[0] == 0x41 && (op[1] & 0xf8) == 0x50)) {
			depth += RETURN_SLOT; /* push */
			if (op[0] == 0x55) {
				rule.fp = SAVED_AT_CFA;
				rule.fp_offset = (int32_t)-depth;
			}
		} else if (op[0] != 0x48) {
			continue;
		} else if (op[1] == 0x89 && (op[2] == 0xe3 || op[2] == 0xe5)) {
			kept = (struct frame_rule){.cfa = op[2] == 0xe3 ? CFA_BX : CFA_FP,
						   .cfa_offset = (int32_t)depth};
		} else if (op[1] == 0x89 && (op[2] == 0x2c || op[2] == 0x6c) && op[3] == 0x24) {
			/* mov %rbp, number(%rsp) */
			rule.fp = SAVED_AT_CFA;
			rule.fp_offset =
				(int32_t)((op[2] == 0x6c ? read_number(op + 4, 1) : 0) - depth);
		} else if ((op[1] == 0x83 || op[1] == 0x81) && op[2] == 0xec) {
			depth += read_number(op + 3, constant); /* sub */
		} else if ((op[1] == 0x83 || op[1] == 0x81) && op[2] == 0xc4) {
			depth -= read_number(op + 3, constant); /* add */
		} else if ((op[1] == 0x83 || op[1] == 0x81) && op[2] == 0xe4) {
			rule.cfa = kept.cfa; /* and: only the register tells from here on */
			rule.cfa_offset = kept.cfa_offset;
		}
	}
	if (rule.cfa == CFA_SP && !set_offset((uint64_t)depth, &rule.cfa_offset))
		return none;
	return rule;
}

static struct frame_rule read_rule(struct cfi_file *file, uint64_t offset)
{
	struct frame_rule rule = {.cfa = CFA_UNKNOWN};
	Dwarf_Op room[3], *ops;
	FREED Dwarf_Frame *frame = NULL;
	size_t count;

	if (!file->cfi ||
	    dwarf_cfi_addrframe(file->cfi, elf_offset_address(file->elf, offset), &frame))
		return read_prologue(file, offset);
	if (!dwarf_frame_cfa(frame, &ops, &count))
		read_cfa(ops, count, &rule);
	if (!dwarf_frame_register(frame, DWARF_FP, room, &ops, &count)) {
		if (is_at_cfa(ops, count, &rule.fp_offset))
			rule.fp = SAVED_AT_CFA;
		/* elfutils pushes the CFA before an expression, which may not need it */
		else if (count == 2 && ops[1].atom == DW_OP_breg0 + DWARF_FP &&
			 set_offset(ops[1].number, &rule.fp_offset))
			rule.fp = SAVED_AT_FP;
		else if (rule.cfa == CFA_AT_SP && count == 2 && ops[1].atom == DW_OP_breg7 &&
			 set_offset(ops[1].number, &rule.fp_offset))
			rule.fp = SAVED_AT_SP;
	}
	if (dwarf_frame_register(frame, DWARF_RETURN, room, &ops, &count))
		rule.cfa = CFA_UNKNOWN;
	else if (is_at_cfa(ops, count, &rule.ret_offset))
		rule.ret = RETURN_AT_CFA;
	else if (rule.cfa == CFA_AT_SP && count == 2 && ops[1].atom == DW_OP_breg7 &&
		 set_offset(ops[1].number, &rule.ret_offset))
		rule.ret = RETURN_AT_SP;
	else if (!count && ops)
		rule.ret = RETURN_NONE;
	else if (!count && DWARF_RETURN == 30)
		rule.ret = RETURN_IN_LR;
	else
		rule.cfa = CFA_UNKNOWN;
	return rule;
}

/* Returns the rule for the code at this offset in the file of the object. A full table is emptied
 * first. */
static struct frame_rule find_rule(const struct unwinder *unwinder, uint32_t object,
				   uint64_t offset)
{
	struct frame_rules *rules = unwinder->rules;
	uint64_t key = address_key(object, offset);
	uint32_t known = idmap_find(&rules->index, key);
	struct frame_rule rule = {.cfa = CFA_UNKNOWN};

	if (known != IDMAP_NONE)
		return rules->rules[known];
	if (object >= OBJECTS_FIXED)
		rule = read_rule(find_file(rules, &unwinder->addresses->objects[object], object),
				 offset);
	if (rules->nrules >= RULES_MAX) {
		idmap_free(&rules->index);
		free(rules->rules);
		rules->rules = NULL;
		rules->nrules = 0;
	}
	memory_append(&rules->rules, &rules->nrules, sizeof rule, &rule);
	idmap_put(&rules->index, key, (uint32_t)(rules->nrules - 1));
	return rule;
}

static void add_address(struct unwound *unwound, uint32_t address)
{
	if (unwound->count < UNWIND_DEPTH_MAX)
		unwound->addresses[unwound->count++] = address;
}

/* Adds an address of user code, and finds its rule unless `rule` is NULL. Returns -1 if no code is
 * known at the address, or the stack is full. */
static int add_user(const struct unwinder *unwinder, uint64_t ip, struct frame_rule *rule,
		    struct unwound *unwound)
{
	const struct mapping *map = address_space_find(unwinder->space, ip);
	uint64_t offset;

	if (!map || unwound->count == UNWIND_DEPTH_MAX)
		return -1;
	offset = ip - map->start + map->offset;
	add_address(unwound, address_table_number(unwinder->addresses, map->object, offset));
	if (rule)
		*rule = find_rule(unwinder, map->object, offset);
	return 0;
}

/* Adds the kernel part of the call chain. Sets *user to its user part, and returns the length of
 * that. */
static size_t walk_kernel(const struct unwinder *unwinder, const struct sample_record *sample,
			  struct unwound *unwound, const uint64_t **user)
{
	uint64_t context = PERF_CONTEXT_USER;
	int inner = 1;

	for (size_t i = 0; i < sample->nchain; i++) {
		uint64_t ip = sample->chain[i];

		if (ip >= (uint64_t)PERF_CONTEXT_MAX) {
			context = ip;
			inner = 1;
			continue;
		}
		if (context != (uint64_t)PERF_CONTEXT_KERNEL) {
			*user = &sample->chain[i];
			return sample->nchain - i;
		}
		add_address(unwound,
			    address_table_number(unwinder->addresses, OBJECT_KERNEL, ip - !inner));
		inner = 0;
	}
	return 0;
}

/* The frame that the walk has reached. */
struct walk {
	const struct sample_record *sample;
	uint64_t base; /* address of the first byte of the copy */
	uint64_t ip, sp, fp, lr, bx, r10;
	int inner; /* 1 in the first frame and in one that a signal interrupted: ip is the current
		    * instruction, and not a return address */
};

static int read_word(const struct walk *walk, uint64_t address, uint64_t *word)
{
	uint64_t at = address - walk->base;

	if (address < walk->base || at > walk->sample->stack_bytes ||
	    walk->sample->stack_bytes - at < sizeof *word)
		return -1;
	memcpy(word, walk->sample->stack + at, sizeof *word);
	return 0;
}

static uint64_t offset_by(uint64_t address, int32_t offset)
{
	return address + (uint64_t)(int64_t)offset;
}

/* Returns the frame pointer of the caller, or 0, which no frame can use, if its slot was not
 * copied. In an epilogue the CFI still names the slot, which lies below the stack pointer by then;
 * the register has been restored already. */
static uint64_t find_fp(const struct walk *walk, const struct frame_rule *rule, uint64_t cfa)
{
	uint64_t slot, fp;

	if (rule->fp == SAVED_NOT)
		return walk->fp;
	slot = offset_by(rule->fp == SAVED_AT_CFA  ? cfa
			 : rule->fp == SAVED_AT_FP ? walk->fp
						   : walk->sp,
			 rule->fp_offset);
	if (walk->inner && slot < walk->sp)
		return walk->fp;
	return read_word(walk, slot, &fp) ? 0 : fp;
}

/* Moves from a frame to that of its caller. Returns -1 if that is not in the copy. Code without CFI
 * is assumed to keep a frame pointer. */
static int step(struct walk *walk, const struct frame_rule *rule)
{
	uint64_t cfa = 0, ip = walk->lr, fp = walk->fp;
	int failed = 0;

	switch ((enum cfa_kind)rule->cfa) {
	case CFA_UNKNOWN:
		if (fp < walk->sp || read_word(walk, fp + RETURN_SLOT, &ip) ||
		    read_word(walk, fp, &walk->fp))
			return -1;
		walk->ip = CODE_ADDRESS(ip);
		walk->sp = fp + 2 * RETURN_SLOT;
		walk->inner = 0;
		return 0;
	case CFA_SP:
		cfa = offset_by(walk->sp, rule->cfa_offset);
		break;
	case CFA_FP:
		cfa = offset_by(fp, rule->cfa_offset);
		break;
	case CFA_BX:
	case CFA_R10:
		failed = !walk->inner;
		cfa = offset_by(rule->cfa == CFA_BX ? walk->bx : walk->r10, rule->cfa_offset);
		break;
	case CFA_AT_FP:
		failed = read_word(walk, offset_by(fp, rule->cfa_offset), &cfa);
		break;
	case CFA_AT_SP:
		failed = rule->ret != RETURN_AT_SP ||
			 read_word(walk, offset_by(walk->sp, rule->cfa_offset), &cfa) ||
			 read_word(walk, offset_by(walk->sp, rule->ret_offset), &ip);
		break;
	case CFA_PLT:
		cfa = walk->sp + ((walk->ip & 15) >= 11 ? 16 : 8);
		break;
	}
	/* a signal handler may have had a stack of its own */
	if (failed ||
	    (cfa <= walk->sp && rule->ret != RETURN_AT_SP && (cfa < walk->sp || !walk->inner)) ||
	    (rule->ret == RETURN_IN_LR && !walk->inner) ||
	    (rule->ret == RETURN_AT_CFA && read_word(walk, offset_by(cfa, rule->ret_offset), &ip)))
		return -1;
	walk->ip = CODE_ADDRESS(ip);
	walk->fp = find_fp(walk, rule, cfa);
	walk->sp = cfa;
	walk->inner = rule->ret == RETURN_AT_SP;
	walk->bx = walk->r10 = 0; /* not known */
	return 0;
}

/* Unwinds the copy of the stack. Returns the code address of the last frame found. */
static uint64_t walk_stack(const struct unwinder *unwinder, const struct sample_record *sample,
			   struct unwound *unwound)
{
	const uint64_t *regs = sample->regs;
	struct walk walk = {.sample = sample, .inner = 1};
	struct frame_rule rule;
	uint64_t last = 0;

	walk.base = walk.sp = regs[SAMPLE_REG_SP];
	walk.ip = regs[SAMPLE_REG_IP];
	walk.fp = regs[SAMPLE_REG_FP];
#if defined __x86_64__
	walk.bx = regs[SAMPLE_REG_BX];
	walk.r10 = regs[SAMPLE_REG_R10];
#else
	walk.lr = CODE_ADDRESS(regs[SAMPLE_REG_LR]);
#endif
	while (!add_user(unwinder, walk.ip - !walk.inner, &rule, unwound)) {
		last = walk.ip;
		if (rule.cfa != CFA_UNKNOWN && rule.ret == RETURN_NONE) {
			unwound->whole = 1;
			break;
		}
		if (step(&walk, &rule))
			break;
	}
	return last;
}

void unwind_sample(const struct unwinder *unwinder, const struct sample_record *sample,
		   struct unwound *unwound)
{
	const uint64_t *chain = NULL;
	uint64_t last = 0;
	size_t count, at = 0;

	unwound->count = 0;
	unwound->whole = 0;
	count = walk_kernel(unwinder, sample, unwound, &chain);
	if (sample->regs && sample->stack && unwinder->rules)
		last = walk_stack(unwinder, sample, unwound);
	if (unwound->whole)
		return;
	/* what the kernel found by frame pointers: the callers after the last frame, or all */
	while (last && at < count && chain[at] != last)
		at++;
	at += last != 0;
	while (at < count && chain[at] < (uint64_t)PERF_CONTEXT_MAX &&
	       !add_user(unwinder, chain[at] - (at != 0), NULL, unwound))
		at++;
}
