/* object_check.h: tells what is wrong with an object file before anybody reads symbols in it. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_OBJECT_CHECK_H
#define RECORD_OBJECT_CHECK_H

#include <stdint.h>

/* Opens the object that was mapped from this path to read it. A file of another inode (where
 * `inode` is not 0) that was put there since since_ns (realtime) is not the one that ran. Returns
 * a descriptor, to be closed by the caller, or -1. *complaint says what is wrong, also with what
 * can be opened ("it is cut off"); NULL: nothing. */
int object_open(const char *path, uint64_t inode, int64_t since_ns, const char **complaint);

#endif
