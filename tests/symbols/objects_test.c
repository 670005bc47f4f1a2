/* objects_test.c: object files that are truncated, damaged or hostile, and separate debug files. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/symbols.h"
#include "tests/sampling/launcher.h"
#include "tests/scratch.h"
#include "tests/unit.h"

static char folder[1024], copy[1056]; /* the test's own directory, and a file in it */
static char bytes[1 << 16];	      /* of LIBBURN */
static size_t size;
static uint64_t burn_shared;

static void run_tool(const char *format, const char *a, const char *b)
{
	char command[1024];

	snprintf(command, sizeof command, format, a, b);
	ck_assert_msg(!system(command), "%s", command);
}

/* Finds the file offset of burn_shared(), which is its address in the library. */
static void find_burn_shared(void)
{
	void *library = dlopen(LIBBURN, RTLD_NOW), *function;
	Dl_info info;

	ck_assert_ptr_nonnull(library);
	function = dlsym(library, "burn_shared");
	ck_assert_int_ne(dladdr(function, &info), 0);
	burn_shared = (uint64_t)((char *)function - (char *)info.dli_fbase);
}

static void setup(void)
{
	FILE *file = fopen(LIBBURN, "re");

	ck_assert_ptr_nonnull(file);
	size = fread(bytes, 1, sizeof bytes, file);
	ck_assert(feof(file));
	fclose(file);
	unsetenv("DEBUGINFOD_URLS");
	scratch_enter();
	ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
	snprintf(copy, sizeof copy, "%s/lib.so", folder);
	find_burn_shared();
}

/* Finds a frame with a name for every 16th byte of the copy. Returns the complaint. */
static const char *name_all(void)
{
	struct symbols *symbols = symbols_open(&(struct object){.path = copy}, 0, 0);
	struct symbol_frame frames[SYMBOL_FRAMES_MAX];
	const char *complaint;

	ck_assert_ptr_nonnull(symbols);
	for (uint64_t at = 0; at < 0x2000; at += 16) {
		size_t count = symbols_frames(symbols, at, frames, SYMBOL_FRAMES_MAX);

		ck_assert_uint_ge(count, 1);
		for (size_t i = 0; i < count; i++)
			ck_assert_ptr_nonnull(frames[i].function);
	}
	complaint = symbols_complaint(symbols);
	symbols_close(symbols);
	return complaint;
}

FIXTURE(setup, scratch_leave)

TEST(files_cut_off)
{
	for (size_t length = 0; length < size; length += length < 128 ? 1 : size / 61) {
		scratch_file(copy, bytes, length);
		ck_assert_msg(name_all() != NULL, "%zu of %zu bytes", length, size);
	}
	scratch_file(copy, bytes, size);
	ck_assert_ptr_null(name_all());
}

/* Random damage, half of it in the headers; the same in every run. */
TEST(damaged_files)
{
	static char damaged[sizeof bytes];

	srandom(7);
	for (int round = 0; round < 400; round++) {
		size_t reach = round % 2 ? size : 0x400;

		memcpy(damaged, bytes, size);
		for (long i = random() % 8; i >= 0; i--)
			damaged[(size_t)random() % reach] = (char)random();
		scratch_file(copy, damaged, size);
		name_all();
	}
}

static const struct {
	size_t at;
	unsigned char bytes[8];
	size_t count;
} headers[] = {
	{offsetof(Elf64_Ehdr, e_phoff), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 8},
	{offsetof(Elf64_Ehdr, e_shoff), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 8},
	{offsetof(Elf64_Ehdr, e_phentsize), {1, 0}, 2},
	{offsetof(Elf64_Ehdr, e_phnum), {0xfe, 0xff}, 2},
	{offsetof(Elf64_Ehdr, e_shnum), {0xff, 0xfe}, 2},
};

TEST_EACH(headers_beyond_the_end, COUNT(headers))
{
	memcpy(bytes + headers[_i].at, headers[_i].bytes, headers[_i].count);
	scratch_file(copy, bytes, size);
	ck_assert_ptr_nonnull(name_all());
}

/* Damaged sections with valid segments: the program runs, but there are no names. */
TEST(sections_beyond_the_end)
{
	Elf64_Ehdr header;

	memcpy(&header, bytes, sizeof header);
	memset(bytes + header.e_shoff, 0x5a, size - header.e_shoff);
	scratch_file(copy, bytes, size);
	ck_assert_ptr_nonnull(name_all());
}

TEST(complaints)
{
	static const struct {
		const char *path, *says;
	} wrong[] = {
		{"/nowhere/lib.so", "no longer exists"},
		{"/etc", "not a regular file"},
		{"/dev/null", "not a regular file"},
		{"/etc/passwd", "not an ELF file"},
	};
	const char *complaint;

	for (int i = 0; i < COUNT(wrong); i++) {
		int fd =
			object_open(&(struct object){.path = (char *)wrong[i].path}, 0, &complaint);

		ck_assert_ptr_nonnull(complaint);
		ck_assert_has(complaint, wrong[i].says);
		if (fd >= 0)
			close(fd);
	}
}

/* Expects burn_shared(), and its line if has_line. */
static void expect_frame(const char *path, int has_line)
{
	struct symbols *symbols = symbols_open(&(struct object){.path = (char *)path}, 0, 0);
	struct symbol_frame frame;

	ck_assert_uint_eq(symbols_frames(symbols, burn_shared + 32, &frame, 1), 1);
	ck_assert_str_eq(frame.function, "burn_shared");
	ck_assert_int_eq(frame.file != NULL, has_line);
	ck_assert_int_eq(frame.line > 0, has_line);
	ck_assert(!has_line || strstr(frame.file, "libburn.c"));
	symbols_close(symbols);
}

