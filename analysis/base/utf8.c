/* utf8.c: checks and decodes UTF-8. */
/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

/* For each length: the pattern of the first byte, and the least value that needs this length. */
static const struct {
	unsigned char mask, lead;
	uint32_t least;
} forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

static uint32_t decode(const unsigned char *bytes, size_t form)
{
	uint32_t value = bytes[0] & (unsigned char)~forms[form].mask;

	for (size_t i = 1; i <= form; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return UINT32_MAX;
		value = value << 6 | (bytes[i] & 0x3f);
	}
	return value;
}

size_t utf8_length(const char *text, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t form = 0; form < 4 && form < size; form++) {
		uint32_t value;

		if ((bytes[0] & forms[form].mask) != forms[form].lead)
			continue;
		value = decode(bytes, form);
		if (value < forms[form].least || value > 0x10ffff ||
		    (value >= 0xd800 && value <= 0xdfff))
			return 0;
		return form + 1;
	}
	return 0;
}

uint32_t utf8_value(const char *text, size_t length)
{
	return decode((const unsigned char *)text, length - 1);
}

int utf8_valid(const char *text, size_t size)
{
	for (size_t at = 0, length; at < size; at += length) {
		length = utf8_length(text + at, size - at);
		if (!length)
			return 0;
	}
	return 1;
}
