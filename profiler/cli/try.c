/* try.c: `blasprof try`: finds the thread pool settings with which a command is fastest. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/human.h"
#include "base/ranges.h"
#include "cli/command.h"
#include "cli/sweep.h"
#include "launch/launch.h"
#include "machine/machine.h"
#include "record/record.h"
#include "model/search.h"
#include "report/report.h"
#include "base/string_pool.h"
#include "write/text_line.h"

#define VALUES_MAX     32  /* of one knob */
#define RUNS_DEFAULT   100 /* limit for the number of runs */
#define SETTINGS_SHOWN 10

static struct {
	const char *threads, *output;
	struct option_list set;
	int runs;
} settings = {.runs = RUNS_DEFAULT};

static const struct option_row options[] = {
	{'t', "threads", "LIST",
	 "try these thread counts, " RANGES_SYNTAX ", in place of {} in the command", OPTION_TEXT,
	 &settings.threads},
	{0, "set", "NAME=LIST",
	 "try these values of an environment variable as well, separated by commas; may be given "
	 "for several variables",
	 OPTION_LIST, &settings.set},
	{'r', "runs", "N",
	 "after the first run, run the command at most N times (default " STRING(RUNS_DEFAULT) ")",
	 OPTION_INTEGER, &settings.runs, 1, 100000},
	{'o', "output", "FILE", "write the result to FILE instead of standard error", OPTION_TEXT,
	 &settings.output},
};

/* A thread pool: the part of an object's name by which it is found in samples and stacks, and the
 * variable that sets its size. */
static const struct pool {
	const char *object, *variable;
	int is_openmp;
} pools[] = {
	{"libgomp", "OMP_NUM_THREADS", 1},
	{"libomp.", "OMP_NUM_THREADS", 1}, /* the dot excludes libompi */
	{"libiomp5", "OMP_NUM_THREADS", 1},
	{"openblas", "OPENBLAS_NUM_THREADS", 0}, /* a file, or the directory of libblas.so.3 */
	{"libblis", "BLIS_NUM_THREADS", 0},
	{"libmkl", "MKL_NUM_THREADS", 0},
};

/* An environment variable that the search may change, or {} in the command. */
struct knob {
	const char *variable;		/* "" for {} */
	const char *values[VALUES_MAX]; /* NULL: unset the variable */
	int threads[VALUES_MAX];	/* the same as numbers, if is_size */
	int is_size, is_for_threads, count;
	int usual;	    /* index of the value that is used without the search */
	const char *before; /* original value of the variable, or NULL if it was not set */
};

struct trial {
	struct plan plan;
	struct knob knobs[SEARCH_KNOBS_MAX];
	int nknobs, cpus, runs;
	int ended_by; /* the signal that ended the search, or 0 */
	int at_limit; /* 1: -r ended the search */
	int null;     /* /dev/null, the standard output of unobserved runs */
};

COMPARE(compare_ints, int, ORDER(*a, *b))

static int has_knob(const struct trial *trial, const char *variable)
{
	for (int i = 0; i < trial->nknobs; i++)
		if (!strcmp(trial->knobs[i].variable, variable))
			return 1;
	return 0;
}

/* Returns the new knob, or NULL if it exists already or there are too many. */
static struct knob *add_knob(struct trial *trial, const char *variable, int is_size)
{
	struct knob *knob = &trial->knobs[trial->nknobs];

	if (has_knob(trial, variable) || trial->nknobs == SEARCH_KNOBS_MAX)
		return NULL;
	trial->nknobs++;
	knob->variable = variable;
	knob->before = getenv(variable);
	knob->is_size = is_size;
	return knob;
}

/* Sorts the sizes of the knob. The largest that is at most `usual` is used without the search, by
 * the variable's original value. */
static void sort_sizes(struct knob *knob, int usual)
{
	qsort(knob->threads, (size_t)knob->count, sizeof *knob->threads, compare_ints);
	while (knob->usual + 1 < knob->count && knob->threads[knob->usual + 1] <= usual)
		knob->usual++;
	for (int i = 0; i < knob->count; i++)
		knob->values[i] =
			i == knob->usual ? knob->before : string_printf("%d", knob->threads[i]);
}

/* Tries the powers of two below the number of CPUs, the number of CPUs, and the pool's usual size,
 * which is the variable's value or the number of CPUs. */
