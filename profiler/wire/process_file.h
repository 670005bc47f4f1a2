/* process_file.h: one process's record file, mapped and checked. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_PROCESS_FILE_H
#define RECORD_PROCESS_FILE_H

#include <stddef.h>

#include "base/mapped_file.h"
#include "wire/layout.h"

struct process_file {
	const struct process_header *header;
	size_t bytes;
	size_t first_at[CHUNK_KINDS]; /* where the kind's first chunk begins; 0: there is none */
	size_t last_at[CHUNK_KINDS];
	int cut; /* 1: the file ends inside a chunk or holds something that is none */
	struct mapped_file *watch;
};

/* Maps a file of the session directory `directory`; -1 when it is no process record at all: then
 * file->cut is 1 where there was more of it. */
int process_file_open(struct process_file *file, int directory, const char *name);
void process_file_close(struct process_file *file);
/* 1 when part of the file was found to be missing or none of a record. */
int process_file_is_damaged(const struct process_file *file);

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
