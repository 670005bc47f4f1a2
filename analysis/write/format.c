/* format.c: the formats that a report can be written in. */
/* SPDX-License-Identifier: MIT */
#include "write/format.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/c_locale.h"
#include "base/memory.h"

const struct report_format report_formats[] = {
#define FORMAT(name, says, holds, flags) {#name, says, holds, flags, name##_write},
	FORMAT_ROWS(FORMAT)
#undef FORMAT
};
const size_t report_formats_count = COUNT(report_formats);

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; i < report_formats_count; i++)
		if (!strcmp(report_formats[i].name, name))
			return &report_formats[i];
	return NULL;
}

int report_write(const struct report *report, const struct report_format *format, const char *part,
		 FILE *out, struct error *err)
{
	struct c_locale locale;
	int failed;

	json_set_alloc_funcs(memory_bytes, free);
	errno = 0;
	c_locale_enter(&locale);
	failed = format->write(report, part, out, err);
	c_locale_leave(&locale);
	if (failed)
		return failed;
	if (fflush(out) || ferror(out))
		return error_set(err, "make room, or write the report to another file",
				 "cannot write the report: %s",
				 errno ? strerror(errno) : "output error");
	return 0;
}
