/* fixture.h: a run with known figures, for the tests of the report. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_REPORT_FIXTURE_H
#define TESTS_REPORT_FIXTURE_H

#include "report/report.h"
#include "store/run.h"
#include "write/format.h"

#define SECOND INT64_C(1000000000)

/* Fills a run of "./train {}" on 2 CPUs with OpenBLAS: `threads` callers divide 2e9 flops and 1,200
 * calls equally for roi_ns. `blas` and `other` are the shares of each one's time in BLAS and in
 * other code; the rest is waiting. 1,000 samples are divided like the time. Free it with
 * run_free(). */
void fixture_run(struct run *run, int threads, int64_t roi_ns, double blas, double other);

/* Adds a function without samples. Returns NULL if memory is out. */
struct run_function *fixture_function(struct run *run, const char *function, const char *object);
/* Adds 10 waits in step() at train.c:120 that take this share of the run's time in total. */
struct run_wait *fixture_wait(struct run *run, int64_t tid, const char *kind, double share);
/* Fills three runs with random data that can be reported; the first has one thread. */
void fixture_random_runs(struct run *runs, unsigned int seed);
/* Gives the shape's calls these two durations. */
void fixture_calls(struct run_shape *shape, int bucket, uint64_t calls, int other, uint64_t others);
/* Adds a call to the sequence that is replayed. */
void fixture_pair(struct run *run, uint32_t gap_ns, uint32_t service_ns);

/* The categories that fixture_report() uses; empty at first. */
extern struct categories fixture_categories;
/* Uses those that are installed. */
void fixture_use_categories(void);
/* Builds `report` with default options and full text. Frees the runs and the report that was built
 * before; the last report is freed at exit. */
void fixture_report(struct run *runs, size_t count);
/* Returns what the format writes, valid until the next call; the test fails if writing fails. */
const char *fixture_written(const char *format, const char *table);
/* The same for a table that is not part of a report. */
const char *fixture_table_written(table_writer *write, enum table_format format, const void *data);
/* The report that fixture_report() built, and checks of it, which fail the test. */
extern struct report report;
void expect_text(const char *words);
void expect_no_text(const char *words);
void expect_next_command(const char *wanted); /* NULL: none */
/* Compares the columns of all rows of a table of the report, a line for each: "2 BLAS 0.75\n". A
 * figure that does not exist is "-". */
void expect_rows(const char *table, const char *columns, const char *wanted);
const struct report_row *row_of(int threads);
/* The contributors of each part add up to the part, and the parts to the loss. */
void expect_whole_losses(void);
/* Returns the lost speed-up of the report's only row in "lost" with this contributor. */
double lost_to(const char *contributor);
/* Returns the report's warning of this code, or NULL. */
const struct report_warning *fixture_warning(const char *code);

#endif
