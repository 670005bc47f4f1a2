/* utf8.h: tells text from bytes that are not UTF-8. */
/* SPDX-License-Identifier: MIT */
#ifndef UTIL_UTF8_H
#define UTIL_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest character. */
#define UTF8_MAX 4

/* Length in bytes (1 to UTF8_MAX) of the well-formed UTF-8 character that `text` begins with, of
 * which at most `size` bytes may be read; 0 when there is none (overlong forms, surrogates and
 * values over U+10FFFF are not well formed). The byte 0 is a character of length 1. */
size_t utf8_length(const char *text, size_t size);

/* The code point of the well-formed character of `length` bytes, as utf8_length() gives it, that
 * `text` begins with. */
uint32_t utf8_value(const char *text, size_t length);

/* 1 where all `size` bytes are UTF-8, else 0. */
int utf8_valid(const char *text, size_t size);

#endif