static void add_pool(struct trial *trial, const char *variable)
{
	struct knob *knob = add_knob(trial, variable, 1);
	int usual;

	if (!knob)
		return;
	usual = knob->before ? atoi(knob->before) : trial->cpus;
	if (usual < 1)
		usual = trial->cpus;
	for (int threads = 1; threads < trial->cpus && knob->count < VALUES_MAX - 2; threads *= 2)
		if (threads != usual)
			knob->threads[knob->count++] = threads;
	if (usual != trial->cpus)
		knob->threads[knob->count++] = trial->cpus;
	knob->threads[knob->count++] = usual;
	sort_sizes(knob, usual);
}

static void add_values(struct trial *trial, const char *variable, const char *list,
		       int is_for_threads)
{
	struct knob *knob = add_knob(trial, variable, 0);

	if (!knob)
		return;
	knob->is_for_threads = is_for_threads;
	knob->values[knob->count++] = knob->before;
	do {
		size_t length = strcspn(list, ",");
		const char *value = string_printf("%.*s", (int)length, list);

		if (!knob->before || strcmp(value, knob->before))
			knob->values[knob->count++] = value;
		list += length;
	} while (*list++ && knob->count < VALUES_MAX);
}

/* Returns 1 if the run used the pool: an OpenMP runtime is in stacks; a BLAS library was called, or
 * has more samples than its initialisation takes. */
static int uses_pool(const struct run *run, const struct pool *pool)
{
	const char *part = pool->object;
	uint64_t samples = 0;

	for (size_t i = 0; i < run->nfunctions; i++)
		if (strstr(run->functions[i].location.object, part))
			samples += run->functions[i].samples;
	if (samples > (pool->is_openmp ? 0 : run->samples / 50))
		return 1;
	for (size_t i = 0; pool->is_openmp && i < run->nframes; i++)
		if (strstr(run->frames[i].object, part))
			return 1;
	for (size_t i = 0; run->nshapes && i < run->nfacts; i++)
		if (!strncmp(run->facts[i].name, "blas_path", 9) &&
		    strstr(run->facts[i].value, part))
			return 1;
	return 0;
}

/* Adds the pools that the run used. A BLAS library that uses OpenMP has no pool of its own. */
static void find_pools(struct trial *trial, const struct run *run)
{
	const char *layer = run_fact(run, "blas_layer");
	int is_openmp = layer && strstr(layer, "OpenMP");
	int has_openmp = 0;

	for (size_t i = 0; i < COUNT(pools); i++) {
		if (!uses_pool(run, &pools[i]) || (is_openmp && !pools[i].is_openmp))
			continue;
		add_pool(trial, pools[i].variable);
		has_openmp |= pools[i].is_openmp;
	}
	if (is_openmp)
		add_pool(trial, "OMP_NUM_THREADS");
	if (!has_openmp && !is_openmp)
		return;
	add_values(trial, "OMP_WAIT_POLICY", "passive", 1);
	add_values(trial, "OMP_PROC_BIND", "true", 1);
}

static int add_set(struct trial *trial, const char *item, struct error *err)
{
	size_t length = strcspn(item, "="), commas = 0;
	const char *variable = string_printf("%.*s", (int)length, item);

	if (!length || !item[length])
		return error_set(err, "write a name and values, as in: --set=NAME=1,2",
				 "--set cannot be '%s'", item);
	if (has_knob(trial, variable))
		return error_set(err, "give all its values in one --set", "--set names '%s' twice",
				 variable);
	if (trial->nknobs == SEARCH_KNOBS_MAX)
		return error_set(err, "try fewer at a time",
				 "over " STRING(SEARCH_KNOBS_MAX) " settings are to be tried");
	for (const char *rest = item + length; *rest; rest++)
		commas += *rest == ',';
	/* one more than the commas, and what the variable is without the search */
	if (commas + 2 > VALUES_MAX)
		return error_set(err, "try fewer at a time", "--set has over %d values of '%s'",
				 VALUES_MAX - 1, variable);
	add_values(trial, variable, item + length + 1, 0);
	return 0;
}

