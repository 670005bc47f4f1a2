/* objects.c: the loaded objects and their symbols, without the loader's lock. */
/* SPDX-License-Identifier: MIT
 *
 * The objects that were loaded with the program are never unloaded, so their list is read directly.
 * Once there are others, it is read inside dl_iterate_phdr(). The lock that it takes is not held
 * while constructors run, but while the list changes, and while the program is in that function.
 */
#include "shim/objects.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#if __has_include(<sys/ifunc.h>)
#include <sys/auxv.h>
#include <sys/ifunc.h>
#endif

#include "shim/shim.h"
#include "wire/files.h"
#include "base/early.h"
#include "base/text.h"
#include "blas/routines.h"

#define SCOPE_MAX 256 /* objects in which a search for linked objects looks */

static struct object own; /* this library; its base is 0 until the constructor has run */
/* by the linker: where this library begins and ends */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
static const struct link_map *last_at_start;
#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35: takes no lock */
static __typeof__(_dl_find_object) *find_object;
#endif

static const char *path_of(const char *name)
{
	return *name ? name : program_invocation_name;
}

/* What the dynamic section of a loaded object points to; NULL or 0 for what it does not have. */
struct symbols {
	const ElfW(Sym) * table;
	const char *strings;
	const uint32_t *gnu_hash, *hash;
	const ElfW(Half) * versions;
	const ElfW(Verdef) * defined; /* versions that it defines */
	const ElfW(Verneed) * needed; /* versions to which it refers */
	const ElfW(Rela) * relocations[2];
	size_t nrelocations[2];
};

/* A definition to search for. */
struct wanted {
	const char *name, *version; /* version NULL: the default version */
	int takes_oldest;	    /* 1: a reference without version, which takes the oldest one */
	int has_others;		    /* set to 1 if the name has several versions in one object */
	int is_indirect; /* set if the one that was found is code that chooses it (IFUNC) */
	int is_data;
};

/* The loader adds the base to addresses in most dynamic sections, but not in the vDSO's. */
static const void *address_in(const struct object *object, uintptr_t value)
{
	return (const void *)(value < object->base ? object->base + value : value);
}

static int read_symbols(const struct object *object, struct symbols *symbols)
{
	memset(symbols, 0, sizeof *symbols);
	for (const ElfW(Dyn) *entry = object->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
		const void *address = address_in(object, entry->d_un.d_ptr);

		if (entry->d_tag == DT_SYMTAB)
			symbols->table = address;
		else if (entry->d_tag == DT_STRTAB)
			symbols->strings = address;
		else if (entry->d_tag == DT_GNU_HASH)
			symbols->gnu_hash = address;
		else if (entry->d_tag == DT_HASH)
			symbols->hash = address;
		else if (entry->d_tag == DT_VERSYM)
			symbols->versions = address;
		else if (entry->d_tag == DT_VERDEF)
			symbols->defined = address;
		else if (entry->d_tag == DT_VERNEED)
			symbols->needed = address;
		else if (entry->d_tag == DT_JMPREL || entry->d_tag == DT_RELA)
			symbols->relocations[entry->d_tag == DT_RELA] = address;
		else if (entry->d_tag == DT_PLTRELSZ || entry->d_tag == DT_RELASZ)
			symbols->nrelocations[entry->d_tag == DT_RELASZ] =
				entry->d_un.d_val / sizeof(ElfW(Rela));
	}
	return symbols->table && symbols->strings;
}

static const ElfW(Rela) * relocation_at(const struct symbols *symbols, size_t index)
{
	size_t first = symbols->nrelocations[0];

	return index < first ? &symbols->relocations[0][index]
			     : &symbols->relocations[1][index - first];
}

#define NEXT(at, bytes) ((bytes) ? (const void *)((const char *)(at) + (bytes)) : NULL)

/* Returns the name of the version with this number in the object, or NULL. */
static const char *version_defined(const struct symbols *symbols, unsigned number)
{
	const ElfW(Verdef) *version = symbols->defined;

	while (version && (version->vd_ndx & 0x7fff) != number)
		version = NEXT(version, version->vd_next);
	if (!version || version->vd_flags & VER_FLG_BASE)
		return NULL;
	return symbols->strings + ((const ElfW(Verdaux) *)NEXT(version, version->vd_aux))->vda_name;
}

