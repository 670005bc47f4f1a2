/* jit_map.c: reads a perf map file whole, and gives each address the last line that covers it. */
/* SPDX-License-Identifier: MIT */
#include "record/jit_map.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

enum { NAME_MAX_BYTES = 500, FIRST_ROOM = 65536 };

/* A line that covers at least one address: those numbered first to last - 1. */
struct jit_line {
	size_t first, last;
	const char *name; /* in the text, not ended */
	size_t length;
};

struct jit_lines {
	struct jit_line *lines;
	size_t count;
};

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

/* The first address not below `start`. */
static size_t first_from(const struct jit_address *addresses, size_t count, uint64_t start)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (addresses[middle].address < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* 1: a line of names; 0: none. *line says what it covers. */
static int read_line(const char *at, const char *end, const struct jit_address *addresses,
		     size_t count, struct jit_line *line)
{
	uint64_t start, size;

	if (read_hex(&at, end, &start) || read_hex(&at, end, &size) || !size ||
	    start + size < start || at == end || memchr(at, '\0', (size_t)(end - at)))
		return 0;
	line->first = first_from(addresses, count, start);
	line->last = first_from(addresses, count, start + size);
	line->name = at;
	line->length = (size_t)(end - at);
	return 1;
}

/* Lists the lines that cover an address. A line without a line feed was cut off, name and all. */
static int list_lines(const char *text, size_t size, const struct jit_address *addresses,
		      size_t count, struct jit_lines *list, struct jit_map_lines *seen)
{
	const char *end, *stop = text + size;

	for (const char *at = text; at < stop; at = end + 1) {
		struct jit_line line, *row;

		end = memchr(at, '\n', (size_t)(stop - at));
		if (!end || !read_line(at, end, addresses, count, &line)) {
			seen->bad++;
			if (!end)
				break;
			continue;
		}
		seen->good++;
		if (line.first == line.last)
			continue;
		row = array_add(&list->lines, &list->count, sizeof *row);
		if (!row)
			return -1;
		*row = line;
	}
	return 0;
}

/* The first address from `i` on that has no name yet: next[] leads there. */
static size_t skip_named(size_t *next, size_t i)
{
	while (next[i] != i) {
		next[i] = next[next[i]];
		i = next[i];
	}
	return i;
}

/* From the last line to the first: what has a name keeps it. */
static int give_names(const struct jit_lines *list, struct jit_address *addresses, size_t count)
{
	size_t *next = malloc((count + 1) * sizeof *next);

	for (size_t i = 0; next && i <= count; i++)
		next[i] = i;
	for (size_t l = list->count; next && l-- > 0;) {
		const struct jit_line *line = &list->lines[l];
		size_t length = line->length < NAME_MAX_BYTES ? line->length : NAME_MAX_BYTES;
		size_t i = skip_named(next, line->first);

		for (; i < line->last; i = skip_named(next, i)) {
			addresses[i].function = strndup(line->name, length);
			next[i] = i + 1;
		}
	}
	free(next);
	return next ? 0 : -1;
}

int jit_map_name(FILE *file, struct jit_address *addresses, size_t count,
		 struct jit_map_lines *lines)
{
	struct jit_lines list = {0};
	size_t size;
	char *text;
	int result = -1;

	memset(lines, 0, sizeof *lines);
	text = read_text(file, &size, &lines->cut);
	if (text && !list_lines(text, size, addresses, count, &list, lines))
		result = give_names(&list, addresses, count);
	free(list.lines);
	free(text);
	return result;
}
