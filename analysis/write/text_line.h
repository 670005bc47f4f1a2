/* text_line.h: wrapped sentences and titles of text output, and the thread count it is about. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_TEXT_LINE_H
#define WRITE_TEXT_LINE_H

#include "base/memory.h"
#include "report/report.h"

/* The row of the thread count that the verdict is about, and whose bars, shapes and functions are
 * shown; without a cause, that of the newest run in use. NULL if there is none. */
const struct report_row *text_focus(const struct report *report);
/* That thread count; 0 if there is none. */
int text_threads(const struct report *report);

/* How many of `count` rows are shown: options.top at most. */
size_t text_limit(const struct report *report, size_t count);
/* Returns "run 12", or "a run that is not stored" for id 0. */
const char *text_run(int64_t id);

/* Prints text in lines that fit the terminal (terminal.h). `first` stands before the first line,
 * and as many spaces before the others. */
void text_wrap(const char *first, const char *text, FILE *out);
void text_say(FILE *out, const char *first, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Continues a line that already has `indent` characters. Prints at most `most` lines and returns
 * how many; the last line is cut, and so is a word that is too long for a line. With 0, prints all
 * lines and cuts nothing. */
int text_wrap_most(int indent, const char *text, int most, FILE *out);
/* Prints an empty line and the caption of the table below it, wrapped. */
#define text_title(out, ...) (fputs("\n", out), text_say(out, "", __VA_ARGS__))
/* Says that the runs were recorded under a what-if, unless it is "". */
void text_what_if(const char *what_if, FILE *out);
/* The number of lines that were written to a file in memory so far. */
int text_lines(struct memory_file *memory);

#endif
