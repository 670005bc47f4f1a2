/* process_file_test.c: truncated record files are read as far as possible and reported as damaged.
 */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <unistd.h>

#include "tests/scratch.h"
#include "tests/unit.h"
#include "wire/process_file.h"

enum { PAGES = 4 };
static int fd;

/* Makes a record with one chunk of two names. */
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

	scratch_enter();
	fd = open("record", O_RDWR | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, PAGES * LAYOUT_PAGE), 0);
	ck_assert_int_eq(pwrite(fd, &header, sizeof header, 0), sizeof header);
	ck_assert_int_eq(pwrite(fd, &chunk, sizeof chunk, LAYOUT_PAGE), sizeof chunk);
}

static void remove_record(void)
{
	close(fd);
	scratch_leave();
}

FIXTURE(make_record, remove_record)

/* The record is truncated to `first` and then extended to `second` bytes. */
static const struct {
	off_t first, second;
	int result, cut;
	size_t rows;
} records[] = {
	{PAGES * LAYOUT_PAGE, PAGES *LAYOUT_PAGE, 0, 0, 2},
	{2 * LAYOUT_PAGE, 2 * LAYOUT_PAGE, 0, 1, 0}, /* inside the chunk */
	{100, 100, -1, 1, 0},
	{0, 0, -1, 1, 0},
	{0, PAGES *LAYOUT_PAGE, -1, 0, 0}, /* all zeros: the process ended before it wrote */
};

TEST_EACH(truncated_records, COUNT(records))
{
	struct process_file file;
	size_t at = 0, count = 0, all = 0;

	ck_assert_int_eq(ftruncate(fd, records[_i].first), 0);
	ck_assert_int_eq(ftruncate(fd, records[_i].second), 0);
	ck_assert_int_eq(process_file_open(&file, AT_FDCWD, "record"), records[_i].result);
	ck_assert_int_eq(file.cut, records[_i].cut);
	if (records[_i].result)
		return;
	ck_assert_int_eq(file.header->pid, 17);
	while (process_file_rows(&file, &at, CHUNK_NAMES, sizeof(struct region_name), &count))
		all += count;
	ck_assert_uint_eq(all, records[_i].rows);
	process_file_close(&file);
}
