/* python_file.c: finds the symbols of CPython in its program or library. */
/* SPDX-License-Identifier: MIT */
#include "sampling/python_reader.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "perf/uprobe.h"

/* "libpython3.11.so.1.0" or "python3.11". Builds without the interpreter's lock ("python3.13t")
 * have other structs. */
static uint32_t read_version(const char *name)
{
	const char *minor = strstr(name, "python3.");
	char *end;
	unsigned long number;

	if (!minor)
		return 0;
	minor += strlen("python3.");
	number = strtoul(minor, &end, 10);
	return end > minor && number < 256 && *end != 't' ? (uint32_t)(3 << 8 | number) : 0;
}

static void take_symbol(const char *name, const GElf_Sym *symbol, struct python_file *file)
{
	if (!strcmp(name, "_PyRuntime"))
		file->runtime = symbol->st_value;
	else if (!strcmp(name, "PyCode_Type"))
		file->code_type = symbol->st_value;
	else if (!strcmp(name, "_PyEval_EvalFrameDefault")) {
		file->eval_start = symbol->st_value;
		file->eval_end = symbol->st_value + symbol->st_size;
	}
}

static void read_symbols(Elf *elf, struct python_file *file)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

			if (name && symbol.st_shndx)
				take_symbol(name, &symbol, file);
		}
	}
}

struct python_file python_file_read(int fd, const char *name)
{
	struct python_file file = {.version = read_version(name)};
	Elf *elf = !file.version || elf_version(EV_CURRENT) == EV_NONE
			   ? NULL
			   : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	int64_t offset;

	if (elf)
		read_symbols(elf, &file);
	offset = elf_address_offset(elf, file.eval_start);
	if (!file.runtime || !file.code_type || file.eval_end <= file.eval_start || offset < 0)
		file.version = 0;
	file.to_address = file.eval_start - (uint64_t)offset;
	file.eval_start -= file.to_address;
	file.eval_end -= file.to_address;
	elf_end(elf);
	return file;
}
