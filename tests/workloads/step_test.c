/* step_test.c: calls, allocations and routing of a step, the layout of the arenas, and the loss and
 * the gradient of every parameter, compared with the naive network. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "naive.h"
#include "random.h"
#include "step.h"
#include "tests/unit.h"
#include "text.h"
#include "wrapped.h"

static const struct shape standard = {64, 64, 128, 2, 8, 2, 29, ROUTING_SEQUENCE, 0};

/* A model in training. */
static struct bench {
	struct model model;
	struct parameters gradients;
	struct activations activations;
	struct text text;
	const uint8_t *tokens;
	double *values; /* the parameters for the naive network */
} one;			/* freed after each test */

static void bench_init(struct bench *bench, const struct shape *shape)
{
	struct failure failure;

	bench->values = NULL;
	wrapped_vocabulary = shape->vocabulary;
	ck_assert_int_eq(model_alloc(&bench->model, shape, 1, 1), 0);
	ck_assert_int_eq(parameters_alloc(&bench->gradients, shape), 0);
	ck_assert_int_eq(activations_alloc(&bench->activations, shape), 0);
	ck_assert_int_eq(text_generate(&bench->text, 4096, 1, &failure), 0);
	bench->tokens = text_sample(&bench->text, (size_t)shape->tokens + 1, 1, 0);
}

static void bench_free(struct bench *bench)
{
	model_free(&bench->model);
	parameters_free(&bench->gradients);
	activations_free(&bench->activations);
	text_free(&bench->text);
	free(bench->values);
}

static void teardown(void)
{
	bench_free(&one);
}

FIXTURE(NULL, teardown)

static double bench_forward(struct bench *bench)
{
	return step_forward(&bench->model, &bench->activations, bench->tokens);
}

static void bench_backward(struct bench *bench)
{
	step_backward(&bench->model, &bench->gradients, &bench->activations, bench->tokens);
}

static void bench_update(struct bench *bench)
{
	bench->model.steps++;
	step_update(&bench->model, &bench->gradients, 1, 0, bench->gradients.length);
}

static void bench_step(struct bench *bench)
{
	bench_forward(bench);
	bench_backward(bench);
	bench_update(bench);
}

/* The calls in the blocks are 24 forward and 72 in all for the standard shape, as published. */
static const struct {
	int blocks, experts, top_k, forward, both;
} sizes[] = {{2, 8, 2, 24, 72},
	     {1, 8, 2, 12, 36},
	     {3, 8, 2, 36, 108},
	     {2, 4, 1, 18, 54},
	     {1, 5, 5, 21, 63}};

TEST_EACH(calls_are_as_many_as_the_shape_says, COUNT(sizes))
{
	struct shape shape = standard;
	struct wrapped_counts forward, both;

	shape.blocks = sizes[_i].blocks;
	shape.experts = sizes[_i].experts;
	shape.top_k = sizes[_i].top_k;
	bench_init(&one, &shape);
	bench_forward(&one);
	forward = wrapped_now();
	bench_backward(&one);
	both = wrapped_now();
	bench_update(&one);
	ck_assert_int_eq(wrapped_now().sgemm, both.sgemm);
	ck_assert_int_eq(forward.sgemm_of_head, 1);
	ck_assert_int_eq(both.sgemm_of_head, 3);
	ck_assert_int_eq(forward.sgemm - 1, sizes[_i].forward);
	ck_assert_int_eq(both.sgemm - 3, sizes[_i].both);
	ck_assert_int_eq(forward.sgemm, shape_all_calls(&shape, 0));
	ck_assert_int_eq(both.sgemm, shape_all_calls(&shape, 1));
	ck_assert_int_eq(both.sgemm - 3, shape_block_calls(&shape, 1));
}

TEST(token_routing_calls_only_experts_with_tokens)
{
	struct shape shape = standard;
	int visited = 0;

	shape.routing = ROUTING_TOKEN;
	shape.tokens = 2; /* 4 slots for 8 experts */
	bench_init(&one, &shape);
	bench_forward(&one);
	bench_backward(&one);
	for (int b = 0; b < shape.blocks; b++)
		for (int e = 0; e < shape.experts; e++)
			visited += one.activations.block[b].expert_start[e + 1] >
				   one.activations.block[b].expert_start[e];
	ck_assert_int_eq(wrapped_now().sgemm - wrapped_now().sgemm_of_head,
			 3 * (6 * shape.blocks + 3 * visited));
	ck_assert_int_le(wrapped_now().sgemm, shape_all_calls(&shape, 1));
}

