/* tensors.c: makes arenas with a place for each tensor of the tables. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "tensors.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
enum { ALIGNMENT_BYTES = 64, ALIGNMENT = ALIGNMENT_BYTES / sizeof(float) };
_Static_assert(sizeof(int32_t) == sizeof(float), "an arena holds both");

#define MODEL_PARAMETER_ROW(name, d0, d1, d2, start, decays)                                       \
	{#name, offsetof(struct parameters, name), {d0, d1, d2}, start, decays},
#define BLOCK_PARAMETER_ROW(name, d0, d1, d2, start, decays)                                       \
	{#name, offsetof(struct block_parameters, name), {d0, d1, d2}, start, decays},
#define MODEL_ACTIVATION_ROW(type, name, d0, d1)                                                   \
	{#name, offsetof(struct activations, name), {DIM_ONE, d0, d1}, START_NONE, false},
#define BLOCK_ACTIVATION_ROW(type, name, d0, d1)                                                   \
	{#name, offsetof(struct block_activations, name), {DIM_ONE, d0, d1}, START_NONE, false},

const struct tensor model_parameters[] = {MODEL_PARAMETERS(MODEL_PARAMETER_ROW)};
const struct tensor block_parameters[] = {BLOCK_PARAMETERS(BLOCK_PARAMETER_ROW)};
const size_t model_parameters_count = COUNT(model_parameters);
const size_t block_parameters_count = COUNT(block_parameters);
static const struct tensor model_activations[] = {MODEL_ACTIVATIONS(MODEL_ACTIVATION_ROW)};
static const struct tensor block_activations[] = {BLOCK_ACTIVATIONS(BLOCK_ACTIVATION_ROW)};

/* A list of tensors and the struct whose fields point to them. */
struct group {
	const struct tensor *tensors;
	size_t count;
	void *fields;
};

size_t tensor_length(const struct tensor *tensor, const struct shape *shape)
{
	return shape_dim(shape, tensor->dims[0]) * shape_dim(shape, tensor->dims[1]) *
	       shape_dim(shape, tensor->dims[2]);
}

/* Places the group's tensors that decay, or those that do not, from `offset` on, and returns the
 * offset after them. If base is NULL, only computes that offset. */
static size_t group_place(struct group group, const struct shape *shape, bool decays, float *base,
			  size_t offset)
{
	for (size_t i = 0; i < group.count; i++) {
		const struct tensor *tensor = &group.tensors[i];
		size_t length = tensor_length(tensor, shape);

		if (tensor->decays != decays)
			continue;
		if (base) {
			void *place = base + offset;

			memcpy((char *)group.fields + tensor->field, &place, sizeof(place));
		}
		offset += (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}
	return offset;
}

static size_t parameters_place(struct parameters *parameters, const struct shape *shape,
			       bool decays, float *base, size_t offset)
{
	struct group group = {model_parameters, model_parameters_count, parameters};

	offset = group_place(group, shape, decays, base, offset);
	for (int b = 0; b < shape->blocks; b++) {
		group = (struct group){block_parameters, block_parameters_count,
				       &parameters->block[b]};
		offset = group_place(group, shape, decays, base, offset);
	}
	return offset;
}

static size_t activations_place(struct activations *activations, const struct shape *shape,
				float *base)
{
	struct group group = {model_activations, COUNT(model_activations), activations};
	size_t offset = group_place(group, shape, false, base, 0);

	for (int b = 0; b < shape->blocks; b++) {
		group = (struct group){block_activations, COUNT(block_activations),
				       &activations->block[b]};
		offset = group_place(group, shape, false, base, offset);
	}
	return offset;
}

static float *arena_alloc(size_t length)
{
	float *base = aligned_alloc(ALIGNMENT_BYTES, length * sizeof(float));

	if (base)
		memset(base, 0, length * sizeof(float));
	return base;
}

int parameters_alloc(struct parameters *parameters, const struct shape *shape)
{
	memset(parameters, 0, sizeof(*parameters));
	parameters->decays_length = parameters_place(parameters, shape, true, NULL, 0);
	parameters->length =
		parameters_place(parameters, shape, false, NULL, parameters->decays_length);
	parameters->base = arena_alloc(parameters->length);
	if (!parameters->base)
		return -1;
	parameters_place(parameters, shape, true, parameters->base, 0);
	parameters_place(parameters, shape, false, parameters->base, parameters->decays_length);
	return 0;
}

int activations_alloc(struct activations *activations, const struct shape *shape)
{
	memset(activations, 0, sizeof(*activations));
	activations->length = activations_place(activations, shape, NULL);
	activations->base = arena_alloc(activations->length);
	if (!activations->base)
		return -1;
	activations_place(activations, shape, activations->base);
	return 0;
}

void parameters_free(struct parameters *parameters)
{
	free(parameters->base);
	memset(parameters, 0, sizeof(*parameters));
}

void activations_free(struct activations *activations)
{
	free(activations->base);
	memset(activations, 0, sizeof(*activations));
}

size_t parameters_bytes(const struct shape *shape)
{
	struct parameters unused;
	size_t decaying = parameters_place(&unused, shape, true, NULL, 0);

	return parameters_place(&unused, shape, false, NULL, decaying) * sizeof(float);
}

size_t activations_bytes(const struct shape *shape)
{
	struct activations unused;

	return activations_place(&unused, shape, NULL) * sizeof(float);
}

size_t parameters_count(const struct shape *shape)
{
	size_t model = 0, block = 0;

	for (size_t i = 0; i < model_parameters_count; i++)
		model += tensor_length(&model_parameters[i], shape);
	for (size_t i = 0; i < block_parameters_count; i++)
		block += tensor_length(&block_parameters[i], shape);
	return model + block * (size_t)shape->blocks;
}

static void group_start(struct group group, const struct shape *shape, uint64_t *state)
{
	for (size_t i = 0; i < group.count; i++) {
		const struct tensor *tensor = &group.tensors[i];
		const double deviation =
			tensor->start == START_FAN_IN
				? 1.0 / sqrt((double)shape_dim(shape, tensor->dims[1]))
				: START_SMALL_DEVIATION;
		/* a uniform number in [-1, 1] has a standard deviation of 1 / sqrt(3) */
		const double reach = sqrt(3.0) * deviation;
		float *values;

		memcpy(&values, (char *)group.fields + tensor->field, sizeof(values));
		for (size_t j = 0; j < tensor_length(tensor, shape); j++)
			values[j] = tensor->start == START_ONES
					    ? 1.0f
					    : (float)(reach * (2.0 * random_uniform(state) - 1.0));
	}
}

void parameters_start(struct parameters *parameters, const struct shape *shape, uint64_t seed)
{
	struct group model = {model_parameters, model_parameters_count, parameters};
	uint64_t state = seed;

	group_start(model, shape, &state);
	for (int b = 0; b < shape->blocks; b++) {
		struct group block = {block_parameters, block_parameters_count,
				      &parameters->block[b]};

		group_start(block, shape, &state);
	}
}
