/* kernel_symbols.c: names kernel addresses by /proc/kallsyms. That takes long to read and does not
 * change while the kernel runs, so a copy stays in the user's folder for caches. */
/* SPDX-License-Identifier: MIT */
#include "symbols/kernel_symbols.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cache_file.h"
#include "base/mapped_file.h"
#include "base/machine_files.h"

#define UNKNOWN	       "[kernel]"
#define COPY_NAME      "kernel-names"
#define TEXT_BYTES_MAX (256u << 20) /* fifty times what a kernel has */
#define BOOT_ID_BYTES  64

/* The text of /proc/kallsyms or of the copy. */
struct text {
	char *start; /* `bytes` of it, not terminated; NULL: there is none */
	size_t bytes;
	struct mapped_file *mapped; /* the copy is mapped; what is truncated reads as zeros */
};

/* The first line of the copy, which says which boot of the kernel it is of; -1 where the kernel
 * does not say. */
static int first_line(const char *root, char line[BOOT_ID_BYTES + 32])
{
	char boot[BOOT_ID_BYTES];

	if (machine_read_line(root, "/proc/sys/kernel/random/boot_id", boot, sizeof boot))
		return -1;
	return snprintf(line, BOOT_ID_BYTES + 32, "blasprof kernel names 1 %s\n", boot);
}

static void free_text(struct text *text)
{
	if (text->mapped) {
		mapped_file_end(text->mapped);
		munmap(text->start, text->bytes);
	} else {
		free(text->start);
	}
	*text = (struct text){0};
}

/* Maps the copy of this boot's kernel. It must be this user's own, and nobody else's to write. */
static void load_copy(const char *root, struct text *text)
{
	char path[PATH_MAX], line[BOOT_ID_BYTES + 32];
	int length = first_line(root, line), fd;
	struct stat status;
	void *map = MAP_FAILED;

	*text = (struct text){0};
	if (length <= 0 || cache_file_path(COPY_NAME, path, NULL))
		return;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	    !(status.st_mode & (S_IRWXG | S_IRWXO)) && status.st_size > 0 &&
	    status.st_size <= TEXT_BYTES_MAX)
		map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd,
			   0);
	close(fd);
	if (map == MAP_FAILED)
		return;
	*text = (struct text){map, (size_t)status.st_size,
			      mapped_file_watch(map, (size_t)status.st_size)};
	if (!text->mapped) {
		munmap(map, text->bytes);
		*text = (struct text){0};
	} else if (text->bytes < (size_t)length || memcmp(map, line, (size_t)length)) {
		free_text(text);
	}
}

/* In another user's home, as under sudo, nothing is written. */
static int is_own_home(const char *path)
{
	char folder[PATH_MAX];
	struct stat status;
	char *slash;

	snprintf(folder, sizeof folder, "%s", path);
	while ((slash = strrchr(folder, '/')) && slash != folder) {
		*slash = '\0';
		if (!stat(folder, &status))
			return status.st_uid == geteuid();
	}
	return 0;
}

/* Writes the copy: the kernel's own names, without those of modules, which come and go. A text
 * whose last line has no end is truncated and is not kept. */
static void save_copy(const char *root, const struct text *text)
{
	char path[PATH_MAX], line[BOOT_ID_BYTES + 32];
	const char *module = memchr(text->start, '[', text->bytes), *end;
	size_t bytes = text->bytes;
	struct cache_draft draft;

	if (!bytes || text->start[bytes - 1] != '\n')
		return;
	if (module) {
		end = memrchr(text->start, '\n', (size_t)(module - text->start));
		bytes = end ? (size_t)(end + 1 - text->start) : 0;
	}
	if (!bytes || first_line(root, line) < 0 || cache_file_path(COPY_NAME, path, NULL) ||
	    !is_own_home(path) || cache_draft_open(&draft, path))
		return;
	fputs(line, draft.file);
	fwrite(text->start, 1, bytes, draft.file);
	cache_draft_keep(&draft);
}

/* Reads /proc/kallsyms, and leaves the copy for later runs. What was read before an error counts.
 */
static void read_kallsyms(const char *root, struct text *text)
{
	FILE *file = machine_open(root, "/proc/kallsyms");
	size_t room = 8 << 20, got = 1;

	*text = (struct text){0};
	if (!file)
		return;
	text->start = malloc(room);
	while (text->start && got && text->bytes < TEXT_BYTES_MAX) {
		char *grown;

		got = fread(text->start + text->bytes, 1, room - text->bytes, file);
		text->bytes += got;
		if (text->bytes < room)
			continue;
		grown = realloc(text->start, room *= 2);
		if (!grown)
			break;
		text->start = grown;
	}
	fclose(file);
	if (text->start)
		save_copy(root, text);
}

