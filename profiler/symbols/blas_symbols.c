/* blas_symbols.c: reads a program's symbol table for the names of BLAS routines. */
/* SPDX-License-Identifier: MIT */
#include "symbols/blas_symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>

#include "blas/routines.h"
#include "base/array.h"

struct reader {
	Elf *elf;
	struct blas_symbol *symbols;
	size_t count;
	int has_table;
};

/* Where the address lies in the file; -1: nowhere. */
static int64_t file_offset(Elf *elf, uint64_t address)
{
	size_t count = 0;
	GElf_Phdr header;

	if (elf_getphdrnum(elf, &count))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    address >= header.p_vaddr && address - header.p_vaddr < header.p_filesz)
			return (int64_t)(address - header.p_vaddr + header.p_offset);
	return -1;
}

static int read_symbol(struct reader *reader, const GElf_Sym *symbol, const char *name)
{
	struct blas_symbol *row;
	size_t id = routine_find(name);
	int64_t offset;

	if (!routine_exists(id) || GELF_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_shndx)
		return 0;
	offset = file_offset(reader->elf, symbol->st_value);
	if (offset < 0)
		return 0;
	row = array_add(&reader->symbols, &reader->count, sizeof *row);
	if (!row)
		return -1;
	*row = (struct blas_symbol){id, (uint64_t)offset};
	return 0;
}

static int read_table(struct reader *reader, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	for (size_t i = 0; i < count; i++) {
		GElf_Sym symbol;
		const char *name =
			gelf_getsym(data, (int)i, &symbol)
				? elf_strptr(reader->elf, header->sh_link, symbol.st_name)
				: NULL;

		if (name && read_symbol(reader, &symbol, name))
			return -1;
	}
	reader->has_table |= count > 0;
	return 0;
}

static int read_tables(struct reader *reader)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(reader->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB &&
		    read_table(reader, section, &header))
			return -1;
	return 0;
}

static int compare_offsets(const void *left, const void *right)
{
	const struct blas_symbol *a = left, *b = right;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static size_t drop_aliases(struct blas_symbol *symbols, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(symbols, count, sizeof *symbols, compare_offsets);
	for (size_t i = 0; i < count; i++)
		if (!kept || symbols[kept - 1].offset != symbols[i].offset)
			symbols[kept++] = symbols[i];
	return kept;
}

int blas_symbols_read(const char *path, struct blas_symbol **symbols, size_t *count,
		      struct error *err)
{
	struct reader reader = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failed = 0;

	*symbols = NULL;
	*count = 0;
	if (fd >= 0 && elf_version(EV_CURRENT) != EV_NONE)
		reader.elf = elf_begin(fd, ELF_C_READ, NULL);
	if (reader.elf)
		failed = read_tables(&reader);
	if (reader.elf)
		elf_end(reader.elf);
	if (fd >= 0)
		close(fd);
	if (failed) {
		free(reader.symbols);
		return error_out_of_memory(err);
	}
	if (!reader.has_table)
		return error_set(err, "link it without -s, and do not strip it",
				 "'%s' has no symbols to find its BLAS routines by", path);
	*count = drop_aliases(reader.symbols, reader.count);
	*symbols = reader.symbols;
	return 0;
}
