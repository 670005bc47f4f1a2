/* unfused.h: kernels that can run fused, one pass over their arrays, or step by step. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_UNFUSED_H
#define WORKLOADS_UNFUSED_H

#include "kernels.h"

/* The same functions as in kernels.h, by the same contracts. */
struct kernel_set {
	__typeof__(&rmsnorm_forward) rmsnorm_forward;
	__typeof__(&rmsnorm_backward) rmsnorm_backward;
	__typeof__(&causal_softmax_forward) causal_softmax_forward;
	__typeof__(&causal_softmax_backward) causal_softmax_backward;
	__typeof__(&swiglu_forward) swiglu_forward;
	__typeof__(&swiglu_backward) swiglu_backward;
	__typeof__(&adamw_update) adamw_update;
};
/* Those of kernels.h, and those in which each operation is a pass over the whole array by itself,
 * as in a program that is put together from a library's elementary operations. Both round alike but
 * for the order in which they do so. Nothing allocates: what is between passes lies in the results.
 */
extern const struct kernel_set fused_kernels, unfused_kernels;

static inline const struct kernel_set *kernels_of(_Bool unfused)
{
	return unfused ? &unfused_kernels : &fused_kernels;
}

#endif
