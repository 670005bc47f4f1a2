/* options.c: the table of options, which drives parsing, checks and --help. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "shape.h"

const char *const mode_names[] = {"independent", "allreduce", NULL};
const char *const routing_names[] = {"sequence", "token", NULL};
static const char *const fusion_names[] = {"on", "off", NULL};

enum kind { KIND_NUMBER, KIND_CHOICE, KIND_TEXT, KIND_FLAG };

struct option_row {
	const char *name; /* of a long option, or of the operand in upper case */
	enum kind kind;
	size_t field;
	long low, high, standard; /* of a number; for steps struct program has the standard */
	const char *const *choices;
	bool only_train;
	const char *help;
};

#define FIELD(name) offsetof(struct options, name)
static const struct option_row rows[] = {
	{"THREADS", KIND_NUMBER, FIELD(threads), 1, 1024, 1, NULL, false,
	 "number of threads that share the work"},
	{"hidden", KIND_NUMBER, FIELD(hidden), 64, 2048, 64, NULL, false,
	 "width of the model; an expert is twice as wide inside"},
	{"blocks", KIND_NUMBER, FIELD(blocks), 1, SHAPE_MAX_BLOCKS, 2, NULL, false,
	 "number of blocks of attention and experts"},
	{"experts", KIND_NUMBER, FIELD(experts), 1, SHAPE_MAX_EXPERTS, 8, NULL, false,
	 "number of experts in a block"},
	{"top-k", KIND_NUMBER, FIELD(top_k), 1, SHAPE_MAX_EXPERTS, 2, NULL, false,
	 "number of experts that process a token"},
	{"sequence", KIND_NUMBER, FIELD(sequence), 1, 4096, 64, NULL, false,
	 "number of characters in a sequence"},
	{"steps", KIND_NUMBER, FIELD(steps), 1, 1000000000, 0, NULL, false,
	 "total number of sequences, shared by the threads"},
	{"seed", KIND_NUMBER, FIELD(seed), 0, LONG_MAX, 1, NULL, false,
	 "seed of the model, the generated text and the order of sequences"},
	{"routing", KIND_CHOICE, FIELD(routing), 0, 0, 0, routing_names, false,
	 "experts are chosen for a whole sequence, or for each token"},
	{"fusion", KIND_CHOICE, FIELD(fusion), 0, 0, 0, fusion_names, false,
	 "norms, softmax, SwiGLU and AdamW in one pass each, or in one pass per operation"},
	{"mode", KIND_CHOICE, FIELD(mode), 0, 0, 0, mode_names, true,
	 "one model for each thread, or one model whose gradients are summed in each step"},
	{"mpi", KIND_FLAG, FIELD(mpi), 0, 0, 0, NULL, true,
	 "one model for all ranks of an MPI job; MPI sums the gradients in each step"},
	{"text", KIND_TEXT, FIELD(text), 0, 0, 0, NULL, false,
	 "learn the characters of FILE instead of a generated text"},
	{"stamps", KIND_TEXT, FIELD(stamps), 0, 0, 0, NULL, false,
	 "write the end of each step to FILE: one line each, in ns of CLOCK_MONOTONIC"},
	{"blas-threads", KIND_NUMBER, FIELD(blas_threads), 1, 1024, 1, NULL, false,
	 "number of threads that BLAS may use in each call (OpenBLAS, BLIS, MKL)"},
	{"help", KIND_FLAG, FIELD(help), 0, 0, 0, NULL, false, "print this help and exit"},
};
enum { ROWS = sizeof(rows) / sizeof(*rows), FIRST_CODE = 256 };

static bool row_is_operand(const struct option_row *row)
{
	return row == &rows[0];
}

/* What precedes the name in messages. */
static const char *row_dashes(const struct option_row *row)
{
	return row_is_operand(row) ? "" : "--";
}

static int parse_value(const struct option_row *row, const char *text, struct options *options,
		       struct failure *failure)
{
	void *field = (char *)options + row->field;
	long *value = field;
	char *end;

	switch (row->kind) {
	case KIND_NUMBER:
		errno = 0;
		*value = strtol(text, &end, 10);
		if (end != text && !*end && !errno && *value >= row->low && *value <= row->high)
			return 0;
		return failure_set(failure, EXIT_USAGE,
				   "%s%s: '%s' is not a whole number from %ld to %ld",
				   row_dashes(row), row->name, text, row->low, row->high);
	case KIND_CHOICE:
		for (*value = 0; row->choices[*value]; ++*value)
			if (!strcmp(row->choices[*value], text))
				return 0;
		return failure_set(failure, EXIT_USAGE, "--%s: '%s' is neither '%s' nor '%s'",
				   row->name, text, row->choices[0], row->choices[1]);
	case KIND_TEXT:
		*(const char **)field = text;
		return 0;
	case KIND_FLAG:
		*(bool *)field = true;
		return 0;
	}
	return -1;
}

