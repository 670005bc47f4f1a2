/* table_format.c: the formats of what is one table. */
/* SPDX-License-Identifier: MIT */
#include "write/table_format.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/c_locale.h"
#include "write/escape.h"
#include "base/memory.h"
#include "base/nearest.h"

const struct table_format_name table_formats[TABLE_FORMATS] = {
	[TABLE_TEXT] = {"text", "for people", NULL},
	[TABLE_CSV] = {"csv", "a table with a header, comma-separated (RFC 4180)", csv_write_rows},
	[TABLE_JSON] = {"json", "the same rows as objects in a list", json_write_rows},
};

int table_format_find(const char *name, enum table_format *format, struct error *err)
{
	const struct table_format_name *found = nearest_find(
		table_formats, TABLE_FORMATS, sizeof *table_formats, name, "format", err);

	if (!found)
		return -1;
	*format = (enum table_format)(found - table_formats);
	return 0;
}

void table_write(const struct table_writers *writers, enum table_format format, const void *data,
		 FILE *out)
{
	rows_writer *write = table_formats[format].write;
	struct c_locale locale;
	struct safe_text safe;

	json_set_alloc_funcs(memory_bytes, free);
	c_locale_enter(&locale);
	if (write) {
		writers->rows(data, write, out);
	} else {
		writers->text(data, safe_begin(&safe));
		safe_end(&safe, out);
	}
	c_locale_leave(&locale);
}
