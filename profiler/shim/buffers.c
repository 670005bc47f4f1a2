/* buffers.c: with fewer units than threads, gives each thread that calls OpenBLAS a buffer of its own. */
/* SPDX-License-Identifier: MIT
 *
 * OpenBLAS copies what it multiplies into a buffer that a call takes from a pool: the first that is free. Calls that
 * queue for one unit never overlap, so all would take the same, and each find in it what another CPU has written: in
 * two threads of small products they took 1.1 to 1.4 times as long. Threads that share a unit in hardware overlap in
 * BLAS, and have a buffer each.
 *
 * The pool has at least twice as many buffers as OpenBLAS may have threads, and ends the program when it is empty: a
 * quarter of them is what threads may keep here. The others do as before.
 */
#include "shim/shim.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/dlsym.h"

#if defined(__x86_64__)
#define SLOT_TYPE(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define SLOT_TYPE(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#define SLOT_TYPE(type) 0 /* there the threads share buffers */
#endif

#define TAKE "blas_memory_alloc"
#define GIVE "blas_memory_free"

typedef void *(*take_function)(int);
typedef void (*give_function)(void *);

static take_function pool_take; /* NULL: no thread keeps any */
static give_function pool_give;
static unsigned kept, kept_max; /* forked children have what their parents kept */

/* 1 where the thread may keep one more. */
static int may_keep(void)
{
	if (__atomic_add_fetch(&kept, 1, __ATOMIC_RELAXED) <= kept_max)
		return 1;
	__atomic_sub_fetch(&kept, 1, __ATOMIC_RELAXED);
	return 0;
}

/* In place of OpenBLAS's own. A thread that does not attach never says when it ends. */
static void *take_buffer(int where)
{
	struct shim_thread *thread = &shim_self;

	if (thread->buffer_taken || thread->owner != process_token())
		return pool_take(where);
	if (!thread->buffer && may_keep() && !(thread->buffer = pool_take(where)))
		__atomic_sub_fetch(&kept, 1, __ATOMIC_RELAXED);
	if (!thread->buffer)
		return pool_take(where);
	thread->buffer_taken = 1;
	return thread->buffer;
}

static void give_buffer(void *buffer)
{
	struct shim_thread *thread = &shim_self;

	if (buffer && buffer == thread->buffer)
		thread->buffer_taken = 0;
	else
		pool_give(buffer);
}

void buffers_end(struct shim_thread *thread)
{
	if (!thread->buffer)
		return;
	if (!thread->buffer_taken) /* else it was left in a call: nobody knows whether it was given */
		pool_give(thread->buffer);
	thread->buffer = NULL;
	thread->buffer_taken = 0;
	__atomic_sub_fetch(&kept, 1, __ATOMIC_RELAXED);
}

/* What the dynamic section says under this tag; loaders that can write to it have made addresses of offsets. */
static uintptr_t dynamic(const struct link_map *map, ElfW(Sxword) tag)
{
	const ElfW(Dyn) *entry = map->l_ld;

	while (entry->d_tag != DT_NULL && entry->d_tag != tag)
		entry++;
	return entry->d_tag == tag ? entry->d_un.d_val : 0;
}

static const void *dynamic_address(const struct link_map *map, ElfW(Sxword) tag)
{
	uintptr_t address = dynamic(map, tag);

	return (const void *)(address && address < map->l_addr ? address + map->l_addr : address);
}

/* The part of an object that the loader has made read-only. */
struct sealed {
	uintptr_t base, from, to;
};