static int add_options(struct trial *trial, struct error *err)
{
	struct knob *knob = settings.threads ? add_knob(trial, "", 1) : NULL;

	if (trial->plan.nthreads > VALUES_MAX)
		return error_set(err, "try fewer at a time",
				 "-t has over " STRING(VALUES_MAX) " thread counts");
	for (size_t i = 0; knob && i < trial->plan.nthreads; i++)
		knob->threads[knob->count++] = trial->plan.threads[i];
	if (knob)
		sort_sizes(knob, trial->cpus);
	for (size_t i = 0; i < settings.set.count; i++)
		if (add_set(trial, settings.set.items[i], err))
			return -1;
	return 0;
}

static int threads_of(const struct trial *trial, const unsigned char *values)
{
	for (int i = 0; i < trial->nknobs; i++)
		if (!*trial->knobs[i].variable)
			return trial->knobs[i].threads[values[i]];
	return 0;
}

/* Returns the values that differ from the usual ones, like "{}=2 OMP_WAIT_POLICY=passive", or, with
 * the command, the line to type into a shell. */
static const char *name_setting(const struct trial *trial, const unsigned char *values,
				int with_command)
{
	const char *text = "";

	for (int i = 0; i < trial->nknobs; i++) {
		const struct knob *knob = &trial->knobs[i];
		const char *value = knob->values[values[i]];

		if (values[i] == knob->usual || (with_command && !*knob->variable))
			continue;
		if (with_command)
			value = command_join((char *[]){(char *)value, NULL});
		text = string_printf("%s%s%s=%s", text, *text ? " " : "",
				     *knob->variable ? knob->variable : "{}", value);
	}
	if (with_command) {
		struct planned_run planned = {.threads = threads_of(trial, values)};
		FREED char **arguments = plan_arguments(&trial->plan, &planned);

		text = string_printf("%s%s%s", text, *text ? " " : "", command_join(arguments));
	}
	return text;
}

/* Returns the values that differ from the usual ones, or what is usual if none does. */
static const char *label_setting(const struct trial *trial, const unsigned char *values)
{
	const char *name = name_setting(trial, values, 0);
	int threads = threads_of(trial, values);

	if (*name)
		return name;
	return threads ? string_printf("unchanged ({}=%d)", threads) : "unchanged";
}

/* Runs the command once with these values, without profiling it. Returns 0 with *seconds, INFINITY
 * if the command failed, or -1 with *err if it cannot be run. */
static int run_once(struct trial *trial, const unsigned char *values, double *seconds,
		    struct error *err)
{
	struct planned_run planned = {.threads = threads_of(trial, values)};
	FREED char **arguments = plan_arguments(&trial->plan, &planned);
	struct launch_plan plan = {.argv = arguments, .output = trial->null};
	struct launch launch;
	int failed;

	for (int i = 0; i < trial->nknobs; i++) {
		const struct knob *knob = &trial->knobs[i];
		const char *value = knob->values[values[i]];

		if (!*knob->variable)
			continue;
		memory_check(value ? setenv(knob->variable, value, 1) : unsetenv(knob->variable));
	}
	input_rewind();
	failed = launch_prepare(&launch, &plan, err) ||
		 launch_go(&launch, arguments[0], err) != LAUNCH_DONE;
	if (failed)
		return -1;
	launch_wait(&launch);
	launch_end();
	output_block();
	*seconds = launch.status ? INFINITY : (double)(launch.ended_ns - launch.started_ns) / 1e9;
	trial->ended_by = endings_signal(WIFSIGNALED(launch.status) ? WTERMSIG(launch.status) : 0);
	trial->runs += !trial->ended_by;
	return 0;
}

static int search_settings(struct trial *trial, struct search *search, struct error *err)
{
	unsigned char values[SEARCH_KNOBS_MAX];

	while (search_next(search, values)) {
		double seconds;

		if (trial->runs == settings.runs) {
			trial->at_limit = 1;
			return 0;
		}
		if (run_once(trial, values, &seconds, err))
			return -1;
		if (trial->ended_by)
			return 0;
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "run %d: %s  %s\n", trial->runs,
				isfinite(seconds) ? human_time(seconds * 1e9) : "failed",
				label_setting(trial, values));
		if (trial->runs == 1 && !isfinite(seconds))
			return error_set(err, "fix it, or if it reads a pipe, give it a file",
					 "the command fails without a profiler");
		search_add(search, values, seconds);
	}
	return 0;
}

