/* jit_map.h: names code that was made at run time, from perf map files (/tmp/perf-PID.map) and the
 * preload library's records. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_JIT_MAP_H
#define SYMBOLS_JIT_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* A process with code in anonymous memory. */
struct jit_process {
	uint32_t pid;	    /* here */
	uint32_t inner_pid; /* in its own PID namespace */
	uid_t owner;	    /* its effective user, or the profiler's if it ended too early */
	int directory;	    /* its /tmp; -1: the same as here */
};

/* Code that a process reported to the preload library. */
struct jit_code {
	uint32_t pid;
	uint64_t start, bytes;
	char name[112];
};

/* A zeroed struct is empty. */
struct jit_processes {
	struct jit_process *rows;
	size_t count;
	const struct jit_code *codes; /* not owned */
	size_t ncodes;
};

/* Reads the facts about a new process; it should still be alive. Facts that cannot be read are
 * assumed to be as in this process. */
void jit_process_watch(struct jit_processes *processes, uint32_t pid);
void jit_processes_free(struct jit_processes *processes);

/* Opens the process's perf map file; the caller closes it. It must be a regular file of the
 * process's user or root that was written after since_ns (realtime). Otherwise returns NULL and
 * sets *why to the reason, or to "" if there is no file. */
FILE *jit_map_open(const struct jit_processes *processes, uint32_t pid, int64_t since_ns,
		   const char **why);

/* An address to be named. */
struct named_address {
	uint64_t address;
	const char *function; /* of the string pool; NULL: not known */
};

struct jit_map_lines {
	uint64_t good, bad; /* bad: not "START SIZE NAME" in hexadecimal, out of range, truncated */
	int cut; /* 1: the file is longer than JIT_MAP_MAX_BYTES, the part that is read */
};
#define JIT_MAP_MAX_BYTES (UINT64_C(256) << 20)

/* Names the addresses, which must be sorted, from the codes of the process. */
void jit_codes_name(const struct jit_processes *processes, uint32_t pid,
		    struct named_address *addresses, size_t count);
/* Names those without a name from the file. If several lines cover an address, the last counts, as
 * memory is reused. Names are cut to 500 bytes. */
void jit_map_name(FILE *file, struct named_address *addresses, size_t count,
		  struct jit_map_lines *lines);

#endif
