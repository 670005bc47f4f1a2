/* overhead.c: what a call costs before it computes: a product of 1 x 1 matrices by each interface,
 * and memory. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "cells/kernel.h"

enum { A, B, C };
enum { PAGE_BYTES = 4096 };

/* The Fortran name, whose two hidden lengths come last. */
void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
	    const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
	    const float *beta, float *c, const int *ldc, size_t transa_length,
	    size_t transb_length);

static __typeof__(&cblas_sgemm) found_sgemm;
static pthread_once_t found_once = PTHREAD_ONCE_INIT;

static void find_sgemm(void)
{
	void *symbol = dlsym(RTLD_DEFAULT, "cblas_sgemm");

	memcpy(&found_sgemm, &symbol, sizeof(symbol));
}

static void run_linked(struct operands *o)
{
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 1, 1, 1, 1, o->buffer[A], 1,
		    o->buffer[B], 1, 0, o->buffer[C], 1);
}

static void run_pointer(struct operands *o)
{
	pthread_once(&found_once, find_sgemm);
	found_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 1, 1, 1, 1, o->buffer[A], 1,
		    o->buffer[B], 1, 0, o->buffer[C], 1);
}

static void run_fortran(struct operands *o)
{
	static const float one = 1, zero;
	static const int unit = 1;

	sgemm_("N", "N", &unit, &unit, &unit, &one, o->buffer[A], &unit, o->buffer[B], &unit, &zero,
	       o->buffer[C], &unit, 1, 1);
}

/* Memory, its first touch page by page, and its return. */
static void run_allocate(struct operands *o)
{
	const size_t bytes = (size_t)o->size.n * sizeof(float);
	volatile char *memory = malloc(bytes);
	size_t touched = 0;

	for (; memory && touched * PAGE_BYTES < bytes; touched++)
		memory[touched * PAGE_BYTES] = 1;
	free((void *)memory);
	*(float *)o->buffer[0] = (float)touched;
}

static size_t one_length(struct size size, int buffer)
{
	(void)size, (void)buffer;
	return 1;
}

static struct expected one_product(struct size size, size_t index)
{
	double value = input(A, index) * input(B, index);

	return (struct expected){value, FLT_EPSILON * fabs(value)};
}

/* How many pages were touched. */
static struct expected all_pages(struct size size, size_t index)
{
	return (struct expected){ceil((double)size.n * sizeof(float) / PAGE_BYTES), 0};
}

static double two_flops(struct size size)
{
	return 2;
}

static double three_floats(struct size size)
{
	return 3 * sizeof(float);
}

static double all_floats(struct size size)
{
	return sizeof(float) * (double)size.n;
}

const struct kernel overhead_kernels[] = {
	{"overhead", "cblas_sgemm", 4, 3, C, one_length, two_flops, three_floats, run_linked,
	 one_product, one_size, NULL},
	{"overhead", "cblas_sgemm-by-pointer", 4, 3, C, one_length, two_flops, three_floats,
	 run_pointer, one_product, one_size, NULL},
	{"overhead", "sgemm_", 4, 3, C, one_length, two_flops, three_floats, run_fortran,
	 one_product, one_size, NULL},
	{"overhead", "malloc", 4, 1, 0, one_length, NULL, all_floats, run_allocate, all_pages,
	 vector_sizes, .multiple = 1},
	{0},
};
