/* installed.h: finds files that are installed with the program, also where it was moved. */
/* SPDX-License-Identifier: MIT */
#ifndef UTIL_INSTALLED_H
#define UTIL_INSTALLED_H

#include <stddef.h>

/* Where a file may be: NULL-terminated, in order; those that are no absolute paths are relative to
 * the folder that the program lies in ("../lib/blasprof/x"). Writes the first that can be read to
 * `path`, or else the last. 0, or -1 where none can be read. */
int installed_find(const char *const places[], char *path, size_t size);

#endif
