/* naive.h: simple versions of the kernels and the network: plain loops in double, forward only. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WORKLOADS_NAIVE_H
#define TESTS_WORKLOADS_NAIVE_H

#include <stdint.h>

#include "kernels.h"
#include "tensors.h"

/* Each follows the formula in kernels.h, for clarity and not for speed. Backward kernels are
 * compared with central differences of these. */
void naive_rmsnorm(double *y, const double *x, const double *gain, int rows, int cols);
void naive_causal_softmax(double *y, const double *x, int rows);
void naive_swiglu(double *y, const double *gate, const double *up, const double *weight, int rows,
		  int cols);
double naive_cross_entropy(const double *x, const uint8_t *targets, int rows, int cols);
void naive_embedding(double *y, const double *embedding, const double *position,
		     const uint8_t *tokens, int rows, int cols);
void naive_mean_rows(double *y, const double *x, int rows, int cols);
/* One parameter; step counts from 1. */
void naive_adamw(double *x, double *m, double *v, double g, const struct adamw *adamw, int step);

/* Returns the loss of the network for the tokens [T + 1]. `layout` has the places of the tensors in
 * the arena; `values` is an arena of doubles with the same layout. */
double naive_loss(const struct shape *shape, const struct parameters *layout, const double *values,
		  const uint8_t *tokens);

#endif
