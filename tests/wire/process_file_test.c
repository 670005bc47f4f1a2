/* process_file_test.c: truncated record files are read as far as possible and reported as damaged;
 * which calls were stopped. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/scratch.h"
#include "tests/unit.h"
#include "wire/process_file.h"
#include "wire/session_file.h"

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
	{PAGES * LAYOUT_PAGE, 1ll << 30, -1, 1, 0},  /* it would be read into memory */
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

/* Times in ms of a stop of all processes (0) or of one, and of a call of process 7; the time for
 * which that was stopped, or -1 if the profiler has not looked yet. */
static const struct {
	int32_t pid;
	int64_t from, to, call_from, call_to;
	int64_t stopped;
} stops[] = {
	{0, 200, 900, 100, 950, 700},
	{7, 200, 900, 100, 950, 700},
	{8, 200, 900, 100, 950, 0},
	{0, 200, 900, 100, 190, 0},
	/* another process got the signal first */
	{0, 200, 900, 249, 949, 651},
	/* only the profiler was stopped */
	{0, 200, 900, 251, 949, 0},
	{0, 200, 900, 249, 951, 0},
	{0, 200, 900, 249, 400, 0},
	{0, 200, INT64_MAX, 100, 950, -1},
	{STOP_UNSEEN, 200, INT64_MAX, 100, 950, -1},
	{STOP_UNSEEN, 200, INT64_MAX, 201, 950, 0},
};

TEST_EACH(stopped_calls, COUNT(stops))
{
	const int64_t ms = 1000000;
	const struct session_stop stop = {
		.from_ns = stops[_i].from * ms,
		.to_ns = stops[_i].to == INT64_MAX ? INT64_MAX : stops[_i].to * ms,
		.pid = stops[_i].pid,
	};

	ck_assert_int_eq(mkdir("session", 0700), 0);
	scratch_file("session/" SESSION_STOPS, &stop, sizeof stop);
	ck_assert_int_eq(chmod("session/" SESSION_STOPS, 0600), 0);
	ck_assert_int_eq(
		session_stopped_ns("session", 7, stops[_i].call_from * ms, stops[_i].call_to * ms),
		stops[_i].stopped < 0 ? -1 : stops[_i].stopped * ms);
}
