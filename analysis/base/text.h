/* text.h: puts short texts together. */
/* SPDX-License-Identifier: MIT
 *
 * Not by printf(): that takes more than some threads have left of their stack at their first call,
 * most of all where a library has registered formats of its own (libquadmath does).
 */
#ifndef SHIM_TEXT_H
#define SHIM_TEXT_H

#include <stdint.h>

#include "base/early.h"

/* Adds what there is room for of `bytes` bytes of `more`, or what comes before its zero byte, at
 * `at`, where the text so far ends. Returns where it ends then; end: of the buffer. */
EARLY static inline char *text_add_part(char *at, const char *end, const char *more,
					unsigned long bytes)
{
	while (bytes-- && *more && at < end - 1)
		*at++ = *more++;
	*at = '\0';
	return at;
}

EARLY static inline char *text_add(char *at, const char *end, const char *more)
{
	return text_add_part(at, end, more, UINT32_MAX);
}

/* In decimal digits. */
static inline char *text_add_number(char *at, const char *end, int64_t number)
{
	char digits[24], *first = digits + sizeof digits;
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;

	*--first = '\0';
	do {
		*--first = (char)('0' + rest % 10);
	} while (rest /= 10);
	if (number < 0)
		*--first = '-';
	return text_add(at, end, first);
}

/* All of it, as much as there is room for in the array `to`. */
#define TEXT_COPY(to, from) text_add(to, (to) + sizeof(to), from)

#endif
