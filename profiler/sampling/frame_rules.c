/* frame_rules.c: reads call frame information by libdw, and keeps each place's rule. */
/* SPDX-License-Identifier: MIT */
#include "sampling/frame_rules.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

enum { RULES_MAX = 1 << 18, SEGMENTS_MAX = 16 };

#if defined __x86_64__
enum { DWARF_FP = 6, DWARF_SP = 7, DWARF_RETURN = 16 };
#else
enum { DWARF_FP = 29, DWARF_SP = 31, DWARF_RETURN = 30 };
#endif

/* An object's file; no cfi: it has none that can be read. */
struct cfi_file {
	int opened;
	int fd;
	Elf *elf;
	Dwarf_CFI *cfi;
	GElf_Phdr segments[SEGMENTS_MAX];
	size_t nsegments;
};

struct frame_rules {
	struct cfi_file *files; /* by object */
	size_t nfiles;
	struct frame_rule *rules;
	size_t nrules;
	struct idmap index; /* object and offset to rule */
};

struct frame_rules *frame_rules_new(void)
{
	elf_version(EV_CURRENT);
	return calloc(1, sizeof(struct frame_rules));
}

static void close_file(struct cfi_file *file)
{
	if (file->cfi)
		dwarf_cfi_end(file->cfi);
	elf_end(file->elf);
	if (file->opened && file->fd >= 0)
		close(file->fd);
	file->cfi = NULL;
	file->elf = NULL;
	file->fd = -1;
}

void frame_rules_free(struct frame_rules *rules)
{
	if (!rules)
		return;
	for (size_t i = 0; i < rules->nfiles; i++)
		close_file(&rules->files[i]);
	free(rules->files);
	free(rules->rules);
	idmap_free(&rules->index);
	free(rules);
}

/* The vdso is the profiler's own, which is the same. */
static Elf *open_vdso(void)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	GElf_Ehdr header;
	size_t bytes;
	Elf *elf;

	if (!image)
		return NULL;
	memcpy(&header, image, sizeof header);
	bytes = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
	elf = elf_memory(image, bytes);
	return elf;
}

/* Only the file that was mapped will do: one that took its place tells of other code. */
static Elf *open_elf(struct cfi_file *file, const struct object *object)
{
	struct stat status;

	if (!strcmp(object->path, "[vdso]"))
		return open_vdso();
	if (*object->path != '/')
		return NULL;
	file->fd = open(object->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0 || fstat(file->fd, &status) || !S_ISREG(status.st_mode) ||
	    (object->inode && status.st_ino != object->inode))
		return NULL;
	return elf_begin(file->fd, ELF_C_READ, NULL);
}

static void open_file(struct cfi_file *file, const struct object *object)
{
	size_t count = 0;

	file->opened = 1;
	file->fd = -1;
	file->elf = open_elf(file, object);
	if (!file->elf || elf_getphdrnum(file->elf, &count))
		return;
	for (size_t i = 0; i < count && file->nsegments < SEGMENTS_MAX; i++) {
		GElf_Phdr *segment = &file->segments[file->nsegments];

		if (gelf_getphdr(file->elf, (int)i, segment) && segment->p_type == PT_LOAD)
			file->nsegments++;
	}
	file->cfi = dwarf_getcfi_elf(file->elf);
}

/* NULL when memory is out. */
static struct cfi_file *find_file(struct frame_rules *rules, const struct address_table *addresses,
				  uint32_t object)
{
	while (rules->nfiles <= object)
		if (!array_add(&rules->files, &rules->nfiles, sizeof *rules->files))
			return NULL;
	if (!rules->files[object].opened)
		open_file(&rules->files[object], &addresses->objects[object]);
	return &rules->files[object];
}

/* The file's own address of an offset; -1 where it is not loaded. */
static int find_address(const struct cfi_file *file, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < file->nsegments; i++) {
		const GElf_Phdr *segment = &file->segments[i];

		if (offset < segment->p_offset || offset - segment->p_offset >= segment->p_filesz)
			continue;
		*address = offset - segment->p_offset + segment->p_vaddr;
		return 0;
	}
	return -1;
}

static int fits(uint64_t number, int32_t *offset)
{
	*offset = (int32_t)number;
	return (int64_t)number == *offset;
}

