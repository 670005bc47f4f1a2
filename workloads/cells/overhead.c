/* overhead.c: what a call costs before it computes: a product of 1 x 1 matrices by each interface
 * and by programs in other languages; and memory. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "cells/kernel.h"
#include "cells/measure.h"

enum { A, B, C };
enum { PAGE_BYTES = 4096, NAME_SIZE = 48, PORT_SAMPLES_MAX = 1001 };
#define PORT_PRODUCT (0.5 * 0.75) /* exact in single precision */

const struct size one_size[] = {{1, 1, 1, 0}, {0}};

/* The Fortran name. Its two hidden lengths come last. */
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

/* Allocates memory, touches each page for the first time, and frees it. The result is the number
 * of pages. */
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

static struct expected allocate_twin(struct size size, size_t index)
{
	return (struct expected){ceil((double)size.n * sizeof(float) / PAGE_BYTES), 0};
}

static size_t one_length(struct size size, int buffer)
{
	return 1;
}

static struct expected product_twin(struct size size, size_t index)
{
	double value = input(A, index) * input(B, index);

	return (struct expected){value, FLT_EPSILON * fabs(value)};
}

#define PRODUCT(name, run)                                                                         \
	{                                                                                          \
		"overhead", name, 4, 3, C, one_length, 2, 0, run, product_twin, one_size           \
	}

const struct kernel overhead_kernels[] = {
	PRODUCT("cblas_sgemm", run_linked),
	PRODUCT("cblas_sgemm-by-pointer", run_pointer),
	PRODUCT("sgemm_", run_fortran),
	{"overhead", "malloc", 4, 1, A, one_length, 0, 1, run_allocate, allocate_twin, vector_sizes,
	 1},
	{0},
};

struct kernel port_kernels[PORTS_MAX + 1] = {{.category = "overhead"}};

static struct expected port_twin(struct size size, size_t index)
{
	return (struct expected){PORT_PRODUCT, 0};
}

int port_add(const char *text, struct failure *failure)
{
	static char names[PORTS_MAX][NAME_SIZE];
	const char *equals = strchr(text, '=');
	struct kernel *kernel = port_kernels;

	while (kernel->name)
		kernel++;
	if (!equals || equals == text || !equals[1] ||
	    (size_t)(equals - text) > NAME_SIZE - sizeof("product-by-"))
		return failure_set(failure, EXIT_USAGE,
				   "--port: '%s' is not NAME=COMMAND with a short name", text);
	if (kernel == port_kernels + PORTS_MAX)
		return failure_set(failure, EXIT_USAGE, "--port: more than %d ports", PORTS_MAX);
	*kernel = (struct kernel)PRODUCT(names[kernel - port_kernels], NULL);
	snprintf(names[kernel - port_kernels], NAME_SIZE, "product-by-%.*s", (int)(equals - text),
		 text);
	kernel->twin = port_twin;
	kernel->command = equals + 1;
	return 0;
}

/* Reads the samples after the line's fixed words. Returns -1 if the line has another format. */
static int read_line(const char *line, double *product, double *samples, struct times *times)
{
	int used = 0;
	char *end;

	if (sscanf(line, "call product %lf runs %d ns%n", product, &times->runs, &used) != 2 ||
	    !used || times->runs < 1)
		return -1;
	for (line += used; times->samples < PORT_SAMPLES_MAX; line = end) {
		double sample = strtod(line, &end);

		if (end == line)
			break;
		if (!(sample > 0) || isinf(sample))
			return -1;
		samples[times->samples++] = sample;
	}
	return times->samples ? 0 : -1;
}

const char *port_run(const struct kernel *kernel, struct operands *operands, struct times *times)
{
	static double samples[PORT_SAMPLES_MAX];
	FILE *program = popen(kernel->command, "r");
	const char *failed = NULL;
	double product = 0;
	size_t room = 0;
	char *line = NULL;

	memset(times, 0, sizeof(*times));
	if (!program)
		return "it cannot be started";
	if (getline(&line, &room, program) < 0 || read_line(line, &product, samples, times))
		failed = "it does not print its result and times";
	free(line);
	if (pclose(program))
		failed = "it fails";
	if (failed)
		return failed;
	*(float *)operands->buffer[C] = (float)product;
	times_summarise(samples, times);
	return NULL;
}
