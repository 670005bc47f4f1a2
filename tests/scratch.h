/* scratch.h: an empty directory for one test, and files in it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stddef.h>

/* For FIXTURE(): enter makes a directory in /tmp that every user may write to, and changes to it;
 * leave changes back and removes it. */
void scratch_enter(void);
void scratch_leave(void);
/* Writes a file with these bytes, or this text, and makes the directories of a relative path. */
void scratch_file(const char *path, const void *bytes, size_t size);
void scratch_text(const char *path, const char *text);

#endif
