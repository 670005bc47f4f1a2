/* symbols.c: opens object files by libdwfl, and finds the symbol or unwind entry of an address. */
/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "symbols/loops.h"
#include "wire/files.h"

struct symbol {
	uint64_t start, end; /* as in the object file, not as loaded */
	const char *name;    /* owned by libdwfl */
	int rank;	     /* of symbols at one address, the one with the highest rank is used */
};

struct symbols {
	const char *path;     /* as the kernel names it */
	char file[PATH_MAX];  /* path from here */
	uid_t owner;	      /* of the file */
	struct rlimit memory; /* the limit before the file was opened */
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;		    /* the object itself; owned by libdwfl */
	GElf_Addr bias;		    /* libdwfl's addresses less those in the object file */
	const unsigned char *image; /* the contents of the file; NULL if unknown */
	size_t size;
	GElf_Half machine; /* EM_X86_64, ... */
	Dwarf_CFI *unwind;
	GElf_Addr unwind_bias;
	struct debug_info *debug; /* or NULL */
	const char *complaint;
	struct symbol *table; /* in order of start */
	size_t count;
	Elf *table_elf; /* file of the last symbol: the object or its debug file */
	int table_is_full;
	unsigned how;
	struct matrix_loops loops;
};

/* Returns what is wrong with the file, or NULL. libelf and libdw do not check that segments and
 * sections are within the file before they read them. */
static const char *find_fault(Elf *elf, uint64_t size)
{
	static const char damaged[] = "it is truncated, or its headers are damaged";
	GElf_Ehdr header;
	GElf_Phdr segment;
	GElf_Shdr section;
	size_t segments;

	if (elf && elf_kind(elf) != ELF_K_ELF)
		return "it is not an ELF file";
	if (!elf || !gelf_getehdr(elf, &header) || elf_getphdrnum(elf, &segments) ||
	    segments != header.e_phnum ||
	    (segments && header.e_phentsize != gelf_fsize(elf, ELF_T_PHDR, 1, EV_CURRENT)))
		return damaged;
	for (int i = 0; i < header.e_phnum; i++)
		if (!gelf_getphdr(elf, i, &segment) ||
		    (segment.p_type == PT_LOAD &&
		     (segment.p_offset > size || segment.p_filesz > size - segment.p_offset)))
			return damaged;
	for (size_t i = 1; i < header.e_shnum; i++)
		if (!gelf_getshdr(elf_getscn(elf, i), &section) ||
		    (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
		     (section.sh_offset > size || section.sh_size > size - section.sh_offset)))
			return damaged;
	return NULL;
}

static int has_build_id(Elf *elf, const struct file_id *wanted)
{
	const void *id;
	ssize_t size = dwelf_elf_gnu_build_id(elf, &id);

	return size == (ssize_t)wanted->build_id_size &&
	       !memcmp(id, wanted->build_id, (size_t)size);
}

static int is_since(const struct timespec *time, int64_t since_ns)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec >= since_ns;
}

int object_open(const struct object *object, int64_t since_ns, const char **complaint)
{
	struct stat status = {0};
	int may_be_another = 0, fd = object->fd > 0 ? fcntl(object->fd, F_DUPFD_CLOEXEC, 3)
						    : open_regular(object->path, &status);
	const struct file_id *id = &object->id;

	*complaint = NULL;
	if (fd < 0)
		*complaint = !errno	       ? "it is not a regular file"
			     : errno == EACCES ? "this user may not read it"
			     : errno == ENOENT ? "it no longer exists"
					       : "it cannot be opened";
	else if (fstat(fd, &status))
		*complaint = "it cannot be opened";
	if (!*complaint) {
		Elf *elf = elf_version(EV_CURRENT) == EV_NONE
				   ? NULL
				   : elf_begin(fd, ELF_C_READ_MMAP, NULL);

		if (id->inode && status.st_ino == id->inode)
			may_be_another = since_ns && is_since(&status.st_mtim, since_ns);
		else if (id->inode && object->fd <= 0)
			may_be_another = object->is_foreign || is_since(&status.st_ctim, since_ns);
		*complaint = find_fault(elf, (uint64_t)status.st_size);
		if (id->build_id_size)
			may_be_another = !*complaint && !has_build_id(elf, id);
		elf_end(elf);
		if (!may_be_another)
			return fd;
		*complaint = object->is_foreign
				     ? "it is not the file that ran, or has been replaced"
				     : "it was replaced since it ran";
	}
	file_close(fd);
	return -1;
}

