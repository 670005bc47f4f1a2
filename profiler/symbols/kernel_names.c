/* kernel_names.c: reads /proc/kallsyms, and keeps a copy in the user's folder for caches. */
/* SPDX-License-Identifier: MIT */
#include "symbols/kernel_names.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/machine_files.h"
#include "base/cache_file.h"

#define TEXT_BYTES_MAX (256u << 20) /* fifty times what a kernel has */
#define BOOT_ID_BYTES  64

/* The first line of the copy, with its line feed; -1 where the kernel does not tell. */
static int first_line(const char *root, char line[BOOT_ID_BYTES + 32])
{
	char boot[BOOT_ID_BYTES];

	if (machine_read_line(root, "/proc/sys/kernel/random/boot_id", boot, sizeof boot))
		return -1;
	return snprintf(line, BOOT_ID_BYTES + 32, "blasprof kernel names 1 %s\n", boot);
}

/* Reads to the end; whatever came before an error is kept. */
static void read_all(FILE *file, struct kernel_names *names)
{
	size_t room = 8 << 20;

	names->text = malloc(room);
	while (names->text && names->bytes < TEXT_BYTES_MAX) {
		size_t got = fread(names->text + names->bytes, 1, room - names->bytes, file);
		char *grown;

		names->bytes += got;
		if (!got)
			return;
		if (names->bytes < room)
			continue;
		grown = realloc(names->text, room *= 2);
		if (!grown)
			return;
		names->text = grown;
	}
}

/* Nobody but this user can have written the copy. */
static int open_copy(const char *path, size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	    !(status.st_mode & (S_IRWXG | S_IRWXO)) && status.st_size > 0 &&
	    status.st_size <= TEXT_BYTES_MAX) {
		*bytes = (size_t)status.st_size;
		return fd;
	}
	close(fd);
	return -1;
}

/* Megabytes that were read before are in memory already. */
static void map_copy(int fd, size_t bytes, struct kernel_names *names)
{
	void *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);

	if (map == MAP_FAILED)
		return;
	names->mapped = cut_file_watch(map, bytes);
	if (!names->mapped) {
		munmap(map, bytes);
		return;
	}
	names->text = map;
	names->bytes = bytes;
}

void kernel_names_load(const char *root, struct kernel_names *names)
{
	char path[PATH_MAX], line[BOOT_ID_BYTES + 32];
	int length = first_line(root, line), fd = -1;
	size_t bytes;

	*names = (struct kernel_names){0};
	if (length > 0 && !cache_file_path("kernel-names", path, NULL))
		fd = open_copy(path, &bytes);
	if (fd < 0)
		return;
	map_copy(fd, bytes, names);
	close(fd);
	if (names->bytes < (size_t)length || memcmp(names->text, line, (size_t)length))
		kernel_names_free(names);
}

/* The part before the first module's name. A text whose last line has no end was cut off: nothing
 * of it. */
static size_t own_part(const struct kernel_names *names)
{
	const char *module = memchr(names->text, '[', names->bytes);
	const char *end =
		module ? memrchr(names->text, '\n', (size_t)(module - names->text)) : NULL;

	if (!names->bytes || names->text[names->bytes - 1] != '\n')
		return 0;
	if (module)
		return end ? (size_t)(end + 1 - names->text) : 0;
	return names->bytes;
}

/* In another user's home, as under sudo, nothing is left. */
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

static void keep_copy(const char *root, const struct kernel_names *names)
{
	char path[PATH_MAX], line[BOOT_ID_BYTES + 32];
	struct cache_draft draft;
	size_t bytes = own_part(names);

	if (!bytes || first_line(root, line) < 0 || cache_file_path("kernel-names", path, NULL) ||
	    !is_own_home(path) || cache_draft_open(&draft, path))
		return;
	fputs(line, draft.file);
	fwrite(names->text, 1, bytes, draft.file);
	cache_draft_keep(&draft);
}

void kernel_names_read(const char *root, struct kernel_names *names)
{
	FILE *file = machine_open(root, "/proc/kallsyms");

	*names = (struct kernel_names){0};
	if (!file)
		return;
	read_all(file, names);
	fclose(file);
	if (names->text)
		keep_copy(root, names);
}

void kernel_names_free(struct kernel_names *names)
{
	if (names->mapped) {
		cut_file_end(names->mapped);
		munmap(names->text, names->bytes);
	} else {
		free(names->text);
	}
	*names = (struct kernel_names){0};
}
