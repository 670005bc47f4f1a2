/* jit_map.c: names code made at run time from perf map files and the preload library's records. */
/* SPDX-License-Identifier: MIT */
#include "symbols/jit_map.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "wire/files.h"

enum {
	DIRECTORIES_MAX = 64, /* open descriptors of other processes' /tmp */
	NAME_MAX_BYTES = 500
};

static const struct jit_process *find_process(const struct jit_processes *processes, uint32_t pid)
{
	for (size_t i = processes->count; i-- > 0;)
		if (processes->rows[i].pid == pid)
			return &processes->rows[i];
	return NULL;
}

/* Opens the process's /tmp if it is not ours; else returns -1. */
static int open_directory(uint32_t pid)
{
	int fd = open(PATH("/proc/%u/root/tmp", pid), O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat here, there;

	if (fd >= 0 && !fstat(fd, &there) && !stat("/tmp", &here) &&
	    (here.st_dev != there.st_dev || here.st_ino != there.st_ino))
		return fd;
	file_close(fd);
	return -1;
}

void jit_process_watch(struct jit_processes *processes, uint32_t pid)
{
	const char *status = PATH("/proc/%u/status", pid);
	struct jit_process *process;
	char value[256];
	unsigned int effective;
	int64_t inner;

	if (find_process(processes, pid))
		return;
	process = memory_add(&processes->rows, &processes->count, sizeof *process);
	*process = (struct jit_process){pid, pid, geteuid(), -1};
	inner = machine_read_last(status, "NSpid");
	if (inner)
		process->inner_pid = (uint32_t)inner;
	/* "Uid: real effective saved file-system" */
	if (!machine_read_field("", status, "Uid", value, sizeof value) &&
	    sscanf(value, "%*u %u", &effective) == 1)
		process->owner = effective;
	if (processes->count <= DIRECTORIES_MAX)
		process->directory = open_directory(pid);
}

void jit_processes_free(struct jit_processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		file_close(processes->rows[i].directory);
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
	int fd;

	process = process ? process : &unknown;
	*why = "";
	fd = openat(
		process->directory,
		PATH("%sperf-%u.map", process->directory < 0 ? "/tmp/" : "", process->inner_pid),
		O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		*why = "it is not a regular file";
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

/* Reads the hexadecimal number and the blank at *at. Returns -1 if there is none. */
static int read_hex(char **at, uint64_t *number)
{
	char *start = *at;

	errno = 0;
	*number = strtoull(start, at, 16);
	if (!isxdigit((unsigned char)*start) || errno || **at != ' ')
		return -1;
	++*at;
	return 0;
}

/* Addresses that get names from the last code to the first, as the last one counts. next[] links an
 * address that was named to the next one that may not be, so that overlapping codes take no extra
 * time. */
struct namer {
	struct named_address *addresses;
	size_t count, *next;
};

static struct namer namer_new(struct named_address *addresses, size_t count)
{
	struct namer namer = {addresses, count, memory_bytes((count + 1) * sizeof(size_t))};

	for (size_t i = 0; i <= count; i++)
		namer.next[i] = i;
	return namer;
}

/* Names the addresses in this code that have no name. */
static void name_code(struct namer *namer, uint64_t start, uint64_t bytes, const char *text)
{
	struct named_address *addresses = namer->addresses;
	size_t *next = namer->next,
	       end = ARRAY_BOUND(namer->count, i, addresses[i].address < start + bytes);

	for (size_t i = ARRAY_BOUND(namer->count, j, addresses[j].address < start);; i++) {
		while (next[i] != i) {
			next[i] = next[next[i]];
			i = next[i];
		}
		if (i >= end)
			break;
		if (!addresses[i].function)
			addresses[i].function = string_printf("%.*s", NAME_MAX_BYTES, text);
		next[i] = i + 1;
	}
}

void jit_codes_name(const struct jit_processes *processes, uint32_t pid,
		    struct named_address *addresses, size_t count)
{
	struct namer namer = namer_new(addresses, count);

	for (size_t i = processes->ncodes; i-- > 0;) {
		const struct jit_code *code = &processes->codes[i];

		if (code->pid == pid && code->start + code->bytes >= code->start)
			name_code(&namer, code->start, code->bytes, code->name);
	}
	free(namer.next);
}

/* Names addresses from a line, which ends with a zero byte. Returns -1 if it is invalid. */
static int read_line(struct namer *namer, char *line, const char *end)
{
	uint64_t start, bytes;

	if (read_hex(&line, &start) || read_hex(&line, &bytes) || !bytes || start + bytes < start ||
	    line == end || line + strlen(line) != end)
		return -1;
	name_code(namer, start, bytes, line);
	return 0;
}

void jit_map_name(FILE *file, struct named_address *addresses, size_t count,
		  struct jit_map_lines *lines)
{
	struct namer namer = namer_new(addresses, count);
	long whole = fseek(file, 0, SEEK_END) ? 0 : ftell(file);
	size_t size = whole > 0 ? (size_t)whole : 0;
	char *text, *end, *line;

	memset(lines, 0, sizeof *lines);
	rewind(file);
	lines->cut = size > JIT_MAP_MAX_BYTES;
	if (lines->cut)
		size = JIT_MAP_MAX_BYTES;
	text = memory_bytes(size + 1);
	size = fread(text, 1, size, file);
	end = memrchr(text, '\n', size);
	/* what follows the last line feed is a truncated line */
	lines->bad = size && end != text + size - 1;
	for (; end; end = line > text ? line - 1 : NULL) {
		line = memrchr(text, '\n', (size_t)(end - text));
		line = line ? line + 1 : text;
		*end = '\0';
		*(read_line(&namer, line, end) ? &lines->bad : &lines->good) += 1;
	}
	free(text);
	free(namer.next);
}
