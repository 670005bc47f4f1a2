/* scratch.h: a temporary file for what can only be made by name. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SCRATCH_H
#define REPORT_SCRATCH_H

#include <stdio.h>

#include "report/report.h"

/* Makes what goes into the file of that name; 0, or -1 with *err. folder: for further temporary
 * files. */
typedef int scratch_maker(const struct report *report, const char *part, const char *path,
			  const char *folder, struct error *err);

/* Has it made in TMPDIR (or /tmp), copies it to `out` and removes it. 0, or -1 with *err. */
int scratch_write(const struct report *report, const char *part, scratch_maker *make, FILE *out,
		  struct error *err);

#endif
