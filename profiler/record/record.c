/* record.c: runs a command under the preload library and the sampler, and brings back the run. */
/* SPDX-License-Identifier: MIT */
#include "record/record.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "calls/collect.h"
#include "perf/event_list.h"
#include "launch/launch.h"
#include "machine/machine.h"
#include "perf/event.h"
#include "sampling/sampler.h"
#include "wire/processes.h"
#include "wire/session.h"
#include "wire/clock.h"

#define CALLS_WATCHED 8192 /* of a thread: its last ones */
#define WAIT_US	      10000

/* One run on its way. */
struct recording {
	const struct record_options *options;
	char shim[PATH_MAX + 64]; /* as LD_PRELOAD names it */
	struct session_dir session;
	struct event_list counted;
	struct exact_events exact;
	const char *probed; /* the program, where its calls are probed */
	char program[PATH_MAX];
	struct counters *counters; /* where no sampler has them; NULL: none */
	struct unseen *unseen;	   /* without a sampler, which would tell too */
	struct output_tap *tap;	   /* NULL: the output is the command's alone */
	struct launch launch;
	int ended;		   /* 1: the command ran to its end */
	struct load before, after; /* the command */
	int64_t cpu_ns;		   /* that it and its descendants used */
	int perf_on; /* without a sampler: keeps the program's first call from switching perf on */
};

static struct recording current;

/* What preloading cannot reach is run without it: nothing would be gained, and the loader of
 * another kind of program would complain in the program's own output. */
static int can_preload(const struct run *run)
{
	static const char *const hopeless[] = {"static_program", "setuid_program",
					       "foreign_program", "musl_program"};

	for (size_t i = 0; i < run->nnotes; i++)
		for (size_t j = 0; j < sizeof hopeless / sizeof *hopeless; j++)
			if (!strcmp(run->notes[i].code, hopeless[j]))
				return 0;
	return 1;
}

/* "units=1,blas=1.5": what the run's figures must never be mixed without. */
static void describe_what_if(const struct what_if *what_if, struct run *run)
{
	const struct {
		const char *name;
		double value, least;
	} parts[] = {{"units", what_if->units, 1},
		     {"blas", what_if->blas, 1.0000001},
		     {"other", what_if->other, 1.0000001}};
	size_t length = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].value >= parts[i].least)
			length += (size_t)snprintf(
				run->what_if + length, sizeof run->what_if - length, "%s%s=%g",
				length ? "," : "", parts[i].name, parts[i].value);
}

static void describe_rank(struct run *run)
{
	struct rank rank;
	char text[16];

	if (!rank_find(&rank))
		return;
	snprintf(text, sizeof text, "%d", rank.number);
	run_add_fact(run, "mpi.rank", text);
	snprintf(text, sizeof text, "%d", rank.size);
	run_add_fact(run, "mpi.size", text);
	run_add_fact(run, "mpi.job", rank.job);
	run_add_fact(run, "mpi.launcher", rank.launcher);
}

static void describe_run(const struct recording *recording, char *const argv[], struct run *run)
{
	const struct record_options *options = recording->options;
	time_t now = time(NULL);
	struct tm utc;

	run->command = command_join(argv);
	run->experiment = command_join(argv);
	run->threads_requested = options->threads_requested;
	if (options->roi)
		snprintf(run->roi, sizeof run->roi, "%s", options->roi);
	describe_what_if(&options->what_if, run);
	gmtime_r(&now, &utc);
	strftime(run->started, sizeof run->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
	machine_describe("", run);
	run_add_fact(run, "blasprof_version", PACKAGE_VERSION);
	run_add_fact(run, "session", recording->session.path);
	describe_rank(run);
	target_inspect(argv[0], run);
}

static struct sampler *start_sampler(const struct recording *recording, pid_t child,
				     struct run *run)
{
	const struct record_options *options = recording->options;
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
	run->sample_rate_hz = options->rate_hz;
	return sampler;
}

/* Of all children that have ended. */
static int64_t children_cpu_ns(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage))
		return 0;
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * INT64_C(1000000000) +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * INT64_C(1000);
}

