/* kernels.c: the tuned kernels; every marked loop must vectorise
 * (tests/workloads/vectorised-test.sh).
 */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "vector_math.h"

VECTOR_CLONES void rmsnorm_forward(float *restrict y, float *restrict scale,
				   const float *restrict x, const float *restrict gain, int rows,
				   int cols)
{
	for (int r = 0; r < rows; r++, x += cols, y += cols) {
		float squares = 0, factor;

		VECTOR_SUM(squares)
		for (int c = 0; c < cols; c++)
			squares += x[c] * x[c];
		factor = 1.0f / sqrtf(squares / (float)cols + RMSNORM_EPSILON);
		scale[r] = factor;
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			y[c] = x[c] * factor * gain[c];
	}
}

/* With n = x * scale: d_x = scale * (d_y * gain - n * mean(d_y * gain * n)). */
VECTOR_CLONES void rmsnorm_backward(float *restrict d_x, float *restrict d_gain,
				    const float *restrict d_y, const float *restrict x,
				    const float *restrict scale, const float *restrict gain,
				    int rows, int cols)
{
	for (int r = 0; r < rows; r++, x += cols, d_y += cols, d_x += cols) {
		float factor = scale[r], mean = 0;

		VECTOR_SUM(mean)
		for (int c = 0; c < cols; c++) {
			float part = d_y[c] * x[c] * factor;

			d_gain[c] += part;
			mean += part * gain[c];
		}
		mean = mean / (float)cols * factor;
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			d_x[c] += factor * (d_y[c] * gain[c] - x[c] * mean);
	}
}

/* Softmax of one row in place. Returns the sum that it divided by, and sets the largest value. */
static inline __attribute__((always_inline)) float softmax_row(float *restrict x, int cols,
							       float *largest)
{
	float high = x[0], sum = 0, factor;

	VECTOR_MAX(high)
	for (int c = 0; c < cols; c++)
		high = x[c] > high ? x[c] : high;
	VECTOR_SUM(sum)
	for (int c = 0; c < cols; c++) {
		x[c] = vector_exp(x[c] - high);
		sum += x[c];
	}
	factor = 1.0f / sum;
	VECTOR_LOOP
	for (int c = 0; c < cols; c++)
		x[c] *= factor;
	*largest = high;
	return sum;
}

VECTOR_CLONES void causal_softmax_forward(float *restrict x, int rows)
{
	float largest;

	for (int r = 0; r < rows; r++, x += rows) {
		softmax_row(x, r + 1, &largest);
		memset(x + r + 1, 0, (size_t)(rows - r - 1) * sizeof(*x));
	}
}

VECTOR_CLONES void causal_softmax_backward(float *restrict d, const float *restrict y, int rows)
{
	for (int r = 0; r < rows; r++, d += rows, y += rows) {
		float mean = 0;

		VECTOR_SUM(mean)
		for (int c = 0; c <= r; c++)
			mean += d[c] * y[c];
		VECTOR_LOOP
		for (int c = 0; c <= r; c++)
			d[c] = y[c] * (d[c] - mean);
		memset(d + r + 1, 0, (size_t)(rows - r - 1) * sizeof(*d));
	}
}

VECTOR_CLONES void swiglu_forward(float *restrict y, const float *restrict gate,
				  const float *restrict up, const float *restrict weight, int rows,
				  int cols)
{
	for (int r = 0; r < rows; r++, y += cols, gate += cols, up += cols) {
		float factor = weight[r];

		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			y[c] = factor * gate[c] * vector_sigmoid(gate[c]) * up[c];
	}
}

VECTOR_CLONES void swiglu_backward(float *restrict d_gate, float *restrict d_up,
				   float *restrict d_weight, const float *restrict d_y,
				   const float *restrict gate, const float *restrict up,
				   const float *restrict weight, int rows, int cols)
{
	for (int r = 0; r < rows; r++) {
		float factor = weight[r], sum = 0;

		VECTOR_SUM(sum)
		for (int c = 0; c < cols; c++) {
			float sigmoid = vector_sigmoid(gate[c]), silu = gate[c] * sigmoid;
			float d = d_y[c] * factor;

			sum += d_y[c] * silu * up[c];
			d_up[c] = d * silu;
			d_gate[c] = d * up[c] * (sigmoid + silu * (1.0f - sigmoid));
		}
		d_weight[r] = sum;
		d_gate += cols, d_up += cols, d_y += cols, gate += cols, up += cols;
	}
}

