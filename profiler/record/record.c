/* record.c: runs a command under the preload library and the sampler, and returns the run. */
/* SPDX-License-Identifier: MIT */
#include "record/record.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "calls/collect.h"
#include "perf/event_list.h"
#include "report/report.h"
#include "machine/machine.h"
#include "sampling/sampler.h"
#include "wire/processes.h"

#define CALLS_WATCHED 8192 /* the last calls of each thread */
#define WAIT_US	      10000

/* A run in progress. */
struct recording {
	struct record_options options;
	char shim[PATH_MAX + 64]; /* the entry for LD_PRELOAD */
	struct session_dir session;
	struct event_list counted;
	struct exact_events exact;
	const char *probed; /* program[] if its calls are probed by uprobes, else NULL */
	char program[PATH_MAX];
	struct counters *counters; /* NULL if the sampler counts, or nothing is counted */
	struct watch_quota quota;  /* of the processes that made calls */
	struct watch *watch;	   /* NULL without the preload library */
	struct output_tap *tap;	   /* NULL if the command writes directly to our stdout */
	struct launch launch;
	int ended;		   /* 1: the command ran to its end */
	struct load before, after; /* before and after the command */
	int perf_on; /* only without a sampler: keeps perf enabled, so that the first call of the
		      * program does not have to enable it */
};

static struct recording current;

const char *const what_if_names[WHAT_IFS] = {"units", "blas", "other"};

static int has_note(const struct run *run, const char *code)
{
	EACH_ROW(note, run->notes, run->nnotes)
		if (!strcmp(note->code, code))
			return 1;
	return 0;
}

/* Returns 0 if the program cannot load the preload library. It is then run without it, because the
 * loader of another kind of program would complain in the program's own output. A static program
 * ignores the library, but may start others, as init programs of containers and the loader do. */
static int can_preload(const struct run *run)
{
	return !has_note(run, "setuid_program") && !has_note(run, "foreign_program") &&
	       !has_note(run, "musl_program");
}

