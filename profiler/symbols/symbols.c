/* symbols.c: opens objects by libdwfl, and finds the symbol or unwind entry that covers an address.
 */
/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "symbols/debug_info.h"
#include "symbols/object_check.h"

struct symbol {
	uint64_t start, end; /* as in the object file, not as loaded */
	const char *name;    /* owned by libdwfl */
	int rank;	     /* of two at one address, that of the higher rank is shown */
};

struct symbols {
	char *path;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;	/* the object itself; owned by libdwfl */
	GElf_Addr bias; /* libdwfl's addresses less those in the object file */
	Dwarf_CFI *unwind;
	GElf_Addr unwind_bias;
	struct debug_info *debug; /* NULL: there is none */
	const char *complaint;
	struct symbol *table; /* in order of start */
	size_t count;
	Elf *table_elf; /* where the last symbol came from: the object or its debug file */
	int table_is_full;
	char **made; /* names made up here */
	size_t nmade;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* The kernel's own shared object lies in every process, this one as well. */
static Dwfl_Module *report_vdso(Dwfl *dwfl)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;

	if (!image || header->e_ident[EI_CLASS] != ELFCLASS64)
		return NULL;
	return dwfl_report_offline_memory(dwfl, "[vdso]", "[vdso]", image,
					  header->e_shoff +
						  (size_t)header->e_shnum * header->e_shentsize);
}

static Dwfl_Module *report_file(struct symbols *symbols, uint64_t inode, int64_t since_ns)
{
	const char *path = symbols->path;
	Dwfl_Module *module;
	int fd;

	if (*path != '/')
		return NULL;
	fd = object_open(path, inode, since_ns, &symbols->complaint);
	if (fd < 0)
		return NULL;
	module = dwfl_report_offline(symbols->dwfl, path, path, fd);
	if (!module)
		close(fd); /* else libdwfl has taken it over */
	return module;
}

/* 1 when the file has a full symbol table, with the static functions too. */
static int has_full_table(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return 1;
	return 0;
}

/* The end of the section that a symbol of its ELF file lies in; 0 when it holds no code. */
static uint64_t code_end(Elf *elf, GElf_Word section_number)
{
	Elf_Scn *section = elf_getscn(elf, section_number);
	GElf_Shdr header;

	if (!section || !gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR))
		return 0;
	return header.sh_addr + header.sh_size;
}

static int rank_symbol(const GElf_Sym *symbol)
{
	int binding = GELF_ST_BIND(symbol->st_info);

	return (symbol->st_size ? 4 : 0) + (binding == STB_GLOBAL ? 2 : binding == STB_WEAK);
}

static int is_function(const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	if (!name || !*name || *name == '$') /* $x and $d only mark code and data on Arm */
		return 0;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

/* Reads symbol `number`. One without a size ends with its section (and at the next symbol, which
 * end_at_next() sees to), but only where the table is full: in a stripped object the next
 * function may be nameless. 0 when it names no code. */
static int read_symbol(struct symbols *symbols, int number, struct symbol *result)
{
	GElf_Word section;
	GElf_Addr address, bias;
	GElf_Sym symbol;
	Elf *elf;
	const char *name = dwfl_module_getsym_info(symbols->module, number, &symbol, &address,
						   &section, &elf, &bias);
	uint64_t end;

	if (!is_function(&symbol, name) || section == SHN_UNDEF || !elf)
		return 0;
	if (elf != symbols->table_elf)
		symbols->table_is_full = has_full_table(elf);
	symbols->table_elf = elf;
	end = code_end(elf, section);
	if (!end || (!symbol.st_size && !symbols->table_is_full))
		return 0;
	result->start = address - symbols->bias;
	result->end = symbol.st_size ? result->start + symbol.st_size : end + bias - symbols->bias;
	result->name = name;
	result->rank = rank_symbol(&symbol);
	return 1;
}

static int compare_symbols(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank - b->rank;
	return strcmp(b->name, a->name);
}

/* Symbols without a size end where the next one starts. */
static void end_at_next(struct symbols *symbols)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = symbols->count; i-- > 0;) {
		struct symbol *symbol = &symbols->table[i];

		if (i + 1 < symbols->count && symbol[1].start > symbol->start)
			next = symbol[1].start;
		if (symbol->rank < 4 && symbol->end > next)
			symbol->end = next;
	}
}

static void load_table(struct symbols *symbols)
{
	int count = dwfl_module_getsymtab(symbols->module);

	if (count <= 0)
		return;
	symbols->table = calloc((size_t)count, sizeof *symbols->table);
	if (!symbols->table)
		return;
	for (int i = 1; i < count; i++)
		symbols->count += (size_t)read_symbol(symbols, i, &symbols->table[symbols->count]);
	qsort(symbols->table, symbols->count, sizeof *symbols->table, compare_symbols);
	end_at_next(symbols);
}

/* 1 when the file has debug information of its own, as what people build here themselves does. */
static int has_debug_info(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return 0;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;

		if (name && !strcmp(name, ".debug_info"))
			return 1;
	}
	return 0;
}

