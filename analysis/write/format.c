/* format.c: the formats of reports, and those of single tables such as a comparison. */
/* SPDX-License-Identifier: MIT */
#include "write/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "write/escape.h"

const struct report_format report_formats[] = {
#define FORMAT(name, says, holds, flags) {#name, says, holds, flags, name##_write},
	FORMAT_ROWS(FORMAT)
#undef FORMAT
};
const size_t report_formats_count = COUNT(report_formats);

const struct report_format *report_format_find(const char *name)
{
	EACH_ROW(format, report_formats, report_formats_count)
		if (!strcmp(format->name, name))
			return format;
	return NULL;
}

int report_write(const struct report *report, const struct report_format *format, const char *part,
		 FILE *out, struct error *err)
{
	json_set_alloc_funcs(memory_bytes, free);
	errno = 0;
	if (format->write(report, part, out, err))
		return -1;
	if (fflush(out) || ferror(out))
		return error_set(err, "make room, or write the report to another file",
				 "cannot write the report: %s",
				 errno ? strerror(errno) : "output error");
	return 0;
}

const struct table_format_name table_formats[TABLE_FORMATS] = {
	[TABLE_TEXT] = {"text", "a table to read", NULL},
	[TABLE_CSV] = {"csv", "a table with a header, comma-separated (RFC 4180)", csv_write_rows},
	[TABLE_JSON] = {"json", "a list of the rows, as objects", json_write_rows},
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

void table_write(const struct table *table, void (*text)(const void *data, FILE *out),
		 const void *data, enum table_format format, FILE *out)
{
	struct memory_file memory;

	json_set_alloc_funcs(memory_bytes, free);
	if (table_formats[format].write) {
		table_formats[format].write(table, data, out);
	} else {
		text(data, memory_file_begin(&memory));
		escape_end(&memory, out);
	}
}

/* Copies the file, and removes it first, so that it does not remain if SIGPIPE ends the program. */
static int move_file(const char *path, FILE *out, struct error *err)
{
	FILE *file = fopen(path, "re");
	int failure = errno;
	char block[16384];
	size_t got;

	unlink(path);
	if (!file)
		return error_set(err, "look at the folder for temporary files (TMPDIR)",
				 "cannot read a temporary file back: %s", strerror(failure));
	while ((got = fread(block, 1, sizeof block, file)) > 0 && fwrite(block, 1, got, out) == got)
		;
	fclose(file);
	return 0; /* report_write() checks `out` for errors */
}

int scratch_write(const struct report *report, const char *part, const char *how,
		  scratch_maker *make, FILE *out, struct error *err)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	snprintf(path, sizeof path, "%s/blasprof-XXXXXX", folder);
	fd = mkstemp(path);
	if (fd < 0)
		return error_set(err, "set TMPDIR to a folder that can be written",
				 "cannot make a temporary file in '%s': %s", folder,
				 strerror(errno));
	close(fd);
	if (!make(report, part, how, path, folder, err))
		return move_file(path, out, err);
	unlink(path);
	return -1;
}
