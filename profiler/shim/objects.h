/* objects.h: the objects that the loader has loaded, and their symbols, without the loader's lock.
 */
/* SPDX-License-Identifier: MIT
 *
 * dlopen() holds that lock while constructors run, and one of these may wait for a thread that
 * makes its first BLAS call. dlsym(), dladdr() and dlopen() would wait for the lock there; binding
 * a function, which is what the program does without this library, takes none.
 */
#ifndef SHIM_OBJECTS_H
#define SHIM_OBJECTS_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct object {
	const char *name; /* its path; the program's own is argv[0] */
	uintptr_t base;
	const ElfW(Dyn) * dynamic;
	int was_at_start; /* 1: it was loaded with the program, and stays */
};

#pragma GCC visibility push(hidden)

/* The object that an address lies in. Returns 1, or 0: none. */
int object_find(const void *address, struct object *object);
/* The object of this path. Returns 1, or 0: it is not loaded. */
int object_named(const char *name, struct object *object);
/* Calls visit() for each object, the first is number 0, until it returns something else than 0;
 * returns that. The list does not change meanwhile. */
typedef int object_visit(const struct object *object, size_t number, void *data);
int objects_walk(object_visit *visit, void *data);
/* What the object, or failing that what it was linked with, defines by this name, or NULL. A
 * function that the loader would have to choose by running code is not found. */
void *object_symbol(const struct object *object, const char *name);
/* The data, and no function, that the object itself defines by this name, or NULL. */
void *object_data(const struct object *object, const char *name);
/* The function of this name that a call from there reaches without this library, in the version
 * that the caller was linked with: the only one that comes after it and is loaded, or the first of
 * the objects that were loaded with the program. *is_scoped: other callers may reach another. NULL:
 * none, or several that only the loader can choose from. */
void *objects_symbol(const char *name, const void *caller, int *is_scoped);

/* 1 where an object has bound one of these functions, which this library wraps, to another one's:
 * opened with RTLD_DEEPBIND, or by dlmopen(). */
int objects_bind_past(int (*is_wrapped)(const char *name));

#pragma GCC visibility pop

#endif
