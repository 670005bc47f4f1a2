/* jit_map.c: names addresses in code made at run time, by perf map files and the program's records.
 */
/* SPDX-License-Identifier: MIT */
#include "symbols/jit_map.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/machine_files.h"

/* Each foreign /tmp keeps a descriptor open. */
enum { DIRECTORIES_MAX = 64, FIRST_ROOM = 65536, NAME_MAX_BYTES = 500 };

static const struct jit_process *find_process(const struct jit_processes *processes, uint32_t pid)
{
	for (size_t i = processes->count; i-- > 0;)
		if (processes->rows[i].pid == pid)
			return &processes->rows[i];
	return NULL;
}

/* The process's /tmp, where it is another than here; else -1. */
static int open_directory(uint32_t pid)
{
	struct stat here, there;
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/proc/%u/root/tmp", pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &there) && !stat("/tmp", &here) &&
	    (here.st_dev != there.st_dev || here.st_ino != there.st_ino))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int jit_process_watch(struct jit_processes *processes, uint32_t pid)
{
	char status[64], value[256];
	struct jit_process *process;
	unsigned int effective;

	if (find_process(processes, pid))
		return 0;
	process = array_add(&processes->rows, &processes->count, sizeof *process);
	if (!process)
		return -1;
	*process = (struct jit_process){pid, pid, geteuid(), -1};
	snprintf(status, sizeof status, "/proc/%u/status", pid);
	/* "NSpid: 4711 12": the last number is that of the innermost namespace */
	if (!machine_read_field("", status, "NSpid", value, sizeof value)) {
		const char *last = strrchr(value, '\t');
		unsigned long inner = strtoul(last ? last : value, NULL, 10);

		if (inner)
			process->inner_pid = (uint32_t)inner;
	}
	/* "Uid: real effective saved file-system" */
	if (!machine_read_field("", status, "Uid", value, sizeof value) &&
	    sscanf(value, "%*u %u", &effective) == 1)
		process->owner = effective;
	if (processes->count <= DIRECTORIES_MAX)
		process->directory = open_directory(pid);
	return 0;
}

void jit_processes_free(struct jit_processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->rows[i].directory >= 0)
			close(processes->rows[i].directory);
	free(processes->rows);
	memset(processes, 0, sizeof *processes);
}