static const char *version_needed(const struct symbols *symbols, unsigned number)
{
	for (const ElfW(Verneed) *file = symbols->needed; file; file = NEXT(file, file->vn_next))
		for (const ElfW(Vernaux) *version = NEXT(file, file->vn_aux); version;
		     version = NEXT(version, version->vna_next))
			if ((version->vna_other & 0x7fff) == number)
				return symbols->strings + version->vna_name;
	return NULL;
}

#define OLDEST_VERSION 2 /* the number of the first version that an object defines */

/* Returns 2 if this is the definition, 1 if it is unless another one is, or 0. In an object without
 * versions it serves all of them. A reference without version takes the oldest, also if that is
 * hidden, and only then the default version. */
static int fit_of(const struct symbols *symbols, size_t index, struct wanted *wanted)
{
	const ElfW(Sym) *symbol = &symbols->table[index];
	unsigned type = ELF64_ST_TYPE(symbol->st_info);
	const char *version = NULL;
	int is_default = 1, number;

	if (symbol->st_shndx == SHN_UNDEF || !symbol->st_value ||
	    ELF64_ST_BIND(symbol->st_info) == STB_LOCAL ||
	    (wanted->is_data ? type != STT_OBJECT
			     : type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC) ||
	    strcmp(symbols->strings + symbol->st_name, wanted->name) != 0)
		return 0;
	if (symbols->versions) {
		is_default = !(symbols->versions[index] & 0x8000);
		number = symbols->versions[index] & 0x7fff;
		wanted->has_others |= !is_default;
		if (wanted->version)
			version = version_defined(symbols, number);
		else if (wanted->takes_oldest && number <= OLDEST_VERSION)
			return 2;
	}
	if (version)
		return strcmp(version, wanted->version) ? 0 : 2;
	return is_default;
}

/* Returns the index of the definition that fits better; 0 is that of none. */
static size_t better_definition(const struct symbols *symbols, size_t found, size_t index,
				struct wanted *wanted)
{
	return fit_of(symbols, index, wanted) > fit_of(symbols, found, wanted) ? index : found;
}

/* The hash tables are described in the System V ABI and, the newer one, in binutils' bfd/elflink.c.
 */
