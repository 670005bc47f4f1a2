/* top.c: `blasprof top`: shows what the threads of a program do while it runs. */
/* SPDX-License-Identifier: MIT */
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/human.h"
#include "calls/live.h"
#include "cli/command.h"
#include "cli/output.h"
#include "wire/processes.h"
#include "write/escape.h"

static struct top_settings {
	const char *store;
	int pid, batch, count;
	double interval;
} settings = {.store = DEFAULT_STORE, .interval = 1};

static const struct option_row options[] = {
	{'p', "pid", "PID",
	 "show the run that this process, or the blasprof that\n"
	 "started it, belongs to (default: the newest that runs)",
	 OPTION_INTEGER, offsetof(struct top_settings, pid), 1, 1e9},
	{'d', "delay", "SECONDS", "update every SECONDS (default 1)", OPTION_NUMBER,
	 offsetof(struct top_settings, interval), 0.05, 86400},
	{'n', "count", "N", "end after N updates; 0: when the program ends (default)",
	 OPTION_INTEGER, offsetof(struct top_settings, count), 0, 1e6},
	{'b', "batch", NULL, "print lines instead of a screen (default without terminal)",
	 OPTION_FLAG, offsetof(struct top_settings, batch)},
	{'i', "store", "FILE", "with COMMAND, add its run to FILE (default " DEFAULT_STORE ")",
	 OPTION_TEXT, offsetof(struct top_settings, store)},
};

#define LINE_MAX_BYTES 160
#define SEARCH_STEP_S  0.02

/* A profile that `top` has started itself. */
struct child {
	pid_t pid; /* of the profiler; 0: none was started */
	int ended; /* 1: it has, with `status` as waitpid() gives it */
	int status;
	FILE *outputs[2]; /* what it has written to standard output and error, while the screen is
			   * in use; else NULL */
};

static volatile sig_atomic_t is_stopped;
static SCREEN *screen; /* NULL: lines are printed */

static const char heading[] =
	" thread name             f   BLAS  stall  other waiting no CPU  calls/s  GFLOP/s";

/* Line `index` of what happened between two readings: 0 is all threads together, then each that
 * still runs. Returns text[], or NULL after the last. */
static const char *format_line(const struct live *before, const struct live *now, size_t index,
			       char text[LINE_MAX_BYTES])
{
	char number[24] = "all", name[32] = "", f[HUMAN_MAX] = "-", parts[5][HUMAN_MAX];
	char calls[HUMAN_MAX], flops[HUMAN_MAX];
	const struct live_thread *thread = NULL;
	struct live_rates rates;

	if (!index) {
		rates = live_sum_rates(before, now);
	} else {
		for (size_t i = 0; i < now->count && index; i++)
			if (!now->threads[i].ended && !--index)
				thread = &now->threads[i];
		if (!thread)
			return NULL;
		rates = live_thread_rates(live_thread_find(before, thread), thread,
					  (double)(now->at_ns - before->at_ns) / 1e9);
		snprintf(number, sizeof number, "%lld", (long long)thread->tid);
		escape_text(thread->name, 12, name, sizeof name);
	}
	if (isfinite(rates.f))
		snprintf(f, sizeof f, "%.3f", rates.f);
	human_share(rates.share[CAT_BLAS], parts[0]);
	human_share(rates.stalled, parts[1]);
	human_share(rates.share[CAT_OTHER], parts[2]);
	human_share(rates.share[CAT_WAITING], parts[3]);
	human_share(rates.share[CAT_NO_CPU], parts[4]);
	snprintf(text, LINE_MAX_BYTES,
		 "%7.10s %-12.24s %5.8s %6.8s %6.8s %6.8s %7.8s %6.8s %8.12s %8.12s", number, name,
		 f, parts[0], parts[1], parts[2], parts[3], parts[4],
		 human_count(rates.calls_per_s, calls),
		 human_figures(rates.flops_per_s / 1e9, flops));
	return text;
}

