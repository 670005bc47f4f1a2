/* kernels.h: the parts of a step outside BLAS: pairs of forward and backward kernels on float
 * arrays. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_KERNELS_H
#define WORKLOADS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Arrays are row-major and do not overlap; their shapes are in brackets. d_x of a backward kernel
 * is the gradient of the loss by x. "Adds to" means that the result is added to the array's values.
 * Nothing allocates. */

#define RMSNORM_EPSILON 1e-5f

/* y[r, c] = x[r, c] * scale[r] * gain[c], scale[r] = 1 / sqrt(mean of x[r]^2 + RMSNORM_EPSILON). */
void rmsnorm_forward(float *y,		/* [rows, cols] */
		     float *scale,	/* [rows] */
		     const float *x,	/* [rows, cols] */
		     const float *gain, /* [cols] */
		     int rows, int cols);
void rmsnorm_backward(float *d_x,	  /* [rows, cols] adds to it */
		      float *d_gain,	  /* [cols] adds to it */
		      const float *d_y,	  /* [rows, cols] */
		      const float *x,	  /* [rows, cols] */
		      const float *scale, /* [rows] as set by forward */
		      const float *gain,  /* [cols] */
		      int rows, int cols);

/* Softmax of row r over columns 0..r; the columns after r become 0. */
void causal_softmax_forward(float *x, /* [rows, rows] in place */
			    int rows);
void causal_softmax_backward(float *d, /* [rows, rows] in: by softmax's output, out: by its input */
			     const float *y, /* [rows, rows] softmax's output */
			     int rows);

/* y[r, c] = weight[r] * silu(gate[r, c]) * up[r, c], silu(x) = x / (1 + e^-x). */
void swiglu_forward(float *y,		 /* [rows, cols] */
		    const float *gate,	 /* [rows, cols] */
		    const float *up,	 /* [rows, cols] */
		    const float *weight, /* [rows] */
		    int rows, int cols);
void swiglu_backward(float *d_gate,	  /* [rows, cols] */
		     float *d_up,	  /* [rows, cols] */
		     float *d_weight,	  /* [rows] */
		     const float *d_y,	  /* [rows, cols] */
		     const float *gate,	  /* [rows, cols] */
		     const float *up,	  /* [rows, cols] */
		     const float *weight, /* [rows] */
		     int rows, int cols);

/* Turns logits into probabilities in place; returns the mean over rows of -ln(probability of the
 * target), in nats. */
double cross_entropy_forward(float *x,		     /* [rows, cols] */
			     const uint8_t *targets, /* [rows] each below cols */
			     int rows, int cols);
/* Turns the probabilities into the gradient by the logits, in place. */
void cross_entropy_backward(float *x,		    /* [rows, cols] */
			    const uint8_t *targets, /* [rows] */
			    int rows, int cols);

/* y[r] = embedding[tokens[r]] + position[r]. */
void embedding_forward(float *y,	       /* [rows, cols] */
		       const float *embedding, /* [vocabulary, cols] */
		       const float *position,  /* [rows, cols] */
		       const uint8_t *tokens,  /* [rows] */
		       int rows, int cols);
void embedding_backward(float *d_embedding,    /* [vocabulary, cols] adds to it */
			float *d_position,     /* [rows, cols] adds to it */
			const float *d_y,      /* [rows, cols] */
			const uint8_t *tokens, /* [rows] */
			int rows, int cols);

/* y[c] = mean of x[r, c] over r. */
void mean_rows_forward(float *y,       /* [cols] */
		       const float *x, /* [rows, cols] */
		       int rows, int cols);
void mean_rows_backward(float *d_x,	  /* [rows, cols] adds to it */
			const float *d_y, /* [cols] */
			int rows, int cols);

/* y[i] += factor * x[i]; and the sum of x[i] * y[i]. */
void vector_add(float *y, const float *x, float factor, size_t length);
float vector_dot(const float *x, const float *y, size_t length);

/* AdamW for one range of the arena at step `step` (1, 2, ...). */
struct adamw {
	float rate, beta1, beta2, epsilon;
	float decay;	      /* weight decay, multiplied by rate */
	float gradient_scale; /* the gradient is multiplied by it first */
	float correction1;    /* 1 / (1 - beta1^step) */
	float correction2;    /* 1 / (1 - beta2^step) */
};
/* Gradients and moments nearer to zero than these are set to zero. They are too small beside
 * `epsilon` to change a parameter, and the moments of an expert that is not visited reach zero this
 * way. */
#define ADAMW_LEAST_GRADIENT 1e-15f
#define ADAMW_LEAST_MEAN     1e-20f
#define ADAMW_LEAST_SQUARE   1e-30f
/* Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019, algorithm 2. */
void adamw_update(float *x,	  /* [length] parameters */
		  float *m,	  /* [length] mean of the gradient */
		  float *v,	  /* [length] mean of its square */
		  const float *g, /* [length] gradient */
		  size_t length, const struct adamw *adamw);

#endif
