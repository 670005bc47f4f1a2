/* counts.c: calls every routine of the table a known number of times, and prints what a profile
 * must show. */
/* SPDX-License-Identifier: MIT
 *
 * counts LIBRARY [THREADS]: makes the calls in THREADS threads, and prints for each routine its
 * name and the number of its calls. Leaves out routines that LIBRARY, the BLAS that it is linked
 * with, does not have.
 */
#ifndef __clang__
#pragma GCC optimize("no-var-tracking") /* takes most of the time to compile this */
#endif

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"

static void *library;
static int threads = 1;
static __thread int printing;

/* Calls each routine 1 to 7 times, so that a mix-up of two routines is likely to show. */
static int times_for(const char *name)
{
	unsigned sum = 0;

	for (const char *letter = name; *letter; letter++)
		sum = sum * 31 + (unsigned char)*letter;
	if (printing)
		printf("%s %u\n", name, (1 + sum % 7) * (unsigned)threads);
	return (int)(1 + sum % 7);
}

#define CALL(symbol, ret, params, args)                                                            \
	extern ret symbol params __attribute__((weak));                                            \
	for (int i = dlsym(library, #symbol) ? times_for(#symbol) : 0; i > 0; i--)                 \
		(void)symbol args;

static void call_cblas(void)
{
#define FUNCTION(name, type, family, shape, ret)                                                   \
	{                                                                                          \
		C_LOCALS(shape, type);                                                             \
		CALL(cblas_##name, ret, (C_PARAMS(shape, type)), (C_ARGS(shape)))                  \
	}
#define ROUTINE(name, type, family, shape)    FUNCTION(name, type, family, shape, void)
#define CBLAS_ONLY(name, type, family, shape) ROUTINE(name, type, family, shape)
#include "blas/routines.def"
}

static void call_fortran(void)
{
#define FUNCTION(name, type, family, shape, ret)                                                   \
	{                                                                                          \
		F_LOCALS(shape, type);                                                             \
		CALL(name##_, ret, (F_PARAMS(shape, type)), (F_ARGS(shape)))                       \
	}
#define ROUTINE(name, type, family, shape) FUNCTION(name, type, family, shape, void)
#include "blas/routines.def"
}

static void *call_all(void *print)
{
	printing = print != NULL;
	fill_space();
	call_cblas();
	call_fortran();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t others[64];

	if (argc > 2)
		threads = atoi(argv[2]);
	library = argc > 1 ? dlopen(argv[1], RTLD_LAZY) : NULL;
	if (!library || threads < 1 || threads > 64) {
		fprintf(stderr, "counts: cannot open the library, or a wrong thread count\n");
		return 2;
	}
	for (int i = 1; i < threads; i++)
		if (pthread_create(&others[i], NULL, call_all, NULL))
			return 3;
	call_all(argv);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	return 0;
}
