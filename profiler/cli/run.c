/* run.c: `blasprof COMMAND`: runs a command, keeps the run in the store and prints the report. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "record/experiment.h"
#include "record/record.h"

static struct run_settings {
	struct record_options record;
	struct report_choice choice;
	const char *store, *output;
	int quiet;
} settings = {
	.record.rate_hz = DEFAULT_RATE_HZ,
	.choice.options = REPORT_OPTIONS_DEFAULT,
	.store = DEFAULT_STORE,
};

static const struct option_row options[] = {
	{'o', "store", "FILE", "add the run to the runs in FILE (default " DEFAULT_STORE ")",
	 OPTION_TEXT, offsetof(struct run_settings, store)},
	{'F', "rate", "HZ",
	 "take HZ samples a second of each thread; 0: none\n(default " STRING(DEFAULT_RATE_HZ) ")",
	 OPTION_INTEGER, offsetof(struct run_settings, record.rate_hz), 0, 100000},
	{'e', "event", "NAME",
	 "sample at this event (default: cycles where they count,\nelse cpu-clock)", OPTION_TEXT,
	 offsetof(struct run_settings, record.event)},
	{0, "output", "FILE", "write the report to FILE instead of standard error", OPTION_TEXT,
	 offsetof(struct run_settings, output)},
	{'q', "quiet", NULL, "print no report", OPTION_FLAG, offsetof(struct run_settings, quiet)},
};

/* Whether the store takes runs is found out before the command runs. */
static int check_store(struct error *err)
{
	struct store *store;

	if (store_open(&store, settings.store, STORE_CREATE, err))
		return -1;
	store_close(store);
	return 0;
}

static int save_run(struct run *run, struct error *err)
{
	struct store *store;
	int failed;

	if (store_open(&store, settings.store, STORE_CREATE, err))
		return -1;
	failed = store_save_run(store, run, err);
	store_close(store);
	return failed;
}

static uint64_t run_calls(const struct run *run)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < run->nthreads; i++)
		calls += run->threads[i].calls;
	return calls;
}

/* Reports on the run with all others of its experiment, or alone when it is not in the store. */
static int print_report(const struct run *run, FILE *out, struct error *err)
{
	struct experiment experiment = {0};
	int failed;

	if (!run->id)
		return experiment_print(run, 1, &settings.choice, out, err);
	failed = experiment_load(settings.store, run->experiment, &experiment, err) ||
		 experiment_print(experiment.runs, experiment.count, &settings.choice, out, err);
	experiment_free(&experiment);
	return failed ? -1 : 0;
}

/* Stores the run, or says why not. Returns the exit status. */
static int store_run(struct run *run)
{
	struct error err;

	if (!run_calls(run)) {
		error_set(&err, "'blasprof doctor' says what can be seen",
			  "no BLAS call was seen in '%s', so the run is not stored", run->command);
		output_failure(&err);
		return run->exit_status;
	}
	if (!save_run(run, &err))
		return run->exit_status;
	output_failure(&err);
	error_set(&err, settings.quiet ? "" : "the report is all there is of it",
		  "this run was not stored");
	return output_failure(&err);
}

/* The run is over: stores it, if there is anything to store, and prints the report. */
static int keep_run(struct run *run, FILE *out)
{
	struct error err;
	int status = store_run(run);

	if (!settings.quiet && print_report(run, out, &err))
		status = output_failure(&err);
	return status;
}

/* The experiment is the command without its thread count, which is known only now. */
static void name_experiment(char **arguments, struct run *run)
{
	struct report report;
	char *name;

	if (report_build(run, 1, &settings.choice.options, &report, NULL))
		return;
	name = experiment_name(arguments, report.runs[0].threads);
	if (name) {
		free(run->experiment);
		run->experiment = name;
	}
	report_free(&report);
}

static int run_recorded(char **arguments, FILE *out)
{
	struct run run;
	struct error err;
	enum record_result result = record_run(&settings.record, arguments, &run, &err);
	int status;

	if (result == RECORD_DONE) {
		name_experiment(arguments, &run);
		status = keep_run(&run, out);
	} else {
		output_failure(&err);
		status = (int)result;
	}
	run_free(&run);
	return status;
}

static int run_run(char **arguments)
{
	struct error err;
	FILE *out = NULL;
	int status;

	if (!*arguments)
		error_set(&err, "write one after the options, as in: blasprof -- ./train 4",
			  "no command to run");
	else if (!check_store(&err))
		out = output_open(settings.output, stderr, &err);
	if (!out)
		return output_failure(&err);
	status = run_recorded(arguments, out);
	if (output_close(out, settings.output, &err))
		status = output_failure(&err);
	return status;
}

static void print_more(FILE *out)
{
	fputs("\nSubcommands:\n", out);
	for (size_t i = 0; subcommands[i]; i++)
		help_print_row(subcommands[i]->name, subcommands[i]->purpose, out);
	fputs("\nEach subcommand has a --help of its own. A command of the same name as one of\n"
	      "them runs after `--'.\n",
	      out);
}

const struct command command_run = {
	.name = "",
	.usage = "[OPTION]... [--] COMMAND [ARGUMENT]...\n"
		 "  or:  blasprof SUBCOMMAND [OPTION]...",
	.purpose = "run a command and say how its threads share the time with BLAS",
	.about = "Run COMMAND, and say where the time of its threads goes: inside BLAS, outside "
		 "BLAS or\n"
		 "waiting, and which speed-up that predicts for other thread counts. Runs of the "
		 "same\n"
		 "command with other thread counts add to one report.",
	.options = options,
	.options_count = COUNT(options),
	.settings = &settings,
	.print_more = print_more,
	.takes_command = 1,
	.run = run_run,
};
