/* table_format.c: the formats of what is one table. */
/* SPDX-License-Identifier: MIT */
#include "report/table_format.h"

#include <string.h>

#include "report/c_locale.h"

const struct table_format_name table_formats[TABLE_FORMATS] = {
	[TABLE_TEXT] = {"text", "for people"},
	[TABLE_CSV] = {"csv", "a table with a header, comma-separated (RFC 4180)"},
};

int table_format_find(const char *name, enum table_format *format, struct error *err)
{
	char remedy[128] = "choose one of:";

	for (int i = 0; i < TABLE_FORMATS; i++) {
		if (!name || !strcmp(table_formats[i].name, name)) {
			*format = (enum table_format)i;
			return 0;
		}
		snprintf(remedy + strlen(remedy), sizeof remedy - strlen(remedy), "%s %s",
			 i ? "," : "", table_formats[i].name);
	}
	return error_set(err, remedy, "there is no format '%s'", name);
}

int table_write(table_writer *const writers[TABLE_FORMATS], enum table_format format,
		const void *data, FILE *out, struct error *err)
{
	struct c_locale locale;
	int failed;

	c_locale_enter(&locale);
	failed = writers[format](data, out);
	c_locale_leave(&locale);
	return failed ? error_out_of_memory(err) : 0;
}
