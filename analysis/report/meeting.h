/* meeting.h: learns from recorded waits and threads how a program's threads meet. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_MEETING_H
#define REPORT_MEETING_H

#include "report/report.h"

/* Sets report->scaling's meeting, calls_a_step and stages from the runs of the most threads that do
 * not lack CPUs, or else of the most threads: at barriers, where threads wait at them (or are
 * started anew) again and again; a pipeline, where all threads differ in the size of their calls
 * and block outside BLAS; else freely. 0, or -1 when memory is out. */
int meeting_find(const struct run *runs, struct report *report);

#endif
