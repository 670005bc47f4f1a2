/* jit_files.h: finds the perf map and jitdump files in which processes name the code that they
 * made.
 */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_JIT_FILES_H
#define RECORD_JIT_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* A process that has code in memory that is no file's. */
struct jit_process {
	uint32_t pid;	    /* here */
	uint32_t inner_pid; /* as the process itself sees it, in its own namespace */
	uid_t owner;   /* its effective user; that of the profiler where it was gone too soon */
	int directory; /* its /tmp, where that is another than here; -1: it is the same */
};

/* A jitdump file that a process has mapped, which is how it tells of it. */
struct jit_dump_file {
	uint32_t pid;
	uint64_t inode; /* 0: not known */
	char *path;
};

/* A zeroed one is empty. */
struct jit_files {
	struct jit_process *processes;
	size_t count;
	struct jit_dump_file *dumps;
	size_t ndumps;
};

/* Looks at a process while it is alive, once: who it is, and where its /tmp is. What cannot be
 * told is taken to be as it is here. -1 when memory is out. */
int jit_files_watch(struct jit_files *files, uint32_t pid);
void jit_files_free(struct jit_files *files);

/* Remembers the file if it is named as a jitdump file is, ".../jit-PID.dump". -1 when memory is
 * out.
 */
int jit_files_mapped(struct jit_files *files, uint32_t pid, const char *path, uint64_t inode);

/* Opens the process's /tmp/perf-PID.map: to be closed by the caller. NULL where there is none that
 * can be trusted: *why says why, or is "" where there is no file at all. Trusted is a regular file
 * of the process's own user or root's, that was written since since_ns (realtime). */
FILE *jit_files_open(const struct jit_files *files, uint32_t pid, int64_t since_ns,
		     const char **why);
/* The same for a jitdump file of files->dumps, which must also be the one that was mapped. */
FILE *jit_files_open_dump(const struct jit_files *files, size_t number, int64_t since_ns,
			  const char **why);

#endif
