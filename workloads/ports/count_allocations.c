/* count_allocations.c: a preload library that counts calls of malloc and related functions, and
 * writes the count to the file ALLOCATIONS_FILE of the environment at the end of the program. */
/* SPDX-License-Identifier: MIT */
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* glibc's names of the functions that are replaced here. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_ulong allocations;

void *malloc(size_t bytes)
{
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
	const int no_memory = 12; /* ENOMEM; errno must not change */

	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	*memory = __libc_memalign(alignment, bytes);
	return *memory ? 0 : no_memory;
}

__attribute__((destructor)) static void write_count(void)
{
	const unsigned long count = atomic_load(&allocations);
	const char *path = getenv("ALLOCATIONS_FILE");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "%lu\n", count);
	fclose(file);
}
