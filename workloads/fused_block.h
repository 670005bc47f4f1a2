/* fused_block.h: the blocks of gemm_bias_gelu() for one kind of vectors; fused.c includes it for
 * each kind. BLOCK(name) is the name of a function, TARGET the attribute for the CPU's level, LANES
 * the number of floats in a vector; a block has ROWS x 2 vectors. */
/* SPDX-License-Identifier: MIT */

typedef float BLOCK(vector)
	__attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
typedef int BLOCK(mask) __attribute__((vector_size(LANES * sizeof(int))));
typedef unsigned int BLOCK(bits) __attribute__((vector_size(LANES * sizeof(int))));

/* A block of this many rows and 2 LANES columns, whose sums stay in registers. The number of rows
 * must be a literal: otherwise the compiler does not split the array into registers early enough.
 */
#define BLOCK_SUM(rows)                                                                            \
	TARGET static void BLOCK(sum##rows)(float *restrict sums, const float *restrict a,         \
					    const float *restrict b, const float *restrict bias,   \
					    int n, int k)                                          \
	{                                                                                          \
		BLOCK(vector) sum[rows][2];                                                        \
                                                                                                   \
		_Pragma("GCC unroll 16") for (int i = 0; i < (rows); i++)                          \
		{                                                                                  \
			sum[i][0] = *(const BLOCK(vector) *)bias;                                  \
			sum[i][1] = *(const BLOCK(vector) *)(bias + LANES);                        \
		}                                                                                  \
		for (int p = 0; p < k; p++) {                                                      \
			const float *from = b + (size_t)p * (size_t)n;                             \
			const BLOCK(vector) left = *(const BLOCK(vector) *)from;                   \
			const BLOCK(vector) right = *(const BLOCK(vector) *)(from + LANES);        \
                                                                                                   \
			_Pragma("GCC unroll 16") for (int i = 0; i < (rows); i++)                  \
			{                                                                          \
				const float factor = a[(size_t)i * (size_t)k + (size_t)p];         \
                                                                                                   \
				sum[i][0] += factor * left;                                        \
				sum[i][1] += factor * right;                                       \
			}                                                                          \
		}                                                                                  \
		_Pragma("GCC unroll 16") for (int i = 0; i < (rows); i++)                          \
		{                                                                                  \
			*(BLOCK(vector) *)(sums + i * 2 * LANES) = sum[i][0];                      \
			*(BLOCK(vector) *)(sums + i * 2 * LANES + LANES) = sum[i][1];              \
		}                                                                                  \
	}
BLOCK_SUM(12)
BLOCK_SUM(8)
BLOCK_SUM(6)
BLOCK_SUM(4)
BLOCK_SUM(2)
BLOCK_SUM(1)

/* Computes the largest block that fits the rows that are left; returns its number of rows. */
TARGET static int BLOCK(take)(float *restrict sums, const float *restrict a,
			      const float *restrict b, const float *restrict bias, int n, int k,
			      int left)
{
	static void (*const blocks[])(float *restrict, const float *restrict, const float *restrict,
				      const float *restrict, int, int) = {
		BLOCK(sum12), BLOCK(sum8), BLOCK(sum6), BLOCK(sum4), BLOCK(sum2), BLOCK(sum1)};
	static const int rows[] = {12, 8, 6, 4, 2, 1};
	int i = ROWS < 12 ? 2 : left == 16; /* 8 + 8 rows are faster than 12 + 4 */

	while (rows[i] > left)
		i++;
	blocks[i](sums, a, b, bias, n, k);
	return rows[i];
}

TARGET static inline __attribute__((always_inline)) BLOCK(vector)
	BLOCK(choose)(BLOCK(mask) which, BLOCK(vector) yes, BLOCK(vector) no)
{
	return (BLOCK(vector))((which & (BLOCK(mask))yes) | (~which & (BLOCK(mask))no));
}

