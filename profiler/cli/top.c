/* top.c: `blasprof top`: shows what the threads of a running program are doing. */
/* SPDX-License-Identifier: MIT */
#include <curses.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/human.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "calls/records.h"
#include "cli/command.h"
#include "wire/clock.h"
#include "wire/processes.h"
#include "write/escape.h"

static struct {
	int pid, batch, count;
	double interval;
} settings = {.interval = 1};

static const struct option_row options[] = {
	{'p', "pid", "PID",
	 "show the run to which this process belongs, either as a profiled process or as its "
	 "blasprof (default: the newest run that is in progress)",
	 OPTION_INTEGER, &settings.pid, 1, 1e9},
	{'d', "delay", "SECONDS", "update every SECONDS (default 1)", OPTION_NUMBER,
	 &settings.interval, 0.05, 86400},
	{'n', "count", "N",
	 "exit after N updates; 0, the default, continues until the program ends", OPTION_INTEGER,
	 &settings.count, 0, 1e6},
	{'b', "batch", NULL,
	 "print lines instead of a full screen (default if there is no terminal)", OPTION_FLAG,
	 &settings.batch},
};

#define LINE_MAX_BYTES 160

static volatile sig_atomic_t is_stopped;
static SCREEN *screen; /* NULL if lines are printed */

static const char heading[] =
	" thread name           f  BLAS blocked other waiting no CPU calls/s GFLOP/s now";

/* What a thread waits for, by the beginning of the kernel function's name. The first match counts.
 */
static const struct {
	const char *prefix, *kind;
} wait_functions[] = {
	{"futex", "futex"},	   {"hrtimer_nanosleep", "sleep"},
	{"do_nanosleep", "sleep"}, {"do_poll", "poll"},
	{"poll_schedule", "poll"}, {"ep_poll", "poll"},
	{"do_epoll", "poll"},	   {"do_select", "poll"},
	{"pipe", "pipe"},	   {"anon_pipe", "pipe"},
	{"do_wait", "child"},	   {"kernel_wait", "child"},
	{"wait_woken", "net"},	   {"inet", "net"},
	{"sk_wait", "net"},	   {"unix_stream", "net"},
	{"io_schedule", "disk"},   {"folio_wait", "disk"},
	{"wait_on_page", "disk"},
};

/* Rates of a thread, or of all threads, between two readings. Shares are of the thread's time; NAN
 * if no call ended between the readings. */
struct live_rates {
	double f, share[CAT_COUNT], stalled; /* stalled: blocked inside BLAS */
	double calls_per_s, flops_per_s;
};

/* The sums of a thread since its first call, at the time of a reading. */
struct live_thread {
	pid_t pid;
	int64_t tid;
	uint64_t serial; /* with the pid, identifies a thread: tids are reused */
	char name[16];
	uint64_t calls;
	double flops;
	struct time_split times;
	int ended;
	int is_here;		 /* 1: its numbers are of this PID namespace */
	struct live_rates rates; /* since the reading before */
	double on_cpu;		 /* share of its time; below 0 if unknown */
};

struct live {
	struct live_thread *threads; /* owned */
	size_t count;
	struct live_thread all; /* their sums */
	int64_t at_ns;		/* CLOCK_MONOTONIC */
};

/* Returns 1 if the process `pid` of the PID namespace `space` has a record in the session. */
static int has_process(const struct session_dir *session, pid_t pid, uint64_t space)
{
	struct process_header header;
	int serial = 0, failed;

	do
		failed = process_header_read(&header, session->fd,
					     PATH("p.%d.%d", (int)pid, serial++));
	while (!failed && header.pid_space != space);
	return !failed;
}

/* Finds the running session to which the profiler or profiled process `pid` belongs, or the user's
 * newest one if pid is 0. Returns 0 with *session, to be closed with session_close(), or -1 if
 * there is none. */
static int live_find(pid_t pid, struct session_dir *session)
{
	uint64_t space = process_space(pid);
	FREED const char **paths;
	size_t count;

	/* its number in its own PID namespace, which is the one that the session knows */
	if (pid && space)
		pid = (pid_t)machine_read_last(PATH("/proc/%d/status", (int)pid), "NStgid");
	else
		space = process_space(0);
	*session = (struct session_dir){.fd = -1};
	session_paths(&paths, &count);
	for (size_t i = 0; i < count; i++) {
		struct session_dir other;
		const struct session *its = &other.control;
		int is_wanted;

		if (session_open(&other, paths[i], NULL))
			continue;
		/* before the program has started there is nothing to show */
		is_wanted = session_profiler_runs(&other) && its->program &&
			    (!pid ||
			     (its->pid_space == space &&
			      (its->profiler == pid || its->program == pid)) ||
			     has_process(&other, pid, space));
		if (is_wanted && (session->fd < 0 ||
				  its->begun.monotonic_ns > session->control.begun.monotonic_ns)) {
			session_close(session);
			*session = other;
		} else {
			session_close(&other);
		}
	}
	return session->fd < 0 ? -1 : 0;
}

