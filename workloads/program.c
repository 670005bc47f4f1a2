/* program.c: parses the arguments, runs the steps and prints the result. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blas_threads.h"
#include "program.h"
#include "tensors.h"
#include "trainer.h"

enum { GENERATED_TEXT_BYTES = 1 << 16 };

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

/* Refuses a model that does not fit the memory, before the kernel's OOM killer has to end a
 * process. */
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

static int compare_moments(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Runs the steps between the two lines that the program prints; of several processes only the first
 * prints. If there is a file, writes to it when each step was done, one line a step in order of
 * time, in ns. */
static int run_steps(const struct program *program, struct trainer *trainer, FILE *stamps,
		     const char *path, struct failure *failure)
{
	const bool prints = !program->peers || program->peers->rank == 0;
	struct trainer_result result;

	if (prints)
		print_shape(program, trainer);
	if (trainer_run(trainer, &result, failure))
		return -1;
	if (prints)
		print_result(program, trainer, &result);
	if (!stamps)
		return 0;
	qsort(trainer->stamps_ns, (size_t)trainer->steps, sizeof(int64_t), compare_moments);
	for (long i = 0; i < trainer->steps; i++)
		fprintf(stamps, "%" PRId64 "\n", trainer->stamps_ns[i]);
	if (fflush(stamps) || ferror(stamps))
		return failure_set(failure, EXIT_FAILED, "--stamps: cannot write to '%s': %s", path,
				   strerror(errno));
	return 0;
}

/* Opens the file of --stamps and allocates memory for the stamps before the first step, so that an
 * error is found early. */
static int run_stamped(const struct program *program, struct trainer *trainer, const char *path,
		       struct failure *failure)
{
	FILE *stamps = fopen(path, "w");
	int status;

	if (!stamps)
		return failure_set(failure, EXIT_USAGE, "--stamps: cannot write to '%s': %s", path,
				   strerror(errno));
	trainer->stamps_ns = calloc((size_t)trainer->steps, sizeof(*trainer->stamps_ns));
	if (trainer->stamps_ns)
		status = run_steps(program, trainer, stamps, path, failure);
	else
		status = failure_set(failure, EXIT_FAILED, "--stamps: no memory for %ld steps",
				     trainer->steps);
	fclose(stamps);
	free(trainer->stamps_ns);
	return status;
}

static int run(const struct program *program, const struct options *options,
	       struct failure *failure)
{
	const size_t needed = (size_t)options->sequence + 1;
	const size_t length = needed > GENERATED_TEXT_BYTES ? needed : GENERATED_TEXT_BYTES;
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
					 : run_steps(program, &trainer, NULL, NULL, failure);
	}
	text_free(&text);
	return status;
}

/* Replaces this process by train_mpi, which lies in the same folder as this program, with the same
 * arguments. Only that program is linked with MPI. Returns -1 with *failure (EXIT_USAGE if there is
 * no train_mpi). */
static int exec_train_mpi(char **argv, struct failure *failure)
{
	static const char name[] = "/train_mpi";
	char path[PATH_MAX];
	ssize_t got = readlink("/proc/self/exe", path, sizeof(path) - sizeof(name));
	char *slash;

	if (got <= 0)
		return failure_set(failure, EXIT_FAILED,
				   "--mpi: cannot find the folder of this program: %s",
				   strerror(errno));
	path[got] = '\0';
	slash = strrchr(path, '/');
	strcpy(slash ? slash : path, name);
	execv(path, argv);
	if (errno == ENOENT)
		return failure_set(failure, EXIT_USAGE,
				   "--mpi: this build has no MPI (there is no %s); install "
				   "libopenmpi-dev, then configure and make again",
				   path);
	return failure_set(failure, EXIT_FAILED, "--mpi: cannot run %s: %s", path, strerror(errno));
}

int program_main(const struct program *program, int argc, char **argv)
{
	struct failure failure;
	struct options options;
	int status = options_parse(&options, program, argc, argv, &failure);

	if (!status && options.help)
		options_help(program, stdout);
	else if (!status && options.mpi && !program->peers)
		status = exec_train_mpi(argv, &failure);
	else if (!status)
		status = run(program, &options, &failure);
	if (!status) {
		int had_error = ferror(stdout);

		if (!fclose(stdout) && !had_error)
			return 0;
		failure_set(&failure, EXIT_FAILED, "cannot write to standard output: %s",
			    strerror(errno));
	}
	fprintf(stderr, "%s: %s\n", program->name, failure.what);
	return failure.status;
}