static size_t find_by_gnu_hash(const struct symbols *symbols, struct wanted *wanted)
{
	uint32_t nbuckets = symbols->gnu_hash[0], first = symbols->gnu_hash[1];
	const uint32_t *buckets = symbols->gnu_hash + 4 +
				  symbols->gnu_hash[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	const uint32_t *chains = buckets + nbuckets;
	uint32_t hash = 5381;
	size_t index, found = 0;

	for (const char *c = wanted->name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	index = nbuckets ? buckets[hash % nbuckets] : 0;
	if (index < first || !index)
		return 0;
	for (;; index++) {
		uint32_t other = chains[index - first];

		if ((other | 1) == (hash | 1))
			found = better_definition(symbols, found, index, wanted);
		if (other & 1)
			return found;
	}
}

static size_t find_by_hash(const struct symbols *symbols, struct wanted *wanted)
{
	uint32_t nbuckets = symbols->hash[0], hash = 0;
	const uint32_t *buckets = symbols->hash + 2, *chains = buckets + nbuckets;
	size_t index, found = 0;

	for (const char *c = wanted->name; *c; c++) {
		hash = (hash << 4) + (unsigned char)*c;
		hash = (hash ^ (hash & 0xf0000000) >> 24) & 0x0fffffff;
	}
	index = nbuckets ? buckets[hash % nbuckets] : 0;
	for (; index; index = chains[index])
		found = better_definition(symbols, found, index, wanted);
	return found;
}

static void *symbol_of(const struct object *object, struct wanted *wanted)
{
	struct symbols symbols;
	size_t index = 0;

	if (read_symbols(object, &symbols)) {
		if (symbols.gnu_hash)
			index = find_by_gnu_hash(&symbols, wanted);
		else if (symbols.hash)
			index = find_by_hash(&symbols, wanted);
	}
	if (!index)
		return NULL;
	wanted->is_indirect = ELF64_ST_TYPE(symbols.table[index].st_info) == STT_GNU_IFUNC;
	return (void *)(object->base + symbols.table[index].st_value);
}

/* Returns what the code of an indirect function (IFUNC) chooses. The loader, too, calls this
 * without a lock when a call binds the function. */
static void *choose_function(void *code)
{
#if defined(__x86_64__)
	return ((void *(*)(void))code)();
#elif defined(_IFUNC_ARG_HWCAP) /* AArch64 */
	__ifunc_arg_t cpu = {sizeof cpu, getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};

	return ((void *(*)(uint64_t, const __ifunc_arg_t *))code)(cpu._hwcap | _IFUNC_ARG_HWCAP,
								  &cpu);
#else
	return NULL;
#endif
}

static struct object object_of(const struct link_map *map)
{
	const struct link_map *at = _r_debug.r_map;

	while (at && at->l_addr != map->l_addr && at != last_at_start)
		at = at->l_next;
	return (struct object){path_of(map->l_name), map->l_addr, map->l_ld,
			       at && at->l_addr == map->l_addr};
}

/* struct r_debug_extended of newer <link.h>: dlmopen() makes several lists. */
struct debug_list {
	struct r_debug list;
	struct debug_list *next;
};

/* Returns the loader's first list, from the program's dynamic section: _r_debug may be a copy in
 * the program, without `next`. */
static const struct debug_list *first_list(void)
{
	const ElfW(Dyn) *entry = _r_debug.r_map ? _r_debug.r_map->l_ld : NULL;

	while (entry && entry->d_tag != DT_NULL && entry->d_tag != DT_DEBUG)
		entry++;
	return entry ? (const struct debug_list *)entry->d_un.d_ptr : NULL;
}

/* Where read_list() stops in this thread, or NULL. */
static __thread const struct link_map *last_to_read __attribute__((tls_model("initial-exec")));

/* Returns 1 in a forked child that has no threads: nothing changes the list meanwhile, and a thread
 * that this process does not have may hold the lock. */
static int is_alone(void)
{
	struct stat threads;
	int alone = 0;
	KEEP_ERRNO;

	if (!shim_process->is_original && !wall_stands())
		alone = !file_status(AT_FDCWD, "/proc/self/task", 0, &threads) &&
			threads.st_nlink == 2 + 1;
	return alone;
}

unsigned objects_closed;

int objects_locked(list_reader *read, void *data)
{
	struct dl_phdr_info info = {.dlpi_adds =
					    __atomic_load_n(&objects_closed, __ATOMIC_RELAXED)};

	if (!is_alone())
		return dl_iterate_phdr(read, data);
	for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next)
		info.dlpi_adds = (info.dlpi_adds + (uintptr_t)map) * 0x9e3779b97f4a7c15ull;
	info.dlpi_subs = info.dlpi_adds;
	return read(&info, sizeof info, data);
}

/* The same, but no lock is taken if only those objects are loaded that never are unloaded: a thread
 * that waits for this one may hold it. Then `info` is NULL. */
static int read_list(list_reader *read, void *data)
{
	const struct debug_list *first = first_list();
	const struct link_map *outer = last_to_read;
	int result, has_others = first && first->list.r_version > 1 && first->next;

	if (last_at_start && !last_at_start->l_next && !has_others) {
		last_to_read = last_at_start;
		result = read(NULL, 0, data);
	} else {
		last_to_read = NULL;
		result = objects_locked(read, data);
	}
	last_to_read = outer;
	return result;
}

static const struct link_map *next_map(const struct link_map *map)
{
	return map == last_to_read ? NULL : map->l_next;
}

static const struct link_map *map_of(uintptr_t base)
{
	const struct link_map *map = _r_debug.r_map;

	while (map && map->l_addr != base)
		map = next_map(map);
	return map;
}

struct walk {
	object_visit *visit;
	void *data;
};

static int visit_all(struct dl_phdr_info *info, size_t bytes, void *data)
{
	const struct walk *walk = data;
	int result = 0;

	for (const struct link_map *map = _r_debug.r_map; map && !result; map = next_map(map)) {
		struct object object = object_of(map);

		result = walk->visit(&object, walk->data);
	}
	return result ? result : -1;
}

int objects_walk(object_visit *visit, void *data)
{
	struct walk walk = {visit, data};
	int result = read_list(visit_all, &walk);

	return result < 0 ? 0 : result;
}

static int find_name(const struct object *object, void *data)
{
	struct object *wanted = data;

	if (strcmp(object->name, wanted->name))
		return 0;
	*wanted = *object;
	return 1;
}

int object_named(const char *name, struct object *object)
{
	object->name = name;
	return objects_walk(find_name, object);
}

struct by_address {
	uintptr_t address;
	struct object *object;
};

static int find_address(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct by_address *wanted = data;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type != PT_LOAD ||
		    wanted->address - info->dlpi_addr - part->p_vaddr >= part->p_memsz)
			continue;
		*wanted->object = object_of(map_of(info->dlpi_addr));
		return 1;
	}
	return 0;
}