/* Limits the process's memory while libdw opens a file, as compressed sections of a hostile file
 * can grow a thousandfold. If an allocation fails, libdw treats the section as missing. */
static void limit_memory(int fd, const struct rlimit *most)
{
	struct rlimit limit = *most;
	unsigned long long pages = 0;
	struct stat status;
	char line[128];

	machine_read_line("", "/proc/self/statm", line, sizeof line);
	if (!fstat(fd, &status) && sscanf(line, "%*u %*u %*u %*u %*u %llu", &pages) == 1) {
		/* libelf maps the whole file, but holes in it need no memory for unpacking */
		rlim_t bytes = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (UINT64_C(256) << 20) +
			       (rlim_t)status.st_size + 16 * 512 * (rlim_t)status.st_blocks;

		if (bytes < limit.rlim_cur)
			limit.rlim_cur = bytes;
		setrlimit(RLIMIT_DATA, &limit);
	}
}

/* Opens a debug file beside the object, if there is a build-id or a checksum to check it by.
 * Returns a descriptor, or -1. */
static int open_debug_file(const struct symbols *symbols, Dwfl_Module *module, const char *link,
			   GElf_Word crc, char *path, size_t size)
{
	static const char *const folders[] = {"", ".debug/"};
	int folder = (int)(strrchr(symbols->file, '/') + 1 - symbols->file);
	const unsigned char *id;
	struct stat status;
	GElf_Addr at;

	if (!crc && dwfl_module_build_id(module, &id, &at) <= 0)
		return -1;
	for (size_t i = 0; i < COUNT(folders); i++) {
		int fd;

		snprintf(path, size, "%.*s%s%s%s", folder, symbols->file, folders[i],
			 link ? link : symbols->file + folder, link ? "" : ".debug");
		fd = open_regular(path, &status);
		if (fd >= 0 && is_trusted(&status, symbols->owner))
			return fd;
		file_close(fd);
	}
	return -1;
}

/* The empty entry is the object's own directory. */
static char object_and_system[] = ":/usr/lib/debug", *debug_folders;

/* Finds the debug file (find_debuginfo of libdwfl). libdwfl itself would open any file beside the
 * object, so it may search only in the system's directory. The file that open_debug_file() found is
 * passed to it by the name of its descriptor. */
static int find_debug_file(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
			   const char *file, const char *link, GElf_Word crc, char **found)
{
	struct symbols *symbols = *userdata;
	char path[PATH_MAX];
	int fd, result;

	link = link ? basename(link) : NULL;
	if (*name != '/')
		return -1;
	fd = open_debug_file(symbols, module, link, crc, path, sizeof path);
	debug_folders = object_and_system + (fd < 0);
	result = dwfl_standard_find_debuginfo(module, userdata, name, base,
					      fd < 0 ? file : "/proc/self/fd/-",
					      fd < 0 ? link : PATH("%d", fd), crc, found);
	if (fd >= 0 && *found && !strncmp(*found, "/proc/", 6)) {
		free(*found);
		*found = strdup(path);
	}
	file_close(fd);
	if (result >= 0)
		limit_memory(result, &symbols->memory);
	return result;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debug_file,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_folders,
};

char *vdso_image(size_t *size)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;

	if (!image || header->e_ident[EI_CLASS] != ELFCLASS64)
		return NULL;
	*size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	return image;
}