static int find_sealed(struct dl_phdr_info *info, size_t size, void *data)
{
	struct sealed *sealed = data;

	(void)size;
	if (info->dlpi_addr != sealed->base)
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
			sealed->from = sealed->base + info->dlpi_phdr[i].p_vaddr;
			sealed->to = sealed->from + info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

static void write_slot(const struct link_map *map, void **slot, void *function)
{
	struct sealed sealed = {.base = map->l_addr};
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)((uintptr_t)slot & ~(page - 1));
	int is_sealed;

	dl_iterate_phdr(find_sealed, &sealed);
	is_sealed = (uintptr_t)slot >= sealed.from && (uintptr_t)slot < (sealed.to & ~(page - 1));
	if (is_sealed && mprotect(start, page, PROT_READ | PROT_WRITE))
		return;
	__atomic_store_n(slot, function, __ATOMIC_RELEASE);
	if (is_sealed)
		mprotect(start, page, PROT_READ);
}

/* 1 where the slot leads to `real`, or to nothing yet: into its own object, which asks the loader at the first call. */
static int leads_to(const struct link_map *map, void *slot, const void *real)
{
	struct link_map *target = NULL;
	Dl_info info;

	return slot == real ||
	       (dladdr1(slot, &info, (void **)&target, RTLD_DL_LINKMAP) && target == map);
}

/* Has the object reach `own` where it would reach `real` by this name, by the slots of one of its tables. */
static void redirect_table(const struct link_map *map, const ElfW(Rela) * rows, size_t bytes,
			   const char *name, const void *real, void *own)
{
	const ElfW(Sym) *symbols = dynamic_address(map, DT_SYMTAB);
	const char *names = dynamic_address(map, DT_STRTAB);

	for (size_t i = 0; rows && symbols && names && i < bytes / sizeof *rows; i++) {
		void **slot = (void **)(map->l_addr + rows[i].r_offset);
		size_t symbol = ELF64_R_SYM(rows[i].r_info);

		if (SLOT_TYPE(ELF64_R_TYPE(rows[i].r_info)) &&
		    !strcmp(names + symbols[symbol].st_name, name) && leads_to(map, *slot, real))
			write_slot(map, slot, own);
	}
}

static void redirect(const struct link_map *map, const char *name, const void *real, void *own)
{
	redirect_table(map, dynamic_address(map, DT_RELA), dynamic(map, DT_RELASZ), name, real,
		       own);
	if (dynamic(map, DT_PLTREL) == DT_RELA)
		redirect_table(map, dynamic_address(map, DT_JMPREL), dynamic(map, DT_PLTRELSZ),
			       name, real, own);
}

/* "... MAX_THREADS=64": what the library was built for; 0: for one. */
static unsigned threads_built_for(const char *config)
{
	const char *number = strstr(config, "MAX_THREADS=");

	return number ? (unsigned)strtoul(number + strlen("MAX_THREADS="), NULL, 10) : 0;
}

/* First what gives buffers back: those that it does not keep it passes on. */
static void redirect_both(const struct link_map *map)
{
	redirect(map, GIVE, (const void *)pool_give, (void *)give_buffer);
	redirect(map, TAKE, (const void *)pool_take, (void *)take_buffer);
}

/* Routines may lie in one object and the pool in another: Debian's libblas.so.3 calls libopenblas.so.0. */
static void keep_in(void *library)
{
	const char *(*config)(void) =
		(const char *(*)(void))dlsym_real(library, "openblas_get_config");
	take_function take = (take_function)dlsym_real(library, TAKE);
	give_function give = (give_function)dlsym_real(library, GIVE);
	struct link_map *map = NULL, *defines = NULL;
	Dl_info info;

	if (!config || !take || !give || (pool_take && pool_take != take) ||
	    dlinfo(library, RTLD_DI_LINKMAP, &map) ||
	    !dladdr1((void *)take, &info, (void **)&defines, RTLD_DL_LINKMAP))
		return;
	if (!pool_take) {
		kept_max = threads_built_for(config()) / 2;
		pool_give = give;
		pool_take = take;
	}
	redirect_both(defines);
	if (map != defines)
		redirect_both(map);
}

void buffers_keep(const char *path)
{
	void *library = shim_session.units ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;

	if (!library)
		return;
	keep_in(library);
	dlclose(library);
}
