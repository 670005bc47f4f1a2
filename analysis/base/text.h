/* text.h: builds short texts without printf(). */
/* SPDX-License-Identifier: MIT
 *
 * printf() needs more stack than some threads have left at their first call, most of all if a
 * library has registered its own formats, as libquadmath does.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdint.h>

#include "base/early.h"

/* Appends up to `bytes` bytes of the string `more` at `at`, the end of the text so far, as far as
 * the buffer, which ends at `end`, has room. Returns the new end of the text. */
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

/* Appends a number in decimal. */
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

/* Copies a string to the array `to`; cuts what does not fit. */
#define TEXT_COPY(to, from) text_add(to, (to) + sizeof(to), from)

#endif
