/* vectors.c: kernels on vectors: copies, sums, activations and the optimizer; and layers, each in
 * one pass (fused) and in a pass for each operation (decomposed). */
/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>
#ifdef __SSE__
#include <immintrin.h>
#endif

#include <cblas.h>

#include "cells/kernel.h"
#include "fused.h"
#include "vector_math.h"

enum { X, Y, Z };
enum { NORM_SCALE = 2, NORM_GAIN = 3 };
enum { GATE, UP, GATED, WEIGHT };
enum { PARAMETER, MEAN, SQUARE, GRADIENT };
enum { A, B, BIAS, LAYER };

#define WRITTEN	    0.25f
#define AXPY_FACTOR 0.5
enum { MAXIMA = 128 }; /* so many independent maxima that no comparison waits for another */
enum { ROW = 64 };     /* length of the rows of softmax, RMSNorm and SwiGLU */
enum { KI = 1024, MI = 1024 * 1024 };

const struct size vector_sizes[] = {{.n = KI},	   {.n = 16 * KI}, {.n = 256 * KI},
				    {.n = 4 * MI}, {.n = 64 * MI}, {0}};
static const struct size cache_sizes[] = {
	{.n = KI}, {.n = 4 * KI}, {.n = 16 * KI}, {.n = 64 * KI}, {.n = 256 * KI},
	{.n = MI}, {.n = 4 * MI}, {.n = 16 * MI}, {.n = 64 * MI}, {0}};
static const struct size square_sizes[] = {
	{.n = ROW * ROW}, {.n = 64 * ROW * ROW}, {.n = 1024 * ROW * ROW}, {0}};
/* From the size in the training program to one that fits no cache. */
static const struct size pass_sizes[] = {{.n = ROW * ROW},
					 {.n = 16 * ROW * ROW},
					 {.n = 256 * ROW * ROW},
					 {.n = 1024 * ROW * ROW},
					 {0}};
#define CUBE(x) .m = (x), .n = (x), .k = (x)
static const struct size layer_sizes[] = {
	{CUBE(32)},	  {CUBE(64)},	    {CUBE(96)},	 {CUBE(128)},  {CUBE(192)}, {CUBE(256)},
	{64, 128, 64, 0}, {64, 64, 128, 0}, {CUBE(512)}, {CUBE(1024)}, {0},
};

size_t vector_length(struct size size, int buffer)
{
	return (size_t)size.n;
}

static size_t one_result_length(struct size size, int buffer)
{
	return buffer == Y ? 1 : (size_t)size.n;
}

static size_t dot_length(struct size size, int buffer)
{
	return buffer == Z ? 1 : (size_t)size.n;
}

static size_t rmsnorm_length(struct size size, int buffer)
{
	const size_t lengths[] = {(size_t)size.n, (size_t)size.n, (size_t)size.n / ROW, ROW};

	return lengths[buffer];
}

static size_t swiglu_length(struct size size, int buffer)
{
	return buffer == WEIGHT ? (size_t)size.n / ROW : (size_t)size.n;
}

static size_t layer_length(struct size size, int buffer)
{
	const long lengths[] = {size.m * size.k, size.k * size.n, size.n, size.m * size.n};

	return (size_t)lengths[buffer];
}

/* Reads by taking the maximum. This costs no more than the loads, and the result proves that every
 * element was read. */
VECTOR_CLONES static void run_read(struct operands *o)
{
	const float *x = o->buffer[X];
	const long n = o->size.n;
	float highs[MAXIMA], high;
	long i = 0;

	for (int j = 0; j < MAXIMA; j++)
		highs[j] = x[0];
	for (; i + MAXIMA <= n; i += MAXIMA) {
		VECTOR_LOOP
		for (int j = 0; j < MAXIMA; j++)
			highs[j] = x[i + j] > highs[j] ? x[i + j] : highs[j];
	}
	high = highs[0];
	for (int j = 1; j < MAXIMA; j++)
		high = highs[j] > high ? highs[j] : high;
	for (; i < n; i++)
		high = x[i] > high ? x[i] : high;
	*(float *)o->buffer[Y] = high;
}

VECTOR_CLONES static void run_write(struct operands *o)
{
	const long n = o->size.n;
	float *x = o->buffer[X];

	VECTOR_LOOP
	for (long i = 0; i < n; i++)
		x[i] = WRITTEN;
}

static void run_copy(struct operands *o)
{
	memcpy(o->buffer[Y], o->buffer[X], (size_t)o->size.n * sizeof(float));
}