static Dwfl_Module *report_file(struct symbols *symbols, const struct object *object,
				int64_t since_ns)
{
	const char *path = symbols->path;
	int fd = *path == '/' ? object_open(object, since_ns, &symbols->complaint) : -1;
	struct stat status;
	Dwfl_Module *module;

	if (fd < 0)
		return NULL;
	if (readlink(PATH("/proc/self/fd/%d", fd), symbols->file, sizeof symbols->file - 1) < 0 ||
	    *symbols->file != '/')
		snprintf(symbols->file, sizeof symbols->file, "%s", path);
	if (!fstat(fd, &status))
		symbols->owner = status.st_uid;
	limit_memory(fd, &symbols->memory);
	module = dwfl_report_offline(symbols->dwfl, path, symbols->file, fd);
	if (!module)
		close(fd); /* else libdwfl owns it */
	return module;
}

static int has_section(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return 0;
	while ((section = elf_nextscn(elf, section))) {
		const char *its_name = gelf_getshdr(section, &header)
					       ? elf_strptr(elf, names, header.sh_name)
					       : NULL;

		if (its_name && !strcmp(its_name, name))
			return 1;
	}
	return 0;
}

/* Reads symbol `number`. Returns 1, or 0 if it does not name code. A symbol without a size ends
 * with its section or at the next symbol (see load_table()). It is ignored if the table does not
 * have the static functions: then the next function may have no symbol. */
static int read_symbol(struct symbols *symbols, int number, struct symbol *result)
{
	GElf_Addr address, bias;
	GElf_Word section_number;
	GElf_Sym symbol = {0};
	Elf *elf;
	const char *name = dwfl_module_getsym_info(symbols->module, number, &symbol, &address,
						   &section_number, &elf, &bias);
	int type = GELF_ST_TYPE(symbol.st_info), binding = GELF_ST_BIND(symbol.st_info);
	Elf_Scn *section;
	GElf_Shdr header;

	/* $x and $d only mark code and data on Arm */
	if (!name || !*name || *name == '$' || section_number == SHN_UNDEF || !elf ||
	    (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE))
		return 0;
	if (elf != symbols->table_elf)
		symbols->table_is_full = has_section(elf, ".symtab");
	symbols->table_elf = elf;
	section = elf_getscn(elf, section_number);
	if (!section || !gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
	    (!symbol.st_size && !symbols->table_is_full))
		return 0;
	result->start = address - symbols->bias;
	result->end = symbol.st_size ? result->start + symbol.st_size
				     : header.sh_addr + header.sh_size + bias - symbols->bias;
	result->name = name;
	result->rank = (symbol.st_size ? 4 : 0) + (binding == STB_GLOBAL ? 2 : binding == STB_WEAK);
	return 1;
}

COMPARE(compare_symbols, struct symbol,
	ORDER(a->start, b->start) ?: ORDER(a->rank, b->rank) ?: strcmp(b->name, a->name))

static void load_table(struct symbols *symbols)
{
	int count = dwfl_module_getsymtab(symbols->module);
	uint64_t next = UINT64_MAX;

	if (count <= 0)
		return;
	symbols->table = calloc((size_t)count, sizeof *symbols->table);
	if (!symbols->table)
		return;
	for (int i = 1; i < count; i++)
		symbols->count += (size_t)read_symbol(symbols, i, &symbols->table[symbols->count]);
	qsort(symbols->table, symbols->count, sizeof *symbols->table, compare_symbols);
	for (size_t i = symbols->count; i-- > 0;) { /* symbols without a size end at the next one */
		struct symbol *symbol = &symbols->table[i];

		if (i + 1 < symbols->count && symbol[1].start > symbol->start)
			next = symbol[1].start;
		if (symbol->rank < 4 && symbol->end > next)
			symbol->end = next;
	}
}

