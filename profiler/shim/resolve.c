/* resolve.c: finds the function that a call would have reached without the shim, in the loader's
 * own order. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "shim/signal_guard.h"
#include "shim/dlsym.h"
#include "shim/objects.h"
#include "base/early.h"
#include "base/text.h"

struct known_caller callers[CALLER_SLOTS];
static int has_callers; /* 0: the table is empty, and reading it would map its 64 pages */

/* The names from KEY_MPI on. */
static const char *const other_names[] = {
#define MPI_CALL(name, fortran, words) "MPI_" #name,
#include "blas/mpi.def"
#define MPI_CALL(name, fortran, words) "mpi_" #fortran "_",
#include "blas/mpi.def"
	"dnnl_primitive_execute",
	"dnnl_primitive_destroy",
};

static EARLY int is_same(const char *name, const char *other)
{
	for (; *name && *name == *other; name++)
		other++;
	return *name == *other;
}

static const char *key_name(size_t key, char text[ROUTINE_NAME_MAX])
{
	return key < KEY_MPI ? routine_name(key, text) : other_names[key - KEY_MPI];
}

/* The name may be any that the program looks up, at any time. */
EARLY size_t resolve_find(const char *name)
{
	size_t key = routine_find(name);

	if (key < KEY_MPI)
		return key;
	if (*name != 'M' && *name != 'm' && *name != 'd')
		return KEY_FOUND;
	while (key < KEY_FOUND && !is_same(name, other_names[key - KEY_MPI]))
		key++;
	return key;
}

int resolve_note(const void *function)
{
	struct process_header *header;
	struct object object;
	size_t i;

	if (wall_stands() || !process_attached() || !object_find(function, &object))
		return 0;
	header = shim_process->header;
	process_lock();
	for (i = 0; i < PROVIDERS_MAX && header->providers[i][0]; i++)
		if (!strncmp(header->providers[i], object.name, sizeof header->providers[i] - 1))
			break;
	if (i < PROVIDERS_MAX && !header->providers[i][0]) {
		TEXT_COPY(header->providers[i], object.name);
		__atomic_or_fetch(&shim_process->undescribed, 1u << i, __ATOMIC_RELAXED);
	}
	process_unlock();
	blas_describe();
	return 1;
}

/* Returns the function of that name in the scope of a loaded object, but not one of this library.
 */
static void *symbol_in(const char *path, const char *name)
{
	void *object = loader_open(path);
	void *function = object ? dlsym_real(object, name) : NULL;

	loader_close(object);
	return function && object_is_own(function) ? NULL : function;
}

void *resolve_in_scope(const char *name, const void *caller)
{
	void *function = objects_scoped_symbol(name, caller);
	struct object object;

	if (!function && object_find(caller, &object) && !object.was_at_start)
		function = symbol_in(object.name, name);
	return function;
}

/* Ends the program with the loader's message for a call of a function that nothing defines. */
static _Noreturn void resolve_fail(const char *name)
{
	char line[160], *end = line + sizeof line;
	char *at = text_add(line, end, "symbol lookup error: undefined symbol: ");

	at = text_add(text_add(at, end, name), end, "\n");
	if (write(STDERR_FILENO, line, (size_t)(at - line)) < 0)
		_exit(127);
	_exit(127);
}

/* Returns a hash of the place and the path of the object that contains the address; 0: of none. If
 * both are the same after it was unloaded and loaded again, so are its functions. What was loaded
 * with the program needs no path: that of the program itself may change. */
static uint64_t object_hash(const void *address)
{
	struct object object;
	uint64_t hash = 0;

	if (!object_find(address, &object))
		return 0;
	for (const char *c = object.was_at_start ? "" : object.name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	return (hash ^ (object.base >> 12) * 0x9e3779b97f4a7c15ull) | 1;
}

/* Returns the function in the slot, or NULL unless it is for this key (0: for any) and the caller's
 * object is that of this hash. The caller runs, so that both objects are loaded if the slot is not
 * out of date. */
static void *function_for(const struct known_caller *slot, uint64_t key, uint64_t caller_object)
{
	uint64_t number = __atomic_load_n(&slot->number, __ATOMIC_ACQUIRE);
	uint64_t found = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);
	void *function = __atomic_load_n(&slot->function, __ATOMIC_ACQUIRE);
	uint64_t of_caller = __atomic_load_n(&slot->caller_object, __ATOMIC_ACQUIRE);
	uint64_t of_function = __atomic_load_n(&slot->function_object, __ATOMIC_ACQUIRE);

	if (!found || (key && found != key) || of_caller != caller_object || !function ||
	    function == CALLER_GONE || object_hash(function) != of_function)
		return NULL;
	if (__atomic_load_n(&slot->key, __ATOMIC_ACQUIRE) != found ||
	    __atomic_load_n(&slot->number, __ATOMIC_ACQUIRE) != number)
		return NULL;
	return function;
}

