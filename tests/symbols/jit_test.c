/* jit_test.c: valid and hostile perf map files, and which files are trusted. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/run.h"
#include "symbols/jit_map.h"
#include "symbols/naming.h"
#include "tests/scratch.h"
#include "tests/unit.h"

enum { ADDRESSES = 4 };
static struct named_address addresses[ADDRESSES];
static struct jit_map_lines lines;

/* Names 0x1000, 0x1010, 0x2000 and 0xfffffffffff0 from these bytes. */
static void name_bytes(const char *bytes, size_t size)
{
	static const uint64_t at[ADDRESSES] = {0x1000, 0x1010, 0x2000, 0xfffffffffff0};
	FILE *file = fmemopen((void *)bytes, size, "r");

	for (int i = 0; i < ADDRESSES; i++)
		addresses[i] = (struct named_address){at[i], NULL};
	ck_assert_ptr_nonnull(file);
	jit_map_name(file, addresses, ADDRESSES, &lines);
	fclose(file);
}

static void name_text(const char *text)
{
	name_bytes(text, strlen(text));
}

static void expect(int number, const char *function)
{
	if (function)
		ck_assert_str_eq(addresses[number].function, function);
	else
		ck_assert_ptr_null(addresses[number].function);
}

TEST(names_of_addresses)
{
	name_text("1000 10 first\n0x1010 0x8 py::second of two:/x.py\n2001 10 beyond\n");
	expect(0, "first");
	expect(1, "py::second of two:/x.py");
	expect(2, NULL);
	expect(3, NULL);
	ck_assert_uint_eq(lines.good, 3);
	ck_assert_uint_eq(lines.bad, 0);
}

/* Memory is reused, so the last line counts. */
TEST(last_line_wins)
{
	name_text("1000 1100 all\n1000 10 first\n1010 10 old\n1010 10 new\n");
	expect(0, "first");
	expect(1, "new");
	expect(2, "all");
	name_text("1000 10 first\n0 fffffffffff1 all\n");
	for (int i = 0; i < ADDRESSES; i++)
		expect(i, "all");
}

/* Codes that the process reported take precedence over its file; those of other processes do not
 * count. */
TEST(codes_of_records)
{
	static const struct jit_code codes[] = {
		{7, 0x1000, 16, "old"},
		{7, 0x1000, 16, "kernel"},
		{8, 0x1010, 16, "another's"},
		{7, 0x2000, UINT64_MAX, "beyond"},
	};
	const struct jit_processes processes = {.codes = codes, .ncodes = COUNT(codes)};
	FILE *file = fmemopen((void *)"1000 20 of the file\n", 20, "r");

	name_text("");
	jit_codes_name(&processes, 7, addresses, ADDRESSES);
	jit_map_name(file, addresses, ADDRESSES, &lines);
	fclose(file);
	expect(0, "kernel");
	expect(1, "of the file");
	expect(2, NULL);
	expect(3, NULL);
}

static const char *const bad_lines[] = {
	"1000\n",
	"1000 10\n",
	"1000 10 \n",
	"1000 0 nothing\n",
	"0x 10 no_number\n",
	"-1000 10 negative\n",
	"g000 10 no_number\n",
	" 1000 10 blank\n",
	"1000\t10\ttabs\n",
	"11111111111111111 10 too_long\n",
	"1000 ffffffffffffffff around_the_end\n",
	"1000 10 cut_off",
	"\n",
	"\xff\xfe\xfd\n",
};

TEST_EACH(invalid_lines, COUNT(bad_lines))
{
	char text[256];

	snprintf(text, sizeof text, "2000 10 good\n%s", bad_lines[_i]);
	name_text(text);
	expect(0, NULL);
	expect(2, "good");
	ck_assert_uint_eq(lines.good, 1);
	ck_assert_uint_eq(lines.bad, 1);
}

TEST(hostile_names)
{
	static char text[8192];

	name_bytes("1000 10 a\0b\n2000 10 good\n", 25);
	expect(0, NULL);
	expect(2, "good");
	ck_assert_uint_eq(lines.bad, 1);
	memset(text, 'x', sizeof text);
	memcpy(text, "1000 10 ", 8);
	text[sizeof text - 1] = '\n';
	name_bytes(text, sizeof text);
	ck_assert_uint_eq(strlen(addresses[0].function), 500);
	name_bytes("", 1);
	ck_assert_uint_eq(lines.good, 0);
	name_text("1000 10 \033[31mred\n");
	expect(0, "\033[31mred"); /* the report escapes it */
}

/* The time for lines that all cover all addresses is linear in their number. */
TEST(many_lines)
{
	enum { LINES = 200000, NUMBERS = 20000 };
	struct named_address *many = calloc(NUMBERS, sizeof *many);
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	for (int i = 0; i < LINES; i++)
		fprintf(file, "1000 ffffff f%d\n", i);
	fclose(file);
	for (int i = 0; i < NUMBERS; i++)
		many[i].address = 0x1000 + (uint64_t)i;
	file = fmemopen(text, size, "r");
	jit_map_name(file, many, NUMBERS, &lines);
	ck_assert_uint_eq(lines.good, LINES);
	for (int i = 0; i < NUMBERS; i++)
		ck_assert_str_eq(many[i].function, "f199999");
	fclose(file);
	free(text);
	free(many);
}

