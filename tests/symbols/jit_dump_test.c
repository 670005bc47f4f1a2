/* jit_dump_test.c: jitdump files, well-formed and hostile, and which of them are trusted. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/jit_dump.h"
#include "symbols/jit_files.h"
#include "tests/unit.h"

enum { ADDRESSES = 3, LOAD = 0, MOVE = 1, DEBUG_INFO = 2, CLOSE = 3 };
static struct jit_address addresses[ADDRESSES];
static char bytes[1 << 16];
static size_t used;
static const char *why;

static void put(const void *data, size_t size)
{
	memcpy(bytes + used, data, size);
	used += size;
}

static void put32(uint32_t number)
{
	put(&number, sizeof number);
}

static void put64(uint64_t number)
{
	put(&number, sizeof number);
}

static void put_header(uint32_t magic, uint32_t version)
{
	used = 0;
	put32(magic);
	put32(version);
	put32(40);
	put32(62);
	put32(0);
	put32(4711);
	put64(1);
	put64(0);
}

/* With as many bytes of code as it has. */
static void put_load(uint64_t address, uint64_t size, uint64_t index, const char *name)
{
	put32(LOAD);
	put32((uint32_t)(16 + 40 + strlen(name) + 1 + size));
	put64(1);
	put32(4711);
	put32(4711);
	put64(address);
	put64(address);
	put64(size);
	put64(index);
	put(name, strlen(name) + 1);
	memset(bytes + used, 0xcc, size);
	used += size;
}

static void put_move(uint64_t from, uint64_t to, uint64_t size, uint64_t index)
{
	put32(MOVE);
	put32(16 + 48);
	put64(1);
	put32(4711);
	put32(4711);
	put64(to);
	put64(from);
	put64(to);
	put64(size);
	put64(index);
}

static void put_other(uint32_t id, uint32_t size)
{
	put32(id);
	put32(size);
	put64(1);
	memset(bytes + used, 1, size - 16);
	used += size - 16;
}

/* Names 0x1000, 0x1010 and 0x2000 by the first `size` bytes. */
static void name_bytes(size_t size)
{
	static const uint64_t at[ADDRESSES] = {0x1000, 0x1010, 0x2000};
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	rewind(file);
	for (int i = 0; i < ADDRESSES; i++) {
		free(addresses[i].function);
		addresses[i] = (struct jit_address){at[i], NULL};
	}
	ck_assert_int_eq(jit_dump_name(file, addresses, ADDRESSES, &why), 0);
	fclose(file);
}

static void expect(const char *first, const char *second, const char *third)
{
	const char *wanted[ADDRESSES] = {first, second, third};

	for (int i = 0; i < ADDRESSES; i++)
		if (wanted[i])
			ck_assert_str_eq(addresses[i].function, wanted[i]);
		else
			ck_assert_ptr_null(addresses[i].function);
}

TEST(code_has_names)
{
	put_header(0x4a695444, 1);
	put_load(0x1000, 16, 1, "first");
	put_other(DEBUG_INFO, 80);
	put_load(0x1010, 16, 2, "second");
	put_other(77, 16);
	put_load(0x1010, 8, 3, "later");
	put_move(0x1000, 0x2000, 16, 1);
	put_move(0x1000, 0x1000, 16, 99);
	put_other(CLOSE, 16);
	name_bytes(used);
	ck_assert_ptr_null(why);
	expect("first", "later", "first");
}

/* Wherever the file ends, what is whole before its end is read. */
TEST(cut_off)
{
	size_t whole;

	put_header(0x4a695444, 1);
	put_load(0x1000, 16, 1, "first");
	whole = used;
	put_load(0x2000, 16, 2, "second");
	for (size_t size = 0; size < used; size++) {
		name_bytes(size);
		if (size < 40)
			ck_assert_str_eq(why, "it is cut off");
		if (size >= whole)
			ck_assert_str_eq(addresses[0].function, "first");
		if (size > whole && size < whole + 56)
			ck_assert_str_eq(why, "it is cut off");
	}
}

TEST(no_such_file)
{
	put_header(0x4454694a, 1);
	name_bytes(used);
	ck_assert_ptr_nonnull(strstr(why, "order of bytes"));
	put_header(0x12345678, 1);
	name_bytes(used);
	ck_assert_ptr_nonnull(strstr(why, "no jitdump"));
	put_header(0x4a695444, 2);
	name_bytes(used);
	ck_assert_ptr_nonnull(strstr(why, "version"));
	put_header(0x4a695444, 1);
	put_load(0xfffffffffffffff0, 32, 1, "round the end");
	put_other(LOAD, 16);
	name_bytes(used);
	expect(NULL, NULL, NULL);
	ck_assert_str_eq(why, "it is cut off");
}

/* No bytes crash or hang it. */
TEST(random_bytes)
{
	srandom(7);
	for (int round = 0; round < 3000; round++) {
		put_header(0x4a695444, 1);
		put_load(0x1000, 16, 1, "first");
		put_move(0x1000, 0x2000, 16, 1);
		put_load(0x1010, 16, 2, "second");
		for (int i = 0; i < 3; i++)
			bytes[40 + (size_t)random() % (used - 40)] = (char)random();
		name_bytes(used);
	}
}

/* Only the file that was mapped is read, and only under the name that such files have. */
TEST(files_that_are_trusted)
{
	struct jit_files files = {0};
	char folder[] = "/tmp/jitdump-XXXXXX", path[64], link[64];
	struct stat status;
	FILE *file;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/jit-4711.dump", folder);
	snprintf(link, sizeof link, "%s/jit-4712.dump", folder);
	file = fopen(path, "we");
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(symlink(path, link), 0);
	ck_assert_int_eq(stat(path, &status), 0);
	ck_assert_int_eq(jit_files_mapped(&files, 1, "/tmp/jit-.dump", 0), 0);
	ck_assert_int_eq(jit_files_mapped(&files, 1, "/tmp/jit-1.dump.so", 0), 0);
	ck_assert_int_eq(jit_files_mapped(&files, 1, "[heap]", 0), 0);
	ck_assert_uint_eq(files.ndumps, 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(jit_files_mapped(&files, 1, path, status.st_ino), 0);
	ck_assert_int_eq(jit_files_mapped(&files, 2, path, status.st_ino + 1), 0);
	ck_assert_int_eq(jit_files_mapped(&files, 1, link, 0), 0);
	ck_assert_uint_eq(files.ndumps, 3);
	file = jit_files_open_dump(&files, 0, 0, &why);
	ck_assert_ptr_nonnull(file);
	fclose(file);
	ck_assert_ptr_null(jit_files_open_dump(&files, 0, INT64_MAX, &why));
	ck_assert_str_eq(why, "it is older than the process");
	ck_assert_ptr_null(jit_files_open_dump(&files, 1, 0, &why));
	ck_assert_ptr_nonnull(strstr(why, "not the file"));
	ck_assert_ptr_null(jit_files_open_dump(&files, 2, 0, &why));
	jit_files_free(&files);
	unlink(link);
	unlink(path);
	rmdir(folder);
}
