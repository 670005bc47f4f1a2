/* tensors.h: the model's tensors, listed once: parameters, gradients, moments and activations. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_TENSORS_H
#define WORKLOADS_TENSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shape.h"

/* Initial values of a parameter: ones; or uniform with mean 0 and a standard deviation of
 * 1/sqrt(number of inputs) or START_SMALL_DEVIATION. */
enum tensor_start { START_NONE, START_ONES, START_FAN_IN, START_SMALL };
#define START_SMALL_DEVIATION 0.1

/* A row of a tensor table: row-major, 4-byte elements. */
struct tensor {
	const char *name;
	size_t field; /* offset of its pointer in the struct of the table */
	enum dim dims[3];
	enum tensor_start start;
	bool decays; /* has weight decay; such tensors come first in the arena */
};

size_t tensor_length(const struct tensor *tensor, const struct shape *shape);

/* Parameters: X(name, dims, start, decays). A matrix is [in, out], so that y = x W. The matrices of
 * all experts are one tensor. Gradients and moments have the same layout. */
#define MODEL_PARAMETERS(X)                                                                        \
	X(embedding, DIM_ONE, DIM_VOCABULARY, DIM_HIDDEN, START_SMALL, true) /* [V, H] */          \
	X(position, DIM_ONE, DIM_TOKENS, DIM_HIDDEN, START_SMALL, true)	     /* [T, H] */          \
	X(final_gain, DIM_ONE, DIM_ONE, DIM_HIDDEN, START_ONES, false)	     /* [H] */             \
	X(head, DIM_ONE, DIM_HIDDEN, DIM_VOCABULARY, START_FAN_IN, true)     /* [H, V] */

#define BLOCK_PARAMETERS(X)                                                                        \
	X(attention_gain, DIM_ONE, DIM_ONE, DIM_HIDDEN, START_ONES, false) /* [H] */               \
	X(query, DIM_ONE, DIM_HIDDEN, DIM_HIDDEN, START_FAN_IN, true)	   /* [H, H] */            \
	X(key, DIM_ONE, DIM_HIDDEN, DIM_HIDDEN, START_FAN_IN, true)	   /* [H, H] */            \
	X(value, DIM_ONE, DIM_HIDDEN, DIM_HIDDEN, START_FAN_IN, true)	   /* [H, H] */            \
	X(output, DIM_ONE, DIM_HIDDEN, DIM_HIDDEN, START_FAN_IN, true)	   /* [H, H] */            \
	X(experts_gain, DIM_ONE, DIM_ONE, DIM_HIDDEN, START_ONES, false)   /* [H] */               \
	X(router, DIM_ONE, DIM_EXPERTS, DIM_HIDDEN, START_SMALL, true)	   /* [E, H] */            \
	X(gate, DIM_EXPERTS, DIM_HIDDEN, DIM_INNER, START_FAN_IN, true)	   /* [E, H, F] */         \
	X(up, DIM_EXPERTS, DIM_HIDDEN, DIM_INNER, START_FAN_IN, true)	   /* [E, H, F] */         \
	X(down, DIM_EXPERTS, DIM_INNER, DIM_HIDDEN, START_FAN_IN, true)	   /* [E, F, H] */

/* Activations: X(type, name, dims). First those of each block that backward needs. */
#define BLOCK_ACTIVATIONS(X)                                                                       \
	X(float, input, DIM_TOKENS, DIM_HIDDEN)		   /* [T, H] residual stream */            \
	X(float, attention_scale, DIM_ONE, DIM_TOKENS)	   /* [T] 1 / root mean square */          \
	X(float, attention_normed, DIM_TOKENS, DIM_HIDDEN) /* [T, H] */                            \
	X(float, query, DIM_TOKENS, DIM_HIDDEN)		   /* [T, H] */                            \
	X(float, key, DIM_TOKENS, DIM_HIDDEN)		   /* [T, H] */                            \
	X(float, value, DIM_TOKENS, DIM_HIDDEN)		   /* [T, H] */                            \
	X(float, attention, DIM_TOKENS, DIM_TOKENS)	   /* [T, T] after softmax */              \
	X(float, mixed, DIM_TOKENS, DIM_HIDDEN)		   /* [T, H] attention times value */      \
	X(float, middle, DIM_TOKENS, DIM_HIDDEN)	   /* [T, H] residual stream */            \
	X(float, experts_scale, DIM_ONE, DIM_TOKENS)	   /* [T] */                               \
	X(float, experts_normed, DIM_TOKENS, DIM_HIDDEN)   /* [T, H] */                            \
	X(float, mean, DIM_ONE, DIM_HIDDEN)		   /* [H] by sequence: router input */     \
	X(float, scores, DIM_ROUTES, DIM_EXPERTS)	   /* [R, E] */                            \
	X(int32_t, choice, DIM_ROUTES, DIM_TOP_K)	   /* [R, K] chosen experts, best first */ \
	X(float, choice_weight, DIM_ROUTES, DIM_TOP_K)	   /* [R, K] they add up to 1 */           \
	X(int32_t, expert_start, DIM_ONE, DIM_STARTS)	   /* [E + 1] first slot of each expert */ \
	X(int32_t, slot_token, DIM_ONE, DIM_SLOTS)	   /* [S] */                               \
	X(int32_t, slot_choice, DIM_ONE, DIM_SLOTS)	   /* [S] index into choice */             \
	X(float, slot_weight, DIM_ONE, DIM_SLOTS)	   /* [S] */                               \
	X(float, gathered, DIM_GATHERED, DIM_HIDDEN)	   /* [G, H] tokens in order of slot */    \
	X(float, gate, DIM_SLOTS, DIM_INNER)		   /* [S, F] */                            \
	X(float, up, DIM_SLOTS, DIM_INNER)		   /* [S, F] */                            \
	X(float, product, DIM_SLOTS, DIM_INNER)		   /* [S, F] weight * silu(gate) * up */

