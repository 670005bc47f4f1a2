/* kernels_test.c: compares every kernel with its naive twin, and with differences of the twin. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fused.h"
#include "naive.h"
#include "random.h"
#include "tests/unit.h"
#include "vector_math.h"

enum { VOCABULARY = 5, MOST = 8192 };

/* The number of elements, as multiples of rows * cols, rows * rows, rows, cols and 1. */
struct length {
	int matrix, square, rows, cols, one;
};

/* A forward and a backward kernel. The inputs are successive parts of one array, the outputs of
 * another.
 */
struct kernel_pair {
	const char *name;
	void (*naive)(double *out, const double *in, int rows, int cols);
	void (*forward)(float *out, const float *in, int rows, int cols);
	/* computes the gradient by the inputs from that by the outputs */
	void (*backward)(float *d_in, const float *d_out, const float *in, int rows, int cols);
	bool adds; /* backward adds to d_in */
	struct length inputs, outputs;
};

static const struct kernel_set *kernels = &fused_kernels; /* the kernels under test */
static uint8_t tokens[256];				  /* below VOCABULARY */
static uint8_t targets[256];				  /* below cols */
static float spare[256], room[MOST];			  /* for results that are not compared */

static int count(struct length length, int rows, int cols)
{
	return length.matrix * rows * cols + length.square * rows * rows + length.rows * rows +
	       length.cols * cols + length.one;
}

static void rmsnorm_naive(double *out, const double *in, int rows, int cols)
{
	naive_rmsnorm(out, in, in + rows * cols, rows, cols);
}

static void forward_rmsnorm(float *out, const float *in, int rows, int cols)
{
	kernels->rmsnorm_forward(out, spare, in, in + rows * cols, rows, cols);
}

static void backward_rmsnorm(float *d_in, const float *d_out, const float *in, int rows, int cols)
{
	kernels->rmsnorm_forward(room, spare, in, in + rows * cols, rows, cols);
	kernels->rmsnorm_backward(d_in, d_in + rows * cols, d_out, in, spare, in + rows * cols,
				  rows, cols);
}

static void softmax_naive(double *out, const double *in, int rows, int cols)
{
	naive_causal_softmax(out, in, rows);
}

static void forward_softmax(float *out, const float *in, int rows, int cols)
{
	memcpy(out, in, (size_t)(rows * rows) * sizeof(*out));
	kernels->causal_softmax_forward(out, rows);
}

static void backward_softmax(float *d_in, const float *d_out, const float *in, int rows, int cols)
{
	forward_softmax(room, in, rows, cols);
	memcpy(d_in, d_out, (size_t)(rows * rows) * sizeof(*d_in));
	kernels->causal_softmax_backward(d_in, room, rows);
}

static void swiglu_naive(double *out, const double *in, int rows, int cols)
{
	naive_swiglu(out, in, in + rows * cols, in + 2 * rows * cols, rows, cols);
}

static void forward_swiglu(float *out, const float *in, int rows, int cols)
{
	kernels->swiglu_forward(out, in, in + rows * cols, in + 2 * rows * cols, rows, cols);
}

static void backward_swiglu(float *d_in, const float *d_out, const float *in, int rows, int cols)
{
	const int size = rows * cols;

	kernels->swiglu_backward(d_in, d_in + size, d_in + 2 * size, d_out, in, in + size,
				 in + 2 * size, rows, cols);
}

static void cross_entropy_naive(double *out, const double *in, int rows, int cols)
{
	*out = naive_cross_entropy(in, targets, rows, cols);
}

static double cross_entropy_of(float *x, const float *in, int rows, int cols)
{
	memcpy(x, in, (size_t)(rows * cols) * sizeof(*x));
	return cross_entropy_forward(x, targets, rows, cols);
}

static void forward_cross_entropy(float *out, const float *in, int rows, int cols)
{
	*out = (float)cross_entropy_of(room, in, rows, cols);
}

static void backward_cross_entropy(float *d_in, const float *d_out, const float *in, int rows,
				   int cols)
{
	cross_entropy_of(d_in, in, rows, cols);
	cross_entropy_backward(d_in, targets, rows, cols);
	for (int i = 0; i < rows * cols; i++)
		d_in[i] *= *d_out;
}

static void embedding_naive(double *out, const double *in, int rows, int cols)
{
	naive_embedding(out, in, in + VOCABULARY * cols, tokens, rows, cols);
}

static void forward_embedding(float *out, const float *in, int rows, int cols)
{
	embedding_forward(out, in, in + VOCABULARY * cols, tokens, rows, cols);
}

