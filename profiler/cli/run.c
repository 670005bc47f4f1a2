/* run.c: `blasprof COMMAND`: runs a command, once or in a sweep, and prints the report. */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <string.h>
#include <unistd.h>

#include "base/human.h"
#include "base/nearest.h"
#include "base/ranges.h"
#include "base/string_pool.h"
#include "cli/experiment.h"
#include "cli/sweep.h"
#include "launch/launch.h"
#include "write/format.h"

#define RUNS_MAX 100000

static struct {
	struct sweep_options sweep;
	struct plan_options plan;
	struct option_list what_if;
	const char *follow;
	const char *output, *call_graph;
	int is_timed, timeline_keep;
} settings = {
	.sweep.record.rate_hz = DEFAULT_RATE_HZ,
	.sweep.choice.options = REPORT_OPTIONS_DEFAULT,
	.sweep.store = DEFAULT_STORE,
	.plan = {.runs = 1, .warmup = -1},
};

static const struct option_row options[] = {
	{'t', "threads", "LIST",
	 "run with each of these thread counts, " RANGES_SYNTAX "; the count replaces {} in the "
	 "command",
	 OPTION_TEXT, &settings.plan.threads},
	{0, "threads-env", "NAME",
	 "pass the thread count to the command in this environment variable, or in several "
	 "(NAME,NAME)",
	 OPTION_TEXT, &settings.plan.threads_env},
	{'r', "runs", "N",
	 "run each thread count N times (default 1), in rounds: 1 2 4, 1 2 4, ...", OPTION_INTEGER,
	 &settings.plan.runs, 1, RUNS_MAX},
	{'w', "warmup", "N",
	 "first run each thread count N times without storing the runs (default: 1; 0 for a single "
	 "run)",
	 OPTION_INTEGER, &settings.plan.warmup, 0, RUNS_MAX},
	{'L', "parameter", "NAME=LIST",
	 "run with each of these comma-separated values in place of {NAME} in the command, and "
	 "compare them; 1-8 and 16..256:x2 are ranges of numbers; if the option is given several "
	 "times, run each combination of values",
	 OPTION_LIST, &settings.plan.parameters},
	{0, "ignore-failure", NULL, "continue after a run that fails, and store it", OPTION_FLAG,
	 &settings.sweep.ignore_failure},
	{0, "roi", "NAME",
	 "region of interest to measure: from where BLAS calls are dense to the end of the work "
	 "(blas), the whole process (process), or the region of this name that the program marks; "
	 "default: blas, or process if blas would cover only a minor part of the CPU time",
	 OPTION_TEXT, &settings.sweep.record.roi},
	{0, "work", "WHAT",
	 "measure work in BLAS flops (flops, the default; BLAS calls are counted instead if not "
	 "all shapes are known), in the progress that the program marks (steps), or by a number in "
	 "its output, which the first group of this regular expression matches",
	 OPTION_TEXT, &settings.sweep.record.work},
	{0, "what-if", "CHANGE",
	 "run as if all threads shared M matrix units (units=M), or as if BLAS calls (blas=1.5x) "
	 "or other code (other=2x) took that many times as long; separate several changes by "
	 "commas",
	 OPTION_LIST, &settings.what_if},
	{0, "follow", "WHICH",
	 "count the calls of the command and all its descendants (all, the default), without "
	 "descendants that execute another program (forks), or without any (none)",
	 OPTION_TEXT, &settings.follow},
	{0, "uprobes", NULL,
	 "count the BLAS calls of a static program by kernel breakpoints on its BLAS routines; "
	 "costs some microseconds per call, does not see the program's marks, and knows shapes and "
	 "flops of CBLAS calls only; needs root or the capability CAP_SYS_ADMIN",
	 OPTION_FLAG, &settings.sweep.record.uprobes},
	{'i', "store", "FILE", "add the runs to those in FILE (default " DEFAULT_STORE ")",
	 OPTION_TEXT, &settings.sweep.store},
	{'F', "rate", "HZ",
	 "take HZ samples per second of each thread (default " STRING(
		 DEFAULT_RATE_HZ) "); 0 takes "
				  "none; processes that run without the preload library for less "
				  "than some hundredths of a second may then be missed",
	 OPTION_INTEGER, &settings.sweep.record.rate_hz, 0, 100000},
	{0, "sample-by", "EVENT",
	 "sample on this event (default: cycles if the CPU counts them, else cpu-clock)",
	 OPTION_TEXT, &settings.sweep.record.event},
	{0, "call-graph", "WAY",
	 "record call stacks with the samples: by copying the stack, or its top BYTES, and "
	 "unwinding it (dwarf, the default, or dwarf,BYTES), by frame pointers (fp), or not at all "
	 "(none)",
	 OPTION_TEXT, &settings.call_graph},
	{'e', "events", "LIST",
	 "count these comma-separated events, named as in libpfm4; {A,B} counts A and B at the "
	 "same time; cache, flops, branch, tlb and energy are sets of events",
	 OPTION_TEXT, &settings.sweep.record.counted},
	{0, "timeline", NULL,
	 "record when each thread was in a BLAS call, in a region or off the CPU, for 'blasprof "
	 "report --format=chrome'",
	 OPTION_FLAG, &settings.is_timed},
	{0, "timeline-keep", "N",
	 "record a timeline, but only its last N entries of each thread (default " STRING(
		 TIMELINE_SPANS) ", at most " STRING(TIMELINE_SPANS_MAX) ")",
	 OPTION_INTEGER, &settings.timeline_keep, 1, TIMELINE_SPANS_MAX},
	{'f', "format", "NAME",
	 "print the report in this format (default: by the ending of -o FILE, as in -o page.html, "
	 "or else the first below)",
	 OPTION_TEXT, &settings.sweep.choice.format},
	{0, "full", NULL, "print all tables, instead of a summary of 24 lines", OPTION_FLAG,
	 &settings.sweep.choice.options.full},
	{0, "categories", "FILE",
	 "put other code into categories by the patterns in FILE, then by those that come with "
	 "blasprof",
	 OPTION_TEXT, &settings.sweep.choice.categories},
	{'o', "output", "FILE",
	 "write the report to FILE instead of standard error; - is standard output", OPTION_TEXT,
	 &settings.output},
	{'q', "quiet", NULL, "print no report and no progress", OPTION_FLAG, &settings.sweep.quiet},
};

