/* activation.c: ReLU, GELU and SiLU of vectors, and the optimiser's step. */
/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "cells/kernel.h"
#include "cells/twins.h"
#include "fused.h"
#include "kernels.h"
#include "vector_math.h"

enum { X, Y };
enum { PARAMETER, MEAN, SQUARE, GRADIENT };

VECTOR_CLONES static void relu(float *restrict y, const float *restrict x, long n)
{
	VECTOR_LOOP
	for (long i = 0; i < n; i++)
		y[i] = x[i] > 0 ? x[i] : 0;
}

VECTOR_CLONES static void silu(float *restrict y, const float *restrict x, long n)
{
	VECTOR_LOOP
	for (long i = 0; i < n; i++)
		y[i] = x[i] * vector_sigmoid(x[i]);
}

static void run_relu(struct operands *o)
{
	relu(o->buffer[Y], o->buffer[X], o->size.n);
}

static void run_gelu(struct operands *o)
{
	gelu_forward(o->buffer[Y], o->buffer[X], o->size.n);
}

static void run_silu(struct operands *o)
{
	silu(o->buffer[Y], o->buffer[X], o->size.n);
}

/* As in the first step of training; no moments are below 0, as squares are not. */
const struct adamw first_step = {
	.rate = 0.002f,
	.beta1 = 0.9f,
	.beta2 = 0.99f,
	.epsilon = 1e-8f,
	.decay = 0.01f,
	.gradient_scale = 1,
	.correction1 = 10,
	.correction2 = 100,
};

static void run_adamw(struct operands *o)
{
	adamw_update(o->buffer[PARAMETER], o->buffer[MEAN], o->buffer[SQUARE], o->buffer[GRADIENT],
		     (size_t)o->size.n, &first_step);
}

static struct expected relu_twin(struct size size, size_t index)
{
	double x = input(X, index);

	return (struct expected){x > 0 ? x : 0, 0};
}

/* The sigmoid is good to 4e-7 relatively; its argument's rounding weighs by at most 4. */
struct expected sigmoid_times(double x, double argument)
{
	double value = x / (1 + exp(-argument));

	return (struct expected){value, fabs(value) * (1e-6 + 8 * FLT_EPSILON)};
}

struct expected gelu_of(double x)
{
	return sigmoid_times(x, 2 * sqrt(2 / M_PI) * (x + 0.044715 * x * x * x));
}

static struct expected gelu_twin(struct size size, size_t index)
{
	return gelu_of(input(X, index));
}

static struct expected silu_twin(struct size size, size_t index)
{
	return sigmoid_times(input(X, index), input(X, index));
}

/* Where the two parts of the mean cancel, their roundings weigh more. */
struct expected adamw_twin(struct size size, size_t index)
{
	const struct adamw *a = &first_step;
	double d = input(GRADIENT, index), beta1 = (double)a->beta1, beta2 = (double)a->beta2;
	double mean = beta1 * input(MEAN, index) + (1 - beta1) * d;
	double square = beta2 * fabs(input(SQUARE, index)) + (1 - beta2) * d * d;
	double per_mean = (double)a->rate * (double)a->correction1 /
			  (sqrt(square * (double)a->correction2) + (double)a->epsilon);
	double kept = (1 - (double)a->rate * (double)a->decay) * input(PARAMETER, index);
	double parts = fabs(beta1 * input(MEAN, index)) + fabs((1 - beta1) * d);

	return (struct expected){kept - per_mean * mean,
				 8 * FLT_EPSILON * (fabs(kept) + per_mean * parts)};
}

static double one_flop(struct size size)
{
	return (double)size.n;
}

static double two_floats(struct size size)
{
	return 2 * sizeof(float) * (double)size.n;
}

/* Four read, three written. */
double adamw_bytes(struct size size)
{
	return 7 * sizeof(float) * (double)size.n;
}

/* Two for the gradient's scale and flush, 3 + 4 for the moments, 7 for the parameter. */
double adamw_flops(struct size size)
{
	return 16 * (double)size.n;
}

const struct kernel activation_kernels[] = {
	{"activation", "relu", 4, 2, Y, vector_length, one_flop, two_floats, run_relu, relu_twin,
	 vector_sizes, .multiple = 1},
	{"activation", "gelu", 4, 2, Y, vector_length, NULL, two_floats, run_gelu, gelu_twin,
	 vector_sizes, .multiple = 1},
	{"activation", "silu", 4, 2, Y, vector_length, NULL, two_floats, run_silu, silu_twin,
	 vector_sizes, .multiple = 1},
	{0},
};

const struct kernel optimizer_kernels[] = {
	{"optimizer", "adamw", 4, 4, PARAMETER, vector_length, adamw_flops, adamw_bytes, run_adamw,
	 adamw_twin, vector_sizes, NULL, 1u << SQUARE, .multiple = 1},
	{0},
};
