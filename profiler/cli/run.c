/* run.c: `blasprof COMMAND`: runs a command, once or in a sweep, and prints the report. */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <string.h>

#include "base/human.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/ranges.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "cli/record_options.h"
#include "cli/sweep.h"
#include "launch/launch.h"
#include "write/format.h"

#define RUNS_MAX 100000

static struct run_settings {
	struct sweep_options sweep;
	struct plan_options plan;
	struct option_list what_if;
	const char *follow;
	const char *output, *call_graph;
	int is_timed, timeline_keep, is_rank;
} settings = {
	.sweep.record.rate_hz = DEFAULT_RATE_HZ,
	.sweep.choice.options = REPORT_OPTIONS_DEFAULT,
	.sweep.store = DEFAULT_STORE,
	.plan = {.runs = 1, .warmup = -1},
};

static const struct option_row options[] = {
	{'t', "threads", "LIST",
	 "run with each of these thread counts, " RANGES_SYNTAX ";\n"
	 "{} in the command stands for the count",
	 OPTION_TEXT, offsetof(struct run_settings, plan.threads)},
	{0, "threads-env", "NAME",
	 "pass the thread count to the command in this environment\n"
	 "variable, or in several: NAME,NAME",
	 OPTION_TEXT, offsetof(struct run_settings, plan.threads_env)},
	{'r', "runs", "N",
	 "run each thread count N times (default 1), in rounds:\n1 2 4, 1 2 4, ...", OPTION_INTEGER,
	 offsetof(struct run_settings, plan.runs), 1, RUNS_MAX},
	{'w', "warmup", "N",
	 "first run each thread count N times, and store nothing\n"
	 "(default: 1; 0 for a single run)",
	 OPTION_INTEGER, offsetof(struct run_settings, plan.warmup), 0, RUNS_MAX},
	{'L', "parameter", "NAME=LIST",
	 "run with each of these values, separated by commas, in\n"
	 "place of {NAME} in the command, and compare them; 1-8 or\n"
	 "16..256:x2 are ranges of numbers; if given several times:\n"
	 "with each combination",
	 OPTION_LIST, offsetof(struct run_settings, plan.parameters)},
	{0, "ignore-failure", NULL, "go on when a run fails, and store it", OPTION_FLAG,
	 offsetof(struct run_settings, sweep.ignore_failure)},
	{0, "roi", "NAME",
	 "measure from where BLAS calls are dense to the end of\n"
	 "the work (blas), all of the process (process), or the\n"
	 "region of this name that the program marks; by default\n"
	 "blas, or process where that part is a minor one",
	 OPTION_TEXT, offsetof(struct run_settings, sweep.record.roi)},
	{0, "work", "WHAT",
	 "measure work by BLAS flops (flops, the default; calls\n"
	 "where not all shapes are known), by the progress that the\n"
	 "program marks (steps), or by a number in its output: a\n"
	 "regular expression whose first group matches it",
	 OPTION_TEXT, offsetof(struct run_settings, sweep.record.work)},
	{0, "what-if", "CHANGE",
	 "run as if all threads shared M matrix units (units=M), or\n"
	 "as if BLAS (blas=1.5x) or other code (other=2x) took that\n"
	 "many times as long; several changes are separated by\n"
	 "commas",
	 OPTION_LIST, offsetof(struct run_settings, what_if)},
	{0, "follow", "WHICH",
	 "count calls of the command and all its descendants (all,\n"
	 "the default), not of programs that these start by exec\n"
	 "(forks), or of its own process only (none)",
	 OPTION_TEXT, offsetof(struct run_settings, follow)},
	{0, "uprobes", NULL,
	 "count the BLAS calls of a static program, by kernel\n"
	 "breakpoints on its own BLAS routines: some microseconds\n"
	 "a call, no marks of the program, and shapes and flops of\n"
	 "CBLAS names only; for root or with the capability\n"
	 "CAP_PERFMON",
	 OPTION_FLAG, offsetof(struct run_settings, sweep.record.uprobes)},
	{'i', "store", "FILE", "add the runs to those in FILE (default " DEFAULT_STORE ")",
	 OPTION_TEXT, offsetof(struct run_settings, sweep.store)},
	{'F', "rate", "HZ",
	 "take HZ samples a second of each thread (default " STRING(
		 DEFAULT_RATE_HZ) ");\n"
				  "0: none, and then a process that runs without the preload\n"
				  "library for only some hundredths of a second may go\n"
				  "unnoticed",
	 OPTION_INTEGER, offsetof(struct run_settings, sweep.record.rate_hz), 0, 100000},
	{0, "sample-by", "EVENT",
	 "sample at this event (default: cycles if the CPU counts\nthem, else cpu-clock)",
	 OPTION_TEXT, offsetof(struct run_settings, sweep.record.event)},
	{0, "call-graph", "WAY",
	 "take the call stacks of samples by copying the stack\n"
	 "(dwarf, the default, or dwarf,BYTES of it) and unwinding\n"
	 "it, by frame pointers (fp), or not at all (none)",
	 OPTION_TEXT, offsetof(struct run_settings, call_graph)},
	{'e', "events", "LIST",
	 "count these events, by the names of libpfm4, separated by\n"
	 "commas; {A,B} counts A and B together; cache, flops,\n"
	 "branch, tlb and energy are sets",
	 OPTION_TEXT, offsetof(struct run_settings, sweep.record.counted)},
	{0, "timeline", NULL,
	 "record when each thread was in a call, in a region or off\n"
	 "the CPU, for 'blasprof report --format=chrome'",
	 OPTION_FLAG, offsetof(struct run_settings, is_timed)},
	{0, "timeline-keep", "N",
	 "record the last N of these of each thread (default\n" STRING(
		 TIMELINE_SPANS) ", at most " STRING(TIMELINE_SPANS_MAX) ")",
	 OPTION_INTEGER, offsetof(struct run_settings, timeline_keep), 1, TIMELINE_SPANS_MAX},
	{'f', "format", "NAME", "print the report in this format (default: the first below)",
	 OPTION_TEXT, offsetof(struct run_settings, sweep.choice.format)},
	{0, "full", NULL, "print all tables, where there are 24 lines else", OPTION_FLAG,
	 offsetof(struct run_settings, sweep.choice.options.full)},
	{0, "categories", "FILE",
	 "sort other code by the patterns in FILE before those that\n"
	 "come with blasprof",
	 OPTION_TEXT, offsetof(struct run_settings, sweep.choice.categories)},
	{'o', "output", "FILE",
	 "write the report to FILE instead of standard error; -: to\n"
	 "standard output",
	 OPTION_TEXT, offsetof(struct run_settings, output)},
	{'q', "quiet", NULL, "print no report and no progress", OPTION_FLAG,
	 offsetof(struct run_settings, sweep.quiet)},
};

