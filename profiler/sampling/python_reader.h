/* python_reader.h: reads which Python functions the threads of the program are in, from outside and
 * without stopping them. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_PYTHON_READER_H
#define SAMPLING_PYTHON_READER_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/ring.h"
#include "symbols/address_table.h"

/* Symbols of CPython in its program or library. Addresses are those of the file; the address in a
 * process is larger by (address of a mapping - to_address - its offset in the file). */
struct python_file {
	uint32_t version;	       /* PY_VERSION_HEX >> 16; 0 if the file is not CPython */
	uint64_t runtime, code_type;   /* _PyRuntime, PyCode_Type */
	uint64_t eval_start, eval_end; /* offsets of the function that runs Python code */
	uint64_t to_address;	       /* address of a symbol - offset in the file */
};

/* Reads the open file of this name. The version is 0 if it is not CPython, or has no symbols. */
struct python_file python_file_read(int fd, const char *name);

struct python_reader;

enum { PYTHON_DEPTH_MAX = 128 };

/* The frames of one thread, as a record like those of perf_event. */
#define PYTHON_RECORD (UINT32_MAX - 1)
struct python_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint32_t whole;	   /* 1 if the last place is where the Python code of the thread begins */
	uint32_t count;	   /* 0 if the thread runs no Python code */
	uint32_t places[]; /* numbers, innermost first */
};

/* Reads all Python threads every period_ns, or less often if that would take over 1 % of a CPU. The
 * reading thread starts with the first process. */
struct python_reader *python_reader_new(int64_t period_ns);
void python_reader_free(struct python_reader *reader);

/* Reads the threads of the process from now on, until it ends; reads it anew if it was known.
 * `bias` is the difference between addresses of the process and of the file. */
void python_reader_watch(struct python_reader *reader, uint32_t pid, const struct python_file *file,
			 uint64_t bias);
/* Returns why some process could not be read, or NULL. */
const char *python_reader_complaint(const struct python_reader *reader);

/* Moves what was read to the records. (*addresses)[] has the number in the address table of each of
 * the *count places known so far; new ones are added. Returns -1 when memory is out. */
int python_reader_take(struct python_reader *reader, struct ring_buffer *records,
		       struct address_table *table, uint32_t **addresses, size_t *count);

#endif
