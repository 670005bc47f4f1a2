/* fused_block.h: a block of gemm_bias_gelu() for one kind of vectors; fused.c includes it for each.
 * BLOCK(name) names its functions, TARGET is the attribute of the CPU's level, LANES are the floats
 * of a vector, ROWS x 2 vectors the block. */
/* SPDX-License-Identifier: MIT */

typedef float BLOCK(vector)
	__attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

/* A block of so many rows and 2 LANES columns: its sums stay in registers, from bias on. The number
 * has to be written out: only then does the compiler take the array apart early enough. */
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

/* As many rows as there is a block for, of those that are left: how many it took. */
TARGET static int BLOCK(take)(float *restrict sums, const float *restrict a,
			      const float *restrict b, const float *restrict bias, int n, int k,
			      int left)
{
	static void (*const blocks[])(float *restrict, const float *restrict, const float *restrict,
				      const float *restrict, int, int) = {
		BLOCK(sum12), BLOCK(sum8), BLOCK(sum6), BLOCK(sum4), BLOCK(sum2), BLOCK(sum1)};
	static const int rows[] = {12, 8, 6, 4, 2, 1};
	int i = ROWS < 12 ? 2 : left == 16; /* two of 8 are faster than 12 and 4 */

	while (rows[i] > left)
		i++;
	blocks[i](sums, a, b, bias, n, k);
	return rows[i];
}

TARGET static inline __attribute__((always_inline)) void
BLOCK(finish)(float *restrict y, const float *restrict sums, int n, int rows)
{
	for (int i = 0; i < rows; i++, y += n, sums += 2 * LANES) {
		VECTOR_LOOP
		for (int j = 0; j < 2 * LANES; j++)
			y[j] = gelu(sums[j]);
	}
}

/* n is at least 2 LANES. The last columns are worked out twice where that does not divide it. */
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
#undef BLOCK
#undef TARGET
#undef LANES
#undef ROWS
