/* sweep.h: records the runs of a plan, saves each at once, and prints the report on them. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include <stdio.h>

#include "cli/experiment.h"
#include "cli/plan.h"
#include "record/record.h"
#include "write/format.h"

struct sweep_options {
	struct record_options record;
	struct report_choice choice;	/* of the report, where there is one experiment */
	enum table_format sizes_format; /* of the table, where there are several */
	const char *store;
	int quiet;	    /* no report and no progress */
	int ignore_failure; /* go on when a run fails, and store it */
};

/* Records one run and fills *run and *session as record_run() does; run->experiment is its
 * experiment's name. */
enum launch_result sweep_record(const struct plan *plan, const struct planned_run *planned,
				const struct record_options *options, struct run *run,
				struct session_dir *session, struct error *err);

/* Records all runs, says what goes wrong, and writes the report to `out`. Returns the exit status.
 */
int sweep_run(const struct plan *plan, const struct sweep_options *options, FILE *out);

#endif