static void load_module(struct symbols *symbols, const struct object *object, int64_t since_ns,
			unsigned how)
{
	void **userdata;
	GElf_Ehdr header;
	size_t size;
	char *image = strcmp(symbols->path, "[vdso]") ? NULL : vdso_image(&size);

	symbols->dwfl = dwfl_begin(&callbacks);
	if (!symbols->dwfl)
		return;
	symbols->module =
		image ? dwfl_report_offline_memory(symbols->dwfl, "[vdso]", "[vdso]", image, size)
		      : report_file(symbols, object, since_ns);
	dwfl_report_end(symbols->dwfl, NULL, NULL);
	if (symbols->module &&
	    dwfl_module_info(symbols->module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL)) {
		*userdata = symbols;
		symbols->elf = dwfl_module_getelf(symbols->module, &symbols->bias);
	}
	if (!symbols->elf)
		return;
	symbols->image = (const unsigned char *)elf_rawfile(symbols->elf, &symbols->size);
	symbols->machine = gelf_getehdr(symbols->elf, &header) ? header.e_machine : EM_NONE;
	load_table(symbols);
	symbols->unwind = dwfl_module_eh_cfi(symbols->module, &symbols->unwind_bias);
	/* programs that the user compiled here contain their debug information themselves */
	if (!(how & SYMBOLS_NEAR_LINES) || has_section(symbols->elf, ".debug_info"))
		symbols->debug = debug_info_open(symbols->module);
}

struct symbols *symbols_open(const struct object *object, int64_t since_ns, unsigned how)
{
	/* libdwfl asks the servers in DEBUGINFOD_URLS, and would wait 90 s for an answer. The
	 * environment is restored for the next command to be profiled. */
	struct symbols *symbols = memory_rows(1, sizeof *symbols);
	const char *urls = getenv("DEBUGINFOD_URLS");
	const char *servers = urls ? string_pooled(urls) : NULL;
	int has_limit = getenv("DEBUGINFOD_TIMEOUT") != NULL;

	symbols->path = string_pooled(object->path);
	if (!has_limit)
		setenv("DEBUGINFOD_TIMEOUT", SERVERS_TIMEOUT_S, 0);
	if (!(how & SYMBOLS_MATTER))
		unsetenv("DEBUGINFOD_URLS");
	symbols->owner = geteuid();
	symbols->how = how;
	getrlimit(RLIMIT_DATA, &symbols->memory);
	load_module(symbols, object, since_ns, how);
	setrlimit(RLIMIT_DATA, &symbols->memory);
	if (servers)
		setenv("DEBUGINFOD_URLS", servers, 1);
	if (!has_limit)
		unsetenv("DEBUGINFOD_TIMEOUT");
	return symbols;
}

const char *symbols_complaint(const struct symbols *symbols)
{
	return symbols->complaint;
}

void symbols_close(struct symbols *symbols)
{
	debug_info_close(symbols->debug);
	dwfl_end(symbols->dwfl);
	matrix_loops_free(&symbols->loops);
	free(symbols->table);
	free(symbols);
}

uint64_t elf_offset_address(Elf *elf, uint64_t offset)
{
	GElf_Phdr header;

	for (int i = 0; elf && gelf_getphdr(elf, i, &header); i++)
		if (header.p_type == PT_LOAD && offset >= header.p_offset &&
		    offset - header.p_offset < header.p_filesz)
			return offset - header.p_offset + header.p_vaddr;
	return offset;
}

/* Returns the symbol that covers the address, or NULL. Symbols may be nested. */
static const struct symbol *find_symbol(const struct symbols *symbols, uint64_t address)
{
	enum { NESTED = 32 };
	size_t low = ARRAY_BOUND(symbols->count, i, symbols->table[i].start <= address);

	for (size_t i = low; i-- > 0 && low - i <= NESTED;)
		if (symbols->table[i].end > address)
			return &symbols->table[i];
	return NULL;
}

/* Generates a name like "libx.so+0x1234" from the start of the function in the unwind tables or of
 * a loop that multiplies matrices, else from the address. */