/* The best symbol seen yet for an address: the highest one that is not above it. */
struct nearest {
	uint64_t start;
	int is_code;	  /* 0: data, and so the end of the code before it */
	const char *name; /* up to a blank or the line's end */
};

/* The search for all addresses at once. */
struct search {
	struct kernel_address *addresses; /* in order */
	size_t count;
	size_t hint;		 /* the first address that the last symbol could name */
	struct nearest *nearest; /* of each */
	uint64_t first, last;	 /* of the symbols that were read; 0: there was none */
};

COMPARE(compare_addresses, struct kernel_address, ORDER(a->address, b->address))

/* The first address that is not below `start`. Symbols come nearly in order: mostly it is the one
 * that it was for the symbol before. */
static size_t first_from(const struct search *search, uint64_t start)
{
	const struct kernel_address *addresses = search->addresses;
	size_t hint = search->hint;

	if ((hint == search->count || addresses[hint].address >= start) &&
	    (!hint || addresses[hint - 1].address < start))
		return hint;
	return ARRAY_BOUND(search->count, i, addresses[i].address < start);
}

/* Parses "ffffffff81000000 T _text". There are 100,000 of these lines and more, so not by sscanf(),
 * and without a branch on the digits, which no processor predicts. Returns the name, up to the
 * line's end or a module's; NULL where it is no such line. */
static const char *parse_line(const char *line, const char *end, uint64_t *start, char *type)
{
	const char *at = line;

	*start = 0;
	for (; at < end && (((unsigned)*at - '0' < 10) | ((unsigned)*at - 'a' < 6)); at++)
		*start = *start << 4 | (((unsigned)*at & 15) + 9 * ((unsigned)*at >> 6 & 1));
	if (at == line || end - at < 3 || at[0] != ' ' || at[2] != ' ')
		return NULL;
	*type = at[1];
	return at + 3;
}

/* Notes each symbol with the first address that it could name. */
static void read_symbols(struct search *search, const struct text *text)
{
	const char *line = text->start, *all_end = line + text->bytes, *end;

	for (; line < all_end; line = end + 1) {
		struct nearest *nearest;
		const char *name;
		uint64_t start;
		int is_code;
		char type;

		end = memchr(line, '\n', (size_t)(all_end - line));
		end = end ? end : all_end;
		name = parse_line(line, end, &start, &type);
		if (!name || !start)
			continue;
		search->first = search->first && search->first < start ? search->first : start;
		search->last = search->last > start ? search->last : start;
		search->hint = first_from(search, start);
		if (search->hint == search->count)
			continue;
		is_code = type == 't' || type == 'T' || type == 'w' || type == 'W';
		nearest = &search->nearest[search->hint];
		if (start > nearest->start || (start == nearest->start && is_code))
			*nearest = (struct nearest){start, is_code, name};
	}
}

/* Names all addresses by the text. 1 where they all lie among the symbols that were read: modules
 * lie beyond them. */
static int name_by(struct search *search, const struct text *text)
{
	const struct nearest *best = NULL;
	const char *end;

	if (!text->start)
		return 0;
	end = text->start + text->bytes;
	memset(search->nearest, 0, search->count * sizeof *search->nearest);
	search->first = search->last = 0;
	read_symbols(search, text);
	for (size_t i = 0; i < search->count; i++) {
		char *function = search->addresses[i].function;
		size_t length = 0;

		if (search->nearest[i].start)
			best = &search->nearest[i];
		strcpy(function, UNKNOWN);
		if (!best || !best->is_code)
			continue;
		while (best->name + length < end &&
		       length < sizeof search->addresses[i].function - 1 &&
		       !strchr(" \t\n", best->name[length])) /* nor a zero byte */
			length++;
		memcpy(function, best->name, length);
		function[length] = '\0';
	}
	return search->first <= search->addresses[0].address &&
	       search->addresses[search->count - 1].address < search->last;
}

void kernel_symbols_name(const char *root, struct kernel_address *addresses, size_t count)
{
	struct search search = {.addresses = addresses, .count = count};
	struct text text;
	int done;

	if (!count)
		return;
	qsort(addresses, count, sizeof *addresses, compare_addresses);
	for (size_t i = 0; i < count; i++)
		strcpy(addresses[i].function, UNKNOWN);
	search.nearest = calloc(count, sizeof *search.nearest);
	if (!search.nearest)
		return;
	load_copy(root, &text);
	done = name_by(&search, &text);
	free_text(&text);
	if (!done) {
		read_kallsyms(root, &text);
		name_by(&search, &text);
		free_text(&text);
	}
	free(search.nearest);
}
