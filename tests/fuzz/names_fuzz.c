/* names_fuzz.c: feeds any bytes as a map of code made at run time, as a symbol, and as a table of
 * categories. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/naming.h"
#include "symbols/jit_map.h"
#include "report/categories.h"

static void read_map(void)
{
	struct jit_address addresses[] = {
		{.address = 0}, {.address = 0x1000}, {.address = 0x1234}, {.address = UINT64_MAX}};
	FILE *file = fopen(fuzz_path("names"), "r");
	struct jit_map_lines lines;

	if (!file)
		abort();
	jit_map_name(file, addresses, 4, &lines);
	for (int i = 0; i < 4; i++) {
		if (addresses[i].function && strlen(addresses[i].function) > 500)
			abort();
		free(addresses[i].function);
	}
	fclose(file);
}

static void read_symbol(const uint8_t *data, size_t size)
{
	char symbol[256] = "_Z";

	memcpy(symbol + 2, data, size < sizeof symbol - 3 ? size : sizeof symbol - 3);
	free(demangle(symbol));
}

static void read_categories(void)
{
	struct categories categories = {0};
	struct error err;

	categories_read(&categories, fuzz_path("names"), &err);
	for (int code = 0; code < RUN_CODE_COUNT; code++) {
		const char *found =
			category_find(&categories, "/lib/libx.so.1", code, "f[a]*\\b", "into");

		if (strlen(found) >= CATEGORY_MAX)
			abort();
	}
	categories_free(&categories);
}

FUZZ(names)
{
	fuzz_write("names", data, size);
	read_map();
	read_symbol(data, size);
	read_categories();
}
