/* mapped_file.h: survives truncation of a mapped file. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_MAPPED_FILE_H
#define BASE_MAPPED_FILE_H

#include <stddef.h>

/* A mapping of a file that other processes of this user may truncate. Reading behind the new end
 * would kill blasprof by SIGBUS; in a watched mapping it reads zeros. */
struct mapped_file;

/* Watches the mapping. Call from one thread at a time. The caller ends the watch before it unmaps
 * the memory; NULL when memory is out. */
struct mapped_file *mapped_file_watch(void *start, size_t bytes);
/* 1 when something behind the end of the file was read. */
int mapped_file_is_truncated(const struct mapped_file *file);
/* NULL is allowed. */
void mapped_file_end(struct mapped_file *file);

#endif
