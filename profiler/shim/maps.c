/* maps.c: notes which object lay where calls came from, for the profiler to name the callers. */
/* SPDX-License-Identifier: MIT
 *
 * By /proc/self/maps, not by the loader, whose lock another thread may hold while it waits for this
 * one.
 */
#include "shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "shim/signal_guard.h"

/* Needs no lock: rows are only added. */
static int is_noted(uint64_t address)
{
	const struct chunk_header *chunk =
		__atomic_load_n(&shim_process->first_maps, __ATOMIC_ACQUIRE);
	uint64_t next;

	for (; chunk; chunk = (const struct chunk_header *)(uintptr_t)next) {
		const struct map_record *rows = (const struct map_record *)(chunk + 1);
		uint32_t used = __atomic_load_n(&chunk->used, __ATOMIC_ACQUIRE);

		next = __atomic_load_n(&chunk->next, __ATOMIC_ACQUIRE);
		for (uint32_t i = 0; i < used; i++)
			if (address >= rows[i].start && address < rows[i].end)
				return 1;
	}
	return 0;
}

/* A number of the line, and the character after it skipped. */
static uint64_t parse_number(const char **line, unsigned base)
{
	uint64_t number = 0;

	for (;; (*line)++) {
		char c = **line;
		unsigned digit = c >= '0' && c <= '9'	? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
							: base;

		if (digit >= base)
			break;
		number = number * base + digit;
	}
	if (**line)
		(*line)++;
	return number;
}

static void skip_word(const char **line)
{
	while (**line && **line != ' ')
		(*line)++;
	if (**line)
		(*line)++;
}

/* "start-end perms offset device inode   path" */
static void parse_line(const char *line, struct map_record *map)
{
	memset(map, 0, sizeof *map);
	map->start = parse_number(&line, 16);
	map->end = parse_number(&line, 16);
	skip_word(&line);
	map->offset = parse_number(&line, 16);
	skip_word(&line);
	map->inode = parse_number(&line, 10);
	while (*line == ' ')
		line++;
	strncpy(map->path, line, sizeof map->path - 1);
}

/* Where the next line ends in the text so far, which is read on as needed; NULL at the end of the
 * file. A line that is longer than the text is cut. */
struct line_reader {
	int fd;
	size_t used, taken;
	char text[4096];
};

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
		got = read(reader->fd, reader->text + reader->used,
			   sizeof reader->text - reader->used);
		if (got <= 0)
			return NULL;
		reader->used += (size_t)got;
	}
}

/* Some threads have less left of their stack than the reader takes. */
int maps_find(uint64_t address, struct map_record *map)
{
	static struct line_reader reader;
	int found = 0;
	char *line;

	reader.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	reader.used = reader.taken = 0;
	if (reader.fd < 0)
		return 0;
	while (!found && (line = next_line(&reader))) {
		parse_line(line, map);
		found = address >= map->start && address < map->end;
	}
	close(reader.fd);
	return found;
}

static struct map_record *new_record(void)
{
	struct chunk_header *chunk = shim_process->maps;

	if (!chunk || chunk->used == chunk_rows(chunk, sizeof(struct map_record))) {
		chunk = session_add_chunk(CHUNK_MAPS, 15 * sizeof(struct map_record));
		if (!chunk)
			return NULL;
		if (shim_process->maps)
			__atomic_store_n(&shim_process->maps->next, (uintptr_t)chunk,
					 __ATOMIC_RELEASE);
		else
			__atomic_store_n(&shim_process->first_maps, chunk, __ATOMIC_RELEASE);
		shim_process->maps = chunk;
	}
	return (struct map_record *)(chunk + 1) + chunk->used;
}

void maps_note(uint64_t address)
{
	struct map_record map, *record;
	int saved = errno;
	struct signal_guard guard;

	if (is_noted(address))
		return;
	signal_guard_begin(&guard);
	process_lock();
	if (!is_noted(address) && maps_find(address, &map) && (record = new_record())) {
		*record = map;
		__atomic_store_n(&shim_process->maps->used, shim_process->maps->used + 1,
				 __ATOMIC_RELEASE);
	}
	process_unlock();
	signal_guard_end(&guard);
	errno = saved;
}
