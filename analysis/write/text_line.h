/* text_line.h: what the sections of text for people share: their thread count, sentences, titles.
 */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_TEXT_LINE_H
#define WRITE_TEXT_LINE_H

#include "report/report.h"

/* The thread count that shapes and functions are shown for: the newest run's, or the highest. */
const struct report_row *text_focus(const struct report *report);

/* How many of `count` rows are shown: options.top at most. */
size_t text_limit(const struct report *report, size_t count);
/* The run's name for people: "run 12". Returns text[]. */
#define RUN_NAME_MAX 32
const char *text_run(int64_t id, char text[RUN_NAME_MAX]);

/* Prints text in lines that fit the terminal (terminal.h), `first` before the first and as many
 * spaces before the others. */
void text_wrap(const char *first, const char *text, FILE *out);
void text_say(FILE *out, const char *first, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same where a line has `indent` characters already, in so many lines at most and none longer
 * than fits: the last one is cut, and so is a word that is too long. Returns how many it were. */
int text_wrap_most(int indent, const char *text, int most, FILE *out);
/* An empty line, and what the table below is, wrapped. */
void text_title(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
