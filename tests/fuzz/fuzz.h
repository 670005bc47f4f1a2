/* fuzz.h: readers that are fuzzed register themselves, and share files, bytes taken apart and
 * reports. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "report/report.h"

/* FUZZ(name) { ... } reads `size' bytes at `data'. The environment variable FUZZ_READER chooses the
 * one that the program runs. */
#define FUZZ(name)                                                                                 \
	static void name##_read(const uint8_t *data, size_t size);                                 \
	__attribute__((constructor)) static void name##_add(void)                                  \
	{                                                                                          \
		fuzz_add(#name, name##_read);                                                      \
	}                                                                                          \
	static void name##_read(const uint8_t *data, size_t size)

void fuzz_add(const char *name, void (*read)(const uint8_t *data, size_t size));

/* Has the chosen reader read the bytes; libFuzzer's name. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A private directory in memory, the same for all inputs, removed at exit. */
const char *fuzz_directory(void);
/* Makes the file of that directory ("a" or "a/b"; folders are made) hold the bytes. */
void fuzz_write(const char *name, const void *data, size_t size);
/* Its path; lasts until the next call. */
const char *fuzz_path(const char *name);

/* What is left of an input. Beyond its end there are zeros. */
struct fuzz_bytes {
	const uint8_t *data;
	size_t left;
};
uint64_t fuzz_number(struct fuzz_bytes *bytes, size_t count); /* up to 8, the lowest first */
void fuzz_text(struct fuzz_bytes *bytes, char *text, size_t size);

/* Builds the report on the runs, writes it in every format and table, and ends the program where a
 * character comes out that is no text. */
void fuzz_report(const struct run *runs, size_t count);
/* The same check on one text, which the caller keeps. */
void fuzz_check_text(const char *text, size_t size);

#endif
