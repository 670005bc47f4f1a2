/* fixture.h: a run with known figures, for the tests of the report. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_REPORT_FIXTURE_H
#define TESTS_REPORT_FIXTURE_H

#include "report/report.h"
#include "store/run.h"
#include "write/format.h"

#define SECOND INT64_C(1000000000)

/* A run of "./train {}" on 2 CPUs with OpenBLAS: `threads` callers share 2e9 flops and 1,200 calls
 * equally for roi_ns; of each one's time, the shares blas and other are BLAS and other code, the
 * rest is waiting. 1,000 samples are split like the time. The caller frees it by run_free(). */
void fixture_run(struct run *run, int threads, int64_t roi_ns, double blas, double other);

/* Adds a function without samples; NULL when memory is out. */
struct run_function *fixture_function(struct run *run, const char *function, const char *object);
/* Adds 10 waits in step() of train.c:120, for this share of the run's time in all. */
struct run_wait *fixture_wait(struct run *run, int64_t tid, const char *kind, double share);
/* Three runs of anything at all, the first of one thread, that can be reported. */
void fixture_random_runs(struct run *runs, unsigned int seed);
/* The shape's calls are of these two durations from now on. */
void fixture_calls(struct run_shape *shape, int bucket, uint64_t calls, int other, uint64_t others);

/* What fixture_report() sorts functions by: empty at first. */
extern struct categories fixture_categories;
/* Builds the report with default options, but as text with all tables; frees the runs, and the
 * report that was built before. The last one is freed at the end. */
void fixture_report(struct run *runs, size_t count);
/* What the format writes, a fresh string; ends the test where writing fails. */
char *fixture_written(const char *format, const char *table);
/* The same for a table that is no part of a report. */
char *fixture_table_written(table_writer *write, enum table_format format, const void *data);
/* What most tests build, and these look at; each ends the test where it finds it otherwise.
 */
extern struct report report;
void expect_text(const char *words);
void expect_no_text(const char *words);
void expect_next_command(const char *wanted); /* NULL: none */
const struct report_row *row_of(int threads);
/* The report's warning of that code, or NULL. */
const struct report_warning *fixture_warning(const char *code);

#endif