/* Which CPUs the program had, by its threads' masks, and who else used them. */
static void note_cpus(const struct recording *recording, uint64_t cpus[CPU_WORDS], struct run *run)
{
	struct load_program program = {.pid = recording->launch.child,
				       .profiler = getpid(),
				       .cpu_ns = recording->cpu_ns,
				       .cpus = cpus,
				       .words = CPU_WORDS};
	int count = 0;

	for (int i = 0; i < CPU_WORDS; i++)
		count += __builtin_popcountll(cpus[i]);
	if (count)
		machine_use_cpus("", count, run);
	else
		syscall(SYS_sched_getaffinity, 0, CPU_WORDS * sizeof *cpus, cpus);
	load_note("", &recording->before, &recording->after, &program, run);
}

/* Work that is not counted in flops: by a number from the program's output, or by what it called.
 */
static void note_work(const struct record_options *options, struct output_tap *tap, struct run *run)
{
	double number;
	int is_rate;

	if (tap) {
		run->work = 0;
		if (!output_tap_finish(tap, &number, &is_rate)) {
			run_add_note(run, "work_not_found", "'%s'", options->work);
			return;
		}
		run->work = is_rate ? number * (double)run->roi_ns * 1e-9 : number;
		snprintf(run->work_unit, sizeof run->work_unit, "work");
		run_add_fact(run, "work_pattern", options->work);
	} else {
		collect_work(options->work, run);
	}
}

/* The calls first: they say what the region of interest is and where the BLAS is. */
static int collect(const struct recording *recording, struct sampler *sampler, struct run *run,
		   struct error *err)
{
	const char *name = recording->options->roi;
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

	if (!failed && sampler)
		sampler_activity(sampler, &calls, &activity);
	if (!failed)
		failed = collect_run(&recording->session, &roi, sampler ? &seen : NULL,
				     sampler ? &activity : NULL, run, &calls, err);
	if (!failed)
		note_cpus(recording, calls.cpus, run);
	if (!failed && sampler) {
		sampler_collect_calls(sampler, &roi, &activity, run, &calls);
		sampler_collect(sampler, &calls, run);
	}
	if (!failed && recording->counters)
		counters_read(recording->counters, run);
	energy_note("", &recording->counted, run);
	if (!failed)
		exact_collect(&recording->exact, &calls.records, run);
	activity_free(&activity);
	collected_free(&calls);
	return failed;
}

/* As a shell has it. */
static int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* From the fork on. */
static enum launch_result run_command(struct recording *recording, char *const argv[],
				      struct run *run, struct error *err)
{
	struct launch_plan plan = {argv, can_preload(run) ? recording->shim : NULL,
				   recording->session.path, target_needs(argv[0], "libasan.so"),
				   recording->tap ? output_tap_fd(recording->tap) : -1};
	const char *collector = getenv(ITT_VARIABLE);
	struct counters_target target = {.root = ""};
	struct launch *launch = &recording->launch;
	enum launch_result result;
	struct sampler *sampler;
	struct error why;
	int failed;

	if (launch_prepare(launch, &plan, err))
		return LAUNCH_FAILED;
	if (recording->tap && output_tap_start(recording->tap, err)) {
		launch_cancel(launch); /* nobody would hand on its output */
		return LAUNCH_FAILED;
	}
	/* another tool's library collects what ITT reports, and ours does not */
	if (plan.shim && collector && strcmp(collector, plan.shim))
		run_add_note(run, "other_collector", "%s", collector);
	sampler = start_sampler(recording, launch->child, run);
	recording->perf_on = sampler ? -1 : perf_keep_on();
	target.child = launch->child;
	if (!sampler) /* then there are only the sums of what is counted */
		recording->counters = counters_open(&recording->counted, &target, run);
	/* for who recovers the session, and for the shim */
	failed = description_save(&recording->session, recording->options->work, argv, run, &why);
	if (session_set_program(&recording->session, launch->child, failed ? NULL : &why) || failed)
		run_add_note(run, "not_recoverable", "%s", why.what);
	if (!sampler && plan.shim)
		recording->unseen = unseen_start(launch->child);
	recording->cpu_ns = -children_cpu_ns();
	load_read("", &recording->before);
	result = launch_go(launch, argv[0], err);
	if (result == LAUNCH_DONE) {
		launch_wait(launch);
		session_wait(&recording->session, run);
		recording->cpu_ns += children_cpu_ns();
		load_read("", &recording->after);
	}
	unseen_finish(recording->unseen, run);
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
		note_work(recording->options, recording->tap, run);
	}
	if (sampler)
		sampler_free(sampler);
	counters_free(recording->counters);
	load_free(&recording->before);
	load_free(&recording->after);
	return result;
}

