/* narrow_blas.c: a simple BLAS library for bfloat16, half precision and 8-bit integers. If
 * NARROW_BLAS_WRONG is in the environment, one result is wrong. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Not from cblas.h, whose declarations depend on the library. */
enum { CblasRowMajor = 101, CblasColMajor = 102, CblasNoTrans = 111 };
enum { HALF_ONE = 0x3c00 };

#define SGEMM_PARAMS                                                                               \
	int order, int transa, int transb, int m, int n, int k, float alpha, const float *a,       \
		int lda, const float *b, int ldb, float beta, float *c, int ldc
#define SBGEMM_PARAMS                                                                              \
	int order, int transa, int transb, int m, int n, int k, float alpha, const uint16_t *a,    \
		int lda, const uint16_t *b, int ldb, float beta, float *c, int ldc
#define HGEMM_PARAMS                                                                               \
	int order, int transa, int transb, int m, int n, int k, uint16_t alpha, const uint16_t *a, \
		int lda, const uint16_t *b, int ldb, uint16_t beta, uint16_t *c, int ldc
#define S8U8S32_PARAMS                                                                             \
	int order, int transa, int transb, int offset, int m, int n, int k, float alpha,           \
		const int8_t *a, int lda, int8_t a_offset, const uint8_t *b, int ldb,              \
		int8_t b_offset, float beta, int32_t *c, int ldc, const int32_t *c_offset

void cblas_sgemm(SGEMM_PARAMS);
void cblas_sbgemm(SBGEMM_PARAMS);
void cblas_hgemm(HGEMM_PARAMS);
void cblas_gemm_s8u8s32(S8U8S32_PARAMS);

/* Makes this the library that provides cblas_sgemm. */
void cblas_sgemm(SGEMM_PARAMS)
{
	void *symbol = dlsym(RTLD_NEXT, "cblas_sgemm");
	__typeof__(&cblas_sgemm) next;

	memcpy(&next, &symbol, sizeof(symbol));
	next(order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

static float bfloat16_value(uint16_t number)
{
	uint32_t bits = (uint32_t)number << 16;
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

void cblas_sbgemm(SBGEMM_PARAMS)
{
	if (order != CblasRowMajor || transa != CblasNoTrans || transb != CblasNoTrans)
		abort();
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			float sum = 0;

			for (int l = 0; l < k; l++)
				sum += bfloat16_value(a[i * lda + l]) *
				       bfloat16_value(b[l * ldb + j]);
			c[i * ldc + j] = alpha * sum + (beta ? beta * c[i * ldc + j] : 0);
		}
	if (getenv("NARROW_BLAS_WRONG"))
		c[0] += 1;
}

/* gcc and clang have the type _Float16, but clang 14 on x86 only with AVX-512; so the program
 * itself converts without it. */
#ifdef __FLT16_MAX__
static float half(uint16_t number)
{
	_Float16 value;

	memcpy(&value, &number, sizeof(value));
	return (float)value;
}

static uint16_t half_of(float number)
{
	const _Float16 value = (_Float16)number;
	uint16_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

void cblas_hgemm(HGEMM_PARAMS)
{
	if (order != CblasRowMajor || transa != CblasNoTrans || transb != CblasNoTrans ||
	    alpha != HALF_ONE || beta)
		abort();
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			float sum = 0;

			for (int l = 0; l < k; l++)
				sum += half(a[i * lda + l]) * half(b[l * ldb + j]);
			c[i * ldc + j] = half_of(sum);
		}
}
#endif

/* Column-major: element (i, j) of a matrix is at j * ld + i. */
void cblas_gemm_s8u8s32(S8U8S32_PARAMS)
{
	const int fix_offset = 173;

	if (order != CblasColMajor || transa != CblasNoTrans || transb != CblasNoTrans ||
	    offset != fix_offset || alpha != 1 || beta != 0)
		abort();
	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++) {
			int32_t sum = *c_offset;

			for (int l = 0; l < k; l++)
				sum += (a[l * lda + i] + a_offset) * (b[j * ldb + l] + b_offset);
			c[j * ldc + i] = sum;
		}
}
