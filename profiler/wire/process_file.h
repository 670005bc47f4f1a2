/* process_file.h: one process's record file, mapped and checked. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_PROCESS_FILE_H
#define RECORD_PROCESS_FILE_H

#include <stddef.h>

#include "base/cut_file.h"
#include "wire/layout.h"

struct process_file {
	const struct process_header *header;
	size_t bytes;
	struct call_sums *sums; /* by thread serial, over all regions; collect_sums() makes it */
	size_t nsums;
	struct task_start *tasks; /* in order of tid; collect_sums() makes it as well */
	size_t ntasks;
	/* The shapes with calls, in order of key; collect_sums() makes this as well. */
	const struct shape_record **shapes;
	size_t nshapes;
	size_t first_at[CHUNK_KINDS]; /* where the kind's first chunk begins; 0: there is none */
	size_t last_at[CHUNK_KINDS];
	int cut; /* 1: the file ends inside a chunk or holds something that is none */
	struct cut_file *watch;
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

#endif
