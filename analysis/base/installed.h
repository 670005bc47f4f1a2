/* installed.h: finds files that are installed with the program, even if it was moved. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_INSTALLED_H
#define BASE_INSTALLED_H

#include <stddef.h>

/* Writes the first readable file of the NULL-terminated list `places` to `path`, or the last one
 * if none is readable. Relative paths ("../lib/blasprof/x") start at the program's directory.
 * Returns 0, or -1 if none is readable. */
int installed_find(const char *const places[], char *path, size_t size);

#endif
