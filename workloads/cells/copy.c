/* copy.c: reading, writing and copying memory, by cache level; stores past the caches where there
 * are such. */
/* SPDX-License-Identifier: MIT */
#include <string.h>
#ifdef __SSE__
#include <immintrin.h>
#endif

#include "cells/kernel.h"
#include "vector_math.h"

enum { FROM, TO };
#define WRITTEN 0.25f
enum { AT_ONCE = 128 }; /* so many, that none waits for the one before */

/* Reads by taking the largest: cheaper than any load, and the result tells that all was read. */
VECTOR_CLONES static float largest(const float *x, long n)
{
	float highs[AT_ONCE], high;
	long i = 0;

	for (int j = 0; j < AT_ONCE; j++)
		highs[j] = x[0];
	for (; i + AT_ONCE <= n; i += AT_ONCE) {
		VECTOR_LOOP
		for (int j = 0; j < AT_ONCE; j++)
			highs[j] = x[i + j] > highs[j] ? x[i + j] : highs[j];
	}
	high = highs[0];
	for (int j = 1; j < AT_ONCE; j++)
		high = highs[j] > high ? highs[j] : high;
	for (; i < n; i++)
		high = x[i] > high ? x[i] : high;
	return high;
}

static void run_read(struct operands *o)
{
	*(float *)o->buffer[TO] = largest(o->buffer[FROM], o->size.n);
}

VECTOR_CLONES static void write_all(float *x, long n)
{
	VECTOR_LOOP
	for (long i = 0; i < n; i++)
		x[i] = WRITTEN;
}

static void run_write(struct operands *o)
{
	write_all(o->buffer[0], o->size.n);
}

static void run_copy(struct operands *o)
{
	memcpy(o->buffer[TO], o->buffer[FROM], (size_t)o->size.n * sizeof(float));
}

/* Needs buffers at multiples of 16 bytes, of whole cache lines. */
static void run_stream(struct operands *o)
{
#ifdef __SSE__
	const float *from = o->buffer[FROM];
	float *to = o->buffer[TO];

	for (long i = 0; i < o->size.n; i += 4)
		_mm_stream_ps(to + i, _mm_load_ps(from + i));
	_mm_sfence();
#else
	run_copy(o);
#endif
}

static size_t read_length(struct size size, int buffer)
{
	return buffer == FROM ? (size_t)size.n : 1;
}

static struct expected read_twin(struct size size, size_t index)
{
	double high = input(FROM, 0);

	for (size_t i = 1; i < (size_t)size.n; i++)
		high = input(FROM, i) > high ? input(FROM, i) : high;
	return (struct expected){high, 0};
}

static struct expected write_twin(struct size size, size_t index)
{
	(void)size, (void)index;
	return (struct expected){WRITTEN, 0};
}

static struct expected copy_twin(struct size size, size_t index)
{
	return (struct expected){input(FROM, index), 0};
}

static double one_float(struct size size)
{
	return sizeof(float) * (double)size.n;
}

static double two_floats(struct size size)
{
	return 2 * sizeof(float) * (double)size.n;
}

#ifdef __SSE__
#define STREAM_MISSING NULL
#else
static const char *stream_missing(void)
{
	return "this kind of CPU has no stores past the caches here";
}
#define STREAM_MISSING stream_missing
#endif

const struct kernel copy_kernels[] = {
	{"copy", "read", 4, 2, TO, read_length, NULL, one_float, run_read, read_twin, cache_sizes,
	 .multiple = 4},
	{"copy", "write", 4, 1, 0, vector_length, NULL, one_float, run_write, write_twin,
	 cache_sizes, .multiple = 4},
	{"copy", "copy", 4, 2, TO, vector_length, NULL, two_floats, run_copy, copy_twin,
	 cache_sizes, .multiple = 4},
	{"copy", "copy-nontemporal", 4, 2, TO, vector_length, NULL, two_floats, run_stream,
	 copy_twin, cache_sizes, STREAM_MISSING, .multiple = 4},
	{0},
};
