/* table_format.c: the formats of what is one table. */
/* SPDX-License-Identifier: MIT */
#include "report/table_format.h"

#include <string.h>

#include "report/c_locale.h"
#include "report/escape.h"
#include "report/view.h"
#include "util/nearest.h"

const struct table_format_name table_formats[TABLE_FORMATS] = {
	[TABLE_TEXT] = {"text", "for people"},
	[TABLE_CSV] = {"csv", "a table with a header, comma-separated (RFC 4180)"},
};

int table_format_find(const char *name, enum table_format *format, struct error *err)
{
	struct nearest nearest = {.wanted = name};

	for (int i = 0; i < TABLE_FORMATS; i++) {
		if (!name || !strcmp(table_formats[i].name, name)) {
			*format = (enum table_format)i;
			return 0;
		}
		nearest_offer(&nearest, table_formats[i].name);
	}
	return view_refuse("format", &nearest, err);
}

static int write_safely(table_writer *write, const void *data, FILE *out)
{
	struct safe_text safe;
	int failed;

	if (!safe_begin(&safe))
		return -1;
	failed = write(data, safe.file);
	return safe_end(&safe, out) || failed ? -1 : 0;
}

int table_write(table_writer *const writers[TABLE_FORMATS], enum table_format format,
		const void *data, FILE *out, struct error *err)
{
	struct c_locale locale;
	int failed;

	c_locale_enter(&locale);
	if (format == TABLE_TEXT)
		failed = write_safely(writers[format], data, out);
	else
		failed = writers[format](data, out);
	c_locale_leave(&locale);
	return failed ? error_out_of_memory(err) : 0;
}
