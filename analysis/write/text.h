/* text.h: the sections of the text report. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

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

/* 1 when tables show the category: MPI only where the program spent time in it. */
int text_has_category(const struct report *report, enum category category);
/* How many of `count` rows are shown: options.top at most. */
size_t text_limit(const struct report *report, size_t count);
/* "1.58", or "1.58 ± 0.04" where the interval is known. Returns text[]. */
#define RANGE_TEXT_MAX 80
const char *range_text(double value, const struct report_range *range, char text[RANGE_TEXT_MAX]);

/* The alignment of a table's columns, with one more to the right where it has MPI. Valid until the
 * next call. */
const char *text_align(const struct report *report, const char *without);
struct grid;
/* The shares that the time of a row falls into: BLAS, stall, other, MPI, waiting, no CPU; and their
 * headings. */
enum { TEXT_PART_MPI = 3, TEXT_PARTS = 6 };
void text_add_part_headings(struct grid *grid, const struct report *report);
void text_add_parts(struct grid *grid, const struct report *report, const double parts[TEXT_PARTS],
		    double all_ns);
/* Adds the thread count: "4", "4*" over the CPUs available, "4!" where only failed runs are there.
 */
void text_add_threads(struct grid *grid, const struct report_row *row);
/* Adds routine, transposes and dimensions: five cells. */
void text_add_shape_name(struct grid *grid, const struct report_shape *shape);
/* Adds the heading of work a second: "steps/s". */
void text_add_rate_heading(struct grid *grid, const struct report *report);

/* The run's name for people: "run 12". Returns text[]. */
#define RUN_NAME_MAX 32
const char *text_run(int64_t id, char text[RUN_NAME_MAX]);

/* Prints text in lines that fit the paper (paper.h), `first` before the first and as many spaces
 * before the others. */
void text_wrap(const char *first, const char *text, FILE *out);
/* An empty line, and what the table below is, wrapped. */
void text_title(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