/* Random bytes, the same in every run, are not read beyond their end. */
TEST(random_bytes)
{
	static const char usual[] = "0123456789abcdefx \n\n";
	char bytes[512];

	srandom(4);
	for (int round = 0; round < 20000; round++) {
		size_t size = 1 + (size_t)random() % sizeof bytes;

		for (size_t i = 0; i < size; i++)
			bytes[i] = random() % 8 ? usual[(size_t)random() % (sizeof usual - 1)]
						: (char)random();
		name_bytes(bytes, size);
	}
}

static char path[64];

/* Writes the map of this process, or removes it if text is NULL. */
static void write_map(const char *text)
{
	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	unlink(path);
	if (text)
		scratch_text(path, text);
}

static const char *open_map(int64_t since_ns)
{
	struct jit_processes files = {0};
	const char *why;
	FILE *file;

	jit_process_watch(&files, (uint32_t)getpid());
	jit_process_watch(&files, (uint32_t)getpid());
	ck_assert_uint_eq(files.count, 1);
	ck_assert_uint_eq(files.rows[0].owner, geteuid());
	file = jit_map_open(&files, (uint32_t)getpid(), since_ns, &why);
	if (file)
		fclose(file);
	jit_processes_free(&files);
	unlink(path);
	return file ? "open" : why;
}

TEST(files_that_are_trusted)
{
	write_map(NULL);
	if (!access(path, F_OK))
		return; /* another user's process with this number has left one */
	ck_assert_str_eq(open_map(0), "");
	write_map("1000 10 f\n");
	ck_assert_str_eq(open_map(0), "open");
	write_map("1000 10 f\n");
	ck_assert_has(open_map(INT64_MAX), "older than the process");
	write_map(NULL);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_has(open_map(0), "not a regular file");
	ck_assert_int_eq(symlink("/etc/passwd", path), 0);
	ck_assert_str_ne(open_map(0), "open");
	if (geteuid())
		return;
	write_map("1000 10 f\n");
	ck_assert_int_eq(chown(path, 65534, 65534), 0);
	ck_assert_has(open_map(0), "another user");
}

/* Runs as a process that writes its map to its own /tmp, and ends when `end` is closed. Writes 1 to
 * `ready` if that was possible. */
static void run_elsewhere(int ready, int end)
{
	char byte = '0';

	if (!unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	    !mount("none", "/tmp", "tmpfs", 0, NULL)) {
		write_map("1000 10 elsewhere\n");
		byte = '1';
	}
	if (write(ready, &byte, 1) == 1 && read(end, &byte, 1) == 0)
		_exit(0);
	_exit(1);
}

/* The file is found even if the process and its /tmp no longer exist. */
TEST(files_in_other_places)
{
	struct jit_processes files = {0};
	int ready[2], end[2];
	struct timespec now; /* to ignore a file of an earlier process with this number */
	const char *why;
	char byte = '0';
	FILE *file;
	pid_t child;

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	ck_assert(!pipe(ready) && !pipe(end));
	child = fork();
	if (!child) {
		close(end[1]);
		run_elsewhere(ready[1], end[0]);
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	jit_process_watch(&files, (uint32_t)child);
	close(end[1]);
	waitpid(child, NULL, 0);
	file = jit_map_open(&files, (uint32_t)child, now.tv_sec * INT64_C(1000000000) + now.tv_nsec,
			    &why);
	ck_assert_int_eq(file != NULL, byte == '1');
	if (file) {
		jit_map_name(file, addresses, 1, &lines);
		ck_assert_uint_eq(lines.good, 1);
		fclose(file);
	}
	jit_processes_free(&files);
}

/* Callers on the stacks need names, too, but are no samples. */
TEST(unnamed_share_is_of_samples)
{
	struct jit_processes nobody = {0};
	uint64_t counts[2] = {0}, samples[2] = {0};
	struct address_table table;
	uint32_t made, other;
	struct run run;

	run_init(&run);
	address_table_init(&table);
	made = address_table_number(
		&table, address_table_memory(&table, "/memfd:code (deleted)", (uint32_t)getpid()),
		0x1000);
	other = address_table_number(&table, OBJECT_UNKNOWN, 0x2000);
	counts[made] = samples[made] = 30;
	counts[other] = 270;
	samples[other] = 70;
	naming_free(naming_make(&table, counts, samples, &nobody, 0, &run));
	ck_assert_uint_eq(run.nnotes, 1);
	ck_assert_str_eq(run.notes[0].code, "jit_unnamed");
	ck_assert_str_eq(run.notes[0].detail, "30 % of the samples");
	address_table_free(&table);
	run_free(&run);
}
