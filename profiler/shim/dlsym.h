/* dlsym.h: answers programs that look BLAS routines up themselves, and keeps the loader's own
 * answer at hand. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_DLSYM_H
#define SHIM_DLSYM_H

#include "shim/door.h"

#pragma GCC visibility push(hidden)

/* The loader's own dlsym(), or the one of a preload library that comes later. */
void *dlsym_real(void *handle, const char *name);
/* The C library's own function of a name of <dlfcn.h>; NULL: this library is not relocated yet. */
void *dlsym_versioned(const char *name);

/* doors32.c, doors64.c: the slot of one set of bound wrappers for the id's routine and convention,
 * and its wrapper. */
struct bound *bound_find_32(unsigned id, int set, void **wrapper);
struct bound *bound_find_64(unsigned id, int set, void **wrapper);

/* plain.c: 1 where the function of a name without underscore is a Fortran BLAS routine, and not
 * something else that has the same name. */
int plain_is_blas(void *function, const char *name);
/* doors32.c: the wrapper behind the plain name of routine `base`. */
void *plain_wrapper(size_t base);

#pragma GCC visibility pop

#endif
