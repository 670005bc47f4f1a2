/* resolve.c: finds the function that a call would have reached without the shim, in the loader's
 * own order. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/call.h"
#include "shim/signal_guard.h"
#include "shim/dlerror.h"
#include "shim/dlsym.h"
#include "shim/objects.h"
#include "blas/routines.h"
#include "base/text.h"

#define CALLER_SLOTS 1024 /* call sites whose routine is found by their own object's scope */
#define GONE	     ((void *)1)

static struct {
	const void *caller, *object; /* the object that calls */
	uint64_t routine;
	void *function; /* NULL: free, and so are all that follow; GONE: its object was unloaded */
} callers[CALLER_SLOTS];

int resolve_note(const void *function)
{
	struct process_header *header;
	struct object object;
	size_t i;

	if (!process_attached() || !object_find(function, &object))
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

/* dlopen() takes some kilobytes of stack, which a thread may not have left at its first call. */
void resolve_hold(const void *function)
{
	struct object object;

	if (object_find(function, &object) && !object.was_at_start)
		loader_open(object.name);
}

static void *symbol_in(const char *path, const char *name)
{
	void *object = loader_open(path);
	void *function = object ? dlsym_real(object, name) : NULL;
	Dl_info ours, theirs;

	if (object)
		loader_close(object);
	if (function && dladdr(function, &theirs) && dladdr(blas_entries, &ours) &&
	    theirs.dli_fbase == ours.dli_fbase)
		return NULL;
	return function;
}

void *resolve_in_scope(const char *name, const void *caller)
{
	Dl_info info;
	struct link_map *map = NULL;

	if (dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) && map && map->l_name[0])
		return symbol_in(map->l_name, name);
	return NULL;
}

/* The scope of the object that calls: itself and what it was linked with; failing that, any object
 * that has the routine, in load order (an object that was brought in by another's dlopen). */
static void *symbol_in_scopes(const char *name, const void *caller)
{
	struct link_map *map = NULL;
	void *function = resolve_in_scope(name, caller), *self;

	self = function ? NULL : loader_open(NULL);
	if (self) {
		for (dlinfo(self, RTLD_DI_LINKMAP, &map); map && !function; map = map->l_next)
			if (map->l_name[0])
				function = symbol_in(map->l_name, name);
		loader_close(self);
	}
	return function;
}

void resolve_fail(const char *name)
{
	char line[160], *end = line + sizeof line;
	char *at = text_add(line, end, "symbol lookup error: undefined symbol: ");

	at = text_add(text_add(at, end, name), end, "\n");
	if (write(STDERR_FILENO, line, (size_t)(at - line)) < 0)
		_exit(127);
	_exit(127);
}

static size_t caller_slot(size_t routine, const void *caller)
{
	return ((uintptr_t)caller ^ routine * 0x9e3779b9u) % CALLER_SLOTS;
}

/* What was found for the caller before; NULL: not looked for yet. */
static void *known_for_caller(size_t routine, const void *caller)
{
	size_t slot = caller_slot(routine, caller);

	for (size_t tried = 0; tried < CALLER_SLOTS; tried++, slot = (slot + 1) % CALLER_SLOTS) {
		void *function = __atomic_load_n(&callers[slot].function, __ATOMIC_ACQUIRE);

		if (!function)
			return NULL;
		/* another thread may be putting something else here: the function changes first */
		if (function != GONE &&
		    __atomic_load_n(&callers[slot].caller, __ATOMIC_ACQUIRE) == caller &&
		    __atomic_load_n(&callers[slot].routine, __ATOMIC_ACQUIRE) == routine &&
		    __atomic_load_n(&callers[slot].function, __ATOMIC_ACQUIRE) == function)
			return function;
	}
	return NULL;
}

/* The loader binds an object once: what another place of it was given. *is_scoped: some object was
 * given a function of its own scope. */
static void *known_for_object(size_t routine, const void *object, int *is_scoped)
{
	for (size_t slot = 0; slot < CALLER_SLOTS; slot++) {
		void *function = __atomic_load_n(&callers[slot].function, __ATOMIC_ACQUIRE);

		if (!function || function == GONE || callers[slot].routine != routine)
			continue;
		*is_scoped = 1;
		if (object && callers[slot].object == object)
			return function;
	}
	return NULL;
}