/* Stores the run, or prints why it cannot be stored and how to store it later. Returns the exit
 * status. */
static int store_run(struct run *run, struct session_dir *session, enum save_result *result)
{
	struct error err;

	*result =
		save_run(settings.sweep.store, settings.sweep.choice.options.categories, run, &err);
	if (*result == SAVE_NOTHING || *result == SAVE_FAILED)
		output_failure(&err);
	if (*result != SAVE_FAILED) {
		session_remove(session);
		return endings_status(run);
	}
	error_set(&err, "", "this run was not stored");
	record_leave(&settings.sweep.record, session, "fix that", &err);
	return output_failure(&err);
}

/* Records the only run of the plan, and reports on all runs of its experiment, or on the run alone
 * if it could not be stored. Returns the exit status, or -1 with *err if the report failed. */
static int run_single(const struct plan *plan, FILE *out, struct error *err)
{
	const struct sweep_options *sweep = &settings.sweep;
	const char *format = sweep->choice.format;
	struct report_choice choice = sweep->choice;
	int is_brief = !sweep->choice.options.full && !settings.output &&
		       (!format || !strcmp(format, "text"));
	struct planned_run planned = plan_run(plan, 0);
	struct nearest nearest = {.wanted = plan->command[0]};
	struct session_dir session;
	enum save_result saved;
	OWN_RUN run;
	enum launch_result result =
		sweep_record(plan, &planned, &sweep->record, &run, &session, err);
	int status = (int)result;

	if (result == LAUNCH_DONE) {
		status = store_run(&run, &session, &saved);
		launch_end();
		choice.options.store = experiment_store(sweep->store);
		choice.options.unstored = 1;
		/* without a BLAS call, the short report would only repeat the message */
		if (!sweep->quiet && !(saved == SAVE_NOTHING && is_brief) &&
		    (run.id ? experiment_report(sweep->store, run.experiment, &sweep->choice, out,
						err)
			    : experiment_print(&run, 1, &choice, out, err)))
			status = -1;
	} else {
		for (size_t i = 0; subcommands[i]; i++)
			nearest_offer(&nearest, subcommands[i]->name);
		if (result == LAUNCH_NOT_FOUND &&
		    (size_t)nearest.distances[0] * 3 <= strlen(nearest.wanted))
			SAY(err->remedy, "; the nearest subcommand is '%s'", nearest.names[0]);
		output_failure(err);
	}
	return status;
}