COMPARE(compare_settings, struct search_setting *const,
	ORDER(stats_median((*a)->seconds, (size_t)(*a)->runs),
	      stats_median((*b)->seconds, (size_t)(*b)->runs)))

/* Returns 1 if every run of `one` was faster than every run of `other`. With three runs of each,
 * two equal settings pass at most one time in 20; with fewer, where -r or a signal ended the
 * search, this says nothing. It tells skewed times apart, whose interval is wide. */
static int is_always_faster(const struct search_setting *one, const struct search_setting *other)
{
	if (one->runs < SEARCH_RUNS_MIN || other->runs < SEARCH_RUNS_MIN)
		return 0;
	for (int i = 0; i < one->runs; i++)
		for (int j = 0; j < other->runs; j++)
			if (one->seconds[i] >= other->seconds[j])
				return 0;
	return 1;
}

/* Prints a line for each of the fastest settings, for the usual one, and for the best, which
 * gets the mark. */
static void print_settings(const struct trial *trial, const struct search *search,
			   const struct search_setting *best, const char *mark, FILE *out)
{
	FREED const struct search_setting **order = memory_rows(search->count, sizeof *order);

	for (size_t i = 0; i < search->count; i++)
		order[i] = &search->settings[i];
	qsort(order, search->count, sizeof *order, compare_settings);
	fprintf(out, "\n    time     (95 %%)  runs  setting\n");
	for (size_t i = 0; i < search->count; i++) {
		struct interval interval =
			stats_mean_interval(order[i]->seconds, (size_t)order[i]->runs);
		const char *time = "failed", *half = "";

		if (i >= SETTINGS_SHOWN && order[i] != search->settings && order[i] != best)
			continue;
		if (isfinite(interval.value))
			time = human_time(interval.value * 1e9);
		if (order[i]->runs >= SEARCH_RUNS_MIN && isfinite(interval.value))
			half = human_time((interval.high - interval.value) * 1e9);
		fprintf(out, "%8s  %s%7s  %4d  %s%s\n", time, *half ? "±" : " ", half,
			order[i]->runs, label_setting(trial, order[i]->values),
			order[i] == best ? mark : "");
	}
}

/* Prints the settings that were run, how much faster the best one is, and the line to put into a
 * script. */
static void print_result(const struct trial *trial, const struct search *search, FILE *out)
{
	const struct search_setting *first = search->settings;
	const struct search_setting *best = &first[search_best(search)];
	struct interval ratio = stats_ratio_interval(first->seconds, (size_t)first->runs,
						     best->seconds, (size_t)best->runs);
	const char *runs = human_noun(trial->runs, "run"), *mark = "", *said = "";
	double all = 3 * search_space(search);
	int is_sure = ratio.low > 1;
	int is_clear = best != first && (is_sure || is_always_faster(best, first));

	int is_open = trial->ended_by || trial->at_limit;

	if (best != first && (is_clear || is_open))
		mark = is_clear ? "  <- best" : "  <- best so far";
	print_settings(trial, search, best, mark, out);
	fputc('\n', out);
	if (is_clear) {
		if (is_sure)
			said = string_printf(" (%s to %s)", human_figures(ratio.low),
					     human_figures(ratio.high));
		text_say(out, "", "Best setting: %s times as fast as unchanged%s, after %s%s.",
			 human_figures(ratio.value), said, runs,
			 trial->runs < all
				 ? string_printf("; trying all %.0f settings three times would "
						 "take %.0f runs",
						 search_space(search), all)
				 : "");
		fprintf(out, "  %s\n", name_setting(trial, best->values, 1));
	} else if (is_open) {
		said = best == first ? "and so far nothing looks faster by more than 5 %"
				     : string_printf("but so far %s looks %s times as fast as "
						     "unchanged",
						     label_setting(trial, best->values),
						     human_figures(ratio.value));
		text_say(out, "", "%s after %s: too early to tell, %s%s.",
			 trial->ended_by ? "Interrupted" : "Ended by -r", runs, said,
			 trial->ended_by ? ""
					 : string_printf("; give -r %d",
							 MAX(RUNS_DEFAULT, 2 * settings.runs)));
	} else {
		text_say(out, "",
			 "Nothing that was tried is clearly faster by more than 5 %%, after %s: "
			 "leave the settings as they are.",
			 runs);
	}
}

