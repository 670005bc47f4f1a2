/* jit_map.h: names of code that programs make at run time: of perf map files, /tmp/perf-PID.map,
 * and of the preload library's records. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_JIT_MAP_H
#define SYMBOLS_JIT_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* A process that has code in memory that is no file's. */
struct jit_process {
	uint32_t pid;	    /* here */
	uint32_t inner_pid; /* as the process itself sees it, in its own namespace */
	uid_t owner;   /* its effective user; the profiler's where it ended before it was read */
	int directory; /* its /tmp, where that is another than here; -1: it is the same */
};

/* Code that a process named to the preload library. */
struct jit_code {
	uint32_t pid;
	uint64_t start, bytes;
	char name[112];
};

/* A zeroed one is empty. */
struct jit_processes {
	struct jit_process *rows;
	size_t count;
	const struct jit_code *codes; /* not owned */
	size_t ncodes;
};

/* Reads once, while the process is alive, who it is and where its /tmp is. What cannot be read is
 * taken to be as it is here. */
void jit_process_watch(struct jit_processes *processes, uint32_t pid);
void jit_processes_free(struct jit_processes *processes);

/* Opens the process's perf map file; the caller closes it. NULL where there is none that can be
 * trusted: *why says why, or is "" where there is no file at all. Trusted is a regular file of the
 * process's own user or root's that was written since since_ns (realtime). */
FILE *jit_map_open(const struct jit_processes *processes, uint32_t pid, int64_t since_ns,
		   const char **why);

/* An address to be named. */
struct jit_address {
	uint64_t address;
	char *function; /* NULL: not known; else the caller frees it */
};

struct jit_map_lines {
	uint64_t good, bad; /* bad: not "START SIZE NAME" in hexadecimal, out of range, truncated */
	int cut;	    /* 1: the file is longer than JIT_MAP_MAX_BYTES, which were read */
};
#define JIT_MAP_MAX_BYTES (UINT64_C(256) << 20)

/* Names the addresses, which are in order, by the codes of the process. */
void jit_codes_name(const struct jit_processes *processes, uint32_t pid,
		    struct jit_address *addresses, size_t count);
/* Names those that have no name yet by the file. Of several lines that cover one, the last
 * holds: memory is used again. Names longer than 500 bytes are truncated. */
void jit_map_name(FILE *file, struct jit_address *addresses, size_t count,
		  struct jit_map_lines *lines);

#endif