/* Makes a stripped copy, and its debug file beside it, which .gnu_debuglink names. */
static void split_debug_file(void)
{
	run_tool("objcopy --only-keep-debug %s %s.debug", LIBBURN, copy);
	run_tool("objcopy --strip-all --add-gnu-debuglink=%2$s.debug %1$s %2$s", LIBBURN, copy);
}

TEST(separate_debug_file)
{
	split_debug_file();
	expect_frame(copy, 1);
	expect_frame(LIBBURN, 1);
	run_tool("rm %s.debug%s", copy, "");
	ck_assert_ptr_null(name_all());
}

/* Debug information of another build is ignored, as its checksum is wrong. */
TEST(foreign_debug_file)
{
	split_debug_file();
	run_tool("objcopy --remove-section=.note.gnu.build-id %s%s", copy, "");
	run_tool("objcopy --only-keep-debug --remove-section=.note.gnu.build-id %s %s.debug", BURN,
		 copy);
	expect_frame(copy, 0); /* the name is from .dynsym */
}

/* FIFOs in place of debug files do not block. */
TEST(fifos_are_passed_over)
{
	char path[1088];

	run_tool("strip -o %2$s %1$s", LIBBURN, copy);
	snprintf(path, sizeof path, "%s.debug", copy);
	ck_assert_int_eq(mkfifo(path, 0666), 0);
	expect_frame(copy, 0);
	run_tool("objcopy --only-keep-debug %s %s", LIBBURN, "real");
	run_tool("objcopy --add-gnu-debuglink=%2$s %1$s && rm %2$s && mkfifo %2$s", copy, "real");
	expect_frame(copy, 0);
	ck_assert_int_eq(mkfifo("[vdso].debug", 0666), 0);
	symbols_close(symbols_open(&(struct object){.path = (char *)"[vdso]"}, 0, 0));
}

/* Nor does a FIFO in place of a .dwo file. */
TEST(fifos_for_dwo_files)
{
	char program[1088];

	snprintf(program, sizeof program, "%s/program", folder);
	run_tool("echo 'int main(void) { return 0; }' >main.c && "
		 "cc -g -gsplit-dwarf -c main.c && cc -g -gsplit-dwarf -o %s%s main.o && "
		 "rm main.dwo && mkfifo main.dwo",
		 program, "");
	symbols_close(symbols_open(&(struct object){.path = program}, 0, 0));
}

/* A matching debug file is ignored if another user than the object's owner owns it. */
TEST(debug_files_of_others)
{
	char path[1088];

	if (geteuid())
		return;
	split_debug_file();
	snprintf(path, sizeof path, "%s.debug", copy);
	ck_assert_int_eq(chown(path, 65534, 65534), 0);
	expect_frame(copy, 0);
	ck_assert_int_eq(chown(copy, 65534, 65534), 0);
	expect_frame(copy, 1);
}

#ifndef __SANITIZE_ADDRESS__ /* which ends the program if an allocation fails */
/* Writes a zlib stream of zeros: length codes of 258 bytes each, in 13 bits. */
static size_t write_zeros(unsigned char *out, uint64_t count)
{
	/* zlib's header; a last block with fixed codes, 110; the literal 0, 00110000 */
	static const unsigned char head[] = {0x78, 0x01, 0x03 | 0x60};
	size_t bit = 8 * sizeof head + 3;

	memcpy(out, head, sizeof head);
	for (uint64_t i = 0; i < count / 258; i++, bit += 13)
		for (int j = 0; j < 8; j++) /* length code 285: 11000101, distance code 0: 00000 */
			out[(bit + (size_t)j) / 8] |=
				(unsigned char)((0xc5 >> (7 - j) & 1) << (bit + (size_t)j) % 8);
	return bit / 8 + 64;
}

/* Debug sections that grow two hundredfold when unpacked are ignored. */
TEST(sections_that_grow)
{
	const uint64_t grown = UINT64_C(1) << 30;
	size_t packed, room = grown / 258 * 2 + 4096;
	char *hostile = calloc(1, size + room);
	Elf64_Chdr head = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = grown, .ch_addralign = 1};
	struct rusage usage;
	Elf64_Ehdr header;
	Elf64_Shdr names;

	memcpy(hostile, bytes, size);
	memcpy(&header, bytes, sizeof header);
	memcpy(hostile + size, &head, sizeof head);
	packed = write_zeros((unsigned char *)hostile + size + sizeof head, grown);
	memcpy(&names, bytes + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
	for (unsigned int i = 1; i < header.e_shnum; i++) {
		char *at = hostile + header.e_shoff + i * sizeof(Elf64_Shdr);
		Elf64_Shdr section;

		memcpy(&section, at, sizeof section);
		if (strncmp(bytes + names.sh_offset + section.sh_name, ".debug_", 7))
			continue;
		section.sh_flags |= SHF_COMPRESSED;
		section.sh_offset = size;
		section.sh_size = sizeof head + packed;
		memcpy(at, &section, sizeof section);
	}
	scratch_file(copy, hostile, size + sizeof head + packed);
	free(hostile);
	expect_frame(copy, 0);
	getrusage(RUSAGE_SELF, &usage);
	ck_assert_int_lt(usage.ru_maxrss, 500 << 10);
}
#endif
