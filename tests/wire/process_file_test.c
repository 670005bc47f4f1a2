/* process_file_test.c: a record file that was truncated is read as far as it goes, and said to be
 * damaged. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit.h"
#include "wire/process_file.h"

enum { PAGES = 4 };
static char name[] = "/tmp/blasprof-cut-XXXXXX";
static int fd;

static void put(const void *bytes, size_t size, off_t offset)
{
	ck_assert_int_eq(pwrite(fd, bytes, size, offset), (ssize_t)size);
}

/* A record of one chunk of names, which has two rows. */
static void make_record(void)
{
	const struct process_header header = {
		.magic = PROCESS_MAGIC,
		.version = LAYOUT_VERSION,
		.pid = 17,
	};
	const struct chunk_header chunk = {
		.magic = CHUNK_MAGIC,
		.kind = CHUNK_NAMES,
		.bytes = (PAGES - 1) * LAYOUT_PAGE,
		.used = 2,
	};

	fd = mkstemp(name);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, PAGES * LAYOUT_PAGE), 0);
	put(&header, sizeof header, 0);
	put(&chunk, sizeof chunk, LAYOUT_PAGE);
}

static void remove_record(void)
{
	close(fd);
	unlink(name);
	memcpy(name + sizeof name - 7, "XXXXXX", 6);
}

static size_t count_rows(struct process_file *file)
{
	size_t at = 0, count = 0, all = 0;

	while (process_file_rows(file, &at, CHUNK_NAMES, sizeof(struct region_name), &count))
		all += count;
	return all;
}

FIXTURE(make_record, remove_record)

TEST(whole)
{
	struct process_file file;

	ck_assert_int_eq(process_file_open(&file, AT_FDCWD, name), 0);
	ck_assert_uint_eq(count_rows(&file), 2);
	ck_assert_int_eq(file.cut, 0);
	process_file_close(&file);
}

/* Rows that are gone are none, and what is still there is read. */
TEST(cut_inside)
{
	struct process_file file;

	ck_assert_int_eq(ftruncate(fd, 2 * LAYOUT_PAGE), 0);
	ck_assert_int_eq(process_file_open(&file, AT_FDCWD, name), 0);
	ck_assert_uint_eq(count_rows(&file), 0);
	ck_assert_int_eq(file.cut, 1);
	ck_assert_int_eq(file.header->pid, 17);
	process_file_close(&file);
}

TEST(cut_before)
{
	struct process_file file;

	ck_assert_int_eq(ftruncate(fd, 100), 0);
	ck_assert_int_eq(process_file_open(&file, AT_FDCWD, name), -1);
	ck_assert_int_eq(file.cut, 1);
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(process_file_open(&file, AT_FDCWD, name), -1);
	ck_assert_int_eq(file.cut, 1);
}

/* A process was ended before it had a record. */
TEST(never_begun)
{
	struct process_file file;

	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(ftruncate(fd, PAGES * LAYOUT_PAGE), 0); /* all zeros */
	ck_assert_int_eq(process_file_open(&file, AT_FDCWD, name), -1);
	ck_assert_int_eq(file.cut, 0);
}