TEST_EACH(a_step_allocates_nothing, 4)
{
	struct shape shape = standard;
	int before, after; /* no assertion may be between the readings, because it allocates */

	shape.routing = (enum routing)(_i % 2);
	shape.unfused = _i / 2;
	bench_init(&one, &shape);
	before = wrapped_now().allocations;
	for (int i = 0; i < 3; i++)
		bench_step(&one);
	after = wrapped_now().allocations;
	ck_assert_int_gt(before, 4);
	ck_assert_int_eq(after, before);
}

TEST_EACH(steps_on_one_sequence_lower_its_loss, ROUTING_TOKEN + 1)
{
	struct shape shape = standard;
	double first;

	shape.routing = (enum routing)_i;
	bench_init(&one, &shape);
	first = bench_forward(&one);
	/* the loss of an untrained model is about ln(vocabulary) */
	ck_assert_double_eq_tol(first, log(shape.vocabulary), 1.5);
	for (int i = 0; i < 30; i++)
		bench_step(&one);
	ck_assert_double_lt(bench_forward(&one), first / 2);
}

/* Skipping the zero gradients of unused experts changes nothing, neither in the gradients that an
 * earlier step left nor in the update. */
TEST(experts_without_a_token_train_as_with_gradients_of_zero)
{
	struct bench whole;

	bench_init(&one, &standard);
	bench_init(&whole, &standard);
	whole.gradients.summed = true;
	for (uint64_t step = 0; step < 6; step++) {
		one.tokens = text_sample(&one.text, (size_t)standard.tokens + 1, step, 0);
		whole.tokens = one.tokens;
		bench_forward(&one);
		bench_backward(&one);
		bench_forward(&whole);
		bench_backward(&whole);
		ck_assert_mem_eq(one.gradients.base, whole.gradients.base,
				 one.gradients.length * sizeof(float));
		bench_update(&one);
		bench_update(&whole);
		ck_assert_mem_eq(one.model.parameters.base, whole.model.parameters.base,
				 one.model.parameters.length * sizeof(float));
	}
	bench_free(&whole);
}

TEST_EACH(slots_hold_each_token_once_for_each_choice, ROUTING_TOKEN + 1)
{
	struct shape shape = standard;

	shape.routing = (enum routing)_i;
	bench_init(&one, &shape);
	bench_forward(&one);
	for (int b = 0; b < shape.blocks; b++) {
		const struct block_activations *block = &one.activations.block[b];
		int seen[64][8] = {0};
		double weight[64] = {0};

		ck_assert_int_eq(block->expert_start[0], 0);
		ck_assert_int_eq(block->expert_start[shape.experts], shape.tokens * shape.top_k);
		for (int e = 0; e < shape.experts; e++)
			for (int s = block->expert_start[e]; s < block->expert_start[e + 1]; s++) {
				ck_assert_int_eq(block->choice[block->slot_choice[s]], e);
				ck_assert_int_eq(seen[block->slot_token[s]][e]++, 0);
				weight[block->slot_token[s]] += (double)block->slot_weight[s];
			}
		for (int t = 0; t < shape.tokens; t++)
			ck_assert_double_eq_tol(weight[t], 1, 1e-6);
	}
}

/* Marks the tensor's elements in a map of the arena. Each must be unmarked, and in the right part.
 */
static void mark_tensor(const struct parameters *parameters, const struct shape *shape,
			const struct tensor *tensor, const void *fields, char *map)
{
	float *place;
	size_t first;

	memcpy(&place, (const char *)fields + tensor->field, sizeof(place));
	ck_assert_int_eq((int)((uintptr_t)place % 64), 0);
	first = (size_t)(place - parameters->base);
	for (size_t i = first; i < first + tensor_length(tensor, shape); i++) {
		ck_assert_int_eq(map[i]++, 0);
		ck_assert_int_eq(i < parameters->decays_length, tensor->decays);
	}
}

TEST(parameters_lie_in_one_arena_without_overlap)
{
	struct parameters parameters;
	size_t used = 0;
	char *map;

	ck_assert_int_eq(parameters_alloc(&parameters, &standard), 0);
	ck_assert_uint_eq(parameters.length * sizeof(float), parameters_bytes(&standard));
	map = calloc(parameters.length, 1);
	for (size_t i = 0; i < model_parameters_count; i++)
		mark_tensor(&parameters, &standard, &model_parameters[i], &parameters, map);
	for (int b = 0; b < standard.blocks; b++)
		for (size_t i = 0; i < block_parameters_count; i++)
			mark_tensor(&parameters, &standard, &block_parameters[i],
				    &parameters.block[b], map);
	for (size_t i = 0; i < parameters.length; i++)
		used += (size_t)map[i];
	ck_assert_uint_eq(used, parameters_count(&standard));
	free(map);
	parameters_free(&parameters);
}

