/* top.c: `blasprof top`: shows what the threads of a program do while it runs. */
/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "cli/top.h"

static struct top_settings {
	const char *store;
	int pid, batch, count;
	double interval;
} settings = {.store = DEFAULT_STORE, .interval = 1};

static const struct option_row options[] = {
	{'p', "pid", "PID",
	 "look at the run that this process, or the blasprof that\n"
	 "started it, belongs to (default: the newest that runs)",
	 OPTION_INTEGER, offsetof(struct top_settings, pid), 1, 1e9},
	{'d', "delay", "SECONDS", "look every SECONDS (default 1)", OPTION_NUMBER,
	 offsetof(struct top_settings, interval), 0.05, 86400},
	{'n', "count", "N", "end after N looks; 0: when the program ends (default)", OPTION_INTEGER,
	 offsetof(struct top_settings, count), 0, 1e6},
	{'b', "batch", NULL, "print lines instead of a screen, as without a terminal", OPTION_FLAG,
	 offsetof(struct top_settings, batch)},
	{'o', "store", "FILE", "with COMMAND, add its run to FILE (default " DEFAULT_STORE ")",
	 OPTION_TEXT, offsetof(struct top_settings, store)},
};

static volatile sig_atomic_t is_stopped;

static void stop(int number)
{
	(void)number;
	is_stopped = 1;
}

/* Ctrl-C ends the look; a program that `top` has started gets it as well, from the terminal. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = stop};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/* 1: the user wants to leave. */
static int pause_for(double seconds, int has_screen)
{
	struct timespec time = {.tv_sec = (time_t)seconds};

	time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
	if (has_screen)
		return top_screen_wait(seconds) || is_stopped;
	nanosleep(&time, NULL);
	return is_stopped;
}

static void show(const struct session *control, const struct live *before, const struct live *now,
		 int has_screen)
{
	double seconds = (double)(now->at_ns - control->started_ns) / 1e9;
	char text[TOP_LINE_MAX];

	snprintf(text, sizeof text,
		 "blasprof top: process %d, %.1f s, %zu threads that called BLAS",
		 (int)control->program, seconds, now->count);
	if (has_screen) {
		top_screen_show(text, before, now);
		return;
	}
	printf("%s\n%s\n", text, top_heading);
	for (size_t i = 0; top_line(before, now, i, text); i++)
		puts(text);
	fflush(stdout);
}

/* Until the program ends, the user leaves, or there were enough looks. */
static int look(const struct session_dir *session, const struct session *control, int has_screen,
		struct error *err)
{
	struct live before = {0}, now;
	int failed = live_read(session, &before, err);

	for (int i = 0; !failed && (!settings.count || i < settings.count); i++) {
		if (pause_for(settings.interval, has_screen) || !live_goes_on(control))
			break;
		failed = live_read(session, &now, err);
		if (failed && !live_goes_on(control))
			failed = 0; /* it has just ended */
		else if (!failed && now.count)
			show(control, &before, &now, has_screen);
		live_free(&before);
		before = now;
	}
	live_free(&before);
	return failed;
}

#define SEARCH_STEP_S 0.02

/* A profile that was just started takes a moment to make its session. */
static int find(struct top_child *child, struct session_dir *session, struct session *control,
		struct error *err)
{
	if (!child->pid && live_find(settings.pid, session, control))
		return error_set(err, "start one: blasprof top -- COMMAND",
				 settings.pid ? "process %d is in no run of blasprof"
					      : "no run of blasprof is under way",
				 settings.pid);
	while (child->pid && live_find(child->pid, session, control)) {
		if (is_stopped || top_child_ended(child))
			return 1;
		pause_for(SEARCH_STEP_S, 0);
	}
	return 0;
}

/* 1 on a terminal, unless it can print lines only. */
static int wants_screen(void)
{
	return !settings.batch && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
	       !output_is_plain();
}

/* Where there is a terminal, but no screen on it, that is said. Returns 1 when the screen is there.
 */
static int open_screen(int is_wanted)
{
	if (is_wanted && !top_screen_open())
		return 1;
	if (!settings.batch && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		fputs("blasprof: this terminal has no screen, by TERM: prints lines, as with "
		      "--batch\n",
		      stderr);
	return 0;
}

static int watch(struct top_child *child, int hides, struct error *err)
{
	struct session_dir session;
	struct session control;
	int failed = find(child, &session, &control, err), has_screen;

	if (failed)
		return failed < 0 ? -1 : 0;
	has_screen = open_screen(hides);
	failed = look(&session, &control, has_screen, err);
	if (has_screen)
		top_screen_close();
	session_close(&session);
	return failed;
}

static int run_top(char **arguments)
{
	int hides = wants_screen(), failed = 0, status = 0;
	struct top_child child = {0};
	struct error err;

	if (*arguments && settings.pid)
		failed = error_set(&err, "leave out one of them",
				   "--pid and a command are both given");
	catch_signals();
	if (!failed && *arguments)
		failed = top_child_start(arguments, settings.store, hides, &child, &err);
	failed = failed || watch(&child, hides, &err);
	if (child.pid > 0)
		status = top_child_end(&child);
	if (failed)
		return output_failure(&err);
	failed = output_finish();
	return failed ? failed : status;
}

const struct command command_top = {
	.name = "top",
	.usage = "[OPTION]... [[--] COMMAND [ARGUMENT]...]",
	.purpose = "show what the threads of a running program do",
	.about = "Run COMMAND as `blasprof -q' does, or look at a run that is under way, and show "
		 "once a\n"
		 "second what each thread does: its BLAS share f of the work, its time in % inside "
		 "BLAS,\n"
		 "stalled there, outside BLAS, waiting and without a CPU, calls and GFLOP/s. The "
		 "program\n"
		 "is not disturbed, and goes on when you quit.",
	.options = options,
	.options_count = COUNT(options),
	.settings = &settings,
	.takes_command = 1,
	.run = run_top,
};