/* Needs buffers that are multiples of 16 bytes and aligned to 16 bytes. */
static void run_stream(struct operands *o)
{
#ifdef __SSE__
	const float *from = o->buffer[X];
	float *to = o->buffer[Y];

	for (long i = 0; i < o->size.n; i += 4)
		_mm_stream_ps(to + i, _mm_load_ps(from + i));
	_mm_sfence();
#else
	run_copy(o);
#endif
}

static const char *stream_missing(void)
{
#ifdef __SSE__
	return NULL;
#else
	return "this program has no non-temporal stores for this kind of CPU";
#endif
}

#define ELEMENTWISE(name, value)                                                                   \
	VECTOR_CLONES static void run_##name(struct operands *o)                                   \
	{                                                                                          \
		const float *restrict x = o->buffer[X], *restrict y = o->buffer[Y];                \
		float *restrict z = o->buffer[Z];                                                  \
		const long n = o->size.n;                                                          \
                                                                                                   \
		VECTOR_LOOP                                                                        \
		for (long i = 0; i < n; i++)                                                       \
			z[i] = value;                                                              \
	}
ELEMENTWISE(add, x[i] + y[i])
ELEMENTWISE(multiply, x[i] * y[i])

static void run_saxpy(struct operands *o)
{
	cblas_saxpy((int)o->size.n, AXPY_FACTOR, o->buffer[X], 1, o->buffer[Y], 1);
}

VECTOR_CLONES static void run_sum(struct operands *o)
{
	const float *x = o->buffer[X];
	const long n = o->size.n;
	float total = 0;

	VECTOR_SUM(total)
	for (long i = 0; i < n; i++)
		total += x[i];
	*(float *)o->buffer[Y] = total;
}

static void run_sdot(struct operands *o)
{
	*(float *)o->buffer[Z] = cblas_sdot((int)o->size.n, o->buffer[X], 1, o->buffer[Y], 1);
}

#define ACTIVATION(name, value)                                                                    \
	VECTOR_CLONES static void run_##name(struct operands *o)                                   \
	{                                                                                          \
		const float *restrict x = o->buffer[X];                                            \
		float *restrict y = o->buffer[Y];                                                  \
		const long n = o->size.n;                                                          \
                                                                                                   \
		VECTOR_LOOP                                                                        \
		for (long i = 0; i < n; i++)                                                       \
			y[i] = value;                                                              \
	}
ACTIVATION(relu, x[i] > 0 ? x[i] : 0)
ACTIVATION(silu, x[i] * vector_sigmoid(x[i]))

static void run_gelu(struct operands *o)
{
	gelu_forward(o->buffer[Y], o->buffer[X], o->size.n);
}

static void run_norm(struct operands *o, const struct kernel_set *kernels)
{
	kernels->rmsnorm_forward(o->buffer[Y], o->buffer[NORM_SCALE], o->buffer[X],
				 o->buffer[NORM_GAIN], (int)(o->size.n / ROW), ROW);
}

/* Each square of 64 x 64 is one call of the kernel, as in the training program. */
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

/* The first step of training. The squares' mean is not negative, hence `nonnegative` in the table.
 */
static const struct adamw first_step = {
	.rate = 0.002f,
	.beta1 = 0.9f,
	.beta2 = 0.99f,
	.epsilon = 1e-8f,
	.decay = 0.01f,
	.gradient_scale = 1,
	.correction1 = 10,
	.correction2 = 100,
};

static void run_adamw(struct operands *o, const struct kernel_set *kernels)
{
	kernels->adamw_update(o->buffer[PARAMETER], o->buffer[MEAN], o->buffer[SQUARE],
			      o->buffer[GRADIENT], (size_t)o->size.n, &first_step);
}

#define FUSED_AND_DECOMPOSED(name)                                                                 \
	static void run_##name##_fused(struct operands *o)                                         \
	{                                                                                          \
		run_##name(o, &fused_kernels);                                                     \
	}                                                                                          \
	static void run_##name##_decomposed(struct operands *o)                                    \
	{                                                                                          \
		run_##name(o, &unfused_kernels);                                                   \
	}
FUSED_AND_DECOMPOSED(norm)
FUSED_AND_DECOMPOSED(softmax)
FUSED_AND_DECOMPOSED(swiglu)
FUSED_AND_DECOMPOSED(adamw)

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

static struct expected read_twin(struct size size, size_t index)
{
	double high = input(X, 0);