/* Small, with different sizes in all dimensions, so that confused dimensions are found. */
static const struct shape shapes[] = {
#define FUSED_AND_NOT(...)                                                                         \
	{__VA_ARGS__, 0},                                                                          \
	{                                                                                          \
		__VA_ARGS__, 1                                                                     \
	}
	FUSED_AND_NOT(5, 8, 12, 2, 4, 2, 7, ROUTING_SEQUENCE),
	FUSED_AND_NOT(5, 8, 12, 2, 4, 2, 7, ROUTING_TOKEN),
	FUSED_AND_NOT(4, 6, 10, 1, 3, 1, 5, ROUTING_SEQUENCE),
	FUSED_AND_NOT(4, 6, 10, 1, 3, 1, 5, ROUTING_TOKEN),
	FUSED_AND_NOT(3, 6, 4, 3, 3, 3, 5, ROUTING_SEQUENCE),
	FUSED_AND_NOT(3, 6, 4, 3, 3, 3, 5, ROUTING_TOKEN),
};
enum { SHAPES = sizeof(shapes) / sizeof(*shapes) };

/* Makes a step, and returns its loss. */
static double bench_init_naive(struct bench *bench, const struct shape *shape)
{
	static uint8_t tokens[64];
	uint64_t state = 5;
	double loss;

	bench_init(bench, shape);
	bench->values = malloc(bench->model.parameters.length * sizeof(double));
	ck_assert_ptr_nonnull(bench->values);
	for (size_t i = 0; i < bench->model.parameters.length; i++) {
		/* changed from the initial values, so that gains are not all 1 */
		bench->model.parameters.base[i] += (float)(0.2 * random_uniform(&state) - 0.1);
		bench->values[i] = (double)bench->model.parameters.base[i];
	}
	for (int i = 0; i <= shape->tokens; i++)
		tokens[i] = (uint8_t)random_below(&state, (unsigned int)shape->vocabulary);
	bench->tokens = tokens;
	/* leftovers of an earlier step must not count */
	for (size_t i = 0; i < bench->gradients.length; i++)
		bench->gradients.base[i] = 1;
	for (int b = 0; b < shape->blocks; b++)
		for (int e = 0; e < shape->experts; e++)
			bench->gradients.block[b].used[e] = true;
	loss = bench_forward(bench);
	bench_backward(bench);
	return loss;
}

TEST_EACH(loss_equals_the_naive_network, SHAPES)
{
	const struct shape *shape = &shapes[_i];
	double loss = bench_init_naive(&one, shape);

	ck_assert_double_eq_tol(
		loss, naive_loss(shape, &one.model.parameters, one.values, one.tokens), 2e-6);
}

/* Central difference of the naive loss by element i of the arena. */
static double difference_at(struct bench *bench, size_t i)
{
	const double step = 1e-4, middle = bench->values[i];
	const struct shape *shape = &bench->model.shape;
	double up, down;

	bench->values[i] = middle + step;
	up = naive_loss(shape, &bench->model.parameters, bench->values, bench->tokens);
	bench->values[i] = middle - step;
	down = naive_loss(shape, &bench->model.parameters, bench->values, bench->tokens);
	bench->values[i] = middle;
	return (up - down) / (2 * step);
}

/* Checks every element of the tensor, and returns the largest gradient. */
static double check_tensor(struct bench *bench, const struct tensor *tensor, const void *fields,
			   int block)
{
	double largest = 0;
	float *place;

	memcpy(&place, (const char *)fields + tensor->field, sizeof(place));
	for (size_t i = 0; i < tensor_length(tensor, &bench->model.shape); i++) {
		size_t at = (size_t)(place + i - bench->model.parameters.base);
		double got = (double)bench->gradients.base[at];
		double expected = difference_at(bench, at);

		ck_assert_msg(fabs(got - expected) < 1e-5 * (1 + fabs(expected)),
			      "block %d, %s[%zu]: %.9g, differences %.9g", block, tensor->name, i,
			      got, expected);
		largest = fabs(got) > largest ? fabs(got) : largest;
	}
	return largest;
}

TEST_EACH(gradients_equal_differences_of_the_naive_network, SHAPES)
{
	const struct parameters *p = &one.model.parameters;

	bench_init_naive(&one, &shapes[_i]);
	for (size_t i = 0; i < model_parameters_count; i++)
		ck_assert_double_gt(check_tensor(&one, &model_parameters[i], p, -1), 1e-4);
	for (int b = 0; b < shapes[_i].blocks; b++)
		for (size_t i = 0; i < block_parameters_count; i++) {
			const struct tensor *tensor = &block_parameters[i];
			double largest = check_tensor(&one, tensor, &p->block[b], b);
			int has_none = !strcmp(tensor->name, "router") && shapes[_i].top_k == 1;

			ck_assert_msg(has_none ? largest == 0 : largest > 1e-5,
				      "%s: largest gradient %g", tensor->name, largest);
		}
}
