/* jit_files.c: remembers processes with code of their own, and opens the files that name it. */
/* SPDX-License-Identifier: MIT */
#include "symbols/jit_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/machine_files.h"
#include "base/array.h"

/* Each foreign /tmp keeps a descriptor. */
enum { DIRECTORIES_MAX = 64 };

static const struct jit_process *find_process(const struct jit_files *files, uint32_t pid)
{
	for (size_t i = files->count; i-- > 0;)
		if (files->processes[i].pid == pid)
			return &files->processes[i];
	return NULL;
}

/* The last number of "NSpid: 4711 12": by the innermost namespace. */
static uint32_t read_inner_pid(const char *status, uint32_t pid)
{
	char value[256];
	const char *last;

	if (machine_read_field("", status, "NSpid", value, sizeof value))
		return pid;
	last = strrchr(value, '\t');
	last = last ? last : value;
	return strtoul(last, NULL, 10) ? (uint32_t)strtoul(last, NULL, 10) : pid;
}

/* The second number of "Uid: real effective saved file-system". */
static uid_t read_owner(const char *status)
{
	unsigned int real, effective;
	char value[256];

	if (machine_read_field("", status, "Uid", value, sizeof value) ||
	    sscanf(value, "%u %u", &real, &effective) != 2)
		return geteuid();
	return effective;
}

/* The process's /tmp, where it is another than here; else -1. */
static int open_directory(uint32_t pid)
{
	struct stat here, there;
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/proc/%u/root/tmp", pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &there) || stat("/tmp", &here))
		return fd < 0 ? -1 : (close(fd), -1);
	if (here.st_dev == there.st_dev && here.st_ino == there.st_ino) {
		close(fd);
		return -1;
	}
	return fd;
}

int jit_files_watch(struct jit_files *files, uint32_t pid)
{
	struct jit_process *process;
	char status[64];

	if (find_process(files, pid))
		return 0;
	process = array_add(&files->processes, &files->count, sizeof *process);
	if (!process)
		return -1;
	snprintf(status, sizeof status, "/proc/%u/status", pid);
	process->pid = pid;
	process->inner_pid = read_inner_pid(status, pid);
	process->owner = read_owner(status);
	process->directory = files->count <= DIRECTORIES_MAX ? open_directory(pid) : -1;
	return 0;
}

void jit_files_free(struct jit_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		if (files->processes[i].directory >= 0)
			close(files->processes[i].directory);
	for (size_t i = 0; i < files->ndumps; i++)
		free(files->dumps[i].path);
	free(files->dumps);
	free(files->processes);
	memset(files, 0, sizeof *files);
}

static int is_dump(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t digits;

	if (!name || strncmp(name, "/jit-", 5))
		return 0;
	digits = strspn(name + 5, "0123456789");
	return digits && !strcmp(name + 5 + digits, ".dump");
}

int jit_files_mapped(struct jit_files *files, uint32_t pid, const char *path, uint64_t inode)
{
	struct jit_dump_file *dump;

	if (!is_dump(path))
		return 0;
	for (size_t i = 0; i < files->ndumps; i++)
		if (files->dumps[i].pid == pid && !strcmp(files->dumps[i].path, path))
			return 0;
	dump = array_add(&files->dumps, &files->ndumps, sizeof *dump);
	if (!dump)
		return -1;
	dump->pid = pid;
	dump->inode = inode;
	dump->path = strdup(path);
	if (dump->path)
		return 0;
	files->ndumps--;
	return -1;
}

/* NULL, or why the file is not to be trusted. */
static const char *find_fault(int fd, uid_t owner, int64_t since_ns)
{
	struct stat status;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		return "it is no regular file";
	if (status.st_uid != owner && status.st_uid != 0)
		return "it belongs to another user than the process";
	if ((int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec < since_ns)
		return "it is older than the process";
	return NULL;
}

/* Takes the descriptor over. */
static FILE *open_stream(int fd, const char *fault, const char **why)
{
	FILE *file = fault ? NULL : fdopen(fd, "re");

	*why = fault;
	if (!file)
		close(fd);
	return file;
}

FILE *jit_files_open(const struct jit_files *files, uint32_t pid, int64_t since_ns,
		     const char **why)
{
	static const struct jit_process unknown = {.directory = -1};
	const struct jit_process *process = find_process(files, pid);
	int known = process != NULL, fd;
	char name[64];

	process = known ? process : &unknown;
	snprintf(name, sizeof name, "%sperf-%u.map", process->directory < 0 ? "/tmp/" : "",
		 known ? process->inner_pid : pid);
	*why = "";
	fd = openat(process->directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return NULL;
	return open_stream(fd, find_fault(fd, known ? process->owner : geteuid(), since_ns), why);
}

FILE *jit_files_open_dump(const struct jit_files *files, size_t number, int64_t since_ns,
			  const char **why)
{
	const struct jit_dump_file *dump = &files->dumps[number];
	const struct jit_process *process = find_process(files, dump->pid);
	int fd = open(dump->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	const char *fault;
	struct stat status;

	*why = "";
	if (fd < 0)
		return NULL;
	fault = find_fault(fd, process ? process->owner : geteuid(), since_ns);
	if (!fault && dump->inode && (fstat(fd, &status) || status.st_ino != dump->inode))
		fault = "it is not the file that the process had mapped";
	return open_stream(fd, fault, why);
}
