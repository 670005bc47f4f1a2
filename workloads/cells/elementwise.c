/* elementwise.c: sums and products of vectors, element by element. */
/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include <cblas.h>

#include "cells/kernel.h"
#include "vector_math.h"

enum { X, Y, Z };
#define AXPY_FACTOR 0.5

VECTOR_CLONES static void add(float *restrict z, const float *restrict x, const float *restrict y,
			      long n)
{
	VECTOR_LOOP
	for (long i = 0; i < n; i++)
		z[i] = x[i] + y[i];
}

VECTOR_CLONES static void multiply(float *restrict z, const float *restrict x,
				   const float *restrict y, long n)
{
	VECTOR_LOOP
	for (long i = 0; i < n; i++)
		z[i] = x[i] * y[i];
}

static void run_add(struct operands *o)
{
	add(o->buffer[Z], o->buffer[X], o->buffer[Y], o->size.n);
}

static void run_multiply(struct operands *o)
{
	multiply(o->buffer[Z], o->buffer[X], o->buffer[Y], o->size.n);
}

static void run_saxpy(struct operands *o)
{
	cblas_saxpy((int)o->size.n, AXPY_FACTOR, o->buffer[X], 1, o->buffer[Y], 1);
}

/* One rounding each; axpy has two where it is not fused. */
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

static double one_flop(struct size size)
{
	return (double)size.n;
}

static double two_flops(struct size size)
{
	return 2 * (double)size.n;
}

/* Two read, one written; axpy writes over what it reads. */
static double three_floats(struct size size)
{
	return 3 * sizeof(float) * (double)size.n;
}

const struct kernel elementwise_kernels[] = {
	{"elementwise", "add", 4, 3, Z, vector_length, one_flop, three_floats, run_add, add_twin,
	 vector_sizes, .multiple = 1},
	{"elementwise", "multiply", 4, 3, Z, vector_length, one_flop, three_floats, run_multiply,
	 multiply_twin, vector_sizes, .multiple = 1},
	{"elementwise", "cblas_saxpy", 4, 2, Y, vector_length, two_flops, three_floats, run_saxpy,
	 saxpy_twin, vector_sizes, .multiple = 1},
	{0},
};
