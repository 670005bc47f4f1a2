/* memory.h: memory: where there is none left, blasprof says so and ends. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* All end blasprof with status 125 where memory is out. Not for what a damaged file may ask for. */

/* Called before that: a recording waits for its command, and ends blasprof with its status. */
extern void (*memory_at_end)(void);

/* What an allocation returned. */
void *memory_need(void *memory);
/* As array_add() and array_append(). */
void *memory_add(void *rows, size_t *count, size_t size);
void memory_append(void *rows, size_t *count, size_t size, const void *row);
/* For what returns -1 then and only then. */
void memory_check(int failed);
/* `count` rows of zero bytes, at least one byte. */
void *memory_rows(size_t count, size_t size);
/* As malloc(). */
void *memory_bytes(size_t size);
/* A copy of the text, of "" for NULL. */
char *memory_text(const char *text);

#endif
