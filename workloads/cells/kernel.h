/* kernel.h: what a kernel of the ceilings is: what it runs on, what it costs, and its naive twin.
 */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_KERNEL_H
#define CELLS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { BUFFERS_MAX = 4, CACHE_LINE_BYTES = 64 };

/* m, n and k of a product; of any other kernel only n counts: its elements. */
struct size {
	long m, n, k;
	int offset_bytes; /* of each buffer from a multiple of 64 bytes */
};

/* What a kernel works on. Which buffer is what, the kernel says. */
struct operands {
	struct size size;
	void *buffer[BUFFERS_MAX];
	double sink; /* what would otherwise be computed for nothing */
};

/* One element as it should be, in double precision, and how far the kernel's may be from it. */
struct expected {
	double value, bound;
};

/* What a buffer is made of. Integers are of so small a range that no sum of two products leaves 16
 * bits, which some CPUs keep in between. */
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
	int element_bytes; /* 1, 2, 4 or 8: of an element of what it reads */
	int buffers;	   /* how many it has */
	int result;	   /* the buffer that it leaves its result in */
	size_t (*length)(struct size, int buffer); /* elements of a buffer */
	double (*flops)(struct size);		   /* of one run; NULL: none */
	double (*bytes)(struct size);		   /* that one run has to read and write at least */
	void (*run)(struct operands *);
	/* Element `index` of the result after one run on operands as operands_fill() leaves them.
	 */
	struct expected (*twin)(struct size, size_t index);
	const struct size *sizes;     /* ends with n = 0 */
	const char *(*missing)(void); /* why it cannot run here; NULL, or a result NULL: it can */
	unsigned int nonnegative;     /* bit i: buffer i is filled with absolute values */
	/* Of each buffer; NULL: all are float, or double where element_bytes says so. */
	const enum element *elements;
	/* It is another program that runs, prints what came out and how long it took (port.h);
	 * NULL: run() does. */
	const char *command;
	long multiple; /* it runs at other sizes too, of n a multiple of this; 0: at its own only */
};

enum element kernel_element(const struct kernel *kernel, int buffer);
size_t element_size(enum element element);
/* What becomes of an input in a buffer of such elements. */
double element_rounded(enum element element, double input);
void element_store(enum element element, void *buffer, size_t index, double input);
double element_load(enum element element, const void *buffer, size_t index);

/* The value that buffer element `index` is filled with: in [-1, 1), the same for the same seed. */
extern uint64_t input_seed;
double input(int buffer, size_t index);

/* Operands at this size; 0, or -1 with nothing to free where there is no memory. */
int operands_alloc(struct operands *operands, const struct kernel *kernel, struct size size);
void operands_fill(struct operands *operands, const struct kernel *kernel);
void operands_free(struct operands *operands, const struct kernel *kernel);
/* Bytes that operands_alloc() takes. */
double operands_bytes(const struct kernel *kernel, struct size size);

/* All kernels, category by category, one table for each. Each ends with a NULL name. */
extern const struct kernel *const kernel_tables[];
extern const struct kernel product_kernels[], elementwise_kernels[], reduction_kernels[],
	copy_kernels[], peak_kernels[], fusion_kernels[], activation_kernels[], optimizer_kernels[],
	overhead_kernels[];
extern struct kernel port_kernels[]; /* port.h */

/* Sizes that several tables share: from 1 Ki to 64 Mi elements. */
extern const struct size vector_sizes[], cache_sizes[], one_size[];
/* m = n = k = 1 ... of which only n elements count. */
size_t vector_length(struct size size, int buffer);

#endif
