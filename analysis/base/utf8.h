/* utf8.h: checks and decodes UTF-8. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length in bytes of the longest character. */
#define UTF8_MAX 4

/* Returns the length in bytes (1 to UTF8_MAX) of the well-formed character at the start of `text`,
 * which has `size` bytes, or 0 if there is none. Overlong forms, surrogates and values above
 * U+10FFFF are not well formed. The byte 0 is a character of length 1. */
size_t utf8_length(const char *text, size_t size);

/* Returns the code point of the character at the start of `text`, whose length utf8_length() gave.
 */
uint32_t utf8_value(const char *text, size_t length);

/* Returns 1 if all `size` bytes are valid UTF-8, else 0. */
int utf8_valid(const char *text, size_t size);

#endif