static void load_module(struct symbols *symbols, uint64_t inode, int64_t since_ns, unsigned how)
{
	symbols->dwfl = dwfl_begin(&callbacks);
	if (!symbols->dwfl)
		return;
	symbols->module = strcmp(symbols->path, "[vdso]") ? report_file(symbols, inode, since_ns)
							  : report_vdso(symbols->dwfl);
	dwfl_report_end(symbols->dwfl, NULL, NULL);
	if (symbols->module)
		symbols->elf = dwfl_module_getelf(symbols->module, &symbols->bias);
	if (!symbols->elf)
		return;
	load_table(symbols);
	symbols->unwind = dwfl_module_eh_cfi(symbols->module, &symbols->unwind_bias);
	if (!(how & SYMBOLS_NEAR_LINES) || has_debug_info(symbols->elf))
		symbols->debug = debug_info_open(symbols->module);
}

/* libdwfl asks the servers in this variable, and would wait 90 s for one that does not answer. The
 * environment is as before then: the next command to be profiled has it too. */
static void load_with_servers(struct symbols *symbols, uint64_t inode, int64_t since_ns,
			      unsigned how)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	char *kept = servers ? strdup(servers) : NULL;
	int has_limit = getenv("DEBUGINFOD_TIMEOUT") != NULL;

	if (!has_limit)
		setenv("DEBUGINFOD_TIMEOUT", SERVERS_TIMEOUT_S, 0);
	if (!(how & SYMBOLS_ASK_SERVERS))
		unsetenv("DEBUGINFOD_URLS");
	load_module(symbols, inode, since_ns, how);
	if (kept)
		setenv("DEBUGINFOD_URLS", kept, 1);
	if (!has_limit)
		unsetenv("DEBUGINFOD_TIMEOUT");
	free(kept);
}

struct symbols *symbols_open(const char *path, uint64_t inode, int64_t since_ns, unsigned how)
{
	struct symbols *symbols = calloc(1, sizeof *symbols);

	if (!symbols)
		return NULL;
	symbols->path = strdup(path);
	if (!symbols->path) {
		free(symbols);
		return NULL;
	}
	load_with_servers(symbols, inode, since_ns, how);
	return symbols;
}

const char *symbols_complaint(const struct symbols *symbols)
{
	return symbols->complaint;
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	debug_info_close(symbols->debug);
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
	for (size_t i = 0; i < symbols->nmade; i++)
		free(symbols->made[i]);
	free(symbols->made);
	free(symbols->table);
	free(symbols->path);
	free(symbols);
}

/* The address, as in the object file, of what lies at this offset of it; the offset itself where
 * that is not told. */
static uint64_t offset_address(const struct symbols *symbols, uint64_t offset)
{
	size_t count = 0;
	GElf_Phdr header;

	if (!symbols->elf || elf_getphdrnum(symbols->elf, &count))
		return offset;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(symbols->elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    offset >= header.p_offset && offset - header.p_offset < header.p_filesz)
			return offset - header.p_offset + header.p_vaddr;
	return offset;
}

/* The symbol that covers the address, or NULL. One that starts before another may end after it. */
static const struct symbol *find_symbol(const struct symbols *symbols, uint64_t address)
{
	enum { NESTED = 32 };
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->table[middle].start > address)
			high = middle;
		else
			low = middle + 1;
	}
	for (size_t i = low; i-- > 0 && low - i <= NESTED;)
		if (symbols->table[i].end > address)
			return &symbols->table[i];
	return NULL;
}

static uint64_t unwind_start(const struct symbols *symbols, uint64_t address)
{
	uint64_t shift = symbols->bias - symbols->unwind_bias;
	Dwarf_Addr start = 0, end;
	Dwarf_Frame *frame;
	bool is_signal;

	if (!symbols->unwind || dwarf_cfi_addrframe(symbols->unwind, address + shift, &frame))
		return address;
	dwarf_frame_info(frame, &start, &end, &is_signal);
	free(frame);
	return start - shift;
}

/* A made-up name, which the symbols own. */
static const char *keep_name(struct symbols *symbols, char *name)
{
	char **grown = reallocarray(symbols->made, symbols->nmade + 1, sizeof *grown);

	if (grown) {
		symbols->made = grown;
		symbols->made[symbols->nmade++] = name;
		return name;
	}
	free(name);
	return NULL;
}

static const char *make_name(struct symbols *symbols, uint64_t address)
{
	const char *slash = strrchr(symbols->path, '/');
	char *name;

	if (asprintf(&name, "%s+0x%llx", slash ? slash + 1 : symbols->path,
		     (unsigned long long)unwind_start(symbols, address)) < 0)
		return NULL;
	return keep_name(symbols, name);
}

/* The symbol's name without its version: "write" of "write@@GLIBC_2.2.5". */
static const char *bare_name(struct symbols *symbols, const struct symbol *symbol)
{
	const char *version = strchr(symbol->name, '@');
	char *bare;

	if (!version || version == symbol->name)
		return symbol->name;
	bare = strndup(symbol->name, (size_t)(version - symbol->name));
	return bare ? keep_name(symbols, bare) : NULL;
}

size_t symbols_frames(struct symbols *symbols, uint64_t offset, struct symbol_frame *frames,
		      size_t max)
{
	uint64_t address = offset_address(symbols, offset);
	const struct symbol *symbol = find_symbol(symbols, address);
	size_t count = 0;

	if (!max)
		return 0;
	if (symbols->debug)
		count = debug_info_frames(symbols->debug, address + symbols->bias, frames, max);
	if (!count)
		frames[count++] = (struct symbol_frame){0};
	if (symbol)
		frames[count - 1].function = bare_name(symbols, symbol);
	else if (!frames[count - 1].function)
		frames[count - 1].function = make_name(symbols, address);
	return count;
}
