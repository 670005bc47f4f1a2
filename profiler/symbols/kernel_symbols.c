/* kernel_symbols.c: names kernel addresses from /proc/kallsyms. */
/* SPDX-License-Identifier: MIT */
#include "symbols/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/memory.h"

/* The last symbol at or before an address, but after the previous address. */
struct nearest {
	uint64_t start; /* 0: none */
	int is_code;	/* 0: data, which ends the code before it */
	char name[sizeof((struct kernel_address *)NULL)->function];
};

COMPARE(compare_addresses, struct kernel_address, ORDER(a->address, b->address))

void kernel_symbols_name(const char *root, struct kernel_address *addresses, size_t count)
{
	struct nearest *nearest = memory_rows(count, sizeof *nearest), *best = NULL;
	FILE *file = machine_open(root, "/proc/kallsyms");
	size_t room = 0;
	char *line = NULL, *at;

	qsort(addresses, count, sizeof *addresses, compare_addresses);
	/* "ffffffff81000000 T _text", followed by a tab and the module if it is in one */
	while (file && getline(&line, &room, file) > 0) {
		uint64_t start = strtoull(line, &at, 16);
		size_t i = ARRAY_BOUND(count, j, addresses[j].address < start);
		int is_code;

		if (!start || at[0] != ' ' || !at[1] || at[2] != ' ' || i == count)
			continue;
		is_code = strchr("tTwW", at[1]) != NULL;
		if (start < nearest[i].start || (start == nearest[i].start && !is_code))
			continue;
		nearest[i].start = start;
		nearest[i].is_code = is_code;
		snprintf(nearest[i].name, sizeof nearest[i].name, "%.*s",
			 (int)strcspn(at + 3, " \t\n"), at + 3);
	}
	for (size_t i = 0; i < count; i++) {
		if (nearest[i].start)
			best = &nearest[i];
		strcpy(addresses[i].function, best && best->is_code ? best->name : "[kernel]");
	}
	if (file)
		fclose(file);
	free(line);
	free(nearest);
}