int object_find(const void *address, struct object *object)
{
	struct by_address wanted = {(uintptr_t)address, object};

#ifdef DLFO_STRUCT_HAS_EH_DBASE
	if (find_object) {
		struct dl_find_object found;

		if (find_object((void *)address, &found))
			return 0;
		*object = object_of(found.dlfo_link_map);
		return 1;
	}
#endif
	return dl_iterate_phdr(find_address, &wanted);
}

EARLY int object_is_own(const void *address)
{
	return (uintptr_t)address - (uintptr_t)__ehdr_start < (uintptr_t)(_end - __ehdr_start);
}

/* Objects in the order of a search. */
struct search_list {
	const struct link_map *const *maps;
	unsigned count;
};

/* What _rtld_global, which is private to the C library, begins with in all versions of glibc so
 * far: its struct link_namespaces. Each struct link_map has such a list, at the same place; it is
 * empty if the object was only loaded with another one. */
static const struct loader {
	const struct link_map *first;
	unsigned count;
	const struct search_list *global; /* a member of the first map: those that serve all */
} * loader;
#define LINK_MAP_MAX 4096 /* more than the size of the loader's own struct link_map */

#if defined(__x86_64__)
#define IS_BINDING(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#define IS_POINTER(type) ((type) == R_X86_64_64)
#elif defined(__aarch64__)
#define IS_BINDING(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#define IS_POINTER(type) ((type) == R_AARCH64_ABS64)
#endif

/* Returns the function that the loader would find behind this library among the objects that were
 * loaded with the program, and sets *object to the one that has it; NULL if there is none. */
static void *symbol_behind(struct wanted *wanted, struct object *object)
{
	const struct link_map *map = map_of(own.base);
	void *function = NULL;

	for (; !function && map && map != last_at_start && map->l_next; map = map->l_next) {
		*object = object_of(map->l_next);
		function = symbol_of(object, wanted);
	}
	return function;
}

/* C leaves names such as stat and mmap to the program. If it has functions of these names, the
 * loader has bound this library to them, too: binds it to the C library's instead. Memory comes
 * from the program's own functions, since that of strdup() does. */
static void bind_past_program(void)
{
	struct object program = object_of(_r_debug.r_map);
	struct symbols symbols;

	if (!read_symbols(&own, &symbols))
		return;
	for (size_t i = 0; i < symbols.nrelocations[0] + symbols.nrelocations[1]; i++) {
		const ElfW(Rela) *binding = relocation_at(&symbols, i);
		size_t index = ELF64_R_SYM(binding->r_info);
		const ElfW(Sym) *symbol = &symbols.table[index];
		void **place = (void **)(own.base + binding->r_offset), *function;
		struct wanted wanted = {symbols.strings + symbol->st_name};
		struct object object;

		if (!IS_BINDING(ELF64_R_TYPE(binding->r_info)) || symbol->st_shndx != SHN_UNDEF ||
		    !*place || *place != symbol_of(&program, &(struct wanted){wanted.name}) ||
		    !strcmp(wanted.name, "calloc") || !strcmp(wanted.name, "free"))
			continue;
		if (symbols.versions && symbols.needed)
			wanted.version = version_needed(&symbols, symbols.versions[index] & 0x7fff);
		function = symbol_behind(&wanted, &object);
		if (function && !wanted.is_indirect)
			*place = function;
	}
}