static void describe_run(const struct recording *recording, char *const argv[], struct run *run)
{
	const struct record_options *options = &recording->options;
	time_t now = time(NULL);
	struct rank rank;
	struct tm utc;

	run->command = run->experiment = command_join(argv);
	run->threads_requested = options->threads_requested;
	if (options->roi)
		snprintf(run->roi, sizeof run->roi, "%s", options->roi);
	for (int i = 0; i < WHAT_IFS; i++) /* like "units=1,blas=1.5"; a factor of 1 is no change */
		if (options->what_if[i] > (i != WHAT_IF_UNITS))
			SAY(run->what_if, "%s%s=%g", *run->what_if ? "," : "", what_if_names[i],
			    options->what_if[i]);
	gmtime_r(&now, &utc);
	strftime(run->started, sizeof run->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
	machine_describe("", run);
	run_add_fact(run, "blasprof_version", PACKAGE_VERSION);
	run_add_fact(run, "session", recording->session.path);
	if (rank_find(&rank)) {
		run_add_fact(run, "mpi.rank", string_printf("%d", rank.number));
		run_add_fact(run, "mpi.size", string_printf("%d", rank.size));
		run_add_fact(run, "mpi.job", rank.job);
		run_add_fact(run, "mpi.launcher", rank.launcher);
	}
	target_inspect(argv[0], run);
	target_add_version(argv, run);
}

static struct sampler *start_sampler(const struct recording *recording, pid_t child,
				     struct run *run)
{
	const struct record_options *options = &recording->options;
	struct sampler_options sampling = {options->rate_hz,	options->event,
					   options->call_graph, options->stack_bytes,
					   &recording->counted, recording->probed};
	struct sampler *sampler = NULL;
	struct error why;

	if (options->rate_hz <= 0)
		return NULL;
	if (sampler_start(&sampler, &sampling, child, run, &why)) {
		run_add_note(run, "no_sampling", "%s%s%s", why.what, why.remedy[0] ? "; " : "",
			     why.remedy);
		return NULL;
	}
	return sampler;
}

/* Notes the CPUs as a list: "0-3,6". */
static void note_cpu_list(const uint64_t cpus[CPU_WORDS], struct run *run)
{
	char text[4096] = "";
	int first = -1;

	for (int cpu = 0; cpu <= 64 * CPU_WORDS; cpu++) {
		int may = cpu < 64 * CPU_WORDS && cpus[cpu / 64] >> (cpu % 64) & 1;

		if (may && first < 0)
			first = cpu;
		if (may || first < 0)
			continue;
		SAY(text, "%s%d", *text ? "," : "", first);
		if (cpu - 1 > first)
			SAY(text, "-%d", cpu - 1);
		first = -1;
	}
	run_add_fact(run, "cpu_list", text);
	run_add_fact(run, "cores", string_printf("%d", machine_count_cores("", text)));
}

/* Notes which CPUs the program could use, by the affinity masks of its threads, and who else used
 * them. */
static void note_cpus(struct recording *recording, uint64_t cpus[CPU_WORDS], struct run *run)
{
	struct load_program program = {.pid = recording->launch.child,
				       .profiler = getpid(),
				       .cpu_ns = recording->launch.cpu_ns,
				       .cpus = cpus,
				       .words = CPU_WORDS};
	const struct watch_quota *quota = &recording->quota;
	double own = machine_cpu_quota("", 0), its = quota->cpus < 0 ? own : quota->cpus;
	int count = 0;

	for (int i = 0; i < CPU_WORDS; i++)
		count += __builtin_popcountll(cpus[i]);
	machine_use_cpus(count ? count : run->cpus_allowed, its, run);
	if (!count)
		syscall(SYS_sched_getaffinity, 0, CPU_WORDS * sizeof *cpus, cpus);
	note_cpu_list(cpus, run);
	if (its < own || its > own) { /* the processes had another quota than blasprof */
		recording->before.throttled_ns = quota->throttled_first_ns;
		recording->after.throttled_ns = quota->throttled_last_ns;
	}
	load_note("", &recording->before, &recording->after, &program, run);
}

/* Sets the run's work, from a number in the program's output or from what it called. */
static void note_work(const struct record_options *options, struct output_tap *tap, struct run *run)
{
	double number;
	int is_rate;

	if (!tap) {
		collect_work(options->work, run);
		return;
	}
	run->work = 0;
	if (!output_tap_finish(tap, &number, &is_rate)) {
		run_add_note(run, "work_not_found", "'%s'", options->work);
		return;
	}
	run->work = is_rate ? number * (double)run->roi_ns * 1e-9 : number;
	snprintf(run->work_unit, sizeof run->work_unit, "work");
	run_add_fact(run, "work_pattern", options->work);
}

/* Collects the calls first, because they determine the region of interest and the BLAS objects. */
static int collect(struct recording *recording, struct sampler *sampler, struct run *run,
		   struct error *err)
{
	const char *name = recording->options.roi;
	struct collect_roi roi = {
		.kind = !name			   ? COLLECT_BEST
			: !strcmp(name, "blas")	   ? COLLECT_CALLS
			: !strcmp(name, "process") ? COLLECT_PROCESS
						   : COLLECT_REGION,
		.started_ns = recording->launch.started_ns,
		.ended_ns = recording->launch.ended_ns,
		.cpu_ns = recording->launch.cpu_ns,
	};
	struct cpu_activity activity = {0};
	struct collected calls;
	struct collect_seen seen = {0};
	int failed;

	if (sampler)
		seen = (struct collect_seen){&sampler->timeline.addresses, sampler->inner,
					     sampler->ninner};
	failed = collect_open(&recording->session, &roi, sampler ? &seen : NULL, run, &calls, err);
	if (!failed) {
		if (sampler)
			sampler_activity(sampler, &calls, &activity);
		collect_run(&recording->session, &roi, sampler ? &seen : NULL,
			    sampler ? &activity : NULL, run, &calls);
		if (run->nthreads)
			run_drop_notes(run, "static_program");
		note_cpus(recording, calls.cpus, run);
		if (sampler) {
			sampler_collect_calls(sampler, &roi, &activity, run, &calls);
			sampler_collect(sampler, &calls, run);
			if (!can_preload(run) || has_note(run, "static_program")) /* says that */
				run_drop_notes(run, "process_not_intercepted");
		}
		if (recording->counters)
			counters_read(recording->counters, run);
		exact_collect(&recording->exact, &calls.records, run);
	}
	activity_free(&activity);
	collected_free(&calls);
	return failed;
}

/* Converts a status of waitpid() to the exit status that a shell reports. */
static int exit_status(int status)
{
	if (WIFSTOPPED(status)) /* the command has asked to be traced by blasprof */
		return 128 + WSTOPSIG(status);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static enum launch_result run_command(struct recording *recording, char *const argv[],
				      struct run *run, struct error *err)
{
	int is_preloaded = can_preload(run) && !recording->probed;
	const int is_last = recording->options.is_last;
	struct launch_plan plan = {argv, is_preloaded ? recording->shim : NULL,
				   recording->session.path,
				   recording->tap ? output_tap_fd(recording->tap) : -1, is_last};
	const char *collector = getenv(ITT_VARIABLE);
	struct counters_target target = {.root = ""};
	int needs_output = recording->options.writes_output;
	struct launch *launch = &recording->launch;
	enum launch_result result;
	struct sampler *sampler;
	struct error why;
	int failed;

	if (launch_prepare(launch, &plan, err))
		return LAUNCH_FAILED;
	if (recording->tap && output_tap_start(recording->tap, is_last && !needs_output, err)) {
		launch_cancel(launch); /* nobody would pass on its output */
		return LAUNCH_FAILED;
	}
	if (is_last)
		launch_release_files(needs_output || recording->tap);
	/* another tool's library receives the ITT reports, so ours does not */
	if (plan.shim && collector && strcmp(collector, plan.shim))
		run_add_note(run, "other_collector", "%s", collector);
	sampler = start_sampler(recording, launch->child, run);
	recording->perf_on = sampler ? -1 : perf_keep_on();
	target.child = launch->child;
	if (!sampler) /* without a sampler, only totals are counted */
		recording->counters = counters_open(&recording->counted, &target, run);
	/* needed by the shim and to recover the session */
	failed = description_save(&recording->session, recording->options.work, argv, run, &why);
	if (session_set_program(&recording->session, launch->child, failed ? NULL : &why) || failed)
		run_add_note(run, "not_recoverable", "%s", why.what);
	if (plan.shim) /* a sampler sees processes without the library itself */
		recording->watch = watch_start(&recording->session, launch->child, !sampler);
	load_read("", &recording->before);
	result = launch_go(launch, argv[0], err);
	if (result == LAUNCH_DONE) {
		launch_wait(launch);
		session_wait(&recording->session, run);
		load_read("", &recording->after);
	}
	recording->quota = watch_finish(recording->watch, run);
	if (sampler)
		sampler_stop(sampler);
	if (recording->perf_on >= 0)
		close(recording->perf_on);
	if (result == LAUNCH_DONE) {
		recording->ended = 1;
		run->elapsed_ns = launch->ended_ns - launch->started_ns;
		run->exit_signal = WIFSIGNALED(launch->status) ? WTERMSIG(launch->status) : 0;
		run->exit_status = exit_status(launch->status);
		if (collect(recording, sampler, run, err))
			result = LAUNCH_FAILED;
		note_work(&recording->options, recording->tap, run);
	}
	sampler_free(sampler);
	counters_free(recording->counters);
	load_free(&recording->before);
	load_free(&recording->after);
	return result;
}

/* Called when memory is out: waits for the command, and leaves the session to be recovered as if
 * blasprof had been killed. */
static void leave_run(void)
{
	struct launch *launch = &current.launch;
	struct error err;

	if (!launch->started_ns)
		session_remove(&current.session);
	if (!launch->started_ns || access(current.session.path, F_OK))
		return; /* nothing runs yet, or the run is already stored */
	if (gettid() == getpid() && !launch->ended_ns)
		launch_wait(launch);
	while (!__atomic_load_n(&launch->ended_ns, __ATOMIC_ACQUIRE))
		usleep(WAIT_US); /* the main thread is waiting for the command */
	output_tap_free(current.tap);
	error_out_of_memory(&err);
	record_leave(&current.options, &current.session, err.remedy, &err);
	fprintf(stderr, "blasprof: %s; %s\n", err.what, err.remedy);
	_exit(exit_status(launch->status));
}

/* Does everything that can fail before the command runs. */
static int prepare(struct recording *recording, struct error *err)
{
	const struct record_options *options = &recording->options;
	const char *roi = options->roi;
	struct session wanted = {
		.roi = ROI_CALLS,
		.units = (uint32_t)options->what_if[WHAT_IF_UNITS],
		.blas_factor = options->what_if[WHAT_IF_BLAS],
		.other_factor = options->what_if[WHAT_IF_OTHER],
		.follow = (uint32_t)options->follow,
		.spans = (uint32_t)options->spans,
		.watched = options->rate_hz > 0 ? CALLS_WATCHED : 0,
	};

	if (roi && report_roi_is_region(roi)) {
		wanted.roi = ROI_REGION;
		snprintf(wanted.roi_region, sizeof wanted.roi_region, "%s", roi);
	}
	if (options->counted && event_list_parse(options->counted, &recording->counted, err))
		return -1;
	energy_add("", &recording->counted);
	if (preload_find(recording->shim, sizeof recording->shim, err))
		return -1;
	if (output_tap_open(&recording->tap, options->work, err))
		return -1;
	exact_choose(&recording->counted, &recording->exact);
	wanted.nexact = (uint32_t)recording->exact.count;
	memcpy(wanted.exact, recording->exact.events, sizeof wanted.exact);
	return session_create(&recording->session, &wanted, err);
}

void record_leave(const struct record_options *options, struct session_dir *session,
		  const char *before, struct error *err)
{
	char why[sizeof err->what], remedy[sizeof err->remedy];
	const char *option = options->store_option;

	if (!session->path[0])
		return;
	memcpy(why, err->what, sizeof why);
	snprintf(remedy, sizeof remedy,
		 "%.200s, then store the run's calls: blasprof recover %s%s%s", before,
		 session->path, option ? " " : "", option ? option : "");
	error_set(err, remedy, "%s", why);
	session_close(session);
}

enum launch_result record_run(const struct record_options *options, char *const argv[],
			      struct run *run, struct session_dir *session, struct error *err)
{
	struct recording *recording = &current;
	enum launch_result result = LAUNCH_FAILED;

	current = (struct recording){.options = *options, .session = {.fd = -1}};
	memory_at_end = leave_run;
	run_init(run);
	launch_hold_signals();
	if (!prepare(recording, err)) {
		describe_run(recording, argv, run);
		/* where the library can be preloaded, probes would cost more and tell less */
		if (options->uprobes && can_preload(run) && !has_note(run, "static_program"))
			run_add_note(run, "uprobes_unneeded", "%s", argv[0]);
		else if (options->uprobes &&
			 !target_find(argv[0], recording->program, sizeof recording->program))
			recording->probed = recording->program;
		result = run_command(recording, argv, run, err);
	}
	*session = recording->session;
	if (result == LAUNCH_FAILED && recording->ended)
		record_leave(options, session, "free some memory", err);
	else if (result != LAUNCH_DONE || !can_preload(run)) /* the session has no calls */
		session_remove(session);
	launch_release_signals();
	output_tap_free(recording->tap);
	recording->tap = NULL;
	event_list_free(&recording->counted);
	if (result != LAUNCH_DONE)
		memory_at_end = NULL;
	return result;
}
