/* selection.h: which cells are asked for: categories, kernels and sizes. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_SELECTION_H
#define CELLS_SELECTION_H

#include "cells/kernel.h"
#include "failure.h"

enum { SIZES_MAX = 64 };

struct selection {
	const char *categories, *kernels; /* comma-separated; NULL: all */
	const char *caches;		  /* likewise: warm, cold */
	struct size sizes[SIZES_MAX + 1]; /* ends with n = 0; empty: each kernel's own */
	long max_elements;		  /* larger buffers are passed over */
};

/* Reads "64,16x32x64,...": N is N elements, or a product of N x N matrices. -1 with *failure: it is
 * no such list. */
int selection_read_sizes(struct selection *selection, const char *text, struct failure *failure);

/* -1 with *failure: a category, a kernel or a state of the caches is not known. */
int selection_check(const struct selection *selection, struct failure *failure);

int selection_has_category(const struct selection *selection, const char *category);
int selection_has_cache(const struct selection *selection, const char *cache);
int selection_has_kernel(const struct selection *selection, const struct kernel *kernel);

/* The size of number `index` at which the kernel is to run: 1, or 0: there are no more. A size that
 * it cannot run at has n = 0. */
int selection_size(const struct selection *selection, const struct kernel *kernel, int index,
		   struct size *size);

#endif
