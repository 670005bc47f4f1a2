/* blas_symbols.c: reads a program's symbol table for the names of BLAS routines. */
/* SPDX-License-Identifier: MIT */
#include "perf/uprobe.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>

#include "blas/routines.h"
#include "base/array.h"

struct symbol_list {
	struct blas_symbol *rows;
	size_t count;
	int has_table;
};

int64_t elf_address_offset(Elf *elf, uint64_t address)
{
	GElf_Phdr header;

	for (int i = 0; gelf_getphdr(elf, i, &header); i++)
		if (header.p_type == PT_LOAD && address >= header.p_vaddr &&
		    address - header.p_vaddr < header.p_filesz)
			return (int64_t)(address - header.p_vaddr + header.p_offset);
	return -1;
}

static int read_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct symbol_list *list)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	list->has_table |= count > 0;
	for (size_t i = 0; i < count; i++) {
		struct blas_symbol row;
		const char *name = NULL;
		GElf_Sym symbol;
		int64_t offset;
		size_t id;

		if (gelf_getsym(data, (int)i, &symbol))
			name = elf_strptr(elf, header->sh_link, symbol.st_name);
		id = name ? routine_find(name) : routine_ids_count;
		if (!routine_exists(id) || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
		    !symbol.st_shndx)
			continue;
		offset = elf_address_offset(elf, symbol.st_value);
		if (offset < 0)
			continue;
		row = (struct blas_symbol){id, (uint64_t)offset};
		if (array_append(&list->rows, &list->count, sizeof row, &row))
			return -1;
	}
	return 0;
}

/* -1 when memory is out. */
static int read_tables(int fd, struct symbol_list *list)
{
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int failed = 0;

	while (elf && !failed && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			failed = read_table(elf, section, &header, list);
	elf_end(elf);
	return failed;
}

COMPARE(compare, struct blas_symbol, ORDER(a->offset, b->offset) ?: ORDER(a->id, b->id))

int blas_symbols_read(const char *path, struct blas_symbol **symbols, size_t *count,
		      struct error *err)
{
	struct symbol_list list = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int failed = fd < 0 ? 0 : read_tables(fd, &list);

	*symbols = NULL;
	*count = 0;
	if (fd >= 0)
		close(fd);
	if (failed) {
		free(list.rows);
		return error_out_of_memory(err);
	}
	if (!list.has_table)
		return error_set(err, "link it without -s, and do not strip it",
				 "'%s' has no symbols to find its BLAS routines by", path);
	if (list.count)
		qsort(list.rows, list.count, sizeof *list.rows, compare);
	for (size_t i = 0; i < list.count; i++)
		if (!i || list.rows[i].offset != list.rows[*count - 1].offset)
			list.rows[(*count)++] = list.rows[i];
	*symbols = list.rows;
	return 0;
}
