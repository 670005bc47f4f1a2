/* process_file.c: reads the record file of a process and its chunks, without trusting them. */
/* SPDX-License-Identifier: MIT */
#include "wire/process_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/machine_files.h"
#include "base/memory.h"
#include "wire/files.h"

#define HOLES_BYTES (1 << 30)
#define HOLES_PART  16

/* Lists the chunks by kind, up to the first that is not sound. There may be empty pages between
 * them. */
static void list_chunks(struct process_file *file)
{
	size_t at = LAYOUT_PAGE;

	while (file->bytes - at >= LAYOUT_PAGE) {
		const struct chunk_header *chunk = (const void *)((const char *)file->header + at);
		int is_empty = !chunk->bytes && !chunk->magic;
		size_t bytes = is_empty ? LAYOUT_PAGE : chunk->bytes;

		if (bytes < LAYOUT_PAGE || bytes % LAYOUT_PAGE || bytes > file->bytes - at ||
		    (!is_empty && chunk->magic != CHUNK_MAGIC))
			break;
		at += bytes;
		if (!is_empty && chunk->kind < CHUNK_KINDS)
			memory_append(&file->chunks[chunk->kind].rows,
				      &file->chunks[chunk->kind].count, sizeof chunk, &chunk);
	}
	file->cut |= at < file->bytes;
}

/* Returns 1 unless the file is large and nearly all holes. The preload library allocates all pages
 * of a record; a file system that compresses may need fewer. */
static int is_allocated(const struct stat *status)
{
	return status->st_size < HOLES_BYTES ||
	       status->st_size / HOLES_PART / 512 <= status->st_blocks;
}

/* Opens a part of a record and sets *bytes to its size, 0 if it cannot be one. Returns a descriptor
 * or -1. */
static int open_part(int directory, const char *where, const char *name, size_t *bytes)
{
	int fd = openat(directory, PATH("%s%s", where, name),
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;

	*bytes = 0;
	if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) && is_allocated(&status))
		*bytes = (size_t)status.st_size;
	return fd;
}

/* Reads up to `bytes` bytes. Returns how many there were. */
static size_t read_part(int fd, char *to, size_t bytes)
{
	size_t all = 0;
	ssize_t got = 1;

	while (all < bytes && got > 0) {
		got = read(fd, to + all, bytes - all);
		all += got > 0 ? (size_t)got : 0;
	}
	return all;
}

static int is_record(const struct process_header *header)
{
	return header->magic == PROCESS_MAGIC && header->version == LAYOUT_VERSION;
}

int process_header_read(struct process_header *header, int directory, const char *name)
{
	size_t bytes;
	int fd = open_part(directory, "", name, &bytes), failed = fd < 0;

	failed = failed || read_part(fd, (char *)header, sizeof *header) < sizeof *header ||
		 !is_record(header);
	file_close(fd);
	return failed ? -1 : 0;
}

int process_file_open(struct process_file *file, int directory, const char *name)
{
	size_t bytes, more_bytes = 0;
	int fd = open_part(directory, "", name, &bytes), more = -1;
	char *rows = NULL;

	memset(file, 0, sizeof *file);
	if (fd >= 0 && bytes % LAYOUT_PAGE == 0)
		more = open_part(directory, SESSION_MORE, name, &more_bytes);
	if (bytes + more_bytes >= LAYOUT_PAGE)
		rows = aligned_alloc(LAYOUT_PAGE, (bytes + more_bytes + LAYOUT_PAGE - 1) /
							  LAYOUT_PAGE * LAYOUT_PAGE);
	if (rows) /* which may be less than `bytes` by now: the program may truncate the file */
		file->bytes = read_part(fd, rows, bytes);
	if (rows && file->bytes == bytes && more >= 0)
		file->bytes += read_part(more, rows + bytes, more_bytes);
	/* a file is never shorter than a page: the shim allocates its first pages at once */
	file->cut = fd >= 0 && (file->bytes < bytes + more_bytes || file->bytes < LAYOUT_PAGE);
	file_close(fd);
	file_close(more);
	file->header = (struct process_header *)rows;
	if (file->bytes < LAYOUT_PAGE || !is_record(file->header)) {
		file->cut |= file->bytes >= LAYOUT_PAGE && file->header->magic;
		process_file_close(file);
		return -1;
	}
	list_chunks(file);
	return 0;
}

void process_file_close(struct process_file *file)
{
	for (int i = 0; i < CHUNK_KINDS; i++)
		free(file->chunks[i].rows);
	memset(file->chunks, 0, sizeof file->chunks);
	free((void *)(uintptr_t)file->header);
	file->header = NULL;
}

const void *process_file_rows(const struct process_file *file, size_t *at, enum chunk_kind kind,
			      size_t row_bytes, size_t *count)
{
	const struct chunk_header *chunk;
	size_t most;

	if (*at == file->chunks[kind].count)
		return NULL;
	chunk = file->chunks[kind].rows[(*at)++];
	most = (chunk->bytes - sizeof *chunk) / row_bytes;
	*count = chunk->used < most ? chunk->used : most;
	return chunk + 1;
}

const void *process_file_next(const struct process_file *file, struct row_cursor *cursor,
			      enum chunk_kind kind, size_t row_bytes)
{
	while (cursor->next == cursor->count) {
		cursor->next = cursor->count = 0;
		cursor->rows =
			process_file_rows(file, &cursor->at, kind, row_bytes, &cursor->count);
		if (!cursor->rows)
			return NULL;
	}
	return cursor->rows + row_bytes * cursor->next++;
}