void *resolve_known(size_t routine, const void *caller)
{
	uint64_t tag = caller_tag(routine, caller);
	size_t slot = caller_slot(tag);
	void *function, *checked;

	for (size_t tried = 0; tried < CALLER_SLOTS; tried++) {
		if (caller_is(&callers[slot], tag, &function))
			return function;
		checked = __atomic_load_n(&callers[slot].key, __ATOMIC_ACQUIRE) == tag
				  ? function_for(&callers[slot], tag, object_hash(caller))
				  : NULL;
		if (checked)
			return checked;
		if (!function)
			return NULL;
		slot = (slot + 1) % CALLER_SLOTS;
	}
	return NULL;
}

/* Returns the slot's routine, or more than any while there is none. */
static uint64_t routine_in(const struct known_caller *slot)
{
	uint64_t key = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);

	return key ? key % (1 << TAG_ROUTINE_BITS) : UINT64_MAX;
}

/* Returns the function that was found for another caller in the same object, or NULL. The loader
 * binds an object once. Sets *is_scoped to 1 if the function depends on the object. */
static void *known_for_object(size_t routine, const void *caller, int *is_scoped)
{
	uint64_t caller_object = object_hash(caller);

	if (!__atomic_load_n(&has_callers, __ATOMIC_ACQUIRE))
		return NULL;
	for (size_t slot = 0; slot < CALLER_SLOTS; slot++) {
		void *function = __atomic_load_n(&callers[slot].function, __ATOMIC_ACQUIRE);

		if (!function || function == CALLER_GONE || routine_in(&callers[slot]) != routine)
			continue;
		*is_scoped = 1;
		function = caller_object ? function_for(&callers[slot], 0, caller_object) : NULL;
		if (function && routine_in(&callers[slot]) == routine)
			return function;
	}
	return NULL;
}

static unsigned closing; /* dlclose() calls that run. A child that was forked meanwhile keeps it */

