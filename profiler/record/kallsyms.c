/* kallsyms.c: reads the kernel's symbols once, keeping only those that were asked for. */
/* SPDX-License-Identifier: MIT */
#include "record/kallsyms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/machine_files.h"

/* The best symbol seen yet for an address: the highest one that is not above it. */
struct nearest {
	uint64_t start;
	int is_code; /* 0: data, and so the end of the code before it */
	char name[64];
};

static int compare_addresses(const void *left, const void *right)
{
	const struct kernel_address *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

/* The first address that is not below `start`. */
static size_t first_from(const struct kernel_address *addresses, size_t count, uint64_t start)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (addresses[middle].address >= start)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Takes "ffffffff81000000 T _text" apart: there are 100,000 of these, so not by sscanf(). Returns
 * the name, up to the line's end or a module's; NULL where it is no such line. */
static const char *parse_line(const char *line, uint64_t *start, char *type)
{
	char *end;

	*start = strtoull(line, &end, 16);
	if (end == line || *end != ' ' || !end[1] || end[2] != ' ')
		return NULL;
	*type = end[1];
	return end + 3;
}

/* Reads the lines into the best symbol for the first address that each could name; sweep() hands it
 * on to those after it. */
static void read_symbols(FILE *file, const struct kernel_address *addresses, size_t count,
			 struct nearest *nearest)
{
	char line[256], type;
	const char *name;
	uint64_t start;
	int is_code;

	while (fgets(line, sizeof line, file)) {
		size_t at;

		name = parse_line(line, &start, &type);
		if (!name || !start)
			continue;
		is_code = strchr("tTwW", type) != NULL;
		at = first_from(addresses, count, start);
		if (at == count || start < nearest[at].start ||
		    (start == nearest[at].start && !is_code))
			continue;
		nearest[at].start = start;
		nearest[at].is_code = is_code;
		snprintf(nearest[at].name, sizeof nearest[at].name, "%.*s",
			 (int)strcspn(name, " \t\n"), name);
	}
}

static void sweep(struct kernel_address *addresses, size_t count, const struct nearest *nearest)
{
	const struct nearest *best = NULL;

	for (size_t i = 0; i < count; i++) {
		if (nearest[i].start)
			best = &nearest[i];
		snprintf(addresses[i].function, sizeof addresses[i].function, "%s",
			 best && best->is_code ? best->name : "[kernel]");
	}
}

void kallsyms_name(const char *root, struct kernel_address *addresses, size_t count)
{
	struct nearest *nearest = calloc(count ? count : 1, sizeof *nearest);
	FILE *file = nearest ? machine_open(root, "/proc/kallsyms") : NULL;

	if (count)
		qsort(addresses, count, sizeof *addresses, compare_addresses);
	if (file) {
		read_symbols(file, addresses, count, nearest);
		fclose(file);
	}
	for (size_t i = 0; i < count && !nearest; i++)
		snprintf(addresses[i].function, sizeof addresses[i].function, "[kernel]");
	if (nearest)
		sweep(addresses, count, nearest);
	free(nearest);
}
