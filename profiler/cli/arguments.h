/* arguments.h: a command's words with placeholders like {} in them. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#define THREADS_PLACEHOLDER "{}"

/* 1 where any of the NULL-terminated words has the placeholder in it. */
int arguments_have(char *const arguments[], const char *placeholder);

/* The words with `value` in each place of the placeholder: a fresh array, to be freed with
 * arguments_free(); NULL when memory is out. */
char **arguments_fill(char *const arguments[], const char *placeholder, const char *value);
/* The words as they are, likewise. */
char **arguments_copy(char *const arguments[]);
void arguments_free(char **arguments);

#endif