/* Does the expression begin "frame pointer + offset, the word there", and hold no more? */
static int is_word_at_fp(const Dwarf_Op *ops, size_t count, int32_t *offset)
{
	return count == 2 && ops[0].atom == DW_OP_breg0 + DWARF_FP && ops[1].atom == DW_OP_deref &&
	       fits(ops[0].number, offset);
}

/* The linker writes one and the same expression for all PLTs of x86: sp + 8 + ((ip & 15) >= 11)
 * * 8.
 */
static int is_plt(const Dwarf_Op *ops, size_t count)
{
	return DWARF_SP == 7 && count >= 8 && ops[0].atom == DW_OP_breg7 && ops[0].number == 8 &&
	       ops[1].atom == DW_OP_breg16 && ops[2].atom == DW_OP_lit15 &&
	       ops[3].atom == DW_OP_and;
}

static void read_cfa(Dwarf_Frame *frame, struct frame_rule *rule)
{
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count) || !count)
		return;
	if (count == 1 && ops[0].atom == DW_OP_bregx && fits(ops[0].number2, &rule->cfa_offset))
		rule->cfa = ops[0].number == DWARF_SP	? CFA_SP
			    : ops[0].number == DWARF_FP ? CFA_FP
							: CFA_UNKNOWN;
	else if (is_word_at_fp(ops, count, &rule->cfa_offset))
		rule->cfa = CFA_AT_FP;
	else if (is_plt(ops, count))
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

static void read_fp(Dwarf_Frame *frame, struct frame_rule *rule)
{
	Dwarf_Op room[3], *ops;
	size_t count;

	if (dwarf_frame_register(frame, DWARF_FP, room, &ops, &count))
		return;
	if (is_at_cfa(ops, count, &rule->fp_offset))
		rule->fp = SAVED_AT_CFA;
	else if (count == 1 && ops[0].atom == DW_OP_breg0 + DWARF_FP &&
		 fits(ops[0].number, &rule->fp_offset))
		rule->fp = SAVED_AT_FP;
}

static void read_return(Dwarf_Frame *frame, struct frame_rule *rule)
{
	Dwarf_Op room[3], *ops;
	size_t count;

	if (dwarf_frame_register(frame, DWARF_RETURN, room, &ops, &count))
		rule->cfa = CFA_UNKNOWN;
	else if (is_at_cfa(ops, count, &rule->ret_offset))
		rule->ret = RETURN_AT_CFA;
	else if (!count && ops)
		rule->ret = RETURN_NONE;
	else if (!count && DWARF_RETURN == 30)
		rule->ret = RETURN_IN_LR;
	else
		rule->cfa = CFA_UNKNOWN;
}

static struct frame_rule read_rule(const struct cfi_file *file, uint64_t offset)
{
	struct frame_rule rule = {.cfa = CFA_UNKNOWN};
	Dwarf_Frame *frame = NULL;
	uint64_t address;

	if (!file->cfi || find_address(file, offset, &address) ||
	    dwarf_cfi_addrframe(file->cfi, address, &frame))
		return rule;
	read_cfa(frame, &rule);
	read_fp(frame, &rule);
	read_return(frame, &rule);
	free(frame);
	return rule;
}

/* A full table starts anew. */
static void keep_rule(struct frame_rules *rules, uint64_t key, struct frame_rule rule)
{
	struct frame_rule *kept;

	if (rules->nrules >= RULES_MAX) {
		idmap_free(&rules->index);
		free(rules->rules);
		rules->rules = NULL;
		rules->nrules = 0;
	}
	kept = array_add(&rules->rules, &rules->nrules, sizeof *kept);
	if (!kept)
		return;
	*kept = rule;
	if (idmap_put(&rules->index, key, (uint32_t)(rules->nrules - 1)))
		rules->nrules--;
}

struct frame_rule frame_rules_find(struct frame_rules *rules, const struct address_table *addresses,
				   uint32_t object, uint64_t offset)
{
	uint64_t key = (uint64_t)object << ADDRESS_OFFSET_BITS | (offset & ADDRESS_OFFSET_ANY);
	uint32_t known = idmap_find(&rules->index, key);
	struct frame_rule rule = {.cfa = CFA_UNKNOWN};
	struct cfi_file *file;

	if (known != IDMAP_NONE)
		return rules->rules[known];
	file = object < OBJECTS_FIXED ? NULL : find_file(rules, addresses, object);
	if (file)
		rule = read_rule(file, offset);
	keep_rule(rules, key, rule);
	return rule;
}
