/* table_format.c: the formats of what is one table. */
/* SPDX-License-Identifier: MIT */
#include "write/table_format.h"

#include <string.h>

#include "base/c_locale.h"
#include "write/csv.h"
#include "write/escape.h"
#include "write/json.h"
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

static int write_text(const struct table_writers *writers, const void *data, FILE *out)
{
	struct safe_text safe;
	int failed;

	if (!safe_begin(&safe))
		return -1;
	failed = writers->text(data, safe.file);
	return safe_end(&safe, out) || failed ? -1 : 0;
}

int table_write(const struct table_writers *writers, enum table_format format, const void *data,
		FILE *out, struct error *err)
{
	rows_writer *write = table_formats[format].write;
	struct c_locale locale;
	int failed;

	c_locale_enter(&locale);
	failed = write ? writers->rows(data, write, out) : write_text(writers, data, out);
	c_locale_leave(&locale);
	return failed ? error_out_of_memory(err) : 0;
}