static void show_screen(const char *title, const struct live *before, const struct live *now)
{
	char text[LINE_MAX_BYTES];
	int row = 3;

	erase();
	mvaddnstr(0, 0, title, COLS);
	attron(A_REVERSE);
	mvaddnstr(2, 0, heading, COLS);
	attroff(A_REVERSE);
	for (size_t i = 0; row < LINES - 1 && format_line(before, now, i, text); i++) {
		if (!i)
			attron(A_BOLD);
		mvaddnstr(row++, 0, text, COLS);
		attroff(A_BOLD);
	}
	mvaddnstr(LINES - 1, 0,
		  "BLAS to no CPU: % of the threads' time.  q: quit; the program goes on", COLS);
	refresh();
}

static void show(const struct session *control, const struct live *before, const struct live *now)
{
	double seconds = (double)(now->at_ns - control->started_ns) / 1e9;
	char text[LINE_MAX_BYTES];

	snprintf(text, sizeof text,
		 "blasprof top: process %d, %.1f s, %zu threads that called BLAS",
		 (int)control->program, seconds, now->count);
	if (screen) {
		show_screen(text, before, now);
		return;
	}
	printf("%s\n%s\n", text, heading);
	for (size_t i = 0; format_line(before, now, i, text); i++)
		puts(text);
	fflush(stdout);
}

/* Waits that long, or until a signal comes. 1: the user wants to leave. */
static int pause_for(double seconds)
{
	struct timespec time = {.tv_sec = (time_t)seconds};
	int key;

	if (screen) {
		timeout((int)(seconds * 1000));
		key = getch();
		return key == 'q' || key == 'Q' || key == 27 || is_stopped;
	}
	time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
	nanosleep(&time, NULL);
	return is_stopped;
}

/* In the child: becomes `blasprof -q -o STORE -- COMMAND`. A screen needs the keys for itself. */
static void become_profile(char **words, const struct child *child)
{
	int nothing;

	if (child->outputs[0] && child->outputs[1]) {
		nothing = open("/dev/null", O_RDONLY);
		dup2(nothing, STDIN_FILENO);
		dup2(fileno(child->outputs[0]), STDOUT_FILENO);
		dup2(fileno(child->outputs[1]), STDERR_FILENO);
	}
	execv("/proc/self/exe", words);
	_exit(127);
}

/* With `hide`, the child's output is kept until end_child(). 0, or -1 with *err. */
static int start_child(char **command, int hide, struct child *child, struct error *err)
{
	const char *const first[] = {"blasprof", "-q", "-i", settings.store, "--"};
	size_t count = 0;
	char **words;

	while (command[count])
		count++;
	words = calloc(COUNT(first) + count + 1, sizeof *words);
	if (!words)
		return error_out_of_memory(err);
	memcpy(words, first, sizeof first);
	memcpy(words + COUNT(first), command, count * sizeof *words);
	for (int i = 0; i < 2 && hide; i++)
		child->outputs[i] = tmpfile();
	child->pid = fork();
	if (!child->pid)
		become_profile(words, child);
	free(words);
	if (child->pid < 0)
		return error_set(err, "free some memory, or end other processes",
				 "cannot start a process: %s", strerror(errno));
	return 0;
}

/* Waits for the child's end and passes its output on. Returns its exit status. */
static int end_child(struct child *child)
{
	char text[4096];
	size_t got;

	while (!child->ended) {
		pid_t pid = waitpid(child->pid, &child->status, 0);

		child->ended = pid == child->pid || (pid < 0 && errno != EINTR);
	}
	for (int i = 0; i < 2; i++) {
		FILE *output = child->outputs[i];

		if (!output)
			continue;
		rewind(output);
		while ((got = fread(text, 1, sizeof text, output)))
			fwrite(text, 1, got, i ? stderr : stdout);
		fclose(output);
	}
	return WIFSIGNALED(child->status) ? 128 + WTERMSIG(child->status)
					  : WEXITSTATUS(child->status);
}

