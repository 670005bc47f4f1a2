/* memory.h: memory for reports: where there is none left, blasprof says so and ends. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Not for what records: a run is stored before anything is worked out from it, so that nothing is
 * lost then. All end blasprof with status 125 where memory is out. */

/* What an allocation returned: memory_need(table_add(...)). */
void *memory_need(void *memory);
/* As array_add(). */
void *memory_add(void *rows, size_t *count, size_t size);
/* For what returns -1 then and only then. */
void memory_check(int failed);
/* `count` rows of zero bytes, at least one byte. */
void *memory_rows(size_t count, size_t size);
/* As malloc(). */
void *memory_bytes(size_t size);
/* A copy of the text, of "" for NULL. */
char *memory_text(const char *text);

#endif