/* Activations that exist once: the end of the network, and the work space of backward. */
#define MODEL_ACTIVATIONS(X)                                                                       \
	X(float, last, DIM_TOKENS, DIM_HIDDEN)		  /* [T, H] residual stream */             \
	X(float, final_scale, DIM_ONE, DIM_TOKENS)	  /* [T] */                                \
	X(float, final_normed, DIM_TOKENS, DIM_HIDDEN)	  /* [T, H] */                             \
	X(float, logits, DIM_TOKENS, DIM_VOCABULARY)	  /* [T, V] then probabilities */          \
	X(float, expert_output, DIM_GATHERED, DIM_HIDDEN) /* [G, H] */                             \
	X(float, d_stream, DIM_TOKENS, DIM_HIDDEN)	  /* [T, H] of the residual stream */      \
	X(float, d_normed, DIM_TOKENS, DIM_HIDDEN)	  /* [T, H] */                             \
	X(float, d_query, DIM_TOKENS, DIM_HIDDEN)	  /* [T, H] */                             \
	X(float, d_key, DIM_TOKENS, DIM_HIDDEN)		  /* [T, H] */                             \
	X(float, d_value, DIM_TOKENS, DIM_HIDDEN)	  /* [T, H] */                             \
	X(float, d_mixed, DIM_TOKENS, DIM_HIDDEN)	  /* [T, H] */                             \
	X(float, d_attention, DIM_TOKENS, DIM_TOKENS)	  /* [T, T] */                             \
	X(float, d_gathered, DIM_GATHERED, DIM_HIDDEN)	  /* [G, H] */                             \
	X(float, d_gate, DIM_SLOTS, DIM_INNER)		  /* [S, F] */                             \
	X(float, d_up, DIM_SLOTS, DIM_INNER)		  /* [S, F] */                             \
	X(float, d_product, DIM_SLOTS, DIM_INNER)	  /* [S, F] */                             \
	X(float, d_slot_weight, DIM_ONE, DIM_SLOTS)	  /* [S] */                                \
	X(float, d_choice, DIM_ROUTES, DIM_TOP_K)	  /* [R, K] */                             \
	X(float, d_mean, DIM_ONE, DIM_HIDDEN)		  /* [H] */

#define PARAMETER_FIELD(name, d0, d1, d2, start, decays) float *name;
#define ACTIVATION_FIELD(type, name, d0, d1)		 type *name;

struct block_parameters {
	BLOCK_PARAMETERS(PARAMETER_FIELD)
	bool used[SHAPE_MAX_EXPERTS]; /* in gradients: the expert's matrices may be nonzero */
};
struct parameters {
	MODEL_PARAMETERS(PARAMETER_FIELD)
	struct block_parameters block[SHAPE_MAX_BLOCKS];
	float *base;	      /* the arena; 64-byte aligned, owned; gaps between tensors are zero */
	size_t length;	      /* number of its elements */
	size_t decays_length; /* number of elements of tensors that decay; these come first */
	bool summed;	      /* in gradients: others are added, so that `used` is not complete */
};

struct block_activations {
	BLOCK_ACTIVATIONS(ACTIVATION_FIELD)
};
struct activations {
	MODEL_ACTIVATIONS(ACTIVATION_FIELD)
	struct block_activations block[SHAPE_MAX_BLOCKS];
	float *base; /* as above */
	size_t length;
};

/* The tables of the structs, for code that handles every tensor. */
extern const struct tensor model_parameters[], block_parameters[];
extern const size_t model_parameters_count, block_parameters_count;

/* Allocates an arena of zeros and points the fields into it. Returns -1, with nothing to free, if
 * there is no memory. */
int parameters_alloc(struct parameters *parameters, const struct shape *shape);
int activations_alloc(struct activations *activations, const struct shape *shape);
/* Safe on zeroed structs. */
void parameters_free(struct parameters *parameters);
void activations_free(struct activations *activations);

/* Size of one arena of each kind, in bytes. */
size_t parameters_bytes(const struct shape *shape);
size_t activations_bytes(const struct shape *shape);
/* Number of parameters of the model, without the gaps between tensors. */
size_t parameters_count(const struct shape *shape);

/* Sets the initial values. The same seed gives the same model. */
void parameters_start(struct parameters *parameters, const struct shape *shape, uint64_t seed);

#endif