/* Checks before the command runs that its report can be written where it is wanted. */
static int check_output(struct error *err)
{
	const struct sweep_options *sweep = &settings.sweep;
	const struct report_format *format = report_choice_format(&sweep->choice);
	int fd = !settings.output		 ? STDERR_FILENO
		 : !strcmp(settings.output, "-") ? STDOUT_FILENO
						 : -1;

	if (sweep->quiet && settings.output)
		return error_set(err, "leave out one of them",
				 "--quiet prints no report, so --output has none to write");
	if (sweep->quiet)
		return 0;
	if ((format->flags & FORMAT_TIMELINE) && !sweep->record.spans)
		return error_set(err, "add --timeline", "the format %s needs a timeline",
				 format->name);
	if ((format->flags & (FORMAT_BINARY | FORMAT_LONG)) && isatty(fd))
		return error_set(err, "name a file with --output=FILE",
				 "%s cannot be shown on a terminal", format->name);
	return 0;
}

static int check_settings(char **arguments, struct plan *plan, struct error *err)
{
	char letter[] = "-i", *const store_option[] = {letter, (char *)settings.sweep.store, NULL};
	struct sweep_options *sweep = &settings.sweep;

	if (!*arguments)
		return error_set(err, "write one after the options, as in: blasprof -- ./train 4",
				 "no command to run");
	if (*experiment_store(sweep->store)) /* joined now: later, memory may be out */
		sweep->record.store_option = command_join(store_option);
	if (settings.is_timed || settings.timeline_keep)
		sweep->record.spans =
			settings.timeline_keep ? settings.timeline_keep : TIMELINE_SPANS;
	if (follow_parse(settings.follow, &sweep->record.follow, err) ||
	    plan_make(&settings.plan, arguments, plan, err) ||
	    what_if_parse(&settings.what_if, sweep->record.what_if, err) ||
	    call_graph_parse(settings.call_graph, &sweep->record, err) ||
	    record_options_check(&sweep->record, err) ||
	    report_choice_check(&sweep->choice, settings.output, err) || check_output(err))
		return -1;
	if (plan->nparameters && table_format_find(sweep->choice.format, &sweep->sizes_format, err))
		return error_set(err, "choose the format text, csv or json",
				 "the table of -L cannot be printed in the format %s",
				 sweep->choice.format);
	return save_check(sweep->store, err);
}

static int run_run(char **arguments, struct error *err)
{
	const char *store = settings.sweep.store, *slash = strrchr(store, '/');
	const char *name = slash ? slash + 1 : store, *dot = strrchr(name, '.');
	/* the length of the path without the extension */
	int stem = (int)(dot && dot > name ? dot - store : (long)strlen(store));
	struct rank rank;
	int is_rank = rank_find(&rank), is_quiet = settings.sweep.quiet, status;
	struct plan plan = {0};
	FILE *out;

	launch_set_signals();
	launch_note_files();
	/* a rank of an MPI job has its own store: in rank 3, "blasprof.db" becomes "blasprof.3.db";
	 * none prints a report */
	if (is_rank) {
		settings.sweep.store =
			string_printf("%.*s.%d%s", stem, store, rank.number, store + stem);
		settings.sweep.quiet = 1;
		settings.output = NULL;
	}
	settings.sweep.record.is_last = 1; /* sweep_run() sets it for each of its runs */
	status = check_settings(arguments, &plan, err);
	if (!status && !(out = output_open(settings.output, stderr, err)))
		status = -1;
	if (!status) {
		settings.sweep.record.writes_output = out == stdout;
		status = plan_count(&plan) == 1 && !plan.nparameters
				 ? run_single(&plan, out, err)
				 : sweep_run(&plan, &settings.sweep, out, err);
		if (output_close(out, settings.output, status < 0 ? NULL : err))
			status = -1;
		if (is_rank && !is_quiet && !rank.number)
			fprintf(stderr,
				"blasprof: each rank's run is in a store of its own; report on all "
				"of them: blasprof report %.*s.*%s\n",
				stem, store, store + stem);
	}
	plan_free(&plan);
	return status;
}

static void print_more(void)
{
	printf("\nSubcommands:\n");
	for (size_t i = 0; subcommands[i]; i++)
		help_print_row(subcommands[i]->name, subcommands[i]->purpose);
	printf("\nEach subcommand has its own --help. To run a command that has the name of a\n"
	       "subcommand, write it after `--'.\n");
	help_print_formats();
}

const struct command command_run = {
	.name = "",
	.usage = "[OPTION]... [--] COMMAND [ARGUMENT]...\n"
		 "  or:  blasprof SUBCOMMAND [OPTION]...",
	.purpose = "run a command and report where the time of its threads goes",
	.about = "Run COMMAND, and report where the time of its threads goes (inside BLAS,\n"
		 "outside BLAS, or waiting) and which speed-up that predicts for other thread\n"
		 "counts. Runs of the same command with other thread counts are reported\n"
		 "together; -t runs them all.",
	COMMAND_OPTIONS,
	.print_more = print_more,
	.takes_command = 1,
	.run = run_run,
};
