/* take.c: takes one run of a plan and names its experiment. */
/* SPDX-License-Identifier: MIT */
#include "cli/take.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/arguments.h"
#include "cli/output.h"
#include "machine/cache.h"
#include "record/experiment.h"
#include "report/report.h"

/* How many threads the run was seen to have; 0 where nothing was seen. */
static int seen_threads(const struct run *run)
{
	static const struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct report report;
	int threads;

	if (report_build(run, 1, &options, &report, NULL))
		return 0;
	threads = report.runs[0].threads;
	report_free(&report);
	return threads;
}

/* The command without its thread count, which may be known only after the run. */
static char *name_unmarked(const struct plan *plan, const struct planned_run *planned,
			   char *const arguments[], const struct run *run)
{
	if (plan->has_place)
		return command_join(plan->variants[planned->variant].command);
	if (plan->variables)
		return command_join(arguments);
	return experiment_name(arguments, planned->threads ? planned->threads : seen_threads(run));
}

/* With the mark of what was changed in the run, so that such runs never mix with real ones. */
static char *name_marked(const char *name, const char *what_if)
{
	char *marked;

	if (asprintf(&marked, *what_if ? "%s [what-if %s]" : "%s", name, what_if) < 0)
		return NULL;
	return marked;
}

/* Takes the unmarked name over; NULL where memory is out. */
static int set_name(char *unmarked, struct run *run, struct error *err)
{
	char *name = unmarked ? name_marked(unmarked, run->what_if) : NULL;

	free(unmarked);
	if (!name)
		return error_out_of_memory(err);
	free(run->experiment);
	run->experiment = name;
	return 0;
}

int take_name_recovered(char *const arguments[], struct run *run, struct error *err)
{
	int threads = run->threads_requested ? run->threads_requested : seen_threads(run);

	return set_name(experiment_name(arguments, threads), run, err);
}

enum record_result take_run(const struct plan *plan, const struct planned_run *planned,
			    const struct record_options *options, struct run *run,
			    struct session_dir *session, struct error *err)
{
	struct record_options its = *options;
	char **arguments = plan_arguments(plan, planned);
	enum record_result result = RECORD_FAILED;

	run_init(run);
	*session = (struct session_dir){.fd = -1};
	its.threads_requested = planned->threads;
	if (!arguments)
		error_out_of_memory(err);
	else if (!plan_set_variables(plan, planned, err))
		result = record_run(&its, arguments, run, session, err);
	output_make_wait();
	if (result == RECORD_DONE)
		cache_add_facts(run);
	if (result == RECORD_DONE &&
	    set_name(name_unmarked(plan, planned, arguments, run), run, err)) {
		result = RECORD_FAILED;
		record_leave(session, "free some memory", err);
	}
	arguments_free(arguments);
	return result;
}
