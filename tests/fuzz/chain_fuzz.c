/* chain_fuzz.c: feeds any bytes as an object's tables for exceptions to what follows calls by them.
 */
/* SPDX-License-Identifier: MIT
 *
 * The tables end where memory does, and so does the stack: a read beyond either ends the program.
 * No code is there, for none is run. chain.c is compiled to ask this file for the object.
 */
#include "fuzz.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "chain_fuzz.h"
#include "shim/chain.h"

#define PAGE_BYTES   4096
#define CODE_BYTES   (64u << 20) /* at most; the tables lie behind it */
#define TABLES_BYTES (2u << 20)	 /* at most */
#define STACK_WORDS  2048
#define STACKS	     8 /* that are followed for each input */

static uint8_t *image, *tables, *tables_end;
static uintptr_t *stack;
static struct chain_input input;

#ifdef DLFO_EH_SEGMENT_TYPE
int _dl_find_object(void *address, struct dl_find_object *object)
{
	if ((uint8_t *)address < image || (uint8_t *)address >= tables_end)
		return -1;
	object->dlfo_map_start = image;
	object->dlfo_map_end = tables_end + PAGE_BYTES;
	object->dlfo_eh_frame = tables + input.index;
	return 0;
}
#endif

static void *reserve(size_t bytes)
{
	void *map =
		mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (map == MAP_FAILED)
		abort();
	return map;
}

static void reserve_all(void)
{
	image = reserve(CODE_BYTES + TABLES_BYTES + PAGE_BYTES);
	tables_end = image + CODE_BYTES + TABLES_BYTES;
	stack = reserve(STACK_WORDS * sizeof *stack + PAGE_BYTES);
	if (mprotect(stack, STACK_WORDS * sizeof *stack, PROT_READ | PROT_WRITE))
		abort();
}

static void place_tables(const uint8_t *data, size_t size)
{
	size_t pages = (size + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);

	if (mprotect(image + CODE_BYTES, TABLES_BYTES, PROT_NONE) ||
	    mprotect(tables_end - pages, pages, PROT_READ | PROT_WRITE))
		abort();
	tables = tables_end - size;
	memset(tables_end - pages, 0, pages - size);
	memcpy(tables, data, size);
}

/* Places in the code, for the most part, and in the stack. */
static void fill_stack(unsigned *seed)
{
	const uint8_t *code = tables - input.distance % CODE_BYTES;
	uint32_t code_bytes = input.code_bytes % CODE_BYTES + 1;

	for (size_t i = 0; i < STACK_WORDS; i++) {
		unsigned random = (unsigned)rand_r(seed);

		if (random % 8 == 0)
			stack[i] = (uintptr_t)&stack[random / 8 % STACK_WORDS];
		else if (random % 64 == 1)
			stack[i] = random;
		else
			stack[i] = (uintptr_t)code + random % code_bytes;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned seed;

	if (size <= sizeof input || size - sizeof input > TABLES_BYTES)
		return 0;
	if (!image)
		reserve_all();
	memcpy(&input, data, sizeof input);
	place_tables(data + sizeof input, size - sizeof input);
	seed = input.seed;
	for (int i = 0; i < STACKS; i++) {
		fill_stack(&seed);
		chain_holds(stack, &stack[(unsigned)rand_r(&seed) % STACK_WORDS]);
	}
	return 0;
}
