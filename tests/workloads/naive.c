/* naive.c: simple versions of the kernels and the network. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "naive.h"

void naive_rmsnorm(double *y, const double *x, const double *gain, int rows, int cols)
{
	for (int r = 0; r < rows; r++) {
		double squares = 0;

		for (int c = 0; c < cols; c++)
			squares += x[r * cols + c] * x[r * cols + c];
		for (int c = 0; c < cols; c++)
			y[r * cols + c] = x[r * cols + c] * gain[c] /
					  sqrt(squares / cols + (double)RMSNORM_EPSILON);
	}
}

void naive_causal_softmax(double *y, const double *x, int rows)
{
	for (int r = 0; r < rows; r++) {
		double sum = 0;

		for (int c = 0; c <= r; c++)
			sum += exp(x[r * rows + c]);
		for (int c = 0; c < rows; c++)
			y[r * rows + c] = c <= r ? exp(x[r * rows + c]) / sum : 0;
	}
}

void naive_swiglu(double *y, const double *gate, const double *up, const double *weight, int rows,
		  int cols)
{
	for (int i = 0; i < rows * cols; i++)
		y[i] = weight[i / cols] * gate[i] / (1 + exp(-gate[i])) * up[i];
}

double naive_cross_entropy(const double *x, const uint8_t *targets, int rows, int cols)
{
	double loss = 0;

	for (int r = 0; r < rows; r++) {
		double sum = 0;

		for (int c = 0; c < cols; c++)
			sum += exp(x[r * cols + c]);
		loss -= log(exp(x[r * cols + targets[r]]) / sum);
	}
	return loss / rows;
}

void naive_embedding(double *y, const double *embedding, const double *position,
		     const uint8_t *tokens, int rows, int cols)
{
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < cols; c++)
			y[r * cols + c] = embedding[tokens[r] * cols + c] + position[r * cols + c];
}

void naive_mean_rows(double *y, const double *x, int rows, int cols)
{
	for (int c = 0; c < cols; c++) {
		y[c] = 0;
		for (int r = 0; r < rows; r++)
			y[c] += x[r * cols + c] / rows;
	}
}

void naive_adamw(double *x, double *m, double *v, double g, const struct adamw *adamw, int step)
{
	const double beta1 = (double)adamw->beta1, beta2 = (double)adamw->beta2;
	const double scaled = g * (double)adamw->gradient_scale;
	double unbiased_m, unbiased_v;

	*m = beta1 * *m + (1 - beta1) * scaled;
	*v = beta2 * *v + (1 - beta2) * scaled * scaled;
	unbiased_m = *m / (1 - pow(beta1, step));
	unbiased_v = *v / (1 - pow(beta2, step));
	*x -= (double)adamw->rate * (unbiased_m / (sqrt(unbiased_v) + (double)adamw->epsilon) +
				     (double)adamw->decay * *x);
}

/* y [m, n] = x [m, k] w, where w is [k, n], or [n, k] if it is transposed. */
static void multiply(double *y, const double *x, const double *w, int transposed, int m, int k,
		     int n)
{
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			y[i * n + j] = 0;
			for (int l = 0; l < k; l++)
				y[i * n + j] +=
					x[i * k + l] * w[transposed ? j * k + l : l * n + j];
		}
}

static double *new_array(size_t length)
{
	double *array = calloc(length ? length : 1, sizeof(*array));

	if (!array)
		abort();
	return array;
}

/* Data that all parts of the network need. */
struct network {
	const struct shape *shape;
	const struct parameters *layout;
	const double *values;
};

static const double *values_of(const struct network *net, const float *tensor)
{
	return net->values + (tensor - net->layout->base);
}

