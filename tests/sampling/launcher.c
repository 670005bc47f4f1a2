/* launcher.c: forks, lets the sampler start, then execs; reads what the program prints. */
/* SPDX-License-Identifier: MIT */
#include "launcher.h"

#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "perf/event.h"

int launch_possible(void)
{
	struct perf_event_attr attr;
	struct error err;

	if (event_choose(&attr, NULL, 100, 0, &err))
		return 1;
	printf("skipped: %s; %s\n", err.what, err.remedy);
	return 0;
}

/* Runs in the child: waits until the pipe is closed, then executes the program. */
static void run_program(int go, int output, const char *program, const char *library,
			const char *steps)
{
	char *words = strdup(steps), *argv[32] = {(char *)program, (char *)library};
	int argc = 2;
	char byte;

	for (char *word = strtok(words, " "); word && argc < 31; word = strtok(NULL, " "))
		argv[argc++] = word;
	dup2(output, 1);
	if (read(go, &byte, 1) == 0)
		execv(program, argv);
	_exit(126);
}

static void read_truth(struct launch *launch, int fd)
{
	FILE *output = fdopen(fd, "r");
	struct truth *truth = launch->truth;

	while (launch->ntruth < 16 &&
	       fscanf(output, "%31s %ld %ld %lld %ld", truth->name, &truth->pid, &truth->tid,
		      &truth->ns, &truth->rounds) == 5) {
		launch->ntruth++;
		truth++;
	}
	fclose(output);
}

static void launch_with(struct launch *launch, const char *program, const char *library,
			const char *steps, const struct sampler_options *options)
{
	int go[2], output[2], status;
	pid_t child;

	memset(launch, 0, sizeof *launch);
	run_init(&launch->run);
	ck_assert(!pipe2(go, O_CLOEXEC) && !pipe2(output, O_CLOEXEC));
	child = fork();
	if (!child) {
		close(go[1]);
		run_program(go[0], output[1], program, library, steps);
	}
	close(go[0]);
	close(output[1]);
	launch->started =
		sampler_start(&launch->sampler, options, child, &launch->run, &launch->err);
	close(go[1]);
	read_truth(launch, output[0]);
	waitpid(child, &status, 0);
	ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "the program failed: %x", status);
	if (launch->sampler)
		sampler_stop(launch->sampler);
}

void launch(struct launch *launch, const char *program, const char *library, const char *steps,
	    int rate_hz, const char *event)
{
	struct sampler_options options = {.rate_hz = rate_hz, .event = event};

	launch_with(launch, program, library, steps, &options);
}

void launch_counting(struct launch *launch, const char *program, const char *library,
		     const char *steps, int rate_hz, const char *events)
{
	struct event_list list;
	struct sampler_options options = {.rate_hz = rate_hz, .counted = &list};
	struct error err;

	ck_assert_msg(!event_list_parse(events, &list, &err), "%s", err.what);
	launch_with(launch, program, library, steps, &options);
	event_list_free(&list);
}

void launch_collect(struct launch *launch, int64_t start_ns, int64_t end_ns, const char *blas)
{
	const char *blas_objects[] = {blas};
	const struct collected calls = {
		.records.frame = {.roi_start_ns = start_ns, .roi_end_ns = end_ns},
		.blas_objects = blas_objects,
		.nblas_objects = !!blas,
		.rank = -1,
	};
	const struct run *run = &launch->run;
	uint64_t in_threads[RUN_CODE_COUNT] = {0}, in_functions[RUN_CODE_COUNT] = {0};
	uint64_t apart, attributed = 0;

	ck_assert_msg(!launch->started, "%s; %s", launch->err.what, launch->err.remedy);
	sampler_collect(launch->sampler, &calls, &launch->run);
	EACH_ROW(thread, run->threads, run->nthreads) {
		in_threads[RUN_CODE_BLAS] += thread->samples_blas;
		in_threads[RUN_CODE_OTHER] += thread->samples_other;
		in_threads[RUN_CODE_KERNEL] += thread->samples_kernel;
		in_threads[RUN_CODE_SPIN] += thread->samples_spin;
	}
	EACH_ROW(function, run->functions, run->nfunctions)
		in_functions[function->code] += function->samples;
	for (int code = 0; code < RUN_CODE_COUNT; code++) {
		ck_assert_uint_eq(in_functions[code], in_threads[code]);
		attributed += in_threads[code];
	}
	apart = run->samples_unknown + run->samples_outside_roi;
	ck_assert_uint_eq(run->samples, attributed + apart);
	ck_assert_int_eq(run_samples_missing(run), 0);
}

void launch_free(struct launch *launch)
{
	sampler_free(launch->sampler);
	run_free(&launch->run);
}

int launch_ends_like(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

uint64_t launch_samples(const struct launch *launch, const char *function, const char *object)
{
	uint64_t samples = 0;

	EACH_ROW(row, launch->run.functions, launch->run.nfunctions)
		if ((!function || !strcmp(row->location.function, function)) &&
		    (!object || launch_ends_like(row->location.object, object)))
			samples += row->samples;
	return samples;
}

double launch_points_off(const struct launch *launch, const char *printed, double share)
{
	double ns = 0, rounds = 0, all_ns = 0, all_rounds = 0;

	EACH_ROW(truth, launch->truth, launch->ntruth) {
		int is_it = !!strstr(printed, truth->name), is_mark = !truth->rounds;

		ns += is_it ? (double)truth->ns : 0;
		rounds += is_it ? (double)truth->rounds : 0;
		all_ns += is_mark ? 0 : (double)truth->ns;
		all_rounds += (double)truth->rounds;
	}
	ns *= 100 / all_ns;
	rounds *= 100 / all_rounds;
	return fmin(share - fmin(ns, rounds), 0) + fmax(share - fmax(ns, rounds), 0);
}

long long launch_truth(const struct launch *launch, const char *name)
{
	EACH_ROW(truth, launch->truth, launch->ntruth)
		if (!strcmp(truth->name, name))
			return truth->ns;
	ck_abort_msg("the program printed no line for %s", name);
	return 0;
}