/* Where memory is out: as if the session had been left by a blasprof that was killed. */
static void leave_run(void)
{
	struct launch *launch = &current.launch;
	struct error err;

	if (!launch->started_ns)
		session_remove(&current.session);
	if (!launch->started_ns || access(current.session.path, F_OK))
		return; /* nothing runs yet, or the run is stored */
	if (gettid() == getpid() && !launch->ended_ns)
		launch_wait(launch);
	while (!__atomic_load_n(&launch->ended_ns, __ATOMIC_ACQUIRE))
		usleep(WAIT_US); /* the first thread waits for the command */
	if (current.tap)
		output_tap_free(current.tap);
	error_out_of_memory(&err);
	record_leave(&current.session, err.remedy, &err);
	fprintf(stderr, "blasprof: %s; %s\n", err.what, err.remedy);
	_exit(exit_status(launch->status));
}

static int is_one_of(const char *text, const char *const words[])
{
	for (; text && *words; words++)
		if (!strcmp(text, *words))
			return 1;
	return !text;
}

/* Everything that can be refused before anything runs. */
static int prepare(struct recording *recording, struct error *err)
{
	static const char *const counted[] = {"flops", "steps", NULL};
	static const char *const spans[] = {"blas", "process", NULL};
	const struct record_options *options = recording->options;
	struct session wanted = {
		.roi = ROI_CALLS,
		.units = (uint32_t)options->what_if.units,
		.blas_factor = options->what_if.blas,
		.other_factor = options->what_if.other,
		.follow = (uint32_t)options->follow,
		.spans = (uint32_t)options->spans,
		.watched = options->rate_hz > 0 ? CALLS_WATCHED : 0,
	};

	if (!is_one_of(options->roi, spans)) {
		wanted.roi = ROI_REGION;
		snprintf(wanted.roi_region, sizeof wanted.roi_region, "%s", options->roi);
	}
	if (options->counted && event_list_parse(options->counted, &recording->counted, err))
		return -1;
	energy_add("", &recording->counted);
	if (preload_find(options->shim, recording->shim, sizeof recording->shim, err))
		return -1;
	if (!is_one_of(options->work, counted) &&
	    output_tap_open(&recording->tap, options->work, err))
		return -1;
	exact_choose(&recording->counted, &recording->exact);
	wanted.nexact = (uint32_t)recording->exact.count;
	memcpy(wanted.exact, recording->exact.events, sizeof wanted.exact);
	return session_create(&recording->session, &wanted, err);
}

void record_leave(struct session_dir *session, const char *before, struct error *err)
{
	char why[sizeof err->what], remedy[sizeof err->remedy];

	if (!session->path[0])
		return;
	memcpy(why, err->what, sizeof why);
	snprintf(remedy, sizeof remedy, "%.200s, then 'blasprof recover %s' stores the run's calls",
		 before, session->path);
	error_set(err, remedy, "%s", why);
	session_close(session);
}

enum launch_result record_run(const struct record_options *options, char *const argv[],
			      struct run *run, struct session_dir *session, struct error *err)
{
	struct recording *recording = &current;
	enum launch_result result = LAUNCH_FAILED;

	current = (struct recording){.options = options, .session = {.fd = -1}};
	memory_at_end = leave_run;
	run_init(run);
	if (!prepare(recording, err)) {
		describe_run(recording, argv, run);
		/* probes are for what cannot be preloaded: elsewhere they would cost, and tell less
		 */
		if (options->uprobes && can_preload(run))
			run_add_note(run, "uprobes_unneeded", "%s", argv[0]);
		else if (options->uprobes &&
			 !target_find(argv[0], recording->program, sizeof recording->program))
			recording->probed = recording->program;
		result = run_command(recording, argv, run, err);
	}
	*session = recording->session;
	if (result == LAUNCH_FAILED && recording->ended)
		record_leave(session, "free some memory", err);
	else if (result != LAUNCH_DONE || !can_preload(run)) /* its calls are not there */
		session_remove(session);
	if (recording->tap)
		output_tap_free(recording->tap);
	recording->tap = NULL;
	event_list_free(&recording->counted);
	if (result != LAUNCH_DONE)
		memory_at_end = NULL;
	return result;
}