FILE *jit_map_open(const struct jit_processes *processes, uint32_t pid, int64_t since_ns,
		   const char **why)
{
	const struct jit_process unknown = {pid, pid, geteuid(), -1};
	const struct jit_process *process = find_process(processes, pid);
	struct stat status;
	FILE *file = NULL;
	char name[64];
	int fd;

	process = process ? process : &unknown;
	snprintf(name, sizeof name, "%sperf-%u.map", process->directory < 0 ? "/tmp/" : "",
		 process->inner_pid);
	*why = "";
	fd = openat(process->directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		*why = "it is no regular file";
	else if (status.st_uid != process->owner && status.st_uid != 0)
		*why = "it belongs to another user than the process";
	else if ((int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec < since_ns)
		*why = "it is older than the process";
	else
		*why = NULL;
	if (!*why)
		file = fdopen(fd, "re");
	if (!file)
		close(fd);
	return file;
}

/* The file, or its first JIT_MAP_MAX_BYTES; the caller frees it. NULL when memory is out. */
static char *read_text(FILE *file, size_t *size, int *cut)
{
	size_t room = FIRST_ROOM, got;
	char *text = malloc(room), *grown;

	*size = 0;
	while (text && (got = fread(text + *size, 1, room - *size, file)) > 0) {
		*size += got;
		if (*size < room)
			continue;
		*cut = room >= JIT_MAP_MAX_BYTES;
		if (*cut)
			break;
		room *= 2;
		grown = realloc(text, room);
		if (!grown)
			free(text);
		text = grown;
	}
	return text;
}

/* The hexadecimal number at *at: at most 16 digits, 0x before them, and a blank after them. -1
 * where there is none. */
static int read_hex(const char **at, const char *end, uint64_t *number)
{
	int digits = 0;

	if (end - *at > 2 && (*at)[0] == '0' && ((*at)[1] | 0x20) == 'x')
		*at += 2;
	for (*number = 0; *at < end && digits <= 16; ++*at, digits++) {
		char c = **at;
		int value = c >= '0' && c <= '9'		     ? c - '0'
			    : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
								     : -1;
		if (value < 0)
			break;
		*number = *number << 4 | (uint64_t)value;
	}
	if (!digits || digits > 16 || *at >= end || **at != ' ')
		return -1;
	++*at;
	return 0;
}

/* A line, or a code, that covers the addresses numbered first to last - 1. */
struct piece {
	size_t first, last;
	const char *name; /* not terminated */
	size_t length;
};

/* The addresses that lie in this code. */
static struct piece cover(const struct jit_address *addresses, size_t count, uint64_t start,
			  uint64_t bytes)
{
	return (struct piece){
		.first = ARRAY_BOUND(count, i, addresses[i].address < start),
		.last = ARRAY_BOUND(count, i, addresses[i].address < start + bytes),
	};
}

/* Lists the lines that cover an address. A line without a line feed is truncated, name and all. */
static int list_pieces(const char *text, size_t size, const struct jit_address *addresses,
		       size_t count, struct piece **pieces, size_t *npieces,
		       struct jit_map_lines *lines)
{
	const char *end, *stop = text + size;

	for (const char *at = text; at < stop; at = end + 1) {
		uint64_t start, bytes;
		struct piece piece, *row;

		end = memchr(at, '\n', (size_t)(stop - at));
		if (!end) {
			lines->bad++;
			break;
		}
		if (read_hex(&at, end, &start) || read_hex(&at, end, &bytes) || !bytes ||
		    start + bytes < start || at == end || memchr(at, '\0', (size_t)(end - at))) {
			lines->bad++;
			continue;
		}
		lines->good++;
		piece = cover(addresses, count, start, bytes);
		piece.name = at;
		piece.length = (size_t)(end - at);
		if (piece.first == piece.last)
			continue;
		row = array_add(pieces, npieces, sizeof *row);
		if (!row)
			return -1;
		*row = piece;
	}
	return 0;
}

/* Names each address by the last piece that covers it. next[] leads from an address that has its
 * name to the next that may have none, so that pieces that cover each other cost no more time. */
static int give_names(const struct piece *pieces, size_t npieces, struct jit_address *addresses,
		      size_t count)
{
	size_t *next = malloc((count + 1) * sizeof *next);

	if (!next)
		return -1;
	for (size_t i = 0; i <= count; i++)
		next[i] = i;
	for (size_t p = npieces; p-- > 0;) {
		const struct piece *piece = &pieces[p];
		size_t length = piece->length < NAME_MAX_BYTES ? piece->length : NAME_MAX_BYTES;

		for (size_t i = piece->first;; i++) {
			while (next[i] != i) {
				next[i] = next[next[i]];
				i = next[i];
			}
			if (i >= piece->last)
				break;
			if (!addresses[i].function)
				addresses[i].function = strndup(piece->name, length);
			next[i] = i + 1;
		}
	}
	free(next);
	return 0;
}

int jit_codes_name(const struct jit_processes *processes, uint32_t pid,
		   struct jit_address *addresses, size_t count)
{
	struct piece *pieces = NULL, piece, *row;
	size_t npieces = 0;
	int failed = 0;

	for (size_t i = 0; i < processes->ncodes && !failed; i++) {
		const struct jit_code *code = &processes->codes[i];

		if (code->pid != pid || code->start + code->bytes < code->start)
			continue;
		piece = cover(addresses, count, code->start, code->bytes);
		piece.name = code->name;
		piece.length = strlen(code->name);
		if (piece.first == piece.last)
			continue;
		row = array_add(&pieces, &npieces, sizeof *row);
		failed = !row;
		if (row)
			*row = piece;
	}
	failed = failed || give_names(pieces, npieces, addresses, count);
	free(pieces);
	return failed ? -1 : 0;
}

int jit_map_name(FILE *file, struct jit_address *addresses, size_t count,
		 struct jit_map_lines *lines)
{
	struct piece *pieces = NULL;
	size_t npieces = 0, size;
	char *text;
	int failed = -1;

	memset(lines, 0, sizeof *lines);
	text = read_text(file, &size, &lines->cut);
	if (text && !list_pieces(text, size, addresses, count, &pieces, &npieces, lines))
		failed = give_names(pieces, npieces, addresses, count);
	free(pieces);
	free(text);
	return failed;
}
