/* sweep.c: records the runs of a plan, saves each as soon as it ends, and prints the report. */
/* SPDX-License-Identifier: MIT */
#include "cli/sweep.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "cli/experiment.h"
#include "launch/launch.h"
#include "machine/measure.h"
#include "record/record.h"
#include "wire/clock.h"
#include "write/escape.h"

struct sweep {
	const struct plan *plan;
	const struct sweep_options *options;
	int shows_progress; /* 0: stderr is not a terminal, or --quiet */
	int in_place;	  /* 1: each line of progress overwrites the last; 0: the command writes to
			   * the terminal too, so each line stays above the command's output */
	int width;	  /* of the line that is shown now */
	int64_t begun_ns; /* CLOCK_MONOTONIC, of the first run */
	const char *
		*experiments; /* by variant: name of the experiment; NULL if no run was stored */
	size_t stored;
	char roi[sizeof((struct run *)NULL)->roi]; /* region of the first run, which all use */
	int status;
};

#define COLUMNS_DEFAULT 80
#define COLUMNS_MAX	400

static void erase_progress(struct sweep *sweep)
{
	if (sweep->width)
		fprintf(stderr, "\r%*s\r", sweep->width, "");
	sweep->width = 0;
	fflush(stderr);
}

static void show_progress(struct sweep *sweep, size_t index)
{
	struct planned_run planned = plan_run(sweep->plan, index);
	FREED char **arguments = plan_arguments(sweep->plan, &planned);
	char left[64] = "", shown[4 * COLUMNS_MAX + 1];
	double runs_left = (double)(plan_count(sweep->plan) - index);
	double passed_s = (double)(clock_ns(CLOCK_MONOTONIC) - sweep->begun_ns) / 1e9;
	/* -1: not known before the end of the first run */
	long seconds = index ? lround(passed_s / (double)index * runs_left) : -1;
	size_t columns = COLUMNS_DEFAULT;
	const char *line;
	struct winsize size;

	erase_progress(sweep);
	if (seconds >= 3600)
		SAY(left, ", %ld h %ld min left", seconds / 3600, seconds / 60 % 60);
	else if (seconds >= 60)
		SAY(left, ", %ld min %ld s left", seconds / 60, seconds % 60);
	else if (seconds >= 1)
		SAY(left, ", %ld s left", seconds);
	else if (!seconds)
		SAY(left, ", under 1 s left");
	line = string_printf("run %zu of %zu%s%s: %s", index + 1, plan_count(sweep->plan),
			     planned.is_warmup ? " (warm-up)" : "", left, command_join(arguments));
	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1)
		columns = size.ws_col < COLUMNS_MAX ? size.ws_col : COLUMNS_MAX;
	escape_text(line, columns - 1, shown, sizeof shown); /* the full width would wrap */
	fputs(shown, stderr);
	if (sweep->in_place)
		sweep->width = (int)text_width(shown);
	else
		fputc('\n', stderr);
	fflush(stderr);
}

/* The signals that end a sweep: immediately, or, if the command has already ended, as soon as its
 * run is stored. */
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction saved[COUNT(ending_signals)];
static volatile sig_atomic_t ended_by;
static volatile sig_atomic_t cut_short; /* 1: the command was still running */

static void note_signal(int number)
{
	ended_by = number;
	cut_short = cut_short || launch_is_running();
}

void endings_begin(void)
{
	struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	ended_by = cut_short = 0;
	for (size_t i = 0; i < COUNT(ending_signals); i++) {
		sigaction(ending_signals[i], &action, &saved[i]);
		if (saved[i].sa_handler == SIG_IGN)
			sigaction(ending_signals[i], &saved[i], NULL);
	}
}

int endings_signal(int exit_signal)
{
	if (!ended_by && exit_signal == SIGINT)
		ended_by = cut_short = SIGINT;
	return ended_by;
}

void endings_end(void)
{
	for (size_t i = 0; i < COUNT(ending_signals); i++)
		sigaction(ending_signals[i], &saved[i], NULL);
}

int endings_status(const struct run *run)
{
	return run->exit_signal ? STATUS_SIGNAL + run->exit_signal : run->exit_status;
}

static int print_failure(struct sweep *sweep, const struct error *err)
{
	erase_progress(sweep);
	return output_failure(err);
}

/* Says how many runs are kept: "2 finished runs are kept". */
static const char *say_kept(const struct sweep *sweep)
{
	return string_printf("%s %s kept", human_noun((double)sweep->stored, "finished run"),
			     sweep->stored == 1 ? "is" : "are");
}

/* Reports that a signal ended the sweep, `when` ("before", "in" or "after") run `number`. */
static void end_sweep(struct sweep *sweep, const char *when, size_t number)
{
	struct error err;

	error_set(&err, "start it again to add to them", "interrupted %s run %zu of %zu: %s", when,
		  number, plan_count(sweep->plan), say_kept(sweep));
	sweep->status = STATUS_SIGNAL + ended_by;
	print_failure(sweep, &err);
}

/* Stores a run that has ended, or prints why it does not count. Returns 1 if the sweep continues.
 */
static int finish_run(struct sweep *sweep, size_t index, const struct planned_run *planned,
		      struct run *run, struct session_dir *session)
{
	const int continues = sweep->options->ignore_failure;
	const char *remedy = "the sweep continues";
	struct error err;