/* Before the other constructors, which call functions of the C library. */
static __attribute__((constructor(101))) void find_start(void)
{
	for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
		struct object object = object_of(map);

		if (!loader)
			loader = object_data(&object, "_rtld_global");
#ifdef DLFO_STRUCT_HAS_EH_DBASE
		if (!find_object)
			find_object = symbol_of(&object, &(struct wanted){"_dl_find_object"});
#endif
		if (map->l_ld == _DYNAMIC)
			own = object;
		last_at_start = map;
	}
	bind_past_program();
}

void objects_start(void)
{
	if (!own.base)
		find_start();
}

/* The names under which others may be linked with an object, and what its own refer to. */
struct file_names {
	const char *path, *file, *soname; /* soname: NULL for none */
	const char *strings;
};

static struct file_names names_of(const struct link_map *map)
{
	struct object object = {path_of(map->l_name), map->l_addr, map->l_ld, 0};
	const char *slash = strrchr(object.name, '/');
	struct file_names names = {object.name, slash ? slash + 1 : object.name, NULL, NULL};
	size_t soname = 0;

	for (const ElfW(Dyn) *entry = object.dynamic; entry && entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_SONAME)
			soname = entry->d_un.d_val;
		else if (entry->d_tag == DT_STRTAB)
			names.strings = address_in(&object, entry->d_un.d_ptr);
	if (names.strings && soname)
		names.soname = names.strings + soname;
	return names;
}

static int has_file_name(const struct file_names *names, const char *name)
{
	return !strcmp(names->file, name) || (names->soname && !strcmp(names->soname, name)) ||
	       !strcmp(names->path, name);
}

/* An object and what it is linked with, each once. */
struct scope {
	size_t count;
	int is_whole; /* 0 in a process that was forked while another thread filled it */
	unsigned long long adds, subs; /* dlopen() and dlclose() so far */
	const struct link_map *maps[SCOPE_MAX];
};

static int scope_has(const struct scope *scope, const struct link_map *map)
{
	for (size_t i = 0; i < scope->count; i++)
		if (scope->maps[i] == map)
			return 1;
	return 0;
}

/* Adds the objects that a name in DT_NEEDED may mean, if there is room. */
static void scope_add_file(struct scope *scope, const char *name)
{
	for (const struct link_map *map = _r_debug.r_map; map; map = next_map(map)) {
		struct file_names names = names_of(map);

		if (has_file_name(&names, name) && !scope_has(scope, map) &&
		    scope->count < SCOPE_MAX)
			scope->maps[scope->count++] = map;
	}
}

/* Adds what its objects are linked with, in the order of the loader's search: breadth first. */
static void add_linked(struct scope *scope)
{
	for (size_t i = 0; i < scope->count; i++) {
		const ElfW(Dyn) *entry = scope->maps[i]->l_ld;
		const char *strings = names_of(scope->maps[i]).strings;

		if (scope->maps[i]->l_addr == own.base || !strings)
			continue;
		for (; entry->d_tag != DT_NULL; entry++)
			if (entry->d_tag == DT_NEEDED)
				scope_add_file(scope, strings + entry->d_un.d_val);
	}
}

/* Scopes that are known: many functions are looked for in the same ones, and PyTorch has hundreds
 * of objects. Only used under the loader's lock. */
#define KNOWN_SCOPES	    4

/* Room for a scope on the stack, which may be small, if the loader's lock is not held (info is
 * NULL); else NULL. */
#define UNKNOWN_SCOPE(info) ((info) ? NULL : __builtin_alloca(sizeof(struct scope)))

/* Returns the scope that begins with the object. If the loader's lock is not held (info is NULL),
 * that is *unknown. */
static const struct scope *scope_of(const struct dl_phdr_info *info, const struct link_map *first,
				    struct scope *unknown)
{
	static struct scope known[KNOWN_SCOPES];
	static unsigned next; /* the one to replace */
	struct scope *scope = unknown;

