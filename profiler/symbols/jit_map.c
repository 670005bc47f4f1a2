/* jit_map.c: reads a perf map file whole, and gives each address the last line that covers it. */
/* SPDX-License-Identifier: MIT */
#include "symbols/jit_map.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 65536 };

/* The file, or its first JIT_MAP_MAX_BYTES: to be freed. NULL when memory is out. */
static char *read_text(FILE *file, size_t *size, int *cut)
{
	size_t room = FIRST_ROOM, got;
	char *text = malloc(room), *grown;

	*size = 0;
	while (text && (got = fread(text + *size, 1, room - *size, file)) > 0) {
		*size += got;
		if (*size < room)
			continue;
		*cut = room >= JIT_MAP_MAX_BYTES;
		if (*cut)
			break;
		room *= 2;
		grown = realloc(text, room);
		if (!grown)
			free(text);
		text = grown;
	}
	return text;
}

/* The hexadecimal number at *at, at most 16 digits and 0x before them, and a blank after it.
 * Returns 0, or -1 where there is none. */
static int read_hex(const char **at, const char *end, uint64_t *number)
{
	int digits = 0;

	if (end - *at > 2 && (*at)[0] == '0' && ((*at)[1] | 0x20) == 'x')
		*at += 2;
	for (*number = 0; *at < end && digits <= 16; ++*at, digits++) {
		char c = **at;
		int value = c >= '0' && c <= '9'		     ? c - '0'
			    : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
								     : -1;
		if (value < 0)
			break;
		*number = *number << 4 | (uint64_t)value;
	}
	if (!digits || digits > 16 || *at >= end || **at != ' ')
		return -1;
	++*at;
	return 0;
}

/* A line of names: a piece of code. */
struct jit_line {
	uint64_t start, size;
	const char *name; /* in the text, not ended */
	size_t length;
};

/* 1: a line of names; 0: none. */
static int read_line(const char *at, const char *end, struct jit_line *line)
{
	if (read_hex(&at, end, &line->start) || read_hex(&at, end, &line->size) || !line->size ||
	    line->start + line->size < line->start || at == end ||
	    memchr(at, '\0', (size_t)(end - at)))
		return 0;
	line->name = at;
	line->length = (size_t)(end - at);
	return 1;
}

/* Lists the lines that cover an address. A line without a line feed was cut off, name and all. */
static int list_lines(const char *text, size_t size, const struct jit_address *addresses,
		      size_t count, struct jit_names *names, struct jit_map_lines *seen)
{
	const char *end, *stop = text + size;

	for (const char *at = text; at < stop; at = end + 1) {
		struct jit_line line;

		end = memchr(at, '\n', (size_t)(stop - at));
		if (!end || !read_line(at, end, &line)) {
			seen->bad++;
			if (!end)
				break;
			continue;
		}
		seen->good++;
		if (jit_names_add(names, addresses, count, line.start, line.size, line.name,
				  line.length))
			return -1;
	}
	return 0;
}

int jit_map_name(FILE *file, struct jit_address *addresses, size_t count,
		 struct jit_map_lines *lines)
{
	struct jit_names names = {0};
	size_t size;
	char *text;
	int result = -1;

	memset(lines, 0, sizeof *lines);
	text = read_text(file, &size, &lines->cut);
	if (text && !list_lines(text, size, addresses, count, &names, lines))
		result = jit_names_give(&names, addresses, count);
	free(names.pieces);
	free(text);
	return result;
}