/* A profile that was just started takes a moment to make its session. 1: it has ended, or the user
 * has left, before that. */
static int find_session(struct child *child, struct session_dir *session, struct session *control,
			struct error *err)
{
	if (!child->pid && live_find(settings.pid, session, control))
		return error_set(err, "start one: blasprof top -- COMMAND",
				 settings.pid ? "process %d is in no run of blasprof"
					      : "no run of blasprof is under way",
				 settings.pid);
	while (child->pid && live_find(child->pid, session, control)) {
		if (waitpid(child->pid, &child->status, WNOHANG) == child->pid)
			child->ended = 1;
		if (is_stopped || child->ended)
			return 1;
		pause_for(SEARCH_STEP_S);
	}
	return 0;
}

/* Shows what happens until the program ends, the user leaves, or --count is reached. */
static int look(const struct session_dir *session, const struct session *control, struct error *err)
{
	struct live before = {0}, now;
	int failed = live_read(session, &before, err);

	for (int i = 0; !failed && (!settings.count || i < settings.count); i++) {
		if (pause_for(settings.interval) || !session_profiler_runs(session, control))
			break;
		failed = live_read(session, &now, err);
		if (failed && !session_profiler_runs(session, control))
			failed = 0; /* it has just ended */
		else if (!failed && now.count)
			show(control, &before, &now);
		live_free(&before);
		before = now;
	}
	live_free(&before);
	return failed;
}

/* Opens the screen where one is wanted. Says so where there is a terminal without one. */
static void open_screen(int is_wanted)
{
	if (is_wanted) {
		setlocale(LC_CTYPE, "");
		screen = newterm(NULL, stdout, stdin);
	}
	if (screen) {
		cbreak();
		noecho();
		curs_set(0);
		keypad(stdscr, TRUE);
	} else if (!settings.batch && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		fputs("blasprof: this terminal has no screen, by TERM: prints lines, as with "
		      "--batch\n",
		      stderr);
	}
}

static int watch(struct child *child, int wants_screen, struct error *err)
{
	struct session_dir session;
	struct session control;
	int failed = find_session(child, &session, &control, err);

	if (failed)
		return failed < 0 ? -1 : 0;
	open_screen(wants_screen);
	failed = look(&session, &control, err);
	if (screen) {
		endwin();
		delscreen(screen);
		screen = NULL;
	}
	session_close(&session);
	return failed;
}

static void stop(int number)
{
	(void)number;
	is_stopped = 1;
}

static int run_top(char **arguments)
{
	const struct sigaction action = {.sa_handler = stop};
	int wants_screen = !settings.batch && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
			   !output_is_plain();
	struct child child = {0};
	struct error err;
	int failed = 0, status = 0;

	if (*arguments && settings.pid)
		failed = error_set(&err, "leave out one of them",
				   "--pid and a command are both given");
	/* A program that `top` has started gets Ctrl-C as well, from the terminal. */
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	if (!failed && *arguments)
		failed = start_child(arguments, wants_screen, &child, &err);
	failed = failed || watch(&child, wants_screen, &err);
	if (child.pid > 0)
		status = end_child(&child);
	if (failed)
		return output_failure(&err);
	failed = output_finish();
	return failed ? failed : status;
}

const struct command command_top = {
	.name = "top",
	.usage = "[OPTION]... [[--] COMMAND [ARGUMENT]...]",
	.purpose = "show what the threads of a running program do",
	.about = "Run COMMAND as `blasprof -q' does, or look at a run that is under way, and\n"
		 "show once a second what each thread does: its BLAS share f of the work; its\n"
		 "time in % inside BLAS, stalled there, outside BLAS, waiting and without a\n"
		 "CPU; calls and GFLOP/s. The program is not disturbed, and goes on when you\n"
		 "quit.",
	.options = options,
	.options_count = COUNT(options),
	.settings = &settings,
	.takes_command = 1,
	.run = run_top,
};