/* Stores the run, or says why not, and how it still can be. Returns the exit status. */
static int store_run(struct run *run, struct session_dir *session, enum save_result *result)
{
	struct error err;

	*result =
		save_run(settings.sweep.store, settings.sweep.choice.options.categories, run, &err);
	if (*result == SAVE_NOTHING || *result == SAVE_FAILED)
		output_failure(&err);
	if (*result != SAVE_FAILED) {
		session_remove(session);
		return run->exit_status;
	}
	error_set(&err, "", "this run was not stored");
	record_leave(session, "mend that", &err);
	return output_failure(&err);
}

/* Where the command that was not found has nearly the name of a subcommand, adds that. */
static void suggest_subcommand(const char *word, struct error *err)
{
	struct nearest nearest = {.wanted = word};

	for (size_t i = 0; subcommands[i]; i++)
		nearest_offer(&nearest, subcommands[i]->name);
	if ((size_t)nearest.distances[0] * 3 <= strlen(word))
		SAY(err->remedy, "; the nearest subcommand is '%s'", nearest.names[0]);
}

/* 1: nothing but the 24 lines on standard error was asked for. */
static int is_brief(void)
{
	const struct report_choice *choice = &settings.sweep.choice;

	return !choice->options.full && !choice->table && !choice->picture && !settings.output &&
	       (!choice->format || !strcmp(choice->format, "text"));
}

/* The only run of the plan: reports on it with all others of its experiment, or alone when it is
 * not in the store. Returns the exit status. */
static int run_single(const struct plan *plan, FILE *out)
{
	const struct sweep_options *sweep = &settings.sweep;
	struct planned_run planned = plan_run(plan, 0);
	struct session_dir session;
	enum save_result saved;
	struct run run;
	struct error err;
	enum launch_result result =
		sweep_record(plan, &planned, &sweep->record, &run, &session, &err);
	int status = (int)result;

	if (result == LAUNCH_DONE) {
		status = store_run(&run, &session, &saved);
		launch_end();
		/* the short report on a run without a call would only repeat the message */
		if (!sweep->quiet && !(saved == SAVE_NOTHING && is_brief()) &&
		    (run.id ? experiment_report(sweep->store, run.experiment, &sweep->choice, out,
						&err)
			    : experiment_print(&run, 1, &sweep->choice, out, &err)))
			status = output_failure(&err);
	} else {
		if (result == LAUNCH_NOT_FOUND)
			suggest_subcommand(plan->command[0], &err);
		output_failure(&err);
	}
	run_free(&run);
	return status;
}

