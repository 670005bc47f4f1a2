/* memory.c: allocates memory, or ends blasprof if memory is out. */
/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

void (*memory_at_end)(void);

void memory_check(int failed)
{
	struct error err;

	if (!failed)
		return;
	if (memory_at_end)
		memory_at_end();
	error_out_of_memory(&err);
	fprintf(stderr, "blasprof: %s; %s\n", err.what, err.remedy);
	exit(125);
}

void *memory_need(void *memory)
{
	memory_check(!memory);
	return memory;
}

void *memory_add(void *rows, size_t *count, size_t size)
{
	return memory_need(array_add(rows, count, size));
}

void memory_append(void *rows, size_t *count, size_t size, const void *row)
{
	memory_check(array_append(rows, count, size, row));
}

void *memory_rows(size_t count, size_t size)
{
	return memory_need(calloc(count + 1, size));
}

void *memory_bytes(size_t size)
{
	return memory_need(malloc(size));
}

char *memory_text(const char *text)
{
	return memory_need(strdup(text ? text : ""));
}

void memory_freed(void *pointer)
{
	void *memory;

	memcpy(&memory, pointer, sizeof memory);
	free(memory);
}

FILE *memory_file_begin(struct memory_file *memory)
{
	return memory->file = memory_need(open_memstream(&memory->text, &memory->size));
}

void memory_file_end(struct memory_file *memory)
{
	memory_check(fclose(memory->file));
}
