/* gradients_test.c: compares the loss and the gradient of every parameter with the naive network.
 */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "naive.h"
#include "random.h"
#include "step.h"
#include "tests/unit.h"

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

/* A model with the data for a step, and its parameters as doubles. */
struct bench {
	struct model model;
	struct parameters gradients;
	struct activations activations;
	double *values;
	uint8_t tokens[64];
	double loss;
};

static void bench_init(struct bench *bench, const struct shape *shape)
{
	uint64_t state = 5;

	ck_assert_int_eq(model_alloc(&bench->model, shape, 0, 11), 0);
	ck_assert_int_eq(parameters_alloc(&bench->gradients, shape), 0);
	ck_assert_int_eq(activations_alloc(&bench->activations, shape), 0);
	bench->values = malloc(bench->model.parameters.length * sizeof(double));
	ck_assert_ptr_nonnull(bench->values);
	for (size_t i = 0; i < bench->model.parameters.length; i++) {
		/* changed from the initial values, so that gains are not all 1 */
		bench->model.parameters.base[i] += (float)(0.2 * random_uniform(&state) - 0.1);
		bench->values[i] = (double)bench->model.parameters.base[i];
	}
	for (int i = 0; i <= shape->tokens; i++)
		bench->tokens[i] = (uint8_t)random_below(&state, (unsigned int)shape->vocabulary);
	/* leftovers of an earlier step must not count */
	for (size_t i = 0; i < bench->gradients.length; i++)
		bench->gradients.base[i] = 1;
	for (int b = 0; b < shape->blocks; b++)
		for (int e = 0; e < shape->experts; e++)
			bench->gradients.block[b].used[e] = true;
	bench->loss = step_forward(&bench->model, &bench->activations, bench->tokens);
	step_backward(&bench->model, &bench->gradients, &bench->activations, bench->tokens);
}

static void bench_free(struct bench *bench)
{
	model_free(&bench->model);
	parameters_free(&bench->gradients);
	activations_free(&bench->activations);
	free(bench->values);
}

TEST_EACH(loss_equals_the_naive_network, SHAPES)
{
	const struct shape *shape = &shapes[_i];
	struct bench bench;

	bench_init(&bench, shape);
	ck_assert_double_eq_tol(
		bench.loss, naive_loss(shape, &bench.model.parameters, bench.values, bench.tokens),
		2e-6);
	bench_free(&bench);
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
	struct bench bench;
	const struct parameters *p = &bench.model.parameters;

	bench_init(&bench, &shapes[_i]);
	for (size_t i = 0; i < model_parameters_count; i++)
		ck_assert_double_gt(check_tensor(&bench, &model_parameters[i], p, -1), 1e-4);
	for (int b = 0; b < shapes[_i].blocks; b++)
		for (size_t i = 0; i < block_parameters_count; i++) {
			const struct tensor *tensor = &block_parameters[i];
			double largest = check_tensor(&bench, tensor, &p->block[b], b);
			int has_none = !strcmp(tensor->name, "router") && shapes[_i].top_k == 1;

			ck_assert_msg(has_none ? largest == 0 : largest > 1e-5,
				      "%s: largest gradient %g", tensor->name, largest);
		}
	bench_free(&bench);
}