	for (unsigned i = 0; info && i < KNOWN_SCOPES; i++) {
		scope = &known[i];
		if (__atomic_load_n(&scope->is_whole, __ATOMIC_ACQUIRE) &&
		    scope->maps[0] == first && scope->adds == info->dlpi_adds &&
		    scope->subs == info->dlpi_subs)
			return scope;
	}
	if (info) {
		scope = &known[next++ % KNOWN_SCOPES];
		__atomic_store_n(&scope->is_whole, 0, __ATOMIC_SEQ_CST);
		scope->adds = info->dlpi_adds;
		scope->subs = info->dlpi_subs;
	}
	scope->count = 1;
	scope->maps[0] = first;
	add_linked(scope);
	__atomic_store_n(&scope->is_whole, 1, __ATOMIC_RELEASE);
	return scope;
}

int object_is_linked(const struct object *user, const struct object *used,
		     const struct dl_phdr_info *info)
{
	const struct link_map *from = map_of(user->base), *to = map_of(used->base);

	return from && to && scope_has(scope_of(info, from, NULL), to);
}

/* A search for a function. */
struct search {
	uintptr_t base; /* of the object that defines it, or in whose scope it is */
	struct wanted *wanted;
	void *function;
	/* of a search through all objects that were opened later: the last that defines it */
	struct object *object;
	int count; /* of different definitions */
};

static int search_object(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct search *search = data;
	const struct link_map *map = map_of(search->base);
	struct scope *unknown = UNKNOWN_SCOPE(info);
	const struct scope *scope = map ? scope_of(info, map, unknown) : NULL;

	for (size_t i = 0; scope && i < scope->count && !search->function; i++) {
		struct object object = object_of(scope->maps[i]);

		if (object.base != own.base)
			search->function = symbol_of(&object, search->wanted);
	}
	return 1;
}

void *object_symbol(const struct object *object, const char *name)
{
	struct wanted wanted = {.name = name};
	struct search search = {.base = object->base, .wanted = &wanted};

	read_list(search_object, &search);
	return wanted.is_indirect ? NULL : search.function;
}

void *object_data(const struct object *object, const char *name)
{
	return symbol_of(object, &(struct wanted){.name = name, .is_data = 1});
}

/* Returns 1 if the object refers to the name, and sets *version to the version in which it does, if
 * any. The symbols that an object does not define come first in its symbol table: before those in
 * its GNU hash table, or anywhere in the table if it has only the older hash table. Two kinds are
 * found only by relocations: those of an object that defines nothing, whose hash table may be a
 * stand-in, and functions in that table whose addresses a program at a fixed address takes. */
static int find_reference(const struct object *object, const char *name, const char **version)
{
	struct symbols symbols;
	size_t count = 0;

	*version = NULL;
	if (!read_symbols(object, &symbols))
		return 0;
	if (symbols.gnu_hash)
		count = symbols.gnu_hash[1];
	else if (symbols.hash)
		count = symbols.hash[1];
	for (size_t i = 0; i < count + symbols.nrelocations[0] + symbols.nrelocations[1]; i++) {
		size_t index =
			i < count ? i : ELF64_R_SYM(relocation_at(&symbols, i - count)->r_info);

		if (symbols.table[index].st_shndx != SHN_UNDEF ||
		    strcmp(symbols.strings + symbols.table[index].st_name, name) != 0)
			continue;
		if (symbols.versions && symbols.needed)
			*version = version_needed(&symbols, symbols.versions[index] & 0x7fff);
		return 1;
	}
	return 0;
}

static int add_definition(const struct object *object, void *data)
{
	struct search *found = data;
	void *function;

	if (object->was_at_start || object->base == own.base)
		return 0;
	function = symbol_of(object, found->wanted);
	if (function && function != found->function) {
		found->function = function;
		*found->object = *object;
		found->count++;
	}
	return found->count > 1;
}

/* Returns 1 if the loader's lists are where they are expected. */
static int lists_are_known(void)
{
	return loader && loader->first == _r_debug.r_map &&
	       (uintptr_t)loader->global - (uintptr_t)loader->first < LINK_MAP_MAX &&
	       loader->global->maps[0] == loader->first;
}

/* Returns what dlopen() loaded with the object; of the first object, all that serve all callers.
 * Another thread that opens an object may be filling the list, or may free that of the first one:
 * what is read of it is only compared. */
