/* memory.h: allocates memory, or ends blasprof if memory is out. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* All of these print a message and exit with status 125 if memory is out. Do not use them for sizes
 * that a damaged file may ask for. */

/* Called before that exit. A recording sets it, to wait for its command and exit with the command's
 * status. */
extern void (*memory_at_end)(void);

/* Returns `memory`, the result of an allocation; NULL means that memory is out. */
void *memory_need(void *memory);
/* As array_add() and array_append(). */
void *memory_add(void *rows, size_t *count, size_t size);
void memory_append(void *rows, size_t *count, size_t size, const void *row);
/* Exits if `failed`: for functions that only fail if memory is out. */
void memory_check(int failed);
/* Allocates `count` zeroed rows, and at least one byte. */
void *memory_rows(size_t count, size_t size);
/* As malloc(). */
void *memory_bytes(size_t size);
/* Returns a fresh copy of the text, or of "" for NULL. */
char *memory_text(const char *text);

/* What the pointer points to at the end of its block is freed there. */
#define FREED __attribute__((cleanup(memory_freed)))
void memory_freed(void *pointer);

/* A file in memory. What is written to the file that memory_file_begin() returns is in `text`, of
 * `size` bytes, after memory_file_end(); the caller frees it. */
struct memory_file {
	FILE *file;
	char *text;
	size_t size;
};
FILE *memory_file_begin(struct memory_file *memory);
void memory_file_end(struct memory_file *memory);

#endif
