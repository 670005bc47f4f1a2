/* step.c: the whole network: forward, backward, update. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "fused.h"
#include "gemm.h"
#include "step.h"

/* The learning rate is inversely proportional to the width of the model, so that a step changes the
 * outputs by about the same amount at any width (Yang and others, "Tensor programs V", 2022). */
#define RATE_TIMES_WIDTH 0.128f

int model_alloc(struct model *model, const struct shape *shape, int trains, uint64_t seed)
{
	memset(model, 0, sizeof(*model));
	model->shape = *shape;
	if (parameters_alloc(&model->parameters, shape) ||
	    (trains &&
	     (parameters_alloc(&model->mean, shape) || parameters_alloc(&model->square, shape)))) {
		model_free(model);
		return -1;
	}
	parameters_start(&model->parameters, shape, seed);
	return 0;
}

void model_free(struct model *model)
{
	parameters_free(&model->parameters);
	parameters_free(&model->mean);
	parameters_free(&model->square);
}

double step_forward(const struct model *model, struct activations *activations,
		    const uint8_t *tokens)
{
	const struct shape *shape = &model->shape;
	const struct parameters *p = &model->parameters;
	const int t = shape->tokens, h = shape->hidden, v = shape->vocabulary;

	embedding_forward(activations->block[0].input, p->embedding, p->position, tokens, t, h);
	for (int b = 0; b < shape->blocks; b++) {
		struct block_activations *block = &activations->block[b];
		int is_last = b + 1 == shape->blocks;

		attention_forward(shape, &p->block[b], block);
		experts_forward(shape, &p->block[b], block, activations,
				is_last ? activations->last : activations->block[b + 1].input);
	}
	kernels_of(shape->unfused)
		->rmsnorm_forward(activations->final_normed, activations->final_scale,
				  activations->last, p->final_gain, t, h);
	gemm_nn(t, v, h, 1, activations->final_normed, p->head, 0, activations->logits);
	return cross_entropy_forward(activations->logits, tokens + 1, t, v);
}

/* Clears all but the experts' matrices, which experts_backward() handles. A block's gate, up and
 * down follow each other in the arena, as in the table. */
static void clear_gradients(struct parameters *gradients, const struct shape *shape)
{
	const size_t matrices =
		(size_t)shape->experts * (size_t)shape->hidden * (size_t)shape->inner;
	float *from = gradients->base;

	for (int b = 0; b < shape->blocks; b++) {
		memset(from, 0, (size_t)(gradients->block[b].gate - from) * sizeof(*from));
		from = gradients->block[b].down + matrices;
	}
	memset(from, 0, (size_t)(gradients->base + gradients->length - from) * sizeof(*from));
}

void step_backward(const struct model *model, struct parameters *gradients,
		   struct activations *activations, const uint8_t *tokens)
{
	const struct shape *shape = &model->shape;
	const struct parameters *p = &model->parameters;
	const int t = shape->tokens, h = shape->hidden, v = shape->vocabulary;

	clear_gradients(gradients, shape);
	memset(activations->d_stream, 0, (size_t)t * (size_t)h * sizeof(float));
	cross_entropy_backward(activations->logits, tokens + 1, t, v);
	gemm_tn(h, v, t, 1, activations->final_normed, activations->logits, 0, gradients->head);
	gemm_nt(t, h, v, 1, activations->logits, p->head, 0, activations->d_normed);
	kernels_of(shape->unfused)
		->rmsnorm_backward(activations->d_stream, gradients->final_gain,
				   activations->d_normed, activations->last,
				   activations->final_scale, p->final_gain, t, h);
	for (int b = shape->blocks - 1; b >= 0; b--) {
		experts_backward(shape, &p->block[b], &gradients->block[b], gradients->summed,
				 &activations->block[b], activations);
		attention_backward(shape, &p->block[b], &gradients->block[b],
				   &activations->block[b], activations);
	}
	embedding_backward(gradients->embedding, gradients->position, activations->d_stream, tokens,
			   t, h);
}

static void update_by(struct model *model, const float *gradient, size_t first, size_t length,
		      const struct adamw *adamw)
{
	kernels_of(model->shape.unfused)
		->adamw_update(model->parameters.base + first, model->mean.base + first,
			       model->square.base + first, gradient, length, adamw);
}

/* Updates by gradients that are all zero without reading them, because that would fill the caches.
 */
static void update_idle(struct model *model, size_t first, size_t end, const struct adamw *adamw)
{
	static const float zeros[1024];
	const size_t most = sizeof(zeros) / sizeof(*zeros);

	for (; first < end; first += most)
		update_by(model, zeros, first, end - first < most ? end - first : most, adamw);
}

/* Updates a range, with unused experts apart from the rest. Relies on the order of the arena, like
 * clear_gradients(). */
static void update_range(struct model *model, const struct parameters *gradients, size_t first,
			 size_t end, const struct adamw *adamw)
{
	const size_t matrix = (size_t)model->shape.hidden * (size_t)model->shape.inner;
	const int experts = model->shape.experts;

	for (int b = 0; b < model->shape.blocks && !gradients->summed; b++) {
		const struct block_parameters *block = &gradients->block[b];
		const float *tensors[] = {block->gate, block->up, block->down};

		for (int i = 0; i < 3 * experts; i++) {
			size_t start = (size_t)(tensors[i / experts] - gradients->base) +
				       (size_t)(i % experts) * matrix;

			if (block->used[i % experts] || start < first || start + matrix > end)
				continue;
			update_by(model, gradients->base + first, first, start - first, adamw);
			update_idle(model, start, start + matrix, adamw);
			first = start + matrix;
		}
	}
	if (first < end)
		update_by(model, gradients->base + first, first, end - first, adamw);
}

void step_update(struct model *model, const struct parameters *gradients, float gradient_scale,
		 size_t first, size_t end)
{
	const size_t border = model->parameters.decays_length;
	struct adamw adamw = {
		.rate = RATE_TIMES_WIDTH / (float)model->shape.hidden,
		.beta1 = 0.9f,
		.beta2 = 0.99f,
		.epsilon = 1e-8f,
		.decay = 0.01f,
		.gradient_scale = gradient_scale,
	};

	adamw.correction1 = 1.0f / (1.0f - powf(adamw.beta1, (float)model->steps));
	adamw.correction2 = 1.0f / (1.0f - powf(adamw.beta2, (float)model->steps));
	update_range(model, gradients, first, end < border ? end : border, &adamw);
	adamw.decay = 0;
	update_range(model, gradients, first > border ? first : border, end, &adamw);
}
