/* machine_files.h: reads small files of /proc and /sys, below a root that may be a recorded tree.
 */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_MACHINE_FILES_H
#define BASE_MACHINE_FILES_H

#include <dirent.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A path, made as by printf(), in a buffer that lives as long as the enclosing block. */
#define PATH(...) path_print((char[PATH_MAX + 64]){""}, __VA_ARGS__)
const char *path_print(char path[PATH_MAX + 64], const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Pointers to a FILE or a DIR that is closed at the end of the block, unless it is NULL. */
#define OWN_FILE __attribute__((cleanup(own_file_close))) FILE
#define OWN_DIR	 __attribute__((cleanup(own_dir_close))) DIR
static inline void own_file_close(FILE **file)
{
	if (*file)
		fclose(*file);
}
static inline void own_dir_close(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

/* Opens root + path for reading, or returns NULL with errno set. */
FILE *machine_open(const char *root, const char *path);
/* Reads the first line of root + path, without its line feed, cut to fit. Returns -1 with errno set
 * and an empty line if it cannot be read. */
int machine_read_line(const char *root, const char *path, char *line, size_t size);
/* Returns the number at the start of the file, or `otherwise`. */
long machine_read_long(const char *root, const char *path, long otherwise);

/* Finds the first line that starts with `field`, like "model name" in /proc/cpuinfo, and reads what
 * follows the field, blanks and colons. Returns -1 and an empty value if there is none. */
int machine_read_field(const char *root, const char *path, const char *field, char *value,
		       size_t size);
/* Returns 1 if a line of /proc/cpuinfo, "flags" (x86) or "Features" (Arm), has this word. */
int machine_has_feature(const char *root, const char *field, const char *feature);
/* Returns the last number of such a line, or 0 if there is none: for "NSpid:	9457	1", the
 * process number in the innermost namespace. */
int64_t machine_read_last(const char *path, const char *field);

/* Fields of the file "stat" of a process or thread (proc(5)); times are in clock ticks. */
struct process_stat {
	char name[16], state;
	long long parent, flags, user, system, child_user, child_system, start;
};
/* Returns -1 if the process has ended. */
int machine_read_process(const char *root, const char *path, struct process_stat *stat);

/* CPU numbers, all below CPUS_MAX; zeroed, there are none. */
#define CPUS_MAX 65536
struct cpu_list {
	uint64_t bits[CPUS_MAX / 64];
	size_t count;
};
static inline int cpu_list_has(const struct cpu_list *list, int cpu)
{
	return list->bits[cpu / 64] >> cpu % 64 & 1;
}
#define EACH_CPU(cpu, list)                                                                        \
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)                                                   \
		if (cpu_list_has(list, cpu))
/* Does nothing for a number that is no CPU's. */
void cpu_list_add(struct cpu_list *list, long cpu);
/* Lists the online CPUs by /sys/devices/system/cpu/online or, without that file, as many as
 * sysconf() counts. There is at least one. */
void machine_cpus_online(const char *root, struct cpu_list *list);
/* Adds the CPUs of a text like "0-3,6" to the list. */
void cpu_list_parse(struct cpu_list *list, const char *text);

#endif
