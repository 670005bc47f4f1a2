/* target.h: what kind of program the command is: can anything be intercepted in it? */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_TARGET_H
#define RECORD_TARGET_H

#include <stddef.h>

#include "store/run.h"

/* The file that the command becomes in the end: by PATH, and through the interpreters of scripts.
 * -1 where it cannot be found or read. */
int target_find(const char *command, char *path, size_t size);

/* 1 where the command is there, but not what it says it is to be run by: a script's interpreter or
 * a program's loader, whose path goes to `missing`. */
int target_lacks(const char *command, char *missing, size_t size);

/* 1 where the command's program is linked to a shared library whose name begins so. */
int target_needs(const char *command, const char *library);

/* Looks at the program that `command` names (by PATH, and through the interpreters of scripts) and
 * adds a note to the run where preloading cannot work: static_program, setuid_program,
 * foreign_program, musl_program. A command that cannot be found or read gets none: running it will
 * tell. */
void target_inspect(const char *command, struct run *run);

#endif