static void backward_embedding(float *d_in, const float *d_out, const float *in, int rows, int cols)
{
	embedding_backward(d_in, d_in + VOCABULARY * cols, d_out, tokens, rows, cols);
}

static void backward_mean_rows(float *d_in, const float *d_out, const float *in, int rows, int cols)
{
	mean_rows_backward(d_in, d_out, rows, cols);
}

#define FUNCTIONS(name) #name, name##_naive, forward_##name, backward_##name
static const struct kernel_pair pairs[] = {
	{FUNCTIONS(rmsnorm), true, {.matrix = 1, .cols = 1}, {.matrix = 1}},
	{FUNCTIONS(softmax), false, {.square = 1}, {.square = 1}},
	{FUNCTIONS(swiglu), false, {.matrix = 2, .rows = 1}, {.matrix = 1}},
	{FUNCTIONS(cross_entropy), false, {.matrix = 1}, {.one = 1}},
	{FUNCTIONS(embedding), true, {.matrix = 1, .cols = VOCABULARY}, {.matrix = 1}},
	{"mean_rows", naive_mean_rows, mean_rows_forward, backward_mean_rows, true,
	 .inputs = {.matrix = 1}, .outputs = {.cols = 1}},
};
enum { PAIRS = sizeof(pairs) / sizeof(*pairs) };

/* Odd sizes, so that every kernel also handles a remainder that does not fill a vector. */
static const int sizes[][2] = {{1, 1}, {3, 2}, {5, 37}, {33, 16}, {20, 67}};
enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

/* Random inputs in [-2, 2], equal as float and as double. */
static void draw(float *as_float, double *as_double, int count, uint64_t seed)
{
	for (int i = 0; i < count; i++) {
		as_float[i] = (float)(4 * random_uniform(&seed) - 2);
		as_double[i] = (double)as_float[i];
	}
}

static void setup(void)
{
	for (int i = 0; i < 256; i++)
		tokens[i] = (uint8_t)(i * 7 % VOCABULARY);
}

static void set_targets(int cols)
{
	for (int i = 0; i < 256; i++)
		targets[i] = (uint8_t)((i * 5 + 1) % cols);
}

FIXTURE(setup, NULL)

TEST_EACH(forward_equals_its_naive_twin, 2 * PAIRS * SIZES)
{
	const struct kernel_pair *pair = &pairs[_i / SIZES % PAIRS];
	const int rows = sizes[_i % SIZES][0], cols = sizes[_i % SIZES][1];
	static float in[MOST], out[MOST];
	static double in_double[MOST], expected[MOST];

	kernels = kernels_of(_i >= PAIRS * SIZES);
	set_targets(cols);
	draw(in, in_double, count(pair->inputs, rows, cols), 7);
	pair->forward(out, in, rows, cols);
	pair->naive(expected, in_double, rows, cols);
	for (int i = 0; i < count(pair->outputs, rows, cols); i++)
		ck_assert_msg(fabs((double)out[i] - expected[i]) < 2e-6 * (1 + fabs(expected[i])),
			      "%s %dx%d [%d]: %.9g, naive %.9g", pair->name, rows, cols, i,
			      (double)out[i], expected[i]);
}

/* The sum of the outputs times d_out, by the naive twin. */
static double weigh(const struct kernel_pair *pair, const double *in, const double *d_out, int rows,
		    int cols)
{
	static double out[MOST];
	double sum = 0;

	pair->naive(out, in, rows, cols);
	for (int i = 0; i < count(pair->outputs, rows, cols); i++)
		sum += out[i] * d_out[i];
	return sum;
}

TEST_EACH(backward_equals_differences_of_the_naive_twin, 2 * PAIRS * SIZES)
{
	const struct kernel_pair *pair = &pairs[_i / SIZES % PAIRS];
	const int rows = sizes[_i % SIZES][0], cols = sizes[_i % SIZES][1];
	const int inputs = count(pair->inputs, rows, cols);
	const double step = 1e-4, before = 0.5;
	static float in[MOST], d_out[MOST], d_in[MOST];
	static double in_double[MOST], d_out_double[MOST];

	kernels = kernels_of(_i >= PAIRS * SIZES);
	set_targets(cols);
	draw(in, in_double, inputs, 7);
	draw(d_out, d_out_double, count(pair->outputs, rows, cols), 8);
	for (int i = 0; i < inputs; i++)
		d_in[i] = (float)before;
	pair->backward(d_in, d_out, in, rows, cols);
	for (int i = 0; i < inputs; i++) {
		double middle = in_double[i], expected = pair->adds ? before : 0;

		in_double[i] = middle + step;
		expected += weigh(pair, in_double, d_out_double, rows, cols) / (2 * step);
		in_double[i] = middle - step;
		expected -= weigh(pair, in_double, d_out_double, rows, cols) / (2 * step);
		in_double[i] = middle;
		ck_assert_msg(fabs((double)d_in[i] - expected) < 1e-5 * (1 + fabs(expected)),
			      "%s %dx%d [%d]: %.9g, differences %.9g", pair->name, rows, cols, i,
			      (double)d_in[i], expected);
	}
}