VECTOR_CLONES double cross_entropy_forward(float *restrict x, const uint8_t *restrict targets,
					   int rows, int cols)
{
	double loss = 0;

	for (int r = 0; r < rows; r++, x += cols) {
		float target = x[targets[r]], largest;
		float sum = softmax_row(x, cols, &largest);

		loss += log((double)sum) - (double)(target - largest);
	}
	return loss / rows;
}

VECTOR_CLONES void cross_entropy_backward(float *restrict x, const uint8_t *restrict targets,
					  int rows, int cols)
{
	float factor = 1.0f / (float)rows;

	for (int r = 0; r < rows; r++, x += cols) {
		x[targets[r]] -= 1.0f;
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			x[c] *= factor;
	}
}

VECTOR_CLONES void embedding_forward(float *restrict y, const float *restrict embedding,
				     const float *restrict position, const uint8_t *restrict tokens,
				     int rows, int cols)
{
	for (int r = 0; r < rows; r++, y += cols, position += cols) {
		const float *token = embedding + (size_t)tokens[r] * (size_t)cols;

		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			y[c] = token[c] + position[c];
	}
}

VECTOR_CLONES void embedding_backward(float *restrict d_embedding, float *restrict d_position,
				      const float *restrict d_y, const uint8_t *restrict tokens,
				      int rows, int cols)
{
	for (int r = 0; r < rows; r++, d_y += cols, d_position += cols) {
		float *d_token = d_embedding + (size_t)tokens[r] * (size_t)cols;

		VECTOR_LOOP
		for (int c = 0; c < cols; c++) {
			d_token[c] += d_y[c];
			d_position[c] += d_y[c];
		}
	}
}

VECTOR_CLONES void mean_rows_forward(float *restrict y, const float *restrict x, int rows, int cols)
{
	float factor = 1.0f / (float)rows;

	memset(y, 0, (size_t)cols * sizeof(*y));
	for (int r = 0; r < rows; r++, x += cols) {
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			y[c] += x[c] * factor;
	}
}

VECTOR_CLONES void mean_rows_backward(float *restrict d_x, const float *restrict d_y, int rows,
				      int cols)
{
	float factor = 1.0f / (float)rows;

	for (int r = 0; r < rows; r++, d_x += cols) {
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			d_x[c] += d_y[c] * factor;
	}
}

VECTOR_CLONES void vector_add(float *restrict y, const float *restrict x, float factor,
			      size_t length)
{
	VECTOR_LOOP
	for (size_t i = 0; i < length; i++)
		y[i] += factor * x[i];
}

VECTOR_CLONES float vector_dot(const float *restrict x, const float *restrict y, size_t length)
{
	float sum = 0;

	VECTOR_SUM(sum)
	for (size_t i = 0; i < length; i++)
		sum += x[i] * y[i];
	return sum;
}

VECTOR_CLONES void adamw_update(float *restrict x, float *restrict m, float *restrict v,
				const float *restrict g, size_t length, const struct adamw *adamw)
{
	const struct adamw a = *adamw;
	float keep = 1.0f - a.rate * a.decay, rate = a.rate * a.correction1;

	VECTOR_LOOP
	for (size_t i = 0; i < length; i++) {
		float d = vector_flush(g[i] * a.gradient_scale, ADAMW_LEAST_GRADIENT);
		float mean = a.beta1 * m[i] + (1.0f - a.beta1) * d;
		float square = a.beta2 * v[i] + (1.0f - a.beta2) * d * d;

		mean = vector_flush(mean, ADAMW_LEAST_MEAN);
		square = vector_flush(square, ADAMW_LEAST_SQUARE);
		m[i] = mean;
		v[i] = square;
		x[i] = keep * x[i] - rate * mean / (sqrtf(square * a.correction2) + a.epsilon);
	}
}
