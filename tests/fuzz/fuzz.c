/* fuzz.c: has the chosen reader read an input; files for readers, bytes taken apart, and reports
 * written out. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/columns.h"
#include "write/format.h"
#include "write/pictures.h"
#include "base/utf8.h"

#define SLOW_TURNS 50 /* a workbook takes longer than all else; a first input gets one */

static void (*chosen)(const uint8_t *data, size_t size);
static char directory[64];

void fuzz_add(const char *name, void (*read)(const uint8_t *data, size_t size))
{
	const char *wanted = getenv("FUZZ_READER");

	if (wanted && !strcmp(wanted, name))
		chosen = read;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!chosen) {
		fputs("FUZZ_READER is none of tests/fuzz/*_fuzz.c\n", stderr);
		exit(2);
	}
	chosen(data, size);
	return 0;
}

static void remove_directory(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf '%s'", directory);
	if (system(command))
		perror(directory);
}

const char *fuzz_directory(void)
{
	if (*directory)
		return directory;
	strcpy(directory, "/dev/shm/fuzz-XXXXXX");
	if (!mkdtemp(directory)) {
		strcpy(directory, "/tmp/fuzz-XXXXXX");
		if (!mkdtemp(directory))
			abort();
	}
	atexit(remove_directory);
	return directory;
}

const char *fuzz_path(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", fuzz_directory(), name);
	return path;
}

void fuzz_write(const char *name, const void *data, size_t size)
{
	char path[256], *slash;
	FILE *file;

	snprintf(path, sizeof path, "%s", fuzz_path(name));
	for (slash = path + strlen(fuzz_directory()) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		abort();
}

uint64_t fuzz_number(struct fuzz_bytes *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count && bytes->left; i++, bytes->left--)
		value |= (uint64_t)*bytes->data++ << 8 * i;
	return value;
}

void fuzz_text(struct fuzz_bytes *bytes, char *text, size_t size)
{
	size_t length = fuzz_number(bytes, 1);

	length = length < size ? length : size - 1;
	length = length < bytes->left ? length : bytes->left;
	memcpy(text, bytes->data, length);
	text[length] = '\0';
	bytes->data += length;
	bytes->left -= length;
}

/* A terminal obeys control characters: none may reach it, nor bytes that are no text. */
void fuzz_check_text(const char *text, size_t size)
{
	if (!utf8_valid(text, size))
		abort();
	for (size_t i = 0; i < size; i++) {
		unsigned char byte = (unsigned char)text[i];

		if ((byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7f)
			abort();
	}
}

static void write_report(const struct report *report, const struct report_format *format,
			 const char *table)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct error err;

	if (!out)
		abort();
	report_write(report, format, table, out, &err);
	fclose(out);
	if (!(format->flags & FORMAT_BINARY))
		fuzz_check_text(text, size);
	free(text);
}

static size_t count_texts(const char *text, const char *sought)
{
	size_t count = 0;

	while ((text = strstr(text, sought))) {
		text++;
		count++;
	}
	return count;
}

/* What gnuplot is told; drawing itself takes too long. */
static void write_scripts(const struct report *report)
{
	for (size_t i = 0; i < pictures_count; i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);
		struct error err;

		if (!out)
			abort();
		if (!pictures[i].check(report, &err))
			pictures[i].script(report, out);
		fclose(out);
		fuzz_check_text(text, size);
		if (count_texts(text, "<< END\n") != count_texts(text, "\nEND\n"))
			abort(); /* data has become commands, and gnuplot's may start programs */
		free(text);
	}
}

void fuzz_report(const struct run *runs, size_t count)
{
	const struct report_options options = REPORT_OPTIONS_DEFAULT;
	static unsigned turn;
	struct report report;
	struct error err;

	if (report_build(runs, count, &options, &report, &err))
		return;
	for (size_t i = 0; i < report_formats_count; i++)
		if (report_formats[i].holds == HOLDS_ALL &&
		    (!(report_formats[i].flags & FORMAT_BINARY) || !(turn % SLOW_TURNS)))
			write_report(&report, &report_formats[i], NULL);
	for (size_t i = 0; i < report_formats_count; i++)
		for (size_t j = 0; report_formats[i].holds == HOLDS_TABLE && j < REPORT_TABLES; j++)
			write_report(&report, &report_formats[i], report_tables[j].name);
	write_scripts(&report);
	turn++;
	report_free(&report);
}
