/* unwind.c: walks call chains and copied stacks, by call frame information (CFI). */
/* SPDX-License-Identifier: MIT
 *
 * libunwind finds the same frames in five times the time: it interprets a function's CFI again for
 * most frames. Here the CFI of each address is compiled once, to a rule of 16 bytes. The tests hold
 * this file to libunwind, frame by frame.
 */
#include "sampling/unwind.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "symbols/symbols.h"

enum { RULES_MAX = 1 << 18, RETURN_SLOT = 8 };

#if defined __x86_64__
enum { DWARF_FP = 6, DWARF_SP = 7, DWARF_RETURN = 16 };
#define CODE_ADDRESS(word) (word)
#else
enum { DWARF_FP = 29, DWARF_SP = 31, DWARF_RETURN = 30 };
#define CODE_ADDRESS(word) ((word) & ((UINT64_C(1) << 48) - 1)) /* without its signature */
#endif

/* How to find the canonical frame address (CFA: the stack pointer before the call), the return
 * address and the caller's frame pointer. */
struct frame_rule {
	uint8_t cfa, ret, fp; /* enum cfa_kind, return_kind, saved_kind */
	int32_t cfa_offset, ret_offset, fp_offset;
};
enum cfa_kind {
	CFA_UNKNOWN, /* the file has no CFI for this address */
	CFA_SP,	     /* stack pointer + offset */
	CFA_FP,	     /* frame pointer + offset */
	CFA_AT_FP,   /* the word at frame pointer + offset: functions that align their stack */
	CFA_PLT,     /* stack pointer + 8, and 8 more in the second half of a PLT's 16-byte slot */
};
enum return_kind {
	RETURN_AT_CFA, /* the word at CFA + offset */
	RETURN_IN_LR,  /* still in the link register */
	RETURN_NONE,   /* this frame has no caller: the thread starts here */
};
enum saved_kind { SAVED_NOT, SAVED_AT_CFA, SAVED_AT_FP };

