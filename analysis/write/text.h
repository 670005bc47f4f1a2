/* text.h: the sections of the text report. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_TEXT_H
#define WRITE_TEXT_H

#include "report/report.h"

/* Each writes its section; 0, or -1 when memory is out. */
int text_header(const struct report *report, FILE *out);
int text_verdict(const struct report *report, FILE *out);
int text_accounts(const struct report *report, FILE *out);
int text_bars(const struct report *report, FILE *out);
int text_speedups(const struct report *report, FILE *out);
int text_repeats(const struct report *report, FILE *out);
int text_losses(const struct report *report, FILE *out);
int text_contributors(const struct report *report, FILE *out);
int text_stacks(const struct report *report, FILE *out);
int text_waits(const struct report *report, FILE *out);
int text_regions(const struct report *report, FILE *out);
int text_mpi(const struct report *report, FILE *out);
int text_processes(const struct report *report, FILE *out);
int text_shapes(const struct report *report, FILE *out);
int text_counters(const struct report *report, FILE *out);
int text_roofline(const struct report *report, FILE *out);
int text_callers(const struct report *report, FILE *out);
int text_categories(const struct report *report, FILE *out);
int text_functions(const struct report *report, FILE *out);
int text_threads(const struct report *report, FILE *out);
int text_closing(const struct report *report, FILE *out);

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
/* An empty line, and what the table below is, wrapped. */
void text_title(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