static struct search_list list_of(const struct link_map *map)
{
	size_t place = (size_t)((const char *)loader->global - (const char *)loader->first);
	struct search_list list = *(const struct search_list *)((const char *)map + place);

	return list.maps ? list : (struct search_list){NULL, 0};
}

static int list_has(const struct search_list *list, const struct link_map *map)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->maps[i] == map)
			return 1;
	return 0;
}

/* Searches those of its objects that were opened later, the others have been searched. */
static void search_list(const struct search_list *list, struct search *search)
{
	for (unsigned i = 0; i < list->count && !search->function; i++) {
		const struct link_map *map = next_map(last_at_start);
		struct object object;

		while (map && map != list->maps[i])
			map = next_map(map);
		if (!map)
			continue;
		object = object_of(map);
		search->function = symbol_of(&object, search->wanted);
	}
}

/* Objects that were opened globally serve all callers, before the caller's own scope. */
static int search_global(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct search_list list;

	if (lists_are_known()) {
		list = list_of(loader->first);
		search_list(&list, data);
	}
	return 1;
}

/* The scope of an object are the lists of the dlopen() that loaded it, and then of others that have
 * found it loaded. */
static int search_scope(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct search *search = data;
	const struct link_map *from = map_of(search->base), *map = next_map(last_at_start);

	for (; from && map && lists_are_known() && !search->function; map = next_map(map)) {
		const struct search_list list = list_of(map);

		if (list_has(&list, from))
			search_list(&list, search);
	}
	return 1;
}

static struct wanted wanted_by(const char *name, const void *caller, struct object *from)
{
	struct wanted wanted = {.name = name};

	wanted.takes_oldest = object_find(caller, from) &&
			      find_reference(from, name, &wanted.version) && !wanted.version;
	return wanted;
}

void *objects_scoped_symbol(const char *name, const void *caller)
{
	struct object from = {.was_at_start = 1};
	struct wanted wanted = wanted_by(name, caller, &from);
	struct search search = {.base = from.base, .wanted = &wanted};

	wanted.takes_oldest = 0; /* dlsym() does not */
	if (!from.was_at_start)
		read_list(search_scope, &search);
	return wanted.is_indirect ? NULL : search.function;
}

void *objects_symbol(const char *name, const void *caller, int is_called, int *is_scoped)
{
	struct object from = {.was_at_start = 1}, object;
	struct wanted wanted = wanted_by(name, caller, &from);
	struct search search = {.base = from.base, .wanted = &wanted, .object = &object};
	void *function;

	objects_start(); /* called by a constructor that runs before that of this library */
	function = symbol_behind(&wanted, &object);
	if (!function) {
		objects_walk(add_definition, &search);
		function = search.function;
	}
	if (search.count > 1) {
		search.function = NULL;
		read_list(search_global, &search);
		if (!search.function && !from.was_at_start)
			read_list(search_scope, &search);
		function = search.function;
	}
	if (function && wanted.is_indirect)
		function = is_called ? choose_function(function) : NULL;
	*is_scoped = function && (!object.was_at_start || wanted.has_others);
	return function;
}

EARLY void *objects_next(const char *name)
{
	int is_scoped;

	return own.base ? objects_symbol(name, NULL, 0, &is_scoped) : NULL;
}

/* Returns 1 if a function of the list that begins at `first` is bound to an object after this
 * library, or in another list. Not if it is bound to this library, to one that was preloaded before
 * it and calls it, or, before its first call, to the caller's own code. */
static int leads_past(const struct link_map *first, const struct link_map *caller,
		      uintptr_t function)
{
	const struct link_map *found = NULL;
	int is_after = first != _r_debug.r_map, found_after = 0;

	for (; first; first = next_map(first)) {
		if (first->l_addr <= function && (!found || first->l_addr > found->l_addr)) {
			found = first;
			found_after = is_after;
		}
		is_after |= first->l_addr == own.base;
	}
	return found && found != caller && found->l_addr != own.base && found_after;
}