/* An object's file. */
struct cfi_file {
	int opened;
	int fd;
	Elf *elf;
	Dwarf_CFI *cfi; /* NULL: it has none that can be read */
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
	if (!rules)
		return;
	for (size_t i = 0; i < rules->nfiles; i++) {
		struct cfi_file *file = &rules->files[i];

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

/* Opens the file that was mapped, and none that took its name since. The vdso is the profiler's
 * own, which is the same. */
static Elf *open_elf(struct cfi_file *file, const struct object *object)
{
	const char *complaint;
	size_t size;

	if (!strcmp(object->path, "[vdso]")) {
		char *vdso = vdso_image(&size);

		return vdso ? elf_memory(vdso, size) : NULL;
	}
	if (*object->path != '/')
		return NULL;
	file->fd = object_open(object, 0, &complaint);
	return complaint ? NULL : elf_begin(file->fd, ELF_C_READ, NULL);
}

static struct cfi_file *find_file(struct frame_rules *rules, const struct object *object,
				  uint32_t number)
{
	struct cfi_file *file;

	while (rules->nfiles <= number)
		memory_add(&rules->files, &rules->nfiles, sizeof *rules->files);
	file = &rules->files[number];
	if (file->opened)
		return file;
	file->opened = 1;
	file->fd = -1;
	file->elf = open_elf(file, object);
	file->cfi = file->elf ? dwarf_getcfi_elf(file->elf) : NULL;
	return file;
}

static int fits(uint64_t number, int32_t *offset)
{
	*offset = (int32_t)number;
	return (int64_t)number == *offset;
}

/* The expressions that compilers write for the CFA, and the one that the linker writes for all PLTs
 * of x86: sp + 8 + ((ip & 15) >= 11) * 8. */
static void read_cfa(const Dwarf_Op *ops, size_t count, struct frame_rule *rule)
{
	if (count == 1 && ops[0].atom == DW_OP_bregx && fits(ops[0].number2, &rule->cfa_offset))
		rule->cfa = ops[0].number == DWARF_SP	? CFA_SP
			    : ops[0].number == DWARF_FP ? CFA_FP
							: CFA_UNKNOWN;
	else if (count == 2 && ops[0].atom == DW_OP_breg0 + DWARF_FP &&
		 ops[1].atom == DW_OP_deref && fits(ops[0].number, &rule->cfa_offset))
		rule->cfa = CFA_AT_FP;
	else if (DWARF_SP == 7 && count >= 8 && ops[0].atom == DW_OP_breg7 && ops[0].number == 8 &&
		 ops[1].atom == DW_OP_breg16 && ops[2].atom == DW_OP_lit15 &&
		 ops[3].atom == DW_OP_and)
		rule->cfa = CFA_PLT;
}

/* 1 where the register is the word at CFA + *offset. */
static int is_at_cfa(const Dwarf_Op *ops, size_t count, int32_t *offset)
{
	*offset = 0;
	if (!count || ops[0].atom != DW_OP_call_frame_cfa)
		return 0;
	return count == 1 ||
	       (count == 2 && ops[1].atom == DW_OP_plus_uconst && fits(ops[1].number, offset));
}

static struct frame_rule read_rule(const struct cfi_file *file, uint64_t offset)
{
	struct frame_rule rule = {.cfa = CFA_UNKNOWN};
	Dwarf_Op room[3], *ops;
	Dwarf_Frame *frame = NULL;
	size_t count;

	if (!file->cfi ||
	    dwarf_cfi_addrframe(file->cfi, elf_offset_address(file->elf, offset), &frame))
		return rule;
	if (!dwarf_frame_cfa(frame, &ops, &count))
		read_cfa(ops, count, &rule);
	if (!dwarf_frame_register(frame, DWARF_FP, room, &ops, &count)) {
		if (is_at_cfa(ops, count, &rule.fp_offset))
			rule.fp = SAVED_AT_CFA;
		else if (count == 1 && ops[0].atom == DW_OP_breg0 + DWARF_FP &&
			 fits(ops[0].number, &rule.fp_offset))
			rule.fp = SAVED_AT_FP;
	}
	if (dwarf_frame_register(frame, DWARF_RETURN, room, &ops, &count))
		rule.cfa = CFA_UNKNOWN;
	else if (is_at_cfa(ops, count, &rule.ret_offset))
		rule.ret = RETURN_AT_CFA;
	else if (!count && ops)
		rule.ret = RETURN_NONE;
	else if (!count && DWARF_RETURN == 30)
		rule.ret = RETURN_IN_LR;
	else
		rule.cfa = CFA_UNKNOWN;
	free(frame);
	return rule;
}

/* The rule for the code at this offset of the object's file. A full table starts anew. */
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

/* Adds user code; finds its rule too where wanted. -1: that is no known code. */
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

/* The user part of the kernel's call chain; its kernel part is added. Returns its length. */
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

/* Adds the callers that the kernel found by frame pointers, from the one that returns to `from` on;
 * 0: all. */
static void walk_chain(const struct unwinder *unwinder, const uint64_t *chain, size_t count,
		       uint64_t from, struct unwound *unwound)
{
	size_t at = 0;

	while (from && at < count && chain[at] != from)
		at++;
	at += from != 0;
	while (at < count && chain[at] < (uint64_t)PERF_CONTEXT_MAX &&
	       !add_user(unwinder, chain[at] - (at != 0), NULL, unwound))
		at++;
}

/* A frame on the way out. */
struct walk {
	const struct sample_record *sample;
	uint64_t base; /* address of the copy's first byte */
	uint64_t ip, sp, fp, lr;
	int inner; /* the first frame: its ip is where it is, not where it will return to */
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

/* The caller's frame pointer; 0, which no frame can go by, where its slot was not copied. In an
 * epilogue the CFI still names the slot, which lies below the stack pointer by then: the register
 * is restored. */
static uint64_t find_fp(const struct walk *walk, const struct frame_rule *rule, uint64_t cfa)
{
	uint64_t slot, fp;

	if (rule->fp == SAVED_NOT)
		return walk->fp;
	slot = offset_by(rule->fp == SAVED_AT_CFA ? cfa : walk->fp, rule->fp_offset);
	if (walk->inner && slot < walk->sp)
		return walk->fp;
	return read_word(walk, slot, &fp) ? 0 : fp;
}

/* From a frame to its caller's; -1 where that is not in the copy. Code without CFI is taken to have
 * a frame pointer. */
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
		return 0;
	case CFA_SP:
		cfa = offset_by(walk->sp, rule->cfa_offset);
		break;
	case CFA_FP:
		cfa = offset_by(fp, rule->cfa_offset);
		break;
	case CFA_AT_FP:
		failed = read_word(walk, offset_by(fp, rule->cfa_offset), &cfa);
		break;
	case CFA_PLT:
		cfa = walk->sp + ((walk->ip & 15) >= 11 ? 16 : 8);
		break;
	}
	if (failed || cfa < walk->sp || (cfa == walk->sp && !walk->inner) ||
	    (rule->ret == RETURN_IN_LR && !walk->inner) ||
	    (rule->ret == RETURN_AT_CFA && read_word(walk, offset_by(cfa, rule->ret_offset), &ip)))
		return -1;
	walk->ip = CODE_ADDRESS(ip);
	walk->fp = find_fp(walk, rule, cfa);
	walk->sp = cfa;
	return 0;
}

/* Returns the address of the last frame's code that was found. */
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
#if !defined __x86_64__
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
		walk.inner = 0;
	}
	return last;
}

void unwind_sample(const struct unwinder *unwinder, const struct sample_record *sample,
		   struct unwound *unwound)
{
	const uint64_t *chain = NULL;
	uint64_t last = 0;
	size_t count;

	unwound->count = 0;
	unwound->whole = 0;
	count = walk_kernel(unwinder, sample, unwound, &chain);
	if (sample->regs && sample->stack && unwinder->rules)
		last = walk_stack(unwinder, sample, unwound);
	if (!unwound->whole)
		walk_chain(unwinder, chain, count, last, unwound);
}
