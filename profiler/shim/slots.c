/* slots.c: finds the words by which objects reach functions of other objects, and writes others to them. */
/* SPDX-License-Identifier: MIT */
#include "shim/slots.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/shim.h"

#if defined(__x86_64__)
#define IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#define IS_SLOT(type) 0
#endif

struct object {
	const struct dl_phdr_info *info;
	const ElfW(Dyn) *dynamic;
	const ElfW(Sym) *symbols;
	const char *names;
	uintptr_t sealed_from, sealed_to; /* pages that the loader has made read-only */
	int is_known; /* 1: slots that are not bound yet would be bound to what is looked for */
};

static uintptr_t dynamic(const struct object *object, ElfW(Sxword) tag)
{
	const ElfW(Dyn) *entry = object->dynamic;

	while (entry->d_tag != DT_NULL && entry->d_tag != tag)
		entry++;
	return entry->d_tag == tag ? entry->d_un.d_val : 0;
}

static int lies_in(const struct object *object, const void *address)
{
	for (unsigned i = 0; i < object->info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &object->info->dlpi_phdr[i];

		if (header->p_type == PT_LOAD &&
		    (uintptr_t)address - object->info->dlpi_addr - header->p_vaddr <
			    header->p_memsz)
			return 1;
	}
	return 0;
}

/* Loaders that can write to that table have made addresses of the offsets in it. */
static const void *dynamic_address(const struct object *object, ElfW(Sxword) tag)
{
	uintptr_t address = dynamic(object, tag);

	if (address && !lies_in(object, (const void *)address))
		address += object->info->dlpi_addr;
	return (const void *)address;
}

static int open_object(struct object *object, const struct dl_phdr_info *info)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	*object = (struct object){.info = info};
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;

		if (header->p_type == PT_DYNAMIC)
			object->dynamic = (const void *)start;
		if (header->p_type == PT_GNU_RELRO) {
			object->sealed_from = start & ~(page - 1);
			object->sealed_to = (start + header->p_memsz) & ~(page - 1);
		}
	}
	if (!object->dynamic)
		return -1;
	object->symbols = dynamic_address(object, DT_SYMTAB);
	object->names = dynamic_address(object, DT_STRTAB);
	return object->symbols && object->names ? 0 : -1;
}

/* What was written to slots that the loader still writes to. */
static struct {
	void **slot;
	void *function;
} written[32];
static size_t nwritten;

static void write_slot(const struct object *object, void **slot, void *function)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)((uintptr_t)slot & ~(page - 1));
	int is_sealed =
		(uintptr_t)slot >= object->sealed_from && (uintptr_t)slot < object->sealed_to;

	if (is_sealed && mprotect(start, page, PROT_READ | PROT_WRITE))
		return;
	__atomic_store_n(slot, function, __ATOMIC_RELEASE);
	if (is_sealed) {
		mprotect(start, page, PROT_READ);
	} else if (nwritten < sizeof written / sizeof *written) {
		written[nwritten].slot = slot;
		written[nwritten++].function = function;
	}
}

void slots_renew(void)
{
	for (size_t i = 0; i < nwritten; i++)
		if (__atomic_load_n(written[i].slot, __ATOMIC_RELAXED) != written[i].function)
			__atomic_store_n(written[i].slot, written[i].function, __ATOMIC_RELEASE);
}

/* A slot that is not bound yet leads into its own object, which asks the loader at the first call; so does one that is
 * bound to the object's own function. */
static int leads_elsewhere(const struct object *object, const struct slot_change *change,
			   const ElfW(Sym) * symbol, const void *function)
{
	if (function == change->from || function == change->to)
		return 0;
	return !object->is_known || !lies_in(object, function) ||
	       (symbol->st_shndx != SHN_UNDEF &&
		object->info->dlpi_addr + symbol->st_value != (uintptr_t)change->from);
}

static const struct slot_change *find_change(const struct slot_order *order, const char *name)
{
	for (size_t i = 0; i < order->count; i++)
		if (!strcmp(name, order->changes[i].name))
			return &order->changes[i];
	return NULL;
}

/* Looks at the slots of one table, or changes them. -1: one leads elsewhere. */
static int walk_table(const struct object *object, const ElfW(Rela) * rows, size_t bytes,
		      const struct slot_order *order, int write)
{
	for (size_t i = 0; rows && i < bytes / sizeof *rows; i++) {
		void **slot = (void **)(object->info->dlpi_addr + rows[i].r_offset);
		const struct slot_change *change;
		const ElfW(Sym) * symbol;

		if (!IS_SLOT(ELF64_R_TYPE(rows[i].r_info)))
			continue;
		symbol = &object->symbols[ELF64_R_SYM(rows[i].r_info)];
		change = find_change(order, object->names + symbol->st_name);
		if (!change)
			continue;
		if (leads_elsewhere(object, change, symbol, __atomic_load_n(slot, __ATOMIC_RELAXED)))
			return -1;
		if (write && *slot != change->to)
			write_slot(object, slot, change->to);
	}
	return 0;
}

static int walk(const struct object *object, const struct slot_order *order, int write)
{
	if (walk_table(object, dynamic_address(object, DT_RELA), dynamic(object, DT_RELASZ), order,
		       write))
		return -1;
	if (dynamic(object, DT_PLTREL) != DT_RELA)
		return 0;
	return walk_table(object, dynamic_address(object, DT_JMPREL), dynamic(object, DT_PLTRELSZ),
			  order, write);
}

static int redirect_object(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct slot_order *order = data;
	int is_one = info->dlpi_addr == order->bases[0] || info->dlpi_addr == order->bases[1];
	struct object object;

	(void)size;
	if ((!is_one && !resolve_was_at_start(info->dlpi_addr)) || open_object(&object, info))
		return 0;
	object.is_known = is_one || order->is_global;
	if (!walk(&object, order, 0))
		walk(&object, order, 1);
	return 0;
}

void slots_redirect(const struct slot_order *order)
{
	dl_iterate_phdr(redirect_object, (void *)order);
}
