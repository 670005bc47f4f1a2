/* port.c: runs a program in another language that times its own way into BLAS. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells/port.h"

enum { NAME_SIZE = 48, PORT_SAMPLES_MAX = 1001, RESULT = 2 };
#define PRODUCT (0.5 * 0.75)

struct kernel port_kernels[PORTS_MAX + 1] = {{.category = "overhead"}};

static size_t one_length(struct size size, int buffer)
{
	(void)size, (void)buffer;
	return 1;
}

static struct expected port_product(struct size size, size_t index)
{
	(void)size, (void)index;
	return (struct expected){PRODUCT, 0}; /* of so few digits that it is exact */
}

static double two_flops(struct size size)
{
	return 2;
}

static double three_floats(struct size size)
{
	return 3 * sizeof(float);
}

int port_add(const char *text, struct failure *failure)
{
	static char names[PORTS_MAX][NAME_SIZE];
	const char *equals = strchr(text, '=');
	struct kernel *kernel = port_kernels;
	int count = 0;

	while (kernel[count].name)
		count++;
	if (!equals || equals == text || !equals[1] ||
	    (size_t)(equals - text) > NAME_SIZE - sizeof("product-by-"))
		return failure_set(failure, EXIT_USAGE,
				   "--port: '%s' is not NAME=COMMAND with a short name", text);
	if (count == PORTS_MAX)
		return failure_set(failure, EXIT_USAGE, "--port: more than %d ports", PORTS_MAX);
	snprintf(names[count], NAME_SIZE, "product-by-%.*s", (int)(equals - text), text);
	kernel[count] = (struct kernel){
		"overhead", names[count], sizeof(float),	RESULT + 1, RESULT,
		one_length, two_flops,	  three_floats,		NULL,	    port_product,
		one_size,   NULL,	  .command = equals + 1};
	return 0;
}

/* Reads the samples behind the line's fixed words; 0, or -1: it is no such line. */
static int read_line(char *line, double *product, double *samples, struct times *times)
{
	char *rest = line, *end;
	int used = 0;

	if (sscanf(line, "call product %lf runs %d ns%n", product, &times->runs, &used) != 2 ||
	    !used || times->runs < 1)
		return -1;
	for (rest += used; times->samples < PORT_SAMPLES_MAX; rest = end) {
		double sample = strtod(rest, &end);

		if (end == rest)
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
		failed = "it does not print what came out and how long it took";
	free(line);
	if (pclose(program))
		failed = "it fails";
	if (failed)
		return failed;
	*(float *)operands->buffer[RESULT] = (float)product;
	times_summarise(samples, times);
	return NULL;
}
