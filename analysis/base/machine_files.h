/* machine_files.h: reads the small files of /proc and /sys, below a root that may be a recorded
 * tree. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_MACHINE_FILES_H
#define RECORD_MACHINE_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Opens root + path to read, or returns NULL with errno. */
FILE *machine_open(const char *root, const char *path);
/* The first line of root + path without its line feed, cut at the size. -1 with errno, and an empty
 * text, when it cannot be read. */
int machine_read_line(const char *root, const char *path, char *line, size_t size);
/* The number that the file starts with, or `otherwise`. */
long machine_read_long(const char *root, const char *path, long otherwise);

/* What follows `field` and blanks and colons in the first line that starts with it: "model name" of
 * /proc/cpuinfo. -1, and an empty text, when there is none. */
int machine_read_field(const char *root, const char *path, const char *field, char *value,
		       size_t size);
/* The last number there, of "NSpid:	9457	1" that in the innermost namespace; 0: there is
 * none. */
int64_t machine_read_last(const char *path, const char *field);

/* What the kernel tells of a process or a thread in its file "stat", as of proc(5); times in the
 * kernel's ticks. */
struct process_stat {
	char name[16], state;
	long long parent, user, system, child_user, child_system, start;
};
/* -1 where it has ended. */
int machine_read_process(const char *root, const char *path, struct process_stat *stat);

/* CPU numbers. */
struct cpu_list {
	int *cpu; /* owned by the caller: free() */
	size_t count;
};
/* The CPUs online by /sys/devices/system/cpu/online ("0-3,6"); without that file those that
 * sysconf() counts. -1 when memory is out. */
int machine_cpus_online(const char *root, struct cpu_list *list);
/* Adds the CPUs of a text like "0-3,6" to the list. -1 when memory is out. */
int cpu_list_parse(struct cpu_list *list, const char *text);

#endif