	endings_signal(run->exit_signal);
	if (cut_short) {
		end_sweep(sweep, "in", index + 1);
		return 0;
	}
	if (run->exit_status) {
		if (!continues)
			remedy =
				string_printf("%s; use --ignore-failure to continue after failures",
					      say_kept(sweep));
		error_set(&err, remedy, "%srun %zu of %zu, '%s', %s",
			  planned->is_warmup ? "warm-up " : "", index + 1, plan_count(sweep->plan),
			  run->command, human_ending(run->exit_status, run->exit_signal));
		print_failure(sweep, &err);
		if (!continues) {
			sweep->status = endings_status(run);
			return 0;
		}
	}
	if (planned->is_warmup)
		return 1;
	switch (save_run(sweep->options->store, sweep->options->choice.options.categories, run,
			 &err)) {
	case SAVE_NOTHING:
		sweep->status = continues ? 0 : run->exit_status;
		print_failure(sweep, &err);
		return continues;
	case SAVE_FAILED:
		record_leave(&sweep->options->record, session, err.remedy, &err);
		sweep->status = print_failure(sweep, &err);
		return 0;
	case SAVE_DONE:
	case SAVE_FOUND:
		break;
	}
	sweep->stored++;
	memcpy(sweep->roi, run->roi, sizeof sweep->roi);
	sweep->experiments[planned->variant] = run->experiment;
	return 1;
}

/* Records run `index`. Returns 1 if the sweep continues. */
static int do_run(struct sweep *sweep, size_t index)
{
	struct planned_run planned = plan_run(sweep->plan, index);
	struct record_options record = sweep->options->record;
	struct session_dir session;
	OWN_RUN run;
	struct error err;
	enum launch_result result;
	int continues = 0;

	input_rewind();
	if (sweep->shows_progress)
		show_progress(sweep, index);
	record.is_last = index + 1 == plan_count(sweep->plan);
	if (sweep->roi[0])
		record.roi = sweep->roi;
	result = sweep_record(sweep->plan, &planned, &record, &run, &session, &err);
	if (result == LAUNCH_DONE) {
		continues = finish_run(sweep, index, &planned, &run, &session);
		session_remove(&session);
		launch_end();
	} else if (ended_by) {
		end_sweep(sweep, "before", index + 1);
	} else {
		sweep->status = (int)result;
		print_failure(sweep, &err);
	}
	return continues;
}

/* Prints a row for each combination of parameter values. Errors on single experiments go to stderr.
 */
static void print_sizes(const struct sweep *sweep, FILE *out, struct error *err)
{
	const struct plan *plan = sweep->plan;
	struct sizes sizes = {.nnames = plan->nparameters, .title = command_join(plan->command)};

	for (size_t i = 0; i < sizes.nnames; i++)
		sizes.names[i] = plan->parameters[i].name;
	for (size_t i = 0; i < plan->nvariants; i++) {
		OWN_EXPERIMENT experiment = {0};

		if (!sweep->experiments[i])
			continue;
		if (experiment_load(sweep->options->store, sweep->experiments[i], STORE_FEW_PARTS,
				    &experiment, err) ||
		    sizes_add(&sizes, plan->variants[i].values, experiment.runs, experiment.count,
			      err))
			output_failure(err);
	}
	sizes_write(&sizes, sweep->options->sizes_format, out);
	sizes_free(&sizes);
}

enum launch_result sweep_record(const struct plan *plan, const struct planned_run *planned,
				const struct record_options *options, struct run *run,
				struct session_dir *session, struct error *err)
{
	struct record_options its = *options;
	FREED char **arguments = plan_arguments(plan, planned);
	const char *name;
	enum launch_result result;

	its.threads_requested = planned->threads;
	plan_set_variables(plan, planned);
	result = record_run(&its, arguments, run, session, err);
	output_block();
	if (result == LAUNCH_DONE) {
		cache_add_facts(run);
		if (plan->has_placeholder)
			name = command_join(plan->variants[planned->variant].command);
		else if (plan->variables)
			name = command_join(arguments);
		else
			name = experiment_name(
				arguments, planned->threads ? planned->threads
							    : experiment_threads(arguments, run));
		save_name(name, run);
	}
	return result;
}

int sweep_run(const struct plan *plan, const struct sweep_options *options, FILE *out,
	      struct error *err)
{
	struct sweep sweep = {.plan = plan, .options = options};

	sweep.experiments = memory_rows(plan->nvariants, sizeof *sweep.experiments);
	sweep.begun_ns = clock_ns(CLOCK_MONOTONIC);
	sweep.shows_progress = !options->quiet && isatty(STDERR_FILENO);
	sweep.in_place = !isatty(STDOUT_FILENO);
	endings_begin();
	for (size_t i = 0; i < plan_count(plan) && do_run(&sweep, i);)
		if (++i < plan_count(plan) && ended_by) {
			end_sweep(&sweep, "after", i);
			break;
		}
	endings_end();
	erase_progress(&sweep);
	if (sweep.stored && !options->quiet && plan->nparameters)
		print_sizes(&sweep, out, err);
	else if (sweep.stored && !options->quiet &&
		 experiment_report(options->store, sweep.experiments[0], &options->choice, out,
				   err))
		sweep.status = -1;
	free(sweep.experiments);
	return sweep.status;
}