/* Reads all records without writing anything or stopping the program. Returns 0, or -1 with *err if
 * the directory is gone. The caller frees live->threads in either case. */
static int live_read(const struct session_dir *session, struct live *live, struct error *err)
{
	struct records records;
	int failed;

	*live = (struct live){.at_ns = clock_ns(CLOCK_MONOTONIC)};
	failed = records_open(&records, session, NULL, err);
	EACH_ROW(file, records.files, failed ? 0 : records.count) {
		const struct thread_record *record;

		EACH_RECORD(record, &file->file, CHUNK_THREADS) {
			const struct call_sums *sums = record_sums(file, record);
			struct live_thread *thread;

			if (!sums->calls)
				continue;
			thread = memory_add(&live->threads, &live->count, sizeof *thread);
			*thread = (struct live_thread){
				.pid = file->file.header->pid,
				.tid = record->tid,
				.serial = record->serial,
				.calls = sums->calls,
				.flops = (double)sums->flops,
				.times = sums_times(&records.frame, sums),
				.ended = record->end_ticks != 0,
				.is_here = process_space_is_own(file->file.header->pid_space),
			};
			snprintf(thread->name, sizeof thread->name, "%.15s", record->name);
			live->all.calls += thread->calls;
			live->all.flops += thread->flops;
			time_split_add(&live->all.times, &thread->times);
		}
	}
	records_close(&records);
	return failed;
}

static double increase(double before, double now)
{
	return now > before ? now - before : 0;
}

/* Returns the rates between the two readings, or since the first call if `before` is NULL. */
static struct live_rates make_rates(const struct live_thread *before, const struct live_thread *now,
				    double seconds)
{
	static const struct live_thread nothing;
	struct live_rates rates = {.calls_per_s = NAN, .flops_per_s = NAN};
	double ns[CAT_COUNT], all_ns = 0;

	before = before ? before : &nothing;
	for (int i = 0; i < CAT_COUNT; i++) {
		ns[i] = increase((double)before->times.ns[i], (double)now->times.ns[i]);
		all_ns += ns[i];
	}
	for (int i = 0; i < CAT_COUNT; i++)
		rates.share[i] = ns[i] / all_ns;
	rates.f = ns[CAT_BLAS] / (ns[CAT_BLAS] + ns[CAT_OTHER]);
	rates.stalled = increase((double)before->times.blas_waiting_ns,
				 (double)now->times.blas_waiting_ns) /
			all_ns;
	if (seconds > 0) {
		rates.calls_per_s = increase((double)before->calls, (double)now->calls) / seconds;
		rates.flops_per_s = increase(before->flops, now->flops) / seconds;
	}
	return rates;
}

/* Returns the present state of the thread: "run", "stop", what it waits for, or "wait" if the
 * kernel does not tell; "" if it is not known. */
static const char *thread_now(const struct live_thread *thread)
{
	const char *folder = PATH("/proc/%d/task/%lld", (int)thread->pid, (long long)thread->tid);
	struct process_stat stat;
	char text[256];

	if (!thread->is_here || machine_read_process("", PATH("%s/stat", folder), &stat))
		return "";
	if (stat.state == 'R')
		return "run";
	if (stat.state == 'T' || stat.state == 't')
		return "stop";
	machine_read_line("", PATH("%s/wchan", folder), text, sizeof text);
	for (size_t i = 0; i < COUNT(wait_functions); i++)
		if (!strncmp(text, wait_functions[i].prefix, strlen(wait_functions[i].prefix)))
			return wait_functions[i].kind;
	return "wait";
}

/* The busiest thread comes first, threads that have ended last. */
COMPARE(compare_threads, struct live_thread,
	ORDER(a->ended, b->ended) ?: ORDER(b->on_cpu, a->on_cpu) ?: ORDER(a->tid, b->tid))

/* Formats the line of a thread, or of all threads together if `thread` is NULL. */
static void format_line(const struct live_thread *thread, const struct live_rates *rates,
			char text[LINE_MAX_BYTES])
{
	char number[24] = "all", name[32] = "", f[32] = "-";

	if (thread) {
		snprintf(number, sizeof number, "%lld", (long long)thread->tid);
		escape_text(thread->name, 10, name, sizeof name);
	}
	if (isfinite(rates->f))
		snprintf(f, sizeof f, "%.3f", rates->f);
	snprintf(text, LINE_MAX_BYTES,
		 "%7.10s %-10.24s %5.8s %5.8s %7.8s %5.8s %7.8s %6.8s %7.12s %7.12s %s", number,
		 name, f, human_share(rates->share[CAT_BLAS]), human_share(rates->stalled),
		 human_share(rates->share[CAT_OTHER]), human_share(rates->share[CAT_WAITING]),
		 human_share(rates->share[CAT_NO_CPU]), human_count(rates->calls_per_s),
		 human_figures(rates->flops_per_s / 1e9), thread ? thread_now(thread) : "");
	for (size_t end = strlen(text); end && text[end - 1] == ' ';)
		text[--end] = '\0';
}

