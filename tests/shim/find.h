/* find.h: looks up functions, for programs that load BLAS themselves. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SHIM_FIND_H
#define TESTS_SHIM_FIND_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* cblas_sgemm. */
typedef void (*sgemm)(int order, int transa, int transb, int m, int n, int k, float alpha,
		      const void *a, int lda, const void *b, int ldb, float beta, void *c, int ldc);

/* Returns the library's function of this name, or ends the program if there is none. */
static inline void *find(void *library, const char *name)
{
	void *function = library ? dlsym(library, name) : NULL;

	if (function)
		return function;
	fprintf(stderr, "%s\n", dlerror());
	exit(1);
}

#endif
