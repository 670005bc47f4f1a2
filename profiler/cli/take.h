/* take.h: takes one run of a plan, and finds out which experiment it belongs to. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_TAKE_H
#define CLI_TAKE_H

#include "cli/plan.h"
#include "record/record.h"

/* Runs and records it, as record_run() does, *run and *session too; run->experiment is its
 * experiment's name. */
enum record_result take_run(const struct plan *plan, const struct planned_run *planned,
			    const struct record_options *options, struct run *run,
			    struct session_dir *session, struct error *err);
/* Names the experiment of a run that was recovered: by its command and the threads it was seen to
 * have. 0, or -1 with *err. */
int take_name_recovered(char *const arguments[], struct run *run, struct error *err);

#endif
