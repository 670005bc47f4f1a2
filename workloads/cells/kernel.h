/* kernel.h: a kernel of workloads/ceilings: its operands, its costs, and its naive twin. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_KERNEL_H
#define CELLS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "failure.h"

enum { BUFFERS_MAX = 4, CACHE_LINE_BYTES = 64, PORTS_MAX = 8 };

/* m, n and k of a matrix product. All other kernels use n alone: the number of elements. */
struct size {
	long m, n, k;
	int offset_bytes; /* distance of each buffer from a multiple of 64 bytes */
};

/* The buffers that a kernel works on. Each kernel defines what its buffers hold. */
struct operands {
	struct size size;
	void *buffer[BUFFERS_MAX];
};

/* The correct value of one element, in double precision, and the error that is allowed. */
struct expected {
	double value, bound;
};

/* The type of a buffer's elements. The range of the integers is so small that the sum of two
 * products fits 16 bits, because some CPUs keep such sums in 16 bits. */
enum element {
	ELEMENT_FLOAT,
	ELEMENT_DOUBLE,
	ELEMENT_BFLOAT16,
	ELEMENT_HALF,
	ELEMENT_INT8,  /* -127 to 127 */
	ELEMENT_UINT8, /* 0 to 127 */
	ELEMENT_INT32
};

struct kernel {
	const char *category, *name;
	int element_bytes; /* size of the elements that it reads: 1, 2, 4 or 8 */
	int buffers;	   /* number of buffers */
	int result;	   /* the buffer that receives the result */
	size_t (*length)(struct size, int buffer); /* number of elements of a buffer */
	int flops;  /* for each of the n elements; of a product, for each term of the sums */
	int floats; /* least number of floats read and written for each of the n elements; 0 if
		       each buffer is read or written once */
	void (*run)(struct operands *);
	/* Element `index` of the result after one run on operands filled by operands_fill(). */
	struct expected (*twin)(struct size, size_t index);
	const struct size *sizes; /* ends with n = 0 */
	long multiple; /* --size takes multiples of this n; 0 if only the sizes above are possible
			*/
	const char *(*missing)(void); /* returns why it cannot run here, or NULL; may be NULL */
	unsigned int nonnegative;     /* bit i is set if buffer i is filled with absolute values */
	int result_flops;	      /* of a product, for each element of the result */
	/* Types of the buffers' elements; NULL if all are float (double if element_bytes is 8). */
	const enum element *elements;
	/* Shell command of another program that runs and times the kernel (see port_add()); NULL if
	 * run() does. */
	const char *command;
};

/* Flops of one run, 0 if they are not counted; and the bytes that it must read and write. */
double kernel_flops(const struct kernel *kernel, struct size size);
double kernel_bytes(const struct kernel *kernel, struct size size);

enum element kernel_element(const struct kernel *kernel, int buffer);
size_t element_size(enum element element);
/* The input's value after it was rounded to this type. Integers are scaled by 127 first. */
double element_rounded(enum element element, double input);
void element_store(enum element element, void *buffer, size_t index, double input);
double element_load(enum element element, const void *buffer, size_t index);

/* The value that element `index` of the buffer is filled with: in [-1, 1), given by the seed. */
extern uint64_t input_seed;
double input(int buffer, size_t index);

/* Allocates operands of this size. Returns -1, with nothing to free, if there is no memory. */
int operands_alloc(struct operands *operands, const struct kernel *kernel, struct size size);
void operands_fill(struct operands *operands, const struct kernel *kernel);
void operands_free(struct operands *operands, const struct kernel *kernel);
/* Number of bytes that operands_alloc() allocates. */
double operands_bytes(const struct kernel *kernel, struct size size);

/* One table for each category. Each table ends with a NULL name, the list with NULL. */
extern const struct kernel *const kernel_tables[];
extern const struct kernel product_kernels[], peak_kernels[], overhead_kernels[];
extern struct kernel port_kernels[];

/* Sizes that several tables share: 1 Ki to 64 Mi elements; and m = n = k = 1. */
extern const struct size vector_sizes[], one_size[];
/* n for each buffer. */
size_t vector_length(struct size size, int buffer);
/* One element of the product of buffers 0 [m, k] and 1 [k, n] in single precision. */
struct expected single_product(struct size size, size_t index);

/* Adds the kernel product-by-NAME to port_kernels[], from "NAME=COMMAND", which must outlive it.
 * The command, for sh -c, computes 0.5 * 0.75 as a product of 1 x 1 matrices many times and prints
 * one line: call product RESULT runs RUNS ns NS NS ..., where NS is the time of one run, measured
 * in samples of RUNS runs. Returns -1 with *failure. */
int port_add(const char *text, struct failure *failure);

/* Runs a port's command. Stores its result in the operands, and its times in *times, without
 * subtracting the cost of the clock, which is negligible in such long samples. Returns NULL, or
 * the reason for the failure. */
struct times;
const char *port_run(const struct kernel *kernel, struct operands *operands, struct times *times);

#endif