/* Profiles the first run to find the pools, and prints what slows it down. Returns 0, or -1 with
 * *err. */
static int profile_first_run(struct trial *trial, FILE *out, struct error *err)
{
	static const struct record_options how = {.rate_hz = DEFAULT_RATE_HZ};
	static const struct report_options report_how = REPORT_OPTIONS_DEFAULT;
	unsigned char usual[SEARCH_KNOBS_MAX] = {0};
	struct planned_run planned = {0};
	struct session_dir session;
	struct report report;
	OWN_RUN run;

	for (int i = 0; i < trial->nknobs; i++)
		usual[i] = (unsigned char)trial->knobs[i].usual;
	planned.threads = threads_of(trial, usual);
	input_rewind();
	if (sweep_record(&trial->plan, &planned, &how, &run, &session, err) != LAUNCH_DONE)
		return -1;
	session_remove(&session);
	launch_end();
	trial->ended_by = endings_signal(run.exit_signal);
	if (trial->ended_by) {
		text_say(out, "", "Interrupted in the first run: no setting was compared.");
		return 0;
	}
	if (run.exit_status)
		return error_set(err, "fix it, and start again", "the command %s",
				 human_ending(run.exit_status, run.exit_signal));
	find_pools(trial, &run);
	if (!trial->nknobs)
		return error_set(err,
				 "name what to try: -t 1,2,4 with {} in the command, or "
				 "--set=NAME=LIST",
				 "no thread pool was found in the command");
	if (run.nshapes && !report_build(&run, 1, &report_how, &report, err)) {
		text_wrap("", report_verdict(&report), out);
		report_free(&report);
	}
	return 0;
}

static int run_try(char **arguments, struct error *err)
{
	struct plan_options plan = {.threads = settings.threads, .runs = 1, .warmup = 0};
	struct trial trial = {.cpus = (int)ceil(machine_cpus_available("")), .null = -1};
	struct search_knob knobs[SEARCH_KNOBS_MAX];
	struct search search = {0};
	FILE *out = NULL;
	int failed;

	if (!*arguments)
		return error_set(err, "write one after the options, as in: blasprof try -- ./train",
				 "no command to run");
	if (settings.threads && !have_placeholder(arguments, THREADS_PLACEHOLDER))
		return error_set(err,
				 "write it where the thread count belongs, as in: blasprof try "
				 "-t 1,2,4 -- ./train {}",
				 "-t is given, but the command has no {} to replace");
	launch_set_signals();
	endings_begin();
	failed = plan_make(&plan, arguments, &trial.plan, err) || add_options(&trial, err) ||
		 !(out = output_open(settings.output, stderr, err)) ||
		 profile_first_run(&trial, out, err);
	if (!failed && !trial.ended_by) {
		trial.null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		for (int i = 0; i < trial.nknobs; i++)
			knobs[i] = (struct search_knob){
				.count = trial.knobs[i].count,
				.usual = trial.knobs[i].usual,
				.threads = trial.knobs[i].is_size ? trial.knobs[i].threads : NULL,
				.is_for_threads = trial.knobs[i].is_for_threads,
			};
		search_start(&search, knobs, trial.nknobs, trial.cpus);
		failed = search_settings(&trial, &search, err);
	}
	if (!failed && search.count)
		print_result(&trial, &search, out);
	if (out && output_close(out, settings.output, err))
		failed = 1;
	if (trial.null >= 0)
		close(trial.null);
	search_free(&search);
	plan_free(&trial.plan);
	endings_end();
	if (failed)
		return -1;
	return trial.ended_by ? STATUS_SIGNAL + trial.ended_by : 0;
}

const struct command command_try = {
	.name = "try",
	.usage = "[OPTION]... [--] COMMAND [ARGUMENT]...",
	.purpose = "find the fastest thread pool settings of a command",
	.about = "Run COMMAND once under the profiler to find its thread pools and what slows\n"
		 "it down. Then run it several times without the profiler, with other pool\n"
		 "sizes and other ways to wait, until the fastest setting is clear. Print that\n"
		 "setting, how much faster it is, and the line to use in a script. The standard\n"
		 "output of COMMAND is shown in the first run only. Nothing is stored.",
	COMMAND_OPTIONS,
	.takes_command = 1,
	.run = run_try,
};
