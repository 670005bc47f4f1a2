/* dlsym.h: look-ups of functions, by the program and by this library itself. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_DLSYM_H
#define SHIM_DLSYM_H

#include "shim/call.h"

#define EXPORT __attribute__((visibility("default")))
/* NEXT(name) is the function that a call would reach without this library. A constructor looks it
 * up, since the first call may be in a signal handler that has interrupted the loader. */
#define FIND_AT_START(name)                                                                        \
	static void *next_##name;                                                                  \
	static __attribute__((constructor)) void find_##name(void)                                 \
	{                                                                                          \
		dlsym_next(&next_##name, #name);                                                   \
	}
#define NEXT(name) ((__typeof__(&name))dlsym_next(&next_##name, #name))

#pragma GCC visibility push(hidden)

/* Calls the loader's own dlsym(), or that of a library that was preloaded after this one. */
void *dlsym_real(void *handle, const char *name);
/* Returns the C library's function of this name, or that of a library that was preloaded after this
 * one, and keeps it in *real. */
void *dlsym_next(void **real, const char *name);
/* Returns the handle of an object that is loaded, which is its link map in glibc; of the program if
 * path is NULL. Returns NULL once destructors run, too. NULL may be closed, too. Uses the C
 * library's own dlopen() and dlclose(), since other preloaded libraries may report these calls to
 * the program. */
struct link_map *loader_open(const char *path);
void loader_close(void *handle);

/* Called before and after look-ups of this library, so that dlerror() does not report them to the
 * program. An error for which the program has not asked yet is kept. Calls may be nested. */
void dlerror_save(void);
void dlerror_restore(void);

/* Returns where the function is stored for which dlsym() returned the entry; NULL if the entry is
 * that of an exported name. */
void **dlsym_bound_slot(const struct entry *entry);
/* Forgets that function if it was unloaded. */
void dlsym_forget(struct entry *entry, int (*is_gone)(const void *));

/* plain.c: returns 1 if the function of a name without underscore is a Fortran BLAS routine, and
 * not something else of the same name. */
int plain_is_blas(void *function, const char *name);

#pragma GCC visibility pop

#endif