	for (size_t i = 1; i < (size_t)size.n; i++)
		high = fmax(high, input(X, i));
	return (struct expected){high, 0};
}

static struct expected write_twin(struct size size, size_t index)
{
	return (struct expected){WRITTEN, 0};
}

static struct expected copy_twin(struct size size, size_t index)
{
	return (struct expected){input(X, index), 0};
}

/* The bound is one rounding; two for axpy, which need not use a fused multiply-add. */
static struct expected rounded(double value, double magnitude)
{
	return (struct expected){value, FLT_EPSILON * magnitude};
}

static struct expected add_twin(struct size size, size_t i)
{
	double value = input(X, i) + input(Y, i);

	return rounded(value, fabs(value));
}

static struct expected multiply_twin(struct size size, size_t i)
{
	double value = input(X, i) * input(Y, i);

	return rounded(value, fabs(value));
}

static struct expected saxpy_twin(struct size size, size_t i)
{
	return rounded(AXPY_FACTOR * input(X, i) + input(Y, i),
		       AXPY_FACTOR * fabs(input(X, i)) + fabs(input(Y, i)));
}

/* The bound is that of a sum of products; see product.c. */
static struct expected sum_twin(struct size size, size_t index)
{
	double total = 0, magnitude = 0;

	for (size_t i = 0; i < (size_t)size.n; i++) {
		total += input(X, i);
		magnitude += fabs(input(X, i));
	}
	return rounded(total, (double)size.n * magnitude);
}

static struct expected sdot_twin(struct size size, size_t index)
{
	double total = 0, magnitude = 0;

	for (size_t i = 0; i < (size_t)size.n; i++) {
		total += input(X, i) * input(Y, i);
		magnitude += fabs(input(X, i) * input(Y, i));
	}
	return rounded(total, (double)size.n * magnitude);
}

static struct expected relu_twin(struct size size, size_t index)
{
	return (struct expected){fmax(input(X, index), 0), 0};
}

/* x / (1 + e^-argument). vector_sigmoid() has a relative error of 4e-7; the rounding of its
 * argument is multiplied by at most 4. */
static struct expected sigmoid_times(double x, double argument)
{
	double value = x / (1 + exp(-argument));

	return (struct expected){value, fabs(value) * (1e-6 + 8 * FLT_EPSILON)};
}

/* GELU of x by the tanh formula. */
static struct expected gelu_of(double x)
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

/* vector_exp() has a relative error of 3e-7; a sum of up to ROW positive terms and two roundings
 * follow. */
static struct expected softmax_twin(struct size size, size_t index)
{
	const size_t column = index % ROW, row = index / ROW % ROW, first = index - column;
	double total = 0, value;

	for (size_t i = 0; i <= row; i++)
		total += exp(input(X, first + i));
	value = column <= row ? exp(input(X, index)) / total : 0;
	return (struct expected){value, value * (1e-6 + (ROW + 3) * FLT_EPSILON)};
}

static struct expected rmsnorm_twin(struct size size, size_t index)
{
	const size_t column = index % ROW, first = index - column;
	double squares = 0, value;

	for (size_t i = 0; i < ROW; i++)
		squares += input(X, first + i) * input(X, first + i);
	value = input(X, index) / sqrt(squares / ROW + (double)RMSNORM_EPSILON) *
		input(NORM_GAIN, column);
	return (struct expected){value, fabs(value) * (ROW + 5) * FLT_EPSILON};
}

static struct expected swiglu_twin(struct size size, size_t index)
{
	double gate = input(GATE, index);
	double factor = input(UP, index) * input(WEIGHT, index / ROW);
	struct expected silu = sigmoid_times(gate, gate);

	return (struct expected){silu.value * factor,
				 (silu.bound + 2 * FLT_EPSILON * fabs(silu.value)) * fabs(factor)};
}

/* The bound uses the sizes of the mean's two parts, because their roundings weigh more where the
 * parts cancel each other. */
static struct expected adamw_twin(struct size size, size_t index)
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

/* GELU multiplies an error of its input by at most 1.13. */
static struct expected layer_twin(struct size size, size_t index)
{
	struct expected product = single_product(size, index), result;
	double bias = input(BIAS, index % (size_t)size.n);

	result = gelu_of(product.value + bias);
	result.bound += 1.13 * (product.bound + FLT_EPSILON * (fabs(product.value) + fabs(bias)));
	return result;
}

