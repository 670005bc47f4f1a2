/* escape.h: makes any bytes safe to print: valid UTF-8 without characters that control the output.
 */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_ESCAPE_H
#define WRITE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

#include "base/memory.h"

/* Room for one escaped character and the end of the string. */
#define ESCAPE_MAX 5

/* Writes the first character of `text`, which must not be empty, into out[]. Control characters
 * that are not in `keep`, characters that change the direction or break the line, those that XML
 * forbids, and bytes that are not UTF-8 are written byte by byte as \n, \t or \xNN. Returns how
 * many bytes of `text` were used. */
size_t escape_character(const char *text, const char *keep, char out[ESCAPE_MAX]);

/* Escapes `text` and cuts it to at most `width` characters, of which the last three are "..." if
 * anything was cut. */
void escape_text(const char *text, size_t width, char *out, size_t size);

/* Returns the command without the directory of its program; "./train" stays as it is. */
const char *escape_skip_directory(const char *command);

/* Escapes `text`, except for the control characters in `keep`. Returns a fresh string. */
char *escape_copy(const char *text, const char *keep);

/* The same, written to `out`. */
void escape_print(const char *text, const char *keep, FILE *out);

/* Writes the escaped text in quotes, with `instead` in place of each quote. */
void escape_quoted(const char *text, char quote, const char *instead, FILE *out);

/* Escapes all output of a writer, since a store may come from anybody, and control characters can
 * take over a terminal: ends the file that it was written to, and writes its text to `out`, escaped
 * except for line feeds, with the styles of terminal_style() as colours. */
void escape_end(struct memory_file *memory, FILE *out);

/* Cuts UTF-8 text to at most `bytes` bytes, between two characters. */
void escape_cut(char *text, size_t bytes);

/* The number of characters in UTF-8 text. */
size_t text_width(const char *text);

#endif
