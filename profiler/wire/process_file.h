/* process_file.h: reads and checks the record file of a process. */
/* SPDX-License-Identifier: MIT */
#ifndef WIRE_PROCESS_FILE_H
#define WIRE_PROCESS_FILE_H

#include <stddef.h>

#include "wire/layout.h"

struct process_file {
	const struct process_header *header; /* the whole file; owned */
	size_t bytes;
	struct {
		const struct chunk_header **rows;
		size_t count;
	} chunks[CHUNK_KINDS]; /* by kind; owned */
	int cut;	       /* 1: a part is missing or damaged */
};

/* Reads a file of the session directory `directory`. Returns 0, or -1 if it is not a process
 * record; then file->cut is 1 if it seems to be a damaged one. */
int process_file_open(struct process_file *file, int directory, const char *name);
void process_file_close(struct process_file *file);
/* Reads only the header. Returns 0, or -1 if it is not a process record. */
int process_header_read(struct process_header *header, int directory, const char *name);

/* Returns the rows of the next chunk of a kind and sets *count to their number, or returns NULL
 * after the last chunk. Start with *at = 0. The rows never exceed the file. */
const void *process_file_rows(const struct process_file *file, size_t *at, enum chunk_kind kind,
			      size_t row_bytes, size_t *count);

/* A position among the rows of a kind; start with zeros. */
struct row_cursor {
	size_t at, count, next; /* next: index in the present chunk */
	const char *rows;
};
/* Returns the next row of a kind, over all its chunks, or NULL after the last. */
const void *process_file_next(const struct process_file *file, struct row_cursor *cursor,
			      enum chunk_kind kind, size_t row_bytes);
/* Iterates over the rows of a kind; `row` is a pointer, NULL after the last. */
#define EACH_RECORD(row, file, kind)                                                               \
	for (struct row_cursor row##_at = {0};                                                     \
	     ((row) = process_file_next(file, &row##_at, kind, sizeof *(row)));)

#endif
