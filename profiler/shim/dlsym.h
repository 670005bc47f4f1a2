/* dlsym.h: answers programs that look BLAS routines up themselves, and keeps the loader's own
 * answer at hand. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_DLSYM_H
#define SHIM_DLSYM_H

#include "shim/call.h"

#pragma GCC visibility push(hidden)

/* The loader's own dlsym(), or the one of a preload library that comes later. */
void *dlsym_real(void *handle, const char *name);
/* The C library's own function of a name of <dlfcn.h>; NULL: this library is not relocated yet. */
void *dlsym_versioned(const char *name);
/* A handle of an object that is loaded, NULL for the program; by the C library's own dlopen() and
 * dlclose(): other preload libraries may tell the program what is opened and closed. */
void *loader_open(const char *path);
void loader_close(void *handle);

/* Where this library begins in memory. */
const void *own_base(void);

/* Where the function is that dlsym() gave the entry for; NULL: it is that of an exported name. */
void **dlsym_bound_slot(const struct entry *entry);

/* plain.c: 1 where the function of a name without underscore is a Fortran BLAS routine, and not
 * something else that has the same name. */
int plain_is_blas(void *function, const char *name);

#pragma GCC visibility pop

#endif
