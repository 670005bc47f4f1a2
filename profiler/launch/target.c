/* target.c: inspects the command's file, because static, setuid and foreign programs load no
 * preload library. */
/* SPDX-License-Identifier: MIT */
#include "launch/launch.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/string_pool.h"

#define MAX_SCRIPTS 4 /* the kernel's limit for nested interpreters */

/* Finds the file that execvp() would run; `path` must have PATH_MAX bytes. Returns -1 if there is
 * none. */
static int find_program(const char *command, char *path, size_t size)
{
	const char *list = getenv("PATH");

	if (strchr(command, '/')) {
		snprintf(path, size, "%s", command);
		return access(path, X_OK);
	}
	for (list = list ? list : "/bin:/usr/bin"; *list;) {
		size_t length = strcspn(list, ":");

		snprintf(path, size, "%.*s%s%s", (int)length, list, length ? "/" : "", command);
		if (!access(path, X_OK))
			return 0;
		list += length + (list[length] == ':');
	}
	return -1;
}

/* Finds the interpreter in a script's first line. Returns -1 if the file is no script. */
static int read_interpreter(int fd, char *path, size_t size)
{
	char line[256];
	ssize_t got = pread(fd, line, sizeof line - 1, 0);
	char *name, *end;

	if (got < 3 || line[0] != '#' || line[1] != '!')
		return -1;
	line[got] = '\0';
	line[strcspn(line, "\n")] = '\0';
	name = line + 2 + strspn(line + 2, " \t");
	end = name + strcspn(name, " \t");
	if (*end && end - name >= 4 && !strncmp(end - 4, "/env", 4)) {
		*end++ = '\0';
		end += strspn(end, " \t");
		end[strcspn(end, " \t")] = '\0';
		return find_program(end, path, size);
	}
	*end = '\0';
	snprintf(path, size, "%s", name);
	return 0;
}

static Elf *read_elf(int fd)
{
	return fd < 0 || elf_version(EV_CURRENT) == EV_NONE ? NULL
							    : elf_begin(fd, ELF_C_READ, NULL);
}

/* Reads the path of the program's loader into `path`, "" if it cannot be read. Returns -1 if the
 * program has none. */
static int read_loader(Elf *elf, int fd, char *path, size_t size)
{
	size_t count = 0;
	GElf_Phdr header;
	ssize_t got;

	*path = '\0';
	if (elf_getphdrnum(elf, &count))
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_INTERP)
			continue;
		got = pread(fd, path, size - 1, (off_t)header.p_offset);
		path[got > 0 ? got : 0] = '\0';
		return 0;
	}
	return -1;
}

/* Does not open pipes and devices: that would wake who waits for the command to open them. */
static int open_program(const char *path)
{
	struct stat status;

	return stat(path, &status) || !S_ISREG(status.st_mode)
		       ? -1
		       : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int target_lacks(const char *command, char *missing, size_t size)
{
	char path[4096];
	int fd = find_program(command, path, sizeof path) ? -1 : open_program(path);
	int has_runner = fd >= 0 && !read_interpreter(fd, missing, size);
	Elf *elf;

	if (fd < 0)
		return 0;
	if (!has_runner) {
		elf = read_elf(fd);
		has_runner = elf && elf_kind(elf) == ELF_K_ELF &&
			     !read_loader(elf, fd, missing, size) && *missing;
		elf_end(elf);
	}
	close(fd);
	return has_runner && access(missing, F_OK);
}

/* Returns 1 if executing the file changes user or group, or adds capabilities. */
static int gains_privilege(int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return 0;
	return (status.st_mode & S_ISUID && status.st_uid != geteuid()) ||
	       ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
		status.st_gid != getegid()) ||
	       (geteuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0);
}

int target_find(const char *command, char *path, size_t size)
{
	if (find_program(command, path, size))
		return -1;
	for (int depth = 0; depth <= MAX_SCRIPTS; depth++) {
		int fd = open_program(path);
		char inner[4096];
		int script;

		if (fd < 0)
			return -1;
		script = !read_interpreter(fd, inner, sizeof inner);
		close(fd);
		if (!script)
			return 0;
		snprintf(path, size, "%s", inner);
	}
	return -1;
}

/* 1 if the file is a program or a script, but no data, which the command itself may change. */
static int is_program(const char *path, const char *begin, size_t length)
{
	return (length >= 4 && !memcmp(begin, "\177ELF", 4)) ||
	       (length >= 2 && !memcmp(begin, "#!", 2)) ||
	       !fnmatch("*.@(py|R|r|jl|m|sh|pl|rb|js|lua)", path, FNM_EXTMATCH);
}

/* Changes the version if the file is a program or a script. */
static void add_version(const char *path, uint64_t *version)
{
	enum { READ_MAX = 4 << 20 }; /* also has the build id of an ELF file */
	int fd = open_program(path);
	struct stat status;
	ssize_t got;

	if (fd < 0)
		return;
	if (!fstat(fd, &status)) {
		FREED char *begin = memory_rows(READ_MAX, 1);

		got = pread(fd, begin, READ_MAX, 0);
		if (got > 0 && is_program(path, begin, (size_t)got))
			*version = (*version ^ string_hash(begin, (size_t)got)) * 31 +
				   (uint64_t)status.st_size;
	}
	close(fd);
}

void target_add_version(char *const argv[], struct run *run)
{
	enum { WORDS_MAX = 20 };
	char path[4096];
	uint64_t version = 0;

	for (int i = 0; argv[i] && i < WORDS_MAX; i++)
		if (i)
			add_version(argv[i], &version);
		else if (!find_program(argv[0], path, sizeof path))
			add_version(path, &version);
	if (version)
		run_add_fact(run, "program", string_printf("%016" PRIx64, version));
}

void target_inspect(const char *command, struct run *run)
{
#if defined(__x86_64__)
	const int machine = EM_X86_64;
#else
	const int machine = EM_AARCH64;
#endif
	char path[4096], loader[256];
	int fd = target_find(command, path, sizeof path) ? -1 : open_program(path);
	Elf *elf = read_elf(fd);
	GElf_Ehdr header;

	if (fd < 0)
		return;
	if (gains_privilege(fd)) {
		run_add_note(run, "setuid_program", "%s", path);
	} else if (elf && gelf_getehdr(elf, &header)) {
		if (header.e_machine != machine || header.e_ident[EI_CLASS] != ELFCLASS64)
			run_add_note(run, "foreign_program", "%s", path);
		else if (read_loader(elf, fd, loader, sizeof loader))
			run_add_note(run, "static_program", "%s", path);
		else if (strstr(loader, "/ld-musl-"))
			run_add_note(run, "musl_program", "%s", path);
	}
	elf_end(elf);
	close(fd);
}
