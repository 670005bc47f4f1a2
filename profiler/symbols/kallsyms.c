/* kallsyms.c: finds the kernel's functions that addresses lie in. */
/* SPDX-License-Identifier: MIT */
#include "symbols/kallsyms.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/kernel_names.h"

#define UNKNOWN "[kernel]"

/* The best symbol seen yet for an address: the highest one that is not above it. */
struct nearest {
	uint64_t start;
	int is_code;	  /* 0: data, and so the end of the code before it */
	const char *name; /* up to a blank or the line's end */
};

/* The search for all addresses at once. */
struct search {
	struct kernel_address *addresses; /* in order */
	size_t count;
	size_t hint;		 /* what the last symbol could name first */
	struct nearest *nearest; /* of each */
	uint64_t first, last;	 /* of the symbols that were read; 0: there was none */
};

static int compare_addresses(const void *left, const void *right)
{
	const struct kernel_address *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

/* The first address that is not below `start`. Symbols come nearly in order: mostly it is the one
 * that it was for the symbol before. */
static size_t first_from(const struct search *search, uint64_t start)
{
	const struct kernel_address *addresses = search->addresses;
	size_t low = 0, high = search->count, hint = search->hint;

	if ((hint == high || addresses[hint].address >= start) &&
	    (!hint || addresses[hint - 1].address < start))
		return hint;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (search->addresses[middle].address >= start)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static int is_hex_digit(char digit)
{
	return ((unsigned)digit - '0' < 10) | ((unsigned)digit - 'a' < 6);
}

/* Without a branch: no processor foresees the digits. */
static unsigned hex_value(char digit)
{
	return ((unsigned)digit & 15) + 9 * ((unsigned)digit >> 6 & 1);
}

/* Takes "ffffffff81000000 T _text" apart: there are 100,000 of these and more, so not by sscanf().
 * Returns the name, up to the line's end or a module's; NULL where it is no such line. */
static const char *parse_line(const char *line, const char *end, uint64_t *start, char *type)
{
	const char *at = line;

	*start = 0;
	for (; at < end && is_hex_digit(*at); at++)
		*start = *start << 4 | hex_value(*at);
	if (at == line || end - at < 3 || at[0] != ' ' || at[2] != ' ')
		return NULL;
	*type = at[1];
	return at + 3;
}

/* Notes the symbol with the first address that it could name; sweep() hands it on to those after
 * it. */
static void offer_symbol(struct search *search, uint64_t start, char type, const char *name)
{
	int is_code = type == 't' || type == 'T' || type == 'w' || type == 'W';
	struct nearest *nearest;
	size_t at;

	search->first = search->first && search->first < start ? search->first : start;
	search->last = search->last > start ? search->last : start;
	at = search->hint = first_from(search, start);
	if (at == search->count)
		return;
	nearest = &search->nearest[at];
	if (start > nearest->start || (start == nearest->start && is_code))
		*nearest = (struct nearest){start, is_code, name};
}

static void read_symbols(struct search *search, const struct kernel_names *names)
{
	const char *line = names->text, *all_end = line + names->bytes, *end;

	for (; line < all_end; line = end + 1) {
		const char *name;
		uint64_t start;
		char type;

		end = memchr(line, '\n', (size_t)(all_end - line));
		end = end ? end : all_end;
		name = parse_line(line, end, &start, &type);
		if (name && start)
			offer_symbol(search, start, type, name);
	}
}

static void set_name(struct kernel_address *address, const struct nearest *best, const char *end)
{
	size_t length = 0;

	if (!best || !best->is_code) {
		strcpy(address->function, UNKNOWN);
		return;
	}
	while (best->name + length < end && length < sizeof address->function - 1 &&
	       !strchr(" \t\n", best->name[length])) /* nor a zero byte */
		length++;
	memcpy(address->function, best->name, length);
	address->function[length] = '\0';
}

static void sweep(struct search *search, const struct kernel_names *names)
{
	const struct nearest *best = NULL;

	for (size_t i = 0; i < search->count; i++) {
		if (search->nearest[i].start)
			best = &search->nearest[i];
		set_name(&search->addresses[i], best, names->text + names->bytes);
	}
}

/* 1 where all addresses lie among the symbols that were read: beyond them are the modules'. */
static int covers(const struct search *search)
{
	return search->first <= search->addresses[0].address &&
	       search->addresses[search->count - 1].address < search->last;
}

static int name_by(struct search *search, const struct kernel_names *names)
{
	memset(search->nearest, 0, search->count * sizeof *search->nearest);
	search->first = search->last = 0;
	read_symbols(search, names);
	sweep(search, names);
	return covers(search);
}

void kallsyms_name(const char *root, struct kernel_address *addresses, size_t count)
{
	struct search search = {.addresses = addresses, .count = count};
	struct kernel_names names;
	int done;

	if (!count)
		return;
	qsort(addresses, count, sizeof *addresses, compare_addresses);
	search.nearest = calloc(count, sizeof *search.nearest);
	for (size_t i = 0; i < count; i++)
		strcpy(addresses[i].function, UNKNOWN);
	if (!search.nearest)
		return;
	kernel_names_load(root, &names);
	done = names.text && name_by(&search, &names);
	kernel_names_free(&names);
	if (!done) {
		kernel_names_read(root, &names);
		if (names.text)
			name_by(&search, &names);
		kernel_names_free(&names);
	}
	free(search.nearest);
}