/* GELU of several vectors at once: each operation depends on the one before, and the other vectors
 * fill its latency. Like gelu(), with e^-v as 2^t = 2^n 2^r, n an integer and |r| <= 1/2, t limited
 * to
 * [-86, 86]. 2^r is the polynomial of degree 5 with the least relative error (Remez's algorithm),
 * 1.6e-7. The low bits of `power` hold n plus the exponent's bias of 127 and are shifted there. */
#define EACH(count) _Pragma("GCC unroll 4") for (int i = 0; i < (count); i++)
#define BLOCK_GELU(count)                                                                          \
	TARGET static inline __attribute__((always_inline)) void BLOCK(gelu##count)(               \
		float *restrict y, const float *restrict sums, int n)                              \
	{                                                                                          \
		const BLOCK(vector) zero = {0}, end = zero + GELU_END, round = zero + GELU_ROUND;  \
		BLOCK(vector) x[count], t[count], power[count], sum[count];                        \
                                                                                                   \
		EACH(count) x[i] = *(const BLOCK(vector) *)(sums + i * LANES);                     \
		EACH(count) t[i] = x[i] * x[i] * GELU_CUBE + GELU_LINEAR;                          \
		EACH(count) t[i] *= x[i];                                                          \
		EACH(count) t[i] = BLOCK(choose)(t[i] < -end, -end, t[i]);                         \
		EACH(count) t[i] = BLOCK(choose)(t[i] > end, end, t[i]);                           \
		EACH(count) power[i] = t[i] + round;                                               \
		EACH(count) t[i] -= power[i] - round;                                              \
		EACH(count) sum[i] = zero + 1.32764678e-3f;                                        \
		EACH(count) sum[i] = sum[i] * t[i] + 9.67554096e-3f;                               \
		EACH(count) sum[i] = sum[i] * t[i] + 0.0555071346f;                                \
		EACH(count) sum[i] = sum[i] * t[i] + 0.240221202f;                                 \
		EACH(count) sum[i] = sum[i] * t[i] + 0.693146944f;                                 \
		EACH(count) sum[i] = sum[i] * t[i] + 1.00000012f;                                  \
		EACH(count) power[i] = (BLOCK(vector))((BLOCK(bits))power[i] << 23);               \
		EACH(count) sum[i] = sum[i] * power[i] + 1.0f;                                     \
		EACH(count) * (BLOCK(vector) *)(y + i / 2 * n + i % 2 * LANES) = x[i] / sum[i];    \
	}
BLOCK_GELU(2)
BLOCK_GELU(4)

TARGET static inline __attribute__((always_inline)) void
BLOCK(finish)(float *restrict y, const float *restrict sums, int n, int rows)
{
	for (; rows > 1; rows -= 2, y += 2 * n, sums += 4 * LANES)
		BLOCK(gelu4)(y, sums, n);
	if (rows)
		BLOCK(gelu2)(y, sums, n);
}

/* n is at least 2 LANES. If 2 LANES does not divide n, some of the last columns are computed twice.
 */
TARGET static void BLOCK(layer)(float *restrict y, const float *restrict a, const float *restrict b,
				const float *restrict bias, int m, int n, int k)
{
	float sums[ROWS * 2 * LANES] __attribute__((aligned(64)));

	for (int next = 0; next < n; next += 2 * LANES) {
		const int j = next < n - 2 * LANES ? next : n - 2 * LANES;

		for (int i = 0, rows; i < m; i += rows) {
			rows = BLOCK(take)(sums, a + (size_t)i * (size_t)k, b + j, bias + j, n, k,
					   m - i);
			BLOCK(finish)(y + (size_t)i * (size_t)n + j, sums, n, rows);
		}
	}
}

#undef BLOCK_SUM
#undef BLOCK_GELU
#undef EACH
#undef BLOCK
#undef TARGET
#undef LANES
#undef ROWS
