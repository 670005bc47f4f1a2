/* maps.c: notes which object is mapped where calls come from, so that the profiler can name the
 * callers. */
/* SPDX-License-Identifier: MIT
 *
 * Reads /proc/self/maps instead of asking the loader: another thread may hold the loader's lock
 * while it waits for this one.
 */
#include "shim/shim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "shim/signal_guard.h"
#include "wire/files.h"

static int is_noted(uint64_t address)
{
	const struct map_record *row;
	struct row_cursor at = {0};

	while ((row = row_list_next(CHUNK_MAPS, &at, sizeof *row)))
		if (address >= row->start && address < row->end)
			return 1;
	return 0;
}

static char *after_word(char *text)
{
	text += strspn(text, " ");
	return text + strcspn(text, " ");
}

struct line_reader {
	int fd;
	size_t used, taken;
	char text[4096];
};

/* Returns the next line, or NULL at the end of the file. A line that is longer than the buffer is
 * cut. */
static char *next_line(struct line_reader *reader)
{
	for (;;) {
		char *line = reader->text + reader->taken;
		char *end = memchr(line, '\n', reader->used - reader->taken);
		ssize_t got;

		if (end) {
			*end = '\0';
			reader->taken = (size_t)(end + 1 - reader->text);
			return line;
		}
		memmove(reader->text, line, reader->used - reader->taken);
		reader->used -= reader->taken;
		reader->taken = 0;
		if (reader->used == sizeof reader->text)
			reader->used /= 2;
		got = file_read(reader->fd, reader->text + reader->used,
				sizeof reader->text - reader->used);
		if (got <= 0)
			return NULL;
		reader->used += (size_t)got;
	}
}

int maps_find(uint64_t address, struct map_record *map)
{
	static struct line_reader reader; /* the stacks of some threads have no room for it */
	int found = 0;
	char *line;

	reader.fd = file_open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	reader.used = reader.taken = 0;
	if (reader.fd < 0)
		return 0;
	while (!found && (line = next_line(&reader))) {
		/* "start-end perms offset device inode   path" */
		memset(map, 0, sizeof *map);
		map->start = strtoull(line, &line, 16);
		map->end = strtoull(line + (*line == '-'), &line, 16);
		map->offset = strtoull(after_word(line), &line, 16);
		map->inode = strtoull(after_word(line), &line, 10);
		strncpy(map->path, line + strspn(line, " "), sizeof map->path - 1);
		found = address >= map->start && address < map->end;
	}
	file_close(reader.fd);
	return found;
}

void maps_note(uint64_t address)
{
	struct map_record map, *row;

	if (is_noted(address))
		return;
	LOCK_PROCESS;
	if (!is_noted(address) && maps_find(address, &map) &&
	    (row = row_list_add(CHUNK_MAPS, sizeof *row))) {
		*row = map;
		row_list_commit(CHUNK_MAPS);
	}
}