static void remember(size_t routine, const void *caller, const void *object, void *function)
{
	size_t slot = caller_slot(routine, caller), tried = 0;

	pthread_mutex_lock(&shim_process->lookups_lock);
	for (; tried < CALLER_SLOTS && callers[slot].function && callers[slot].function != GONE;
	     tried++)
		slot = (slot + 1) % CALLER_SLOTS;
	if (tried < CALLER_SLOTS) {
		__atomic_store_n(&callers[slot].caller, caller, __ATOMIC_RELEASE);
		callers[slot].object = object;
		__atomic_store_n(&callers[slot].routine, routine, __ATOMIC_RELEASE);
		__atomic_store_n(&callers[slot].function, function, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&shim_process->lookups_lock);
}

static int is_gone(const void *address)
{
	Dl_info info;

	return address && address != GONE && !dladdr(address, &info);
}

/* dladdr() takes the loader's lock, whose holder may wait for lookups_lock: so not inside that. */
static void forget_caller(size_t slot)
{
	const void *caller = __atomic_load_n(&callers[slot].caller, __ATOMIC_ACQUIRE);
	void *function = __atomic_load_n(&callers[slot].function, __ATOMIC_ACQUIRE);

	if (!is_gone(function) && !is_gone(caller))
		return;
	pthread_mutex_lock(&shim_process->lookups_lock);
	if (callers[slot].function == function && callers[slot].caller == caller)
		__atomic_store_n(&callers[slot].function, GONE, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&shim_process->lookups_lock);
}

void resolve_forget(void)
{
	struct signal_guard guard;
	void **bound;

	signal_guard_begin(&guard);
	for (size_t slot = 0; slot < CALLER_SLOTS; slot++)
		if (__atomic_load_n(&callers[slot].function, __ATOMIC_ACQUIRE))
			forget_caller(slot);
	for (struct entry *entry = blas_entries; entry < &calibration_entry; entry++) {
		void *function = __atomic_load_n(&entry->function, __ATOMIC_ACQUIRE);

		bound = dlsym_bound_slot(entry);
		if (bound && is_gone(*bound))
			__atomic_store_n(bound, NULL, __ATOMIC_RELEASE);
		if (is_gone(function))
			__atomic_compare_exchange_n(&entry->function, &function, NULL, 0,
						    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	}
	mpi_forget(is_gone);
	onednn_forget(is_gone);
	itt_forget(is_gone);
	signal_guard_end(&guard);
}

/* A function that dlsym() gave: noted as a provider at its first call. */
static void *note_bound(struct entry *entry)
{
	void **bound = dlsym_bound_slot(entry);
	void *function = bound ? __atomic_load_n(bound, __ATOMIC_ACQUIRE) : NULL;

	if (function && resolve_note(function))
		__atomic_store_n(&entry->function, function, __ATOMIC_RELEASE);
	return function;
}

void *resolve_next(const char *name, const void *caller, int *is_scoped)
{
	void *function = objects_symbol(name, caller, is_scoped);

	if (function)
		return function;
	dlerror_save();
	function = dlsym_real(RTLD_NEXT, name);
	*is_scoped = !function;
	if (!function)
		function = symbol_in_scopes(name, caller);
	dlerror_restore();
	return function;
}

/* One answer for all callers, unless an object has its own: a library that is opened for all later
 * is not what that one is bound to. */
static void *find_function(struct entry *entry, const void *caller)
{
	char name[ROUTINE_NAME_MAX];
	void *function = note_bound(entry);
	struct object object;
	const void *base;
	int is_scoped = 0;

	if (function)
		return function;
	base = object_find(caller, &object) ? (const void *)object.base : NULL;
	function = known_for_object(entry->id, base, &is_scoped);
	if (!function) {
		int is_of_scope;

		function = resolve_next(routine_name(entry->id, name), caller, &is_of_scope);
		is_scoped |= is_of_scope;
		if (!function)
			resolve_fail(name);
		resolve_note(function);
	}
	if (is_scoped)
		remember(entry->id, caller, base, function);
	else
		__atomic_store_n(&entry->function, function, __ATOMIC_RELEASE);
	return function;
}

static __attribute__((noinline)) void *resolve_first(struct entry *entry, const void *caller)
{
	int saved = errno;
	struct signal_guard guard;
	void *function;

	session_start(); /* a constructor may call before this library's ran */
	if (!process_token())
		thread_attach_ahead(); /* or the first call's library would be noted nowhere */
	signal_guard_begin(&guard);
	function = find_function(entry, caller);
	signal_guard_end(&guard);
	errno = saved;
	return function;
}

void *resolve_entry(struct entry *entry, const void *caller)
{
	void *function = known_for_caller(entry->id, caller);

	return likely(function != NULL) ? function : resolve_first(entry, caller);
}
