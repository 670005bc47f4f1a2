/* unfused.c: the kernels, with a pass over the array for each operation. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "fused.h"
#include "vector_math.h"

/* y = a b, element by element; y may be a. */
VECTOR_CLONES static void multiply(float *y, const float *a, const float *b, size_t length)
{
	VECTOR_LOOP
	for (size_t i = 0; i < length; i++)
		y[i] = a[i] * b[i];
}

/* y[r, c] = x[r, c] * factor[r]; y may be x. */
VECTOR_CLONES static void scale_rows(float *y, const float *x, const float *restrict factor,
				     int rows, int cols)
{
	for (int r = 0; r < rows; r++, x += cols, y += cols) {
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			y[c] = x[c] * factor[r];
	}
}

/* y[r, c] = x[r, c] * factor[c]; y may be x. */
VECTOR_CLONES static void scale_columns(float *y, const float *x, const float *restrict factor,
					int rows, int cols)
{
	for (int r = 0; r < rows; r++, x += cols, y += cols) {
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			y[c] = x[c] * factor[c];
	}
}

VECTOR_CLONES static void sigmoid(float *restrict y, const float *restrict x, size_t length)
{
	VECTOR_LOOP
	for (size_t i = 0; i < length; i++)
		y[i] = vector_sigmoid(x[i]);
}

VECTOR_CLONES static float row_sum(const float *x, int cols)
{
	float sum = 0;

	VECTOR_SUM(sum)
	for (int c = 0; c < cols; c++)
		sum += x[c];
	return sum;
}

static void rmsnorm_forward_unfused(float *restrict y, float *restrict scale,
				    const float *restrict x, const float *restrict gain, int rows,
				    int cols)
{
	multiply(y, x, x, (size_t)rows * (size_t)cols);
	for (int r = 0; r < rows; r++)
		scale[r] = row_sum(y + (size_t)r * (size_t)cols, cols);
	for (int r = 0; r < rows; r++)
		scale[r] = 1.0f / sqrtf(scale[r] / (float)cols + RMSNORM_EPSILON);
	scale_rows(y, x, scale, rows, cols);
	scale_columns(y, y, gain, rows, cols);
}

/* Each sum and each term of d_x has its own loop; see rmsnorm_backward() for the formula. */
VECTOR_CLONES static void rmsnorm_backward_unfused(float *restrict d_x, float *restrict d_gain,
						   const float *restrict d_y,
						   const float *restrict x,
						   const float *restrict scale,
						   const float *restrict gain, int rows, int cols)
{
	for (int r = 0; r < rows; r++, x += cols, d_y += cols, d_x += cols) {
		float factor = scale[r], mean = 0;

		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			d_gain[c] += d_y[c] * x[c] * factor;
		VECTOR_SUM(mean)
		for (int c = 0; c < cols; c++)
			mean += d_y[c] * gain[c] * x[c];
		mean = mean / (float)cols * factor * factor * factor;
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			d_x[c] += factor * d_y[c] * gain[c];
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			d_x[c] -= mean * x[c];
	}
}

VECTOR_CLONES static void subtract_largest(float *x, int rows)
{
	for (int r = 0; r < rows; r++, x += rows) {
		float high = x[0];

		VECTOR_MAX(high)
		for (int c = 0; c <= r; c++)
			high = x[c] > high ? x[c] : high;
		VECTOR_LOOP
		for (int c = 0; c <= r; c++)
			x[c] -= high;
	}
}

VECTOR_CLONES static void exponential(float *x, int rows)
{
	for (int r = 0; r < rows; r++, x += rows) {
		VECTOR_LOOP
		for (int c = 0; c <= r; c++)
			x[c] = vector_exp(x[c]);
	}
}

VECTOR_CLONES static void divide_by_sum(float *x, int rows)
{
	for (int r = 0; r < rows; r++, x += rows) {
		const float factor = 1.0f / row_sum(x, r + 1);

		VECTOR_LOOP
		for (int c = 0; c <= r; c++)
			x[c] *= factor;
	}
}

static void clear_above(float *x, int rows)
{
	for (int r = 0; r < rows; r++, x += rows)
		memset(x + r + 1, 0, (size_t)(rows - r - 1) * sizeof(*x));
}

static void causal_softmax_forward_unfused(float *restrict x, int rows)
{
	subtract_largest(x, rows);
	exponential(x, rows);
	divide_by_sum(x, rows);
	clear_above(x, rows);
}

/* y (d - sum(d y)) = d y - y sum(d y). */
VECTOR_CLONES static void subtract_share(float *restrict d, const float *restrict y, int rows)
{
	for (int r = 0; r < rows; r++, d += rows, y += rows) {
		const float sum = row_sum(d, r + 1);

		VECTOR_LOOP
		for (int c = 0; c <= r; c++)
			d[c] -= y[c] * sum;
	}
}