static const struct kernel copy_kernels[] = {
	{"copy", "read", 4, 2, Y, one_result_length, 0, 1, run_read, read_twin, cache_sizes, 4},
	{"copy", "write", 4, 1, X, vector_length, 0, 1, run_write, write_twin, cache_sizes, 4},
	{"copy", "copy", 4, 2, Y, vector_length, 0, 2, run_copy, copy_twin, cache_sizes, 4},
	{"copy", "copy-nontemporal", 4, 2, Y, vector_length, 0, 2, run_stream, copy_twin,
	 cache_sizes, 4, stream_missing},
	{0},
};

/* saxpy overwrites one of the vectors that it reads. */
static const struct kernel elementwise_kernels[] = {
	{"elementwise", "add", 4, 3, Z, vector_length, 1, 3, run_add, add_twin, vector_sizes, 1},
	{"elementwise", "multiply", 4, 3, Z, vector_length, 1, 3, run_multiply, multiply_twin,
	 vector_sizes, 1},
	{"elementwise", "cblas_saxpy", 4, 2, Y, vector_length, 2, 3, run_saxpy, saxpy_twin,
	 vector_sizes, 1},
	{0},
};

/* RMSNorm: a square, a sum and two products. */
static const struct kernel reduction_kernels[] = {
	{"reduction", "sum", 4, 2, Y, one_result_length, 1, 1, run_sum, sum_twin, vector_sizes, 1},
	{"reduction", "cblas_sdot", 4, 3, Z, dot_length, 2, 2, run_sdot, sdot_twin, vector_sizes,
	 1},
	{"reduction", "causal_softmax", 4, 2, Y, vector_length, 0, 2, run_softmax_fused,
	 softmax_twin, square_sizes, ROW *ROW},
	{"reduction", "rmsnorm", 4, 4, Y, rmsnorm_length, 4, 2, run_norm_fused, rmsnorm_twin,
	 vector_sizes, ROW},
	{0},
};

static const struct kernel activation_kernels[] = {
	{"activation", "relu", 4, 2, Y, vector_length, 1, 2, run_relu, relu_twin, vector_sizes, 1},
	{"activation", "gelu", 4, 2, Y, vector_length, 0, 2, run_gelu, gelu_twin, vector_sizes, 1},
	{"activation", "silu", 4, 2, Y, vector_length, 0, 2, run_silu, silu_twin, vector_sizes, 1},
	{0},
};

/* AdamW reads four vectors and writes three. Its flops: two for the gradient's scale and flush,
 * three and four for the moments, seven for the parameter. */
#define ADAMW PARAMETER, vector_length, 16, 7
static const struct kernel optimizer_kernels[] = {
	{"optimizer", "adamw", 4, 4, ADAMW, run_adamw_fused, adamw_twin, vector_sizes, 1, NULL,
	 1u << SQUARE},
	{0},
};

/* A row for each way. The bytes are those of the fused way. */
#define BOTH_WAYS(kernel, name, buffers, ...)                                                      \
	{"fusion", kernel "-fused", 4, buffers, FUSION(name, fused, __VA_ARGS__)},                 \
	{                                                                                          \
		"fusion", kernel "-decomposed", 4, buffers, FUSION(name, decomposed, __VA_ARGS__)  \
	}
#define FUSION(name, way, result, length, flops, floats, ...)                                      \
	result, length, flops, floats, run_##name##_##way, name##_twin, __VA_ARGS__
#define norm_twin rmsnorm_twin

/* The flops of a layer are those of the product and the bias; those of GELU are not counted. */
static const struct kernel fusion_kernels[] = {
	BOTH_WAYS("gemm-bias-gelu", layer, 4, LAYER, layer_length, 2, 0, layer_sizes, 1,
		  .result_flops = 1),
	BOTH_WAYS("rmsnorm", norm, 4, Y, rmsnorm_length, 4, 2, pass_sizes, ROW *ROW),
	BOTH_WAYS("causal_softmax", softmax, 2, Y, vector_length, 0, 2, pass_sizes, ROW *ROW),
	BOTH_WAYS("swiglu", swiglu, 4, GATED, swiglu_length, 0, 3, pass_sizes, ROW *ROW),
	BOTH_WAYS("adamw", adamw, 4, ADAMW, pass_sizes, ROW *ROW, NULL, 1u << SQUARE),
	{0},
};

const struct kernel *const kernel_tables[] = {
	peak_kernels,
	copy_kernels,
	product_kernels,
	elementwise_kernels,
	reduction_kernels,
	activation_kernels,
	optimizer_kernels,
	fusion_kernels,
	overhead_kernels,
	port_kernels,
	NULL,
};
