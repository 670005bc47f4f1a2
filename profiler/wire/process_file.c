/* process_file.c: reads a process's record file and walks its chunks, trusting nothing in it. */
/* SPDX-License-Identifier: MIT */
#include "wire/process_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The chunk at *at or after the empty pages there, which are kept for later ones; NULL at the end.
 * *at is then where the chunk ends. */
static const struct chunk_header *next_chunk(struct process_file *file, size_t *at, size_t *bytes)
{
	for (; *at < file->bytes; *at += LAYOUT_PAGE) {
		const struct chunk_header *chunk = (const void *)((const char *)file->header + *at);
		int whole = file->bytes - *at >= LAYOUT_PAGE;

		*bytes = whole ? chunk->bytes : 0;
		if (whole && !*bytes && !chunk->magic)
			continue;
		if (*bytes < LAYOUT_PAGE || *bytes % LAYOUT_PAGE || *bytes > file->bytes - *at ||
		    chunk->magic != CHUNK_MAGIC) {
			file->cut = 1;
			return NULL;
		}
		*at += *bytes;
		return chunk;
	}
	return NULL;
}

/* Notes where the chunks of each kind begin: most kinds have one, among a thousand of others. */
static void find_chunks(struct process_file *file)
{
	const struct chunk_header *chunk;
	size_t at = LAYOUT_PAGE, bytes;

	while ((chunk = next_chunk(file, &at, &bytes))) {
		uint32_t kind = chunk->kind;

		if (kind >= CHUNK_KINDS)
			continue;
		file->last_at[kind] = at - bytes;
		if (!file->first_at[kind])
			file->first_at[kind] = at - bytes;
	}
}

/* Opens the part of a file, 0 bytes where there is none. */
static int open_part(int directory, const char *where, const char *name, size_t *bytes)
{
	char path[300];
	struct stat status;
	int fd;

	snprintf(path, sizeof path, "%s%s", where, name);
	fd = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	*bytes = 0;
	if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode))
		*bytes = (size_t)status.st_size;
	return fd;
}

/* As much of `bytes` as there is; how much. */
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
	if (fd >= 0)
		close(fd);
	return failed ? -1 : 0;
}

/* The program may truncate the file meanwhile. */
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
	if (rows)
		file->bytes = read_part(fd, rows, bytes);
	if (rows && file->bytes == bytes && more >= 0)
		file->bytes += read_part(more, rows + bytes, more_bytes);
	/* it gets all its first pages at once */
	file->cut = fd >= 0 && (file->bytes < bytes + more_bytes || file->bytes < LAYOUT_PAGE);
	if (fd >= 0)
		close(fd);
	if (more >= 0)
		close(more);
	file->header = (struct process_header *)rows;
	if (file->bytes >= LAYOUT_PAGE && is_record(file->header)) {
		find_chunks(file);
		return 0;
	}
	file->cut |= file->bytes >= LAYOUT_PAGE && file->header->magic;
	process_file_close(file);
	return -1;
}

void process_file_close(struct process_file *file)
{
	free((void *)(uintptr_t)file->header);
	file->header = NULL;
}

const void *process_file_rows(struct process_file *file, size_t *at, enum chunk_kind kind,
			      size_t row_bytes, size_t *count)
{
	const struct chunk_header *chunk;
	size_t bytes, most, used;

	if (*at < file->first_at[kind])
		*at = file->first_at[kind];
	while (file->first_at[kind] && *at <= file->last_at[kind]) {
		chunk = next_chunk(file, at, &bytes);
		if (!chunk)
			return NULL;
		if (chunk->kind != (uint32_t)kind)
			continue;
		most = (bytes - sizeof *chunk) / row_bytes;
		used = chunk->used;
		*count = used < most ? used : most;
		return chunk + 1;
	}
	return NULL;
}

const void *process_file_next(struct process_file *file, struct row_cursor *cursor,
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
