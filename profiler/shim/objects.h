/* objects.h: the loaded objects and their symbols, without the loader's lock. */
/* SPDX-License-Identifier: MIT
 *
 * dlopen() holds that lock while constructors run, and a constructor may wait for a thread that
 * makes its first BLAS call. In that thread dlsym(), dladdr() and dlopen() would wait for the lock.
 * Binding a function, as the program does without this library, takes no lock.
 */
#ifndef SHIM_OBJECTS_H
#define SHIM_OBJECTS_H

#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct object {
	const char *name; /* its path; the program's own is argv[0] */
	uintptr_t base;
	const ElfW(Dyn) * dynamic;
	int was_at_start; /* 1: loaded with the program, and never unloaded */
};

#pragma GCC visibility push(hidden)

/* Finds the object that contains an address. Returns 1, or 0 if there is none. */
int object_find(const void *address, struct object *object);
/* Returns 1 if the address is in this library. */
int object_is_own(const void *address);
/* Finds the object of this path. Returns 1, or 0 if it is not loaded. */
int object_named(const char *name, struct object *object);
/* Calls visit() for each object until it returns a value other than 0, and returns that. The list
 * of objects does not change meanwhile. */
typedef int object_visit(const struct object *object, void *data);
int objects_walk(object_visit *visit, void *data);
/* Calls read() once, which returns a value other than 0, and returns that. The list of objects does
 * not change meanwhile. The numbers of objects loaded and unloaded in *info only tell whether it
 * has changed since; the rest of *info is not valid. */
typedef int list_reader(struct dl_phdr_info *info, size_t bytes, void *data);
int objects_locked(list_reader *read, void *data);
/* dlclose() calls that have ended: a later object may be in the place of one that is gone. */
extern unsigned objects_closed;
/* Finds the objects that are loaded with the program, unless the constructor has done so. */
void objects_start(void);
/* Returns 1 if both are one object, or if `user` is linked with `used`, directly or not. For a
 * function that objects_locked() calls with `info`. */
int object_is_linked(const struct object *user, const struct object *used,
		     const struct dl_phdr_info *info);
/* Returns what the object, or else what it was linked with, defines by this name; NULL if nothing
 * does. Does not find an indirect function (IFUNC). */
void *object_symbol(const struct object *object, const char *name);
/* Returns the data, not a function, that the object itself defines by this name, or NULL. */
void *object_data(const struct object *object, const char *name);
/* Returns the function of this name that a call by `caller` would reach without this library, in
 * the version with which the caller was linked: the first one in the objects that were loaded with
 * the program, or, in later objects, the only one, that of an object that was opened globally, or
 * the first in the caller's scope. NULL if there is none, or if only the loader can choose: also
 * for an indirect function (IFUNC) unless is_called is 1. Then the caller runs, so that the objects
 * to which it is bound are relocated, and the function's code can choose. *is_scoped is set to 1 if
 * other callers may reach another one. */
void *objects_symbol(const char *name, const void *caller, int is_called, int *is_scoped);
/* The same for a C function that this library needs itself, in the default version. NULL before the
 * constructor has run, too. */
void *objects_next(const char *name);
/* Likewise with is_called 0, but looks only at the scope of the caller's object: the caller reaches
 * this if no object that was opened globally defines it. */
void *objects_scoped_symbol(const char *name, const void *caller);
/* A routine that is bound to this library by an object that was opened later. `find`, `end` and
 * `use` are the caller's; the rest begins as zeros. */
struct binding {
	size_t (*find)(const char *name); /* names for which it returns less than `end` count */
	size_t end;
	/* Called for each binding; no object is unloaded meanwhile. It may not open or close one.
	 * Returns 0 if more is to be done with the binding later. */
	int (*use)(struct binding *binding);
	size_t id;		    /* what find() returned */
	const void *base;	    /* of that object */
	const void *place;	    /* an address in it */
	const struct link_map *map; /* where the search goes on, and at which relocation */
	size_t index;
	unsigned long long unloaded; /* objects that were unloaded when `map` was found */
	char path[PATH_MAX];	     /* of the object, if use() returned 0: it may be gone now */
};
/* Finds the next binding for which use() returns 0. Returns 0 after the last one. Objects in which
 * all were found are not searched again. */
int objects_next_binding(struct binding *binding);
/* Returns 1 if an object has bound one of the routines that this library wraps to another
 * library's, since it was opened with RTLD_DEEPBIND or by dlmopen(). */
int objects_bind_past(void);

#pragma GCC visibility pop

#endif
