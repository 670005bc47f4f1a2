/* roofline.h: what a machine can do at most, how close calls come to that, and what holds them
 * back.
 */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_ROOFLINE_H
#define MODEL_ROOFLINE_H

enum precision { PRECISION_SINGLE, PRECISION_DOUBLE, PRECISION_COUNT };
extern const char *const precision_names[PRECISION_COUNT]; /* "single", "double" */
/* Where operands come from, nearest first. */
enum level { LEVEL_L1, LEVEL_L2, LEVEL_L3, LEVEL_MEMORY, LEVEL_COUNT };
extern const char *const level_names[LEVEL_COUNT]; /* "L1", ..., "memory" */

/* A rate with one thread, and with a thread on each CPU, all together; 0: not measured. */
struct ceiling {
	double one, all;
};

struct ceilings {
	double cpus; /* that "all" stands for; 0: nothing is known */
	struct ceiling flops_per_s[PRECISION_COUNT]; /* of the widest vectors */
	struct ceiling bytes_per_s[LEVEL_COUNT];     /* read plus written; of the fastest loop */
	double cache_bytes[LEVEL_MEMORY];	     /* size of each cache; 0: there is none */
};

/* The rate of one of `threads` that are at work at the same time, in 1/s: a straight line between
 * the totals of one thread and all CPUs, shared evenly. More threads than CPUs are as many as there
 * are CPUs. */
double ceiling_of_thread(const struct ceilings *ceilings, const struct ceiling *ceiling,
			 double threads);

/* As text: "cpus=2 peak_single_1=8.9e10 ...", each a number; what is 0 is left out. Returns text[].
 */
#define CEILINGS_TEXT_MAX 1024
const char *ceilings_text(const struct ceilings *ceilings, char text[CEILINGS_TEXT_MAX]);
/* Reads such a text; 0, or -1 and all zero where it is none, or lacks the peak or the memory's
 * bandwidth. Names that are not known are passed over. */
int ceilings_parse(const char *text, struct ceilings *ceilings);

/* The fixed cost of a call is taken to be no more than this, in ns, where no shorter call shows it
 * to be less: checks of the arguments, choice of a kernel, buffers. Measured on a 2.8 GHz x86-64
 * for 1 x 1 x 1: 4 to 90 ns in OpenBLAS 0.3.21, ATLAS 3.10.3 and the reference BLAS, 30 to 3200 ns
 * in BLIS 0.9. */
#define ROOFLINE_START_UP_NS 4000

enum bound {
	BOUND_UNKNOWN, /* no ceilings, no time, or neither flops nor bytes */
	BOUND_COMPUTE, /* the peak would be reached before the bandwidth */
	BOUND_MEMORY,  /* the other way round */
	BOUND_LATENCY, /* the fixed cost of a call is half of its time or more */
};
extern const char *const bound_names[]; /* "", "compute", "memory", "latency" */

/* Calls of one shape; flops, bytes and ns of one call. */
struct roofline_call {
	enum precision precision; /* PRECISION_COUNT: one whose peak is not known */
	double flops, bytes;
	double mean_ns;	 /* of one call, inside */
	double least_ns; /* the shortest call of the routine, of any shape: its fixed cost is no
			    more */
	double callers;	 /* threads that call at the same time */
	double each;	 /* threads that work on one call */
};

/* All but `bound` NAN where it is unknown. */
struct roofline {
	enum bound bound;
	enum level level;	    /* the nearest memory that the operands fit in */
	double intensity;	    /* flops a byte */
	double ceiling_flops_per_s; /* min(peak, intensity x bandwidth): of one call */
	double share;		    /* ideal time over mean time: of the ceiling */
};

/* The roofline model (S. Williams, A. Waterman, D. Patterson, Commun. ACM 52(4), 2009): a call
 * takes at least ideal = max(flops / peak, bytes / bandwidth), where the bandwidth is that of the
 * nearest cache that holds the operands. So compute-bound is what has flops / peak >= bytes /
 * bandwidth, and memory-bound the rest. The ceilings are those of the threads at work: callers x
 * each, each call with its part of the whole.
 *
 * Latency-bound is, whichever of the two it would be, a call that is over half start-up (R. W.
 * Hockney's half-performance length n1/2, Parallel Computing 1(3), 1984, is where it is half):
 * ideal <= mean / 2, and the start-up, which is min(least_ns, ROOFLINE_START_UP_NS), >= mean / 2.
 */
struct roofline roofline_call(const struct ceilings *ceilings, const struct roofline_call *call);

/* What one call can have of a ceiling, in 1/s: the part of the threads that work on it. Of `call`
 * only callers and each count. 0 where the ceiling was not measured. */
double roofline_rate(const struct ceilings *ceilings, const struct ceiling *ceiling,
		     const struct roofline_call *call);

#endif