static int binds_past(const struct link_map *first, const struct link_map *map)
{
	struct object object = {.base = map->l_addr, .dynamic = map->l_ld};
	struct symbols symbols;

	if (object.base == own.base || !read_symbols(&object, &symbols))
		return 0;
	for (size_t i = 0; i < symbols.nrelocations[0] + symbols.nrelocations[1]; i++) {
		const ElfW(Rela) *binding = relocation_at(&symbols, i);
		const ElfW(Sym) *symbol = &symbols.table[ELF64_R_SYM(binding->r_info)];
		const char *name = symbols.strings + symbol->st_name;

		/* Programs have many C++ names, none of which is a name of BLAS. The first call of
		 * routine_find() takes longest, so it comes last. */
		if (IS_BINDING(ELF64_R_TYPE(binding->r_info)) && symbol->st_shndx == SHN_UNDEF &&
		    *name != '_' && symbol_of(&own, &(struct wanted){.name = name}) &&
		    leads_past(first, map, *(uintptr_t *)(object.base + binding->r_offset)) &&
		    routine_exists(routine_find(name)))
			return 1;
	}
	return 0;
}

static int find_bindings(struct dl_phdr_info *info, size_t bytes, void *data)
{
	const struct debug_list *at = first_list();
	int several = at && at->list.r_version > 1;

	for (; at; at = several ? at->next : NULL)
		for (const struct link_map *map = at->list.r_map; map; map = next_map(map))
			if (binds_past(at->list.r_map, map))
				return 1;
	return -1;
}

int objects_bind_past(void)
{
	return read_list(find_bindings, NULL) > 0;
}

/* Fills in *at and returns 1 if the object has bound a name to this library from relocation
 * at->index on, which is moved past it. */
static int find_binding(const struct object *object, struct binding *at)
{
	struct symbols symbols;
	const size_t *counts = symbols.nrelocations;

	if (!read_symbols(object, &symbols))
		return 0;
	while (at->index < counts[0] + counts[1]) {
		const ElfW(Rela) *relocation = relocation_at(&symbols, at->index++);
		unsigned type = ELF64_R_TYPE(relocation->r_info);
		struct wanted wanted = {NULL};
		uintptr_t bound;

		if (!IS_BINDING(type) && !IS_POINTER(type))
			continue;
		/* PyTorch has a million of them: to look at the address takes less time than to
		 * look up the name */
		bound = *(uintptr_t *)(object->base + relocation->r_offset);
		if (bound - own.base >= (uintptr_t)_end - own.base)
			continue;
		wanted.name =
			symbols.strings + symbols.table[ELF64_R_SYM(relocation->r_info)].st_name;
		at->id = at->find(wanted.name);
		if (at->id >= at->end || bound != (uintptr_t)symbol_of(&own, &wanted))
			continue;
		at->base = (const void *)object->base;
		at->place = object->dynamic;
		return 1;
	}
	return 0;
}

/* Returns the map from which on none has been searched, if this many objects were loaded since: the
 * loader adds them at the end of the list. Some of them may be gone, or in another namespace. */
static const struct link_map *first_unsearched(unsigned long long loaded)
{
	const struct link_map *first = last_at_start->l_next, *end = first;

	for (; end && loaded; end = end->l_next)
		loaded--;
	for (; end; end = end->l_next)
		first = first->l_next;
	return first;
}

static int find_next_binding(struct dl_phdr_info *info, size_t bytes, void *data)
{
	static unsigned long long searched; /* of all objects loaded so far */
	struct binding *at = data;

	if (info->dlpi_subs != at->unloaded) { /* the map may be gone */
		at->unloaded = info->dlpi_subs;
		at->map = NULL;
	}
	if (!at->map) {
		at->map = first_unsearched(info->dlpi_adds - searched);
		at->index = 0;
	}
	for (; at->map; at->map = at->map->l_next, at->index = 0) {
		struct object object = {.base = at->map->l_addr, .dynamic = at->map->l_ld};

		while (find_binding(&object, at))
			if (!at->use(at)) {
				TEXT_COPY(at->path, path_of(at->map->l_name));
				return 1;
			}
	}
	searched = info->dlpi_adds;
	return -1;
}

int objects_next_binding(struct binding *binding)
{
	objects_start();
	return objects_locked(find_next_binding, binding) > 0;
}