void resolve_remember(size_t routine, const void *caller, void *function)
{
	static uint64_t remembered;
	uint64_t tag = caller_tag(routine, caller);
	size_t slot = caller_slot(tag), tried = 0;
	uint64_t caller_object = object_hash(caller), function_object = object_hash(function);

	pthread_mutex_lock(&shim_process->lookups_lock);
	for (; tried < CALLER_SLOTS && callers[slot].function &&
	       (callers[slot].function != CALLER_GONE || callers[slot].held);
	     tried++)
		slot = (slot + 1) % CALLER_SLOTS;
	if (tried < CALLER_SLOTS) {
		struct known_caller *row = &callers[slot];

		__atomic_store_n(&row->caller, caller, __ATOMIC_RELEASE);
		__atomic_store_n(&row->caller_object, caller_object, __ATOMIC_RELEASE);
		__atomic_store_n(&row->function_object, function_object, __ATOMIC_RELEASE);
		__atomic_store_n(&row->function, function, __ATOMIC_RELEASE);
		__atomic_store_n(&row->number, ++remembered, __ATOMIC_RELEASE);
		__atomic_store_n(&row->key, tag, __ATOMIC_RELEASE);
		__atomic_store_n(&row->tag, closing ? 0 : tag, __ATOMIC_RELEASE);
		__atomic_store_n(&has_callers, 1, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&shim_process->lookups_lock);
}

/* Sets the tags if the number was 0 or has become 0. */
void resolve_closing(int more)
{
	unsigned was;

	GUARD_SIGNALS;
	pthread_mutex_lock(&shim_process->lookups_lock);
	was = closing;
	closing += (unsigned)more;
	if (!was || !closing)
		call_sites_pause(more > 0);
	for (size_t slot = 0; has_callers && (!was || !closing) && slot < CALLER_SLOTS; slot++)
		if (callers[slot].key)
			__atomic_store_n(&callers[slot].tag, closing ? 0 : callers[slot].key,
					 __ATOMIC_RELEASE);
	pthread_mutex_unlock(&shim_process->lookups_lock);
}

static int is_gone(const void *address)
{
	struct object object;

	return address && address != CALLER_GONE && !object_find(address, &object);
}

/* Returns 1 if the objects of the caller and the function are those that they were. Only if no
 * object is unloaded meanwhile. */
static int is_up_to_date(const struct known_caller *row, const void *function)
{
	uint64_t caller_object = object_hash(row->caller);

	return caller_object && caller_object == row->caller_object &&
	       object_hash(function) == row->function_object && !is_gone(function);
}

/* No object is unloaded meanwhile. */
static int forget_callers(struct dl_phdr_info *info, size_t bytes, void *data)
{
	for (struct known_caller *row = callers; row < callers + CALLER_SLOTS; row++) {
		uint64_t number = __atomic_load_n(&row->number, __ATOMIC_ACQUIRE);
		void *function = __atomic_load_n(&row->function, __ATOMIC_ACQUIRE);

		/* plain.c judges by what was unloaded anew. Not under lookups_lock: object_find()
		 * may take the loader's lock, whose holder may wait for lookups_lock */
		if (!function || function == CALLER_GONE ||
		    (routine_in(row) < KEYS_END && is_up_to_date(row, function)))
			continue;
		pthread_mutex_lock(&shim_process->lookups_lock);
		if (row->number == number && row->function == function) {
			__atomic_store_n(&row->tag, 0, __ATOMIC_RELEASE);
			__atomic_store_n(&row->key, 0, __ATOMIC_RELEASE);
			__atomic_store_n(&row->function, CALLER_GONE, __ATOMIC_RELEASE);
		}
		pthread_mutex_unlock(&shim_process->lookups_lock);
	}
	return 1;
}

void resolve_forget(void)
{
	struct signal_guard guard;

	signal_guard_begin(&guard);
	if (__atomic_load_n(&has_callers, __ATOMIC_ACQUIRE))
		objects_locked(forget_callers, NULL);
	for (struct entry *entry = blas_entries; entry < &calibration_entry; entry++) {
		void *function = __atomic_load_n(&entry->function, __ATOMIC_ACQUIRE);

		dlsym_forget(entry, is_gone);
		if (is_gone(function))
			__atomic_compare_exchange_n(&entry->function, &function, NULL, 0,
						    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	}
	onednn_forget(is_gone);
	itt_forget(is_gone);
	call_sites_forget(is_gone);
	signal_guard_end(&guard);
	for (struct known_caller *row = callers; has_callers && row < callers + CALLER_SLOTS; row++)
		if (__atomic_load_n(&row->function, __ATOMIC_ACQUIRE) == CALLER_GONE)
			loader_close(__atomic_exchange_n(&row->held, NULL, __ATOMIC_ACQ_REL));
}

/* Returns what a call of this name by `caller` would reach without this library, or NULL. Takes no
 * lock of the loader's if the caller runs (is_called 1), unless several libraries that were opened
 * later define the name. *is_scoped is set to 1 if other callers may reach something else. */
static void *resolve_next(const char *name, const void *caller, int is_called, int *is_scoped)
{
	void *function = objects_symbol(name, caller, is_called, is_scoped);
	struct link_map *self;
	struct object object;

	if (function)
		return function;
	dlerror_save();
	function = dlsym_real(RTLD_NEXT, name);
	*is_scoped = !object_find(function, &object) || !object.was_at_start;
	if (!function)
		function = resolve_in_scope(name, caller);
	/* the caller's object may have been loaded by another one's dlopen(): looks in the scopes
	 * of all objects in load order */
	self = function ? NULL : loader_open(NULL);
	for (const struct link_map *map = self; map && !function; map = map->l_next)
		if (map->l_name[0])
			function = symbol_in(map->l_name, name);
	loader_close(self);
	dlerror_restore();
	return function;
}

void *resolve_name(const char *name, const void *caller)
{
	size_t key = resolve_find(name);
	void *function = NULL;
	int is_scoped;

	GUARD_SIGNALS;
	if (key < KEY_FOUND)
		function = known_for_object(key, caller, &is_scoped);
	if (!function)
		function = resolve_next(name, caller, 1, &is_scoped);
	return function;
}

/* Finds what a call of the name with this number by `caller` would reach without this library, but
 * ends the program if there is none. Stores it in *global if it is the same for all callers; else
 * remembers it for this one, since the caller's object is not bound to a library that is opened
 * globally later. */
static void *resolve_key(size_t key, const void *caller, void **global)
{
	char text[ROUTINE_NAME_MAX];
	const char *name = key_name(key, text);
	int is_scoped = 0, is_of_scope;
	void *function = known_for_object(key, caller, &is_scoped);

	if (!function) {
		function = resolve_next(name, caller, 1, &is_of_scope);
		is_scoped |= is_of_scope;
		if (!function)
			resolve_fail(name);
	}
	if (is_scoped)
		resolve_remember(key, caller, function);
	else
		__atomic_store_n(global, function, __ATOMIC_RELEASE);
	return function;
}

void *resolve_other(size_t key, const void *caller, void **global)
{
	void *function = resolve_known(key, caller);

	if (likely(function != NULL))
		return function;
	GUARD_SIGNALS;
	function = resolve_key(key, caller, global);
	return function;
}

/* Remembers what the object is bound to, unless only the loader can tell. It is not asked here: a
 * thread that opens an object holds another lock of the loader's, and waits for this one. */
static int remember_binding(struct binding *binding)
{
	char name[ROUTINE_NAME_MAX];
	int is_scoped;
	void *function;

	if ((binding->id < KEY_MPI && entry_of(binding->id)->function) ||
	    known_for_object(binding->id, binding->place, &is_scoped))
		return 1;
	function = objects_symbol(key_name(binding->id, name), binding->place, 0, &is_scoped);
	if (function && is_scoped)
		resolve_remember(binding->id, binding->place, function);
	return function != NULL;
}

/* The same by the loader. Keeps the object loaded, which another thread may close. */
static void ask_for_binding(const struct binding *binding)
{
	struct link_map *held = loader_open(binding->path);
	void *function;
	char name[ROUTINE_NAME_MAX];
	int is_scoped;

	if (held && (const void *)held->l_addr == binding->base) {
		function = resolve_next(key_name(binding->id, name), binding->place, 0, &is_scoped);
		if (function && is_scoped)
			resolve_remember(binding->id, binding->place, function);
	}
	loader_close(held);
}

void resolve_bound(void)
{
	struct binding binding = {.find = resolve_find, .end = KEY_FOUND, .use = remember_binding};
	GUARD_SIGNALS;

	session_start(); /* another library's constructor may open one */
	while (objects_next_binding(&binding)) {
		dlerror_save();
		ask_for_binding(&binding);
		dlerror_restore();
	}
}

/* A function that is to stay loaded: its slot, and the path of its object. */
struct to_hold {
	const struct known_caller *slot;
	void *function;
	char path[PATH_MAX];
};

/* No object is unloaded meanwhile. What is linked with its user would be held for ever. */
static int must_hold(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct to_hold *hold = data;
	struct object object, user;

	if (!is_up_to_date(hold->slot, hold->function) || !object_find(hold->function, &object) ||
	    object.was_at_start || !object_find(hold->slot->caller, &user) ||
	    object_is_linked(&object, &user, info))
		return -1;
	TEXT_COPY(hold->path, object.name);
	return 1;
}

void resolve_hold(void)
{
	resolve_bound();
	if (!__atomic_load_n(&has_callers, __ATOMIC_ACQUIRE))
		return;
	GUARD_SIGNALS;
	for (struct known_caller *row = callers; row < callers + CALLER_SLOTS; row++) {
		uint64_t number = __atomic_load_n(&row->number, __ATOMIC_ACQUIRE);
		void *function = __atomic_load_n(&row->function, __ATOMIC_ACQUIRE), *held;
		struct to_hold hold;

		if (!function || function == CALLER_GONE || row->held ||
		    routine_in(row) >= KEYS_END)
			continue;
		hold.slot = row;
		hold.function = function;
		if (objects_locked(must_hold, &hold) < 0)
			continue;
		held = loader_open(hold.path); /* not under lookups_lock, as above */
		pthread_mutex_lock(&shim_process->lookups_lock);
		if (row->number == number && row->function == function && !row->held) {
			row->held = held;
			held = NULL;
		}
		pthread_mutex_unlock(&shim_process->lookups_lock);
		loader_close(held);
	}
}

/* Finds the function of an entry: the one that dlsym() returned for it, or that of its name. */
static __attribute__((noinline)) void *resolve_first(struct entry *entry, const void *caller)
{
	void **bound = dlsym_bound_slot(entry), *function;
	GUARD_SIGNALS;

	session_start(); /* another library's constructor may call before that of this one ran */
	if (!process_token())
		thread_attach(0); /* the library can only be noted in a record */
	function = bound ? __atomic_load_n(bound, __ATOMIC_ACQUIRE) : NULL;
	if (!function) {
		function = resolve_key(entry->id, caller, &entry->function);
		resolve_note(function);
	} else if (resolve_note(function)) { /* it was not noted when dlsym() returned it */
		__atomic_store_n(&entry->function, function, __ATOMIC_RELEASE);
	}
	return function;
}

void *resolve_entry(struct entry *entry, const void *caller)
{
	void *function = entry->is_bound ? NULL : resolve_known(entry->id, caller);

	return likely(function != NULL) ? function : resolve_first(entry, caller);
}
