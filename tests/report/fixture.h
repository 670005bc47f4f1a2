/* fixture.h: a run with known figures, for the tests of the report. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_REPORT_FIXTURE_H
#define TESTS_REPORT_FIXTURE_H

#include "store/run.h"

/* A run of "./train {}" on 2 CPUs with OpenBLAS: `threads` callers share 2e9 flops and 1,200 calls
 * equally for roi_ns; of each one's time, the shares blas and other are BLAS and other code, the
 * rest is waiting. 1,000 samples are split like the time. The caller frees it by run_free(). */
void fixture_run(struct run *run, int threads, int64_t roi_ns, double blas, double other);

#endif
