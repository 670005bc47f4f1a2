/* escape.c: makes any bytes safe to print. */
/* SPDX-License-Identifier: MIT */
#include "write/escape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "write/terminal.h"
#include "base/utf8.h"

/* Characters that control a terminal, a page or a line of text, or that XML 1.0 forbids. */
static const struct {
	uint32_t first, last;
} controls[] = {
	{0x00, 0x1f},	  /* C0 */
	{0x7f, 0x9f},	  /* DEL, C1 */
	{0x200e, 0x200f}, /* direction marks */
	{0x2028, 0x202e}, /* line and paragraph separators; direction overrides */
	{0x2066, 0x2069}, /* direction isolates */
	{0xfeff, 0xfeff}, /* byte order mark */
	{0xfffe, 0xffff}, /* not characters */
};

static int is_control(const char *text, size_t length)
{
	uint32_t value = utf8_value(text, length);

	for (size_t i = 0; i < COUNT(controls); i++)
		if (value >= controls[i].first && value <= controls[i].last)
			return 1;
	return 0;
}

size_t escape_character(const char *text, const char *keep, char out[ESCAPE_MAX])
{
	size_t length = utf8_length(text, strnlen(text, UTF8_MAX));

	if (length && (strchr(keep, *text) || !is_control(text, length))) {
		memcpy(out, text, length);
		out[length] = '\0';
		return length;
	}
	if (*text == '\n' || *text == '\t')
		snprintf(out, ESCAPE_MAX, "%s", *text == '\n' ? "\\n" : "\\t");
	else
		snprintf(out, ESCAPE_MAX, "\\x%02x", (unsigned char)*text);
	return 1;
}

size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

void escape_cut(char *text, size_t bytes)
{
	if (strlen(text) <= bytes)
		return;
	while (bytes && ((unsigned char)text[bytes] & 0xc0) == 0x80)
		bytes--;
	text[bytes] = '\0';
}

void escape_text(const char *text, size_t width, char *out, size_t size)
{
	size_t length = 0;
	char one[ESCAPE_MAX];

	out[0] = '\0';
	while (*text && length + 4 + sizeof one < size && text_width(out) <= width) {
		text += escape_character(text, "", one);
		strcpy(out + length, one);
		length += strlen(one);
	}
	if (*text || text_width(out) > width) {
		char *end = out;

		for (size_t left = width - 3; *end; end++)
			if (((unsigned char)*end & 0xc0) != 0x80 && !left--)
				break;
		strcpy(end, "...");
	}
}

const char *escape_skip_directory(const char *command)
{
	const char *name = command;

	for (const char *c = command; *c && !strchr(" '\\", *c); c++)
		if (*c == '/' && c > command + 1)
			name = c + 1;
	return name;
}

char *escape_copy(const char *text, const char *keep)
{
	char *copy = memory_rows(strlen(text), ESCAPE_MAX - 1), *end = copy;

	while (*text) {
		text += escape_character(text, keep, end);
		end += strlen(end);
	}
	return copy;
}

void escape_print(const char *text, const char *keep, FILE *out)
{
	char *safe = escape_copy(text, keep);

	fputs(safe, out);
	free(safe);
}

void escape_quoted(const char *text, char quote, const char *instead, FILE *out)
{
	char one[ESCAPE_MAX];

	fputc(quote, out);
	while (*text) {
		int is_quote = *text == quote;

		text += escape_character(text, "", one);
		fputs(is_quote ? instead : one, out);
	}
	fputc(quote, out);
}

void escape_end(struct memory_file *memory, FILE *out)
{
	const char *text, *code;
	char one[ESCAPE_MAX];

	memory_file_end(memory);
	text = memory->text;
	while (*text) {
		code = terminal_code(*text);
		text += code ? 1 : escape_character(text, "\n", one);
		fputs(code ? code : one, out);
	}
	free(memory->text);
}