/* Fills getopt_long's table with the program's rows; ends it with an empty entry. */
static void fill_long_options(struct option *entries, const struct program *program)
{
	for (int i = 0; i < ROWS; i++) {
		if (row_is_operand(&rows[i]) || (rows[i].only_train && !program->trains))
			continue;
		*entries++ = (struct option){
			.name = rows[i].name,
			.has_arg = rows[i].kind == KIND_FLAG ? no_argument : required_argument,
			.val = FIRST_CODE + i,
		};
	}
	*entries = (struct option){0};
}

int options_parse(struct options *options, const struct program *program, int argc, char **argv,
		  struct failure *failure)
{
	struct option entries[ROWS + 1];
	int code;

	memset(options, 0, sizeof(*options));
	for (int i = 0; i < ROWS; i++)
		if (rows[i].kind == KIND_NUMBER)
			*(long *)((char *)options + rows[i].field) = rows[i].standard;
	options->steps = program->steps;
	fill_long_options(entries, program);
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, ":", entries, NULL)) != -1) {
		if (code == ':')
			return failure_set(failure, EXIT_USAGE, "option '%s' needs a value",
					   argv[optind - 1]);
		if (code == '?' && optopt && optopt < FIRST_CODE)
			return failure_set(failure, EXIT_USAGE,
					   "unknown option '-%c'; --help lists all", optopt);
		if (code == '?')
			return failure_set(failure, EXIT_USAGE,
					   "unknown option '%s'; --help lists all",
					   argv[optind - 1]);
		if (parse_value(&rows[code - FIRST_CODE], optarg, options, failure))
			return -1;
	}
	if (options->help)
		return 0;
	if (optind < argc && parse_value(&rows[0], argv[optind++], options, failure))
		return -1;
	if (optind < argc)
		return failure_set(
			failure, EXIT_USAGE,
			"'%s': too many arguments, only the number of threads is expected",
			argv[optind]);
	if (options->top_k > options->experts)
		return failure_set(failure, EXIT_USAGE,
				   "--top-k: %ld is more than the number of experts (%ld)",
				   options->top_k, options->experts);
	if (options->stamps && options->mpi)
		return failure_set(failure, EXIT_USAGE,
				   "--stamps: not with --mpi, because the processes would share "
				   "the file");
	return 0;
}

static void print_row(const struct option_row *row, const struct program *program, FILE *out)
{
	char left[64];
	long standard = row->field == FIELD(steps) ? program->steps : row->standard;

	if (row->kind == KIND_CHOICE)
		snprintf(left, sizeof(left), "--%s=%s|%s", row->name, row->choices[0],
			 row->choices[1]);
	else
		snprintf(left, sizeof(left), "%s%s%s", row_dashes(row), row->name,
			 row_is_operand(row) || row->kind == KIND_FLAG ? ""
			 : row->kind == KIND_TEXT		       ? "=FILE"
								       : "=N");
	fprintf(out, "  %-32s %s", left, row->help);
	if (row->kind == KIND_NUMBER && row->high == LONG_MAX)
		fprintf(out, " (%ld or more; %ld)", row->low, standard);
	else if (row->kind == KIND_NUMBER)
		fprintf(out, " (%ld to %ld; %ld)", row->low, row->high, standard);
	else if (row->kind == KIND_CHOICE)
		fprintf(out, " (%s)", row->choices[row->standard]);
	fputc('\n', out);
}

void options_help(const struct program *program, FILE *out)
{
	fprintf(out, "Usage: %s [options] [THREADS]\n%s\n\n", program->name, program->does);
	for (int i = 0; i < ROWS; i++)
		if (!rows[i].only_train || program->trains)
			print_row(&rows[i], program, out);
	fprintf(out,
		"\nThe range and the default value are in brackets.\n"
		"Prints its shape, then one line that begins with steps per second as '%s'.\n"
		"The shape includes the number of cblas_sgemm calls in a step: in the blocks, and "
		"in\n"
		"all (the output head is not in a block).\n"
		"Exit status: 0 success, 1 failure, 2 bad argument.\n",
		program->unit);
}
