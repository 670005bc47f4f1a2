/* libunwind_oracle.c: libunwind's accessors over a copy of a stack; the rest is read in place. For
 * x86-64. */
/* SPDX-License-Identifier: MIT */
#include "tests/sampling/libunwind_oracle.h"

#include <dlfcn.h>
#include <libunwind.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#if defined __x86_64__

/* libunwind exports it, and declares it nowhere. */
#define dwarf_search_unwind_table UNW_OBJ(dwarf_search_unwind_table)
int dwarf_search_unwind_table(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *table,
			      unw_proc_info_t *info, int need_unwind_info, void *arg);

struct oracle {
	const struct unwinder *unwinder;
	const struct sample_record *sample;
};

/* The table of the object that holds the address. */
static int find_table(struct dl_phdr_info *object, size_t size, void *data)
{
	unw_dyn_info_t *table = data;
	unw_word_t ip = table->start_ip, header = 0;
	uint32_t count;
	int holds = 0;

	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		unw_word_t start = object->dlpi_addr + segment->p_vaddr;

		holds |= segment->p_type == PT_LOAD && ip >= start && ip - start < segment->p_memsz;
		if (segment->p_type == PT_GNU_EH_FRAME)
			header = start;
	}
	if (!holds || !header)
		return 0;
	/* version, encodings, address of .eh_frame, number of entries, entries of 8 bytes */
	memcpy(&count, (const char *)header + 8, sizeof count);
	*table = (unw_dyn_info_t){.format = UNW_INFO_FORMAT_REMOTE_TABLE, .end_ip = UINT64_MAX};
	table->u.rti.segbase = header;
	table->u.rti.table_data = header + 12;
	table->u.rti.table_len = count * 8 / sizeof(unw_word_t);
	return 1;
}

static int find_proc_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *info,
			  int need_unwind_info, void *arg)
{
	unw_dyn_info_t table = {.start_ip = ip};

	if (!dl_iterate_phdr(find_table, &table))
		return -UNW_ENOINFO;
	return dwarf_search_unwind_table(space, ip, &table, info, need_unwind_info, arg);
}

static void put_unwind_info(unw_addr_space_t space, unw_proc_info_t *info, void *arg)
{
	(void)space;
	(void)info;
	(void)arg;
}

static int get_dyn_info_list_addr(unw_addr_space_t space, unw_word_t *address, void *arg)
{
	(void)space;
	(void)address;
	(void)arg;
	return -UNW_ENOINFO;
}

/* The stack is what was copied; tables are read where they are. */
static int access_mem(unw_addr_space_t space, unw_word_t address, unw_word_t *word, int write,
		      void *arg)
{
	const struct oracle *oracle = arg;
	const char *stack = oracle->sample->stack - ORACLE_RED_ZONE;
	uint64_t at = address - (oracle->sample->regs[SAMPLE_REG_SP] - ORACLE_RED_ZONE);
	uint64_t bytes = oracle->sample->stack_bytes + ORACLE_RED_ZONE;
	Dl_info object;

	(void)space;
	if (write)
		return -UNW_EINVAL;
	if (at < bytes && bytes - at >= sizeof *word)
		memcpy(word, stack + at, sizeof *word);
	else if (dladdr((const void *)address, &object))
		memcpy(word, (const void *)address, sizeof *word);
	else
		return -UNW_EINVAL;
	return 0;
}

static int access_reg(unw_addr_space_t space, unw_regnum_t reg, unw_word_t *value, int write,
		      void *arg)
{
	const uint64_t *regs = ((const struct oracle *)arg)->sample->regs;

	(void)space;
	if (write)
		return -UNW_EREADONLYREG;
	switch (reg) {
	case UNW_X86_64_RIP:
		*value = regs[SAMPLE_REG_IP];
		return 0;
	case UNW_X86_64_RSP:
		*value = regs[SAMPLE_REG_SP];
		return 0;
	case UNW_X86_64_RBP:
		*value = regs[SAMPLE_REG_FP];
		return 0;
	}
	return -UNW_EBADREG;
}

size_t oracle_unwind(const struct unwinder *unwinder, const struct sample_record *sample,
		     uint64_t *ips, size_t max)
{
	static unw_accessors_t accessors = {.find_proc_info = find_proc_info,
					    .put_unwind_info = put_unwind_info,
					    .get_dyn_info_list_addr = get_dyn_info_list_addr,
					    .access_mem = access_mem,
					    .access_reg = access_reg};
	static unw_addr_space_t space;
	struct oracle oracle = {unwinder, sample};
	unw_cursor_t cursor;
	size_t count = 0;

	if (!space) {
		space = unw_create_addr_space(&accessors, 0);
		unw_set_caching_policy(space, UNW_CACHE_GLOBAL);
	}
	if (unw_init_remote(&cursor, space, &oracle))
		abort();
	do {
		unw_word_t ip;

		unw_get_reg(&cursor, UNW_REG_IP, &ip);
		ip -= count > 0;
		if (!address_space_find(unwinder->space, ip))
			break;
		ips[count++] = ip;
	} while (count < max && unw_step(&cursor) > 0);
	return count;
}
#endif