static void causal_softmax_backward_unfused(float *restrict d, const float *restrict y, int rows)
{
	multiply(d, d, y, (size_t)rows * (size_t)rows);
	subtract_share(d, y, rows);
	clear_above(d, rows);
}

static void swiglu_forward_unfused(float *restrict y, const float *restrict gate,
				   const float *restrict up, const float *restrict weight, int rows,
				   int cols)
{
	const size_t length = (size_t)rows * (size_t)cols;

	sigmoid(y, gate, length);
	multiply(y, y, gate, length);
	multiply(y, y, up, length);
	scale_rows(y, y, weight, rows, cols);
}

/* d = d s (1 + gate (1 - s)), where s is the sigmoid of gate: the derivative of silu(gate). */
VECTOR_CLONES static void through_silu(float *restrict d, const float *restrict s,
				       const float *restrict gate, size_t length)
{
	VECTOR_LOOP
	for (size_t i = 0; i < length; i++)
		d[i] *= s[i] * (1.0f + gate[i] * (1.0f - s[i]));
}

/* sums[r] = sum of a b c over row r. */
VECTOR_CLONES static void sum_products(float *restrict sums, const float *restrict a,
				       const float *restrict b, const float *restrict c, int rows,
				       int cols)
{
	for (int r = 0; r < rows; r++, a += cols, b += cols, c += cols) {
		float sum = 0;

		VECTOR_SUM(sum)
		for (int i = 0; i < cols; i++)
			sum += a[i] * b[i] * c[i];
		sums[r] = sum;
	}
}

static void swiglu_backward_unfused(float *restrict d_gate, float *restrict d_up,
				    float *restrict d_weight, const float *restrict d_y,
				    const float *restrict gate, const float *restrict up,
				    const float *restrict weight, int rows, int cols)
{
	const size_t length = (size_t)rows * (size_t)cols;

	sigmoid(d_up, gate, length);
	multiply(d_gate, d_y, up, length);
	scale_rows(d_gate, d_gate, weight, rows, cols);
	through_silu(d_gate, d_up, gate, length);
	multiply(d_up, d_up, gate, length);
	sum_products(d_weight, d_y, d_up, up, rows, cols);
	multiply(d_up, d_up, d_y, length);
	scale_rows(d_up, d_up, weight, rows, cols);
}

VECTOR_CLONES static void update_mean(float *restrict m, const float *restrict g, size_t length,
				      const struct adamw *adamw)
{
	const struct adamw a = *adamw;

	VECTOR_LOOP
	for (size_t i = 0; i < length; i++) {
		float d = vector_flush(g[i] * a.gradient_scale, ADAMW_LEAST_GRADIENT);

		m[i] = vector_flush(a.beta1 * m[i] + (1.0f - a.beta1) * d, ADAMW_LEAST_MEAN);
	}
}

VECTOR_CLONES static void update_square(float *restrict v, const float *restrict g, size_t length,
					const struct adamw *adamw)
{
	const struct adamw a = *adamw;

	VECTOR_LOOP
	for (size_t i = 0; i < length; i++) {
		float d = vector_flush(g[i] * a.gradient_scale, ADAMW_LEAST_GRADIENT);

		v[i] = vector_flush(a.beta2 * v[i] + (1.0f - a.beta2) * d * d, ADAMW_LEAST_SQUARE);
	}
}

VECTOR_CLONES static void decay(float *restrict x, size_t length, float keep)
{
	VECTOR_LOOP
	for (size_t i = 0; i < length; i++)
		x[i] *= keep;
}

VECTOR_CLONES static void move(float *restrict x, const float *restrict m, const float *restrict v,
			       size_t length, const struct adamw *adamw)
{
	const struct adamw a = *adamw;
	const float rate = a.rate * a.correction1;

	VECTOR_LOOP
	for (size_t i = 0; i < length; i++)
		x[i] -= rate * m[i] / (sqrtf(v[i] * a.correction2) + a.epsilon);
}

static void adamw_update_unfused(float *restrict x, float *restrict m, float *restrict v,
				 const float *restrict g, size_t length, const struct adamw *adamw)
{
	update_mean(m, g, length, adamw);
	update_square(v, g, length, adamw);
	decay(x, length, 1.0f - adamw->rate * adamw->decay);
	move(x, m, v, length, adamw);
}

const struct kernel_set fused_kernels = {
	rmsnorm_forward, rmsnorm_backward, causal_softmax_forward, causal_softmax_backward,
	swiglu_forward,	 swiglu_backward,  adamw_update,
};
const struct kernel_set unfused_kernels = {
	rmsnorm_forward_unfused,	rmsnorm_backward_unfused,
	causal_softmax_forward_unfused, causal_softmax_backward_unfused,
	swiglu_forward_unfused,		swiglu_backward_unfused,
	adamw_update_unfused,
};
