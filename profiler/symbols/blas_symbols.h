/* blas_symbols.h: the BLAS routines that a program holds itself, by its symbols. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_BLAS_SYMBOLS_H
#define SYMBOLS_BLAS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct blas_symbol {
	size_t id;	 /* of the name (blas/routines.h) */
	uint64_t offset; /* of the function in the file */
};

/* The functions of the file that are called as the routine table says, in order of offset; of
 * several names of one function the first. *symbols is the caller's to free. 0, also where there
 * are none; -1 with *err when the file is no object, has no symbols, or memory is out. */
int blas_symbols_read(const char *path, struct blas_symbol **symbols, size_t *count,
		      struct error *err);

#endif