/* x [T, H] += attention of x. */
static void add_attention(const struct network *net, const struct block_parameters *p, double *x)
{
	const int t = net->shape->tokens, h = net->shape->hidden, size = t * h;
	double *work = new_array((size_t)(6 * size + 2 * t * t));
	double *normed = work, *query = normed + size, *key = query + size, *value = key + size;
	double *mixed = value + size, *output = mixed + size, *scores = output + size;
	double *shares = scores + t * t;

	naive_rmsnorm(normed, x, values_of(net, p->attention_gain), t, h);
	multiply(query, normed, values_of(net, p->query), 0, t, h, h);
	multiply(key, normed, values_of(net, p->key), 0, t, h, h);
	multiply(value, normed, values_of(net, p->value), 0, t, h, h);
	multiply(scores, query, key, 1, t, h, t);
	for (int i = 0; i < t * t; i++)
		scores[i] /= sqrt(h);
	naive_causal_softmax(shares, scores, t);
	multiply(mixed, shares, value, 0, t, t, h);
	multiply(output, mixed, values_of(net, p->output), 0, t, h, h);
	for (int i = 0; i < size; i++)
		x[i] += output[i];
	free(work);
}

/* weight [E]: the weight of each expert's output for `input` [H]; zero if it is not chosen. */
static void route(const struct network *net, const struct block_parameters *p, const double *input,
		  double *weight)
{
	const int e = net->shape->experts;
	double *scores = new_array((size_t)e);
	double sum = 0;

	multiply(scores, input, values_of(net, p->router), 1, 1, net->shape->hidden, e);
	for (int i = 0; i < e; i++) {
		int better = 0;

		for (int j = 0; j < e; j++)
			better += scores[j] > scores[i];
		weight[i] = better < net->shape->top_k ? exp(scores[i]) : 0;
		sum += weight[i];
	}
	for (int i = 0; i < e; i++)
		weight[i] /= sum;
	free(scores);
}

/* output [H] += weight * output of the expert for input [H]. */
static void add_expert(const struct network *net, const struct block_parameters *p, int expert,
		       double weight, const double *input, double *output)
{
	const int h = net->shape->hidden, f = net->shape->inner;
	double *work = new_array((size_t)(3 * f + h));
	double *gate = work, *up = gate + f, *product = up + f, *product_down = product + f;
	ptrdiff_t matrix = (ptrdiff_t)expert * h * f;

	multiply(gate, input, values_of(net, p->gate) + matrix, 0, 1, h, f);
	multiply(up, input, values_of(net, p->up) + matrix, 0, 1, h, f);
	naive_swiglu(product, gate, up, &weight, 1, f);
	multiply(product_down, product, values_of(net, p->down) + matrix, 0, 1, f, h);
	for (int i = 0; i < h; i++)
		output[i] += product_down[i];
	free(work);
}

/* x [T, H] += outputs of the chosen experts, token by token. */
static void add_experts(const struct network *net, const struct block_parameters *p, double *x)
{
	const int t = net->shape->tokens, h = net->shape->hidden, e = net->shape->experts;
	double *normed = new_array((size_t)(t * h)), *mean = new_array((size_t)h);
	double *weight = new_array((size_t)e);

	naive_rmsnorm(normed, x, values_of(net, p->experts_gain), t, h);
	naive_mean_rows(mean, normed, t, h);
	for (int i = 0; i < t; i++) {
		const double *input = normed + i * h;

		route(net, p, net->shape->routing == ROUTING_TOKEN ? input : mean, weight);
		for (int j = 0; j < e; j++)
			if (weight[j] > 0)
				add_expert(net, p, j, weight[j], input, x + i * h);
	}
	free(normed);
	free(mean);
	free(weight);
}

double naive_loss(const struct shape *shape, const struct parameters *layout, const double *values,
		  const uint8_t *tokens)
{
	const struct network net = {shape, layout, values};
	const int t = shape->tokens, h = shape->hidden, v = shape->vocabulary;
	double *x = new_array((size_t)(t * h)), *normed = new_array((size_t)(t * h));
	double *logits = new_array((size_t)(t * v));
	double loss;

	naive_embedding(x, values_of(&net, layout->embedding), values_of(&net, layout->position),
			tokens, t, h);
	for (int b = 0; b < shape->blocks; b++) {
		add_attention(&net, &layout->block[b], x);
		add_experts(&net, &layout->block[b], x);
	}
	naive_rmsnorm(normed, x, values_of(&net, layout->final_gain), t, h);
	multiply(logits, normed, values_of(&net, layout->head), 0, t, h, v);
	loss = naive_cross_entropy(logits, tokens + 1, t, v);
	free(x);
	free(normed);
	free(logits);
	return loss;
}