/* Shows the text on this line of the screen, or prints it. */
static void put_line(int line, attr_t look, const char *text)
{
	if (!screen) {
		puts(text);
		return;
	}
	attrset(look);
	mvaddnstr(line, 0, text, COLS);
	attrset(A_NORMAL);
}

static void show(const struct session *control, const struct live *before, struct live *now)
{
	double seconds = (double)(now->at_ns - control->started_ns) / 1e9;
	double between_s = (double)(now->at_ns - before->at_ns) / 1e9;
	const struct live_rates all = make_rates(&before->all, &now->all, between_s);
	char text[LINE_MAX_BYTES], program[96], name[64] = "", safe[64];
	int is_here = process_space_is_own(control->pid_space);
	size_t count = 0;

	EACH_ROW(thread, now->threads, now->count) {
		const struct live_thread *last = NULL;

		EACH_ROW(known, before->threads, before->count)
			if (known->pid == thread->pid && known->serial == thread->serial)
				last = known;
		thread->rates = make_rates(last, thread, between_s);
		thread->on_cpu = thread->rates.share[CAT_BLAS] + thread->rates.share[CAT_OTHER];
		if (!isfinite(thread->on_cpu))
			thread->on_cpu = -1;
		count += !thread->ended;
	}
	SORT(now->threads, now->count, compare_threads);
	if (is_here)
		process_name(control->program, name, sizeof name);
	escape_text(name, 20, safe, sizeof safe);
	snprintf(program, sizeof program, *safe ? "%s (process %d)" : "%sprocess %d%s", safe,
		 (int)control->program, is_here ? "" : " of another PID namespace");
	snprintf(text, sizeof text, "blasprof top: %s, %.1f s, %s that called BLAS", program,
		 seconds, human_noun((double)now->count, "thread"));
	if (screen)
		erase();
	put_line(0, A_NORMAL, text);
	put_line(2, A_REVERSE, heading);
	/* line 0 is all threads together, the others are one thread each */
	for (size_t i = 0; i <= count && (!screen || (int)i < LINES - 4); i++) {
		const struct live_thread *thread = i ? &now->threads[i - 1] : NULL;

		format_line(thread, thread ? &thread->rates : &all, text);
		put_line((int)i + 3, i ? A_NORMAL : A_BOLD, text);
	}
	if (screen) {
		put_line(LINES - 1, A_NORMAL,
			 "BLAS to no CPU: % of the threads' time.  q: quit (the program "
			 "continues)");
		refresh();
	}
	fflush(stdout);
}

/* Waits for the time or until a signal arrives. Returns 1 if the user wants to quit. */
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

/* Shows the threads until the program ends, the user quits, or --count is reached. */
static int show_updates(const struct session_dir *session, struct error *err)
{
	struct live before = {0}, now;
	int failed = live_read(session, &before, err);

	for (int i = 0; !failed && (!settings.count || i < settings.count); i++) {
		if (pause_for(settings.interval) || !session_profiler_runs(session))
			break;
		failed = live_read(session, &now, err);
		if (failed && !session_profiler_runs(session))
			failed = 0; /* it has just ended */
		else if (!failed)
			show(&session->control, &before, &now);
		free(before.threads);
		before = now;
	}
	free(before.threads);
	return failed;
}

/* Opens the screen if it is wanted and there is a terminal that has one. */
static void open_screen(void)
{
	if (settings.batch || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return;
	if (!output_is_plain()) {
		setlocale(LC_CTYPE, ""); /* blasprof never sets LC_NUMERIC */
		screen = newterm(NULL, stdout, stdin);
	}
	if (screen) {
		cbreak();
		noecho();
		curs_set(0);
		keypad(stdscr, TRUE);
	} else {
		fputs("blasprof: the terminal has no full screen according to TERM: printing "
		      "lines, as with --batch\n",
		      stderr);
	}
}

static void stop(int number)
{
	is_stopped = 1;
}

static int run_top(char **arguments, struct error *err)
{
	const struct sigaction action = {.sa_handler = stop};
	struct session_dir session;
	int failed;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	if (live_find(settings.pid, &session))
		return error_set(err, "start one: blasprof -- COMMAND",
				 settings.pid ? "process %d is in no run of blasprof"
					      : "no run of blasprof is in progress",
				 settings.pid);
	open_screen();
	failed = show_updates(&session, err);
	if (screen) {
		endwin();
		delscreen(screen);
	}
	session_close(&session);
	return failed;
}

const struct command command_top = {
	.name = "top",
	.usage = "[OPTION]...",
	.purpose = "show what the threads of a running program are doing",
	.about = "Show a run in progress, updated once a second. For each thread it shows the\n"
		 "BLAS share f of its work; the percentage of its time inside BLAS, blocked\n"
		 "inside BLAS, in other code, waiting, and without a CPU; its calls and GFLOP per\n"
		 "second; and whether it is running now, or what it waits for. The busiest\n"
		 "threads come first. The program is not disturbed, and continues when you\n"
		 "quit.",
	COMMAND_OPTIONS,
	.run = run_top,
};