TEST(vector_add_and_dot_equal_plain_loops)
{
	static float x[67], y[67];
	static double x_double[67], y_double[67];
	double dot = 0;

	draw(x, x_double, 67, 3);
	draw(y, y_double, 67, 4);
	for (int i = 0; i < 67; i++)
		dot += x_double[i] * y_double[i];
	ck_assert_double_eq_tol((double)vector_dot(x, y, 67), dot, 1e-5);
	vector_add(y, x, 0.25f, 67);
	for (int i = 0; i < 67; i++)
		ck_assert_double_eq_tol((double)y[i], y_double[i] + 0.25 * x_double[i], 1e-6);
}

TEST_EACH(adamw_equals_its_naive_twin, 2)
{
	enum { LENGTH = 67, STEPS = 20 };
	static float x[LENGTH], m[LENGTH], v[LENGTH], g[LENGTH];
	static double naive_x[LENGTH], naive_m[LENGTH], naive_v[LENGTH], naive_g[LENGTH];
	struct adamw adamw = {0.01f, 0.9f, 0.99f, 1e-8f, 0.1f, 0.5f, 0, 0};

	draw(x, naive_x, LENGTH, 1);
	for (int step = 1; step <= STEPS; step++) {
		adamw.correction1 = 1 / (1 - powf(adamw.beta1, (float)step));
		adamw.correction2 = 1 / (1 - powf(adamw.beta2, (float)step));
		draw(g, naive_g, LENGTH, 100 + (uint64_t)step);
		kernels_of(_i)->adamw_update(x, m, v, g, LENGTH, &adamw);
		for (int i = 0; i < LENGTH; i++)
			naive_adamw(&naive_x[i], &naive_m[i], &naive_v[i], naive_g[i], &adamw,
				    step);
	}
	for (int i = 0; i < LENGTH; i++)
		ck_assert_double_eq_tol((double)x[i], naive_x[i], 2e-6);
}

TEST_EACH(adamw_brings_unused_moments_to_zero, 2)
{
	const struct adamw adamw = {0.01f, 0.9f, 0.99f, 1e-8f, 0, 1, 1, 1};
	float x[16] = {0}, m[16], v[16], g[16] = {0};
	int denormal = 0;

	for (int i = 0; i < 16; i++) {
		m[i] = 1e-3f;
		v[i] = 1e-6f;
	}
	for (int step = 0; step < 20000; step++) {
		kernels_of(_i)->adamw_update(x, m, v, g, 16, &adamw);
		denormal += fpclassify(m[15]) == FP_SUBNORMAL || fpclassify(v[0]) == FP_SUBNORMAL;
	}
	ck_assert_int_eq(denormal, 0);
	ck_assert_float_eq(m[0], 0);
	ck_assert_float_eq(v[15], 0);
}

TEST(vector_exp_is_within_its_stated_error)
{
	double worst = 0;

	for (double x = (double)-VECTOR_EXP_END; x <= (double)VECTOR_EXP_END; x += 1.0 / 1024) {
		double expected = exp((double)(float)x);
		double error = fabs((double)vector_exp((float)x) / expected - 1);

		worst = error > worst ? error : worst;
	}
	ck_assert_double_lt(worst, 3e-7);
	ck_assert_float_eq(vector_exp(-1000), vector_exp(-VECTOR_EXP_END));
	ck_assert_float_eq(vector_exp(1000), vector_exp(VECTOR_EXP_END));
	ck_assert_float_eq(vector_exp(-INFINITY), vector_exp(-VECTOR_EXP_END));
	ck_assert_float_eq(vector_exp(0), 1);
	ck_assert_float_nan(vector_exp(NAN));
}

TEST(large_scores_stay_finite)
{
	float x[4] = {1e30f, 0, -1e30f, 1e30f};

	kernels->causal_softmax_forward(x, 2);
	ck_assert_float_eq(x[0], 1);
	ck_assert_float_eq(x[1], 0);
	ck_assert_float_eq(x[3], 1);
	ck_assert(x[2] >= 0 && x[2] < 1e-25f);
}