static const char *make_name(struct symbols *symbols, uint64_t offset)
{
	uint64_t address = elf_offset_address(symbols->elf, offset);
	const struct machine_code code = {
		.set = symbols->machine == EM_X86_64 ? INSTRUCTIONS_X86_64 : INSTRUCTIONS_AARCH64,
		.bytes = symbols->image,
		.size = symbols->size,
	};
	size_t loop = 0;
	int is_matrix = symbols->how & SYMBOLS_MATTER && symbols->image &&
			(symbols->machine == EM_X86_64 || symbols->machine == EM_AARCH64) &&
			matrix_loop_covers(&symbols->loops, &code, offset, &loop);
	uint64_t shift = symbols->bias - symbols->unwind_bias;
	Dwarf_Addr start = 0, end;
	Dwarf_Frame *frame;
	bool is_signal;

	if (symbols->unwind && !dwarf_cfi_addrframe(symbols->unwind, address + shift, &frame)) {
		dwarf_frame_info(frame, &start, &end, &is_signal);
		free(frame);
		address = start - shift;
	} else if (is_matrix) {
		address = elf_offset_address(symbols->elf, loop);
	}
	return string_printf("%s+0x%llx%s", basename(symbols->path), (unsigned long long)address,
			     is_matrix ? SYMBOL_MATRIX_LOOP : "");
}

/* Returns the name of the symbol whose address the loader writes to this slot, or NULL. */
static const char *find_import(Elf *elf, uint64_t slot)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header, names;
	GElf_Rela import;
	GElf_Sym symbol;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getrela(data, i, &import); i++) {
			if (import.r_offset != slot)
				continue;
			section = elf_getscn(elf, header.sh_link);
			if (!section || !gelf_getshdr(section, &names) ||
			    !gelf_getsym(elf_getdata(section, NULL), (int)GELF_R_SYM(import.r_info),
					 &symbol))
				return NULL;
			return elf_strptr(elf, names.sh_link, symbol.st_name);
		}
	}
	return NULL;
}

/* Returns the slot that the instruction "jmp *slot(%rip)" (or call) at this offset reads, or 0. */
static uint64_t find_slot(const struct symbols *symbols, uint64_t at, unsigned char operation)
{
	static const unsigned char branch_target[] = {0xf3, 0x0f, 0x1e, 0xfa};
	const unsigned char *image = symbols->image;
	size_t size = symbols->size;
	int32_t distance;

	if (at < size && size - at > 16 && !memcmp(image + at, branch_target, 4))
		at += 4;
	at += at < size && image[at] == 0xf2; /* bnd */
	if (at >= size || size - at < 6 || image[at] != 0xff || image[at + 1] != operation)
		return 0;
	memcpy(&distance, image + at + 2, 4);
	return elf_offset_address(symbols->elf, at) + 6 + (uint64_t)(int64_t)distance;
}

/* Returns the function of another object that is called by the call whose last byte is here, with
 * or without a PLT stub, or NULL. */
static const char *find_called(const struct symbols *symbols, uint64_t offset)
{
	enum { CALL = 0xe8, CALL_SLOT = 0x15, JUMP_SLOT = 0x25 };
	int32_t distance;
	uint64_t slot = 0;

	if (!symbols->image || offset < 5 || offset >= symbols->size ||
	    symbols->machine != EM_X86_64)
		return NULL;
	if (symbols->image[offset - 4] == CALL) {
		memcpy(&distance, symbols->image + offset - 3, 4);
		slot = find_slot(symbols, offset + 1 + (uint64_t)(int64_t)distance, JUMP_SLOT);
	}
	if (!slot)
		slot = find_slot(symbols, offset - 5, CALL_SLOT);
	return slot ? find_import(symbols->elf, slot) : NULL;
}

size_t symbols_frames(struct symbols *symbols, uint64_t offset, struct symbol_frame *frames,
		      size_t max)
{
	uint64_t address = elf_offset_address(symbols->elf, offset);
	const struct symbol *symbol = find_symbol(symbols, address);
	struct symbol_frame *last;
	size_t count = 0;

	if (symbols->debug)
		count = debug_info_frames(symbols->debug, address + symbols->bias, frames, max);
	if (!count)
		frames[count++] = (struct symbol_frame){0};
	last = &frames[count - 1];
	if (symbol) /* without the symbol version: "write" of "write@@GLIBC_2.2.5" */
		last->function = string_printf("%.*s", 1 + (int)strcspn(symbol->name + 1, "@"),
					       symbol->name);
	else if (!last->function)
		last->function = make_name(symbols, offset);
	frames->called = find_called(symbols, offset);
	return count;
}
