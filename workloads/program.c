/* program.c: from arguments to the printed result. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "blas_threads.h"
#include "mpi_start.h"
#include "program.h"
#include "stamps.h"
#include "tensors.h"
#include "trainer.h"

enum { MADE_UP_TEXT_BYTES = 1 << 16 };

static struct trainer make_trainer(const struct program *program, const struct options *options,
				   const struct text *text)
{
	return (struct trainer){
		.shape =
			{
				.tokens = (int)options->sequence,
				.hidden = (int)options->hidden,
				.inner = SHAPE_INNER_PER_HIDDEN * (int)options->hidden,
				.blocks = (int)options->blocks,
				.experts = (int)options->experts,
				.top_k = (int)options->top_k,
				.vocabulary = text->vocabulary,
				.routing = (enum routing)options->routing,
				.unfused = options->fusion != 0,
			},
		.text = text,
		.seed = (uint64_t)options->seed,
		.steps = options->steps,
		.threads = (int)options->threads,
		.trains = program->trains,
		.together = program->trains && (options->mode == MODE_ALLREDUCE || program->peers),
		.peers = program->peers,
	};
}

/* Refuses what the machine cannot hold, before the kernel has to end somebody for it. */
static int check_memory(const struct trainer *trainer, struct failure *failure)
{
	const double mib = 1024 * 1024;
	double needed = (double)trainer_bytes(trainer) / mib;
	double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / mib;

	if (needed <= have)
		return 0;
	return failure_set(failure, EXIT_USAGE,
			   "this model on %d threads needs %.0f MiB; the machine has %.0f MiB",
			   trainer->threads, needed, have);
}

static void print_shape(const struct program *program, const struct trainer *trainer)
{
	const struct shape *s = &trainer->shape;

	printf("%s hidden %d inner %d blocks %d experts %d top-k %d sequence %d vocabulary %d "
	       "parameters %zu routing %s%s sgemm-in-blocks %s%d sgemm-a-step %s%d\n",
	       program->name, s->hidden, s->inner, s->blocks, s->experts, s->top_k, s->tokens,
	       s->vocabulary, parameters_count(s), routing_names[s->routing],
	       s->unfused ? " fusion off" : "", s->routing == ROUTING_TOKEN ? "<=" : "",
	       shape_block_calls(s, trainer->trains), s->routing == ROUTING_TOKEN ? "<=" : "",
	       shape_all_calls(s, trainer->trains));
	fflush(stdout);
}

static void print_result(const struct program *program, const struct trainer *trainer,
			 const struct trainer_result *result)
{
	const double rate = (double)trainer->steps / result->seconds;

	printf("%s %.*f", program->unit, rate < 100 ? 4 : 1, rate);
	if (trainer->trains)
		printf(" loss-before %.9g loss-after %.9g mode %s", result->loss_before,
		       result->loss_after, mode_names[trainer->together]);
	else
		printf(" loss %.9g", result->loss);
	printf(" steps %ld threads %d", trainer->steps, trainer->threads);
	if (trainer->peers)
		printf(" ranks %d", trainer->peers->ranks);
	printf(" seconds %.3f\n", result->seconds);
}

/* One of several speaks for all. */
static bool is_speaker(const struct program *program)
{
	return !program->peers || program->peers->rank == 0;
}

/* Runs the steps between the two lines that the program prints. */
static int run_steps(const struct program *program, struct trainer *trainer,
		     struct failure *failure)
{
	struct trainer_result result;

	if (is_speaker(program))
		print_shape(program, trainer);
	if (trainer_run(trainer, &result, failure))
		return -1;
	if (is_speaker(program))
		print_result(program, trainer, &result);
	return 0;
}

/* The same, with the moments of the steps kept. */
static int run_stamped(const struct program *program, struct trainer *trainer, const char *path,
		       struct failure *failure)
{
	struct stamps stamps;
	int status;

	if (stamps_open(&stamps, path, trainer->steps, failure))
		return -1;
	trainer->stamps_ns = stamps.at_ns;
	status = run_steps(program, trainer, failure);
	if (!status)
		status = stamps_write(&stamps, failure);
	stamps_close(&stamps);
	return status;
}

static int run(const struct program *program, const struct options *options,
	       struct failure *failure)
{
	const size_t needed = (size_t)options->sequence + 1;
	const size_t length = needed > MADE_UP_TEXT_BYTES ? needed : MADE_UP_TEXT_BYTES;
	struct trainer trainer;
	struct text text;
	int status;

	if (options->text)
		status = text_read(&text, options->text, needed, failure);
	else
		status = text_generate(&text, length, (uint64_t)options->seed, failure);
	if (status)
		return -1;
	trainer = make_trainer(program, options, &text);
	status = check_memory(&trainer, failure);
	if (!status) {
		blas_threads_set((int)options->blas_threads);
		status = options->stamps ? run_stamped(program, &trainer, options->stamps, failure)
					 : run_steps(program, &trainer, failure);
	}
	text_free(&text);
	return status;
}

static int close_output(struct failure *failure)
{
	int was_bad = ferror(stdout);

	if (fclose(stdout) || was_bad)
		return failure_set(failure, EXIT_FAILED, "cannot write to standard output: %s",
				   strerror(errno));
	return 0;
}

int program_main(const struct program *program, int argc, char **argv)
{
	struct failure failure;
	struct options options;
	int status = options_parse(&options, program, argc, argv, &failure);

	if (!status && options.help)
		options_help(program, stdout);
	else if (!status && options.mpi && !program->peers)
		status = mpi_start(argv, &failure);
	else if (!status)
		status = run(program, &options, &failure);
	if (!status)
		status = close_output(&failure);
	if (!status)
		return 0;
	fprintf(stderr, "%s: %s\n", program->name, failure.what);
	return failure.status;
}
