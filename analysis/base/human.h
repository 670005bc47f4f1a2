/* human.h: formats numbers for people, with three digits and a unit, and appends to texts. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_HUMAN_H
#define BASE_HUMAN_H

#include <stddef.h>

/* Each returns a text of the string pool; "-" if the number is not finite. */
const char *human_time(double ns);	 /* "45.6 us" */
const char *human_count(double count);	 /* "1234", "12.3 M" */
const char *human_share(double share);	 /* "12.3" for 0.123: percent */
const char *human_number(double value);	 /* "1.58", "12.58" */
const char *human_figures(double value); /* "1.58", "12.6", "126" */
const char *human_error(double ratio);	 /* "+12%" for 0.12 */
/* "1 thread", "4 threads", "1.5 CPUs". */
const char *human_noun(double count, const char *noun);
/* "was ended by signal 11 (Segmentation fault)", or without a signal (0) "ended with status 3". */
const char *human_ending(int status, int signal);
/* The word as a shell takes it: with quotes if it needs them. */
const char *human_word(const char *word);
/* The ending of the noun after the count: "" or "s". */
const char *plural(double count);

/* Appends to the text in an array of `size` bytes; cuts what does not fit. */
void say(char *text, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
#define SAY(text, ...) say(text, sizeof(text), __VA_ARGS__)

#endif
