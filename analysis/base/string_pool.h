/* string_pool.h: one copy of each string, which lives as long as the process. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_STRING_POOL_H
#define BASE_STRING_POOL_H

#include <stddef.h>
#include <stdint.h>

/* Returns the copy of the text, or of "" for NULL. Nobody frees or changes it. */
const char *string_pooled(const char *text);
/* Prints a text and returns its copy in the pool. */
const char *string_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Returns the text's number: equal texts have the same, others have others. */
uint32_t string_number(const char *text);
/* A hash of these bytes, of 64 bits; not safe against texts that were made to collide. */
uint64_t string_hash(const char *text, size_t length);

#endif
