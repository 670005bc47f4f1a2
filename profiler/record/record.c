/* record.c: runs a command under the preload library and the sampler, and brings back the run. */
/* SPDX-License-Identifier: MIT */
#include "record/record.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/collect.h"
#include "record/experiment.h"
#include "record/launch.h"
#include "record/machine.h"
#include "record/sampler.h"
#include "record/session.h"
#include "record/target.h"

#define SHIM_NAME "libblasprof.so"

/* The preload library: beside the program (as built or as copied together), in the library folder
 * next to the program's (an installed tree that was moved), or where it was to be installed. */
static int find_shim(const char *chosen, char *path, size_t size, struct error *err)
{
	static const char *const places[] = {"%s/" SHIM_NAME, "%s/.libs/" SHIM_NAME,
					     "%s/../lib/blasprof/" SHIM_NAME};
	char self[PATH_MAX], *slash;
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	snprintf(path, size, "%s", chosen ? chosen : "");
	if (!chosen && length > 0) {
		self[length] = '\0';
		slash = strrchr(self, '/');
		*slash = '\0';
		for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
			snprintf(path, size, places[i], self);
			if (!access(path, R_OK))
				break;
		}
	}
	if (!chosen && access(path, R_OK))
		snprintf(path, size, "%s/" SHIM_NAME, PKGLIBDIR);
	if (access(path, R_OK))
		return error_set(err, "install blasprof again, or keep " SHIM_NAME " beside it",
				 "the preload library '%s' cannot be read", path);
	if (strpbrk(path, " :"))
		return error_set(err, "install blasprof below a path without spaces and colons",
				 "the loader cannot preload '%s'", path);
	return 0;
}

/* What preloading cannot reach is run without it: nothing would be gained, and the loader of another kind of program would
 * complain in the program's own output. */
static int can_preload(const struct run *run)
{
	static const char *const hopeless[] = {"static_program", "setuid_program",
					       "foreign_program"};

	for (size_t i = 0; i < run->nnotes; i++)
		for (size_t j = 0; j < sizeof hopeless / sizeof *hopeless; j++)
			if (!strcmp(run->notes[i].code, hopeless[j]))
				return 0;
	return 1;
}

static void describe_run(const struct record_options *options, char *const argv[], struct run *run)
{
	time_t now = time(NULL);
	struct tm utc;

	run->command = command_join(argv);
	run->experiment = command_join(argv);
	run->threads_requested = options->threads_requested;
	gmtime_r(&now, &utc);
	strftime(run->started, sizeof run->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
	machine_describe("", run);
	run_add_fact(run, "blasprof_version", PACKAGE_VERSION);
	target_inspect(argv[0], run);
}

static struct sampler *start_sampler(const struct record_options *options, pid_t child,
				     struct run *run)
{
	struct sampler_options sampling = {options->rate_hz, options->event};
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

static void note_end(const struct launch *launch, struct run *run)
{
	run->elapsed_ns = launch->ended_ns - launch->started_ns;
	run->exit_signal = WIFSIGNALED(launch->status) ? WTERMSIG(launch->status) : 0;
	run->exit_status = run->exit_signal ? 128 + run->exit_signal : WEXITSTATUS(launch->status);
}

/* The calls first: they say what the region of interest is and where the BLAS is. */
static int collect(const struct session_dir *session, struct sampler *sampler, struct run *run,
		   struct error *err)
{
	struct collected calls;
	int failed = collect_run(session, run, &calls, err);

	if (!failed && sampler) {
		struct sampler_view view = {calls.roi_start_ns, calls.roi_end_ns,
					    (const char *const *)calls.blas_objects,
					    calls.nblas_objects};

		failed = sampler_collect(sampler, &view, run, err);
	}
	collected_free(&calls);
	return failed;
}

/* From the fork on. */
static enum record_result run_command(const struct record_options *options, char *const argv[],
				      const char *shim, const struct session_dir *session,
				      struct run *run, struct error *err)
{
	enum record_result result;
	struct launch launch;
	struct sampler *sampler;

	if (launch_prepare(&launch, argv, can_preload(run) ? shim : NULL, session->path, err))
		return RECORD_FAILED;
	sampler = start_sampler(options, launch.child, run);
	result = launch_go(&launch, argv[0], err);
	if (result == RECORD_DONE)
		launch_wait(&launch);
	if (sampler)
		sampler_stop(sampler);
	if (result == RECORD_DONE) {
		note_end(&launch, run);
		if (collect(session, sampler, run, err))
			result = RECORD_FAILED;
	}
	if (sampler)
		sampler_free(sampler);
	return result;
}

enum record_result record_run(const struct record_options *options, char *const argv[],
			      struct run *run, struct error *err)
{
	char shim[PATH_MAX + 64];
	struct session_dir session;
	enum record_result result;

	run_init(run);
	if (find_shim(options->shim, shim, sizeof shim, err) || session_create(&session, err))
		return RECORD_FAILED;
	describe_run(options, argv, run);
	result = run_command(options, argv, shim, &session, run, err);
	session_remove(&session);
	return result;
}
