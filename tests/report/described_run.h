/* described_run.h: runs and their changes in words, for the tests of the report. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_REPORT_DESCRIBED_RUN_H
#define TESTS_REPORT_DESCRIBED_RUN_H

#include "store/run.h"

/* Fills a run as fixture_run() does with the four numbers, of which the second are seconds, and
 * changes it: "2 0.5 .25 .25; samples_lost=20; threads other_ns-=10% preempted_ns+=10%". */
void describe_run(struct run *run, const char *description);

/* Changes fields of the run, or of rows of one of its tables; names are those of the store.
 * Statements end with a semicolon. The rows "threads" are all threads, "threads[1]" is the second,
 * "+threads" a new one, and "+waits each" a new wait of each thread. "facts NAME=VALUE" adds a
 * fact, and "facts NAME=" removes it. A number may have the unit s, ms, or % of the run's region of
 * interest, or it is another field of the row. Text in '' may contain spaces. */
void change_run(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Builds the report, as fixture_report(), on runs in words: REPORT_ON("1 1 .5 .5", "2 1 .5 .5"). */
#define REPORT_ON(...) report_on((const char *const[]){__VA_ARGS__, NULL})
void report_on(const char *const *descriptions);

#endif
