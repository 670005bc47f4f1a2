/* text.h: the sections of the text report. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/report.h"

#define TEXT_WIDTH 100

/* Each writes its section; 0, or -1 when memory is out. */
int text_header(const struct report *report, FILE *out);
int text_verdict(const struct report *report, FILE *out);
int text_accounts(const struct report *report, FILE *out);
int text_speedups(const struct report *report, FILE *out);
int text_losses(const struct report *report, FILE *out);
int text_shapes(const struct report *report, FILE *out);
int text_functions(const struct report *report, FILE *out);
int text_threads(const struct report *report, FILE *out);
int text_closing(const struct report *report, FILE *out);

/* The thread count that shapes and functions are shown for: the newest run's, or the highest. */
const struct report_row *text_focus(const struct report *report);

/* The run's name for people: "run 12". Returns text[]. */
#define RUN_NAME_MAX 32
const char *text_run(int64_t id, char text[RUN_NAME_MAX]);

/* Prints text in lines of at most TEXT_WIDTH, `first` before the first and as many spaces before
 * the others. */
void text_wrap(const char *first, const char *text, FILE *out);

#endif
