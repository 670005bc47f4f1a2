/* reduction.c: sums over vectors, and the workload's softmax and RMSNorm over rows of 64. */
/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include <cblas.h>

#include "cells/kernel.h"
#include "cells/twins.h"
#include "kernels.h"
#include "vector_math.h"

enum { X, Y };
enum { RESULT = 1, DOT_RESULT = 2 };
enum { NORM_SCALE = 2, NORM_GAIN = 3 };

VECTOR_CLONES static float sum(const float *x, long n)
{
	float total = 0;

	VECTOR_SUM(total)
	for (long i = 0; i < n; i++)
		total += x[i];
	return total;
}

static void run_sum(struct operands *o)
{
	*(float *)o->buffer[RESULT] = sum(o->buffer[X], o->size.n);
}

static void run_sdot(struct operands *o)
{
	*(float *)o->buffer[DOT_RESULT] =
		cblas_sdot((int)o->size.n, o->buffer[X], 1, o->buffer[Y], 1);
}

/* Every row of 64 by itself. The whole square of 64 x 64 is one call of the workload's kernel. */
static void run_softmax(struct operands *o)
{
	float *y = o->buffer[Y];

	memcpy(y, o->buffer[X], (size_t)o->size.n * sizeof(*y));
	for (long i = 0; i + ROW * ROW <= o->size.n; i += ROW * ROW)
		causal_softmax_forward(y + i, ROW);
}

static void run_rmsnorm(struct operands *o)
{
	rmsnorm_forward(o->buffer[Y], o->buffer[NORM_SCALE], o->buffer[X], o->buffer[NORM_GAIN],
			(int)(o->size.n / ROW), ROW);
}

static size_t sum_length(struct size size, int buffer)
{
	return buffer == RESULT ? 1 : (size_t)size.n;
}

static size_t dot_length(struct size size, int buffer)
{
	return buffer == DOT_RESULT ? 1 : (size_t)size.n;
}

size_t rmsnorm_length(struct size size, int buffer)
{
	const size_t lengths[] = {(size_t)size.n, (size_t)size.n, (size_t)size.n / ROW, ROW};

	return lengths[buffer];
}

/* As a sum of products: see product.c. */
static struct expected sum_twin(struct size size, size_t index)
{
	double total = 0, magnitude = 0;

	for (size_t i = 0; i < (size_t)size.n; i++) {
		total += input(X, i);
		magnitude += fabs(input(X, i));
	}
	return (struct expected){total, FLT_EPSILON * (double)size.n * magnitude};
}

static struct expected sdot_twin(struct size size, size_t index)
{
	double total = 0, magnitude = 0;

	for (size_t i = 0; i < (size_t)size.n; i++) {
		total += input(X, i) * input(Y, i);
		magnitude += fabs(input(X, i) * input(Y, i));
	}
	return (struct expected){total, FLT_EPSILON * (double)size.n * magnitude};
}

/* vector_exp is good to 3e-7; then a sum of ROW terms, all above 0, and two roundings. */
struct expected softmax_twin(struct size size, size_t index)
{
	const size_t column = index % ROW, row = index / ROW % ROW, first = index - column;
	double total = 0, value;

	for (size_t i = 0; i <= row; i++)
		total += exp(input(X, first + i));
	value = column <= row ? exp(input(X, index)) / total : 0;
	return (struct expected){value, value * (1e-6 + (ROW + 3) * FLT_EPSILON)};
}

struct expected rmsnorm_twin(struct size size, size_t index)
{
	const size_t column = index % ROW, first = index - column;
	double squares = 0, value;

	for (size_t i = 0; i < ROW; i++)
		squares += input(X, first + i) * input(X, first + i);
	value = input(X, index) / sqrt(squares / ROW + (double)RMSNORM_EPSILON) *
		input(NORM_GAIN, column);
	return (struct expected){value, fabs(value) * (ROW + 5) * FLT_EPSILON};
}

static double one_flop(struct size size)
{
	return (double)size.n;
}

static double two_flops(struct size size)
{
	return 2 * (double)size.n;
}

/* Square, sum, two products. */
double rmsnorm_flops(struct size size)
{
	return 4 * (double)size.n;
}

static double read_bytes(struct size size)
{
	return sizeof(float) * (double)size.n;
}

static double two_read_bytes(struct size size)
{
	return 2 * sizeof(float) * (double)size.n;
}

static const struct size square_sizes[] = {
	{.n = ROW * ROW}, {.n = 64 * ROW * ROW}, {.n = 1024 * ROW * ROW}, {0}};

const struct kernel reduction_kernels[] = {
	{"reduction", "sum", 4, 2, RESULT, sum_length, one_flop, read_bytes, run_sum, sum_twin,
	 vector_sizes, .multiple = 1},
	{"reduction", "cblas_sdot", 4, 3, DOT_RESULT, dot_length, two_flops, two_read_bytes,
	 run_sdot, sdot_twin, vector_sizes, .multiple = 1},
	{"reduction", "causal_softmax", 4, 2, Y, vector_length, NULL, two_read_bytes, run_softmax,
	 softmax_twin, square_sizes, .multiple = ROW * ROW},
	{"reduction", "rmsnorm", 4, 4, Y, rmsnorm_length, rmsnorm_flops, two_read_bytes,
	 run_rmsnorm, rmsnorm_twin, vector_sizes, .multiple = ROW},
	{0},
};
