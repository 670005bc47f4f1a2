/* twins.h: naive twins that kernels of several categories share. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_TWINS_H
#define CELLS_TWINS_H

#include "cells/kernel.h"

/* x / (1 + e^-argument), as vector_sigmoid() gives it in single precision. */
struct expected sigmoid_times(double x, double argument);
/* GELU of x by the tanh formula. */
struct expected gelu_of(double x);
/* Element of a product of buffers 0 [m, k] and 1 [k, n] in single precision. */
struct expected single_product(struct size size, size_t index);
/* Element of a product of buffers of such elements, whose sums are rounded with this epsilon. */
struct expected product_of(struct size size, size_t index, const enum element *elements,
			   double epsilon);
/* What a product reads and writes at least. */
double product_bytes(struct size size, const enum element *elements);
/* As the kernels of those names leave their results; gain is in buffer 3, rows are of ROW. */
enum { ROW = 64 };
struct expected softmax_twin(struct size size, size_t index);
struct expected rmsnorm_twin(struct size size, size_t index);
struct expected adamw_twin(struct size size, size_t index);
/* The optimiser's first step, and its flops. */
struct adamw;
extern const struct adamw first_step;
double adamw_flops(struct size size);
double adamw_bytes(struct size size);
double rmsnorm_flops(struct size size);
size_t rmsnorm_length(struct size size, int buffer);

#endif
