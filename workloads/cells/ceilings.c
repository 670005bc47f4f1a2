/* ceilings.c: measures what this machine and its BLAS can do: one checked cell in each row. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blas_threads.h"
#include "cells/suite.h"
#include "failure.h"

enum { EXIT_INTERRUPTED = 130 };

struct settings {
	struct selection selection;
	const char *threads; /* comma-separated; NULL for 1 and the number of CPUs */
	double seconds;	     /* for each cell */
	int help;
};

static volatile sig_atomic_t stopped;

/* A second signal ends the program at once. */
static void on_signal(int signal_number)
{
	stopped = signal_number;
	signal(signal_number, SIG_DFL);
}

static int parse_number(const char *name, const char *text, double low, double high, double *value,
			struct failure *failure)
{
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	if (end != text && !*end && !errno && *value >= low && *value <= high)
		return 0;
	return failure_set(failure, EXIT_USAGE, "--%s: '%s' is not a number from %g to %g", name,
			   text, low, high);
}

static void print_help(FILE *out)
{
	fputs("Usage: ceilings [options]\n"
	      "Measures what this machine and its BLAS can do, and prints comma-separated values,\n"
	      "one row for each kernel, size and number of threads. Checks each result first.\n\n"
	      "  --category=NAME,...   only these categories:",
	      out);
	for (int i = 0; kernel_tables[i]; i++)
		if (kernel_tables[i] != port_kernels)
			fprintf(out, " %s", kernel_tables[i]->category);
	fputs("\n"
	      "  --kernel=NAME,...     only these kernels, such as cblas_sgemm\n"
	      "  --size=N,MxNxK,...    these sizes instead of the usual ones: a number of "
	      "elements,\n"
	      "                        or rows and columns of the product and length of its sums\n"
	      "  --cache=warm,cold     operands that were used just before, or not (both)\n"
	      "  --threads=N,...       numbers of threads, each with its own operands (1 and all "
	      "CPUs)\n"
	      "  --max-elements=N      leave out larger buffers (no limit)\n"
	      "  --limit=SECONDS       for each cell, all rounds together, unless a few runs take "
	      "longer\n"
	      "                        (0.08)\n"
	      "  --port=NAME=COMMAND   also time a BLAS call by this program, in category "
	      "overhead\n"
	      "  --seed=N              seed of the operands (0)\n"
	      "  --help                print this help and exit\n\n"
	      "Exit status: 0 success, 1 a cell is wrong or the output failed, 2 bad argument,\n"
	      "130 interrupted: the printed rows are complete, but some have fewer rounds.\n",
	      out);
}

static int parse_option(int code, struct settings *settings, struct failure *failure)
{
	const char *rest = optarg;
	double number = 0;
	int status = 0;

	switch (code) {
	case 'c':
		settings->selection.categories = optarg;
		return 0;
	case 'k':
		settings->selection.kernels = optarg;
		return 0;
	case 'p':
		return port_add(optarg, failure);
	case 'w':
		settings->selection.caches = optarg;
		return 0;
	case 'n':
		return selection_read_sizes(&settings->selection, optarg, failure);
	case 't':
		settings->threads = optarg;
		do
			status = next_threads(&rest);
		while (status > 0);
		if (!status && *optarg)
			return 0;
		return failure_set(failure, EXIT_USAGE,
				   "--threads: '%s' is not a list like 1,2,4, up to %d", optarg,
				   THREADS_MAX);
	case 'm':
		status = parse_number("max-elements", optarg, 1, 1e12, &number, failure);
		settings->selection.max_elements = (long)number;
		return status;
	case 'l':
		return parse_number("limit", optarg, 0, 3600, &settings->seconds, failure);
	case 's':
		status = parse_number("seed", optarg, 0, 1e15, &number, failure);
		input_seed = (uint64_t)number;
		return status;
	case 'h':
		settings->help = 1;
		return 0;
	}
	return -1;
}

static int parse(int argc, char **argv, struct settings *settings, struct failure *failure)
{
	static const struct option names[] = {
		{"category", required_argument, NULL, 'c'},
		{"kernel", required_argument, NULL, 'k'},
		{"size", required_argument, NULL, 'n'},
		{"port", required_argument, NULL, 'p'},
		{"cache", required_argument, NULL, 'w'},
		{"threads", required_argument, NULL, 't'},
		{"max-elements", required_argument, NULL, 'm'},
		{"limit", required_argument, NULL, 'l'},
		{"seed", required_argument, NULL, 's'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	int code;

	*settings = (struct settings){.selection.max_elements = LONG_MAX, .seconds = 0.08};
	opterr = 0;
	while ((code = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (code == '?')
			return failure_set(failure, EXIT_USAGE,
					   "'%s' is unknown or lacks its value; --help lists all "
					   "options",
					   argv[optind - 1]);
		if (parse_option(code, settings, failure))
			return -1;
	}
	if (optind < argc)
		return failure_set(failure, EXIT_USAGE, "'%s': no operand is expected",
				   argv[optind]);
	return selection_check(&settings->selection, failure);
}

static int run(struct settings *settings, struct failure *failure)
{
	struct provenance provenance;
	struct suite suite = {.selection = settings->selection,
			      .seconds = settings->seconds,
			      .stop = &stopped,
			      .provenance = &provenance};
	char threads[32] = "1";
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (cpus > 1)
		snprintf(threads, sizeof(threads), "1,%ld",
			 cpus < THREADS_MAX ? cpus : THREADS_MAX);
	if (!settings->threads)
		settings->threads = threads;
	blas_threads_set(1);
	provenance_fill(&provenance);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGHUP, on_signal);
	suite.threads = settings->threads;
	if (suite_run(&suite, failure))
		return -1;
	if (stopped)
		return failure_set(failure, EXIT_INTERRUPTED,
				   "interrupted: %d of %d cells are done", suite.done, suite.all);
	if (ferror(stdout) || fclose(stdout))
		return failure_set(failure, EXIT_FAILED, "cannot write to standard output: %s",
				   strerror(errno));
	if (suite.wrong)
		return failure_set(failure, EXIT_FAILED, "%d of %d cells are wrong", suite.wrong,
				   suite.all);
	return 0;
}

int main(int argc, char **argv)
{
	struct settings settings;
	struct failure failure;
	int status = parse(argc, argv, &settings, &failure);

	if (!status && settings.help)
		print_help(stdout);
	else if (!status)
		status = run(&settings, &failure);
	if (!status)
		return 0;
	fprintf(stderr, "ceilings: %s\n", failure.what);
	return failure.status;
}
