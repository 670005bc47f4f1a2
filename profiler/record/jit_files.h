/* jit_files.h: finds the perf map files in which processes name the code that they made. */
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

/* A zeroed one is empty. */
struct jit_files {
	struct jit_process *processes;
	size_t count;
};

/* Looks at a process while it is alive, once: who it is, and where its /tmp is. What cannot be
 * told is taken to be as it is here. -1 when memory is out. */
int jit_files_watch(struct jit_files *files, uint32_t pid);
void jit_files_free(struct jit_files *files);

/* Opens the process's /tmp/perf-PID.map: to be closed by the caller. NULL where there is none that
 * can be trusted: *why says why, or is "" where there is no file at all. Trusted is a regular file
 * of the process's own user or root's, that was written since since_ns (realtime). */
FILE *jit_files_open(const struct jit_files *files, uint32_t pid, int64_t since_ns,
		     const char **why);

#endif
