/* trainer.c: data-parallel training and inference. */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blasprof.h"
#include "kernels.h"
#include "step.h"
#include "trainer.h"

/* Threads wait here until all of them exist, and then start or give up together. */
enum gate_state { GATE_SHUT, GATE_OPEN, GATE_CALLED_OFF };
struct gate {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	enum gate_state state;
};

struct team;

struct worker {
	struct team *team;
	pthread_t thread;
	int index;	     /* in its process */
	int number;	     /* in all processes */
	struct model *model; /* its own or the team's */
	struct parameters gradients;
	struct activations activations;
	int64_t start_ns, end_ns;
	double first_sum, last_sum, sum; /* losses of the first tenth, the last tenth, all steps */
	long steps, window;		 /* number of its steps, and a tenth of it */
};

struct team {
	const struct trainer *trainer;
	struct worker *workers;
	struct model *models; /* one, or one for each worker */
	int models_count, models_ready, workers_ready;
	struct gate gate;
	pthread_barrier_t barrier;
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool gate_wait(struct gate *gate)
{
	enum gate_state state;

	pthread_mutex_lock(&gate->lock);
	while (gate->state == GATE_SHUT)
		pthread_cond_wait(&gate->moved, &gate->lock);
	state = gate->state;
	pthread_mutex_unlock(&gate->lock);
	return state == GATE_OPEN;
}

static void gate_move(struct gate *gate, enum gate_state state)
{
	pthread_mutex_lock(&gate->lock);
	gate->state = state;
	pthread_cond_broadcast(&gate->moved);
	pthread_mutex_unlock(&gate->lock);
}

/* Number of workers in all processes. */
static int count_workers(const struct trainer *trainer)
{
	return trainer->threads * (trainer->peers ? trainer->peers->ranks : 1);
}

static int first_number(const struct trainer *trainer)
{
	return trainer->peers ? trainer->threads * trainer->peers->rank : 0;
}

/* Computes the loss of the worker's step in this round, and its gradient if the team trains. */
static void compute_step(struct worker *worker, long round)
{
	const struct trainer *trainer = worker->team->trainer;
	const uint8_t *tokens =
		text_sample(trainer->text, (size_t)trainer->shape.tokens + 1, trainer->seed,
			    round * count_workers(trainer) + worker->number);
	double loss;

	blasprof_region_begin("forward");
	loss = step_forward(worker->model, &worker->activations, tokens);
	worker->sum += loss;
	if (round < worker->window)
		worker->first_sum += loss;
	if (round >= worker->steps - worker->window)
		worker->last_sum += loss;
	blasprof_region_end("forward");
	if (trainer->trains) {
		blasprof_region_begin("backward");
		step_backward(worker->model, &worker->gradients, &worker->activations, tokens);
		blasprof_region_end("backward");
	}
	blasprof_progress(1);
}

/* Start of the range of the arena that one of `threads` sums and updates, in whole cache lines. */
static size_t range_start(size_t length, int threads, int index)
{
	const size_t line = 64 / sizeof(float);

	return length / line * (size_t)index / (size_t)threads * line;
}

/* Updates this worker's range of the model by the gradients of the first `active` workers of all
 * processes: sums this process's gradients in that range, and then all processes' sums. */
static void update_together(struct worker *worker, int active)
{
	struct team *team = worker->team;
	const struct trainer *trainer = team->trainer;
	const struct parameters *sum = &team->workers[0].gradients;
	const size_t first = range_start(sum->length, trainer->threads, worker->index);
	const size_t end = range_start(sum->length, trainer->threads, worker->index + 1);
	const int own = active - first_number(trainer);

	if (own < 1)
		memset(sum->base + first, 0, (end - first) * sizeof(*sum->base));
	for (int i = 1; i < own && i < trainer->threads; i++)
		vector_add(sum->base + first, team->workers[i].gradients.base + first, 1,
			   end - first);
	if (trainer->peers) {
		pthread_barrier_wait(&team->barrier);
		if (worker->index == 0)
			trainer->peers->sum(sum->base, sum->length);
		pthread_barrier_wait(&team->barrier);
	}
	blasprof_region_begin("optimizer");
	step_update(worker->model, sum, 1.0f / (float)active, first, end);
	blasprof_region_end("optimizer");
}

static void run_independent(struct worker *worker)
{
	const struct trainer *trainer = worker->team->trainer;

	for (long round = 0; round < worker->steps; round++) {
		compute_step(worker, round);
		if (trainer->trains) {
			worker->model->steps++;
			blasprof_region_begin("optimizer");
			step_update(worker->model, &worker->gradients, 1, 0,
				    worker->gradients.length);
			blasprof_region_end("optimizer");
		}
		if (trainer->stamps_ns)
			trainer->stamps_ns[round * trainer->threads + worker->number] = now_ns();
	}
}

static void run_together(struct worker *worker)
{
	const struct trainer *trainer = worker->team->trainer;
	const int all = count_workers(trainer);

	for (long done = 0; done < trainer->steps; done += all) {
		int active = trainer->steps - done < all ? (int)(trainer->steps - done) : all;

		if (worker->number < active)
			compute_step(worker, done / all);
		if (worker->index == 0)
			worker->model->steps++;
		pthread_barrier_wait(&worker->team->barrier);
		update_together(worker, active);
		pthread_barrier_wait(&worker->team->barrier);
		if (worker->number < active && trainer->stamps_ns)
			trainer->stamps_ns[done + worker->number] = now_ns();
	}
}

static void *worker_main(void *argument)
{
	struct worker *worker = argument;

	if (!gate_wait(&worker->team->gate))
		return NULL;
	worker->start_ns = now_ns();
	if (worker->team->trainer->together)
		run_together(worker);
	else
		run_independent(worker);
	worker->end_ns = now_ns();
	return NULL;
}

static int worker_init(struct worker *worker, struct team *team, int index)
{
	const struct trainer *trainer = team->trainer;
	const int all = count_workers(trainer);

	worker->team = team;
	worker->index = index;
	worker->model = &team->models[index % team->models_count];
	worker->number = first_number(trainer) + index;
	worker->steps = trainer->steps / all + (worker->number < trainer->steps % all);
	worker->window = worker->steps < 10 ? 1 : worker->steps / 10;
	if (activations_alloc(&worker->activations, &trainer->shape))
		return -1;
	if (trainer->trains && parameters_alloc(&worker->gradients, &trainer->shape)) {
		activations_free(&worker->activations);
		return -1;
	}
	worker->gradients.summed = trainer->together;
	return 0;
}

static int team_init(struct team *team, const struct trainer *trainer)
{
	memset(team, 0, sizeof(*team));
	team->trainer = trainer;
	team->models_count = trainer->trains && !trainer->together ? trainer->threads : 1;
	pthread_mutex_init(&team->gate.lock, NULL);
	pthread_cond_init(&team->gate.moved, NULL);
	pthread_barrier_init(&team->barrier, NULL, (unsigned int)trainer->threads);
	team->models = calloc((size_t)team->models_count, sizeof(*team->models));
	team->workers = calloc((size_t)trainer->threads, sizeof(*team->workers));
	if (!team->models || !team->workers)
		return -1;
	for (; team->models_ready < team->models_count; team->models_ready++)
		if (model_alloc(&team->models[team->models_ready], &trainer->shape, trainer->trains,
				trainer->seed))
			return -1;
	for (; team->workers_ready < trainer->threads; team->workers_ready++)
		if (worker_init(&team->workers[team->workers_ready], team, team->workers_ready))
			return -1;
	return 0;
}

static void team_free(struct team *team)
{
	for (int i = 0; i < team->workers_ready; i++) {
		activations_free(&team->workers[i].activations);
		parameters_free(&team->workers[i].gradients);
	}
	for (int i = 0; i < team->models_ready; i++)
		model_free(&team->models[i]);
	free(team->workers);
	free(team->models);
	pthread_barrier_destroy(&team->barrier);
	pthread_cond_destroy(&team->gate.moved);
	pthread_mutex_destroy(&team->gate.lock);
}

/* Starts all workers and waits for them. Returns 0, or the error number of pthread_create(). */
static int team_run(struct team *team)
{
	int started = 0, error = 0;

	while (started < team->trainer->threads && !error) {
		struct worker *worker = &team->workers[started];

		error = pthread_create(&worker->thread, NULL, worker_main, worker);
		if (!error)
			started++;
	}
	gate_move(&team->gate, error ? GATE_CALLED_OFF : GATE_OPEN);
	for (int i = 0; i < started; i++)
		pthread_join(team->workers[i].thread, NULL);
	return error;
}

/* Summarises the measurements of the workers of all processes. */
static void team_result(const struct team *team, struct trainer_result *result)
{
	int64_t start = team->workers[0].start_ns, end = team->workers[0].end_ns;
	const struct peers *peers = team->trainer->peers;
	double sums[4] = {
		0}; /* of workers with a step, and of their losses before, after, in all */

	for (int i = 0; i < team->trainer->threads; i++) {
		const struct worker *worker = &team->workers[i];

		start = worker->start_ns < start ? worker->start_ns : start;
		end = worker->end_ns > end ? worker->end_ns : end;
		if (!worker->steps)
			continue;
		sums[0]++;
		sums[1] += worker->first_sum / (double)worker->window;
		sums[2] += worker->last_sum / (double)worker->window;
		sums[3] += worker->sum;
	}
	result->seconds = (double)(end - start) * 1e-9;
	if (peers) {
		peers->sum_results(sums, sizeof(sums) / sizeof(*sums));
		peers->take_largest(&result->seconds);
	}
	result->loss_before = sums[1] / sums[0];
	result->loss_after = sums[2] / sums[0];
	result->loss = sums[3] / (double)team->trainer->steps;
}

size_t trainer_bytes(const struct trainer *trainer)
{
	const size_t threads = (size_t)trainer->threads;
	const size_t models = trainer->trains && !trainer->together ? threads : 1;
	const size_t arenas = trainer->trains ? 3 * models + threads : 1;

	return arenas * parameters_bytes(&trainer->shape) +
	       threads * activations_bytes(&trainer->shape);
}

int trainer_run(const struct trainer *trainer, struct trainer_result *result,
		struct failure *failure)
{
	struct team team;
	int error = 0, status = team_init(&team, trainer);

	if (status)
		failure_set(failure, EXIT_FAILED, "no memory for the models of %d threads",
			    trainer->threads);
	else if ((error = team_run(&team)))
		status = failure_set(failure, EXIT_FAILED, "cannot start %d threads: %s",
				     trainer->threads, strerror(error));
	else
		team_result(&team, result);
	team_free(&team);
	return status;
}