/* The length of a store's name without the ending of the file. */
static int stem_length(const char *store)
{
	const char *slash = strrchr(store, '/'), *name = slash ? slash + 1 : store;
	const char *dot = strrchr(name, '.');

	return (int)(dot && dot > name ? dot - store : (long)strlen(store));
}

/* In a rank of an MPI job, which has a store of its own: "blasprof.db" becomes "blasprof.3.db" in
 * rank 3, a fresh string that lasts as long as the program. 0, or -1 with *err. */
static int name_rank_store(struct error *err)
{
	const char *store = settings.sweep.store;
	int stem = stem_length(store);
	struct rank rank;
	char *named;

	settings.is_rank = rank_find(&rank);
	if (!settings.is_rank)
		return 0;
	memory_check(asprintf(&named, "%.*s.%d%s", stem, store, rank.number, store + stem) < 0);
	settings.sweep.store = named;
	settings.sweep.quiet = 1;
	return 0;
}

/* Says, in the first rank, how all ranks' runs are reported on together. */
static void print_rank_hint(void)
{
	const char *store = settings.sweep.store;
	int whole = (int)strlen(store), stem = stem_length(store);
	struct rank rank;

	if (!rank_find(&rank) || rank.number)
		return;
	while (stem > 0 && store[stem - 1] != '.') /* the rank's number */
		stem--;
	fprintf(stderr,
		"blasprof: each rank's run is in a store of its own; report on all of them: "
		"blasprof report %.*s*%.*s\n",
		stem, store, whole - stem - 1, store + stem + 1);
}

/* Checks all that can be wrong before anything runs. */
static int check_settings(char **arguments, struct plan *plan, struct error *err)
{
	struct sweep_options *sweep = &settings.sweep;

	if (!*arguments)
		return error_set(err, "write one after the options, as in: blasprof -- ./train 4",
				 "no command to run");
	if (settings.is_timed || settings.timeline_keep)
		sweep->record.spans =
			settings.timeline_keep ? settings.timeline_keep : TIMELINE_SPANS;
	if (follow_parse(settings.follow, &sweep->record.follow, err) ||
	    plan_make(&settings.plan, arguments, plan, err) ||
	    what_if_parse(&settings.what_if, &sweep->record.what_if, err) ||
	    call_graph_parse(settings.call_graph, &sweep->record, err) ||
	    record_options_check(&sweep->record, err) || report_choice_check(&sweep->choice, err))
		return -1;
	if (plan->nparameters && table_format_find(sweep->choice.format, &sweep->sizes_format, err))
		return -1;
	return name_rank_store(err) ? -1 : save_check(sweep->store, err);
}

static int run_plan(const struct plan *plan)
{
	struct error err;
	FILE *out = output_open(settings.output, stderr, &err);
	int status;

	if (!out)
		return output_failure(&err);
	if (plan_count(plan) == 1 && !plan->nparameters)
		status = run_single(plan, out);
	else
		status = sweep_run(plan, &settings.sweep, out);
	if (output_close(out, settings.output, &err))
		status = output_failure(&err);
	return status;
}

static int run_run(char **arguments)
{
	int says_ranks = !settings.sweep.quiet, status;
	struct plan plan = {0};
	struct error err;

	launch_outlive_writes();
	if (check_settings(arguments, &plan, &err))
		status = output_failure(&err);
	else
		status = run_plan(&plan);
	if (settings.is_rank && says_ranks)
		print_rank_hint();
	plan_free(&plan);
	return status;
}

static void print_more(FILE *out)
{
	fputs("\nSubcommands:\n", out);
	for (size_t i = 0; subcommands[i]; i++)
		help_print_row(subcommands[i]->name, subcommands[i]->purpose, out);
	fputs("\nEach subcommand has its own --help. After `--', a command may have the name of a\n"
	      "subcommand.\n\nFormats:\n",
	      out);
	for (size_t i = 0; i < report_formats_count; i++)
		help_print_row(report_formats[i].name, report_formats[i].says, out);
}

const struct command command_run = {
	.name = "",
	.usage = "[OPTION]... [--] COMMAND [ARGUMENT]...\n"
		 "  or:  blasprof SUBCOMMAND [OPTION]...",
	.purpose = "run a command and say how its threads share the time with BLAS",
	.about = "Run COMMAND, and say where the time of its threads goes: inside BLAS,\n"
		 "outside BLAS or waiting, and which speed-up that predicts for other thread\n"
		 "counts. Runs of the same command with other thread counts add to one\n"
		 "report; -t runs them all.",
	COMMAND_OPTIONS,
	.print_more = print_more,
	.takes_command = 1,
	.run = run_run,
};
