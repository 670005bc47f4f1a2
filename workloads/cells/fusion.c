/* fusion.c: the same work in one pass, and as a pass for each operation. */
/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include <cblas.h>

#include "cells/kernel.h"
#include "cells/twins.h"
#include "fused.h"
#include "unfused.h"

/* A layer's operands. */
enum { A, B, BIAS, LAYER };
/* As in reduction.c and activation.c. */
enum { X, Y };
enum { NORM_SCALE = 2, NORM_GAIN = 3 };
enum { GATE, UP, GATED, WEIGHT };
enum { PARAMETER, MEAN, SQUARE, GRADIENT };

#define CUBE(x)                                                                                    \
	{                                                                                          \
		(x), (x), (x), 0                                                                   \
	}
static const struct size layer_sizes[] = {
	CUBE(32),	  CUBE(64),	    CUBE(96),  CUBE(128),  CUBE(192), CUBE(256),
	{64, 128, 64, 0}, {64, 64, 128, 0}, CUBE(512), CUBE(1024), {0},
};
/* Of whole squares of 64: the workload's own and up to beyond the caches. */
static const struct size pass_sizes[] = {{.n = ROW * ROW},
					 {.n = 16 * ROW * ROW},
					 {.n = 256 * ROW * ROW},
					 {.n = 1024 * ROW * ROW},
					 {0}};

static size_t layer_length(struct size size, int buffer)
{
	const long lengths[] = {size.m * size.k, size.k * size.n, size.n, size.m * size.n};

	return (size_t)lengths[buffer];
}

/* Of the product and the bias; GELU's are not counted. */
static double layer_flops(struct size size)
{
	return (2.0 * (double)size.k + 1) * (double)size.m * (double)size.n;
}

static double layer_bytes(struct size size)
{
	double floats = 0;

	for (int i = A; i <= LAYER; i++)
		floats += (double)layer_length(size, i);
	return sizeof(float) * floats;
}

static void run_layer_fused(struct operands *o)
{
	gemm_bias_gelu(o->buffer[LAYER], o->buffer[A], o->buffer[B], o->buffer[BIAS],
		       (int)o->size.m, (int)o->size.n, (int)o->size.k);
}

static void run_layer_decomposed(struct operands *o)
{
	const int m = (int)o->size.m, n = (int)o->size.n, k = (int)o->size.k;
	float *y = o->buffer[LAYER];

	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, o->buffer[A], k,
		    o->buffer[B], n, 0, y, n);
	bias_add(y, o->buffer[BIAS], m, n);
	gelu_forward(y, y, (long)m * n);
}

/* GELU passes on what it is given times 1.13 at most. */
static struct expected layer_twin(struct size size, size_t index)
{
	struct expected product = single_product(size, index), result;
	double bias = input(BIAS, index % (size_t)size.n);

	result = gelu_of(product.value + bias);
	result.bound += 1.13 * (product.bound + FLT_EPSILON * (fabs(product.value) + fabs(bias)));
	return result;
}

static void run_norm(struct operands *o, const struct kernel_set *kernels)
{
	kernels->rmsnorm_forward(o->buffer[Y], o->buffer[NORM_SCALE], o->buffer[X],
				 o->buffer[NORM_GAIN], (int)(o->size.n / ROW), ROW);
}

static void run_softmax(struct operands *o, const struct kernel_set *kernels)
{
	float *y = o->buffer[Y];

	memcpy(y, o->buffer[X], (size_t)o->size.n * sizeof(*y));
	for (long i = 0; i + ROW * ROW <= o->size.n; i += ROW * ROW)
		kernels->causal_softmax_forward(y + i, ROW);
}

static void run_swiglu(struct operands *o, const struct kernel_set *kernels)
{
	kernels->swiglu_forward(o->buffer[GATED], o->buffer[GATE], o->buffer[UP], o->buffer[WEIGHT],
				(int)(o->size.n / ROW), ROW);
}

static void run_adamw(struct operands *o, const struct kernel_set *kernels)
{
	kernels->adamw_update(o->buffer[PARAMETER], o->buffer[MEAN], o->buffer[SQUARE],
			      o->buffer[GRADIENT], (size_t)o->size.n, &first_step);
}

#define BOTH(name)                                                                                 \
	static void run_##name##_fused(struct operands *o)                                         \
	{                                                                                          \
		run_##name(o, &fused_kernels);                                                     \
	}                                                                                          \
	static void run_##name##_decomposed(struct operands *o)                                    \
	{                                                                                          \
		run_##name(o, &unfused_kernels);                                                   \
	}
BOTH(norm)
BOTH(softmax)
BOTH(swiglu)
BOTH(adamw)

static size_t swiglu_length(struct size size, int buffer)
{
	return buffer == WEIGHT ? (size_t)size.n / ROW : (size_t)size.n;
}

static struct expected swiglu_twin(struct size size, size_t index)
{
	double gate = input(GATE, index);
	double factor = input(UP, index) * input(WEIGHT, index / ROW);
	struct expected silu = sigmoid_times(gate, gate);

	return (struct expected){silu.value * factor,
				 (silu.bound + 2 * FLT_EPSILON * fabs(silu.value)) * fabs(factor)};
}

static double two_floats(struct size size)
{
	return 2 * sizeof(float) * (double)size.n;
}

static double three_floats(struct size size)
{
	return 3 * sizeof(float) * (double)size.n;
}

/* One row for each way; what is read and written at least is that of the fused one. */
#define ROWS(kernel, name, buffers, result, length, flops, bytes, twin, sizes, ...)                \
	{"fusion", kernel "-fused",    4,    buffers, result, length,	  flops,                   \
	 bytes,	   run_##name##_fused, twin, sizes,   NULL,   __VA_ARGS__},                        \
	{                                                                                          \
		"fusion", kernel "-decomposed", 4, buffers, result, length, flops, bytes,          \
			run_##name##_decomposed, twin, sizes, NULL, __VA_ARGS__                    \
	}

const struct kernel fusion_kernels[] = {
	ROWS("gemm-bias-gelu", layer, 4, LAYER, layer_length, layer_flops, layer_bytes, layer_twin,
	     layer_sizes, .multiple = 1),
	ROWS("rmsnorm", norm, 4, Y, rmsnorm_length, rmsnorm_flops, two_floats, rmsnorm_twin,
	     pass_sizes, .multiple = ROW * ROW),
	ROWS("causal_softmax", softmax, 2, Y, vector_length, NULL, two_floats, softmax_twin,
	     pass_sizes, .multiple = ROW * ROW),
	ROWS("swiglu", swiglu, 4, GATED, swiglu_length, NULL, three_floats, swiglu_twin, pass_sizes,
	     .multiple = ROW * ROW),
	ROWS("adamw", adamw, 4, PARAMETER, vector_length, adamw_flops, adamw_bytes, adamw_twin,
	     pass_sizes, 1u << SQUARE, .multiple = ROW * ROW),
	{0},
};
