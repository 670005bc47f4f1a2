/* python_reader.h: reads which Python functions the program's threads are in, from outside and
 * without stopping them. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_PYTHON_READER_H
#define SAMPLING_PYTHON_READER_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/ring.h"
#include "symbols/address_table.h"

/* Addresses are those of the file's symbols; add what is mapped address less `to_address` less
 * offset in the file. */
struct python_file {
	uint32_t version;	       /* as PY_VERSION_HEX >> 16; 0: it is no CPython */
	uint64_t runtime, code_type;   /* _PyRuntime, PyCode_Type */
	uint64_t eval_start, eval_end; /* offsets of the function that runs Python code */
	uint64_t to_address;	       /* from such an offset to an address */
};

/* Reads the open file of this name. Its version is 0 where it is none, or has no symbols. */
struct python_file python_file_read(int fd, const char *name);

struct python_reader;

enum { PYTHON_DEPTH_MAX = 128 };

/* A read, as a record beside those of perf_event; it ends as they do. */
#define PYTHON_RECORD (UINT32_MAX - 1)
struct python_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint32_t whole;	   /* 1: the last place is where the thread's Python begins */
	uint32_t count;	   /* 0: it runs no Python code */
	uint32_t places[]; /* numbers, innermost first */
};

/* Reads all Python threads once in period_ns, or less often where that would take over 1 % of a
 * CPU. The thread that reads starts with the first process. */
struct python_reader *python_reader_new(int64_t period_ns);
void python_reader_free(struct python_reader *reader);

/* From now on the process's threads are read, until it ends; anew where it was read before. `bias`:
 * from the file's addresses to the process's. */
void python_reader_watch(struct python_reader *reader, uint32_t pid, const struct python_file *file,
			 uint64_t bias);
/* Why some process could not be read; NULL: all were. */
const char *python_reader_complaint(const struct python_reader *reader);

/* Moves the reads to the records. (*addresses)[] are the numbers in the table of the *count places
 * that are known; new ones are added. -1 when memory is out. */
int python_reader_take(struct python_reader *reader, struct ring_buffer *records,
		       struct address_table *table, uint32_t **addresses, size_t *count);

#endif
