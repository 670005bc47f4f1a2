/* sweep.c: takes all runs of a plan, one after the other, and reports on them. */
/* SPDX-License-Identifier: MIT */
#include "cli/sweep.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/keep.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/sizes.h"
#include "cli/take.h"
#include "record/experiment.h"

struct sweep {
	const struct plan *plan;
	const struct sweep_options *options;
	struct progress progress;
	char **experiments; /* of each variant: what its runs were stored as; NULL: none was */
	size_t stored;
	struct session_dir session; /* of the run that has ended */
	off_t input;		    /* where standard input stood, if it is a file */
	int status;
};

/* What ends a sweep from outside. Between runs it ends after the run that was to come. */
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction saved[COUNT(ending_signals)];
static volatile sig_atomic_t ended_by;

static void note_signal(int number)
{
	ended_by = number;
}

static void watch_signals(void)
{
	struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	sigemptyset(&action.sa_mask);
	ended_by = 0;
	for (size_t i = 0; i < COUNT(ending_signals); i++) {
		sigaction(ending_signals[i], &action, &saved[i]);
		if (saved[i].sa_handler == SIG_IGN)
			sigaction(ending_signals[i], &saved[i], NULL);
	}
}

static void give_signals_back(void)
{
	for (size_t i = 0; i < COUNT(ending_signals); i++)
		sigaction(ending_signals[i], &saved[i], NULL);
}

/* Says why a run does not count, in the sweep's own words. */
static void say_ended(struct sweep *sweep, size_t index, const struct run *run, const char *how,
		      int number)
{
	char remedy[200];
	struct error err;

	snprintf(remedy, sizeof remedy,
		 "%zu finished run%s kept; --ignore-failure goes on in spite of failures",
		 sweep->stored, sweep->stored == 1 ? " is" : "s are");
	error_set(&err, sweep->options->ignore_failure ? "the sweep goes on" : remedy,
		  "%srun %zu of %zu, '%s', %s %d",
		  plan_run(sweep->plan, index).is_warmup ? "warm-up " : "", index + 1,
		  plan_count(sweep->plan), run->command, how, number);
	progress_erase(&sweep->progress);
	output_failure(&err);
}

static int say(struct sweep *sweep, const struct error *err)
{
	progress_erase(&sweep->progress);
	return output_failure(err);
}

static void say_interrupted(struct sweep *sweep, size_t index, int number)
{
	struct error err;

	error_set(&err, "start it again to add to them",
		  "interrupted in run %zu of %zu: %zu finished run%s kept", index + 1,
		  plan_count(sweep->plan), sweep->stored, sweep->stored == 1 ? " is" : "s are");
	sweep->status = 128 + number;
	say(sweep, &err);
}

/* Stores the run. 1: the sweep goes on. */
static int keep(struct sweep *sweep, const struct planned_run *planned, struct run *run)
{
	char **experiment = &sweep->experiments[planned->variant];
	struct error err;
	enum keep_result result = keep_run(sweep->options->store, run, &err);

	if (result == KEEP_NOTHING) {
		sweep->status = sweep->options->ignore_failure ? 0 : run->exit_status;
		say(sweep, &err);
		return sweep->options->ignore_failure;
	}
	if (result == KEEP_FAILED) {
		record_leave(&sweep->session, err.remedy, &err);
		sweep->status = say(sweep, &err);
		return 0;
	}
	sweep->stored++;
	free(*experiment);
	*experiment = strdup(run->experiment);
	return *experiment != NULL;
}

/* The run has ended. 1: the sweep goes on. */
static int judge_run(struct sweep *sweep, size_t index, struct run *run)
{
	struct planned_run planned = plan_run(sweep->plan, index);

	if (!ended_by && run->exit_signal == SIGINT)
		ended_by = SIGINT;
	if (ended_by) {
		say_interrupted(sweep, index, ended_by);
		return 0;
	}
	if (run->exit_status) {
		say_ended(sweep, index, run,
			  run->exit_signal ? "was ended by signal" : "ended with status",
			  run->exit_signal ? run->exit_signal : run->exit_status);
		if (!sweep->options->ignore_failure) {
			sweep->status = run->exit_status;
			return 0;
		}
	}
	return planned.is_warmup || keep(sweep, &planned, run);
}

static void begin_run(struct sweep *sweep, size_t index)
{
	struct planned_run planned = plan_run(sweep->plan, index);
	char **arguments = plan_arguments(sweep->plan, &planned);
	char *command = arguments ? command_join(arguments) : NULL;

	/* A file as standard input is there for each run, from where it stood. */
	if (sweep->input >= 0)
		lseek(STDIN_FILENO, sweep->input, SEEK_SET);
	progress_begin_run(&sweep->progress, index, command ? command : "");
	free(command);
	arguments_free(arguments);
}

/* 1: the sweep goes on. */
static int do_run(struct sweep *sweep, size_t index)
{
	struct planned_run planned = plan_run(sweep->plan, index);
	struct run run;
	struct error err;
	enum record_result result;
	int goes_on = 0;

	begin_run(sweep, index);
	result = take_run(sweep->plan, &planned, &sweep->options->record, &run, &sweep->session,
			  &err);
	progress_end_run(&sweep->progress, index);
	if (result == RECORD_DONE) {
		goes_on = judge_run(sweep, index, &run);
		session_remove(&sweep->session);
	} else {
		sweep->status = (int)result;
		say(sweep, &err);
	}
	run_free(&run);
	return goes_on;
}

static int print_report(const struct sweep *sweep, FILE *out, struct error *err)
{
	const struct sweep_options *options = sweep->options;
	struct experiment experiment;
	int failed;

	if (sweep->plan->parameters.count)
		return sizes_print(sweep->plan, sweep->experiments, options->store,
				   options->sizes_format, out, err);
	failed = experiment_load(options->store, sweep->experiments[0], &experiment, err) ||
		 experiment_load_timeline(&options->store, 1, &options->choice, &experiment, err) ||
		 experiment_print(experiment.runs, experiment.count, &options->choice, out, err);
	experiment_free(&experiment);
	return failed;
}

static int start(struct sweep *sweep, struct error *err)
{
	sweep->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	sweep->experiments = calloc(sweep->plan->nvariants, sizeof *sweep->experiments);
	if (!sweep->experiments)
		return error_out_of_memory(err);
	return progress_start(sweep->plan, sweep->options->quiet, &sweep->progress, err);
}

static void free_experiments(struct sweep *sweep)
{
	for (size_t i = 0; sweep->experiments && i < sweep->plan->nvariants; i++)
		free(sweep->experiments[i]);
	free(sweep->experiments);
}

int sweep_run(const struct plan *plan, const struct sweep_options *options, FILE *out)
{
	struct sweep sweep = {.plan = plan, .options = options};
	struct error err;

	if (start(&sweep, &err)) {
		sweep.status = output_failure(&err);
	} else {
		watch_signals();
		for (size_t i = 0; i < plan_count(plan) && do_run(&sweep, i); i++)
			;
		give_signals_back();
	}
	progress_end(&sweep.progress);
	if (sweep.stored && !options->quiet && print_report(&sweep, out, &err))
		sweep.status = output_failure(&err);
	free_experiments(&sweep);
	return sweep.status;
}
