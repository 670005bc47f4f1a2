/* escape.h: makes any bytes safe to print: UTF-8 without what is obeyed in place of being shown. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Room for one escaped character and the end of the string. */
#define ESCAPE_MAX 5

/* Writes the first character of `text`, which must not be empty, into out[]: as it is, or, where
 * it is a control character not in `keep`, one that turns or breaks the line, one that XML does not
 * allow, or no UTF-8, byte by byte as \n, \t or \xNN. Returns how many bytes of `text` it was. */
size_t escape_character(const char *text, const char *keep, char out[ESCAPE_MAX]);

/* Escapes all of `text` and cuts it to at most `width` characters, the last three being "..."
 * where something is cut. */
void escape_text(const char *text, size_t width, char *out, size_t size);

/* Escapes all of `text` but the control characters in `keep`: a fresh string. */
char *escape_copy(const char *text, const char *keep);

/* Writes all of `text`, with the characters of `keep` as they are. */
void escape_print(const char *text, const char *keep, FILE *out);

/* Text on its way: what is written to the file that safe_begin() returns is escaped, but for line
 * feeds, when safe_end() hands it on to `out`; what terminal_style() wrote becomes colours. A store
 * may come from anybody, and a terminal obeys control characters. */
struct safe_text {
	FILE *file;
	char *text;
	size_t size;
};
FILE *safe_begin(struct safe_text *safe);
void safe_end(struct safe_text *safe, FILE *out);

/* Cuts UTF-8 text to at most so many bytes, before a character that does not fit whole. */
void escape_cut(char *text, size_t bytes);

/* Characters (not bytes) of UTF-8 text. */
size_t text_width(const char *text);

#endif
