/* cut_file.h: reads on where somebody cuts a file off that is mapped. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_CUT_FILE_H
#define RECORD_CUT_FILE_H

#include <stddef.h>

/* A mapping of a file that anybody of this user may cut off. Touching what is gone would end
 * blasprof by SIGBUS; in a watched mapping it reads as zeros. */
struct cut_file;

/* From now on the mapping is watched. Call from one thread at a time. The watch is the caller's, to
 * be ended before the memory is unmapped; NULL when memory is out. */
struct cut_file *cut_file_watch(void *start, size_t bytes);
/* 1 when something of it was touched that was gone. */
int cut_file_is_cut(const struct cut_file *file);
/* NULL is allowed. */
void cut_file_end(struct cut_file *file);

#endif
