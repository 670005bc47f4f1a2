/* process_file.h: one process's record file, read and checked. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_PROCESS_FILE_H
#define RECORD_PROCESS_FILE_H

#include <stddef.h>

#include "wire/layout.h"

struct process_file {
	const struct process_header *header; /* and what follows it; owned */
	size_t bytes;
	size_t first_at[CHUNK_KINDS]; /* where the kind's first chunk begins; 0: there is none */
	size_t last_at[CHUNK_KINDS];
	int cut; /* 1: a part is missing, or something in it is no record */
};

/* Reads a file of the session directory `directory`; -1 when it is no process record at all: then
 * file->cut is 1 where there was more of it. */
int process_file_open(struct process_file *file, int directory, const char *name);
void process_file_close(struct process_file *file);
/* Its header alone; -1 when it is no process record. */
int process_header_read(struct process_header *header, int directory, const char *name);

/* The rows of the next chunk of a kind, and how many, *count; NULL after the last that was there
 * when the file was opened. Start with *at = 0. Never more rows than the file holds. */
const void *process_file_rows(struct process_file *file, size_t *at, enum chunk_kind kind,
			      size_t row_bytes, size_t *count);

/* A place among the rows of a kind; start with zeros. */
struct row_cursor {
	size_t at, count, next; /* next: the row of the present chunk that comes next */
	const char *rows;
};
/* The next row of a kind, over all its chunks; NULL after the last. */
const void *process_file_next(struct process_file *file, struct row_cursor *cursor,
			      enum chunk_kind kind, size_t row_bytes);

#endif
